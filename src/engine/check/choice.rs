//! A right option among several that the prompt names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    answer::{NEGATIONS, claim, shorten, without_brackets},
    text,
};

/// Words that take what follows out of what they speak of.
const EXCEPTIONS: [&str; 5] = ["but", "except", "excluding", "besides", "without"];

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
        let mut words: Vec<String> = text::words(bare).into_iter().map(str::to_lowercase).collect();
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
        // `everyone but Petra`: what stands before the option takes it out.
        let before = words.iter().position(String::is_empty).unwrap_or(words.len());
        if let Some(word) = words[..before].iter().find(|word| EXCEPTIONS.contains(&word.as_str())) {
            return Err(format!("{} is turned around by {word:?}", shorten(candidate)));
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
