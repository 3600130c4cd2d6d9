//! Python values by exact type, and when two are the same. Imports: std only.

use std::fmt;

/// A value of a built-in type, or the name of what it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    /// Decimal digits, with a minus sign where it is negative; Python's integers have no limit.
    Int(String),
    Float(f64),
    Complex(f64, f64),
    Str(String),
    Bytes(Vec<u8>),
    List(Vec<Self>),
    Tuple(Vec<Self>),
    Set(Vec<Self>),
    FrozenSet(Vec<Self>),
    /// Pairs in the order in which they were set; `defaultdict`, `OrderedDict` and `Counter` are dicts.
    Dict(Vec<(Self, Self)>),
    /// What a generator, `map`, `range`, dict view or other lazy value of the language gave, item by item.
    Lazy(Vec<Self>),
    /// An object of another class, by the name of its class; equals nothing.
    Other(String),
    /// A value with too many parts to look at; equals nothing.
    TooLarge,
}

/// How a list of values is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compare {
    /// Same types, same order.
    #[default]
    Exact,
    /// The outermost list or tuple has the same items, in any order.
    Unordered,
    /// Lists, tuples and lazy values with the same items in the same order are the same, at every depth.
    Items,
}

/// The rule by which a case compares.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rule {
    pub compare: Compare,
    /// Distance, absolute or relative, within which numbers are the same; `None`: equal and of the same type.
    pub close: Option<f64>,
}

impl Rule {
    /// Whether a value is the wanted one.
    pub fn same(self, found: &Value, wanted: &Value) -> bool {
        let inner =
            Self { compare: if self.compare == Compare::Unordered { Compare::Exact } else { self.compare }, ..self };
        match (self.compare, found, wanted) {
            (Compare::Unordered, Value::List(a) | Value::Tuple(a), Value::List(b) | Value::Tuple(b)) => {
                paired(a, b, |a, b| inner.same(a, b))
            }
            (
                Compare::Items,
                Value::List(a) | Value::Tuple(a) | Value::Lazy(a),
                Value::List(b) | Value::Tuple(b) | Value::Lazy(b),
            ) => inner.in_order(a, b),
            _ => inner.by_type(found, wanted),
        }
    }

    fn in_order(self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
    }

    fn by_type(self, found: &Value, wanted: &Value) -> bool {
        if let (Some(close), Some(a), Some(b)) = (self.close, found.number(), wanted.number()) {
            return near(a, b, close);
        }
        match (found, wanted) {
            (Value::None, Value::None) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::Complex(a, b), Value::Complex(c, d)) => match self.close {
                Some(close) => near(*a, *c, close) && near(*b, *d, close),
                None => a == c && b == d,
            },
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::List(a), Value::List(b))
            | (Value::Tuple(a), Value::Tuple(b))
            | (Value::Lazy(a), Value::Lazy(b)) => self.in_order(a, b),
            (Value::Set(a), Value::Set(b)) | (Value::FrozenSet(a), Value::FrozenSet(b)) => {
                paired(a, b, |a, b| self.same(a, b))
            }
            (Value::Dict(a), Value::Dict(b)) => paired(a, b, |a, b| self.same(&a.0, &b.0) && self.same(&a.1, &b.1)),
            _ => false,
        }
    }
}

/// Whether each item has a partner of its own on the other side.
fn paired<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut left: Vec<&T> = b.iter().collect();
    a.iter().all(|item| match left.iter().position(|other| same(item, other)) {
        Some(index) => {
            left.remove(index);
            true
        }
        None => false,
    })
}

fn near(a: f64, b: f64, close: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || {
        let distance = (a - b).abs();
        distance.is_finite() && (distance <= close || distance <= close * a.abs().max(b.abs()))
    }
}

impl Value {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Int(digits) => digits.parse().ok(),
            Self::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The value as Python source that gives it again; `None` for what has none. Lazy values become iterators.
    pub fn source(&self) -> Option<String> {
        fn all(items: &[Value]) -> Option<String> {
            Some(items.iter().map(Value::source).collect::<Option<Vec<_>>>()?.join(", "))
        }
        Some(match self {
            Self::None | Self::Bool(_) | Self::Str(_) | Self::Bytes(_) => self.to_string(),
            Self::Int(digits) => format!("({digits})"),
            Self::Float(float) => format!("float('{float:?}')"),
            Self::Complex(re, im) => format!("complex(float('{re:?}'), float('{im:?}'))"),
            Self::List(items) => format!("[{}]", all(items)?),
            Self::Tuple(items) if items.is_empty() => "()".to_owned(),
            Self::Tuple(items) => format!("({},)", all(items)?),
            Self::Set(items) => format!("set([{}])", all(items)?),
            Self::FrozenSet(items) => format!("frozenset([{}])", all(items)?),
            Self::Dict(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| Some(format!("{}: {}", key.source()?, value.source()?)));
                format!("{{{}}}", pairs.collect::<Option<Vec<_>>>()?.join(", "))
            }
            Self::Lazy(items) => format!("iter([{}])", all(items)?),
            Self::Other(_) | Self::TooLarge => return None,
        })
    }
}

/// Text as Python writes it: single quotes unless only those are in it; everything outside of ASCII escaped if asked.
pub fn quoted(text: &str, ascii: bool) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c if !ascii && !c.is_control() && c.is_alphanumeric() => out.push(c),
            c if (c as u32) < 0x100 => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if (c as u32) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push_str(&format!("\\U{:08x}", c as u32)),
        }
    }
    out.push(quote);
    out
}

