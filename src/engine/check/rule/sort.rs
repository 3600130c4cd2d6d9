//! The order of items and the numbers in a text.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::{
    Finding, Size, Unit,
    find::{bare, base, finding},
};
use crate::engine::check::{answer::shorten, number, rational::Rational, text};

/// What items are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The alphabet, in any case, accents and punctuation apart.
    Letters,
    /// The first number of each item.
    Numbers,
    /// How many words each has.
    Words,
    /// How many characters each has, white space apart.
    Length,
}

enum Key {
    Letters(String),
    Number(Rational),
    Count(usize),
}

impl Key {
    /// `reading` is one of the two ways to count words.
    fn of(by: By, item: &str, reading: usize) -> Option<Self> {
        let item = text::without_marker(item);
        match by {
            By::Letters => {
                let plain = |c: char| if c.is_alphanumeric() { base(c) } else { ' ' };
                let key = text::squeeze(&bare(item).chars().map(plain).collect::<String>());
                (!key.is_empty()).then_some(Self::Letters(key))
            }
            By::Numbers => number::all(item).into_iter().next().map(|(_, number)| Self::Number(number.value)),
            By::Words => Some(Self::Count(text::word_counts(item)[reading])),
            By::Length => Some(Self::Count(item.chars().filter(|c| !c.is_whitespace()).count())),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Letters(a), Self::Letters(b)) => a.cmp(b),
            (Self::Number(a), Self::Number(b)) => a.as_f64().total_cmp(&b.as_f64()),
            (Self::Count(a), Self::Count(b)) => a.cmp(b),
            _ => Ordering::Equal,
        }
    }
}

/// Whether the items stand in this order. Equal neighbours are in order for letters and numbers; counts must grow (or
/// fall) from each item to the next.
pub(super) fn sorted(of: Unit, by: By, falling: bool, text: &str) -> Finding {
    let items = of.items(text);
    if items.len() < 2 {
        return finding(false, format!("there are {} {}: nothing to sort", items.len(), of.name()));
    }
    let spaced = in_order(&items, by, falling, 0);
    if spaced.is_err() && by == By::Words && in_order(&items, by, falling, 1).is_ok() {
        return finding(true, format!("the {} are in order", of.name()));
    }
    spaced.map_or_else(|why| finding(false, why), |()| finding(true, format!("the {} are in order", of.name())))
}

fn in_order(items: &[String], by: By, falling: bool, reading: usize) -> Result<(), String> {
    let key = |item: &String| Key::of(by, item, reading).ok_or_else(|| format!("{} cannot be sorted", shorten(item)));
    let keys: Vec<Key> = items.iter().map(key).collect::<Result<_, _>>()?;
    let strict = matches!(by, By::Words | By::Length);
    let wrong = |pair: &[Key]| {
        let order = if falling { pair[1].compare(&pair[0]) } else { pair[0].compare(&pair[1]) };
        order == Ordering::Greater || (strict && order == Ordering::Equal)
    };
    match keys.windows(2).position(wrong) {
        Some(at) => Err(format!("{} must not follow {}", shorten(&items[at + 1]), shorten(&items[at]))),
        None => Ok(()),
    }
}

/// Whether there are so many numbers written in digits, and all in the range.
pub(super) fn numbers(size: Size, between: Option<(i64, i64)>, text: &str) -> Finding {
    let numbers = number::all(text);
    if !size.holds(numbers.len()) {
        return finding(false, format!("{} numbers, asked for {}", numbers.len(), size.words()));
    }
    if let Some((low, high)) = between {
        let out = |value: &Rational| {
            let bound = |bound: i64| Rational::new(i128::from(bound), 1).unwrap_or(Rational::ZERO).as_f64();
            value.as_f64() < bound(low) || value.as_f64() > bound(high)
        };
        if let Some((_, number)) = numbers.iter().find(|(_, number)| out(&number.value)) {
            return finding(false, format!("{} is not in {low} to {high}", number.value.as_f64()));
        }
    }
    finding(true, format!("{} numbers, as asked for", numbers.len()))
}
