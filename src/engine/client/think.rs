//! Thinking that a server leaves inside the content: `<think>…</think>` at its beginning. Works on the joined text, so a
//! tag may be cut anywhere. Tags further on are part of the answer.

const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The content, divided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Split {
    /// The thought, without its tags and outer white space.
    pub reasoning: String,
    /// Where the answer starts in the content, in bytes; its length if there is no answer.
    pub answer_at: usize,
    /// Where it ends.
    pub answer_to: usize,
    /// A thought was opened and not closed.
    pub unclosed: bool,
}

/// Divides joined content into thought and answer.
pub fn split(content: &str) -> Split {
    let mut split = Split::default();
    let mut thoughts: Vec<&str> = Vec::new();
    let mut rest = content;
    loop {
        let inner = rest.trim_start();
        let Some((open, close)) = TAGS.iter().find(|(open, _)| inner.starts_with(open)) else { break };
        let thought = &inner[open.len()..];
        match thought.find(close) {
            Some(end) => {
                thoughts.push(thought[..end].trim());
                rest = &thought[end + close.len()..];
            }
            None => {
                thoughts.push(thought.trim());
                split.unclosed = true;
                rest = "";
            }
        }
    }
    if thoughts.is_empty()
        && let Some((thought, after)) = closed_only(content)
    {
        thoughts.push(thought.trim());
        rest = after;
    }
    if !thoughts.is_empty() {
        rest = rest.trim_start();
        thoughts.retain(|thought| !thought.is_empty());
        split.reasoning = thoughts.join("\n");
    }
    (split.answer_at, split.answer_to) = (content.len() - rest.len(), content.len());
    split
}

/// A thought whose opening tag was part of the prompt: everything before a lone closing tag. A tag in quotation marks
/// is talked about, not used.
fn closed_only(content: &str) -> Option<(&str, &str)> {
    let (at, close) = TAGS.iter().filter_map(|(_, close)| Some((content.find(close)?, *close))).min()?;
    let (before, after) = (&content[..at], &content[at + close.len()..]);
    let quoted = before.ends_with(['`', '"', '\'', '“', '‘', '«']);
    let opened = TAGS.iter().any(|(open, _)| before.contains(open));
    (!quoted && !opened).then_some((before, after))
}

/// Whether the content so far is still inside its opening thought; for the live view only.
pub fn is_open(content: &str) -> bool {
    let start = content.trim_start();
    TAGS.iter().any(|(open, close)| start.starts_with(open) && !start.contains(close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_thought_at_the_beginning_is_taken_out() {
        for (content, reasoning, answer, unclosed) in [
            ("42", "", "42", false),
            ("<think>six times seven</think>\n\n42", "six times seven", "42", false),
            (" \n<think>\n\n</think>\n\n42", "", "42", false),
            ("<think>a</think><think>b</think>c", "a\nb", "c", false),
            ("six times seven\n</think>\n42", "six times seven", "42", false),
            ("<think>six times", "six times", "", true),
            ("The tag `</think>` closes it", "", "The tag `</think>` closes it", false),
            ("Write <think>x</think> first", "", "Write <think>x</think> first", false),
            ("<thinking>hm</thinking>ja", "hm", "ja", false),
            ("  42 ", "", "  42 ", false),
        ] {
            let split = split(content);
            assert_eq!(
                (split.reasoning.as_str(), &content[split.answer_at..], split.unclosed),
                (reasoning, answer, unclosed),
                "{content:?}"
            );
        }
    }
}
