//! What hermes, qwen and pi share: tools as lines of a system text, calls and results as text in tags. Pure.
//!
//! A server may read the tags by itself and give native calls, although no tools were sent. Such a call counts unless the
//! same call stands in the text, too, and is told back to the model in the harness's own tags.
//!
//! Imports: domain, `engine::suite` types.

use serde_json::Value;

use super::{
    Parsed, Prepared, Rendered, bare, calls,
    tags::{self, Family, Piece},
    trim::Trimmed,
};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Note, NoteKind, Role, Tool, ToolCall},
        unit,
    },
    engine::suite::{Task, Turn},
};

/// Characters of the model's text that a note quotes.
const QUOTED: usize = 300;
/// Where a harness's text has the tools, one JSON line each.
pub(super) const TOOLS: &str = "{tools}";

pub(super) fn note(kind: NoteKind, why: &str, quoted: &str) -> Note {
    Note { kind, text: format!("{why}: {}", unit::cut(quoted.trim(), QUOTED)) }
}

/// One system message, made of the harness's text and the task's own, before all other messages.
pub(super) fn prepare(task: &Task, instruction: &str) -> Prepared {
    let lines: Vec<String> =
        task.tools.iter().map(|tool| serde_json::to_string(tool).unwrap_or_else(|_| tool.name.clone())).collect();
    let (system, others): (Vec<Message>, Vec<Message>) =
        task.messages.iter().cloned().partition(|message| message.role == Role::System);
    let own = instruction.replace(TOOLS, &lines.join("\n"));
    let texts: Vec<String> = [own].into_iter().chain(system.into_iter().map(|message| message.text)).collect();
    let system = Message::new(Role::System, texts.join("\n\n"));
    Prepared { messages: [system].into_iter().chain(others).collect(), tools: Vec::new() }
}

/// The sample as it was read: what is in [`Parsed`], and which calls only the server read.
struct Reading {
    parsed: Parsed,
    by_server: Vec<ToolCall>,
}

/// Reads calls in the family's tags. `tools` are those of the task; without any, only thoughts are cut.
pub(super) fn parse(family: Family, sample: &Sample, tools: &[Tool]) -> Parsed {
    read(family, sample, tools).parsed
}

/// The answer without thoughts; for a task without tools nothing else is read.
pub(super) fn without_thoughts(sample: &Sample) -> Parsed {
    Parsed { text: said(sample).trim().to_owned(), calls: sample.tool_calls.clone(), notes: Vec::new() }
}

/// What the model said, tags included, thoughts left out.
fn said(sample: &Sample) -> String {
    let pieces = tags::pieces(&sample.answer);
    let parts = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Thought(_) => None,
        Piece::Text(text) | Piece::Stray(_, text) => Some(text),
        Piece::Block(block) => Some(block.whole),
    });
    parts.collect()
}

fn read(family: Family, sample: &Sample, tools: &[Tool]) -> Reading {
    let mut text = Trimmed::default();
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    let mut has_tags = false;
    in_thought(&sample.reasoning, &mut notes);
    for piece in tags::pieces(&sample.answer) {
        match piece {
            Piece::Text(part) => text.push(part),
            Piece::Thought(thought) => in_thought(thought, &mut notes),
            Piece::Stray(stray, whole) if stray != family => text.push(whole),
            Piece::Stray(_, whole) => {
                let before = text.as_str().trim_end();
                let quoted = before.char_indices().rev().nth(QUOTED / 2).map_or(before, |(at, _)| &before[at..]);
                notes.push(note(NoteKind::ParseError, &format!("{whole} closes nothing; before it stands"), quoted));
            }
            Piece::Block(block) if block.family != family => {
                let why = format!("a call in <{}> tags, which {} read", block.family.name(), block.family.readers());
                notes.push(note(NoteKind::OtherForm, &why, block.whole));
                text.push(block.whole);
                has_tags = true;
            }
            Piece::Block(block) => {
                has_tags = true;
                let in_code = text.is_in_code();
                text.cut();
                let read = match &block.content {
                    Ok(values) => calls::calls(values),
                    Err(why) => vec![Err(why.clone())],
                };
                for read in read {
                    match read {
                        Ok((call, mut repairs)) => {
                            repairs.extend(in_code.then(|| "the call stood in code marks".to_owned()));
                            if !repairs.is_empty() {
                                let why = format!("read {} in spite of {}", call.name, repairs.join(", "));
                                notes.push(note(NoteKind::Repaired, &why, block.whole));
                            }
                            found.push(call);
                        }
                        Err(why) => {
                            let why = format!("no call could be read from <{}>, {why}", family.name());
                            notes.push(note(NoteKind::ParseError, &why, block.whole));
                        }
                    }
                }
            }
        }
    }
    let text = text.finish();
    let by_server = by_server(family, sample, &found, &mut notes);
    found.extend(by_server.iter().cloned());
    if found.is_empty() && !has_tags {
        for call in bare::calls(&text, tools) {
            let why = format!("a call of {} as bare JSON, without <{}> tags", call.name, family.name());
            notes.push(note(NoteKind::OtherForm, &why, &call.arguments_raw));
        }
    }
    Reading { parsed: Parsed { text, calls: found, notes }, by_server }
}

