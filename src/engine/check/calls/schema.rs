//! Whether a call's arguments fit what the tool declares: a real JSON Schema validator, and no key that the tool does not
//! know.
//!
//! Imports: domain, jsonschema, serde_json.

use serde_json::{Map, Value};

use super::matcher::is_blank;
use crate::{domain::transcript::Tool, engine::check::answer::shorten};

/// The first fault of the arguments against the tool's parameters; `None` if they fit. Optional arguments that say
/// nothing (null, empty) count as absent.
pub fn fault(tool: &Tool, arguments: &Map<String, Value>) -> Option<String> {
    let required = |key: &str| {
        tool.parameters.get("required").and_then(Value::as_array).is_some_and(|keys| keys.iter().any(|k| k == key))
    };
    let given: Map<String, Value> = arguments
        .iter()
        .filter(|(key, value)| required(key) || !is_blank(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Some(key) = given.keys().find(|key| property(tool, key).is_none()) {
        return Some(format!("{} knows no argument {key}", tool.name));
    }
    let validator = match jsonschema::validator_for(&tool.parameters) {
        Ok(validator) => validator,
        Err(error) => return Some(format!("the schema of {} can't be read: {error}", tool.name)),
    };
    let given = Value::Object(given);
    let first = validator.iter_errors(&given).next()?;
    let place = first.instance_path().to_string();
    Some(format!("{}{place}: {}", tool.name, shorten(&first.to_string())))
}

/// The schema of one declared argument.
pub fn property<'a>(tool: &'a Tool, key: &str) -> Option<&'a Value> {
    tool.parameters.get("properties")?.get(key)
}

/// Whether the value is what the tool takes anyway when the argument is not there.
pub fn is_default(tool: &Tool, key: &str, value: &Value) -> bool {
    let default = property(tool, key).and_then(|schema| schema.get("default"));
    default.is_some_and(|default| match (default.as_f64(), value.as_f64()) {
        (Some(default), Some(value)) => default == value,
        _ => default == value,
    })
}

/// Whether a validator can be made of the tool's parameters; else why not.
pub fn validate(tool: &Tool) -> Result<(), String> {
    jsonschema::validator_for(&tool.parameters).map(drop).map_err(|error| error.to_string())
}
