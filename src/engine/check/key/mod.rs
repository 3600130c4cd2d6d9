//! A right number: how an answer is read against it, and when two readings are one answer.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::{
    answer::{NEGATIONS, brackets, claim, conceded, offered, shorten, without_brackets},
    base,
    number::{self, Number},
    rational::Rational,
    spelled, text, units,
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
    /// The base that the digits are written in, where it is not ten. The prompt names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// A decimal with at least so many places is right where it is the value, rounded or cut to the places it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<u32>,
    /// What may follow the number that makes another quantity of it: `from Borr` where the distance from Arl is asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
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
    /// One unit of the last digit written, for numbers with decimals.
    rounding: Option<Rational>,
    /// Whether it was written with a percent sign.
    percent: bool,
    /// A unit that is not the one asked for.
    wrong_unit: Option<String>,
    pub shown: String,
}

const HEDGES: [&str; 13] = [
    "or",
    "either",
    "between",
    "wait",
    "actually",
    "correction",
    "rather",
    "instead",
    "maybe",
    "alternatively",
    "possibly",
    "perhaps",
    "might",
];
const LEADS: [&str; 15] = [
    "approximately",
    "approx.",
    "approx",
    "about",
    "roughly",
    "exactly",
    "around",
    "circa",
    "ca.",
    "only",
    "just",
    "nearly",
    "almost",
    "≈",
    "~",
];
/// What makes a bound or another quantity of the number behind it.
const BOUNDS: [&str; 16] = [
    "less than",
    "more than",
    "fewer than",
    "greater than",
    "at least",
    "at most",
    "up to",
    "half of",
    "a third of",
    "twice",
    "double",
    "not",
    "<",
    ">",
    "≤",
    "≥",
];
/// Signs that need a number on both sides.
const OPERATORS: [char; 6] = ['×', '*', '/', '·', '÷', '^'];
/// What says the number before it once more.
const SAMES: [&str; 7] = ["=", "i.e.", "ie", "that is", "which is", "equal to", "equals"];
const VERBS: [&str; 6] = ["is", "was", "are", "were", "can", "does"];
const WRONG: [&str; 4] = ["wrong", "incorrect", "impossible", "false"];

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
        for (field, list) in [("units", &self.units), ("others", &self.others)] {
            if list.iter().any(|text| text.trim().is_empty()) {
                return Err((field.to_owned(), "a text is empty; remove it".to_owned()));
            }
        }
        if self.base.is_some_and(|base| !(2..=36).contains(&base)) {
            return Err(("base".to_owned(), "is outside 2 to 36; leave it out for ten".to_owned()));
        }
        Ok(())
    }

    fn expected_value(&self) -> Option<Rational> {
        number::read(&self.expected).map(|(number, _)| number.value)
    }

    fn tolerance_value(&self) -> Rational {
        number::read(&self.tolerance).map_or(Rational::ZERO, |(number, _)| number.value)
    }

    /// Reads one number out of a cleaned candidate, or says why there is none.
    pub fn read(&self, candidate: &str) -> Result<Reading, String> {
        let text = closed_slashes(&text::squeeze(&number::overlined(candidate)));
        let text = text::squeeze(&base::beside_numbers(&text, self.base.is_some()));
        let (claim, remark) = claim(&text)?;
        match self.alternatives(claim) {
            Err(_) if !remark.is_empty() => self.alternatives(&text),
            Ok(reading) if !remark.is_empty() => {
                let beside = self.said_beside(remark)?;
                self.one_of([reading].into_iter().chain(beside).collect(), &text)
            }
            reading => reading,
        }
    }

    /// `7/12 or 0.583`, `60 minutes (or 1 hour)`: every alternative must be the same number; one in another unit says
    /// it once more.
    fn alternatives(&self, text: &str) -> Result<Reading, String> {
        let mut bare = without_brackets(text);
        if !bare.contains(|c: char| c.is_numeric()) && text.contains(|c: char| c.is_numeric()) {
            bare = text.replace(['(', ')', '[', ']'], " ");
        }
        let bare = text::squeeze(&bare);
        if bare.is_empty() {
            return Err("the answer is empty".to_owned());
        }
        let mut beside = self.closing_bracket(text).into_iter().collect::<Vec<_>>();
        for inner in brackets(text) {
            beside.extend(self.said_beside(inner)?);
        }
        let mut readings = Vec::new();
        for part in split_at_word(&bare, "or") {
            match self.equation(part) {
                Ok(reading) => readings.push(reading),
                Err(_) if !readings.is_empty() && part.starts_with("so") && !part.contains(char::is_numeric) => {}
                Err(why) => return Err(why),
            }
        }
        if let Some(other) = brackets(text).into_iter().find_map(|inner| self.other(inner)) {
            readings.iter_mut().for_each(|reading| reading.wrong_unit = Some(other.to_owned()));
        }
        self.one_of(readings.into_iter().chain(beside).collect(), text)
    }

    /// What a remark says that the answer is, too, or may be instead: `= 0.433`, `i.e. 2 dozen`, `maybe 26`. `None`
    /// for a remark that speaks of something else, and an error for one that leaves more than one number open.
    fn said_beside(&self, remark: &str) -> Result<Option<Reading>, String> {
        if let Some(offer) = offered(remark) {
            let reading = self.equation(offer);
            return if offer.contains(char::is_numeric) { reading.map(Some) } else { Ok(reading.ok()) };
        }
        if let Some(offer) = conceded(remark).filter(|offer| number::read(offer).is_some()) {
            return self.equation(offer).map(Some);
        }
        let start = remark.trim_start_matches([' ', ',', ';', '—']);
        let mut same = SAMES.iter().find_map(|lead| without_prefix(start, lead)).unwrap_or(start);
        same = same.trim_start_matches([' ', ',']);
        let claimed = same;
        while let Some(rest) = LEADS.iter().find_map(|lead| without_prefix(same, lead)) {
            same = rest;
        }
        Ok(self.whole(same).filter(|_| same.len() < start.len()).map(|mut reading| {
            let rough = same.len() < claimed.len();
            if rough && reading.rounding.is_none() {
                // `about 1,700` is rounded to hundreds.
                let digits = reading.value.to_string();
                let zeros = digits.len() - digits.trim_end_matches('0').len().max(1);
                reading.rounding = i32::try_from(zeros).ok().and_then(Rational::power_of_ten);
            }
            reading
        }))
    }

    /// The bare number in brackets that closes a text which says no calculation: `14/45 (0.3111)`.
    fn closing_bracket(&self, text: &str) -> Option<Reading> {
        let (before, inner) = text.strip_suffix(')')?.rsplit_once('(')?;
        if before.contains(['=', '≈', '(']) || !before.contains(char::is_numeric) || self.base.is_some() {
            return None;
        }
        // Of a percentage, the share is often given beside it.
        self.whole(inner).filter(|reading| !self.percent || reading.percent)
    }

    /// A number with nothing behind it but a unit.
    fn whole(&self, text: &str) -> Option<Reading> {
        let (number, rest) = number::read(text)?;
        let tail = rest.trim_start();
        let unit = units::read(tail, &self.units).is_some_and(|unit| unit.after.trim().is_empty());
        let dozens = without_prefix(tail, "dozen").is_some_and(str::is_empty);
        if !tail.is_empty() && !unit && !dozens {
            return None;
        }
        self.with_tail(number, text.trim_start(), rest).ok()
    }

    /// What a text begins with that makes another quantity of the number before it.
    fn other(&self, text: &str) -> Option<&str> {
        let text = text.trim_start();
        self.others.iter().map(String::as_str).find(|other| units::without(text, other).is_some())
    }

    /// `12 + 30 = 42` and `7/12 ≈ 0.583`: every side that is a number must be the same number.
    fn equation(&self, text: &str) -> Result<Reading, String> {
        let sides: Vec<&str> = text.split(['=', '≈', '≡']).collect();
        if let [only] = sides.as_slice() {
            return self.side(only);
        }
        // A side with several numbers, or with brackets that are gone, is how it was worked out:
        // `70 collected − 46 sold = 24`, `120 − (52 + 44) = 24`.
        let open = |side: &str| side.trim_end().ends_with(['+', '-', '−', '–']);
        let single = sides.into_iter().filter(|side| number::all(side).len() < 2 && !open(side));
        self.one_of(single.filter_map(|side| self.side(side).ok()).collect(), text)
    }

    /// The one reading that all agree on; those in another unit count only where there is no other. Where one is
    /// another rounded, as the task may have asked, the right one counts.
    fn one_of(&self, mut readings: Vec<Reading>, text: &str) -> Result<Reading, String> {
        if readings.iter().any(|reading| reading.wrong_unit.is_none()) {
            readings.retain(|reading| reading.wrong_unit.is_none());
        }
        let Some(first) = readings.first() else { return Err(format!("no number in {}", shorten(text))) };
        if let Some(other) = readings.iter().find(|other| !self.same(first, other)) {
            return Err(format!("two different values: {} and {}", first.shown, other.shown));
        }
        Ok(readings.iter().find(|reading| self.compare(reading).0).unwrap_or(first).clone())
    }

    fn side(&self, side: &str) -> Result<Reading, String> {
        let mut start = side.trim();
        while let Some(rest) = LEADS.iter().find_map(|lead| without_prefix(start, lead)) {
            start = rest;
        }
        if start.starts_with(OPERATORS) {
            return Err(format!("no single number in {}", shorten(side)));
        }
        let (negative, start) = minus(start);
        let negated = |number: Number| Number { value: number.value.negated(), ..number };
        if let Some((number, rest)) = number::read(start) {
            return self.with_tail(if negative { negated(number) } else { number }, start, rest);
        }
        // Words before the number: only if it is the one number there, and nothing turns it around.
        let words: Vec<String> = text::words(side).into_iter().map(str::to_lowercase).collect();
        let turned = words.iter().any(|word| NEGATIONS.contains(&word.as_str()) || HEDGES.contains(&word.as_str()));
        match number::all(start).as_slice() {
            [(at, number)] if !turned && !is_bound(&start[..*at]) => {
                let before = start[..*at].trim_end().to_lowercase();
                let negative = ["minus", "negative"].iter().any(|word| text::ends_with(&before, word));
                let number = if negative { negated(number.clone()) } else { number.clone() };
                let tail = number::read(&start[*at..]).map_or("", |(_, rest)| rest);
                self.with_tail(number, &start[*at..], tail)
            }
            [] if !turned => spelled::read(&words)
                .and_then(|value| Rational::new(value, 1))
                .map(|value| Reading {
                    value,
                    rounding: None,
                    percent: false,
                    wrong_unit: None,
                    shown: side.trim().to_owned(),
                })
                .ok_or_else(|| format!("no number in {}", shorten(side))),
            _ => Err(format!("no single number in {}", shorten(side))),
        }
    }

    /// Reads what follows a number: its unit, and a remark that must not change it.
    fn with_tail(&self, number: Number, from: &str, rest: &str) -> Result<Reading, String> {
        let shown = from[..from.len() - rest.len()].trim().to_owned();
        let tail = match rest.strip_prefix('-') {
            // `12-km`
            Some(tail) if tail.starts_with(char::is_alphabetic) => tail,
            _ => rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']),
        };
        let foreign = |currency: &&str| !self.units.is_empty() && !self.units.iter().any(|unit| unit == currency);
        let mut wrong_unit = number.currency.filter(foreign).map(str::to_owned);
        let mut value = number.value;
        let mut unit = number.currency.unwrap_or("").to_owned();
        let mut after = rest;
        let dozens = without_prefix(tail, "dozen").filter(|_| !self.units.iter().any(|unit| unit.starts_with("dozen")));
        if let Some(rest) = dozens {
            value = Rational::new(12, 1).and_then(|dozen| value.times(dozen)).ok_or("the number is too large")?;
            after = rest;
        }
        let tail = dozens.unwrap_or(tail);
        if (!self.units.is_empty() || self.percent)
            && let Some(found) = units::read(tail, &self.units)
        {
            after = found.after;
            if !found.own {
                wrong_unit = Some(found.name.clone());
            }
            unit = found.name;
        }
        if let Some(other) = self.other(tail).or_else(|| self.other(after)) {
            wrong_unit = Some(other.to_owned());
        }
        if let Some(base) = number.base.filter(|base| *base != self.base.unwrap_or(base::TEN)) {
            wrong_unit = Some(format!("base {base}"));
        }
        // `2 h 30 min`, `12 euros and 50 cents`: one quantity in two units.
        let second = after.trim_start_matches([' ', ',']);
        let second = second.strip_prefix("and ").unwrap_or(second);
        if let Some((more, rest)) = number::read(second)
            && let Some(part) = units::read(rest.trim_start(), &[])
            && let Some(share) = units::share(&unit, &part.name)
        {
            let sign = if value.as_f64() < 0.0 { more.value.negated() } else { more.value };
            value = sign.times(share).and_then(|more| value.plus(more)).ok_or("the number is too large")?;
            after = part.after;
        }
        let after = after.trim_start();
        let words: Vec<String> = text::words(after).into_iter().map(str::to_lowercase).collect();
        self.stands(after, &words).map_err(|()| format!("no single number in {}", shorten(from)))?;
        if words.starts_with(&["below".to_owned(), "zero".to_owned()]) && value.as_f64() > 0.0 {
            value = value.negated();
        }
        let share = number.percent && !self.percent;
        if share {
            value =
                value.times(Rational::power_of_ten(-2).unwrap_or(Rational::ZERO)).ok_or("the number is too large")?;
        }
        let places = number.decimals.map(|d| i32::try_from(d).unwrap_or(0) + if share { 2 } else { 0 });
        let rounding = places.and_then(|places| Rational::power_of_ten(-places));
        let shown = if number.currency.is_some() || unit.is_empty() { shown } else { format!("{shown} {unit}") };
        Ok(Reading { value, rounding, percent: number.percent, wrong_unit, shown })
    }

    /// Whether a number stands whatever follows it: no calculation, range, list or second thought.
    fn stands(&self, after: &str, words: &[String]) -> Result<(), ()> {
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let first = words.first().map_or("", String::as_str);
        let denied =
            words.iter().take(3).zip([""].into_iter().chain(words.iter().map(String::as_str))).any(|(word, before)| {
                match word.as_str() {
                    "isn't" | "isn’t" | "cannot" | "can't" | "doesn't" | "never" => true,
                    word => VERBS.contains(&before) && (word == "not" || WRONG.contains(&word)),
                }
            });
        let multiple = matches!(first, "hundred" | "thousand" | "million" | "billion");
        // What stood in brackets behind it was part of a calculation: `83.20 / (0.65 × 0.8)`.
        let unfinished = !after.is_empty() && after.chars().all(|c| c == ' ' || OPERATORS.contains(&c));
        if denied || multiple || unfinished || after.starts_with(|c: char| c == '+' || c.is_ascii_digit()) {
            return Err(());
        }
        let operator = after.starts_with(['−', '×', '*', '/', '·', '÷', '^', '-', '–', '±', '<', '>', '…', '≠'])
            || after.starts_with("..");
        let range = matches!(first, "to" | "and" | "plus" | "minus" | "times" | "through");
        let hedged = any(&HEDGES) || any(&NEGATIONS);
        let listed = after.starts_with([',', ';', '&', '|'])
            && after[1..].trim_start().starts_with(|c: char| c.is_ascii_digit());
        if (operator || range || hedged || listed) && !number::all(after).is_empty() {
            return Err(());
        }
        Ok(())
    }

    /// Whether two readings are one answer: equal, or one is the other rounded. Of a percentage, `0.35` and `35 %` are.
    pub fn same(&self, a: &Reading, b: &Reading) -> bool {
        let near = |a: &Reading, b: &Reading| {
            a.value.within(b.value, self.tolerance_value()) || a.shows(b.value) || b.shows(a.value)
        };
        let share = |share: &Reading, percent: &Reading| {
            let hundredfold = |value: Rational| Rational::power_of_ten(2).and_then(|hundred| value.times(hundred));
            let rounding = share.rounding.and_then(hundredfold);
            let percents = hundredfold(share.value).map(|value| Reading { value, rounding, ..share.clone() });
            self.percent && percent.percent && !share.percent && percents.is_some_and(|share| near(&share, percent))
        };
        a.wrong_unit == b.wrong_unit && (near(a, b) || share(a, b) || share(b, a))
    }

    /// Whether the reading is right, and why.
    pub fn compare(&self, reading: &Reading) -> (bool, String) {
        let Some(expected) = self.expected_value() else {
            return (false, "the task's key is no number".to_owned());
        };
        if let Some(unit) = &reading.wrong_unit {
            if unit.starts_with("base ") {
                return (false, format!("is in {unit}, asked for base {}", self.base.unwrap_or(base::TEN)));
            }
            let wanted = self.units.first().map_or("none", String::as_str);
            return (false, format!("the unit is {unit}, asked for {wanted}"));
        }
        let shown = self.places.is_some_and(|places| reading.places_at_least(places) && reading.shows(expected));
        if shown || reading.value.within(expected, self.tolerance_value()) {
            return (true, format!("{} is right", reading.shown));
        }
        let sign = if self.percent { " %" } else { "" };
        (false, format!("{} is not {}{sign}", reading.shown, self.expected))
    }
}

