//! Divides an answer into text, thoughts and tags with calls in them. JSON is read where it stands, so that a tag inside
//! a string is part of the string. Pure.

use super::calls::{self, Values};

/// The tags that calls stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    ToolCall,
    FunctionCall,
}

impl Family {
    /// The tag's name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ToolCall => "tool_call",
            Self::FunctionCall => "function_call",
        }
    }

    /// The harnesses that read it, as words for a note.
    pub(super) const fn readers(self) -> &'static str {
        match self {
            Self::ToolCall => "hermes and pi",
            Self::FunctionCall => "qwen",
        }
    }
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// What was thought, without its tags; one that is not closed goes on to the end.
    Thought(&'a str),
    Block(Block<'a>),
    /// A closing tag that closes nothing.
    Stray(Family, &'a str),
}

/// An opening tag and what it holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block<'a> {
    pub family: Family,
    /// With its tags.
    pub whole: &'a str,
    /// The JSON inside, or why it could not be read.
    pub content: Result<Values, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Call(Family),
    Think,
    Thinking,
}

#[derive(Debug, Clone, Copy)]
struct Tag {
    name: Name,
    is_closing: bool,
    start: usize,
    end: usize,
}

/// The tag that starts at this `<`; in any case, with attributes or without.
fn tag_at(text: &str, start: usize) -> Option<Tag> {
    let rest = text.get(start..)?.strip_prefix('<')?;
    let is_closing = rest.starts_with('/');
    let inner = rest.strip_prefix('/').unwrap_or(rest);
    let length = inner.find(|c: char| !c.is_ascii_alphabetic() && c != '_')?;
    let name = match inner[..length].to_ascii_lowercase().as_str() {
        "tool_call" => Name::Call(Family::ToolCall),
        "function_call" => Name::Call(Family::FunctionCall),
        "think" => Name::Think,
        "thinking" => Name::Thinking,
        _ => return None,
    };
    let after = &inner[length..];
    if !after.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/')) {
        return None;
    }
    let close = after.find(['<', '>']).filter(|at| after[*at..].starts_with('>'))?;
    let end = text.len() - after.len() + close + 1;
    Some(Tag { name, is_closing, start, end })
}

/// The next tag from here on that is used; one in quotation marks is talked about.
fn next_tag(text: &str, from: usize) -> Option<Tag> {
    const QUOTES: [char; 9] = ['`', '"', '\'', '“', '”', '‘', '’', '«', '»'];
    let tags = text[from..].match_indices('<').filter_map(|(at, _)| tag_at(text, from + at));
    let is_quoted = |tag: &Tag| text[..tag.start].ends_with(QUOTES) && text[tag.end..].starts_with(QUOTES);
    tags.into_iter().find(|tag| !is_quoted(tag))
}

/// The next tag of a call from here on.
fn next_call_tag(text: &str, from: usize) -> Option<Tag> {
    let mut from = from;
    loop {
        let tag = next_tag(text, from)?;
        if matches!(tag.name, Name::Call(_)) {
            return Some(tag);
        }
        from = tag.end;
    }
}

/// The parts of an answer in order. Only stray closing tags of thoughts stay in the text.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut done, mut at) = (0, 0);
    while let Some(tag) = next_tag(text, at) {
        let (piece, end) = match (tag.name, tag.is_closing) {
            (Name::Think | Name::Thinking, true) => {
                at = tag.end;
                continue;
            }
            (Name::Think | Name::Thinking, false) => {
                let close = closing(text, tag);
                let (inner_end, end) = close.map_or((text.len(), text.len()), |close| (close.start, close.end));
                (Piece::Thought(&text[tag.end..inner_end]), end)
            }
            (Name::Call(family), true) => (Piece::Stray(family, &text[tag.start..tag.end]), tag.end),
            (Name::Call(family), false) => {
                let block = block(text, family, tag);
                let end = tag.start + block.whole.len();
                (Piece::Block(block), end)
            }
        };
        if done < tag.start {
            pieces.push(Piece::Text(&text[done..tag.start]));
        }
        pieces.push(piece);
        (done, at) = (end, end);
    }
    if done < text.len() {
        pieces.push(Piece::Text(&text[done..]));
    }
    pieces
}

