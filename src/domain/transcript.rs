//! What was said: messages, tools and calls, in a form that no server and no harness owns.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::id::closed_set;

closed_set! {
    /// Who speaks.
    Role, "role" {
        System = "system",
        User = "user",
        Assistant = "assistant",
        Tool = "tool",
    }
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub role: Role,
    #[serde(default)]
    pub text: String,
    /// Calls the assistant made in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// For a tool's result: the call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// For a tool's result: the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl Message {
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), calls: Vec::new(), call_id: None, tool: None }
    }

    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }
}

/// A tool offered to the model, as OpenAI describes functions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    pub name: String,
    #[serde(default)]
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
}

/// A call the model made.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToolCall {
    #[serde(default)]
    pub id: Option<String>,
    pub name: String,
    /// The arguments as an object; `None` if the text was no JSON object (see `arguments_raw`).
    pub arguments: Option<Value>,
    /// The arguments as the server sent them.
    #[serde(default)]
    pub arguments_raw: String,
}

impl ToolCall {
    /// Reads arguments sent as text. Empty text and `null` are a call without arguments; malformed text stays malformed.
    pub fn from_text(id: Option<String>, name: String, raw: String) -> Self {
        let trimmed = raw.trim();
        let arguments = if trimmed.is_empty() || trimmed == "null" {
            Some(Value::Object(serde_json::Map::new()))
        } else {
            serde_json::from_str::<Value>(trimmed).ok().filter(Value::is_object)
        };
        Self { id, name, arguments, arguments_raw: raw }
    }
}

closed_set! {
    /// What there is to say about how a harness read a turn.
    NoteKind, "note kind" {
        /// A call was read after a stated repair.
        Repaired = "repaired",
        /// Something that should have been a call could not be read.
        ParseError = "parse_error",
        /// A call stands in the text where the harness expects native calls.
        NoNativeCall = "no_native_call",
        /// A call in the form of another harness.
        OtherForm = "other_form",
        /// A call inside a thought; it does not count.
        InThought = "in_thought",
        /// The server read a call out of the text by itself, although no tools were sent.
        ServerParsed = "server_parsed",
    }
}

impl NoteKind {
    /// What a person reads.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Repaired => "Repaired",
            Self::ParseError => "Not readable",
            Self::NoNativeCall => "No native call",
            Self::OtherForm => "Another harness's form",
            Self::InThought => "Inside a thought",
            Self::ServerParsed => "Read by the server",
        }
    }
}

/// One remark on how a harness read a turn, with the text it is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    pub kind: NoteKind,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_arguments_never_become_an_empty_object() {
        for (raw, is_object) in
            [("", true), ("null", true), ("{}", true), ("{\"a\":1", false), ("[1]", false), ("7", false)]
        {
            let call = ToolCall::from_text(None, "f".into(), raw.into());
            assert_eq!(call.arguments.is_some(), is_object, "{raw}");
            assert_eq!(call.arguments_raw, raw);
        }
    }
}
