//! Raw: messages and tools go as the task has them, calls come back in the server's own field, nothing is rewritten.

use super::{Parsed, Prepared, Rendered};
use crate::{
    domain::{sample::Sample, transcript::ToolCall},
    engine::suite::{Task, Turn},
};

pub(super) const INSTRUCTIONS: &str = "";

pub(super) fn prepare(task: &Task) -> Prepared {
    Prepared { messages: task.messages.clone(), tools: task.tools.clone() }
}

pub(super) fn parse(sample: &Sample) -> Parsed {
    let notes = sample
        .tool_calls
        .iter()
        .filter(|call| call.arguments.is_none())
        .map(|call| format!("the arguments of {} are no JSON object", call.name))
        .collect();
    Parsed { text: sample.answer.clone(), calls: sample.tool_calls.clone(), notes }
}

pub(super) fn render(turn: &Turn) -> Rendered {
    let calls = turn.calls.iter().enumerate().map(|(index, call)| ToolCall {
        id: Some(format!("call_{}", index + 1)),
        name: call.name.clone(),
        arguments: Some(call.arguments.clone()),
        arguments_raw: call.arguments.to_string(),
    });
    Rendered { content: turn.text.clone(), calls: calls.collect() }
}
