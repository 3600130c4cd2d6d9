//! A refusal → what to leave out or replace. Only a field that was sent and that the refusal names is touched, one at a
//! time; what was done is remembered per server and model and told in every sample that it concerns.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;

use super::{
    error_class::{self, names},
    exchange::Refusal,
};
use crate::domain::{
    sample::{SampleClass, SampleState},
    transcript::Role,
};

/// The most changes for one server and model.
pub const MOST: usize = 8;
/// What [`Change::FoldSystem`] takes away; no field of its own in a request.
pub const SYSTEM: &str = "system messages";

/// One thing left out or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    NoStreamOptions,
    NoTemplateArguments,
    NoEffort,
    NoThink,
    MaxCompletionTokens,
    NoSeed,
    NoTemperature,
    NoNumCtx,
    NoStream,
    NoJson,
    /// The system text goes in front of the first user message.
    FoldSystem,
}

/// Each change with the field that it takes away and the words by which a refusal means it; narrower fields first.
const CHANGES: [(Change, &str, &[&str]); 10] = [
    (Change::NoStreamOptions, "stream_options", &["stream_options", "include_usage"]),
    (Change::NoTemplateArguments, "chat_template_kwargs", &["chat_template_kwargs", "enable_thinking"]),
    (Change::NoEffort, "reasoning_effort", &["reasoning_effort", "reasoning effort"]),
    (Change::NoThink, "think", &["think", "thinking"]),
    (Change::MaxCompletionTokens, "max_tokens", &["max_tokens", "max_completion_tokens"]),
    (Change::NoJson, "response_format", &["response_format", "json_object"]),
    (Change::NoSeed, "seed", &["seed"]),
    (Change::NoTemperature, "temperature", &["temperature"]),
    (Change::NoNumCtx, "num_ctx", &["num_ctx"]),
    (Change::NoStream, "stream", &["stream", "streaming"]),
];

impl Change {
    fn field(self) -> &'static str {
        if self == Self::FoldSystem {
            return SYSTEM;
        }
        CHANGES.iter().find(|(change, ..)| *change == self).map_or("", |(_, field, _)| field)
    }

    /// What was sent instead.
    fn instead(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "sent as max_completion_tokens",
            Self::NoTemplateArguments => "sent as reasoning_effort",
            Self::NoStream => "asked for the answer in one piece",
            Self::FoldSystem => "folded into the first user message",
            _ => "sent without it",
        }
    }
}

/// The changes that a server wants for a model, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape(Vec<(Change, u16)>);

