//! Reading JSON that may have other types than documented: what does not fit is absent, never an error.

use serde_json::Value;

/// The text of a member; `None` if it is missing, null, empty or no text.
pub fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// A count: a whole number ≥ 0, also written as `3.0` or `"3"`.
pub fn count(value: &Value, name: &str) -> Option<u64> {
    let value = value.get(name)?;
    value.as_u64().or_else(|| match value {
        Value::Number(number) => {
            number.as_f64().filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n)).map(|n| n as u64)
        }
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    })
}

/// A finite number ≥ 0.
pub fn amount(value: &Value, name: &str) -> Option<f64> {
    value.get(name).and_then(Value::as_f64).filter(|n| n.is_finite() && *n >= 0.0)
}

/// A finite number > 0.
pub fn rate(value: &Value, name: &str) -> Option<f64> {
    amount(value, name).filter(|n| *n > 0.0)
}

/// The items of a list; nothing if it is no list.
pub fn items<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
