//! JSON values → calls: which keys name the tool and its arguments, and what had to be repaired on the way. Pure.
//!
//! Imports: domain.

use serde_json::{Map, Value};

use super::loose;
use crate::domain::transcript::ToolCall;

/// A call and the names of the repairs it took; or why there is none.
pub(super) type Read = Result<(ToolCall, Vec<String>), String>;

/// JSON values in a row, as the inside of one tag.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Values {
    pub values: Vec<Value>,
    pub repairs: Vec<String>,
    /// Where they end in the text, in bytes; a code fence around them is part of them.
    pub end: usize,
}

/// Reads objects and lists from the beginning of a text, until something else comes.
pub(super) fn values(text: &str) -> Result<Values, String> {
    let skip = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    let mut at = skip(0);
    let mut repairs = Vec::new();
    let is_fenced = text[at..].starts_with("```");
    if is_fenced {
        let inner = text[at..].trim_start_matches('`').trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        at = skip(text.len() - inner.len());
    }
    let mut values = Vec::new();
    let mut end = at;
    loop {
        if !text[at..].starts_with(['{', '[']) {
            break;
        }
        match loose::value(&text[at..]) {
            Ok(reading) => {
                values.push(reading.value);
                repairs.extend(reading.repairs.iter().map(|repair| repair.words().to_owned()));
                end = at + reading.end;
            }
            Err(why) if values.is_empty() => return Err(why),
            // what came before is whole; the rest is for whoever looks at what follows
            Err(_) => break,
        }
        let after = skip(end);
        at = if text[after..].starts_with(',') { skip(after + 1) } else { after };
    }
    if values.is_empty() {
        let rest = &text[at..];
        let holds = if rest.is_empty() || rest.starts_with('<') { "nothing" } else { "no JSON object" };
        return Err(format!("it holds {holds}"));
    }
    if is_fenced {
        let after = skip(end);
        end = text.len() - text[after..].trim_start_matches('`').len();
        repairs.push("a code fence inside the tag".to_owned());
    }
    repairs.sort_unstable();
    repairs.dedup();
    Ok(Values { values, repairs, end })
}

/// The calls that values stand for, in order; a list stands for each of its objects.
pub(super) fn calls(values: &Values) -> Vec<Read> {
    let mut shared = values.repairs.clone();
    if values.values.len() > 1 {
        shared.push(format!("{} objects in one tag", values.values.len()));
    }
    let mut read = Vec::new();
    for value in &values.values {
        match value {
            Value::Array(items) if items.is_empty() => read.push(Err("the list is empty".to_owned())),
            Value::Array(items) => {
                let listed: Vec<String> =
                    shared.iter().cloned().chain([format!("a list of {}", items.len())]).collect();
                read.extend(items.iter().map(|item| call(item, &listed)));
            }
            other => read.push(call(other, &shared)),
        }
    }
    read
}

/// The first of these keys that is there, with its value.
fn first<'a>(fields: &'a Map<String, Value>, keys: &[&'static str]) -> Option<(&'static str, &'a Value)> {
    keys.iter().find_map(|key| Some((*key, fields.get(*key)?)))
}

/// One call from one value. `repairs` are those that its surroundings took.
fn call(value: &Value, repairs: &[String]) -> Read {
    let mut repairs = repairs.to_vec();
    let mut fields = value.as_object().ok_or_else(|| format!("{} is no object", kind(value)))?;
    if !fields.contains_key("name")
        && let Some(inner) = fields.get("function").and_then(Value::as_object)
    {
        repairs.push("name and arguments inside a function object".to_owned());
        fields = inner;
    }
    let (name_key, name) = first(fields, &["name", "function", "tool"])
        .ok_or("it has no name; keys name, function and tool were tried")?;
    let name = name.as_str().ok_or_else(|| format!("its {name_key} is {}, not text", kind(name)))?;
    if name.trim().is_empty() {
        return Err(format!("its {name_key} is empty"));
    }
    if name_key != "name" {
        repairs.push(format!("{name_key} for name"));
    }
    let arguments = match first(fields, &["arguments", "args", "parameters"]) {
        None => Value::Object(Map::new()),
        Some((key, value)) => {
            if key != "arguments" {
                repairs.push(format!("{key} for arguments"));
            }
            arguments(key, value, &mut repairs)?
        }
    };
    let call =
        ToolCall { id: None, name: name.to_owned(), arguments_raw: arguments.to_string(), arguments: Some(arguments) };
    Ok((call, repairs))
}

/// Arguments as an object; nothing at all is a call without arguments, as on the wire.
fn arguments(key: &str, value: &Value, repairs: &mut Vec<String>) -> Result<Value, String> {
    match value {
        Value::Object(_) => Ok(value.clone()),
        Value::Null => Ok(Value::Object(Map::new())),
        Value::String(text) => {
            repairs.push(format!("{key} given as JSON text"));
            if text.trim().is_empty() || text.trim() == "null" {
                return Ok(Value::Object(Map::new()));
            }
            let reading = loose::whole(text).map_err(|why| format!("its {key} are text that is no JSON ({why})"))?;
            if !reading.value.is_object() {
                return Err(format!("its {key} are {} given as text, not an object", kind(&reading.value)));
            }
            repairs.extend(reading.repairs.iter().map(|repair| repair.words().to_owned()));
            Ok(reading.value)
        }
        other => Err(format!("its {key} are {}, not an object", kind(other))),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
