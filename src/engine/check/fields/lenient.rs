//! Reads one JSON value as models write it, and says whether it had to be repaired. The repairs, all of them: single or
//! typographic quotes, bare keys, `True`/`False`/`None`, commas before a closing bracket, comments (`//`, `/* */`, `#`),
//! and line breaks inside a text. Whatever else is no JSON is malformed; nothing is ever completed.
//!
//! Imports: serde_json.

use serde_json::{Map, Number, Value};

/// Brackets inside brackets that are still read.
const DEPTH: u32 = 64;

/// A value at the start of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Read {
    pub value: Value,
    /// Its length in bytes.
    pub length: usize,
    /// Whether it is JSON only after repairs.
    pub repaired: bool,
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    /// The text ends before the value does.
    Cut,
    /// What was expected, or what is wrong.
    Malformed(String),
}

/// Reads the value that starts with the text's first character.
pub(super) fn read(text: &str) -> Result<Read, Fault> {
    let mut reader = Reader { text, at: 0, repaired: false };
    let value = reader.value(0)?;
    Ok(Read { value, length: reader.at, repaired: reader.repaired })
}

/// Where the bracket at the text's start is closed, texts between quotes left out; `None` if it is not.
pub(super) fn balanced(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    repaired: bool,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&self) -> Result<char, Fault> {
        self.rest().chars().next().ok_or(Fault::Cut)
    }

    fn malformed<T>(&self, why: &str) -> Result<T, Fault> {
        let near: String = self.rest().chars().take(12).collect();
        Err(Fault::Malformed(format!("{why} before {near:?}")))
    }

    /// White space and comments.
    fn skip(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            let length = if rest.starts_with("//") || rest.starts_with('#') {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").ok_or(Fault::Cut)? + 2
            } else {
                return Ok(());
            };
            self.repaired = true;
            self.at += length;
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        let there = self.rest().starts_with(wanted);
        self.at += if there { wanted.len_utf8() } else { 0 };
        there
    }

    fn value(&mut self, depth: u32) -> Result<Value, Fault> {
        if depth > DEPTH {
            return self.malformed("too many brackets inside each other");
        }
        match self.next()? {
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' | '\'' | '“' | '‘' => Ok(Value::String(self.string()?)),
            c if c.is_ascii_digit() || c == '-' => self.number(),
            c if c.is_alphabetic() => self.word(),
            _ => self.malformed("a value is missing"),
        }
    }

    fn object(&mut self, depth: u32) -> Result<Value, Fault> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.skip()?;
            if self.take('}') {
                self.repaired |= !map.is_empty();
                return Ok(Value::Object(map));
            }
            let key = self.key()?;
            self.skip()?;
            self.next()?;
            if !self.take(':') {
                return self.malformed("a colon is missing");
            }
            self.skip()?;
            let value = self.value(depth + 1)?;
            if map.get(&key).is_some_and(|known| *known != value) {
                return self.malformed(&format!("the key {key:?} has two different values"));
            }
            map.insert(key, value);
            if !self.goes_on('}')? {
                return Ok(Value::Object(map));
            }
        }
    }

    fn list(&mut self, depth: u32) -> Result<Value, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip()?;
            if self.take(']') {
                self.repaired |= !items.is_empty();
                return Ok(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            if !self.goes_on(']')? {
                return Ok(Value::Array(items));
            }
        }
    }

    /// After an entry: a comma, or the end.
    fn goes_on(&mut self, end: char) -> Result<bool, Fault> {
        self.skip()?;
        self.next()?;
        match (self.take(','), self.take(end)) {
            (true, false) => Ok(true),
            // A comma and at once the end.
            (true, true) => {
                self.repaired = true;
                Ok(false)
            }
            (false, true) => Ok(false),
            (false, false) => self.malformed("a comma is missing"),
        }
    }

    fn key(&mut self) -> Result<String, Fault> {
        match self.next()? {
            '"' | '\'' | '“' | '‘' => self.string(),
            c if c.is_alphabetic() || c == '_' => {
                self.repaired = true;
                let rest = self.rest();
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
                let key = rest[..end].to_owned();
                self.at += end;
                Ok(key)
            }
            _ => self.malformed("a key is missing"),
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        let open = self.next()?;
        let close = match open {
            '“' => '”',
            '‘' => '’',
            plain => plain,
        };
        self.repaired |= open != '"';
        self.at += open.len_utf8();
        let mut out = String::new();
        loop {
            let c = self.next()?;
            self.at += c.len_utf8();
            match c {
                c if c == close => return Ok(out),
                '\\' => out.push(self.escaped()?),
                c => {
                    self.repaired |= c.is_control();
                    out.push(c);
                }
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Fault> {
        let c = self.next()?;
        self.at += c.len_utf8();
        Ok(match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode(),
            // `\'` and markdown escapes like `\_`.
            c if c.is_ascii_punctuation() => {
                self.repaired = true;
                c
            }
            _ => return self.malformed("a backslash escapes nothing"),
        })
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex()?;
        let code = if (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u") {
            self.at += 2;
            let second = self.hex()?;
            0x10000 + ((first - 0xD800) << 10) + (second.wrapping_sub(0xDC00) & 0x3FF)
        } else {
            first
        };
        char::from_u32(code).map_or_else(|| self.malformed("\\u names no character"), Ok)
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return if self.rest().len() < 4 { Err(Fault::Cut) } else { self.malformed("\\u needs four hex digits") };
        };
        self.at += 4;
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        if end == rest.len() {
            return Err(Fault::Cut);
        }
        match serde_json::from_str::<Number>(&rest[..end]) {
            Ok(number) => {
                self.at += end;
                Ok(Value::Number(number))
            }
            Err(_) => self.malformed("no JSON number"),
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric()).ok_or(Fault::Cut)?;
        let (value, strict) = match &rest[..end] {
            "true" => (Value::Bool(true), true),
            "false" => (Value::Bool(false), true),
            "null" => (Value::Null, true),
            "True" => (Value::Bool(true), false),
            "False" => (Value::Bool(false), false),
            "None" => (Value::Null, false),
            _ => return self.malformed("a value without quotes"),
        };
        self.repaired |= !strict;
        self.at += end;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn plain_json_needs_no_repair() {
        let text = r#"{"a": [1, -2.50, 1e3, true, null], "b": "x \" \\ \u00e9 \ud83d\ude00"} and more"#;
        let read = read(text).unwrap();
        assert_eq!(read.value, json!({ "a": [1, -2.5, 1000.0, true, null], "b": "x \" \\ é 😀" }));
        assert_eq!((&text[read.length..], read.repaired), (" and more", false));
    }

    #[test]
    fn the_stated_repairs_are_made_and_noted() {
        for (text, value) in [
            ("{'a': 'it\\'s'}", json!({ "a": "it's" })),
            ("{“a”: “x”}", json!({ "a": "x" })),
            ("{a: 1, b_2: 2}", json!({ "a": 1, "b_2": 2 })),
            ("{\"a\": [1, 2,], }", json!({ "a": [1, 2] })),
            ("{\"a\": True, \"b\": None}", json!({ "a": true, "b": null })),
            ("{\"a\": 1, // one\n\"b\": 2 # two\n}", json!({ "a": 1, "b": 2 })),
            ("[1, /* two */ 2]", json!([1, 2])),
            ("{\"a\": \"x\ny\"}", json!({ "a": "x\ny" })),
            ("{\"a\\_b\": 1}", json!({ "a_b": 1 })),
        ] {
            let read = read(text).unwrap();
            assert_eq!((read.value, read.repaired), (value, true), "{text}");
        }
        assert!(!read("{\"a\": \"http://x # y\"}").unwrap().repaired);
    }

    #[test]
    fn a_cut_value_is_not_completed() {
        for text in
            ["{", "{\"a\"", "{\"a\": 1", "{\"a\": \"x", "[1, 2", "{\"a\": tru", "[{\"a\": 1}", "{\"a\": \"\\u00"]
        {
            assert_eq!(read(text), Err(Fault::Cut), "{text}");
            assert_eq!(balanced(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_json_is_malformed() {
        for text in [
            "{1}",
            "{\"a\" 1}",
            "{\"a\": 1,234.50}",
            "{\"a\": 12 EUR}",
            "{\"a\": text}",
            "[1 2]",
            "{,}",
            "{\"a\": 1, \"a\": 2}",
            "[007]",
        ] {
            assert!(matches!(read(text), Err(Fault::Malformed(_))), "{text}: {:?}", read(text));
        }
        assert!(matches!(read(&"[".repeat(1000)), Err(Fault::Malformed(_))));
        assert_eq!(balanced("{\"}\": [1] x} y"), Some(12));
    }
}
