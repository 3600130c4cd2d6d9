//! What one argument must be: a closed set of matchers from a JSON value to yes or no with a reason. Types count: `"4"`
//! is no number, `true` is none either.
//!
//! Imports: serde_json, `check::{answer, text}`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::moment;
use crate::engine::check::{answer::shorten, text};

/// What a value must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    /// A JSON number of this value; 4 is 4.0.
    Number(f64),
    /// A JSON truth value.
    Bool(bool),
    /// One of these texts, whole; case, outer and repeated white space, closing full stop and curly quotes apart.
    Text(Vec<String>),
    /// One of these texts, character by character.
    Exact(Vec<String>),
    /// A free text with all of these whole words or phrases; `key|keys` are forms of one.
    Words(Vec<String>),
    /// A text with none of these whole words or phrases, each as `a|b`.
    Lacks(Vec<String>),
    /// A text that says this date, in any usual form.
    Date(String),
    /// A text that says this time of day, in any usual form.
    Time(String),
    /// A text that says this date and time, without an offset.
    Moment(String),
    /// A list of these, in this order.
    Items(Vec<Matcher>),
    /// A list of these, in any order.
    Set(Vec<Matcher>),
    /// An object with these members; others must be absent.
    Object(BTreeMap<String, Matcher>),
    /// Anything that says something.
    Any(bool),
    /// Not there, or null, or empty.
    Absent(bool),
    /// Absent, or like this.
    Maybe(Box<Matcher>),
    /// Like one of these.
    Either(Vec<Matcher>),
    /// Like all of these.
    All(Vec<Matcher>),
}

/// Whether a value says nothing: null, an empty text, list or object.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

impl Matcher {
    /// `Ok` if the value is right, else what is wrong with it. `None` is an argument that is not there.
    pub fn find(&self, value: Option<&Value>) -> Result<(), String> {
        let present = value.filter(|value| !value.is_null());
        let Some(value) = present else {
            return if self.may_be_absent() { Ok(()) } else { Err("is missing".to_owned()) };
        };
        let shown = || shorten(&value.to_string());
        let right = match self {
            Self::Maybe(inner) => return if is_blank(value) { Ok(()) } else { inner.find(Some(value)) },
            Self::Either(all) => all.iter().any(|one| one.find(Some(value)).is_ok()),
            Self::All(all) => all.iter().all(|one| one.find(Some(value)).is_ok()),
            Self::Absent(_) => is_blank(value),
            Self::Any(_) => !is_blank(value),
            Self::Number(wanted) => value.as_f64().is_some_and(|given| same_number(*wanted, given)),
            Self::Bool(wanted) => value.as_bool() == Some(*wanted),
            Self::Items(wanted) => return items(wanted, value),
            Self::Set(wanted) => return set(wanted, value),
            Self::Object(wanted) => return object(wanted, value),
            _ => {
                let Some(given) = value.as_str() else {
                    return Err(format!("is {}, asked for a text", shown()));
                };
                self.reads(given)
            }
        };
        if right { Ok(()) } else { Err(format!("is {}, asked for {}", shown(), self.words())) }
    }

    fn reads(&self, given: &str) -> bool {
        match self {
            Self::Text(wanted) => wanted.iter().any(|wanted| plain(wanted) == plain(given)),
            Self::Exact(wanted) => wanted.iter().any(|wanted| wanted == given),
            Self::Words(wanted) => wanted.iter().all(|word| said(given, word)),
            Self::Lacks(words) => !words.iter().any(|word| said(given, word)),
            Self::Date(wanted) => moment::date(given).is_some_and(|given| Some(given) == moment::date(wanted)),
            Self::Time(wanted) => moment::time(given).is_some_and(|given| Some(given) == moment::time(wanted)),
            Self::Moment(wanted) => moment::moment(given).is_some_and(|given| Some(given) == moment::moment(wanted)),
            _ => false,
        }
    }

    /// Whether a call without this argument can be right.
    pub fn may_be_absent(&self) -> bool {
        matches!(self, Self::Absent(_) | Self::Maybe(_))
    }

    /// Whether a right value shows that the request was read: one that is right by chance does not.
    pub fn is_telling(&self) -> bool {
        !matches!(self, Self::Bool(_) | Self::Any(_) | Self::Absent(_) | Self::Maybe(_))
    }

    fn words(&self) -> String {
        match self {
            Self::Number(wanted) => wanted.to_string(),
            Self::Bool(wanted) => wanted.to_string(),
            Self::Text(wanted) => wanted.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(" or "),
            Self::Exact(wanted) => {
                let wanted: Vec<String> = wanted.iter().map(|text| format!("{text:?}")).collect();
                format!("exactly {}", wanted.join(" or "))
            }
            Self::Words(wanted) => format!("a text with {}", wanted.join(", ")),
            Self::Lacks(words) => format!("a text without {}", words.join(", ")),
            Self::Date(wanted) | Self::Time(wanted) | Self::Moment(wanted) => wanted.clone(),
            Self::Items(_) | Self::Set(_) => "another list".to_owned(),
            Self::Object(_) => "another object".to_owned(),
            Self::Any(_) => "anything".to_owned(),
            Self::Absent(_) => "nothing".to_owned(),
            Self::Maybe(inner) => format!("nothing or {}", inner.words()),
            Self::Either(all) => all.iter().map(Self::words).collect::<Vec<_>>().join(" or "),
            Self::All(all) => all.iter().map(Self::words).collect::<Vec<_>>().join(" and "),
        }
    }

