//! Canned replies: the first one whose tool and arguments fit the call is given back.
//!
//! Imports: domain, serde_json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::transcript::Tool;

/// What one tool gives back to calls with these arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    pub tool: String,
    /// Arguments the call must have, compared without case and outer white space; others are free. Empty: any call.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub when: Map<String, Value>,
    /// What is given back.
    pub result: Value,
}

/// The reply to a call, or an error that says that nothing was found.
pub fn reply(replies: &[Reply], tool: &str, arguments: &Value) -> String {
    let fits = |reply: &&Reply| {
        reply.tool == tool
            && reply.when.iter().all(|(key, wanted)| arguments.get(key).is_some_and(|given| same(wanted, given)))
    };
    match replies.iter().find(fits) {
        Some(reply) => reply.result.to_string(),
        None => super::error("nothing was found for these arguments"),
    }
}

fn same(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::String(wanted), Value::String(given)) => wanted.trim().to_lowercase() == given.trim().to_lowercase(),
        (Value::Number(wanted), Value::Number(given)) => wanted.as_f64() == given.as_f64(),
        _ => wanted == given,
    }
}

/// Whether every reply belongs to a tool of the task.
pub fn validate(replies: &[Reply], tools: &[Tool]) -> Result<(), (String, String)> {
    match replies.iter().position(|reply| !tools.iter().any(|tool| tool.name == reply.tool)) {
        Some(index) => {
            Err((format!("replies[{index}].tool"), format!("{:?} is no tool of this task", replies[index].tool)))
        }
        None => Ok(()),
    }
}
