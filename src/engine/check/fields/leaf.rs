//! One expected value as a task file declares it, and what is said of a wrong one.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Blank, Tree, amount, date, forms::texts};

/// One expected value.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Leaf {
    pub matcher: Matcher,
}

/// What is right at a leaf. The first field names the matcher.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Matcher {
    Text(Text),
    Number(NumberLeaf),
    Money(Money),
    Quantity(Quantity),
    Date(DateLeaf),
    Digits(Digits),
    Bool(Bool),
    Null(Null),
    Missing(Missing),
    Items(Items),
}

/// A text; white space and the style of quotes and dashes say nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// One text, or several of which each is right.
    pub text: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Case>,
    /// One of a few texts that the prompt names, so that a guess could hit it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

/// Whether upper and lower case matter; without it they don't, nor does a full stop at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    Exact,
}

/// A JSON number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberLeaf {
    pub number: serde_json::Number,
    /// A text that holds just the number is right, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lenient: bool,
}

/// A sum of money: a text with its currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    pub money: String,
    /// ISO code; another currency is wrong.
    pub currency: String,
    /// The amount alone is right, too, as a text or a number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bare: bool,
}

/// A text with a number and its unit: `2.5 kg`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    pub quantity: String,
    /// Other spellings of the unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
}

/// A day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DateLeaf {
    /// As 2026-03-04.
    pub date: String,
    /// The prompt asks for this form, so that others are wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub iso: bool,
}

/// A text of which only the digits count: telephone numbers and the like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digits {
    /// One row of digits, or several of which each is right.
    pub digits: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bool {
    pub bool: bool,
}

/// `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Null {
    pub null: bool,
    /// A missing key is right, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missing_ok: bool,
}

/// The key must not be there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    pub missing: bool,
}

/// A list of plain values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    pub items: Vec<Tree>,
    /// Whether their order counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub order: bool,
}

/// The names of the matchers.
pub(super) const NAMES: [&str; 10] =
    ["text", "number", "money", "quantity", "date", "digits", "bool", "null", "missing", "items"];

impl TryFrom<Map<String, Value>> for Leaf {
    type Error = String;

    fn try_from(table: Map<String, Value>) -> Result<Self, String> {
        let named: Vec<&str> = NAMES.into_iter().filter(|name| table.contains_key(*name)).collect();
        let [name] = named.as_slice() else {
            let known = NAMES.join(", ");
            return Err(format!("a matcher has exactly one of: {known}, records; found {named:?}"));
        };
        let value = Value::Object(table);
        let matcher = match *name {
            "text" => serde_json::from_value(value).map(Matcher::Text),
            "number" => serde_json::from_value(value).map(Matcher::Number),
            "money" => serde_json::from_value(value).map(Matcher::Money),
            "quantity" => serde_json::from_value(value).map(Matcher::Quantity),
            "date" => serde_json::from_value(value).map(Matcher::Date),
            "digits" => serde_json::from_value(value).map(Matcher::Digits),
            "bool" => serde_json::from_value(value).map(Matcher::Bool),
            "null" => serde_json::from_value(value).map(Matcher::Null),
            "missing" => serde_json::from_value(value).map(Matcher::Missing),
            _ => serde_json::from_value(value).map(Matcher::Items),
        };
        matcher.map(|matcher| Self { matcher }).map_err(|error| format!("{name}: {error}"))
    }
}

/// What a value is worth: 0 to 1, and what is wrong with it.
pub(super) type Worth = Result<f64, String>;

impl Leaf {
    /// Whether a guess could hit it, so that it says nothing on its own.
    pub(super) fn is_hollow(&self) -> bool {
        match &self.matcher {
            Matcher::Text(text) => text.closed,
            Matcher::Number(number) => number.number.as_f64().is_some_and(|value| value == 0.0 || value == 1.0),
            Matcher::Bool(_) | Matcher::Null(_) | Matcher::Missing(_) => true,
            Matcher::Items(items) => items.items.is_empty(),
            Matcher::Money(_) | Matcher::Quantity(_) | Matcher::Date(_) | Matcher::Digits(_) => false,
        }
    }