/// The tag that closes a thought.
fn closing(text: &str, open: Tag) -> Option<Tag> {
    let mut from = open.end;
    loop {
        let tag = next_tag(text, from)?;
        if tag.is_closing && tag.name == open.name {
            return Some(tag);
        }
        from = tag.end;
    }
}

/// All tags with calls in a text, whatever is thought and what is said.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(tag) = next_call_tag(text, at) {
        at = tag.end;
        if let (Name::Call(family), false) = (tag.name, tag.is_closing) {
            let block = block(text, family, tag);
            at = tag.start + block.whole.len();
            blocks.push(block);
        }
    }
    blocks
}

/// What an opening tag holds: up to its closing tag; without one, the JSON behind it, if that is whole.
fn block(text: &str, family: Family, open: Tag) -> Block<'_> {
    let inner = &text[open.end..];
    let found = |content, end| Block { family, whole: &text[open.start..end], content };
    let mut values = match calls::values(inner) {
        Ok(values) => values,
        Err(why) => {
            let end = match next_call_tag(text, open.end) {
                Some(tag) if tag.is_closing => tag.end,
                Some(tag) => tag.start,
                None => text.len(),
            };
            return found(Err(why), end);
        }
    };
    let after = open.end + values.end;
    let visible = after + text[after..].len() - text[after..].trim_start().len();
    match next_call_tag(text, after) {
        Some(tag) if tag.is_closing && tag.start == visible => {
            if let Name::Call(closed) = tag.name
                && closed != family
            {
                values.repairs.push(format!("closed with </{}>", closed.name()));
            }
            found(Ok(values), tag.end)
        }
        Some(tag) if tag.is_closing => found(Err("more than JSON stands in the tag".to_owned()), tag.end),
        _ => {
            values.repairs.push("the tag was not closed".to_owned());
            found(Ok(values), after)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = pieces(text).into_iter().map(|piece| match piece {
            Piece::Text(text) => format!("text {text:?}"),
            Piece::Thought(text) => format!("thought {text:?}"),
            Piece::Block(block) => {
                format!(
                    "{} {:?} {}",
                    block.family.name(),
                    block.whole,
                    if block.content.is_ok() { "ok" } else { "bad" }
                )
            }
            Piece::Stray(family, _) => format!("stray {}", family.name()),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn an_answer_is_divided_at_its_tags() {
        for (text, expected) in [
            ("", ""),
            ("a < b <tool_callx> <tool_call", r#"text "a < b <tool_callx> <tool_call""#),
            (
                "a<Tool_Call id=1>{}</TOOL_CALL >b",
                r#"text "a", tool_call "<Tool_Call id=1>{}</TOOL_CALL >" ok, text "b""#,
            ),
            (
                r#"<tool_call>{"a":"</tool_call><think>"}</tool_call>"#,
                r#"tool_call "<tool_call>{\"a\":\"</tool_call><think>\"}</tool_call>" ok"#,
            ),
            ("<tool_call>{} tail", r#"tool_call "<tool_call>{}" ok, text " tail""#),
            (
                "<tool_call>{}\n<tool_call>{}</tool_call>",
                r#"tool_call "<tool_call>{}" ok, text "\n", tool_call "<tool_call>{}</tool_call>" ok"#,
            ),
            ("<tool_call>{}} </tool_call>x", r#"tool_call "<tool_call>{}} </tool_call>" bad, text "x""#),
            (
                "<tool_call>{ <function_call>{}",
                r#"tool_call "<tool_call>{ " bad, function_call "<function_call>{}" ok"#,
            ),
            ("x</function_call>", r#"text "x", stray function_call"#),
            ("a<think>b<tool_call>{}</think>c", r#"text "a", thought "b<tool_call>{}", text "c""#),
            ("a<think>b</thinking>c", r#"text "a", thought "b</thinking>c""#),
            ("the `<tool_call>` tag and \"<think>\"", r#"text "the `<tool_call>` tag and \"<think>\"""#),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
