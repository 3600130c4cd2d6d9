//! Places in the state of a world: how they should be, and whether anything else has changed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    super::{answer::shorten, rule::Finding, text},
    message,
    replay::{self, Replay},
};

/// How one place of the final state should be: exactly one of the ways, except that `says` may stand beside `entry`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    pub name: String,
    /// JSON pointer; `/` inside a key is written `~1`.
    pub at: String,
    /// This value; numbers by value, texts exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Value>,
    /// A list of these, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Value>>,
    /// A text with these lines, white space at their ends and blank lines apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<String>>,
    /// A table or list with exactly one entry more than at the start that has these fields, texts in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Map<String, Value>>,
    /// Words that the texts there hold, each as `one|another`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub says: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub absent: bool,
    /// As at the start.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unchanged: bool,
}

impl Expected {
    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        if !self.at.starts_with('/') {
            return Err(("at".to_owned(), format!("{:?} is no JSON pointer; it starts with /", self.at)));
        }
        let ways = [
            self.equals.is_some(),
            self.items.is_some(),
            self.lines.is_some(),
            self.entry.is_some() || !self.says.is_empty(),
            self.absent,
            self.unchanged,
        ];
        if ways.into_iter().filter(|way| *way).count() != 1 {
            let why = "say one of equals, items, lines, entry, says, absent and unchanged";
            return Err(("equals".to_owned(), why.to_owned()));
        }
        text::worded(&self.says).map_err(|why| ("says".to_owned(), why))
    }

    pub(super) fn find(&self, start: &Value, end: &Value) -> Finding {
        let (before, value, place) = (start.pointer(&self.at), end.pointer(&self.at), named(&self.at));
        let is = |wanted: &str| format!("{place} is {}, not {wanted}", shown(value));
        if self.absent {
            let why = if value.is_some() { format!("{place} is still there") } else { format!("{place} is gone") };
            return Finding { met: value.is_none(), why };
        }
        if self.unchanged {
            let met = value == before;
            let why = if met { format!("{place} is as it was") } else { is(&shown(before)) };
            return Finding { met, why };
        }
        if let Some(wanted) = &self.entry {
            let count = added(before, value).into_iter().filter(|(_, entry)| self.fits(wanted, entry)).count();
            let fields: Vec<String> =
                wanted.iter().map(|(key, value)| format!("{key} {}", shown(Some(value)))).collect();
            let fields = [fields, self.says.clone()].concat().join(", ");
            let why = match count {
                0 => format!("{place} has no new entry with {fields}"),
                1 => format!("{place} has one new entry with {fields}"),
                _ => format!("{place} has {count} new entries with {fields}, not one"),
            };
            return Finding { met: count == 1, why };
        }
        let (met, wanted) = if let Some(wanted) = &self.equals {
            (value.is_some_and(|value| exact(wanted, value)), shown(Some(wanted)))
        } else if let Some(items) = &self.items {
            let wanted = Value::Array(items.clone());
            (value.is_some_and(|value| value.is_array() && same(&wanted, value)), shown(Some(&wanted)))
        } else if let Some(lines) = &self.lines {
            let found = value.and_then(Value::as_str).map(text::lines);
            let wanted: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
            (found.is_some_and(|found| found == wanted), shorten(&wanted.join(" / ")))
        } else {
            let missing = value.map_or(self.says.first(), |value| self.unsaid(value));
            return match missing {
                Some(word) => Finding { met: false, why: format!("{place} does not say {word:?}: {}", shown(value)) },
                None => Finding { met: true, why: format!("{place} says what it should") },
            };
        };
        Finding { met, why: if met { format!("{place} is {wanted}") } else { is(&wanted) } }
    }

    fn unsaid(&self, value: &Value) -> Option<&String> {
        let mut said = String::new();
        replay::say(value, &mut said);
        self.says.iter().find(|word| !message::says(&said, word))
    }

    fn fits(&self, wanted: &Map<String, Value>, entry: &Value) -> bool {
        wanted.iter().all(|(key, wanted)| entry.get(key).is_some_and(|given| same(wanted, given)))
            && self.unsaid(entry).is_none()
    }

    /// Whether this expectation speaks of that change.
    fn covers(&self, change: &Change) -> bool {
        let Some(wanted) = &self.entry else {
            return below(&self.at, &change.at);
        };
        if change.at == self.at {
            // the whole list: what was there is still there, and the rest is what was asked for
            let kept = match (change.before, change.after) {
                (Some(Value::Array(before)), Some(Value::Array(after))) => after.starts_with(before),
                _ => change.before.is_none(),
            };
            return kept && added(change.before, change.after).iter().all(|(_, entry)| self.fits(wanted, entry));
        }
        change.at.rsplit_once('/').is_some_and(|(table, _)| table == self.at)
            && change.before.is_none()
            && change.after.is_some_and(|entry| self.fits(wanted, entry))
    }
}

