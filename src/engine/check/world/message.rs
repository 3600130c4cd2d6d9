//! What the final message must state. Everything is compared whole: words as words, numbers by value, dates and times in any
//! of the ways people write them.

use chrono::{Datelike, NaiveDate, NaiveTime, Timelike};
use serde::{Deserialize, Serialize};

use super::{
    super::{number, rule::Finding, text},
    replay::Replay,
};

/// What is wanted of the final message: all of it, or the part is 0.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Message {
    /// Numbers it states, by value, with any currency.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<String>,
    /// Words or phrases it holds, each as `one|another`, in any case.
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
    /// Words or phrases it must not hold, each as `one|another`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// What a tool must have shown, each as `one|another`, before the message counts: a claim without looking is no answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
}

/// How people say that something was not done. Whole words, with either apostrophe.
const DECLINING: &str = "cannot|can not|can't|could not|couldn't|won't|will not|would not|unable|not able|not possible|impossible|isn't possible|\
    not eligible|ineligible|doesn't qualify|not qualify|not allowed|not permitted|not met|no longer|too late|outside|beyond|\
    expired|unfortunately|declined|denied|refused|rejected|must decline|have to decline|non-refundable|not refundable|\
    not refunded|no refund|not issued|not made|not moved|not transferred|not exchanged|no transfer|no pieces|no filters|\
    nothing was|nothing has|nothing is|nothing moved|moved nothing|moved no|changed nothing|did not|didn't|have not|haven't|\
    has not|hasn't|was not|wasn't|were not|weren't|not been|not be|not do|not proceed|not process|not enough|insufficient|\
    out of stock|not in stock|isn't in stock|aren't in stock|no stock|0 in stock|sold out|unavailable|not available|\
    isn't available|aren't available";

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

/// Refuses words without letters and digits.
pub(super) fn some_words(words: &[String]) -> Result<(), String> {
    match words.iter().find(|word| word.split('|').any(|form| text::words(form).is_empty())) {
        Some(word) => Err(format!("{word:?} has a form without letters and digits")),
        None => Ok(()),
    }
}

fn day(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()
}

fn time(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

/// Whether a text names a day, with or without its year.
fn names_day(said: &str, day: NaiveDate) -> bool {
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
    forms.iter().any(|form| text::occurrences(said, form, false) > 0)
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
        for (field, words) in [("words", &self.words), ("excludes", &self.excludes), ("seen", &self.seen)] {
            some_words(words).map_err(|why| at(field, why))?;
        }
        if let Some(wrong) =
            self.numbers.iter().find(|wanted| number::read(wanted).is_none_or(|(_, rest)| !rest.is_empty()))
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
        let numbers = number::all(said);
        let states = |wanted: &str| {
            let wanted = number::read(wanted).map(|(number, _)| number.value);
            numbers.iter().any(|(_, number)| Some(number.value) == wanted || Some(number.value.negated()) == wanted)
        };
        let unsaid = |what: &String| format!("the message does not state {what:?}");
        let excluded = || {
            let word = self.excludes.iter().flat_map(|word| word.split('|')).find(|word| says(said, word))?;
            Some(format!("the message says {word:?}"))
        };
        let word = self.words.iter().find(|word| !says(said, word));
        word.or_else(|| self.numbers.iter().find(|wanted| !states(wanted)))
            .or_else(|| self.dates.iter().find(|date| !day(date).is_some_and(|day| names_day(said, day))))
            .or_else(|| self.times.iter().find(|text| !time(text).is_some_and(|time| names_time(said, time))))
            .map(unsaid)
            .or_else(excluded)
            .or_else(|| {
                (self.declines && !says(said, DECLINING))
                    .then(|| "the message does not say that it was not done".to_owned())
            })
    }
}
