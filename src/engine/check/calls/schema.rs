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
    if let Some(first) = validator.iter_errors(&given).next() {
        let place = first.instance_path().to_string();
        return Some(format!("{}{place}: {}", tool.name, shorten(&first.to_string())));
    }
    misformed(&tool.parameters, &given).map(|why| format!("{}: {why}", tool.name))
}

/// The first text that is not written in the form that the description of its place begins with: `YYYY-MM-DD`, `HH:MM` or
/// `YYYY-MM-DDTHH:MM`. Seconds, an hour of one digit and a space for the `T` are the same form.
fn misformed(schema: &Value, value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members.iter().find_map(|(key, member)| {
            misformed(schema.get("properties")?.get(key)?, member).map(|why| format!("{key} {why}"))
        }),
        Value::Array(items) => items.iter().find_map(|item| misformed(schema.get("items")?, item)),
        Value::String(text) => {
            let about = schema.get("description").and_then(Value::as_str)?;
            let (form, fits): (&str, fn(&str) -> bool) = if about.contains("YYYY-MM-DDTHH:MM") {
                ("YYYY-MM-DDTHH:MM", is_moment)
            } else if about.starts_with("YYYY-MM-DD") {
                ("YYYY-MM-DD", is_date)
            } else if about.starts_with("HH:MM") {
                ("HH:MM", is_time)
            } else {
                return None;
            };
            (!fits(text.trim())).then(|| format!("is {}, not in the form {form}", shorten(text)))
        }
        _ => None,
    }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_digit());
    matches!(parts.as_slice(), [year, month, day]
        if [year, month, day].iter().all(|part| digits(part)) && year.len() == 4 && month.len() == 2 && day.len() == 2)
}

fn is_time(text: &str) -> bool {
    let parts: Vec<&str> = text.split(':').collect();
    let digits = |part: &&str| (1..=2).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
    (2..=3).contains(&parts.len()) && parts.iter().all(digits) && parts[1..].iter().all(|part| part.len() == 2)
}

fn is_moment(text: &str) -> bool {
    text.split_once(['T', 't', ' ']).is_some_and(|(day, time)| is_date(day) && is_time(time))
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