/// The entries of a table or list that were not there before.
fn added<'a>(before: Option<&Value>, after: Option<&'a Value>) -> Vec<(String, &'a Value)> {
    match after {
        Some(Value::Object(entries)) => entries
            .iter()
            .filter(|(key, _)| before.is_none_or(|before| before.get(key.as_str()).is_none()))
            .map(|(key, entry)| (key.clone(), entry))
            .collect(),
        Some(Value::Array(items)) => {
            let known = before.and_then(Value::as_array).map_or(0, Vec::len);
            items.iter().enumerate().skip(known).map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => Vec::new(),
    }
}

/// One place that differs between two states; `None` where there is nothing.
struct Change<'a> {
    at: String,
    before: Option<&'a Value>,
    after: Option<&'a Value>,
}

fn changes<'a>(at: &str, before: Option<&'a Value>, after: Option<&'a Value>, out: &mut Vec<Change<'a>>) {
    if let (Some(Value::Object(old)), Some(Value::Object(new))) = (before, after) {
        let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            changes(&at, old.get(key), new.get(key), out);
        }
    } else if before != after {
        out.push(Change { at: at.to_owned(), before, after });
    }
}

fn below(place: &str, at: &str) -> bool {
    at.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether all that changed is what the expectations speak of, or may change.
pub(super) fn nothing_else(expected: &[Expected], may_change: &[String], replay: &Replay) -> Finding {
    let mut found = Vec::new();
    changes("", Some(&replay.start), Some(&replay.end), &mut found);
    let allowed = |change: &Change| {
        may_change.iter().any(|place| below(place, &change.at))
            || expected.iter().any(|expected| expected.covers(change))
    };
    match found.iter().find(|change| !allowed(change)) {
        Some(change) => {
            let (place, before, after) = (named(&change.at), shown(change.before), shown(change.after));
            Finding { met: false, why: format!("{place} was {before} and is now {after}") }
        }
        None => Finding { met: true, why: "nothing else changed".to_owned() },
    }
}

/// A pointer as a person writes a place.
fn named(at: &str) -> String {
    at.trim_start_matches('/').replace('/', " ").replace("~1", "/").replace("~0", "~")
}

/// A value as a person writes it.
pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "absent".to_owned(),
        Some(Value::String(text)) => shorten(text),
        Some(value) => shorten(&value.to_string()),
    }
}

/// Equal as JSON, where 3 and 3.0 are one number.
fn exact(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::Number(wanted), Value::Number(given)) => close(wanted.as_f64(), given.as_f64()),
        (Value::Array(wanted), Value::Array(given)) => {
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, given)| exact(wanted, given))
        }
        (Value::Object(wanted), Value::Object(given)) => {
            wanted.len() == given.len()
                && wanted.iter().all(|(key, wanted)| given.get(key).is_some_and(|given| exact(wanted, given)))
        }
        _ => wanted == given,
    }
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    a.zip(b).is_some_and(|(a, b)| (a - b).abs() < 1e-9)
}

/// The same for a reader: texts in any case and spacing, lists in any order.
pub(super) fn same(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::String(wanted), Value::String(given)) => {
            text::squeeze(wanted).to_lowercase() == text::squeeze(given).to_lowercase()
        }
        (Value::Array(wanted), Value::Array(given)) => {
            let mut rest: Vec<&Value> = given.iter().collect();
            wanted.len() == given.len()
                && wanted.iter().all(|wanted| {
                    let at = rest.iter().position(|given| same(wanted, given));
                    at.map(|at| rest.swap_remove(at)).is_some()
                })
        }
        (Value::Object(wanted), Value::Object(given)) => {
            wanted.len() == given.len()
                && wanted.iter().all(|(key, wanted)| given.get(key).is_some_and(|given| same(wanted, given)))
        }
        _ => exact(wanted, given),
    }
}