    pub(super) fn validate(&self) -> Result<(), String> {
        let listed = |value: &Value| match texts(value) {
            Some(texts) if !texts.is_empty() && texts.iter().all(|text| !text.trim().is_empty()) => Ok(()),
            _ => Err("needs a text, or a list of texts, none of them empty".to_owned()),
        };
        match &self.matcher {
            Matcher::Text(text) => listed(&text.text),
            Matcher::Digits(digits) => listed(&digits.digits).and_then(|()| {
                let only = texts(&digits.digits).unwrap_or_default();
                let plain = only.iter().all(|text| text.chars().all(|c| c.is_ascii_digit()));
                if plain { Ok(()) } else { Err("digits are digits only".to_owned()) }
            }),
            Matcher::Number(_) | Matcher::Bool(_) => Ok(()),
            Matcher::Money(money) => amount::validate_money(money),
            Matcher::Quantity(quantity) => amount::validate_quantity(quantity),
            Matcher::Date(leaf) => match date::iso(&leaf.date) {
                Some(_) => Ok(()),
                None => Err(format!("{:?} is no date; write it as 2026-03-04", leaf.date)),
            },
            Matcher::Null(null) if !null.null => Err("null = false says nothing; give the value".to_owned()),
            Matcher::Missing(missing) if !missing.missing => {
                Err("missing = false says nothing; give the value".to_owned())
            }
            Matcher::Null(_) | Matcher::Missing(_) => Ok(()),
            Matcher::Items(items) => items.items.iter().try_for_each(|item| match item {
                Tree::Leaf(leaf) if !matches!(leaf.matcher, Matcher::Items(_) | Matcher::Missing(_)) => leaf.validate(),
                _ => Err("items are plain values; for objects, write records".to_owned()),
            }),
        }
    }

    /// Compares a value with what is right; `None` is a key that is not there.
    pub(super) fn compare(&self, found: Option<&Value>) -> Worth {
        let Some(found) = found else {
            return match &self.matcher {
                Matcher::Missing(_) | Matcher::Null(Null { missing_ok: true, .. }) => Ok(1.0),
                _ => Err(format!("is missing, wanted {}", self.wanted())),
            };
        };
        let right = match &self.matcher {
            Matcher::Items(items) => return items.compare(found),
            Matcher::Text(text) => found.as_str().is_some_and(|found| text.is(found)),
            Matcher::Number(leaf) => leaf.is(found),
            Matcher::Money(money) => amount::is_money(money, found),
            Matcher::Quantity(quantity) => amount::is_quantity(quantity, found),
            Matcher::Date(leaf) => found.as_str().is_some_and(|found| date::is(&leaf.date, leaf.iso, found)),
            Matcher::Digits(digits) => found.as_str().is_some_and(|found| digits.is(found)),
            Matcher::Bool(leaf) => found.as_bool() == Some(leaf.bool),
            Matcher::Null(_) => found.is_null(),
            Matcher::Missing(_) => false,
        };
        if right { Ok(1.0) } else { Err(format!("is {}, wanted {}", shown(found), self.wanted())) }
    }

    /// What is right, in words.
    pub(super) fn wanted(&self) -> String {
        let any = |value: &Value| {
            let texts = texts(value).unwrap_or_default();
            texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(" or ")
        };
        match &self.matcher {
            Matcher::Text(Text { text, case: Some(Case::Exact), .. }) => format!("the text {} exactly", any(text)),
            Matcher::Text(text) => format!("the text {}", any(&text.text)),
            Matcher::Number(leaf) => format!("the number {}", leaf.number),
            Matcher::Money(money) => format!("{} {}", money.money, money.currency),
            Matcher::Quantity(quantity) => format!("{:?} with its unit", quantity.quantity),
            Matcher::Date(leaf) if leaf.iso => format!("{:?} in this form", leaf.date),
            Matcher::Date(leaf) => format!("the date {}", leaf.date),
            Matcher::Digits(digits) => format!("the digits {}", any(&digits.digits)),
            Matcher::Bool(leaf) => format!("{}", leaf.bool),
            Matcher::Null(_) => "null".to_owned(),
            Matcher::Missing(_) => "no such key".to_owned(),
            Matcher::Items(items) if items.items.is_empty() => "an empty list".to_owned(),
            Matcher::Items(items) => format!("a list of {} values", items.items.len()),
        }
    }

    pub(super) fn blank(&self, blank: Blank) -> Value {
        match (blank, &self.matcher) {
            (Blank::Null, _) => Value::Null,
            (_, Matcher::Items(_)) => Value::Array(Vec::new()),
            (_, Matcher::Bool(_)) => Value::Bool(blank == Blank::Other),
            (_, Matcher::Number(_) | Matcher::Money(_)) => Value::from(u8::from(blank == Blank::Other)),
            (Blank::Empty, _) => Value::from(""),
            (Blank::Other, _) => Value::from("N/A"),
        }
    }
}

/// At most 60 characters of a value.
pub(super) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.chars().count() {
        0..=60 => text,
        _ => format!("{}…", text.chars().take(59).collect::<String>()),
    }
}

/// A value with its kind, for a reason.
pub(super) fn shown(value: &Value) -> String {
    let short = short(value);
    match value {
        Value::String(_) => format!("{short} (text)"),
        Value::Number(_) => format!("{short} (number)"),
        Value::Array(_) => format!("{short} (list)"),
        Value::Object(_) => format!("{short} (object)"),
        Value::Null | Value::Bool(_) => short,
    }
}
