//! Servers that were found and the models they offer.

use serde::{Deserialize, Serialize};

use super::id::Wire;

/// What a model can do, as far as its server says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Capability {
    Chat,
    Tools,
    Thinking,
    Vision,
    Embedding,
}

/// One model on one server.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ModelInfo {
    pub name: String,
    pub size_bytes: Option<u64>,
    pub quantization: Option<String>,
    pub family: Option<String>,
    pub parameter_size: Option<String>,
    /// Tokens of context it is loaded or served with; `None` where it is not loaded or the server does not tell.
    pub context: Option<u64>,
    /// Tokens of context that the model allows at most.
    #[serde(default)]
    pub context_max: Option<u64>,
    /// `gguf`, `mlx`, `safetensors` …
    #[serde(default)]
    pub format: Option<String>,
    /// What identifies the weights.
    #[serde(default)]
    pub digest: Option<String>,
    /// Empty where the server does not tell.
    #[serde(default)]
    pub capabilities: Vec<Capability>,
    /// Whether it is in memory; `None` where the server does not tell.
    #[serde(default)]
    pub loaded: Option<bool>,
    /// Bytes of graphics memory that it holds while it is loaded.
    #[serde(default)]
    pub vram_bytes: Option<u64>,
    /// Bytes that one token of context takes in a 16-bit cache, from the model's own shape.
    #[serde(default)]
    pub kv_bytes_per_token: Option<u64>,
    /// Runs elsewhere, though the server lists it.
    pub remote: bool,
    /// What the list says of it, for example the nature of a demo model.
    #[serde(default)]
    pub about: Option<String>,
}

impl ModelInfo {
    /// Whether it can be asked a question; a model whose server tells no capabilities is believed to.
    pub fn can_chat(&self) -> bool {
        self.capabilities.is_empty() || self.capabilities.contains(&Capability::Chat)
    }

    /// Whether it makes vectors and no answers, so that nothing here can measure it.
    pub fn is_embedding_only(&self) -> bool {
        !self.can_chat() && self.capabilities.contains(&Capability::Embedding)
    }
}

/// The software behind an address, told by the shape of its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Product {
    Demo,
    Ollama,
    LmStudio,
    LlamaCpp,
    /// llama.cpp's server before several models, each in a process of its own.
    LlamaCppRouter,
    Vllm,
    Sglang,
    Jan,
    Osaurus,
    Omlx,
    MlxLm,
    LocalAi,
    KoboldCpp,
    Tgi,
    LiteLlm,
    OpenRouter,
    OpenAi,
    /// Speaks the protocol and shows nothing that tells it apart.
    #[default]
    Compatible,
}

impl Product {
    /// The name as its makers write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Demo => "BenchLoop demo",
            Self::Ollama => "Ollama",
            Self::LmStudio => "LM Studio",
            Self::LlamaCpp => "llama.cpp",
            Self::LlamaCppRouter => "llama.cpp router",
            Self::Vllm => "vLLM",
            Self::Sglang => "SGLang",
            Self::Jan => "Jan",
            Self::Osaurus => "Osaurus",
            Self::Omlx => "oMLX",
            Self::MlxLm => "mlx_lm",
            Self::LocalAi => "LocalAI",
            Self::KoboldCpp => "KoboldCpp",
            Self::Tgi => "TGI",
            Self::LiteLlm => "LiteLLM",
            Self::OpenRouter => "OpenRouter",
            Self::OpenAi => "OpenAI",
            Self::Compatible => "OpenAI-compatible",
        }
    }

    /// Whether its models run in someone's data centre, wherever the address leads.
    pub const fn is_hosted(self) -> bool {
        matches!(self, Self::OpenRouter | Self::OpenAi)
    }
}

impl std::fmt::Display for Product {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
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
    #[serde(default)]
    pub product: Product,
    /// What told the product: `GET /props answered with default_generation_settings`. Empty if nothing did.
    #[serde(default)]
    pub evidence: String,
    /// The name that the user gave the address.
    #[serde(default)]
    pub label: Option<String>,
}

impl Server {
    /// An address of which nothing is known yet.
    pub fn unknown(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            name: "unknown".to_owned(),
            version: None,
            wire: None,
            status: ServerStatus::Ready,
            models: Vec::new(),
            demo: false,
            saved: false,
            product: Product::default(),
            evidence: String::new(),
            label: None,
        }
    }

    /// The models that can be asked a question; embedding models are left out.
    pub fn benchmarkable(&self) -> impl Iterator<Item = &ModelInfo> {
        self.models.iter().filter(|model| model.can_chat())
    }

    /// The listed model that this name means; `name` and `name:latest` are the same.
    pub fn model(&self, name: &str) -> Option<&ModelInfo> {
        let tagless = |name: &str| name.strip_suffix(":latest").unwrap_or(name).to_owned();
        let exact = self.models.iter().find(|known| known.name == name);
        exact.or_else(|| self.models.iter().find(|known| tagless(&known.name) == tagless(name)))
    }
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
    fn a_model_that_only_makes_vectors_is_not_offered() {
        let model = |name: &str, capabilities: &[Capability]| ModelInfo {
            name: name.into(),
            capabilities: capabilities.to_vec(),
            ..ModelInfo::default()
        };
        let embedding = model("e", &[Capability::Embedding]);
        assert!(embedding.is_embedding_only());
        let models = vec![embedding, model("c", &[Capability::Chat, Capability::Embedding]), model("unknown", &[])];
        let server = Server { models, ..Server::unknown("http://x") };

        let offered: Vec<&str> = server.benchmarkable().map(|model| model.name.as_str()).collect();

        assert_eq!(offered, ["c", "unknown"]);
    }

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
