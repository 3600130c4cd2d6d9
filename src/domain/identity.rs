//! Which model answered, on which server: read before and after a run, so that a change in between is seen.

use serde::{Deserialize, Serialize};

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
    pub template_hash: Option<String>,
    /// The built-in scripted server, whose figures measure nothing.
    #[serde(default)]
    pub demo: bool,
}

impl Identity {
    /// The fields that differ between two readings, in words; empty if none. A field read only once is no difference.
    pub fn drift(&self, after: &Self) -> Vec<String> {
        let mut changes = Vec::new();
        let mut compare = |name: &str, before: &Option<String>, now: &Option<String>| {
            if let (Some(before), Some(now)) = (before, now)
                && before != now
            {
                changes.push(format!("{name} was {before}, then {now}"));
            }
        };
        compare("server version", &self.server_version, &after.server_version);
        compare("model digest", &self.digest, &after.digest);
        compare("quantisation", &self.quantization, &after.quantization);
        compare("template", &self.template_hash, &after.template_hash);
        let text = |n: Option<u64>| n.map(|n| n.to_string());
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
}
