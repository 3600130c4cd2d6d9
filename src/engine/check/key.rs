//! Keys: what the right answer is, how an answer is read against it, and when two readings are the same answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Field, Judged,
    answer::{self, Line, clean, line_part, marked, shorten},
    number::{self, Number},
    rational::Rational,
    text,
};
use crate::domain::verdict::{Part, PartKind, Verdict};

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

const NEGATIONS: [&str; 9] = ["not", "never", "isn't", "isn’t", "cannot", "can't", "neither", "nor", "doesn't"];
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
        match readable.iter().find(|other| !self.same(first, other)) {
            Some(other) => Err(format!("two different values: {} and {}", first.shown, other.shown)),
            None => Ok((*first).clone()),
        }
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

/// A text without what stands in round or square brackets; an unclosed bracket takes the rest.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
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

/// A right option among several that are named in the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceKey {
    /// The name of the right option.
    pub expected: String,
    /// Option → its spellings, as whole words in any case.
    pub options: BTreeMap<String, Vec<String>>,
}

impl ChoiceKey {
    /// The field that is wrong, and why.
    pub fn validate(&self) -> Result<(), (String, String)> {
        if !self.options.contains_key(&self.expected) {
            return Err(("expected".to_owned(), format!("{:?} is none of the options", self.expected)));
        }
        if self.options.len() < 2 {
            return Err(("options".to_owned(), "name at least 2 options, right and wrong".to_owned()));
        }
        match self.options.iter().find(|(_, spellings)| !spellings.iter().any(|s| !text::words(s).is_empty())) {
            Some((name, _)) => Err((format!("options.{name}"), "has no spelling with letters; add one".to_owned())),
            None => Ok(()),
        }
    }

    /// The one option that a cleaned candidate names.
    pub fn read(&self, candidate: &str) -> Result<String, String> {
        let bare = without_brackets(candidate);
        let mut words: Vec<String> = text::words(&bare).into_iter().map(str::to_lowercase).collect();
        if let Some(reason) = words.iter().position(|word| matches!(word.as_str(), "because" | "since")) {
            words.truncate(reason);
        }
        let mut spellings: Vec<(&String, Vec<String>)> = self
            .options
            .iter()
            .flat_map(|(name, spellings)| spellings.iter().map(move |spelling| (name, spelling)))
            .map(|(name, spelling)| (name, text::words(spelling).into_iter().map(str::to_lowercase).collect()))
            .filter(|(_, spelling): &(_, Vec<String>)| !spelling.is_empty())
            .collect();
        spellings.sort_by_key(|(_, spelling)| std::cmp::Reverse(spelling.len()));
        let mut named: Vec<&String> = Vec::new();
        for (name, spelling) in spellings {
            while let Some(at) = words.windows(spelling.len()).position(|window| window == spelling.as_slice()) {
                words.splice(at..at + spelling.len(), [String::new()]);
                if !named.contains(&name) {
                    named.push(name);
                }
            }
        }
        if let Some(word) = words.iter().find(|word| NEGATIONS.contains(&word.as_str()) || word.as_str() == "maybe") {
            return Err(format!("{} is turned around by {word:?}", shorten(candidate)));
        }
        match named.as_slice() {
            [one] => Ok((*one).clone()),
            [] => Err(format!("{} names none of the options", shorten(candidate))),
            _ => Err(format!("{} names more than one option", shorten(candidate))),
        }
    }

    /// Whether the reading is right, and why.
    pub fn compare(&self, reading: &str) -> (bool, String) {
        if reading == self.expected {
            return (true, format!("{reading} is right"));
        }
        (false, format!("{reading} is not {}", self.expected))
    }
}

/// The field of a list of values that is wrong, and why.
pub(super) fn validate_values(fields: &[Field]) -> Result<(), (String, String)> {
    if fields.len() < 2 {
        return Err(("values".to_owned(), "name at least 2 values; for one, use number or choice".to_owned()));
    }
    for (index, field) in fields.iter().enumerate() {
        let at = |inner: String| format!("values[{index}].{inner}");
        if text::words(&field.key).is_empty() || fields[..index].iter().any(|other| other.key == field.key) {
            return Err((at("key".to_owned()), "is empty or there twice; give each value its own name".to_owned()));
        }
        match (&field.number, &field.choice) {
            (Some(key), None) => key.validate().map_err(|(inner, why)| (at(format!("number.{inner}")), why))?,
            (None, Some(key)) => key.validate().map_err(|(inner, why)| (at(format!("choice.{inner}")), why))?,
            _ => return Err((at("number".to_owned()), "give each value either number or choice".to_owned())),
        }
    }
    Ok(())
}

