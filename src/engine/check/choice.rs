//! A right option among several that the prompt names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::{
    answer::{NEGATIONS, claim, shorten, without_brackets},
    key::beside::{self, Beside},
    text,
};

/// Words that take what follows out of what they speak of.
const EXCEPTIONS: [&str; 5] = ["but", "except", "excluding", "besides", "without"];
/// Words that make something else of what they stand before: `dark red`, `step grandmother`.
const MODIFIERS: [&str; 9] = ["dark", "light", "pale", "half", "step", "foster", "ex", "great", "former"];

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
        let (claim, remark) = claim(candidate)?;
        match self.read_claim(claim) {
            Err(_) if !remark.is_empty() => self.read_claim(candidate),
            reading => reading,
        }
    }

    fn read_claim(&self, candidate: &str) -> Result<String, String> {
        let bare = without_brackets(candidate);
        let bare = if text::words(&bare).is_empty() { candidate } else { &bare };
        let named = self.named(bare)?;
        // `Petra (or Ivo)`
        for doubt in beside::all(candidate) {
            if let Beside::Doubt(other) = doubt
                && self.named(&other).is_ok_and(|others| others.iter().any(|other| !named.contains(other)))
            {
                return Err(format!("{} names more than one option", shorten(candidate)));
            }
        }
        match named.as_slice() {
            [one] => Ok((*one).clone()),
            [] => Err(format!("{} names none of the options", shorten(candidate))),
            _ => Err(format!("{} names more than one option", shorten(candidate))),
        }
    }

    /// The options that a text names; `Err` where it turns them around or means something else by them.
    fn named(&self, bare: &str) -> Result<Vec<&String>, String> {
        let places: Vec<(usize, &str)> = bare.unicode_word_indices().collect();
        let mut words: Vec<String> = places.iter().map(|(_, word)| word.to_lowercase()).collect();
        let whole = words.clone();
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
                words.splice(at..at + spelling.len(), vec![String::new(); spelling.len()]);
                if let Some(other) = other_word(bare, &places, &whole, at, spelling.len()) {
                    return Err(format!("{} is another word than {name}", shorten(&other)));
                }
                if !named.contains(&name) {
                    named.push(name);
                }
            }
        }
        // `everyone but Petra`: what stands before the option takes it out.
        let before = words.iter().position(String::is_empty).unwrap_or(words.len());
        if let Some(word) = words[..before].iter().find(|word| EXCEPTIONS.contains(&word.as_str())) {
            return Err(format!("{} is turned around by {word:?}", shorten(bare)));
        }
        if let Some(word) = words.iter().find(|word| NEGATIONS.contains(&word.as_str()) || word.as_str() == "maybe") {
            return Err(format!("{} is turned around by {word:?}", shorten(bare)));
        }
        Ok(named)
    }

    /// Whether the reading is right, and why.
    pub fn compare(&self, reading: &str) -> (bool, String) {
        if reading == self.expected {
            return (true, format!("{reading} is right"));
        }
        (false, format!("{reading} is not {}", self.expected))
    }
}

/// The longer word or name that words `at` to `at + count` are a part of: `step-grandmother`, `Ana-Maria`, `dark red`.
fn other_word(text: &str, places: &[(usize, &str)], words: &[String], at: usize, count: usize) -> Option<String> {
    let (start, _) = *places.get(at)?;
    let (last, word) = *places.get(at + count - 1)?;
    let end = last + word.len();
    let before = at.checked_sub(1).and_then(|at| Some((places.get(at)?, words.get(at)?)));
    let after = places.get(at + count);
    let hyphen = |gap: &str| matches!(gap, "-" | "\u{2010}" | "\u{2011}");
    if let Some(((from, earlier), lower)) = before {
        let gap = text.get(from + earlier.len()..start)?;
        if hyphen(gap) || (gap.trim().is_empty() && MODIFIERS.contains(&lower.as_str())) {
            return text.get(*from..end).map(str::to_owned);
        }
    }
    let (from, later) = *after?;
    let is_name = later.starts_with(char::is_uppercase) || later == "in";
    let joined = hyphen(text.get(end..from)?) && is_name;
    joined.then(|| text.get(start..from + later.len()).map(str::to_owned))?
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("[yes] ", Some("yes")),
            ("yes, not no", Some("yes")),
            ("yes rather than no", Some("yes")),
            ("Yes. There is no other way.", Some("yes")),
            ("Yes. No, wait, it is no.", None),
            ("yes. no", None),
            ("yes (or no)", None),
            ("yes (maybe no)", None),
            ("yes (that is what the note says)", Some("yes")),
            ("yes-no", None),
            ("half yes", None),
            ("yes-Maria", None),
            ("yes - as the note says", Some("yes")),
            ("not yes", None),
            ("anything but yes", None),
            ("yes or no", None),
            ("noon", None),
            ("", None),
        ] {
            assert_eq!(choice().read(answer).ok().as_deref(), expected, "{answer:?}");
        }
    }
}
