//! Calls written as bare JSON, without any tag. No harness reads them; a note says that they are there. Pure.
//!
//! Imports: domain.

use super::{calls, loose};
use crate::domain::transcript::{Tool, ToolCall};

/// Every object in the text that names a tool of the task and brings arguments for it.
pub(super) fn calls(text: &str, tools: &[Tool]) -> Vec<ToolCall> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find('{') {
        at += next;
        let Ok(reading) = loose::value(&text[at..]) else {
            at += 1;
            continue;
        };
        let keys = ["arguments", "args", "parameters", "function"];
        let brings_arguments = keys.iter().any(|key| reading.value.get(key).is_some_and(|value| !value.is_null()));
        let values = calls::Values { values: vec![reading.value], repairs: Vec::new(), end: reading.end };
        let read = calls::calls(&values).into_iter().filter_map(Result::ok).map(|(call, _)| call);
        found.extend(read.filter(|call| brings_arguments && tools.iter().any(|tool| tool.name == call.name)));
        at += reading.end;
    }
    found
}