/// Judges `key=value` pairs: those after the last `ANSWER:` line, else in `\boxed{}`, else in the last paragraph.
pub(super) fn judge_values(fields: &[Field], judged: &Judged) -> Verdict {
    let (source, line) = values_source(fields, judged);
    let parts = fields.iter().map(|field| {
        let judged = source.as_ref().map_err(Clone::clone).and_then(|source| judge_field(field, fields, source));
        let (score, found, why) = match judged {
            Ok((right, shown, why)) => (f64::from(u8::from(right)), Some(shown), why),
            Err(why) => (0.0, None, why),
        };
        Part { name: field.key.clone(), kind: PartKind::Correctness, weight: 1.0, score, answer: found, why }
    });
    let parts = parts.chain([line_part(line)]).collect();
    Verdict::of(parts)
}

type Verdicts = Result<(bool, String, String), String>;

impl Field {
    fn read(&self, value: &str) -> Verdicts {
        let value = clean(value);
        if let Some(key) = &self.number {
            let reading = key.read(&value)?;
            let (right, why) = key.compare(&reading);
            return Ok((right, reading.shown, why));
        }
        let Some(key) = &self.choice else { return Err("the task names no key".to_owned()) };
        let reading = key.read(&value)?;
        let (right, why) = key.compare(&reading);
        Ok((right, reading, why))
    }
}

fn judge_field(field: &Field, fields: &[Field], source: &str) -> Verdicts {
    let values = values_of(&field.key, fields, source);
    let Some(first) = values.first() else {
        return Err(format!("no {}= in the answer", field.key));
    };
    if values.iter().any(|value| text::squeeze(value) != text::squeeze(first)) {
        return Err(format!("two different values for {} are no answer", field.key));
    }
    field.read(first)
}

/// Where the pairs are looked for.
fn values_source(fields: &[Field], judged: &Judged) -> (Result<String, String>, Line) {
    let (lines, place) = marked(judged.answer);
    if place != Line::Missing {
        let whole = text::lines(judged.answer);
        let starts: Vec<usize> = (0..whole.len()).filter(|index| marked(whole[*index]).1 != Line::Missing).collect();
        if lines.is_empty() && starts.len() == 1 && starts[0] + 1 == whole.len() {
            return (Err("the `ANSWER:` line is empty".to_owned()), place);
        }
        let Some(last) = starts.last() else {
            return (Err("the `ANSWER:` line is empty".to_owned()), place);
        };
        let distinct = lines
            .iter()
            .any(|other| lines.last().is_some_and(|last| text::squeeze(&clean(other)) != text::squeeze(&clean(last))));
        if distinct {
            return (Err("two different final answers are no answer".to_owned()), place);
        }
        // All pairs may stand on the line, or one on each line below it.
        let on_line = lines.last().map(String::as_str).unwrap_or_default();
        let all_there = fields.iter().all(|field| !values_of(&field.key, fields, on_line).is_empty());
        let source = if all_there { on_line.to_owned() } else { whole[*last..].join("\n") };
        if judged.truncated && all_there && judged.answer.trim_end().ends_with(on_line) {
            return (Err("no answer within the budget: the text is cut inside its `ANSWER:` line".to_owned()), place);
        }
        return (Ok(source), place);
    }
    if judged.truncated {
        return (Err("no answer within the budget".to_owned()), place);
    }
    let complete =
        |source: &str| fields.iter().all(|field| values_of(&field.key, fields, &clean_lines(source)).len() == 1);
    let boxed = judged.answer.rfind("\\boxed{").map(|at| answer::clean(&judged.answer[at..]));
    let last = text::paragraphs(judged.answer).pop();
    match boxed.into_iter().chain(last).find(|source| complete(source)) {
        Some(source) => (Ok(clean_lines(&source)), place),
        None => (Err("no `ANSWER:` line and no clear final answer".to_owned()), place),
    }
}

fn clean_lines(source: &str) -> String {
    source.lines().map(text::without_emphasis).collect::<Vec<_>>().join("\n")
}

