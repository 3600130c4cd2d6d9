//! A right number: how an answer is read against it, and when two readings are one answer.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::{
    answer::{NEGATIONS, shorten, without_brackets},
    number::{self, Number},
    rational::Rational,
    text,
};

/// A right number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberKey {
    /// Written as a number or fraction: "42", "7/12", "-3.5".
    pub expected: String,
    /// How far off an answer may be; "0" unless said. The prompt says how to round.
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub tolerance: String,
    /// Spellings of the unit that may follow (or the currency before); leaving it out is fine, another unit is wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<String>,
    /// The answer is a percentage: "35" and "35 %" are the same. Otherwise 35 % is 0.35.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub percent: bool,
}

fn zero() -> String {
    "0".to_owned()
}

fn is_zero(text: &str) -> bool {
    text == "0"
}

/// A number that was taken for the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub value: Rational,
    /// Half a unit of the last digit written, for numbers with decimals.
    rounding: Option<Rational>,
    /// A unit that is not the one asked for.
    wrong_unit: Option<String>,
    pub shown: String,
}

/// Units that people write; one of them that the key does not list is another unit, not a remark.
const UNITS: [&str; 62] = [
    "km/h",
    "kmh",
    "mph",
    "m/s",
    "km",
    "cm",
    "mm",
    "m",
    "metres",
    "meters",
    "metre",
    "meter",
    "kilometres",
    "kilometers",
    "kilometre",
    "kilometer",
    "centimetres",
    "centimeters",
    "miles",
    "mile",
    "kg",
    "g",
    "mg",
    "grams",
    "gram",
    "kilograms",
    "tonnes",
    "lb",
    "seconds",
    "second",
    "sec",
    "s",
    "minutes",
    "minute",
    "min",
    "mins",
    "hours",
    "hour",
    "hrs",
    "hr",
    "h",
    "days",
    "day",
    "weeks",
    "week",
    "months",
    "month",
    "years",
    "year",
    "litres",
    "liters",
    "litre",
    "liter",
    "l",
    "ml",
    "dollars",
    "dollar",
    "euros",
    "euro",
    "cents",
    "€",
    "$",
];

const HEDGES: [&str; 9] = ["or", "either", "between", "wait", "actually", "correction", "rather", "instead", "maybe"];
const LEADS: [&str; 10] =
    ["approximately", "approx.", "approx", "about", "roughly", "exactly", "around", "≈", "~", "circa"];

impl NumberKey {
    /// The field that is wrong, and why.
    pub fn validate(&self) -> Result<(), (String, String)> {
        let number = |field: &str, text: &str| {
            let whole = number::read(text).filter(|(number, rest)| rest.is_empty() && !number.percent);
            whole
                .map(|_| ())
                .ok_or_else(|| (field.to_owned(), format!("{text:?} is no number; write \"42\" or \"7/12\"")))
        };
        number("expected", &self.expected)?;
        number("tolerance", &self.tolerance)?;
        match self.units.iter().find(|unit| unit.trim().is_empty()) {
            Some(_) => Err(("units".to_owned(), "a unit is empty; remove it".to_owned())),
            None => Ok(()),
        }
    }

    fn expected_value(&self) -> Option<Rational> {
        number::read(&self.expected).map(|(number, _)| number.value)
    }

    fn tolerance_value(&self) -> Rational {
        number::read(&self.tolerance).map_or(Rational::ZERO, |(number, _)| number.value)
    }

    /// Reads one number out of a cleaned candidate, or says why there is none.
    pub fn read(&self, candidate: &str) -> Result<Reading, String> {
        let bare = text::squeeze(&without_brackets(candidate));
        if bare.is_empty() {
            return Err("the answer is empty".to_owned());
        }
        // `12 + 30 = 42` and `7/12 ≈ 0.583`: every side that is a number must be the same number.
        let sides: Vec<Result<Reading, String>> = bare.split(['=', '≈']).map(|side| self.side(side)).collect();
        if let [only] = sides.as_slice() {
            return only.clone();
        }
        let readable: Vec<&Reading> = sides.iter().filter_map(|side| side.as_ref().ok()).collect();
        let Some(first) = readable.first() else {
            return Err(format!("no number in {}", shorten(candidate)));
        };
        if let Some(other) = readable.iter().find(|other| !self.same(first, other)) {
            return Err(format!("two different values: {} and {}", first.shown, other.shown));
        }
        // One side may be the other rounded, as the task may have asked: the right one counts.
        let right = readable.iter().find(|reading| self.compare(reading).0);
        Ok((*right.unwrap_or(first)).clone())
    }

