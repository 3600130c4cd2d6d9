//! Servers that were found and the models they offer.

use serde::{Deserialize, Serialize};

use super::id::{SuiteId, Wire};

/// One model on one server.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ModelInfo {
    pub name: String,
    pub size_bytes: Option<u64>,
    pub quantization: Option<String>,
    pub family: Option<String>,
    pub parameter_size: Option<String>,
    pub context: Option<u64>,
    /// Runs elsewhere, though the server lists it.
    pub remote: bool,
    /// What the list says of it, for example the nature of a demo model.
    #[serde(default)]
    pub about: Option<String>,
}

/// What answered at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ServerStatus {
    /// A model server; its models are listed.
    Ready,
    /// A model server that wants a key.
    NeedsKey,
    /// Something else answered; the text says what.
    OtherApi(String),
    /// Nothing answered; the text says why.
    Unreachable(String),
}

/// A server, named by the shape of its answers and never by its port.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Server {
    /// Base URL without `/v1`.
    pub url: String,
    /// `Ollama`, `llama.cpp`, `BenchLoop demo`, `OpenAI-compatible` …
    pub name: String,
    pub version: Option<String>,
    pub wire: Option<Wire>,
    pub status: ServerStatus,
    pub models: Vec<ModelInfo>,
    pub demo: bool,
    /// The user added it; it can be removed.
    pub saved: bool,
}

/// A suite as it can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteCard {
    pub suite: SuiteId,
    pub built: bool,
    pub tasks: u32,
    pub quick_tasks: u32,
    /// Trials of each task unless told otherwise.
    pub trials: u32,
}
