//! The three demo models. What they say comes from the tasks' own accept and reject examples, picked by a hash of task,
//! trial and model, so that a demo run's score can be computed beforehand.
//!
//! To add a demo model: one entry in [`MODELS`].

use std::{io, net::SocketAddr, sync::Arc};

use sha2::{Digest, Sha256};

use super::{Asked, Listed, Reply, ScriptedServer, Speech};
use crate::{
    domain::{id::Thinking, plan::SEED, transcript::Role},
    engine::{
        harness,
        suite::{Suites, Task, TaskKind, Turn},
    },
};

/// A demo model's character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DemoModel {
    pub name: &'static str,
    pub about: &'static str,
    /// Share of trials answered with an accepted example.
    pub right: f64,
    pub tok_s: f64,
    /// Prompt tokens it reads per second.
    pub prefill_tok_s: f64,
    pub thinks: bool,
}

pub const MODELS: [DemoModel; 3] = [
    DemoModel {
        name: "demo-steady",
        about: "demo: mostly right, at a middling pace",
        right: 0.85,
        tok_s: 120.0,
        prefill_tok_s: 6_000.0,
        thinks: false,
    },
    DemoModel {
        name: "demo-hasty",
        about: "demo: fast and often wrong",
        right: 0.4,
        tok_s: 400.0,
        prefill_tok_s: 20_000.0,
        thinks: false,
    },
    DemoModel {
        name: "demo-thinker",
        about: "demo: thinks first, then mostly right",
        right: 0.9,
        tok_s: 200.0,
        prefill_tok_s: 8_000.0,
        thinks: true,
    },
];

/// Characters the demo counts as one token.
const CHARS_PER_TOKEN: f64 = 4.0;

const THOUGHT: &str = "First I look at what is asked, then at what is given. I work it through once, check the result \
    against the question, and only then write it down.";

/// What is said when an example is over and is asked once more.
const NOTHING_MORE: &str = "I have nothing to add.";

fn number(parts: &[&str]) -> u64 {
    let digest = Sha256::digest(parts.join("\u{1f}").as_bytes());
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// The example a demo model gives to a trial (counted from 1) of a task; `None` for tasks that are only timed.
pub fn chosen<'a>(model: &DemoModel, task: &'a Task, trial: u32) -> Option<&'a [Turn]> {
    if matches!(task.kind, TaskKind::Timed(_)) {
        return None;
    }
    let trial = trial.to_string();
    let draw = number(&[model.name, task.suite.as_str(), &task.id, &trial, "right"]) as f64 / u64::MAX as f64;
    let pick = number(&[model.name, task.suite.as_str(), &task.id, &trial, "which"]) as usize;
    if draw < model.right || task.reject.is_empty() {
        let example = task.accept.get(pick % task.accept.len().max(1))?;
        Some(&example.turns)
    } else {
        Some(&task.reject[pick % task.reject.len()].turns)
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The task whose first user message was asked, whatever stands before it; of several, the one that says most of it.
fn task_of<'a>(suites: &'a Suites, asked: &Asked) -> Option<&'a Task> {
    let text = squeezed(asked.messages.iter().find(|(role, _)| *role == Role::User)?.1.as_str());
    let judged = suites.all().flat_map(|suite| &suite.tasks).filter(|task| matches!(task.kind, TaskKind::Judged(_)));
    let fitting = judged.filter_map(|task| {
        let own = task.messages.iter().find(|message| message.role == Role::User)?;
        let own = squeezed(&own.text);
        text.ends_with(&own).then_some((own.len(), task))
    });
    fitting.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, task)| task)
}

/// What an example says in the turn that is asked for: `spoken` turns are over, those of the task's own text left out.
/// One that has no more to say after its last calls ends the conversation.
fn turn_of(turns: &[Turn], spoken: usize) -> Option<Turn> {
    match turns.get(spoken).or(turns.last())? {
        last if spoken >= turns.len() && !last.calls.is_empty() => {
            Some(Turn { text: NOTHING_MORE.to_owned(), calls: Vec::new() })
        }
        turn => Some(turn.clone()),
    }
}

/// Text for questions that are only timed: so many words.
fn talk(tokens: u64) -> String {
    const WORDS: [&str; 16] = [
        "slowly", "the", "river", "turns", "under", "bridges", "where", "lamps", "keep", "a", "quiet", "count", "of",
        "boats", "and", "rain",
    ];
    let words = (0..tokens.min(4096)).map(|k| WORDS[(k as usize * 7 + k as usize / 16) % WORDS.len()]);
    words.collect::<Vec<_>>().join(" ")
}

/// What a demo model answers.
pub fn answer(suites: &Suites, asked: &Asked) -> Reply {
    let Some(model) = MODELS.iter().find(|model| model.name == asked.model) else {
        return Reply::Status(404, format!("{{\"error\":\"model '{}' not found\"}}", asked.model));
    };
    let prompt_tokens = (asked.length() as f64 / CHARS_PER_TOKEN).ceil() as u64 + 8;
    let budget = asked.max_tokens.unwrap_or(1024);
    let trial = asked.seed.map_or(1, |seed| seed.saturating_sub(SEED) + 1) as u32;
    let turn = task_of(suites, asked).and_then(|task| {
        let own = task.messages.iter().filter(|message| message.role == Role::Assistant).count();
        turn_of(chosen(model, task, trial)?, asked.turn().saturating_sub(own))
    });
    let mut speech = match turn {
        Some(turn) => {
            let rendered = harness::render(asked.harness(), &turn);
            let mut speech = Speech::of(&rendered.content);
            speech.calls =
                rendered.calls.into_iter().map(|call| (call.name, call.arguments.unwrap_or_default())).collect();
            speech
        }
        // one word more than fits, so that the budget ends it and the end says so
        None => Speech::of(&talk(budget.saturating_add(1))),
    };
    if model.thinks && asked.thinking != Thinking::Off {
        speech = speech.after_thinking(THOUGHT);
    }
    speech.prompt_tokens = Some(prompt_tokens);
    let first_ms = 20.0 + prompt_tokens as f64 * 1000.0 / model.prefill_tok_s;
    Reply::Say(speech.paced(first_ms, model.tok_s).within(budget))
}

/// Starts the demo server.
pub async fn start(address: SocketAddr, suites: Arc<Suites>) -> io::Result<ScriptedServer> {
    let listed = MODELS.iter().map(|model| Listed { name: model.name.to_owned(), about: model.about.to_owned() });
    ScriptedServer::start(address, listed.collect(), move |asked| answer(&suites, asked)).await
}
