//! Servers that were found and the models they offer.

use serde::{Deserialize, Serialize};

use super::id::Wire;

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
    /// A model server that is still loading its model.
    Loading,
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

/// One suite as the start page offers it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuiteCard {
    pub suite: super::id::SuiteId,
    /// This version has tasks for it; the others can't be chosen.
    pub built: bool,
    /// Why this build cannot run it though it has the tasks; `None` if it can.
    #[serde(default)]
    pub missing: Option<String>,
    /// Tasks in the standard profile.
    pub tasks: u32,
    /// Tasks in the quick profile.
    pub quick_tasks: u32,
    /// Trials of each task, unless told otherwise.
    pub trials: u32,
}

/// A model on a server, as one form value: `provider endpoint model`, with `auto` for an unknown provider. Addresses
/// hold no spaces; model names may.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    pub provider: Option<Wire>,
    pub endpoint: String,
    pub model: String,
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} {}", self.provider.map_or("auto", Wire::as_str), self.endpoint, self.model)
    }
}

impl Target {
    /// Reads what `Display` wrote; `None` for anything else, the empty text included.
    pub fn read(text: &str) -> Option<Self> {
        let (provider, rest) = text.trim().split_once(' ')?;
        let (endpoint, model) = rest.split_once(' ')?;
        let provider = if provider == "auto" { None } else { Some(provider.parse().ok()?) };
        Some(Self { provider, endpoint: endpoint.to_owned(), model: model.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_survives_its_form_value() {
        let target = Target {
            provider: Some(Wire::Ollama),
            endpoint: "http://127.0.0.1:11434".into(),
            model: "hf.co/a model:q4".into(),
        };
        assert_eq!(Target::read(&target.to_string()), Some(target));
        assert_eq!(Target::read(""), None);
    }
}
