//! What a conversation is in the browser: turns with their answers, one per model asked, and the settings. Kept in the
//! tab's session storage, so that a reload keeps it and closing the tab forgets it.

use std::sync::Arc;

use futures_util::future::AbortHandle;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::domain::{
    chat::{ChatForm, ChatLine, Said},
    id::Thinking,
    model::Target,
    sample::Sample,
    transcript::Role,
};

/// Where the conversation is kept.
#[cfg(feature = "hydrate")]
const KEY: &str = "benchloop-chat";

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Another model on the same machine is asked first.
    Queued,
    Connecting,
    /// Asked; nothing was generated yet.
    Waiting,
    Thinking,
    Answering,
    Done,
    /// The user ended it.
    Stopped,
    /// It was not asked, or its end never came.
    Failed,
}

impl Stage {
    pub fn is_going(self) -> bool {
        !matches!(self, Self::Done | Self::Stopped | Self::Failed)
    }
}

/// One model's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// As the form value of the model picker.
    pub target: String,
    pub stage: Stage,
    pub answer: String,
    pub reasoning: String,
    pub sample: Option<Sample>,
    /// Why it failed.
    pub why: Option<String>,
    /// It was refused because a run is being measured; it can be forced.
    pub beside_run: bool,
}

impl Reply {
    pub fn new(target: &Target) -> Self {
        Self {
            target: target.to_string(),
            stage: Stage::Queued,
            answer: String::new(),
            reasoning: String::new(),
            sample: None,
            why: None,
            beside_run: false,
        }
    }

    /// The model's name.
    pub fn model(&self) -> String {
        Target::read(&self.target).map_or_else(|| self.target.clone(), |target| target.model)
    }

    /// The answer without the tag that may stand at its beginning while it is written.
    pub fn answer_so_far(&self) -> &str {
        let text = self.answer.trim_start();
        text.strip_prefix("</think>").or(text.strip_prefix("</thinking>")).unwrap_or(text)
    }

    /// The thought, likewise.
    pub fn reasoning_so_far(&self) -> &str {
        let text = self.reasoning.trim();
        text.strip_prefix("<think>").or(text.strip_prefix("<thinking>")).unwrap_or(text).trim_start()
    }

    /// Takes up what came.
    pub fn take(&mut self, line: ChatLine) {
        match line {
            ChatLine::Note { text } => {
                self.stage = if text == "connecting" { Stage::Connecting } else { Stage::Waiting };
                // a question that is sent again begins again
                self.answer.clear();
                self.reasoning.clear();
            }
            ChatLine::Reasoning { text } => {
                self.stage = Stage::Thinking;
                self.reasoning.push_str(&text);
            }
            ChatLine::Answer { text } => {
                self.stage = Stage::Answering;
                self.answer.push_str(&text);
            }
            ChatLine::Done { mut sample } => {
                self.stage = Stage::Done;
                self.answer = std::mem::take(&mut sample.answer);
                self.reasoning = std::mem::take(&mut sample.reasoning);
                self.sample = Some(*sample);
            }
        }
    }
}

/// What the user said and what came back. Its signals are counted: a turn outlives the button that began it.
#[derive(Clone)]
pub struct Turn {
    pub id: u32,
    pub prompt: Arc<str>,
    pub first: ArcRwSignal<Reply>,
    /// `None` where one model was asked.
    pub second: Option<ArcRwSignal<Reply>>,
}

impl Turn {
    /// The answer of the first or the second model.
    pub fn reply(&self, column: usize) -> Option<&ArcRwSignal<Reply>> {
        if column == 0 { Some(&self.first) } else { self.second.as_ref() }
    }

    /// All answers.
    pub fn replies(&self) -> impl Iterator<Item = &ArcRwSignal<Reply>> {
        [Some(&self.first), self.second.as_ref()].into_iter().flatten()
    }
}

/// What is kept.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    turns: Vec<(String, Vec<Reply>)>,
    first: Option<String>,
    second: Option<String>,
    settings: Vec<String>,
}

/// The page's state; copies share it.
#[derive(Clone, Copy)]
pub struct Chat {
    pub turns: RwSignal<Vec<Turn>>,
    pub next: StoredValue<u32>,
    pub first: RwSignal<Option<Target>>,
    pub second: RwSignal<Option<Target>>,
    pub draft: RwSignal<String>,
    pub system: RwSignal<String>,
    pub temperature: RwSignal<String>,
    pub max_tokens: RwSignal<String>,
    pub seed: RwSignal<String>,
    pub thinking: RwSignal<String>,
    pub is_going: RwSignal<bool>,
    /// Ends what is going on.
    pub handle: StoredValue<Option<AbortHandle>>,
    /// What a screen reader is told.
    pub news: RwSignal<String>,
}

