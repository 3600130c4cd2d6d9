//! Whether a rule can work at all.

use super::{Rule, Size, forms};
use crate::engine::check::text;

const PLACES: &str = "items are counted from 1, or from the end with -1";

impl Rule {
    /// What is wrong with the rule itself.
    pub(in crate::engine::check) fn validate(&self) -> Result<(), String> {
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
            Self::Item { at: 0, .. } => Err(PLACES.to_owned()),
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
            Self::Json { is: None, keys: None, size: None, equals: None, rule: None, .. } => {
                Err("say is, keys, size, equals or rule".to_owned())
            }
            Self::Json { at, .. } if !at.is_empty() && !at.starts_with('/') => {
                Err("a JSON pointer is empty or starts with /".to_owned())
            }
            Self::Json { rule: Some(rule), .. } => rule.validate(),
            Self::Table { header, rows }
                if header.is_empty() || rows.iter().flatten().any(|r| r.len() != header.len()) =>
            {
                Err("the header is empty, or a row is longer or shorter".to_owned())
            }
            Self::Labels { are } if are.is_empty() || are.iter().any(|label| label.trim().is_empty()) => {
                Err("a label is empty, or there is none".to_owned())
            }
            Self::Column { header: text, rule }
            | Self::Field { label: text, rule }
            | Self::Pieces { by: text, rule } => {
                if text.is_empty() {
                    Err("its text is empty".to_owned())
                } else {
                    rule.validate()
                }
            }
            Self::Inside { open, close, rule } => {
                if open.is_empty() || close.is_empty() {
                    Err("a marker is empty".to_owned())
                } else {
                    rule.validate()
                }
            }
            Self::Some { rule, size, .. } => rule.validate().and(sized(size)),
            Self::Only { at, .. } if at.contains(&0) => Err(PLACES.to_owned()),
            Self::Only { rule, .. } | Self::Not { rule } => rule.validate(),
            Self::All { rules } | Self::Any { rules } => {
                if rules.is_empty() {
                    Err("the list of rules is empty".to_owned())
                } else {
                    rules.iter().try_for_each(Rule::validate)
                }
            }
            Self::Numbers { between: Some((low, high)), .. } if low > high => {
                Err(format!("between {low} and {high} is nothing"))
            }
            Self::Numbers { size, .. } => sized(size),
            Self::Signs { among, size, .. } => {
                if among.is_empty() {
                    Err("its text is empty".to_owned())
                } else {
                    sized(size)
                }
            }
            Self::Shape { like } if like.trim().is_empty() => Err("its text is empty".to_owned()),
            _ => Ok(()),
        }
    }
}