impl Reading {
    /// Whether this is a value rounded, or cut, to the digits that are written.
    fn shows(&self, value: Rational) -> bool {
        let Some(unit) = self.rounding else { return self.value == value };
        let half = Rational::new(1, 2).and_then(|half| unit.times(half)).unwrap_or(Rational::ZERO);
        let (shown, value) =
            if value.below(Rational::ZERO) { (self.value.negated(), value.negated()) } else { (self.value, value) };
        let cut = || !value.below(shown) && shown.plus(unit).is_some_and(|next| value.below(next));
        shown.within(value, half) || cut()
    }

    fn places_at_least(&self, places: u32) -> bool {
        let least = i32::try_from(places).ok().and_then(|places| Rational::power_of_ten(-places));
        self.rounding.zip(least).is_some_and(|(unit, least)| !least.below(unit))
    }
}

/// `km / h` as `km/h`; `36 / 2` stays.
fn closed_slashes(text: &str) -> String {
    let mut pieces = text.split(" / ");
    let mut out = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        out.push_str(if piece.starts_with(char::is_alphabetic) { "/" } else { " / " });
        out.push_str(piece);
    }
    out
}

/// The pieces of a text between a word in any case.
fn split_at_word<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let lower = text.to_ascii_lowercase();
    let spaced = format!(" {word} ");
    let mut pieces = Vec::new();
    let mut from = 0;
    for (at, _) in lower.match_indices(&spaced) {
        pieces.push(&text[from..at]);
        from = at + spaced.len();
    }
    pieces.push(&text[from..]);
    pieces
}

/// What follows a leading word or sign, in any case.
fn without_prefix<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    let tail = &text[prefix.len()..];
    let whole = !prefix.ends_with(char::is_alphabetic) || !tail.starts_with(char::is_alphanumeric);
    (head.eq_ignore_ascii_case(prefix) && whole).then(|| tail.trim_start_matches([' ', ':']))
}

/// Whether a sign or word for minus stands off before the number, as in `minus 7` and `− 7`, and what follows it.
fn minus(text: &str) -> (bool, &str) {
    for sign in ["minus", "negative", "-", "\u{2212}", "\u{2013}"] {
        if let Some(rest) = without_prefix(text, sign)
            && rest.starts_with(|c: char| c.is_ascii_digit())
            && !text[sign.len()..].starts_with(|c: char| c.is_ascii_digit())
        {
            return (true, rest);
        }
    }
    (false, text)
}

/// Whether what stands before a number makes a bound or another quantity of it.
fn is_bound(before: &str) -> bool {
    let before = before.trim_end().to_lowercase();
    let before = LEADS.iter().find_map(|lead| before.strip_suffix(lead)).unwrap_or(&before).trim_end();
    BOUNDS.iter().any(|bound| text::ends_with(before, bound))
}
