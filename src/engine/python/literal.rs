//! Reads Python literals as task files write them. Imports: `super::value`.

use super::value::Value;

/// Brackets that may stand inside of each other.
const DEEPEST: u32 = 40;

/// The value of a literal; else what is wrong with it. Beside Python's own literals, `inf`, `nan`, `set()`, `frozenset()`
/// and `frozenset({…})` are read.
pub fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader { rest: text, depth: 0 };
    let value = reader.value()?;
    reader.space();
    if reader.rest.is_empty() { Ok(value) } else { Err(format!("goes on with {:?} after its value", cut(reader.rest))) }
}

fn cut(text: &str) -> String {
    text.chars().take(20).collect()
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &str {
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn value(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("is nested deeper than {DEEPEST}"));
        }
        let value = self.one();
        self.depth -= 1;
        value
    }

    fn one(&mut self) -> Result<Value, String> {
        if self.take("[") {
            return Ok(Value::List(self.items("]")?.0));
        }
        if self.take("(") {
            let (mut items, comma) = self.items(")")?;
            return Ok(match (items.len(), comma) {
                (1, false) => items.remove(0),
                _ => Value::Tuple(items),
            });
        }
        if self.take("{") {
            return self.braces();
        }
        if self.take("-") {
            return negated(self.one()?);
        }
        match self.rest.chars().next() {
            Some('0'..='9' | '.') => self.number(),
            Some('\'' | '"') => self.texts(),
            Some(c) if c.is_ascii_alphabetic() => self.named(),
            Some(_) => Err(format!("has no literal at {:?}", cut(self.rest))),
            None => Err("ends where a value should be".to_owned()),
        }
    }

    fn named(&mut self) -> Result<Value, String> {
        let before = self.rest;
        let word = self.word().to_owned();
        if self.rest.starts_with(['\'', '"']) {
            self.rest = before;
            return self.texts();
        }
        match word.as_str() {
            "None" => Ok(Value::None),
            "True" => Ok(Value::Bool(true)),
            "False" => Ok(Value::Bool(false)),
            "inf" => Ok(Value::Float(f64::INFINITY)),
            "nan" => Ok(Value::Float(f64::NAN)),
            "set" if self.take("(") && self.take(")") => Ok(Value::Set(Vec::new())),
            "frozenset" if self.take("(") => {
                if self.take(")") {
                    return Ok(Value::FrozenSet(Vec::new()));
                }
                match self.value()? {
                    Value::Set(items) if self.take(")") => Ok(Value::FrozenSet(items)),
                    _ => Err("frozenset takes a set literal".to_owned()),
                }
            }
            _ => Err(format!("{word:?} is no literal; calls and names are not computed")),
        }
    }

    /// Items up to the closing bracket, and whether a comma stood behind the last.
    fn items(&mut self, close: &str) -> Result<(Vec<Value>, bool), String> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.take(close) {
            if !items.is_empty() && !comma && !self.rest.is_empty() {
                return Err(format!("has no comma or {close:?} at {:?}", cut(self.rest)));
            }
            items.push(self.value()?);
            comma = self.take(",");
        }
        Ok((items, comma))
    }

    fn braces(&mut self) -> Result<Value, String> {
        let (mut pairs, mut items) = (Vec::new(), Vec::new());
        let mut comma = true;
        while !self.take("}") {
            if !comma && !self.rest.is_empty() {
                return Err(format!("has no comma or \"}}\" at {:?}", cut(self.rest)));
            }
            let key = self.value()?;
            if matches!(key, Value::List(_) | Value::Set(_) | Value::Dict(_)) {
                return Err(format!("{key} cannot be in a set or a key"));
            }
            if self.take(":") {
                pairs.push((key, self.value()?));
            } else {
                items.push(key);
            }
            comma = self.take(",");
        }
        if pairs.is_empty() == items.is_empty() && !items.is_empty() {
            return Err("mixes a set and a dict".to_owned());
        }
        let keys: Vec<&Value> = pairs.iter().map(|(key, _)| key).chain(&items).collect();
        if let Some(twice) = keys.iter().enumerate().find(|(index, key)| keys[..*index].contains(key)) {
            return Err(format!("has {} twice", twice.1));
        }
        Ok(if items.is_empty() { Value::Dict(pairs) } else { Value::Set(items) })
    }

    fn number(&mut self) -> Result<Value, String> {
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let is_exponent_sign = matches!(byte, b'+' | b'-')
                && matches!(bytes.get(end.wrapping_sub(1)), Some(b'e' | b'E'))
                && !self.rest.starts_with("0x");
            if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_exponent_sign {
                end += 1;
            } else {
                break;
            }
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let digits = text.replace('_', "");
        let wrong = || format!("{text:?} is no number");
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
            if let Some(digits) = digits.to_ascii_lowercase().strip_prefix(prefix) {
                return Ok(Value::Int(i128::from_str_radix(digits, radix).map_err(|_| wrong())?.to_string()));
            }
        }
        if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let plain = digits.trim_start_matches('0');
            if plain.len() < digits.len() && !plain.is_empty() {
                return Err(format!("{text:?} starts with 0"));
            }
            return Ok(Value::Int(if plain.is_empty() { "0".to_owned() } else { plain.to_owned() }));
        }
        if let Some(imaginary) = digits.strip_suffix(['j', 'J']) {
            return Ok(Value::Complex(0.0, imaginary.parse().map_err(|_| wrong())?));
        }
        // Rust also reads words such as "infinity"; those do not start with a digit
        digits.parse().map(Value::Float).map_err(|_| wrong())
    }

    /// One text or byte literal, or several side by side.
    fn texts(&mut self) -> Result<Value, String> {
        let mut joined: Option<(bool, Vec<u8>)> = None;
        loop {
            self.space();
            let mark = self.rest.find(['\'', '"']).filter(|at| {
                *at <= 2 && self.rest[..*at].chars().all(|c| matches!(c.to_ascii_lowercase(), 'r' | 'b' | 'u'))
            });
            let Some(mark) = mark else { break };
            let prefix = self.rest[..mark].to_ascii_lowercase();
            self.rest = &self.rest[mark..];
            let is_bytes = prefix.contains('b');
            let mut text = Vec::new();
            self.text(is_bytes, prefix.contains('r'), &mut text)?;
            match &mut joined {
                Some((same, _)) if *same != is_bytes => return Err("joins text and bytes".to_owned()),
                Some((_, all)) => all.extend(text),
                None => joined = Some((is_bytes, text)),
            }
        }
        match joined {
            Some((true, bytes)) => Ok(Value::Bytes(bytes)),
            Some((false, text)) => {
                Ok(Value::Str(String::from_utf8(text).map_err(|_| "has half a character".to_owned())?))
            }
            None => Err(format!("has no text at {:?}", cut(self.rest))),
        }
    }

    fn text(&mut self, is_bytes: bool, is_raw: bool, out: &mut Vec<u8>) -> Result<(), String> {
        let quote = &self.rest[..1];
        let quote = if self.rest.starts_with(&quote.repeat(3)) { quote.repeat(3) } else { quote.to_owned() };
        self.rest = &self.rest[quote.len()..];
        loop {
            if let Some(rest) = self.rest.strip_prefix(&quote) {
                self.rest = rest;
                return Ok(());
            }
            let mut chars = self.rest.chars();
            let c = chars.next().ok_or("has a text that does not close")?;
            self.rest = chars.as_str();
            if c == '\\' && !is_raw {
                self.escape(is_bytes, out)?;
            } else if c == '\n' && quote.len() == 1 {
                return Err("has a line break in a text; write \\n".to_owned());
            } else if is_bytes && !c.is_ascii() {
                return Err(format!("{c:?} cannot stand in bytes"));
            } else {
                out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }

    fn escape(&mut self, is_bytes: bool, out: &mut Vec<u8>) -> Result<(), String> {
        let mut chars = self.rest.chars();
        let c = chars.next().ok_or("has a text that does not close")?;
        self.rest = chars.as_str();
        let plain = match c {
            '\n' => return Ok(()),
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            '\\' | '\'' | '"' => c,
            'x' | 'u' | 'U' if c == 'x' || !is_bytes => {
                let count = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits = self.rest.get(..count).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).map_err(|_| format!("has a broken escape \\{c}{digits}"))?;
                self.rest = &self.rest[count..];
                if is_bytes {
                    out.push(code as u8);
                    return Ok(());
                }
                char::from_u32(code).ok_or_else(|| format!("\\{c}{digits} is no character"))?
            }
            other => {
                return Err(format!("has the escape \\{other}, which is not read here; write the character itself"));
            }
        };
        out.extend(plain.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}

fn negated(value: Value) -> Result<Value, String> {
    match value {
        Value::Int(digits) if digits == "0" => Ok(Value::Int(digits)),
        Value::Int(digits) => Ok(Value::Int(match digits.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{digits}"),
        })),
        Value::Float(float) => Ok(Value::Float(-float)),
        Value::Complex(re, im) => Ok(Value::Complex(-re, -im)),
        other => Err(format!("{other} has no negative")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_python_reads_them() {
        let int = |n: i64| Value::Int(n.to_string());
        for (text, value) in [
            (" -1_000 ", int(-1000)),
            ("0xff", int(255)),
            ("00", int(0)),
            ("100000000000000000000000000000000000000000", Value::Int(format!("1{}", "0".repeat(41)))),
            ("1e3", Value::Float(1000.0)),
            ("-.5", Value::Float(-0.5)),
            ("1.5e-2", Value::Float(0.015)),
            ("2j", Value::Complex(0.0, 2.0)),
            ("(1)", int(1)),
            ("(1,)", Value::Tuple(vec![int(1)])),
            ("()", Value::Tuple(vec![])),
            ("[1, [],]", Value::List(vec![int(1), Value::List(vec![])])),
            ("{}", Value::Dict(vec![])),
            ("{'a': 1,}", Value::Dict(vec![(Value::Str("a".into()), int(1))])),
            ("{1, 2}", Value::Set(vec![int(1), int(2)])),
            ("'a' \"b\"", Value::Str("ab".into())),
            (r#"'\x41\u00e9\n\\\''"#, Value::Str("Aé\n\\'".into())),
            (r"r'\n'", Value::Str("\\n".into())),
            (r"b'\xff'", Value::Bytes(vec![255])),
            ("'''a\nb'''", Value::Str("a\nb".into())),
            ("frozenset({1})", Value::FrozenSet(vec![int(1)])),
        ] {
            assert_eq!(read(text), Ok(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_literal_says_why() {
        for (text, why) in [
            ("", "ends where"),
            ("[1", "ends where"),
            ("[1 2]", "no comma"),
            ("'a", "does not close"),
            ("x", "\"x\" is no literal"),
            ("f(1)", "\"f\" is no literal"),
            ("1 + 1", "goes on with \"+ 1\""),
            ("{[1]: 2}", "cannot be in a set"),
            ("{1, 2: 3}", "mixes"),
            ("{1, 1}", "has 1 twice"),
            ("012", "starts with 0"),
            ("1.2.3", "is no number"),
            ("-'a'", "has no negative"),
            (&"[".repeat(100), "nested deeper"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
