//! Hermes: tools in a system text, calls in `<tool_call>` tags, results in `<tool_response>` tags. A task without tools is
//! put as it is.

use super::{Parsed, Prepared, Rendered, raw, tagged, tags::Family};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Tool},
    },
    engine::suite::{Task, Turn},
};

/// The text itself, for pi as well, which joins it to its own.
macro_rules! tool_call_text {
    () => {
        "You can call tools. Each line inside <tools></tools> describes one: its name, what it does, and a JSON Schema of \
         its arguments.\n<tools>\n{tools}\n</tools>\nTo call a tool, write one JSON object with the keys \"name\" and \
         \"arguments\" inside <tool_call></tool_call>:\n<tool_call>\n{\"name\": \"<name of the tool>\", \"arguments\": \
         {\"<argument>\": <value>}}\n</tool_call>\nTo make several calls, write one such block for each. The results \
         are sent to you inside <tool_response></tool_response>. When you need no tool, or know enough, answer in plain \
         text without these tags."
    };
}
pub(super) use tool_call_text;

pub(super) const INSTRUCTIONS: &str = tool_call_text!();
pub(super) const FAMILY: Family = Family::ToolCall;
pub(super) const RESPONSE: &str = "tool_response";

pub(super) fn prepare(task: &Task) -> Prepared {
    if task.tools.is_empty() { raw::prepare(task) } else { tagged::prepare(task, INSTRUCTIONS) }
}

pub(super) fn parse(sample: &Sample, tools: &[Tool]) -> Parsed {
    if tools.is_empty() { raw::parse(sample, tools) } else { tagged::parse(FAMILY, sample, tools) }
}

pub(super) fn reply(sample: &Sample, parsed: &Parsed, results: &[String]) -> Vec<Message> {
    tagged::reply(FAMILY, RESPONSE, sample, parsed, results)
}

pub(super) fn render(turn: &Turn) -> Rendered {
    tagged::render(FAMILY, turn)
}
