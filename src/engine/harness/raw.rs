//! Raw: messages and tools go as the task has them, calls come back in the server's own field, nothing is rewritten.

use super::{
    Parsed, Prepared, Rendered, bare, calls,
    tagged::{in_thought, note},
    tags::{self, Piece},
};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Note, NoteKind, Role, Tool, ToolCall},
    },
    engine::suite::{Task, Turn},
};

pub(super) const INSTRUCTIONS: &str = "";

pub(super) fn prepare(task: &Task) -> Prepared {
    Prepared { messages: task.messages.clone(), tools: task.tools.clone() }
}

pub(super) fn parse(sample: &Sample, tools: &[Tool]) -> Parsed {
    let malformed = sample.tool_calls.iter().filter(|call| call.arguments.is_none());
    let mut notes: Vec<Note> = malformed
        .map(|call| {
            let why = format!("the arguments of {} are no JSON object", call.name);
            note(NoteKind::ParseError, &why, &call.arguments_raw)
        })
        .collect();
    if !tools.is_empty() {
        written_out(sample, tools, &mut notes);
    }
    Parsed { text: sample.answer.clone(), calls: sample.tool_calls.clone(), notes }
}

/// A call that stands in the text is no call here; a note says who would have read it.
fn written_out(sample: &Sample, tools: &[Tool], notes: &mut Vec<Note>) {
    if sample.tool_calls.is_empty() {
        in_thought(&sample.reasoning, notes);
    }
    let is_native =
        |call: &ToolCall| sample.tool_calls.iter().any(|own| own.name == call.name && own.arguments == call.arguments);
    let mut has_tags = false;
    for piece in tags::pieces(&sample.answer) {
        let block = match piece {
            Piece::Block(block) => block,
            Piece::Thought(thought) if sample.tool_calls.is_empty() => {
                in_thought(thought, notes);
                continue;
            }
            Piece::Thought(_) | Piece::Text(_) | Piece::Stray(..) => continue,
        };
        has_tags = true;
        let (tag, readers) = (block.family.name(), block.family.readers());
        let read: Result<Vec<ToolCall>, String> = match &block.content {
            Ok(values) => calls::calls(values).into_iter().map(|read| read.map(|(call, _)| call)).collect(),
            Err(why) => Err(why.clone()),
        };
        match read {
            Ok(calls) if calls.iter().all(is_native) => {}
            Ok(_) => {
                let why = format!("no native call, but one written in <{tag}> tags, which {readers} would have read");
                notes.push(note(NoteKind::NoNativeCall, &why, block.whole));
            }
            Err(why) => {
                let why = format!("no native call, but <{tag}> tags, which {readers} would have tried to read ({why})");
                notes.push(note(NoteKind::NoNativeCall, &why, block.whole));
            }
        }
    }
    if has_tags {
        return;
    }
    for call in bare::calls(&sample.answer, tools).iter().filter(|call| !is_native(call)) {
        let why = format!("no native call, but one of {} written as bare JSON, which no harness reads", call.name);
        notes.push(note(NoteKind::NoNativeCall, &why, &call.arguments_raw));
    }
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
