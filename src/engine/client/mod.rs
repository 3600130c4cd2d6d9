//! Talks to model servers: one request for one answer, measured and never made prettier than it was.
//!
//! `base_url` reads addresses, `compose` writes requests, `frames` → `ollama`/`openai` → `exchange` read
//! answers without sockets or clocks, `meter` computes figures, `attempt` is the shell around sockets, `adapt` decides
//! what to leave out when a server refuses a field. Imports: domain, engine::{clock, http}, reqwest, tokio, tower.

mod adapt;
pub mod address;
mod attempt;
mod base_url;
mod calls;
mod compose;
mod delta;
mod error_body;
mod exchange;
mod frames;
mod json;
mod meter;
mod ollama;
mod openai;
mod redact;
mod repeat;
pub mod think;

use std::fmt;

pub use base_url::{BadUrl, BaseUrl};
pub use error_body::quote;
pub use exchange::{Asked, Clock, Exchange, GRACE_MS, Refusal};
pub use frames::{Frame, FrameError, Frames, Framing};

use tokio_util::sync::CancellationToken;

use crate::domain::{
    id::{Thinking, Wire},
    plan::Clocks,
    sample::Sample,
    transcript::{Message, Tool},
};

/// What stands where a key was.
pub const HIDDEN: &str = "***";

/// Words that people give to servers that check no key.
const PLACEHOLDERS: [&str; 8] = [
    "lm-studio",
    "lmstudio",
    "not-needed",
    "no-key-needed",
    "no-key-required",
    "sk-no-key-required",
    "placeholder",
    "anything",
];

/// An API key; never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key itself, for the one header it belongs in.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether the key is worth hiding. Servers that need none still want a word in its place; hiding a word such as
    /// `x` or `lm-studio` wherever it occurs would change answers and model names.
    pub fn is_secret(&self) -> bool {
        self.0.len() >= 8 && !PLACEHOLDERS.contains(&self.0.to_ascii_lowercase().as_str())
    }

    /// The text with the key replaced, wherever a server repeats it.
    pub fn hide_in(&self, text: &str) -> String {
        if self.is_secret() { text.replace(&self.0, HIDDEN) } else { text.to_owned() }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// A model server and how to speak to it.
#[derive(Debug, Clone)]
pub struct Target {
    pub base: BaseUrl,
    pub wire: Wire,
    /// Belongs to the server's origin and is sent nowhere else.
    pub key: Option<Secret>,
}

/// One question to a model.
#[derive(Debug, Clone)]
pub struct ChatRequest {
    pub model: String,
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    /// The most tokens that may be generated, thinking included.
    pub max_tokens: u32,
    pub temperature: Option<f64>,
    pub seed: Option<u64>,
    pub thinking: Thinking,
    /// Context asked of an Ollama server, in tokens.
    pub num_ctx: Option<u32>,
    pub stream: bool,
    /// End an answer that repeats itself for ever.
    pub stop_loops: bool,
}

/// What a call is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Connecting,
    /// The request is written; nothing was generated yet.
    Waiting,
    Thinking,
    Answering,
}

/// A call in progress, for the live view.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    pub phase: Phase,
    /// Chunks with content so far.
    pub chunks: u32,
    /// What this chunk added.
    pub text: String,
    /// Milliseconds since the request was written.
    pub at_ms: f64,
    /// `None` before the first generated token.
    pub ttft_ms: Option<f64>,
}

/// Sends questions. Clones share what was learnt about servers.
#[derive(Debug, Clone, Default)]
pub struct Client {
    memory: adapt::Memory,
}

impl Client {
    /// Asks once and gives the sample, whatever happens. A field that the server refuses is left out and the question is
    /// sent again; so is one that was lost before any byte of an answer. Times are those of the last request.
    pub async fn chat(
        &self,
        target: &Target,
        request: &ChatRequest,
        clocks: &Clocks,
        cancel: &CancellationToken,
        passing: &mut (dyn FnMut(Passing) + Send),
    ) -> Sample {
        let origin = target.base.origin();
        let whole = compose::body(target.wire, request, &adapt::Shape::default());
        let concerns = |field: &str| {
            field == "reasoning_effort" || whole.get(field).is_some() || whole["options"].get(field).is_some()
        };
        let mut veil = target.key.as_ref().filter(|key| key.is_secret()).map(redact::Veil::new);
        let mut veiled = |mut shown: Passing| {
            if let Some(veil) = &mut veil {
                shown.text = veil.push(&shown.text);
            }
            passing(shown);
        };
        let mut shape = self.memory.recall(origin, &request.model);
        let (mut requests, mut was_lost) = (0, false);
        loop {
            let body = compose::body(target.wire, request, &shape);
            let asked = asked(target, request, &shape, clocks);
            let silent = "the server refused stream_options, without which it sends no usage";
            let no_usage = shape.has(adapt::Change::NoStreamOptions).then_some(silent);
            let attempt = attempt::run(target, asked, &body, no_usage, cancel, &mut veiled).await;
            requests += 1;
            if attempt.lost && !was_lost && !cancel.is_cancelled() {
                was_lost = true;
                continue;
            }
            if let Some(refusal) = &attempt.refusal
                && shape.len() < adapt::MOST
                && let Some(change) = adapt::propose(refusal, &body)
            {
                shape.add(change, refusal.status);
                continue;
            }
            if attempt.refusal.is_none() {
                self.memory.keep(origin, &request.model, &shape);
            }
            let mut sample = match &target.key {
                Some(key) => redact::sample(attempt.sample, key),
                None => attempt.sample,
            };
            sample.requests = requests;
            sample.adaptations = shape.sentences(concerns);
            if was_lost {
                sample
                    .adaptations
                    .push("the connection was lost before any byte of an answer; sent once more".to_owned());
            }
            return sample;
        }
    }
}

fn asked(target: &Target, request: &ChatRequest, shape: &adapt::Shape, clocks: &Clocks) -> Asked {
    Asked {
        wire: target.wire,
        clocks: *clocks,
        max_tokens: request.max_tokens,
        thinking: request.thinking,
        num_ctx: request.num_ctx,
        prompt_chars: request.messages.iter().map(|message| message.text.chars().count()).sum(),
        stream: compose::streams(request, shape),
        stop_loops: request.stop_loops,
        key: target.key.clone(),
    }
}
