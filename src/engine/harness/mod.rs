//! A harness puts a task to the model and reads what it said. Pure: a task or a sample in, plain values out.
//!
//! Imports: domain, `engine::suite` types. To add one: a file with `prepare`, `parse` and `render`, an arm here, and
//! `HarnessId::is_built`; raise [`VERSION`] with every change of text or reading.
//!
//! `tags` divides an answer, `loose` reads JSON, `calls` makes calls of it, `tagged` is what three harnesses share.

mod bare;
mod calls;
mod hermes;
mod loose;
mod pi;
mod qwen;
mod raw;
mod tagged;
mod tags;
mod trim;

use super::suite::{Task, Turn};
use crate::domain::{
    id::HarnessId,
    sample::Sample,
    transcript::{Message, Note, Tool, ToolCall},
};

/// Version of all harness texts and readings; part of every run digest.
pub const VERSION: u32 = 2;

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

/// The messages and tools of a task under this harness.
pub fn prepare(harness: HarnessId, task: &Task) -> Prepared {
    match harness {
        HarnessId::Raw => raw::prepare(task),
        HarnessId::Hermes => hermes::prepare(task),
        HarnessId::Qwen => qwen::prepare(task),
        HarnessId::Pi => pi::prepare(task),
    }
}

/// Reads the answer of a finished sample; `tools` are those of the task. Whatever looks like a call is read, with a note if
/// that took a repair, or reported in a note; nothing is dropped silently.
pub fn parse(harness: HarnessId, sample: &Sample, tools: &[Tool]) -> Parsed {
    match harness {
        HarnessId::Raw => raw::parse(sample, tools),
        HarnessId::Hermes => hermes::parse(sample, tools),
        HarnessId::Qwen => qwen::parse(sample, tools),
        HarnessId::Pi => pi::parse(sample, tools),
    }
}

/// What goes back after a turn with calls: the model's own turn, then the results in the harness's form. `results` has
/// one text for each of the parsed calls.
pub fn reply(harness: HarnessId, sample: &Sample, parsed: &Parsed, results: &[String]) -> Vec<Message> {
    match harness {
        HarnessId::Raw => raw::reply(sample, parsed, results),
        HarnessId::Hermes => hermes::reply(sample, parsed, results),
        HarnessId::Qwen => qwen::reply(sample, parsed, results),
        HarnessId::Pi => pi::reply(sample, parsed, results),
    }
}

/// Writes an example's turn the way a model under this harness would.
pub fn render(harness: HarnessId, turn: &Turn) -> Rendered {
    match harness {
        HarnessId::Raw => raw::render(turn),
        HarnessId::Hermes => hermes::render(turn),
        HarnessId::Qwen => qwen::render(turn),
        HarnessId::Pi => pi::render(turn),
    }
}

/// The text the harness adds to the prompt, with `{tools}` where the tools stand; part of every run digest. Empty for raw.
pub fn instructions(harness: HarnessId) -> &'static str {
    match harness {
        HarnessId::Raw => raw::INSTRUCTIONS,
        HarnessId::Hermes => hermes::INSTRUCTIONS,
        HarnessId::Qwen => qwen::INSTRUCTIONS,
        HarnessId::Pi => pi::INSTRUCTIONS,
    }
}

/// The harness whose text stands in a prompt; raw if there is none, which is also what a task without tools looks like
/// under hermes and qwen.
pub fn asked_by(prompt: &str) -> HarnessId {
    let begins = |harness| {
        let head = instructions(harness).split(tagged::TOOLS).next().unwrap_or_default();
        prompt.contains(head)
    };
    match () {
        () if pi::is_asked(prompt) => HarnessId::Pi,
        () if begins(HarnessId::Hermes) => HarnessId::Hermes,
        () if begins(HarnessId::Qwen) => HarnessId::Qwen,
        () => HarnessId::Raw,
    }
}