    fn side(&self, side: &str) -> Result<Reading, String> {
        let side = side.trim();
        let start = LEADS
            .iter()
            .find_map(|lead| {
                let head = side.get(..lead.len())?;
                head.eq_ignore_ascii_case(lead).then(|| side[lead.len()..].trim_start())
            })
            .unwrap_or(side);
        if let Some((number, rest)) = number::read(start) {
            return self.with_tail(number, start, rest);
        }
        // Words before the number: only if it is the one number there, and nothing turns it around.
        let words: Vec<String> = text::words(side).into_iter().map(str::to_lowercase).collect();
        let turned = words.iter().any(|word| NEGATIONS.contains(&word.as_str()) || HEDGES.contains(&word.as_str()));
        let compared = ["less than", "more than", "fewer than", "at least", "at most"]
            .iter()
            .any(|phrase| text::occurrences(side, phrase, false) > 0);
        match number::all(side).as_slice() {
            [(at, number)] if !turned && !compared => {
                let tail = number::read(&side[*at..]).map_or("", |(_, rest)| rest);
                self.with_tail(number.clone(), &side[*at..], tail)
            }
            [] => small_word(&words)
                .and_then(|value| Rational::new(value, 1))
                .map(|value| Reading { value, rounding: None, wrong_unit: None, shown: words[0].clone() })
                .ok_or_else(|| format!("no number in {}", shorten(side))),
            _ => Err(format!("no single number in {}", shorten(side))),
        }
    }

    /// Reads what follows a number: its unit, and a remark that must not change it.
    fn with_tail(&self, number: Number, from: &str, rest: &str) -> Result<Reading, String> {
        let shown = from[..from.len() - rest.len()].trim().to_owned();
        let tail = rest.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
        let (unit, mut wrong_unit, tail) = self.unit(tail, rest);
        if let Some(currency) = number.currency
            && !self.units.is_empty()
            && !self.units.iter().any(|unit| unit == currency)
        {
            wrong_unit = Some(currency.to_owned());
        }
        let after = tail.trim_start();
        let operator = after.starts_with(['+', '−', '×', '*', '/', '·', '÷', '^', '-', '–', '±', '<', '>']);
        let words: Vec<String> = text::words(after).into_iter().map(str::to_lowercase).collect();
        let numbers = number::all(after);
        let range = matches!(words.first().map(String::as_str), Some("to" | "and" | "plus" | "minus" | "times"));
        let hedged = words.iter().any(|word| HEDGES.contains(&word.as_str()) || NEGATIONS.contains(&word.as_str()));
        let listed =
            after.starts_with([',', ';', '&']) && after[1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if !numbers.is_empty() && (operator || range || hedged || listed) {
            return Err(format!("no single number in {}", shorten(from)));
        }
        let value = if number.percent && !self.percent {
            number.value.times(Rational::power_of_ten(-2).unwrap_or(Rational::ZERO)).ok_or("the number is too large")?
        } else {
            number.value
        };
        let places = number
            .decimals
            .map(|d| i32::try_from(d).unwrap_or(0) + if number.percent && !self.percent { 2 } else { 0 });
        let rounding = places.and_then(|places| Rational::power_of_ten(-places));
        let shown = if unit.is_empty() { shown } else { format!("{shown} {unit}") };
        Ok(Reading { value, rounding, wrong_unit, shown })
    }

    /// The unit at the start of `tail`: the one written, the wrong one if it is another, and what follows.
    fn unit<'a>(&self, tail: &'a str, rest: &'a str) -> (String, Option<String>, &'a str) {
        let starts = |unit: &str| {
            let head = tail.get(..unit.len())?;
            let after = &tail[unit.len()..];
            let ends = !unit.ends_with(char::is_alphanumeric)
                || !after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '²' | '³' | '^'));
            (head.to_lowercase() == unit.to_lowercase() && ends).then_some(after)
        };
        let mut own: Vec<&String> = self.units.iter().collect();
        own.sort_unstable_by_key(|unit| std::cmp::Reverse(unit.len()));
        if let Some((unit, after)) = own.into_iter().find_map(|unit| starts(unit).map(|after| (unit, after))) {
            return (unit.clone(), None, after);
        }
        if !self.units.is_empty()
            && let Some((unit, after)) = UNITS.into_iter().find_map(|unit| starts(unit).map(|after| (unit, after)))
        {
            return (unit.to_owned(), Some(unit.to_owned()), after);
        }
        (String::new(), None, rest)
    }

    /// Whether two readings are one answer: equal, or one is the other rounded.
    pub fn same(&self, a: &Reading, b: &Reading) -> bool {
        let slack = [a.rounding, b.rounding, Some(self.tolerance_value())];
        a.wrong_unit == b.wrong_unit && slack.into_iter().flatten().any(|slack| a.value.within(b.value, slack))
    }

    /// Whether the reading is right, and why.
    pub fn compare(&self, reading: &Reading) -> (bool, String) {
        let Some(expected) = self.expected_value() else {
            return (false, "the task's key is no number".to_owned());
        };
        if let Some(unit) = &reading.wrong_unit {
            let wanted = self.units.first().map_or("none", String::as_str);
            return (false, format!("the unit is {unit}, asked for {wanted}"));
        }
        if reading.value.within(expected, self.tolerance_value()) {
            return (true, format!("{} is right", reading.shown));
        }
        let sign = if self.percent { " %" } else { "" };
        (false, format!("{} is not {}{sign}", reading.shown, self.expected))
    }
}

/// `seven` and the like, where the answer starts with it and has no digits.
fn small_word(words: &[String]) -> Option<i128> {
    const SMALL: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let first = words.first()?;
    let value = SMALL.iter().position(|small| small == first)?;
    if words[1..].iter().any(|word| SMALL.contains(&word.as_str()) || word == "hundred" || word == "or") {
        return None;
    }
    i128::try_from(value).ok()
}
