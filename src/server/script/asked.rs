//! A question read from either wire. Pure.

use serde_json::Value;

use crate::{
    domain::{
        id::{HarnessId, Thinking, Wire},
        transcript::Role,
    },
    engine::harness,
};

/// What a client asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub wire: Wire,
    pub model: String,
    /// Role and text of each message.
    pub messages: Vec<(Role, String)>,
    pub max_tokens: Option<u64>,
    pub seed: Option<u64>,
    pub thinking: Thinking,
    pub stream: bool,
    pub include_usage: bool,
    /// The whole body.
    pub body: Value,
}

fn role(name: &str) -> Role {
    name.parse().unwrap_or(Role::User)
}

impl Asked {
    pub fn read(wire: Wire, body: Value) -> Self {
        let messages = body.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let messages = messages.iter().map(|message| {
            (role(message.get("role").and_then(Value::as_str).unwrap_or("user")), text(&message["content"]))
        });
        let number = |pointer: &str| body.pointer(pointer).and_then(Value::as_u64);
        let (max_tokens, seed, think) = match wire {
            Wire::Ollama => {
                (number("/options/num_predict"), number("/options/seed"), body.get("think").and_then(Value::as_bool))
            }
            Wire::OpenaiCompat => {
                let think = body.pointer("/chat_template_kwargs/enable_thinking").and_then(Value::as_bool);
                let effort = body.get("reasoning_effort").and_then(Value::as_str).map(|effort| effort != "none");
                (number("/max_tokens").or(number("/max_completion_tokens")), number("/seed"), think.or(effort))
            }
        };
        let streams_by_default = wire == Wire::Ollama;
        Self {
            wire,
            model: text(&body["model"]),
            messages: messages.collect(),
            max_tokens,
            seed,
            thinking: match think {
                None => Thinking::Auto,
                Some(true) => Thinking::On,
                Some(false) => Thinking::Off,
            },
            stream: body.get("stream").and_then(Value::as_bool).unwrap_or(streams_by_default),
            include_usage: body.pointer("/stream_options/include_usage").and_then(Value::as_bool).unwrap_or(false),
            body,
        }
    }

    /// The last thing the user said.
    pub fn last_user_text(&self) -> &str {
        let last = self.messages.iter().rev().find(|(role, _)| *role == Role::User);
        last.map_or("", |(_, text)| text.as_str())
    }

    /// Assistant turns so far.
    pub fn turn(&self) -> usize {
        self.messages.iter().filter(|(role, _)| *role == Role::Assistant).count()
    }

    /// The harness whose text stands in what was asked first, as a system message or folded into the first question.
    pub fn harness(&self) -> HarnessId {
        let first = self.messages.iter().take_while(|(role, _)| *role != Role::Assistant);
        harness::asked_by(&first.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n\n"))
    }

    /// Characters in all messages.
    pub fn length(&self) -> usize {
        self.messages.iter().map(|(_, text)| text.chars().count()).sum()
    }
}
