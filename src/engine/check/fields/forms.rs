//! The forms in which a value is right: texts, numbers, rows of digits and lists of plain values.

use serde_json::Value;

use super::{
    Tree,
    leaf::{Case, Digits, Items, NumberLeaf, Text, Worth, shown},
};
use crate::engine::check::{number, rational::Rational, text};

/// One text or several; `None` if it is neither.
pub(super) fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// A text in one spelling: single spaces, plain quotes and dashes, none of what layout adds.
fn plain(text: &str) -> String {
    let plain: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}'))
        .map(|c| match c {
            '‘' | '’' | 'ʼ' => '\'',
            '“' | '”' | '„' => '"',
            '‐' | '‑' | '–' | '—' | '−' => '-',
            c => c,
        })
        .collect();
    text::squeeze(&plain)
}

impl Text {
    pub(super) fn is(&self, found: &str) -> bool {
        let fold = |text: &str| match self.case {
            Some(Case::Exact) => plain(text),
            None => plain(text).to_lowercase().trim_end_matches(['.', ' ']).to_owned(),
        };
        let found = fold(found);
        texts(&self.text).is_some_and(|texts| texts.iter().any(|text| fold(text) == found))
    }
}

impl NumberLeaf {
    pub(super) fn is(&self, found: &Value) -> bool {
        let value = match found {
            Value::Number(number) => exact(number),
            Value::String(text) if self.lenient => {
                number::read(text).filter(|(_, rest)| rest.trim().is_empty()).map(|(number, _)| number.value)
            }
            _ => None,
        };
        value.is_some_and(|value| exact(&self.number).is_some_and(|wanted| value == wanted))
    }
}

/// A JSON number without loss; `None` beyond what fits.
pub(super) fn exact(number: &serde_json::Number) -> Option<Rational> {
    number::read(&number.to_string()).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number.value)
}

impl Digits {
    pub(super) fn is(&self, found: &str) -> bool {
        let found = text::plain_hyphens(found);
        let plain = found.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || "+-/.()".contains(c));
        let digits: String = found.chars().filter(char::is_ascii_digit).collect();
        plain && texts(&self.digits).is_some_and(|texts| texts.contains(&digits.as_str()))
    }
}

impl Items {
    pub(super) fn compare(&self, found: &Value) -> Worth {
        let wanted = self.items.len();
        let Value::Array(found) = found else {
            return Err(format!("is {}, wanted a list", shown(found)));
        };
        if wanted == 0 {
            return if found.is_empty() {
                Ok(1.0)
            } else {
                Err(format!("has {} values, wanted an empty list", found.len()))
            };
        }
        let right = |item: &Tree, value: &Value| match item {
            Tree::Leaf(leaf) => leaf.compare(Some(value)).is_ok(),
            _ => false,
        };
        let matched = if self.order { self.in_order(found, right) } else { self.in_any_order(found, right) };
        let most = wanted.max(found.len());
        if matched == most { Ok(1.0) } else { Ok(matched as f64 / most as f64) }
    }

    /// The most values that are right from left to right (the longest common subsequence).
    fn in_order(&self, found: &[Value], right: impl Fn(&Tree, &Value) -> bool) -> usize {
        let mut best = vec![0; self.items.len() + 1];
        for value in found {
            let mut corner = 0;
            for (index, item) in self.items.iter().enumerate() {
                let above = best[index + 1];
                best[index + 1] = if right(item, value) { corner + 1 } else { above.max(best[index]) };
                corner = above;
            }
        }
        best.last().copied().unwrap_or(0)
    }

    /// Each expected value takes one that is right and still free.
    fn in_any_order(&self, found: &[Value], right: impl Fn(&Tree, &Value) -> bool) -> usize {
        let mut free: Vec<&Value> = found.iter().collect();
        let mut matched = 0;
        for item in &self.items {
            if let Some(index) = free.iter().position(|value| right(item, value)) {
                free.swap_remove(index);
                matched += 1;
            }
        }
        matched
    }
}
