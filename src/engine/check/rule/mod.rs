//! The rules themselves: a closed set, one arm each. Relations are `exactly`, `at_least`, `at_most` and `between`
//! (both ends included); any other word is an error when the file is loaded.

mod combine;
mod find;
mod language;
mod sort;
#[cfg(test)]
mod tests;
mod unit;
mod valid;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use find::Finding;
pub use language::Language;
pub use sort::By;
pub use unit::Unit;

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
        /// The text or number there meets a rule; of a list of them, each entry is a line.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<Box<Rule>>,
    },
    /// The text is comma-separated values with this first row, and these rows in this order if they are given.
    Csv {
        header: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<Vec<Vec<String>>>,
    },
    /// The text has one markdown table with this header, and these rows in this order if they are given. Other text
    /// may stand around it.
    Table {
        header: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<Vec<Vec<String>>>,
    },
    /// The cells of the table below this header, a line each, meet a rule.
    Column { header: String, rule: Box<Rule> },
    /// The lines are `label: value`, with these labels in this order and something behind each.
    Labels { are: Vec<String> },
    /// One line alone starts with the label and a colon, and what follows meets a rule.
    Field { label: String, rule: Box<Rule> },
    /// What stands between two markers meets a rule; the opening one stands there once.
    Inside { open: String, close: String, rule: Box<Rule> },
    /// The pieces between separators, a line each, meet a rule.
    Pieces { by: String, rule: Box<Rule> },
    /// So many lines, sentences … meet a rule.
    Some { of: Unit, rule: Box<Rule>, size: Size },
    /// The lines, sentences … at these places meet a rule, and no other does.
    Only { of: Unit, at: Vec<i32>, rule: Box<Rule> },
    /// Every rule of the list is met.
    All { rules: Vec<Rule> },
    /// One rule of the list at least is met.
    Any { rules: Vec<Rule> },
    /// The rule is not met.
    Not { rule: Box<Rule> },
    /// The lines, items … are sorted, smallest first unless `falling`.
    Sorted {
        of: Unit,
        by: By,
        #[serde(default)]
        falling: bool,
    },
    /// So many numbers are written in digits; all in the range, both ends included, if it is given. The number of a
    /// list item counts as well.
    Numbers {
        size: Size,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        between: Option<(i64, i64)>,
    },
    /// So many characters are among these, in either case, accents and all: `signs = { among = "äöü", size.at_least = 3 }`.
    Signs {
        among: String,
        size: Size,
        #[serde(default)]
        case: Case,
    },
    /// The text is written in this language.
    Language { is: Language },
    /// The whole text is written like this: `9` is a digit, `A` a capital, `a` a small letter, all else is itself.
    Shape { like: String },
}

/// The forms of one word: `tide|tides` are two.
fn forms(word: &str) -> impl Iterator<Item = &str> {
    word.split('|')
}
