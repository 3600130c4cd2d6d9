//! Structured text, read whole: JSON and comma-separated values. Nothing is searched for inside other text.

use serde_json::Value;

use super::{
    answer::shorten,
    rule::{Finding, Kind},
    text,
};

/// What is asked of one place in a JSON text.
pub(super) struct Asked<'a> {
    pub at: &'a str,
    pub is: Option<Kind>,
    pub keys: Option<&'a [String]>,
    pub equals: Option<&'a Value>,
}

fn not(why: String) -> Finding {
    Finding { met: false, why }
}

pub(super) fn json(text: &str, asked: &Asked, fits: impl Fn(usize) -> bool) -> Finding {
    let value: Value = match serde_json::from_str(text.trim()) {
        Ok(value) => value,
        Err(error) => return not(format!("is not JSON: {error}")),
    };
    let place = if asked.at.is_empty() { "the JSON".to_owned() } else { asked.at.to_owned() };
    let Some(value) = value.pointer(asked.at) else {
        return not(format!("there is no {place}"));
    };
    if let Some(kind) = asked.is
        && kind_of(value) != kind
    {
        return not(format!("{place} is {:?}, asked for {kind:?}", kind_of(value)));
    }
    if let Some(keys) = asked.keys {
        let Some(object) = value.as_object() else {
            return not(format!("{place} is no object"));
        };
        if let Some(missing) = keys.iter().find(|key| !object.contains_key(*key)) {
            return not(format!("{place} has no key {missing:?}"));
        }
        if let Some(extra) = object.keys().find(|key| !keys.contains(key)) {
            return not(format!("{place} has the key {extra:?}, which was not asked for"));
        }
    }
    let entries = value.as_array().map(Vec::len).or(value.as_object().map(serde_json::Map::len)).unwrap_or(1);
    if !fits(entries) {
        return not(format!("{place} has {entries} entries"));
    }
    if let Some(wanted) = asked.equals
        && !same(value, wanted)
    {
        return not(format!("{place} is {}", shorten(&value.to_string())));
    }
    Finding { met: true, why: format!("{place} is as asked for") }
}

/// The text or number at a place of a JSON text; the entries of a list of them, a line each.
pub(super) fn text_at(text: &str, at: &str) -> Result<String, String> {
    let value: Value = serde_json::from_str(text.trim()).map_err(|error| format!("is not JSON: {error}"))?;
    let entry = |value: &Value| match value {
        Value::String(text) => Some(text::squeeze(text)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let found = match value.pointer(at) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(list)) => list.iter().map(entry).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n")),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    found.ok_or_else(|| format!("{at} is no text, no number and no list of them"))
}

fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(_) => Kind::Number,
        Value::String(_) => Kind::Text,
        Value::Array(_) => Kind::List,
        Value::Object(_) => Kind::Object,
    }
}

/// Equal as JSON, where 3 and 3.0 are one number; text is never a number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

pub(super) fn csv(text: &str, header: &[String], rows: Option<&[Vec<String>]>) -> Finding {
    let mut found = Vec::new();
    for (line, n) in text.trim().lines().filter(|line| !line.trim().is_empty()).zip(1_u32..) {
        match fields(line) {
            Some(fields) if fields.len() == header.len() => found.push(fields),
            Some(fields) => return not(format!("row {n} has {} fields, asked for {}", fields.len(), header.len())),
            None => return not(format!("row {n} has a quote that does not close")),
        }
    }
    let Some((first, body)) = found.split_first() else {
        return not("there are no rows".to_owned());
    };
    if first != header {
        return not(format!("the first row is {}", shorten(&first.join(","))));
    }
    if let Some(rows) = rows {
        if body.len() != rows.len() {
            return not(format!("{} rows below the header, asked for {}", body.len(), rows.len()));
        }
        if let Some(index) = body.iter().zip(rows).position(|(found, wanted)| found != wanted) {
            return not(format!("row {} is {}", index + 2, shorten(&body[index].join(","))));
        }
    }
    Finding { met: true, why: format!("{} rows as asked for", body.len()) }
}

/// The fields of one line; quoted ones may hold commas and doubled quotes. Spaces around a field are dropped.
fn fields(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut rest = line.trim();
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_field(quoted)?,
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            }
        };
        fields.push(field);
        match after.trim_start().strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return after.trim().is_empty().then_some(fields),
        }
    }
}

fn quoted_field(text: &str) -> Option<(String, &str)> {
    let mut field = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"')?;
        field.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(after) => {
                field.push('"');
                rest = after;
            }
            None => return Some((field, rest)),
        }
    }
}