impl Shape {
    pub fn has(&self, change: Change) -> bool {
        self.0.iter().any(|(known, _)| *known == change)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn add(&mut self, change: Change, status: u16) {
        self.0.push((change, status));
    }

    /// One sentence per change that concerns this request.
    pub fn sentences(&self, concerns: impl Fn(&str) -> bool) -> Vec<String> {
        let told = self.0.iter().filter(|(change, _)| concerns(change.field()));
        told.map(|(change, status)| match change {
            Change::FoldSystem => {
                format!("{SYSTEM}: {}, the server's template refuses them", change.instead())
            }
            _ => format!("{} not applied: refused with status {status}; {}", change.field(), change.instead()),
        })
        .collect()
    }
}

/// The change that a refusal asks for; `None` if it names nothing that was sent.
pub fn propose(refusal: &Refusal, sent: &Value) -> Option<Change> {
    if refuses_system(refusal, sent) {
        return Some(Change::FoldSystem);
    }
    let status = refusal.error.code.unwrap_or(refusal.status);
    let was_sent = |field: &str| match field {
        "stream" => sent.get(field) == Some(&Value::Bool(true)),
        _ => sent.get(field).or_else(|| sent.get("options")?.get(field)).is_some(),
    };
    let text = refusal.error.message.to_lowercase();
    if error_class::is_about_streaming(&text) && matches!(status, 200 | 400 | 422 | 500 | 501) {
        return (was_sent("stream") && was_sent("tools")).then_some(Change::NoStream);
    }
    if !matches!(status, 200 | 400 | 422 | 501) {
        return None;
    }
    let sent = || CHANGES.iter().filter(|(_, field, _)| was_sent(field));
    // what is to be measured is never left out: a refused capability stays refused; thinking is flagged where it is missing
    match error_class::classify(Some(refusal.status), &refusal.error) {
        (SampleState::RefusedCapability, Some(SampleClass::Thinking)) => {
            let thinks = [Change::NoTemplateArguments, Change::NoEffort, Change::NoThink];
            return sent().find(|(change, ..)| thinks.contains(change)).map(|(change, ..)| *change);
        }
        (SampleState::RefusedCapability, _) | (_, Some(_)) => return None,
        (_, None) => {}
    }
    let param = refusal.error.param.as_deref().unwrap_or_default();
    let by_param = sent().find(|(_, field, _)| param == *field || param.starts_with(&format!("{field}.")));
    let by_text = || sent().find(|(_, _, words)| words.iter().any(|word| names(&text, word)));
    by_param.or_else(by_text).map(|(change, ..)| *change)
}

/// Words by which chat templates and servers refuse a system message, in lower case.
const NO_SYSTEM: [&str; 14] = [
    "system role not supported",
    "system role is not supported",
    "system message not supported",
    "system messages not supported",
    "system messages are not supported",
    "not support system",
    "not support the system",
    "system prompt is not supported",
    "developer instruction is not enabled",
    "system message must be at the beginning",
    "only user and assistant roles",
    "only user, assistant and tool roles",
    "roles must alternate",
    "unexpected role: system",
];

/// Whether a refusal means the system message. Templates raise errors, which servers report with any status, in an answer
/// that began well, too.
fn refuses_system(refusal: &Refusal, sent: &Value) -> bool {
    let messages = sent.get("messages").and_then(Value::as_array);
    let is_system = |message: &Value| message["role"] == Role::System.as_str();
    let text = refusal.error.message.to_lowercase();
    let raised = ["template", "jinja"].iter().any(|word| text.contains(word)) && names(&text, "system");
    matches!(refusal.status, 200 | 400 | 422 | 500 | 501)
        && messages.is_some_and(|messages| messages.iter().any(is_system))
        && (raised || NO_SYSTEM.iter().any(|words| text.contains(words)))
}

/// What is known per server origin and model; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    shapes: Arc<Mutex<BTreeMap<(String, String), Shape>>>,
    /// Origins of servers that were waited for in vain and have not answered since.
    tiring: Arc<Mutex<BTreeSet<String>>>,
}

impl Memory {
    pub fn recall(&self, origin: &str, model: &str) -> Shape {
        let known = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(&(origin.to_owned(), model.to_owned())).cloned().unwrap_or_default()
    }

    pub fn keep(&self, origin: &str, model: &str, shape: &Shape) {
        let mut known = self.shapes.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert((origin.to_owned(), model.to_owned()), shape.clone());
    }

    /// Whether the server used up a sample's patience and has not answered since.
    pub fn is_tiring(&self, origin: &str) -> bool {
        self.tiring.lock().unwrap_or_else(PoisonError::into_inner).contains(origin)
    }

