//! What one JSON value of an answer says, in words that both protocols share. Imports: domain, serde_json.

use serde_json::Value;

use super::{error_body::BodyError, json};
use crate::domain::sample::{ServerTiming, Usage};

/// One thing an answer's chunk says.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    Content(String),
    Reasoning(String),
    Call(CallPart),
    /// Counters; `None` fields were not mentioned.
    Usage(Usage),
    /// Prompt tokens that were evaluated, without those that came from a cache.
    Evaluated(u64),
    Server(ServerTiming),
    LoadMs(f64),
    /// The reason why generating stopped, as sent.
    Finish(String),
    /// The value was a whole answer, not a piece of one.
    Whole,
    /// The protocol's end marker.
    Done,
    Model(String),
    Error(BodyError),
}

/// A tool call or a fragment of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CallPart {
    /// The call is complete in itself, never a continuation.
    pub whole: bool,
    pub index: Option<u64>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub arguments: Arguments,
}

/// Arguments as text (possibly a fragment) or as a JSON value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Arguments {
    #[default]
    Absent,
    Text(String),
    Json(Value),
}

impl CallPart {
    /// Reads `{index, id, function: {name, arguments}}`, the shape of both protocols.
    pub fn read(value: &Value, whole: bool) -> Option<Self> {
        let function = value.get("function").filter(|function| function.is_object()).unwrap_or(value);
        let arguments = match function.get("arguments") {
            None | Some(Value::Null) => Arguments::Absent,
            Some(Value::String(text)) => Arguments::Text(text.clone()),
            Some(other) => Arguments::Json(other.clone()),
        };
        let part = Self {
            whole,
            index: json::count(value, "index").or_else(|| json::count(function, "index")),
            id: json::text(value, "id").map(str::to_owned),
            name: json::text(function, "name").map(str::to_owned),
            arguments,
        };
        let says_nothing = part.id.is_none() && part.name.is_none() && part.arguments == Arguments::Absent;
        (!says_nothing).then_some(part)
    }
}

/// Names under which servers send reasoning; a chunk that uses several repeats the same text.
const REASONING: [&str; 4] = ["reasoning_content", "reasoning", "thinking", "reasoning_text"];

/// Reads content, reasoning and calls of a message or delta object.
pub fn message(message: &Value, whole: bool, out: &mut Vec<Delta>) {
    let named = REASONING.iter().find_map(|name| json::text(message, name).map(str::to_owned));
    let reasoning = named.or_else(|| {
        let details = json::items(message, "reasoning_details").iter().map(part_text).collect::<String>();
        (!details.is_empty()).then_some(details)
    });
    out.extend(reasoning.map(Delta::Reasoning));
    match message.get("content") {
        Some(Value::String(text)) if !text.is_empty() => out.push(Delta::Content(text.clone())),
        Some(Value::Array(parts)) => parts.iter().for_each(|part| typed_part(part, out)),
        Some(part @ Value::Object(_)) => typed_part(part, out),
        _ => {}
    }
    let calls = json::items(message, "tool_calls").iter().chain(message.get("function_call"));
    out.extend(calls.filter_map(|call| CallPart::read(call, whole)).map(Delta::Call));
}

/// A typed part of a content list: text is answer, thinking is reasoning, the rest is ignored.
fn typed_part(part: &Value, out: &mut Vec<Delta>) {
    let text = part_text(part);
    if text.is_empty() {
        return;
    }
    match part.get("type").and_then(Value::as_str) {
        Some("text" | "output_text") | None => out.push(Delta::Content(text)),
        Some("thinking" | "reasoning" | "reasoning_text") => out.push(Delta::Reasoning(text)),
        Some(_) => {}
    }
}

/// The text inside a part, wherever it is kept.
fn part_text(part: &Value) -> String {
    if let Some(text) = part.as_str() {
        return text.to_owned();
    }
    let inside = ["text", "thinking", "reasoning", "summary", "content"].iter().find_map(|name| {
        let text = match part.get(*name) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(parts)) => parts.iter().map(part_text).collect(),
            _ => String::new(),
        };
        (!text.is_empty()).then_some(text)
    });
    inside.unwrap_or_default()
}