/// A readable call inside a thought is told and does not count.
pub(super) fn in_thought(thought: &str, notes: &mut Vec<Note>) {
    for block in tags::blocks(thought).into_iter().filter(|block| block.content.is_ok()) {
        notes.push(note(NoteKind::InThought, "a call inside a thought does not count", block.whole));
    }
}

/// The native calls that do not stand in the text as well.
fn by_server(family: Family, sample: &Sample, found: &[ToolCall], notes: &mut Vec<Note>) -> Vec<ToolCall> {
    let mut in_text: Vec<&ToolCall> = found.iter().collect();
    let mut by_server = Vec::new();
    for call in &sample.tool_calls {
        let twin = in_text.iter().position(|own| own.name == call.name && own.arguments == call.arguments);
        if let Some(twin) = twin {
            in_text.swap_remove(twin);
        } else if call.name.trim().is_empty() {
            notes.push(note(NoteKind::ParseError, "the server gave a call without a name", &call.arguments_raw));
        } else if call.arguments.is_none() {
            let why = format!("the server gave a call of {} whose arguments are no JSON object", call.name);
            notes.push(note(NoteKind::ParseError, &why, &call.arguments_raw));
        } else {
            let why = format!("the server read a call of {} by itself and took its <{}> out", call.name, family.name());
            notes.push(note(NoteKind::ServerParsed, &why, &call.arguments_raw));
            by_server.push(call.clone());
        }
    }
    by_server
}

/// The model's own text, then all results in one user message, as these formats have no role for tools.
pub(super) fn reply(
    family: Family,
    response: &str,
    sample: &Sample,
    parsed: &Parsed,
    results: &[String],
) -> Vec<Message> {
    // whether the task has tools changes notes only
    let by_server = read(family, sample, &[]).by_server;
    let arguments = |call: &ToolCall| call.arguments.clone().unwrap_or_default();
    let blocks = by_server.iter().map(|call| block(family, &call.name, &arguments(call)));
    let own = said(sample).trim().to_owned();
    let own = [own].into_iter().filter(|own| !own.is_empty()).chain(blocks).collect::<Vec<_>>().join("\n");
    let results = parsed.calls.iter().zip(results).map(|(call, result)| {
        let (name, content) = (Value::from(call.name.as_str()), as_json(result));
        format!("<{response}>\n{{\"name\": {name}, \"content\": {content}}}\n</{response}>")
    });
    vec![Message::new(Role::Assistant, own), Message::user(results.collect::<Vec<_>>().join("\n"))]
}

/// A result as JSON: as it is, or as a string if it is plain text.
fn as_json(result: &str) -> String {
    match serde_json::from_str::<Value>(result) {
        Ok(_) => result.trim().to_owned(),
        Err(_) => Value::from(result).to_string(),
    }
}

/// A call as a model writes it.
pub(super) fn block(family: Family, name: &str, arguments: &Value) -> String {
    let (tag, name) = (family.name(), Value::from(name));
    format!("<{tag}>\n{{\"name\": {name}, \"arguments\": {arguments}}}\n</{tag}>")
}

/// An example's turn: text first, then a block for each call.
pub(super) fn render(family: Family, turn: &Turn) -> Rendered {
    let blocks = turn.calls.iter().map(|call| block(family, &call.name, &call.arguments));
    let text = [turn.text.clone()].into_iter().filter(|text| !text.is_empty());
    Rendered { content: text.chain(blocks).collect::<Vec<_>>().join("\n"), calls: Vec::new() }
}