    /// What is wrong with the matcher itself.
    pub fn validate(&self) -> Result<(), String> {
        let filled = |texts: &[String]| match texts.is_empty() || texts.iter().any(|text| text.trim().is_empty()) {
            true => Err("the list is empty or has an empty text".to_owned()),
            false => Ok(()),
        };
        let read = |is_read: bool, text: &str, form: &str| match is_read {
            true => Ok(()),
            false => Err(format!("{text:?} can't be read; write {form}")),
        };
        match self {
            Self::Number(number) if !number.is_finite() => Err("is no finite number".to_owned()),
            Self::Number(_) | Self::Bool(_) => Ok(()),
            Self::Text(texts) | Self::Exact(texts) => filled(texts),
            Self::Words(texts) | Self::Lacks(texts) => validate_words(texts),
            Self::Date(text) => read(moment::date(text).is_some(), text, "YYYY-MM-DD"),
            Self::Time(text) => read(moment::time(text).is_some(), text, "HH:MM"),
            Self::Moment(text) => read(moment::moment(text).is_some(), text, "YYYY-MM-DDTHH:MM"),
            Self::Items(items) | Self::Set(items) if items.is_empty() || items.len() > 10 => {
                Err("a list has 1 to 10 items; for none use absent".to_owned())
            }
            Self::Items(items) | Self::Set(items) => items.iter().try_for_each(Self::validate),
            Self::Object(members) if members.is_empty() => Err("names no members".to_owned()),
            Self::Object(members) => {
                members.iter().try_for_each(|(key, inner)| inner.validate().map_err(|why| format!("{key}: {why}")))
            }
            Self::Any(said) | Self::Absent(said) if !said => Err("is true or not written at all".to_owned()),
            Self::Any(_) | Self::Absent(_) => Ok(()),
            Self::Maybe(inner) => inner.validate(),
            Self::Either(all) | Self::All(all) if all.len() < 2 || all.iter().any(Self::may_be_absent) => {
                Err("has at least two ways, none of them absent or maybe".to_owned())
            }
            Self::Either(all) | Self::All(all) => all.iter().try_for_each(Self::validate),
        }
    }
}

/// Whether every word has a letter or digit in each of its forms.
pub(super) fn validate_words(words: &[String]) -> Result<(), String> {
    if words.is_empty() {
        return Err("the list of words is empty".to_owned());
    }
    text::worded(words)
}

/// Whether one of a word's forms stands in the text as a whole word, in any case.
pub(super) fn said(given: &str, word: &str) -> bool {
    // names of arguments, such as `booking_id`, are words too
    let spaced = |text: &str| straight(text).replace('_', " ");
    let given = spaced(given);
    word.split('|').any(|form| text::occurrences(&given, &spaced(form), false) > 0)
}

/// With plain apostrophes and quotes.
pub(super) fn straight(text: &str) -> String {
    text.replace(['’', '‘'], "'").replace(['“', '”'], "\"")
}

fn plain(text: &str) -> String {
    let squeezed = text::squeeze(&straight(text)).replace(['–', '—'], "-").to_lowercase();
    squeezed.trim_matches('"').trim_end_matches(['.', ' ']).to_owned()
}

/// Equal, give or take the last bits of a binary fraction.
fn same_number(wanted: f64, given: f64) -> bool {
    (wanted - given).abs() <= 1e-9 * wanted.abs().max(1.0)
}

fn list<'a>(wanted: &[Matcher], value: &'a Value) -> Result<&'a [Value], String> {
    let Some(given) = value.as_array() else {
        return Err(format!("is {}, asked for a list", shorten(&value.to_string())));
    };
    if given.len() != wanted.len() {
        return Err(format!("has {} items, asked for {}", given.len(), wanted.len()));
    }
    Ok(given)
}

fn items(wanted: &[Matcher], value: &Value) -> Result<(), String> {
    let given = list(wanted, value)?;
    for ((wanted, given), n) in wanted.iter().zip(given).zip(1_u32..) {
        wanted.find(Some(given)).map_err(|why| format!("item {n} {why}"))?;
    }
    Ok(())
}

fn set(wanted: &[Matcher], value: &Value) -> Result<(), String> {
    let given = list(wanted, value)?;
    let mut used = vec![false; given.len()];
    if pairs(wanted, given, &mut used) {
        return Ok(());
    }
    let missing = wanted.iter().find(|wanted| given.iter().all(|given| wanted.find(Some(given)).is_err()));
    match missing {
        Some(missing) => Err(format!("has no item that is {}", missing.words())),
        None => Err("has the right items, but not each of them once".to_owned()),
    }
}

/// Whether each wanted item has a given one of its own.
fn pairs(wanted: &[Matcher], given: &[Value], used: &mut [bool]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return true };
    for index in 0..given.len() {
        if used[index] || first.find(Some(&given[index])).is_err() {
            continue;
        }
        used[index] = true;
        if pairs(rest, given, used) {
            return true;
        }
        used[index] = false;
    }
    false
}

fn object(wanted: &BTreeMap<String, Matcher>, value: &Value) -> Result<(), String> {
    let Some(given) = value.as_object() else {
        return Err(format!("is {}, asked for an object", shorten(&value.to_string())));
    };
    for (key, wanted) in wanted {
        wanted.find(given.get(key)).map_err(|why| format!("{key} {why}"))?;
    }
    match unasked(wanted, given).next() {
        Some(key) => Err(format!("{key} was not asked for")),
        None => Ok(()),
    }
}

/// Members that say something and are not named by a matcher.
pub(super) fn unasked<'a>(
    wanted: &BTreeMap<String, Matcher>,
    given: &'a Map<String, Value>,
) -> impl Iterator<Item = &'a String> {
    given.iter().filter(|(key, value)| !wanted.contains_key(*key) && !is_blank(value)).map(|(key, _)| key)
}
