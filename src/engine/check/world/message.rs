//! What the final message must state. Everything is compared whole: words as words, numbers by value, dates and times in any
//! of the ways people write them.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use serde::{Deserialize, Serialize};

use super::{
    super::{
        number,
        prose::{self, Facts},
        rational::Rational,
        rule::Finding,
        text,
    },
    replay::Replay,
};

/// What is wanted of the final message: all of it, or the part is 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Message {
    /// Numbers it states, by value, in digits or in words, with any currency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<String>,
    /// Words or phrases it holds, each as `one|another`, in any case. Behind a `not`, or offered beside another (`Hornbeam or
    /// Birch`), a value does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Days, as `2026-03-09`; 9 March and March 9th are the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dates: Vec<String>,
    /// Times of day, as `14:30`; 2:30 pm is the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<String>,
    /// Whether it says that what was asked was not done, in one of the usual ways.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub declines: bool,
    /// Deeds that it must not say were or will be done: `refund|pay back`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims_no: Vec<String>,
    /// Deeds that were done and that it must not deny.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// Groups of things with their figures, which it must not confuse: `{ Harbour = "54", Hill = "47" }`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Facts>,
    /// Amounts it may name beside those in `numbers`. If there are some, any other amount with two decimals is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub amounts: Vec<String>,
    /// Words or phrases it must not hold, each as `one|another`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// What a tool must have shown, each as `one|another`, before the message counts: a claim without looking is no answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
}

/// A text with plain apostrophes, and with a space between date and time of `2026-03-09T14:30`.
fn plain(said: &str) -> String {
    let digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
    let chars: Vec<char> = said.chars().collect();
    let between = |at: usize| at > 0 && digit(chars.get(at - 1)) && digit(chars.get(at + 1));
    let plain = chars.iter().enumerate().map(|(at, c)| match c {
        '’' => '\'',
        'T' if between(at) => ' ',
        c => *c,
    });
    plain.collect()
}

/// Whether a text holds one of the forms of `one|another`, as whole words.
pub(super) fn says(said: &str, word: &str) -> bool {
    let said = &plain(said);
    word.split('|').any(|form| text::occurrences(said, form, false) > 0)
}

fn day(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()
}

fn time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

/// Whether a text names a day, with or without its year.
fn names_day(said: &str, day: NaiveDate) -> bool {
    day_forms(day).iter().any(|form| text::occurrences(said, form, false) > 0)
}

/// The ways to write a day.
fn day_forms(day: NaiveDate) -> Vec<String> {
    let (d, m, y) = (day.day(), day.month(), day.year());
    let suffix = match d {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    };
    let mut forms = vec![format!("{y}-{m:02}-{d:02}")];
    for separator in ['.', '/'] {
        for (first, second) in [(d, m), (m, d)] {
            forms.push(format!("{first}{separator}{second}{separator}{y}"));
            forms.push(format!("{first:02}{separator}{second:02}{separator}{y}"));
        }
    }
    for month in [day.format("%B").to_string(), day.format("%b").to_string()] {
        for number in [d.to_string(), format!("{d:02}"), format!("{d}{suffix}")] {
            forms.extend([
                format!("{number} {month}"),
                format!("{number} of {month}"),
                format!("{month} {number}"),
                format!("{month} the {number}"),
            ]);
        }
    }
    forms
}

/// Whether a text names a time of day. Without am or pm it must be on the clock of 24 hours, unless the text says pm of
/// another time nearby (`2:30 to 3:00 pm`).
fn names_time(said: &str, time: NaiveTime) -> bool {
    let (hour, minute) = (time.hour(), time.minute());
    let (afternoon, twelve) = time.hour12();
    let half = if afternoon { ["pm", "p.m"] } else { ["am", "a.m"] };
    let there = |form: &str| text::occurrences(said, form, false) > 0;
    let mut forms = Vec::new();
    for separator in [':', '.'] {
        forms.push(format!("{hour:02}{separator}{minute:02}"));
        forms.push(format!("{hour}{separator}{minute:02}"));
        for half in half {
            forms.push(format!("{twelve}{separator}{minute:02} {half}"));
            forms.push(format!("{twelve}{separator}{minute:02}{half}"));
        }
        if half.iter().any(|half| there(half) || said.to_lowercase().contains(&format!("0{half}"))) {
            forms.push(format!("{twelve}{separator}{minute:02}"));
        }
    }
    if minute == 0 {
        forms.extend(half.iter().flat_map(|half| [format!("{twelve} {half}"), format!("{twelve}{half}")]));
    }
    forms.iter().any(|form| there(form))
}

