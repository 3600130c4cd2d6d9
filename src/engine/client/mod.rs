//! Talks to model servers: one request for one answer, measured and never made prettier than it was.
//!
//! `base_url` reads addresses, `compose` writes requests, `frames` → `ollama`/`openai` → `exchange` → `outcome` read
//! answers without sockets or clocks, `meter` computes figures, `attempt` is the shell around sockets, `adapt` decides
//! what to leave out when a server refuses a field. Imports: domain, engine::{clock, http}, reqwest, tokio, tower.

mod base_url;
mod calls;
mod delta;
mod error_body;
mod exchange;
mod frames;
mod json;
mod meter;
mod ollama;
mod openai;
mod outcome;
mod think;

use std::fmt;

pub use base_url::{BadUrl, BaseUrl};
pub use exchange::{Asked, Clock, Exchange, GRACE_MS, Refusal};
pub use frames::{Frame, FrameError, Frames, Framing};

use crate::domain::{
    id::{Thinking, Wire},
    transcript::{Message, Tool},
};

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
