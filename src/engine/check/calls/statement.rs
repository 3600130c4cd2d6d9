//! What the last turn's text must say: values, words, a question, a refusal with its reason. One part, met whole or not
//! at all.
//!
//! Imports: `check::{number, prose, text}`.

use serde::{Deserialize, Serialize};

use super::{matcher, moment};
use crate::engine::check::{
    ANSWER, number,
    prose::{self, Facts},
    text,
};

/// What must be in the text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The name of its part.
    #[serde(default = "answer")]
    pub name: String,
    /// All of these whole words or phrases, in any case; `a|b` are forms of one. Behind a `not`, or offered beside another
    /// (`Rowan or Hazel`), a value does not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<String>,
    /// None of these whole words or phrases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excludes: Vec<String>,
    /// All of these numbers, by value, in digits or in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<String>,
    /// All of these times of day.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<String>,
    /// It asks for something.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
    /// It says that something can't or won't be done.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub declines: bool,
    /// Deeds that it must not say were or will be done: `refund|pay back`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims_no: Vec<String>,
    /// Deeds that were done and that it must not deny.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<String>,
    /// Groups of things with their figures, which it must not confuse: `{ north = "120", harbour = "44" }`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Facts>,
    /// A text with more words is no answer but a heap of them.
    #[serde(default = "at_most_words")]
    pub at_most_words: usize,
}

fn answer() -> String {
    ANSWER.to_owned()
}

const fn at_most_words() -> usize {
    300
}

const ASKING: &str = "let me know|please tell|please provide|please specify|please confirm|please give|please share|please \
                      send|please choose|please clarify|please say|tell me|i need|i'd need|i would need|i'll need|could \
                      you|can you|would you|i still need|needed|required|missing";

impl Statement {
    /// `Ok` if the text says all of it, else what is missing or too much.
    pub fn find(&self, answer: &str) -> Result<(), String> {
        let plain: Vec<String> = answer.lines().map(text::without_emphasis).collect();
        let plain = plain.join("\n");
        let words = text::words(&plain).len();
        if words == 0 {
            return Err("the last turn says nothing".to_owned());
        }
        if words > self.at_most_words {
            return Err(format!("{words} words; at most {} are read as an answer", self.at_most_words));
        }
        let missing = |what: &str| Err(format!("does not say {what}"));
        if let Some(word) = self.includes.iter().find(|word| !prose::states(&plain, word)) {
            return missing(&word.split('|').collect::<Vec<_>>().join(" or "));
        }
        if let Some(word) = self.excludes.iter().find(|word| matcher::said(&plain, word)) {
            return Err(format!("says {word:?}"));
        }
        let numbers = prose::numbers(&plain);
        let stated = |wanted: &str| number::read(wanted).is_some_and(|(wanted, _)| numbers.contains(&wanted.value));
        if let Some(number) = self.numbers.iter().find(|number| !stated(number)) {
            return missing(number);
        }
        let times = moment::times(&plain);
        if let Some(time) = self.times.iter().find(|time| !times.iter().any(|t| Some(*t) == moment::time(time))) {
            return missing(time);
        }
        let mut values = self.includes.iter().chain(&self.numbers).chain(&self.times);
        if let Some(value) = values.find(|value| prose::hedged(&plain, value)) {
            return Err(format!("offers another beside {value}"));
        }
        if let Some(why) = self.facts.iter().find_map(|facts| prose::contradiction(&plain, facts)) {
            return Err(why);
        }
        let forbidden = prose::standing(&plain, &self.claims_no);
        if let Some(words) = &forbidden.claimed {
            return Err(format!("says that it was or will be done: {words:?}"));
        }
        let done = prose::standing(&plain, &self.done);
        if done.denied && done.claimed.is_none() {
            return Err("says that it was not done".to_owned());
        }
        if self.asks && !plain.contains(['?', '？']) && !matcher::said(&plain, ASKING) {
            return Err("asks for nothing".to_owned());
        }
        if self.declines && !prose::declines(&plain, &forbidden) {
            return Err("does not say that it can't or won't be done".to_owned());
        }
        Ok(())
    }

    /// What is wrong with the statement itself, and in which field.
    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        if self.name.trim().is_empty() {
            return Err(("name".to_owned(), "is empty; name the part".to_owned()));
        }
        if self.includes.is_empty() && self.numbers.is_empty() && self.times.is_empty() {
            let why = "a question or a refusal alone is junk; name words, numbers or times it must have";
            return Err(("includes".to_owned(), why.to_owned()));
        }
        for (field, words) in [("includes", &self.includes), ("excludes", &self.excludes)] {
            if !words.is_empty() {
                matcher::validate_words(words).map_err(|why| (field.to_owned(), why))?;
            }
        }
        for (field, words) in [("claims_no", &self.claims_no), ("done", &self.done)] {
            text::worded(words).map_err(|why| (field.to_owned(), why))?;
        }
        prose::worded(&self.facts).map_err(|why| ("facts".to_owned(), why))?;
        if let Some(text) = self.numbers.iter().find(|text| number::read(text).is_none_or(|(_, rest)| !rest.is_empty()))
        {
            return Err(("numbers".to_owned(), format!("{text:?} is no number")));
        }
        if let Some(text) = self.times.iter().find(|text| moment::time(text).is_none()) {
            return Err(("times".to_owned(), format!("{text:?} is no time of day; write HH:MM")));
        }
        Ok(())
    }
}
