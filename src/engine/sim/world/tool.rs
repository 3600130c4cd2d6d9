//! Tools as tables: name, description, arguments and what the tool does, in one place. The JSON Schema that the model is
//! shown is also what its arguments are validated against.
//!
//! Imports: domain, jsonschema, serde_json.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::domain::transcript::Tool;

/// Entries by id, in the order of their ids.
pub(super) type Table<T> = BTreeMap<String, T>;

/// What a tool gives back, or why it could not do what it was asked.
pub(super) type Outcome = Result<Value, String>;

/// One tool of a world with the state `S`.
pub(super) struct Spec<S: 'static> {
    pub name: &'static str,
    pub about: &'static str,
    pub arguments: &'static [Argument],
    pub run: fn(&mut S, &Arguments) -> Outcome,
}

/// One argument of a tool.
pub(super) struct Argument {
    name: &'static str,
    about: &'static str,
    kind: Kind,
    required: bool,
}

/// What an argument may be.
pub(super) enum Kind {
    /// Text that is not empty.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from 1.
    Whole,
    /// A number above 0.
    Amount,
    Flag,
    /// A list of texts with at least one entry.
    Texts,
}

/// An argument that must be there.
pub(super) const fn must(name: &'static str, kind: Kind, about: &'static str) -> Argument {
    Argument { name, about, kind, required: true }
}

/// An argument that may be left out.
pub(super) const fn may(name: &'static str, kind: Kind, about: &'static str) -> Argument {
    Argument { name, about, kind, required: false }
}

impl Argument {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::Text => json!({ "type": "string", "minLength": 1 }),
            Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
            Kind::Whole => json!({ "type": "integer", "minimum": 1 }),
            Kind::Amount => json!({ "type": "number", "exclusiveMinimum": 0 }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Texts => json!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "minItems": 1 }),
        };
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), self.about.into());
        }
        schema
    }
}

impl<S> Spec<S> {
    /// The tool as the model is told of it.
    pub fn declared(&self) -> Tool {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|argument| (argument.name.to_owned(), argument.schema())).collect();
        let required: Vec<&str> =
            self.arguments.iter().filter(|argument| argument.required).map(|argument| argument.name).collect();
        let parameters = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        Tool { name: self.name.to_owned(), description: self.about.to_owned(), parameters }
    }

    /// Why the arguments don't fit the schema, if they don't: every fault with its place.
    pub fn refuse(&self, arguments: &Value) -> Option<String> {
        let validator = match jsonschema::validator_for(&self.declared().parameters) {
            Ok(validator) => validator,
            Err(error) => return Some(format!("the schema of {} is broken: {error}", self.name)),
        };
        let faults: Vec<String> = validator
            .iter_errors(arguments)
            .map(|error| match error.instance_path().to_string() {
                whole if whole.is_empty() => error.to_string(),
                place => format!("{}: {error}", place.trim_start_matches('/')),
            })
            .collect();
        (!faults.is_empty()).then(|| format!("invalid arguments for {}: {}", self.name, faults.join("; ")))
    }
}

/// Arguments that fit their schema.
pub(super) struct Arguments<'a>(pub &'a Value);

impl<'a> Arguments<'a> {
    /// A text without outer white space; empty if it was left out.
    pub fn text(&self, name: &str) -> &'a str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default().trim()
    }

    /// `None` if it was left out.
    pub fn maybe(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Value::as_str).map(str::trim)
    }

    /// A text as it stands, for contents of files.
    pub fn verbatim(&self, name: &str) -> &'a str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// 1 if it was left out, as for pages; numbers beyond a million million are cut there.
    pub fn whole(&self, name: &str) -> i64 {
        let number = self.0.get(name).and_then(Value::as_f64).unwrap_or(1.0);
        number.clamp(1.0, 1e12) as i64
    }

    pub fn amount(&self, name: &str) -> f64 {
        self.0.get(name).and_then(Value::as_f64).unwrap_or_default()
    }

    /// False if it was left out.
    pub fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    pub fn texts(&self, name: &str) -> Vec<&'a str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }
}

/// The entry with this id, or an error that says which tool shows the ids.
pub(super) fn entry<'a, T>(table: &'a Table<T>, what: &str, id: &str, shown_by: &str) -> Result<&'a T, String> {
    table.get(id).ok_or_else(|| format!("there is no {what} {id:?}; {shown_by} shows the ids"))
}

/// The same for changing it.
pub(super) fn entry_mut<'a, T>(
    table: &'a mut Table<T>,
    what: &str,
    id: &str,
    shown_by: &str,
) -> Result<&'a mut T, String> {
    table.get_mut(id).ok_or_else(|| format!("there is no {what} {id:?}; {shown_by} shows the ids"))
}

/// One page of a list, with the number of pages; an error for a page that is not there.
pub(super) fn page(name: &str, items: Vec<Value>, number: i64, size: usize) -> Outcome {
    let pages = items.len().div_ceil(size).max(1);
    let index = usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    if index >= pages {
        return Err(format!("there is no page {number}; the list has {pages}"));
    }
    let total = items.len();
    let shown: Vec<Value> = items.into_iter().skip(index * size).take(size).collect();
    Ok(json!({ name: shown, "page": number, "pages": pages, "total": total }))
}

/// The id after the highest one with this prefix: `SO-1043` after `SO-1042`.
pub(super) fn next_id<T>(table: &Table<T>, prefix: &str) -> String {
    let numbers = table.keys().filter_map(|id| id.strip_prefix(prefix)?.parse::<u64>().ok());
    format!("{prefix}{}", numbers.max().unwrap_or(0).saturating_add(1))
}

/// Whether one text holds another, whatever the case.
pub(super) fn holds(text: &str, wanted: &str) -> bool {
    text.to_lowercase().contains(&wanted.to_lowercase())
}

/// Refuses what is no date of the calendar.
pub(super) fn date(text: &str) -> Result<&str, String> {
    match chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        Ok(date) if date.format("%Y-%m-%d").to_string() == text => Ok(text),
        _ => Err(format!("{text:?} is no date; write it like 2026-03-09")),
    }
}

/// Minutes since midnight of `HH:MM`.
pub(super) fn minutes(text: &str) -> Result<u32, String> {
    let read = || {
        let (hours, minutes) = text.split_once(':')?;
        let plain = |part: &str| part.len() == 2 && part.chars().all(|c| c.is_ascii_digit());
        let (h, m) = (hours.parse::<u32>().ok()?, minutes.parse::<u32>().ok()?);
        (plain(hours) && plain(minutes) && h < 24 && m < 60).then_some(h * 60 + m)
    };
    read().ok_or_else(|| format!("{text:?} is no time of day; write it like 09:30"))
}

/// `HH:MM` of minutes since midnight.
pub(super) fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}
