//! Amounts: sums of money and quantities with a unit, read whole.

use serde_json::Value;

use super::{
    forms::exact,
    leaf::{Money, Quantity},
};
use crate::engine::check::{
    number::{self, Number},
    rational::Rational,
};

/// ISO codes with the signs and words that mean them.
const CURRENCIES: [(&str, &[&str]); 8] = [
    ("EUR", &["eur", "€", "euro", "euros"]),
    ("USD", &["usd", "$", "us$", "dollar", "dollars"]),
    ("GBP", &["gbp", "£", "pound", "pounds"]),
    ("CHF", &["chf", "fr.", "sfr.", "francs"]),
    ("JPY", &["jpy", "¥", "yen"]),
    ("SEK", &["sek", "kr", "kronor"]),
    ("PLN", &["pln", "zł", "zloty"]),
    ("CZK", &["czk", "kč", "koruna"]),
];

fn spellings(code: &str) -> Option<&'static [&'static str]> {
    CURRENCIES.iter().find(|(known, _)| *known == code).map(|(_, spellings)| *spellings)
}

/// A number that is all of the text, with what stands before and behind it.
fn read(text: &str) -> Option<(&str, Number, &str)> {
    let text = text.trim();
    let start = text.find(|c: char| c.is_ascii_digit())?;
    // A sign or a point belongs to the number.
    let lead = text[..start].trim_end_matches(['-', '−', '+', '.']);
    let lead = if text[..start].ends_with("r.") { &text[..start] } else { lead };
    let (number, rest) = number::read(&text[lead.len()..])?;
    Some((lead.trim(), number, rest.trim()))
}

fn wanted(text: &str) -> Option<Rational> {
    number::read(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number.value)
}

pub(super) fn validate_money(money: &Money) -> Result<(), String> {
    if wanted(&money.money).is_none() {
        return Err(format!("money {:?} is no number", money.money));
    }
    match spellings(&money.currency) {
        Some(_) => Ok(()),
        None => {
            let known: Vec<&str> = CURRENCIES.iter().map(|(code, _)| *code).collect();
            Err(format!("{:?} is no known currency; known: {}", money.currency, known.join(", ")))
        }
    }
}

/// Whether a value is this sum: a text in this currency, or the amount alone where that is enough.
pub(super) fn is_money(money: &Money, found: &Value) -> bool {
    let Some(wanted) = wanted(&money.money) else { return false };
    match found {
        Value::Number(number) => money.bare && exact(number) == Some(wanted),
        Value::String(text) => read(text).is_some_and(|(before, number, after)| {
            let known = spellings(&money.currency).unwrap_or(&[]);
            let fits = |written: &str| written.is_empty() || known.contains(&written.to_lowercase().as_str());
            // `€7.80`: the sign may stand before the amount, where the number takes it
            let named = !before.is_empty() || !after.is_empty() || number.currency.is_some();
            number.value == wanted && !number.percent && fits(before) && fits(after) && (named || money.bare)
        }),
        _ => false,
    }
}

pub(super) fn validate_quantity(quantity: &Quantity) -> Result<(), String> {
    match read(&quantity.quantity) {
        Some(("", _, unit)) if !unit.is_empty() => Ok(()),
        _ => Err(format!("quantity {:?} is no number with a unit, as in \"2.5 kg\"", quantity.quantity)),
    }
}

/// Whether a value is a text with this number and one of the unit's spellings, in any case.
pub(super) fn is_quantity(quantity: &Quantity, found: &Value) -> bool {
    let Some((("", wanted, unit), ("", number, written))) = read(&quantity.quantity).zip(found.as_str().and_then(read))
    else {
        return false;
    };
    let written = written.to_lowercase();
    let mut units = quantity.units.iter().map(String::as_str).chain([unit]);
    number.value == wanted.value && units.any(|unit| unit.to_lowercase() == written)
}