impl Message {
    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        let at = |field: &str, why: String| (field.to_owned(), why);
        if [&self.numbers, &self.words, &self.dates, &self.times].iter().all(|list| list.is_empty()) {
            return Err(at("words", "is empty; say what the message must state".to_owned()));
        }
        for (field, words) in [
            ("words", &self.words),
            ("excludes", &self.excludes),
            ("seen", &self.seen),
            ("claims_no", &self.claims_no),
            ("done", &self.done),
        ] {
            text::worded(words).map_err(|why| at(field, why))?;
        }
        prose::worded(&self.facts).map_err(|why| at("facts", why))?;
        if let Some(wrong) = self
            .numbers
            .iter()
            .chain(&self.amounts)
            .find(|wanted| number::read(wanted).is_none_or(|(_, rest)| !rest.is_empty()))
        {
            return Err(at("numbers", format!("{wrong:?} is no number")));
        }
        if let Some(wrong) = self.dates.iter().find(|wanted| day(wanted).is_none()) {
            return Err(at("dates", format!("{wrong:?} is no date; write it like 2026-03-09")));
        }
        if let Some(wrong) = self.times.iter().find(|wanted| time(wanted).is_none()) {
            return Err(at("times", format!("{wrong:?} is no time; write it like 14:30")));
        }
        Ok(())
    }

    pub(super) fn find(&self, replay: &Replay) -> Finding {
        let not = |why: String| Finding { met: false, why };
        let Some(said) = replay.message else {
            return not("there is no final message: the last turn still called tools".to_owned());
        };
        if !said.chars().any(char::is_alphanumeric) {
            return not("the final message is empty".to_owned());
        }
        if let Some(unseen) = self.seen.iter().find(|word| !says(&replay.shown, word)) {
            return not(format!("it was said without looking: no tool has shown {unseen:?}"));
        }
        match self.missing(said) {
            Some(why) => not(why),
            None => Finding { met: true, why: "the message states what it should".to_owned() },
        }
    }

    fn missing(&self, said: &str) -> Option<String> {
        let said = plain(said);
        let said = said.as_str();
        let numbers = prose::numbers(said);
        let states = |wanted: &&String| {
            value(wanted).is_some_and(|wanted| numbers.contains(&wanted) || numbers.contains(&wanted.negated()))
        };
        let unsaid = |what: &String| format!("the message does not state {what:?}");
        let word = self.words.iter().find(|word| !prose::states(said, word));
        word.or_else(|| self.numbers.iter().find(|wanted| !states(wanted)))
            .or_else(|| self.dates.iter().find(|date| !day(date).is_some_and(|day| names_day(said, day))))
            .or_else(|| self.times.iter().find(|text| !time(text).is_some_and(|time| names_time(said, time))))
            .map(unsaid)
            .or_else(|| self.wrong(said))
    }

    /// What the message says that is not so.
    fn wrong(&self, said: &str) -> Option<String> {
        if let Some(word) = self.excludes.iter().flat_map(|word| word.split('|')).find(|word| says(said, word)) {
            return Some(format!("the message says {word:?}"));
        }
        let days = self.dates.iter().filter_map(|date| day(date)).map(|day| day_forms(day).join("|"));
        let values = self.words.iter().chain(&self.numbers).chain(&self.times).cloned().chain(days);
        if let Some(value) = values.into_iter().find(|value| prose::hedged(said, value)) {
            return Some(format!("the message offers another beside {:?}", value.split('|').next().unwrap_or(&value)));
        }
        if let Some(why) = self.facts.iter().find_map(|facts| prose::contradiction(said, facts)) {
            return Some(format!("the message {why}"));
        }
        if !self.amounts.is_empty() {
            let known: Vec<Rational> =
                self.numbers.iter().chain(&self.amounts).filter_map(|text| value(text)).collect();
            let other = number::all(said)
                .into_iter()
                .find(|(_, number)| number.decimals == Some(2) && !known.contains(&number.value));
            if let Some((at, _)) = other {
                let amount = said[at..].split_whitespace().next().unwrap_or_default();
                return Some(format!("the message names another amount, {amount:?}"));
            }
        }
        let forbidden = prose::standing(said, &self.claims_no);
        if let Some(words) = &forbidden.claimed {
            return Some(format!("the message says that it was or will be done: {words:?}"));
        }
        let done = prose::standing(said, &self.done);
        if done.denied && done.claimed.is_none() {
            return Some("the message says that it was not done".to_owned());
        }
        (self.declines && !prose::declines(said, &forbidden))
            .then(|| "the message does not say that it was not done".to_owned())
    }
}

fn value(text: &str) -> Option<Rational> {
    number::read(text).map(|(number, _)| number.value)
}
