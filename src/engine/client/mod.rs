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
mod error_class;
mod exchange;
mod frames;
mod harmony;
mod json;
mod meter;
mod ollama;
mod openai;
mod redact;
mod repeat;
mod retry;
pub mod think;

use std::{fmt, time::Duration};

pub use base_url::{BadUrl, BaseUrl};
pub use error_body::quote;
pub use error_class::{HOST as HOST_REFUSALS, MEMORY as MEMORY_FAILURES};
pub use exchange::{Asked, Clock, Exchange, GRACE_MS, Refusal};
pub use frames::{Frame, FrameError, Frames, Framing};
pub use retry::Patience;

use retry::Waits;
use tokio_util::sync::CancellationToken;

use crate::domain::{
    id::{Thinking, Wire},
    plan::Clocks,
    sample::Sample,
    transcript::{Message, Role, Tool},
};
use crate::engine::clock;

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
    /// Hold the answer to a JSON object, where the server can.
    pub json: bool,
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
    patience: Patience,
}

impl Client {
    /// The same client, with another measure of waiting for busy servers.
    pub fn with_patience(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// Asks once and gives the sample, whatever happens. A field that the server refuses is left out and the question is
    /// sent again; so is one that was lost before any byte of an answer, and, after a pause, one that met a busy or loading
    /// server. Nothing is sent again once anything was generated. Times are those of the last request.
    pub async fn chat(
        &self,
        target: &Target,
        request: &ChatRequest,
        clocks: &Clocks,
        cancel: &CancellationToken,
        passing: &mut (dyn FnMut(Passing) + Send),
    ) -> Sample {
        let origin = target.base.origin();
        let mut veil = target.key.as_ref().filter(|key| key.is_secret()).map(redact::Veil::new);
        let mut veiled = |mut shown: Passing| {
            if let Some(veil) = &mut veil {
                shown.text = veil.push(&shown.text);
            }
            passing(shown);
        };
        let mut shape = self.memory.recall(origin, &request.model);
        let patience = if self.memory.is_tiring(origin) { self.patience.weary() } else { self.patience };
        let mut waits = Waits::new(patience);
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
            if let Some(refusal) = &attempt.refusal {
                if shape.len() < adapt::MOST
                    && let Some(change) = adapt::propose(refusal, &body)
                {
                    shape.add(change, refusal.status);
                    continue;
                }
                let now = attempt.date.as_deref().and_then(retry::date).unwrap_or_else(clock::utc);
                if let Some(pause) = waits.next(refusal, attempt.retry_after.as_deref(), now)
                    && passes(pause, cancel).await
                {
                    continue;
                }
            } else {
                self.memory.keep(origin, &request.model, &shape);
            }
            self.memory.tire(origin, attempt.refusal.is_some() && waits.are_over());
            let sample = if cancel.is_cancelled() && attempt.refusal.is_some() {
                attempt::stopped_waiting()
            } else {
                attempt.sample
            };
            let mut sample = match &target.key {
                Some(key) => redact::sample(sample, key),
                None => sample,
            };
            sample.requests = requests;
            sample.waited_ms = (waits.count > 0).then_some(waits.waited_s * 1000.0);
            sample.waited_for = waits.class();
            sample.adaptations = shape.sentences(|field| concerns(field, target.wire, request));
            if was_lost {
                sample
                    .adaptations
                    .push("the connection was lost before any byte of an answer; sent once more".to_owned());
            }
            sample.adaptations.extend(waits.sentence());
            return sample;
        }
    }
}

/// Sleeps; `false` if the user did not let it.
async fn passes(pause: Duration, cancel: &CancellationToken) -> bool {
    tokio::select! {
        () = tokio::time::sleep(pause) => true,
        () = cancel.cancelled() => false,
    }
}

/// Whether a change of this field concerns the request at all.
fn concerns(field: &str, wire: Wire, request: &ChatRequest) -> bool {
    let whole = compose::body(wire, request, &adapt::Shape::default());
    match field {
        "reasoning_effort" => request.thinking != Thinking::Auto,
        adapt::SYSTEM => request.messages.iter().any(|message| message.role == Role::System),
        _ => whole.get(field).is_some() || whole["options"].get(field).is_some(),
    }
}

fn asked(target: &Target, request: &ChatRequest, shape: &adapt::Shape, clocks: &Clocks) -> Asked {
    Asked {
        wire: target.wire,
        clocks: *clocks,
        max_tokens: request.max_tokens,
        thinking: request.thinking,
        num_ctx: request.num_ctx.filter(|_| !shape.has(adapt::Change::NoNumCtx)),
        prompt_chars: request.messages.iter().map(|message| message.text.chars().count()).sum(),
        stream: compose::streams(request, shape),
        stop_loops: request.stop_loops,
        key: target.key.clone(),
    }
}
