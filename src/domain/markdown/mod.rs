//! A model's answer, text → blocks: the part of Markdown that answers use. Pure; what is no markup stays text, and no
//! text is ever lost.
//!
//! HTML is text. Nesting is bounded ([`DEEPEST`]) and every pass is linear, so that no answer, however hostile, takes
//! long or overflows a stack. [`inline`] reads what stands inside a line, [`link`] which addresses may be followed.
//! Line breaks inside a paragraph are kept as the model wrote them. Imports: std.

mod inline;
mod link;
mod list;
mod table;

pub use self::inline::{Inline, inline};
pub use self::link::host;

/// Quotes and lists inside one another, at most; what is deeper is a paragraph.
const DEEPEST: usize = 8;

/// A part of an answer that stands by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    /// With its level, 1 to 6.
    Heading(u8, Vec<Inline>),
    /// `start` is the first number; `None`: bullets.
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Quote(Vec<Block>),
    /// A fenced block; `language` is empty where none was named.
    Code {
        language: String,
        text: String,
    },
    Table(Table),
    Rule,
}

/// A table whose rows all have as many cells as its head.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub head: Vec<Vec<Inline>>,
    /// Whether a column is aligned to the right.
    pub right: Vec<bool>,
    pub rows: Vec<Vec<Vec<Inline>>>,
}

/// Reads a whole answer, or as much of it as has come: an open fence reaches to the end.
pub fn blocks(text: &str) -> Vec<Block> {
    let text = text.replace('\t', "    ").replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.split('\n').collect();
    read(&lines, 0)
}

fn read(lines: &[&str], depth: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        if line.trim().is_empty() {
            at += 1;
            continue;
        }
        let rest = &lines[at..];
        let (block, taken) = code(rest)
            .or_else(|| heading(line))
            .or_else(|| is_rule(line).then_some((Block::Rule, 1)))
            .or_else(|| quote(rest, depth))
            .or_else(|| table::read(rest))
            .or_else(|| list::read(rest, depth))
            .unwrap_or_else(|| paragraph(rest, depth));
        blocks.push(block);
        at += taken.max(1);
    }
    blocks
}

/// Spaces at the beginning.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The line without its first spaces, at most `n`.
fn dedent(line: &str, n: usize) -> &str {
    &line[indent(line).min(n)..]
}

/// The mark of an opening fence, its length and what follows it.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    let info = line[length..].trim();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length, info))
}

/// Whether a line closes a fence.
fn closes(line: &str, mark: char, length: usize) -> bool {
    let line = line.trim();
    line.len() >= length && line.chars().all(|c| c == mark)
}

fn code(lines: &[&str]) -> Option<(Block, usize)> {
    let first = lines.first()?;
    let (mark, length, info) = fence(first)?;
    let inside = &lines[1..];
    let end = inside.iter().position(|line| closes(line, mark, length));
    let body: Vec<&str> =
        inside[..end.unwrap_or(inside.len())].iter().map(|line| dedent(line, indent(first))).collect();
    let language = info.split([' ', '{', ',']).next().unwrap_or_default().to_owned();
    let text = body.join("\n");
    let text = if end.is_none() { text.trim_end_matches('\n').to_owned() } else { text };
    Some((Block::Code { language, text }, end.map_or(lines.len(), |end| end + 2)))
}

fn heading(line: &str) -> Option<(Block, usize)> {
    let line = line.trim();
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_one = (1..=6).contains(&level) && (text.is_empty() || text.starts_with(' '));
    let bare = text.trim().trim_end_matches('#');
    let text = if bare.is_empty() || bare.ends_with(' ') { bare } else { text };
    is_one.then(|| (Block::Heading(level as u8, inline(text.trim())), 1))
}

fn is_rule(line: &str) -> bool {
    let bare: Vec<char> = line.chars().filter(|c| *c != ' ').collect();
    bare.len() >= 3 && matches!(bare.first(), Some('-' | '*' | '_')) && bare.windows(2).all(|pair| pair[0] == pair[1])
}

fn quote(lines: &[&str], depth: usize) -> Option<(Block, usize)> {
    if depth >= DEEPEST {
        return None;
    }
    let inside: Vec<&str> = lines
        .iter()
        .map_while(|line| line.trim_start().strip_prefix('>'))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    (!inside.is_empty()).then(|| (Block::Quote(read(&inside, depth + 1)), inside.len()))
}

/// Whether a line begins a block that ends a paragraph.
fn interrupts(line: &str, depth: usize) -> bool {
    let begins_list = depth < DEEPEST && list::marker(line).is_some_and(|marker| marker.may_interrupt());
    fence(line).is_some()
        || heading(line).is_some()
        || is_rule(line)
        || (depth < DEEPEST && line.trim_start().starts_with('>'))
        || begins_list
}

fn paragraph(lines: &[&str], depth: usize) -> (Block, usize) {
    let mut taken = 1;
    while let Some(line) = lines.get(taken)
        && !line.trim().is_empty()
        && !interrupts(line, depth)
        && !table::starts(&lines[taken..])
    {
        taken += 1;
    }
    let text: Vec<&str> = lines[..taken].iter().map(|line| line.trim()).collect();
    (Block::Paragraph(inline(&text.join("\n"))), taken)
}

#[cfg(test)]
mod tests;
