//! Which model answered, on which server: read before and after a run, so that a change in between is seen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unit;

/// What the server says of the model and of itself. Everything is optional: servers differ.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Identity {
    /// Name of the server software, by the shape of its answers: `Ollama`, `llama.cpp`, `OpenAI-compatible` …
    pub server: String,
    pub server_version: Option<String>,
    pub digest: Option<String>,
    pub quantization: Option<String>,
    pub parameter_size: Option<String>,
    pub family: Option<String>,
    /// Tokens of context the model is loaded with.
    pub context: Option<u64>,
    /// SHA-256 of the chat template's text, as 64 hexadecimal digits.
    pub template_hash: Option<String>,
    /// The built-in scripted server, whose figures measure nothing.
    #[serde(default)]
    pub demo: bool,
    /// The name under which the server lists the model; other names if it lists it no longer.
    #[serde(default)]
    pub model: Option<String>,
    /// Name of the file with the weights, without its folder.
    #[serde(default)]
    pub model_file: Option<String>,
    /// Bytes of weights.
    #[serde(default)]
    pub size_bytes: Option<u64>,
    /// Tokens of context that the model allows at most.
    #[serde(default)]
    pub context_max: Option<u64>,
    /// Bytes of graphics memory that the loaded model holds; no part of what it is.
    #[serde(default)]
    pub vram_bytes: Option<u64>,
    /// Where each field was read: `context` → `GET /api/ps`.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
}

/// Digests are long; their beginning tells them apart.
const SHOWN: usize = 19;

impl Identity {
    /// The fields that differ between two readings, in words; empty if none. A field read only once is no difference.
    pub fn drift(&self, after: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut compare = |name: &str, before: &Option<String>, now: &Option<String>| {
            if let (Some(before), Some(now)) = (before, now)
                && before != now
            {
                changes.push(format!("{name} was {}, then {}", unit::cut(before, SHOWN), unit::cut(now, SHOWN)));
            }
        };
        // a reading that could not tell the server apart is no other server
        let is_told = |name: &String| !matches!(name.as_str(), "" | "unknown" | "OpenAI-compatible");
        let named = |text: &String| Some(text.clone()).filter(is_told);
        compare("server", &named(&self.server), &named(&after.server));
        compare("server version", &self.server_version, &after.server_version);
        compare("model", &self.model, &after.model);
        compare("model digest", &self.digest, &after.digest);
        compare("model file", &self.model_file, &after.model_file);
        compare("quantisation", &self.quantization, &after.quantization);
        compare("family", &self.family, &after.family);
        compare("parameter size", &self.parameter_size, &after.parameter_size);
        compare("template", &self.template_hash, &after.template_hash);
        let text = |n: Option<u64>| n.map(|n| n.to_string());
        compare("model size", &text(self.size_bytes), &text(after.size_bytes));
        compare("maximum context", &text(self.context_max), &text(after.context_max));
        compare("loaded context", &text(self.context), &text(after.context));
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_digest_is_drift_and_a_missing_one_is_not() {
        let with = |digest: Option<&str>| Identity { digest: digest.map(str::to_owned), ..Identity::default() };
        assert_eq!(with(Some("a")).drift(&with(Some("b"))), ["model digest was a, then b"]);
        assert!(with(Some("a")).drift(&with(None)).is_empty());
    }

    #[test]
    fn every_fact_that_tells_models_apart_is_compared_and_the_memory_in_use_is_not() {
        let before = Identity {
            server: "llama.cpp".into(),
            model: Some("a".into()),
            model_file: Some("a-Q4_K_M.gguf".into()),
            size_bytes: Some(5),
            context: Some(4096),
            vram_bytes: Some(1),
            ..Identity::default()
        };
        let after = Identity {
            server: "Ollama".into(),
            model: Some("b".into()),
            model_file: Some("b-Q8_0.gguf".into()),
            size_bytes: Some(9),
            context: Some(8192),
            vram_bytes: Some(2),
            ..Identity::default()
        };
        assert_eq!(
            before.drift(&after),
            [
                "server was llama.cpp, then Ollama",
                "model was a, then b",
                "model file was a-Q4_K_M.gguf, then b-Q8_0.gguf",
                "model size was 5, then 9",
                "loaded context was 4096, then 8192",
            ]
        );
    }
}
