//! Pi: every task asks for reasoning inside `<think>` tags and the answer outside; tools as hermes has them.
//!
//! Where the server takes the thoughts out by itself, the answer is what is left.

use super::{
    Parsed, Prepared, Rendered,
    hermes::{FAMILY, RESPONSE, tool_call_text},
    tagged,
};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Tool},
    },
    engine::suite::{Task, Turn},
};

macro_rules! think_text {
    () => {
        "Think before you answer: write your reasoning inside <think></think>, then your answer after it. Only what \
         stands outside of <think></think> is read as your answer."
    };
}

pub(super) const INSTRUCTIONS: &str = concat!(think_text!(), "\n\n", tool_call_text!());
const WITHOUT_TOOLS: &str = think_text!();
/// What an example's turn is said to have thought.
const THOUGHT: &str = "The question is clear. I check what is given and what is needed, then answer.";

pub(super) fn prepare(task: &Task) -> Prepared {
    tagged::prepare(task, if task.tools.is_empty() { WITHOUT_TOOLS } else { INSTRUCTIONS })
}

pub(super) fn parse(sample: &Sample, tools: &[Tool]) -> Parsed {
    if tools.is_empty() { tagged::without_thoughts(sample) } else { tagged::parse(FAMILY, sample, tools) }
}

pub(super) fn reply(sample: &Sample, parsed: &Parsed, results: &[String]) -> Vec<Message> {
    tagged::reply(FAMILY, RESPONSE, sample, parsed, results)
}

pub(super) fn render(turn: &Turn) -> Rendered {
    let rendered = tagged::render(FAMILY, turn);
    Rendered { content: format!("<think>\n{THOUGHT}\n</think>\n\n{}", rendered.content), ..rendered }
}

/// Whether a prompt holds this harness's text.
pub(super) fn is_asked(prompt: &str) -> bool {
    prompt.contains(WITHOUT_TOOLS)
}
