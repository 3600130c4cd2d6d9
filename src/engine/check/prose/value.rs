//! Values in prose: numbers in digits or words, and whether a value is denied (`not 42`) or hedged (`42 or 43`).

use super::split;
use crate::engine::check::{number, rational::Rational, spelled, text};

/// All numbers of a text, in digits or in words up to ninety-nine.
pub fn numbers(said: &str) -> Vec<Rational> {
    let mut found: Vec<Rational> = number::all(said).into_iter().map(|(_, number)| number.value).collect();
    let words = split::words(said);
    let mut at = 0;
    while at < words.len() {
        let two =
            words.get(at..at + 2).and_then(spelled::read).filter(|_| spelled::read(&words[at + 1..at + 2]).is_some());
        let (value, taken) = match two {
            Some(value) => (Some(value), 2),
            None => (spelled::read(&words[at..=at]), 1),
        };
        found.extend(value.and_then(|value| Rational::new(value, 1)));
        at += taken;
    }
    found
}

/// Words that take back the value right behind them.
const TAKING_BACK: [&str; 3] = ["not", "never", "isn't"];

/// Whether one of the forms of `a|b` stands in the text as whole words, and not only behind a `not`.
pub fn states(said: &str, forms: &str) -> bool {
    // names of arguments, such as `booking_id`, are words too
    let there = split::words(&said.replace('_', " "));
    forms.split('|').map(|form| split::words(&form.replace('_', " "))).any(|form| {
        places(&there, &form).into_iter().any(|at| at == 0 || !TAKING_BACK.contains(&there[at - 1].as_str()))
    })
}

/// Where a phrase stands; a possessive is its word.
pub(super) fn places(there: &[String], phrase: &[String]) -> Vec<usize> {
    let bare = |word: &String| word.strip_suffix("'s").unwrap_or(word).to_owned();
    if phrase.is_empty() || there.len() < phrase.len() {
        return Vec::new();
    }
    (0..=there.len() - phrase.len())
        .filter(|at| there[*at..*at + phrase.len()].iter().zip(phrase).all(|(a, b)| bare(a) == bare(b)))
        .collect()
}

/// Whether the text offers the value beside another of its kind: `RB-6174 or RB-6175`, `Hornbeam or Birch`. Only values with
/// digits, names and addresses have a kind.
pub fn hedged(said: &str, value: &str) -> bool {
    let plain = split::plain(said);
    let tokens: Vec<&str> = plain
        .split_whitespace()
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|token| !token.is_empty())
        .collect();
    if value.starts_with(char::is_lowercase) && !value.contains('@') {
        return false;
    }
    let digits = value.chars().any(|c| c.is_ascii_digit());
    let kind = |token: &str| match digits {
        true => token.chars().any(|c| c.is_ascii_digit()),
        false => token.starts_with(char::is_uppercase) || token.contains('@'),
    };
    let wanted = number::read(value).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number.value);
    let is = |tokens: &[&str]| {
        let joined = tokens.join(" ");
        value.split('|').any(|form| text::occurrences(&joined, form, false) > 0)
            || wanted.is_some_and(|wanted| number::all(&joined).iter().any(|(_, number)| number.value == wanted))
    };
    (1..tokens.len().saturating_sub(1)).filter(|at| tokens[*at].eq_ignore_ascii_case("or")).any(|at| {
        let before = &tokens[at.saturating_sub(2)..at];
        let after = &tokens[at + 1..tokens.len().min(at + 3)];
        let alike = |side: &[&str]| side.iter().any(|token| kind(token)) && !is(side);
        (is(before) && alike(after)) || (is(after) && alike(before))
    })
}
