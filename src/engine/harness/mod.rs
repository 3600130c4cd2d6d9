//! A harness puts a task to the model and reads what it said. Pure: a task or a sample in, plain values out.
//!
//! Imports: domain, `engine::suite` types. To add one: a file with `prepare`, `parse` and `render`, an arm here, and
//! `HarnessId::is_built`; raise [`VERSION`] with every change of text or reading.

mod raw;

use super::suite::{Task, Turn};
use crate::domain::{
    id::HarnessId,
    sample::Sample,
    transcript::{Message, Note, Tool, ToolCall},
};

/// Version of all harness texts and readings; part of every run digest.
pub const VERSION: u32 = 1;

/// What is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    pub messages: Vec<Message>,
    /// Tools for the server's native field.
    pub tools: Vec<Tool>,
}

/// What the model said, as the harness reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The answer without the harness's own marks.
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// What was repaired, could not be read or does not count; empty if all was plain.
    pub notes: Vec<Note>,
}

/// How a model under this harness would have said an example: what the demo server sends.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    pub content: String,
    pub calls: Vec<ToolCall>,
}

// A plan refuses harnesses that are not built, so that only raw arrives; the arms name them for whoever builds one.

/// The messages and tools of a task under this harness.
pub fn prepare(harness: HarnessId, task: &Task) -> Prepared {
    match harness {
        HarnessId::Raw | HarnessId::Hermes | HarnessId::Qwen | HarnessId::Pi => raw::prepare(task),
    }
}

/// Reads the answer of a finished sample; `tools` are those of the task.
pub fn parse(harness: HarnessId, sample: &Sample, _tools: &[Tool]) -> Parsed {
    match harness {
        HarnessId::Raw | HarnessId::Hermes | HarnessId::Qwen | HarnessId::Pi => raw::parse(sample),
    }
}

/// What goes back after a turn with calls: the model's own turn, then the results in the harness's form. `results` has
/// one text for each of the parsed calls.
pub fn reply(harness: HarnessId, sample: &Sample, parsed: &Parsed, results: &[String]) -> Vec<Message> {
    match harness {
        HarnessId::Raw | HarnessId::Hermes | HarnessId::Qwen | HarnessId::Pi => raw::reply(sample, parsed, results),
    }
}

/// Writes an example's turn the way a model under this harness would.
pub fn render(harness: HarnessId, turn: &Turn) -> Rendered {
    match harness {
        HarnessId::Raw | HarnessId::Hermes | HarnessId::Qwen | HarnessId::Pi => raw::render(turn),
    }
}

/// The text the harness adds to the prompt; part of every run digest. Empty for raw.
pub fn instructions(harness: HarnessId) -> &'static str {
    match harness {
        HarnessId::Raw | HarnessId::Hermes | HarnessId::Qwen | HarnessId::Pi => raw::INSTRUCTIONS,
    }
}
