//! Which server answers, judged by the shape of its answers and by its headers, never by its port or status: some
//! servers say 200 to any path, and many copy another one's paths. Pure: takes the answers to a few questions, gives a
//! [`Server`] with the evidence. Imports: domain, serde_json.
//!
//! To recognise one more server: add it to [`Product`], a rule to [`product`] (before the servers that it imitates), the
//! question it needs to [`Question`], and a row to the tests with the answers it gives.

mod models;
mod names;
mod product;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::{
    id::Wire,
    model::{Product, Server, ServerStatus},
    unit,
};

pub use models::describe;
pub use names::{parameters_in, quantization_in, quantization_of};
pub use product::DEMO_OWNER;

/// What a server is asked, always with GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// The list of the OpenAI protocol.
    Models,
    /// Ollama's list.
    Tags,
    /// Ollama's version.
    OllamaVersion,
    /// llama.cpp's settings and chat template.
    Props,
    /// What Ollama holds in memory.
    Running,
    /// LM Studio's list with quantisation and state.
    StudioModels,
    /// LM Studio's list since 0.4, with size and loaded instances.
    StudioInstances,
    /// vLLM's version.
    VllmVersion,
    SglangModel,
    SglangServer,
    TgiInfo,
    KoboldVersion,
    /// LiteLLM's state with its version.
    LiteLlmState,
    /// LocalAI's engines.
    LocalAiSystem,
    /// What a browser would see.
    Root,
}

impl Question {
    /// The path that is asked.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Models => "/v1/models",
            Self::Tags => "/api/tags",
            Self::OllamaVersion => "/api/version",
            Self::Props => "/props",
            Self::Running => "/api/ps",
            Self::StudioModels => "/api/v0/models",
            Self::StudioInstances => "/api/v1/models",
            Self::VllmVersion => "/version",
            Self::SglangModel => "/get_model_info",
            Self::SglangServer => "/get_server_info",
            Self::TgiInfo => "/info",
            Self::KoboldVersion => "/api/extra/version",
            Self::LiteLlmState => "/health/readiness",
            Self::LocalAiSystem => "/system",
            Self::Root => "/",
        }
    }
}

/// The questions for an address of which nothing is known.
pub const FIRST: [Question; 4] = [Question::Models, Question::Tags, Question::OllamaVersion, Question::Props];

/// The answer to one question.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    /// Headers by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// The body if it was JSON.
    pub json: Option<Value>,
    /// The beginning of the body without its tags, for telling what else answered.
    pub text: String,
    /// The beginning of the body as it came.
    pub markup: String,
}

impl Reply {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Status, type and first words, for a person.
    fn said(&self) -> String {
        let kind = self.header("content-type").split(';').next().unwrap_or_default().trim();
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words = if text.is_empty() { "nothing".to_owned() } else { unit::cut(&text, 120) };
        if kind.is_empty() { format!("{}: {words}", self.status) } else { format!("{} ({kind}): {words}", self.status) }
    }
}

/// The answers so far.
#[derive(Debug, Clone, Default)]
pub struct Replies {
    pub answers: BTreeMap<Question, Reply>,
    /// Why nothing came, from the first question that failed.
    pub failure: Option<String>,
}

impl Replies {
    pub fn get(&self, question: Question) -> Option<&Reply> {
        self.answers.get(&question)
    }

    /// The JSON of a successful answer.
    pub fn json(&self, question: Question) -> Option<&Value> {
        self.get(question).filter(|reply| (200..300).contains(&reply.status)).and_then(|reply| reply.json.as_ref())
    }
}