/// A float as Python writes it.
fn float(f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
    match value {
        value if value.is_nan() => f.write_str("nan"),
        value if value.is_infinite() => f.write_str(if value > 0.0 { "inf" } else { "-inf" }),
        value => write!(f, "{value:?}"),
    }
}

fn list(f: &mut fmt::Formatter<'_>, open: &str, items: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    f.write_str(close)
}

impl fmt::Display for Value {
    /// As Python's `repr` writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Bool(true) => f.write_str("True"),
            Self::Bool(false) => f.write_str("False"),
            Self::Int(digits) => f.write_str(digits),
            Self::Float(value) => float(f, *value),
            Self::Complex(re, im) => {
                f.write_str("(")?;
                float(f, *re)?;
                f.write_str(if im.is_sign_negative() { "-" } else { "+" })?;
                float(f, im.abs())?;
                f.write_str("j)")
            }
            Self::Str(text) => f.write_str(&quoted(text, false)),
            Self::Bytes(bytes) => {
                let escaped = |byte: &u8| match *byte {
                    b'\'' | b'\\' => format!("\\{}", char::from(*byte)),
                    0x20..=0x7e => char::from(*byte).to_string(),
                    other => format!("\\x{other:02x}"),
                };
                write!(f, "b'{}'", bytes.iter().map(escaped).collect::<String>())
            }
            Self::List(items) => list(f, "[", items, "]"),
            Self::Tuple(items) => list(f, "(", items, if items.len() == 1 { ",)" } else { ")" }),
            Self::Set(items) if items.is_empty() => f.write_str("set()"),
            Self::Set(items) => list(f, "{", items, "}"),
            Self::FrozenSet(items) if items.is_empty() => f.write_str("frozenset()"),
            Self::FrozenSet(items) => list(f, "frozenset({", items, "})"),
            Self::Dict(pairs) => {
                f.write_str("{")?;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
            Self::Lazy(items) => list(f, "an iterator over [", items, "]"),
            Self::Other(class) => write!(f, "an object of class {class}"),
            Self::TooLarge => f.write_str("a value too large to look at"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::literal, *};

    fn same(found: &str, wanted: &str, rule: Rule) -> bool {
        rule.same(&literal::read(found).unwrap(), &literal::read(wanted).unwrap())
    }

    #[test]
    fn types_are_exact_and_order_counts_only_where_python_has_one() {
        for (found, wanted, expected) in [
            ("1", "1", true),
            ("1", "True", false),
            ("1", "1.0", false),
            ("0.0", "-0.0", true),
            ("nan", "nan", true),
            ("[1, 2]", "(1, 2)", false),
            ("[1, 2]", "[2, 1]", false),
            ("{1, 2}", "{2, 1}", true),
            ("{1}", "{True}", false),
            ("{1}", "frozenset({1})", false),
            ("{'a': 1, 'b': [2]}", "{'b': [2], 'a': 1}", true),
            ("{'a': 1}", "{'a': 1, 'b': 2}", false),
            ("{'a': 1}", "{'a': True}", false),
            ("'a'", "b'a'", false),
            ("'é'", "'e'", false),
            ("None", "False", false),
            ("1j", "1j", true),
        ] {
            assert_eq!(same(found, wanted, Rule::default()), expected, "{found} {wanted}");
        }
        assert!(!Rule::default().same(&Value::TooLarge, &Value::TooLarge));
        assert!(!Rule::default().same(&Value::Other("E".into()), &Value::Other("E".into())));
        assert!(!Rule::default().same(&Value::Lazy(vec![]), &Value::List(vec![])));
    }

    #[test]
    fn an_unordered_case_pairs_each_item_once() {
        let rule = Rule { compare: Compare::Unordered, close: None };
        assert!(same("[1, 2, 2]", "[2, 1, 2]", rule));
        assert!(same("(1, 2)", "[2, 1]", rule));
        assert!(!same("[1, 1, 2]", "[2, 1, 2]", rule));
        assert!(!same("[[1, 2]]", "[[2, 1]]", rule));
        assert!(!same("{1, 2}", "[1, 2]", rule));
    }

    #[test]
    fn an_items_case_takes_any_sequence_at_any_depth() {
        let rule = Rule { compare: Compare::Items, close: None };
        assert!(same("[(1, 'a')]", "([1, 'a'],)", rule));
        assert!(rule.same(&Value::Lazy(vec![Value::Bool(true)]), &Value::List(vec![Value::Bool(true)])));
        assert!(!same("'ab'", "['a', 'b']", rule));
        assert!(!same("{1}", "[1]", rule));
    }

    #[test]
    fn close_numbers_may_be_of_either_type_but_never_truth_values() {
        let rule = Rule { compare: Compare::Exact, close: Some(1e-6) };
        assert!(same("[0.30000000000000004]", "[0.3]", rule));
        assert!(same("3", "3.0", rule));
        assert!(same("1000000.5", "1000000", rule));
        assert!(!same("1.00001", "1.0", rule));
        assert!(!same("True", "1", rule));
        assert!(!same("inf", "1.0", rule));
        assert!(same("{1.0000000001: 2}", "{1: 2.0}", rule));
    }

    #[test]
    fn a_value_is_written_as_python_writes_it() {
        for text in [
            "None",
            "True",
            "-12",
            "2.5",
            "[1, (2,), ()]",
            "{'a': {1}}",
            "set()",
            "'it\\'s \"x\"'",
            "\"it's\"",
            "b'a\\x00'",
            "'\\n\\u200b'",
            "frozenset({1})",
        ] {
            assert_eq!(literal::read(text).unwrap().to_string(), text);
        }
    }
}