/// All values given to a key, each up to the next key.
fn values_of(key: &str, fields: &[Field], source: &str) -> Vec<String> {
    let source = clean_lines(source);
    let lower = source.to_ascii_lowercase();
    // Every place where a key of this task is set.
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for field in fields {
        let name = field.key.to_ascii_lowercase();
        for (at, _) in lower.match_indices(&name) {
            let fresh = !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let tail = &lower[at + name.len()..];
            let value = tail.trim_start_matches([' ', '\u{a0}', '"']);
            if let Some(value) = value.strip_prefix(['=', ':']).or_else(|| value.strip_prefix("is "))
                && fresh
            {
                places.push((at, lower.len() - value.len(), field.key.as_str()));
            }
        }
    }
    places.sort_unstable();
    let ends = places.iter().skip(1).map(|(at, ..)| *at).chain([source.len()]);
    places
        .iter()
        .zip(ends)
        .filter(|((_, _, name), _)| *name == key)
        .filter_map(|((_, from, _), to)| source.get(*from..to.max(*from)))
        .map(|value| value.split([';', '\n']).next().unwrap_or(""))
        .map(|value| value.trim().trim_end_matches(|c: char| c.is_whitespace() || ",.*-•".contains(c)).to_owned())
        .map(|value| value.strip_suffix(" and").map(str::to_owned).unwrap_or(value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(expected: &str) -> NumberKey {
        NumberKey { expected: expected.into(), tolerance: "0".into(), units: Vec::new(), percent: false }
    }

    fn right(key: &NumberKey, answer: &str) -> bool {
        key.read(&clean(answer)).is_ok_and(|reading| key.compare(&reading).0)
    }

    #[test]
    fn a_right_number_is_right_in_every_dress() {
        for (expected, answer) in [
            ("42", "42"),
            ("42", "42.0"),
            ("42", "**42**"),
            ("42", r"\boxed{42}"),
            ("42", "42 apples (see step 2)"),
            ("42", "42, because 6 × 7 is that"),
            ("42", "12 + 30 = 42"),
            ("42", "x = 42"),
            ("42", "The total is 42"),
            ("42", "about 42"),
            ("7", "seven"),
            ("7/12", "7/12 ≈ 0.583"),
            ("7/12", "14/24"),
            ("3/8", "37.5%"),
            ("3/8", "0.375"),
            ("3/4", "3 out of 4"),
            ("-3", "\u{2212}3"),
            ("1234.5", "1.234,5"),
            ("1500", "1.5×10^3"),
            ("9/4", "2 1/4"),
        ] {
            assert!(
                right(&key(expected), answer),
                "{answer:?} for {expected}: {:?}",
                key(expected).read(&clean(answer))
            );
        }
    }

    #[test]
    fn nothing_is_taken_from_a_text_that_only_holds_the_number() {
        for (expected, answer) in [
            ("93", "1000093"),
            ("4", "3 of 4"),
            ("3", "3 of 4"),
            ("42", "41 or 42"),
            ("42", "42 or 43"),
            ("42", "not 42"),
            ("42", "40 to 42"),
            ("42", "42-43"),
            ("42", "42, 43"),
            ("42", "42, no wait, actually 43"),
            ("42", "between 41 and 42"),
            ("42", "at least 42"),
            ("42", "42 + 1"),
            ("42", "42^2"),
            ("42", "41 = 42"),
            ("2", "35.98 (see step 2)"),
            ("3", "1.5e3"),
            ("14", "14:35"),
            ("3", "Tom has 3 and Ana has 5"),
            ("42", ""),
        ] {
            assert!(!right(&key(expected), answer), "{answer:?} for {expected}");
        }
    }

    #[test]
    fn another_unit_is_wrong_and_no_unit_is_right() {
        let key = NumberKey { units: vec!["km/h".into(), "kilometres per hour".into()], ..key("60") };
        for answer in ["60", "60 km/h", "60km/h", "60 KM/H", "60 kilometres per hour", "60 km/h on average"] {
            assert!(right(&key, answer), "{answer}");
        }
        for answer in ["60 m/s", "60 km", "60 minutes", "$60"] {
            assert!(!right(&key, answer), "{answer}");
        }
        let money = NumberKey { units: vec!["$".into(), "dollars".into()], ..key };
        let money = NumberKey { expected: "35.98".into(), ..money };
        for answer in ["$35.98", "35.98", "35.98 dollars", r"$\$35.98$", "$ 35.98"] {
            assert!(right(&money, answer), "{answer}");
        }
        assert!(!right(&money, "€35.98") && !right(&money, "35.98 euros"));
    }

    #[test]
    fn a_percentage_may_leave_out_its_sign() {
        let key = NumberKey { percent: true, ..key("35") };
        assert!(right(&key, "35") && right(&key, "35 %") && right(&key, "35 percent"));
        assert!(!right(&key, "0.35"));
    }

    #[test]
    fn tolerance_is_inclusive_and_exact() {
        let key = NumberKey { tolerance: "0.005".into(), ..key("1/3") };
        assert!(right(&key, "0.33") && !right(&key, "0.32") && !right(&key, "0.34"));
    }

    fn choice() -> ChoiceKey {
        let options = [("yes", vec!["yes"]), ("no", vec!["no"]), ("unknown", vec!["cannot be known", "not enough"])];
        ChoiceKey {
            expected: "unknown".into(),
            options: options
                .into_iter()
                .map(|(name, words)| (name.to_owned(), words.into_iter().map(str::to_owned).collect()))
                .collect(),
        }
    }

    #[test]
    fn an_option_is_named_once_and_straight() {
        for (answer, expected) in [
            ("It cannot be known", Some("unknown")),
            ("YES!", Some("yes")),
            ("no", Some("no")),
            ("yes (not no)", Some("yes")),
            ("yes, because no door is open", Some("yes")),
            ("not yes", None),
            ("yes or no", None),
            ("noon", None),
            ("", None),
        ] {
            assert_eq!(choice().read(answer).ok().as_deref(), expected, "{answer:?}");
        }
    }
}
