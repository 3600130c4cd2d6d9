//! Lists: bullets and numbers, nested by indentation. Two spaces are enough, since models count no columns.

use super::{Block, DEEPEST, dedent, indent, is_rule, read as read_blocks};

/// What begins an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marker {
    /// Spaces before it.
    indent: usize,
    /// Bytes up to the item's text.
    width: usize,
    /// `None`: a bullet.
    number: Option<u64>,
    mark: char,
    is_empty: bool,
}

impl Marker {
    /// Whether it may stand right below a paragraph: a number that begins a line of prose is mostly a year.
    pub(super) fn may_interrupt(self) -> bool {
        !self.is_empty && self.number.is_none_or(|number| number == 1)
    }

    fn continues(self, first: Self) -> bool {
        self.mark == first.mark && self.indent < first.indent + 2
    }
}

/// Reads the marker of a line.
pub(super) fn marker(line: &str) -> Option<Marker> {
    if is_rule(line) {
        return None;
    }
    let indent = indent(line);
    let text = &line[indent..];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = match digits {
        0 => None,
        1..=9 => Some(text[..digits].parse().ok()?),
        _ => return None,
    };
    let mark = text[digits..].chars().next()?;
    let fits = if number.is_some() { matches!(mark, '.' | ')') } else { matches!(mark, '-' | '*' | '+' | '•') };
    let after = &text[digits + mark.len_utf8()..];
    if !fits || !(after.is_empty() || after.starts_with(' ')) {
        return None;
    }
    let is_empty = after.trim().is_empty();
    let spaces = if is_empty { 1 } else { (after.len() - after.trim_start().len()).min(4) };
    let width = (indent + digits + mark.len_utf8() + spaces).min(line.len());
    Some(Marker { indent, width, number, mark, is_empty })
}

/// Reads a list and how many lines it takes.
pub(super) fn read(lines: &[&str], depth: usize) -> Option<(Block, usize)> {
    let first = marker(lines.first()?).filter(|_| depth < DEEPEST)?;
    let (mut items, mut at) = (Vec::new(), 0);
    while let Some(own) = lines.get(at).and_then(|line| marker(line)).filter(|own| own.continues(first)) {
        let end = item_end(lines, at + 1, own);
        let mut inside = vec![&lines[at][own.width..]];
        inside.extend(lines[at + 1..end].iter().map(|line| dedent(line, own.width)));
        items.push(read_blocks(&inside, depth + 1));
        at = end;
        // blank lines between two items belong to neither
        let next = at + lines[at..].iter().take_while(|line| line.trim().is_empty()).count();
        if lines.get(next).and_then(|line| marker(line)).is_some_and(|next| next.continues(first)) {
            at = next;
        }
    }
    Some((Block::List { start: first.number, items }, at))
}

/// The line after an item's last one.
fn item_end(lines: &[&str], from: usize, own: Marker) -> usize {
    let (mut at, mut end, mut after_blank) = (from, from, false);
    let mut fence = lines.get(from - 1).and_then(|line| super::fence(line.get(own.width..)?));
    while let Some(line) = lines.get(at) {
        // a fence that the item opened holds its lines, however they are indented
        if let Some((mark, length, _)) = fence {
            if super::closes(line, mark, length) {
                fence = None;
            }
            at += 1;
            end = at;
            continue;
        }
        if line.trim().is_empty() {
            after_blank = true;
            at += 1;
            continue;
        }
        let belongs = indent(line) >= own.indent + 2;
        // text right below an item, not indented, is still its paragraph
        let is_lazy = !after_blank && marker(line).is_none() && !super::interrupts(line, DEEPEST);
        if !belongs && !is_lazy {
            break;
        }
        fence = if belongs { super::fence(line) } else { None };
        after_blank = false;
        at += 1;
        end = at;
    }
    end
}
