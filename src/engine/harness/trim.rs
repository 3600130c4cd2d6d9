//! An answer's text while calls are cut out of it: code marks that held nothing but a call go with it. Pure.

/// The text so far, and where calls were cut out.
#[derive(Debug, Default)]
pub(super) struct Trimmed {
    text: String,
    /// Places in the text, in bytes, rising.
    cuts: Vec<usize>,
}

impl Trimmed {
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Something was left out here.
    pub(super) fn cut(&mut self) {
        self.cuts.push(self.text.len());
    }

    /// Whether a code block is open at the end, or a code mark stands right before it.
    pub(super) fn is_in_code(&self) -> bool {
        is_block_open(&self.text) || self.text.ends_with('`')
    }

    /// The text without code marks around nothing, trimmed.
    pub(super) fn finish(mut self) -> String {
        // what stood in code marks that are gone is gone with them
        let mut kept = self.text.len();
        for cut in self.cuts.iter().rev() {
            if *cut > kept {
                continue;
            }
            let (before, after) = self.text.split_at(*cut);
            let Some(open) = opening(before) else { continue };
            let marks = before[open..].chars().take_while(|c| *c == '`').count();
            let rest = if marks >= 3 { after.trim_start() } else { after };
            let closing = rest.chars().take_while(|c| *c == '`').count();
            if closing == marks || (marks >= 3 && rest.is_empty()) {
                self.text = before[..open].to_owned() + &rest[closing..];
                kept = open;
            }
        }
        self.text.trim().to_owned()
    }
}

/// Whether a code block is open at the end of the text.
fn is_block_open(text: &str) -> bool {
    text.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1
}

/// Where the code mark begins that a text ends with: a fence with its language on a line of its own, or one or two marks.
fn opening(before: &str) -> Option<usize> {
    let end = before.trim_end();
    let line = end.rfind('\n').map_or(0, |at| at + 1);
    let start = line + end[line..].len() - end[line..].trim_start().len();
    let fence = end[start..].trim_start_matches('`');
    if end.len() - start - fence.len() >= 3
        && is_block_open(end)
        && fence.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    {
        return Some(start);
    }
    let marks = before.len() - before.trim_end_matches('`').len();
    let is_open = before[line..].matches('`').count() % 2 == marks % 2;
    ((1..=2).contains(&marks) && is_open).then(|| before.len() - marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_marks_around_a_call_go_with_it() {
        for (text, expected) in [
            ("a|b", "ab"),
            ("Calling:\n```json\n|\n```\nThen wait.", "Calling:\n\nThen wait."),
            ("```\n|\n|\n```", ""),
            ("``` xml\n|", "``` xml"),
            ("~~~\n```xml\n|", "~~~"),
            ("use `|` here", "use  here"),
            ("`a`|`b`", "`a``b`"),
            ("```py\nx = 1\n```\n|", "```py\nx = 1\n```"),
            ("```\ncode\n|\n```", "```\ncode\n\n```"),
        ] {
            let mut trimmed = Trimmed::default();
            for (index, part) in text.split('|').enumerate() {
                if index > 0 {
                    trimmed.cut();
                }
                trimmed.push(part);
            }
            assert_eq!(trimmed.finish(), expected, "{text}");
        }
    }
}
