//! Raw: messages and tools go as the task has them, calls come back in the server's own field, nothing is rewritten.

use super::{Parsed, Prepared, Rendered};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Note, NoteKind, Role, ToolCall},
    },
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
        .map(|call| Note {
            kind: NoteKind::ParseError,
            text: format!("the arguments of {} are no JSON object: {}", call.name, call.arguments_raw),
        })
        .collect();
    Parsed { text: sample.answer.clone(), calls: sample.tool_calls.clone(), notes }
}

/// The assistant's native calls, then one `tool` message for each; calls without an id get one, as servers want it.
pub(super) fn reply(sample: &Sample, parsed: &Parsed, results: &[String]) -> Vec<Message> {
    let mut calls = parsed.calls.clone();
    for (index, call) in calls.iter_mut().enumerate() {
        call.id.get_or_insert_with(|| format!("call_{}", index + 1));
    }
    let results = calls.iter().zip(results).map(|(call, result)| Message {
        call_id: call.id.clone(),
        tool: Some(call.name.clone()),
        ..Message::new(Role::Tool, result)
    });
    let results: Vec<Message> = results.collect();
    let mut said = Message::new(Role::Assistant, &sample.answer);
    said.calls = calls;
    [said].into_iter().chain(results).collect()
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
