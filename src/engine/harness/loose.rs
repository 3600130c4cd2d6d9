//! Reads one JSON value from the beginning of a text, with three stated repairs and no others: strings in single quotes,
//! trailing commas, and Python's `True`, `False` and `None`. Everything else that is no JSON is an error.
//!
//! Imports: serde_json.

use serde_json::{Map, Value};

/// How deep lists and objects may stand in each other; as deep as serde_json goes.
const DEEPEST: usize = 127;

/// What had to be repaired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Repair {
    SingleQuotes,
    TrailingComma,
    PythonWords,
}

impl Repair {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::SingleQuotes => "strings in single quotes",
            Self::TrailingComma => "a trailing comma",
            Self::PythonWords => "Python's True, False or None",
        }
    }
}

/// A value, where it ends in the text in bytes, and what was repaired, each kind once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    pub value: Value,
    pub end: usize,
    pub repairs: Vec<Repair>,
}

/// Reads the value that the text begins with, white space before it apart; what follows is not looked at.
pub(super) fn value(text: &str) -> Result<Reading, String> {
    let mut reader = Reader { text, at: 0, repairs: Vec::new() };
    let value = reader.value(0)?;
    reader.repairs.sort_unstable();
    reader.repairs.dedup();
    Ok(Reading { value, end: reader.at, repairs: reader.repairs })
}

/// The same for a text that holds one value and nothing else.
pub(super) fn whole(text: &str) -> Result<Reading, String> {
    let reading = value(text)?;
    match text[reading.end..].trim() {
        "" => Ok(reading),
        rest => Err(format!("text after the JSON value: {}", start_of(rest))),
    }
}

fn start_of(text: &str) -> String {
    crate::domain::unit::cut(text, 20)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    repairs: Vec<Repair>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next visible character, which stays unread.
    fn peek(&mut self) -> Option<char> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("lists and objects stand too deep in each other".to_owned());
        }
        match self.peek() {
            Some('{') => self.object(depth),
            Some('[') => self.list(depth),
            Some(quote @ ('"' | '\'')) => self.string(quote).map(Value::String),
            Some(c) if c == '-' || c.is_ascii_digit() => self.number(),
            Some(c) if c.is_ascii_alphabetic() => self.word(),
            Some(_) => Err(format!("a value should stand at: {}", start_of(self.rest()))),
            None => Err("the JSON ends too early".to_owned()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.take('{');
        let mut fields = Map::new();
        while !self.take('}') {
            let Some(quote @ ('"' | '\'')) = self.peek() else {
                return Err(self.wanted("a key in quotes"));
            };
            let key = self.string(quote)?;
            if !self.take(':') {
                return Err(self.wanted("a colon"));
            }
            let value = self.value(depth + 1)?;
            fields.insert(key, value);
            self.separator('}')?;
        }
        Ok(Value::Object(fields))
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        self.take('[');
        let mut items = Vec::new();
        while !self.take(']') {
            items.push(self.value(depth + 1)?);
            self.separator(']')?;
        }
        Ok(Value::Array(items))
    }

    /// A comma with something behind it, or the end; a comma before the end is a repair.
    fn separator(&mut self, close: char) -> Result<(), String> {
        if self.take(',') {
            if self.peek() == Some(close) {
                self.repairs.push(Repair::TrailingComma);
            }
            return Ok(());
        }
        if self.peek() == Some(close) { Ok(()) } else { Err(self.wanted(&format!("a comma or {close}"))) }
    }

    fn wanted(&self, what: &str) -> String {
        match self.rest() {
            "" => "the JSON ends too early".to_owned(),
            rest => format!("{what} should stand at: {}", start_of(rest)),
        }
    }

    fn string(&mut self, quote: char) -> Result<String, String> {
        let inner = &self.rest()[1..];
        let mut is_escaped = false;
        let end = inner.char_indices().find(|(_, c)| {
            let ends = *c == quote && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        });
        let Some((end, _)) = end else { return Err("a string is not closed".to_owned()) };
        let literal = if quote == '\'' {
            self.repairs.push(Repair::SingleQuotes);
            in_double_quotes(&inner[..end])
        } else {
            self.rest()[..end + 2].to_owned()
        };
        let text = serde_json::from_str(&literal).map_err(|error| {
            let why = error.to_string();
            let why = why.split(" at line ").next().unwrap_or_default();
            format!("{why} in the string {}", start_of(&literal))
        })?;
        self.at += end + 2;
        Ok(text)
    }

    fn number(&mut self) -> Result<Value, String> {
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let literal = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let value = serde_json::from_str(literal).map_err(|_| format!("{} is no JSON number", start_of(literal)))?;
        self.at += literal.len();
        Ok(value)
    }

    fn word(&mut self) -> Result<Value, String> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        let (value, is_python) = match word {
            "true" => (Value::Bool(true), false),
            "false" => (Value::Bool(false), false),
            "null" => (Value::Null, false),
            "True" => (Value::Bool(true), true),
            "False" => (Value::Bool(false), true),
            "None" => (Value::Null, true),
            other => return Err(format!("{} is no JSON value", start_of(other))),
        };
        if is_python {
            self.repairs.push(Repair::PythonWords);
        }
        self.at += word.len();
        Ok(value)
    }
}

/// The inside of a string in single quotes as a JSON string.
fn in_double_quotes(inner: &str) -> String {
    let mut out = String::from("\"");
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => match chars.next() {
                Some('\'') => out.push('\''),
                Some(escaped) => out.extend(['\\', escaped]),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Repair::*, *};

    #[test]
    fn three_repairs_are_made_and_named() {
        for (text, expected, repairs) in [
            (r#"{"a": [1, -2.5e3, "x\n\u00e9"], "b": {}}"#, json!({"a": [1, -2.5e3, "x\né"], "b": {}}), vec![]),
            (r#"{'a': 'it\'s "so"', 'b\\': 1}"#, json!({"a": "it's \"so\"", "b\\": 1}), vec![SingleQuotes]),
            (r#"{"a": [1, 2,], }"#, json!({"a": [1, 2]}), vec![TrailingComma]),
            ("[True, False, None, true, null]", json!([true, false, null, true, null]), vec![PythonWords]),
            ("{'a': None,}", json!({"a": null}), vec![SingleQuotes, TrailingComma, PythonWords]),
        ] {
            let reading = whole(text).unwrap();
            assert_eq!((reading.value, reading.repairs), (expected, repairs), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_guessed() {
        for text in [
            "",
            "{",
            "{a: 1}",
            "{\"a\" 1}",
            "{\"a\": }",
            "{\"a\": 1 \"b\": 2}",
            "[1 2]",
            "[,]",
            "{,}",
            "{\"a\": 01}",
            "[NaN]",
            "[undefined]",
            "[TRUE]",
            "{\"a\": 'b\"}",
            "\"a\nb\"",
            "// x\n{}",
            "(1, 2)",
            "{\"a\": 1}}",
            "+1",
            "{\"a\": \"\\x\"}",
            "“a”",
            "[1,,2]",
        ] {
            assert!(whole(text).is_err(), "{text}");
        }
        assert!(whole(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn a_value_ends_where_it_ends() {
        let reading = value(" {\"a\": \"}\"} and more").unwrap();
        assert_eq!((reading.value, reading.end), (json!({"a": "}"}), 11));
    }
}