/// A text at a path of keys; blank text is none.
fn text(value: &Value, path: &[&str]) -> Option<String> {
    let found = path.iter().try_fold(value, |value, key| value.get(key))?;
    found.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A positive whole number at a path of keys.
fn number(value: &Value, path: &[&str]) -> Option<u64> {
    path.iter().try_fold(value, |value, key| value.get(key)).and_then(Value::as_u64).filter(|n| *n > 0)
}

/// What to ask after [`FIRST`]: what a server that is known by now can add, or everything that could tell it.
pub fn next(replies: &Replies) -> Vec<Question> {
    use Question as Q;
    if replies.answers.is_empty() {
        return Vec::new();
    }
    match product::decide(replies).map(|(product, _)| product) {
        Some(Product::LlamaCpp | Product::LlamaCppRouter) if product::says_llama_cpp(replies) => Vec::new(),
        Some(Product::Vllm) => vec![Q::VllmVersion],
        Some(Product::Sglang) => vec![Q::SglangModel, Q::SglangServer],
        Some(Product::KoboldCpp) => vec![Q::KoboldVersion],
        Some(Product::OpenAi | Product::OpenRouter | Product::Demo) => Vec::new(),
        // what others imitate has to be told from its imitators
        Some(Product::Ollama) => vec![Q::Running, Q::KoboldVersion, Q::LocalAiSystem, Q::Root],
        _ => vec![
            Q::StudioModels,
            Q::StudioInstances,
            Q::VllmVersion,
            Q::SglangModel,
            Q::TgiInfo,
            Q::KoboldVersion,
            Q::LiteLlmState,
            Q::LocalAiSystem,
            Q::Root,
        ],
    }
}

/// Names the server at `url` and lists its models.
pub fn recognise(url: &str, replies: &Replies) -> Server {
    let mut server = Server::unknown(url);
    let known = product::decide(replies);
    if let Some((product, evidence)) = &known {
        server.product = *product;
        server.name = product.as_str().to_owned();
        server.evidence.clone_from(evidence);
        server.version = product::version(*product, replies);
        server.demo = *product == Product::Demo;
    }
    let product = server.product;
    if let Some((wire, models)) = models::list(product, replies) {
        if known.is_none() {
            server.name = product.as_str().to_owned();
            server.evidence = "GET /v1/models answered with a list; nothing else tells it apart".to_owned();
        }
        server.wire = Some(wire);
        server.models = models;
        return server;
    }
    let speaks = if product == Product::Ollama { Wire::Ollama } else { Wire::OpenaiCompat };
    let answers = || FIRST.iter().filter_map(|question| replies.get(*question).map(|reply| (question, reply)));
    if answers().any(|(_, reply)| reply.status == 503 && reply.text.to_lowercase().contains("loading")) {
        server.wire = Some(speaks);
        server.status = ServerStatus::Loading;
        if known.is_none() {
            server.name = "loading its model".to_owned();
        }
        return server;
    }
    if let Some((_, reply)) = answers().find(|(_, reply)| matches!(reply.status, 401 | 403)) {
        server.wire = Some(speaks);
        if known.is_none() {
            server.name = "needs a key".to_owned();
        }
        let text = reply.text.to_lowercase();
        let wants_key =
            reply.status == 401 || ["key", "token", "unauthorized", "auth"].iter().any(|w| text.contains(w));
        server.status = if wants_key {
            ServerStatus::NeedsKey
        } else if text.contains("host") {
            let advice = "; add this host to the server's trusted hosts";
            ServerStatus::OtherApi(format!("it answered {}{advice}", reply.said()))
        } else {
            ServerStatus::OtherApi(format!("it answered {}", reply.said()))
        };
        return server;
    }
    server.status = match answers().next() {
        Some((_, reply)) if (300..400).contains(&reply.status) && !reply.header("location").is_empty() => {
            ServerStatus::OtherApi(format!(
                "it redirects to {}; add that address instead, redirects are not followed",
                unit::cut(reply.header("location"), 120)
            ))
        }
        Some((question, reply)) => {
            ServerStatus::OtherApi(format!("it answered {} to {}", reply.said(), question.path()))
        }
        None => {
            let why = replies.failure.clone().unwrap_or_else(|| "nothing is listening".to_owned());
            ServerStatus::Unreachable(why)
        }
    };
    server
}
