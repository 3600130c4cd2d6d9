//! Qwen: as hermes, with a shorter text, `<function_call>` tags, and the tools after the format.

use super::{Parsed, Prepared, Rendered, raw, tagged, tags::Family};
use crate::{
    domain::{
        sample::Sample,
        transcript::{Message, Tool},
    },
    engine::suite::{Task, Turn},
};

pub(super) const INSTRUCTIONS: &str = "You have functions. Call one by writing <function_call>{\"name\": \"<function>\", \
     \"arguments\": {\"<argument>\": <value>}}</function_call>, one block for each call. Results come back inside \
     <function_response></function_response>. Without a call, answer in plain text. The functions, one per line:\n{tools}";
const FAMILY: Family = Family::FunctionCall;
const RESPONSE: &str = "function_response";

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
