//! The rules themselves: a closed set, one arm each. Relations are `exactly`, `at_least`, `at_most` and `between`
//! (both ends included); any other word is an error when the file is loaded.

mod find;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use find::Finding;

use super::text;

/// How many there must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    Exactly(u32),
    AtLeast(u32),
    AtMost(u32),
    /// Both ends included.
    Between(u32, u32),
}

impl Size {
    fn holds(self, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        match self {
            Self::Exactly(n) => count == n,
            Self::AtLeast(n) => count >= n,
            Self::AtMost(n) => count <= n,
            Self::Between(low, high) => (low..=high).contains(&count),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Exactly(n) => format!("exactly {n}"),
            Self::AtLeast(n) => format!("at least {n}"),
            Self::AtMost(n) => format!("at most {n}"),
            Self::Between(low, high) => format!("{low} to {high}"),
        }
    }
}

/// What is counted or taken one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Words,
    Sentences,
    /// Blocks with a blank line between them.
    Paragraphs,
    /// Lines with text on them.
    Lines,
    /// Lines that start with a bullet sign.
    Bullets,
    /// Lines that start with 1. or 1), numbered from 1 without a gap.
    Numbered,
    Characters,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Lines => "lines",
            Self::Bullets => "bullets",
            Self::Numbered => "numbered items",
            Self::Characters => "characters",
        }
    }

    fn items(self, text: &str) -> Vec<String> {
        let own = |items: Vec<&str>| items.into_iter().map(str::to_owned).collect();
        match self {
            Self::Words => own(text::words(text)),
            Self::Sentences => text::sentences(text),
            Self::Paragraphs => text::paragraphs(text),
            Self::Lines => own(text::lines(text)),
            Self::Bullets => own(text::bullets(text)),
            Self::Numbered => {
                let items = text::numbered(text);
                let in_order = items.iter().zip(1_u32..).all(|((number, _), expected)| *number == expected);
                if in_order { items.into_iter().map(|(_, item)| item.to_owned()).collect() } else { Vec::new() }
            }
            Self::Characters => text.trim().chars().map(String::from).collect(),
        }
    }

    /// Every count that a fair reader may come to.
    fn counts(self, text: &str) -> Vec<usize> {
        match self {
            Self::Words => text::word_counts(text).to_vec(),
            _ => vec![self.items(text).len()],
        }
    }
}

/// Whether case matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    #[default]
    Any,
    Exact,
}

/// How letters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Casing {
    Lower,
    Upper,
    /// Every word starts with a capital.
    Title,
}

/// A script, by the blocks its letters stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Han,
    Kana,
    Hangul,
}

impl Script {
    fn has(self, c: char) -> bool {
        match self {
            Self::Latin => matches!(c, 'a'..='z' | 'A'..='Z' | '\u{aa}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}'),
            Self::Greek => matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
            Self::Cyrillic => matches!(c, '\u{400}'..='\u{52f}'),
            Self::Arabic => matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}'),
            Self::Han => matches!(c, '\u{3400}'..='\u{9fff}'),
            Self::Kana => matches!(c, '\u{3040}'..='\u{30ff}'),
            Self::Hangul => matches!(c, '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}'),
        }
    }
}

/// What JSON value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Text,
    Number,
    Boolean,
    List,
    Object,
    Null,
}

/// One rule. In lists of words, `tide|tides` are forms of one word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// So many words, sentences … in the whole text.
    Count { of: Unit, size: Size },
    /// Every line, sentence … meets a rule of its own; there must be one.
    Each { of: Unit, rule: Box<Rule> },
    /// One line, sentence …, counted from 1, or from the end with -1, meets a rule.
    Item { of: Unit, at: i32, rule: Box<Rule> },
    /// So many of these words or phrases stand in the text as whole words; all of them unless `size` says otherwise.
    Includes {
        words: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<Size>,
        #[serde(default)]
        case: Case,
    },
    /// None of these words or phrases stands in the text as whole words.
    Excludes {
        words: Vec<String>,
        #[serde(default)]
        case: Case,
    },
    /// A word or phrase stands there so often, as whole words.
    Repeats {
        word: String,
        size: Size,
        #[serde(default)]
        case: Case,
    },
    /// These words or phrases first appear in this order.
    Order { words: Vec<String> },
    /// None of these letters, in either case, with or without accent.
    LacksLetters { letters: String },
    /// All letters are written so.
    Casing { style: Casing },
    /// The text starts with exactly this, as whole words.
    Starts { with: String },
    /// The text ends with exactly this, as whole words.
    Ends { with: String },
    /// The text is exactly this.
    Copy { text: String },
    /// The lines, list items … are these, in this order; in any case, closing punctuation apart.
    Items { of: Unit, are: Vec<String> },
    /// All lines, items … differ, in any case.
    Distinct { of: Unit },
    /// The first letters of the lines, words … spell this.
    Initials { of: Unit, spell: String },
    /// So many percent of all letters are of this script.
    Letters { script: Script, percent: Size },
    /// The text is one JSON value; the place named by a JSON pointer ("" is the whole) is as described.
    Json {
        at: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is: Option<Kind>,
        /// Exactly these keys.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
        /// Entries of a list or object.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<Size>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        equals: Option<Value>,
    },
    /// The text is comma-separated values with this first row, and these rows in this order if they are given.
    Csv {
        header: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<Vec<Vec<String>>>,
    },
}

impl Rule {
    /// What is wrong with the rule itself.
    pub(super) fn validate(&self) -> Result<(), String> {
        let some =
            |words: &[String]| match words.iter().any(|word| forms(word).all(|form| text::words(form).is_empty())) {
                true => Err("a word is empty or has no letters".to_owned()),
                false if words.is_empty() => Err("the list of words is empty".to_owned()),
                false => Ok(()),
            };
        let sized = |size: &Size| match size {
            Size::Between(low, high) if low > high => Err(format!("between {low} and {high} is nothing")),
            _ => Ok(()),
        };
        match self {
            Self::Count { size, .. } | Self::Letters { percent: size, .. } => sized(size),
            Self::Each { rule, .. } => rule.validate(),
            Self::Item { at: 0, .. } => Err("items are counted from 1, or from the end with -1".to_owned()),
            Self::Item { rule, .. } => rule.validate(),
            Self::Includes { words, size, .. } => some(words).and(size.as_ref().map_or(Ok(()), sized)),
            Self::Excludes { words, .. } | Self::Order { words } => some(words),
            Self::Repeats { word, size, .. } => some(std::slice::from_ref(word)).and(sized(size)),
            Self::LacksLetters { letters: text }
            | Self::Starts { with: text }
            | Self::Ends { with: text }
            | Self::Copy { text }
            | Self::Initials { spell: text, .. }
                if text.trim().is_empty() =>
            {
                Err("its text is empty".to_owned())
            }
            Self::Items { are, .. } if are.is_empty() => Err("the list is empty".to_owned()),
            Self::Csv { header, .. } if header.is_empty() => Err("the header is empty".to_owned()),
            Self::Json { is: None, keys: None, size: None, equals: None, .. } => {
                Err("say is, keys, size or equals".to_owned())
            }
            Self::Json { at, .. } if !at.is_empty() && !at.starts_with('/') => {
                Err("a JSON pointer is empty or starts with /".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// The forms of one word: `tide|tides` are two.
fn forms(word: &str) -> impl Iterator<Item = &str> {
    word.split('|')
}