/// A setting that is no number of its kind.
fn number<T: std::str::FromStr>(name: &str, text: &str) -> Result<Option<T>, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| format!("send the {name}: “{text}” is no such number"))
}

impl Chat {
    pub fn new(first: Option<Target>) -> Self {
        let text = || RwSignal::new(String::new());
        Self {
            turns: RwSignal::new(Vec::new()),
            next: StoredValue::new(0),
            first: RwSignal::new(first),
            second: RwSignal::new(None),
            draft: text(),
            system: text(),
            temperature: text(),
            max_tokens: text(),
            seed: text(),
            thinking: RwSignal::new("auto".to_owned()),
            is_going: RwSignal::new(false),
            handle: StoredValue::new(None),
            news: text(),
        }
    }

    fn settings(self) -> [RwSignal<String>; 6] {
        [self.system, self.temperature, self.max_tokens, self.seed, self.thinking, self.draft]
    }

    /// Adds a turn for the models that are picked.
    pub fn add(self, prompt: String, replies: Vec<Reply>) {
        let id = self.next.get_value();
        self.next.set_value(id + 1);
        let mut replies = replies.into_iter().map(ArcRwSignal::new);
        let Some(first) = replies.next() else { return };
        let turn = Turn { id, prompt: prompt.into(), first, second: replies.next() };
        self.turns.update(|turns| turns.push(turn));
    }

    /// The question for one column of the last turn: each model is told what it itself has said before.
    pub fn form(self, column: usize, target: &Target, force: bool) -> Result<ChatForm, String> {
        let turns = self.turns.get_untracked();
        let mut said = Vec::new();
        for (place, turn) in turns.iter().enumerate() {
            let user = Said { role: Role::User, text: turn.prompt.to_string() };
            if place + 1 == turns.len() {
                said.push(user);
                break;
            }
            let answer = turn.reply(column).map(|reply| reply.with_untracked(|reply| reply.answer.clone()));
            if let Some(text) = answer.filter(|text| !text.trim().is_empty()) {
                said.extend([user, Said { role: Role::Assistant, text }]);
            }
        }
        Ok(ChatForm {
            model: target.model.clone(),
            endpoint: target.endpoint.clone(),
            provider: target.provider,
            system: self.system.get_untracked(),
            turns: said,
            temperature: number("temperature", &self.temperature.get_untracked())?,
            max_tokens: number("number of tokens", &self.max_tokens.get_untracked())?,
            seed: number("seed", &self.seed.get_untracked())?,
            thinking: self.thinking.get_untracked().parse().unwrap_or(Thinking::Auto),
            force,
        })
    }

    /// Writes the conversation into the tab's storage; a full or forbidden storage loses nothing but the reload.
    #[cfg(feature = "hydrate")]
    pub fn keep(self) {
        let replies = |turn: &Turn| {
            (turn.prompt.to_string(), turn.replies().map(|reply| reply.get_untracked()).collect::<Vec<_>>())
        };
        let name = |target: RwSignal<Option<Target>>| target.get_untracked().map(|target| target.to_string());
        let kept = Kept {
            turns: self.turns.get_untracked().iter().map(replies).collect(),
            first: name(self.first),
            second: name(self.second),
            settings: self.settings().iter().map(|setting| setting.get_untracked()).collect(),
        };
        if let (Ok(Some(storage)), Ok(text)) = (window().session_storage(), serde_json::to_string(&kept)) {
            _ = storage.set_item(KEY, &text);
        }
    }

    /// Takes up what was kept; an answer that was being written is stopped.
    #[cfg(feature = "hydrate")]
    pub fn recall(self) {
        let text = window().session_storage().ok().flatten().and_then(|storage| storage.get_item(KEY).ok().flatten());
        let Some(kept) = text.and_then(|text| crate::web::calls::json::read::<Kept>(&text).ok()) else { return };
        for (prompt, mut replies) in kept.turns {
            for reply in replies.iter_mut().filter(|reply| reply.stage.is_going()) {
                reply.stage = Stage::Stopped;
            }
            self.add(prompt, replies);
        }
        if self.first.get_untracked().is_none() {
            self.first.set(kept.first.as_deref().and_then(Target::read));
        }
        self.second.set(kept.second.as_deref().and_then(Target::read));
        for (setting, text) in self.settings().into_iter().zip(kept.settings) {
            setting.set(text);
        }
    }

    #[cfg(not(feature = "hydrate"))]
    pub fn keep(self) {
        _ = self.settings().map(|setting| setting.with_untracked(String::len));
        _ = Kept::default().turns;
    }

    #[cfg(not(feature = "hydrate"))]
    pub fn recall(self) {}
}