    /// Notes whether the server was waited for in vain.
    pub fn tire(&self, origin: &str, in_vain: bool) {
        let mut tiring = self.tiring.lock().unwrap_or_else(PoisonError::into_inner);
        if in_vain {
            tiring.insert(origin.to_owned());
        } else {
            tiring.remove(origin);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::client::error_body;

    #[test]
    fn only_a_field_that_was_sent_and_is_named_is_changed() {
        let sent = json!({"stream": true, "stream_options": {}, "max_tokens": 9, "temperature": 0, "seed": 7});
        let with_think = json!({"stream": true, "think": true, "options": {"seed": 7, "num_ctx": 9}});
        let with_effort = json!({"stream": true, "reasoning_effort": "high"});
        let with_tools = json!({"stream": true, "tools": [{}]});
        let with_json = json!({"stream": true, "response_format": {"type": "json_object"}});
        let in_one_piece = json!({"stream": false, "tools": [{}]});
        for (status, sent, body, expected) in [
            (400, &sent, r#"{"error":{"message":"Unknown parameter: stream_options"}}"#, Some(Change::NoStreamOptions)),
            (
                422,
                &sent,
                r#"{"detail":[{"loc":["body","stream_options"],"msg":"extra fields not permitted"}]}"#,
                Some(Change::NoStreamOptions),
            ),
            (
                400,
                &sent,
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.","param":"max_tokens"}}"#,
                Some(Change::MaxCompletionTokens),
            ),
            (
                400,
                &sent,
                r#"{"error":{"message":"only the default (1) is supported","param":"temperature"}}"#,
                Some(Change::NoTemperature),
            ),
            (400, &sent, r#"{"error":"streaming is not supported"}"#, Some(Change::NoStream)),
            (400, &sent, r#"{"error":"upstream refused"}"#, None),
            (400, &sent, r#"{"error":"chat_template_kwargs: unknown"}"#, None),
            (500, &sent, r#"{"error":"stream_options"}"#, None),
            (400, &sent, r#"{"error":"maximum context length is 8 tokens, max_tokens is 9"}"#, None),
            (400, &with_think, r#"{"error":"\"m\" does not support thinking"}"#, Some(Change::NoThink)),
            (400, &with_think, r#"{"error":"invalid option provided: seed"}"#, Some(Change::NoSeed)),
            (400, &with_think, r#"{"error":"invalid option provided: num_ctx"}"#, Some(Change::NoNumCtx)),
            (
                400,
                &sent,
                r#"{"error":"This model supports at most 8 completion tokens: max_tokens is too large"}"#,
                None,
            ),
            (200, &sent, r#"{"error":{"code":400,"message":"unknown field seed"}}"#, Some(Change::NoSeed)),
            (200, &sent, r#"{"error":{"code":500,"message":"unknown field seed"}}"#, None),
            (
                422,
                &sent,
                r#"{"error":"Input validation error: `temperature` must be strictly positive"}"#,
                Some(Change::NoTemperature),
            ),
            (
                400,
                &with_json,
                r#"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#,
                Some(Change::NoJson),
            ),
            (400, &with_effort, r#"{"error":"m does not support reasoning"}"#, Some(Change::NoEffort)),
            (400, &with_tools, r#"{"error":"m does not support tools"}"#, None),
            (400, &with_tools, r#"{"error":{"message":"Unknown parameter: 'tools'.","param":"tools"}}"#, None),
            (
                500,
                &with_tools,
                r#"{"error":{"code":500,"message":"Cannot use tools with stream"}}"#,
                Some(Change::NoStream),
            ),
            (400, &with_tools, r#"{"error":"tools are not supported in streaming mode"}"#, Some(Change::NoStream)),
            (400, &in_one_piece, r#"{"error":"tools are not supported in streaming mode"}"#, None),
            (500, &sent, r#"{"error":"Cannot use tools with stream"}"#, None),
        ] {
            let refusal = Refusal { status, error: error_body::of_body(body) };
            assert_eq!(propose(&refusal, sent), expected, "{body}");
        }
    }

    #[test]
    fn q33_a_template_that_refuses_system_messages_is_understood() {
        let with = json!({"messages": [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}]});
        let without = json!({"messages": [{"role": "user", "content": "b"}]});
        for (status, message, refuses) in [
            (400, "System role not supported", true),
            (500, "Error rendering prompt with jinja template: 'System role not supported'", true),
            (500, "Conversation roles must alternate user/assistant/user/assistant/...", true),
            (400, "Jinja Exception: Only user and assistant roles are supported!", true),
            (400, "Developer instruction is not enabled for models/m", true),
            (400, "This model does not support system messages", true),
            (200, "Failed to apply the chat template: unexpected system message", true),
            (400, "the system is out of memory", false),
            (500, "jinja template: tool role must follow a call", false),
            (503, "System role not supported", false),
            (404, "model not found", false),
        ] {
            let refusal = Refusal { status, error: error_body::of_body(&json!({"error": message}).to_string()) };
            let wanted = refuses.then_some(Change::FoldSystem);
            assert_eq!((propose(&refusal, &with), propose(&refusal, &without)), (wanted, None), "{message}");
        }
    }
}
