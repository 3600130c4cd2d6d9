//! What rules count or take one by one.

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::engine::check::{outline, table, text};

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
    /// Bullets of the outermost level, each with the lines that are indented below it.
    TopBullets,
    /// Bullets that are indented below another.
    SubBullets,
    /// Lines that start with 1. or 1), numbered from 1 without a gap.
    Numbered,
    /// Markdown headings, without their signs and emphasis.
    Headings,
    /// What stands below each markdown heading, up to the next.
    Sections,
    /// The rows below the header of the one markdown table, their cells with ` | ` between them.
    Rows,
    Characters,
}

impl Unit {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Lines => "lines",
            Self::Bullets => "bullets",
            Self::TopBullets => "outer bullets",
            Self::SubBullets => "inner bullets",
            Self::Numbered => "numbered items",
            Self::Headings => "headings",
            Self::Sections => "sections",
            Self::Rows => "table rows",
            Self::Characters => "characters",
        }
    }

    pub(super) fn items(self, text: &str) -> Vec<String> {
        let own = |items: Vec<&str>| items.into_iter().map(str::to_owned).collect();
        match self {
            Self::Words => own(text::words(text)),
            Self::Sentences => text::sentences(text),
            Self::Paragraphs => text::paragraphs(text),
            Self::Lines => own(text::lines(text)),
            Self::Bullets => own(text::bullets(text)),
            Self::TopBullets => outline::top_bullets(text),
            Self::SubBullets => own(outline::sub_bullets(text)),
            Self::Numbered => {
                let items = text::numbered(text);
                let in_order = items.iter().zip(1_u32..).all(|((number, _), expected)| *number == expected);
                if in_order { items.into_iter().map(|(_, item)| item.to_owned()).collect() } else { Vec::new() }
            }
            Self::Headings => outline::headings(text),
            Self::Sections => outline::sections(text),
            Self::Rows => table::read(text).map_or_else(|_| Vec::new(), |table| table.joined_rows()),
            Self::Characters => text.trim().chars().map(String::from).collect(),
        }
    }

    /// Every count that a fair reader may come to.
    pub(super) fn counts(self, text: &str) -> Vec<usize> {
        match self {
            Self::Words => text::word_counts(text).to_vec(),
            Self::Sentences => text::sentence_counts(text),
            // A letter and its accent may be one character or two.
            Self::Characters => vec![self.items(text).len(), text.trim().graphemes(true).count()],
            _ => vec![self.items(text).len()],
        }
    }
}
