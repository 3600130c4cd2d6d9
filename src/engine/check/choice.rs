//! A right option among several that the prompt names.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::{
    answer::{NEGATIONS, brackets, claim, conceded, offered, shorten, without_brackets},
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
        let reading = match self.read_claim(claim) {
            Err(_) if !remark.is_empty() => self.read_claim(candidate),
            reading => reading,
        }?;
        if let Some(other) =
            brackets(candidate).into_iter().chain([remark]).find_map(|beside| self.offers(beside, &reading))
        {
            return Err(format!("two different final answers are no answer: {reading} and {other}"));
        }
        Ok(reading)
    }

    /// The option other than the one read that a remark leaves open: `or Ivo`, `Ivo is possible, too`.
    fn offers(&self, remark: &str, read: &str) -> Option<&String> {
        let other = |text: &str| self.named(&mut glued_words(text)).into_iter().find(|name| *name != read);
        let alone = |text: &str| {
            let mut words = glued_words(text);
            let named = self.named(&mut words);
            let first = words.first().is_some_and(String::is_empty);
            named.into_iter().next().filter(|name| first && *name != read).map(|name| (name, words.len() == 1))
        };
        if let Some(offer) = offered(remark) {
            return other(offer);
        }
        if let Some((name, _)) = conceded(remark).and_then(alone) {
            return Some(name);
        }
        alone(remark).filter(|(_, only)| *only).map(|(name, _)| name)
    }

    /// The options among words, each once; the words of each give way to one empty text.
    fn named(&self, words: &mut Vec<String>) -> Vec<&String> {
        let mut spellings: Vec<(&String, Vec<String>)> = self
            .options
            .iter()
            .flat_map(|(name, spellings)| spellings.iter().map(move |spelling| (name, spelling)))
            // `great grandmother` is one word where an answer writes a hyphen.
            .flat_map(|(name, spelling)| {
                let glued = glued_words(spelling);
                let plain: Vec<String> = text::words(spelling).into_iter().map(str::to_lowercase).collect();
                [(name, vec![plain.join(GLUE)]), (name, plain), (name, glued)]
            })
            .filter(|(_, spelling): &(_, Vec<String>)| spelling.iter().any(|word| !word.is_empty()))
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
        named
    }

    fn read_claim(&self, candidate: &str) -> Result<String, String> {
        let bare = without_brackets(candidate);
        let bare = if text::words(&bare).is_empty() { candidate } else { &bare };
        let mut words = glued_words(bare);
        let named = self.named(&mut words);
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

/// What holds a compound together, so that it is one word.
const GLUE: &str = "_";

/// The words of a text in lower case, where a compound is one: `step-grandmother` and `dark red` are neither a
/// grandmother nor red. `west-facing` is two.
fn glued_words(text: &str) -> Vec<String> {
    const BEFORE: [&str; 12] =
        ["dark", "light", "pale", "deep", "half", "step", "foster", "ex", "former", "great", "adoptive", "co"];
    const BEHIND: [&str; 7] = ["facing", "coloured", "colored", "marked", "labelled", "labeled", "painted"];
    let mut glued: Vec<String> = Vec::new();
    let mut end = 0;
    for (at, word) in text.unicode_word_indices() {
        let between = &text[end..at];
        let hyphen =
            matches!(between, "-" | "\u{2010}" | "\u{2011}") && !BEHIND.contains(&word.to_lowercase().as_str());
        end = at + word.len();
        match glued.last_mut() {
            Some(last) if hyphen || between == " " && BEFORE.contains(&last.as_str()) => {
                last.push_str(GLUE);
                last.push_str(&word.to_lowercase());
            }
            _ => glued.push(word.to_lowercase()),
        }
    }
    glued
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
