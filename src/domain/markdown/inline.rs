//! What stands inside a line: code, bold, italics, struck out, links. One pass with a bounded stack of open marks; a
//! mark that is never closed is text.

use super::link;

/// Marks open at the same time, at most.
const OPEN: usize = 24;

/// A piece of text.
#[derive(Debug, Clone, PartialEq)]
pub enum Inline {
    Text(String),
    Code(String),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Struck(Vec<Inline>),
    /// Leads to an http or https address.
    Link {
        text: Vec<Inline>,
        address: String,
    },
    /// The line ends here.
    Break,
}

/// A mark that waits for its counterpart, with what came after it.
struct Open {
    mark: &'static str,
    inside: Vec<Inline>,
}

/// The marks in the order in which they are looked for.
const MARKS: [&str; 5] = ["**", "__", "~~", "*", "_"];

/// Reads one paragraph, heading or cell.
pub fn inline(text: &str) -> Vec<Inline> {
    let mut reader = Reader { text, at: 0, open: vec![Open { mark: "", inside: Vec::new() }], ticks_gone: Vec::new() };
    while reader.at < text.len() {
        reader.step();
    }
    reader.close_down_to(1);
    reader.open.pop().map(|bottom| bottom.inside).unwrap_or_default()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The bottom one is the text itself.
    open: Vec<Open>,
    /// Runs of back-ticks, by length, that have no counterpart further on.
    ticks_gone: Vec<usize>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn before(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    fn push(&mut self, piece: Inline) {
        if let Some(top) = self.open.last_mut() {
            top.inside.push(piece);
        }
    }

    fn say(&mut self, said: &str) {
        if said.is_empty() {
            return;
        }
        let Some(top) = self.open.last_mut() else { return };
        match top.inside.last_mut() {
            Some(Inline::Text(text)) => text.push_str(said),
            _ => top.inside.push(Inline::Text(said.to_owned())),
        }
    }

    /// Takes the next `n` bytes as text.
    fn plain(&mut self, n: usize) {
        let text = self.text;
        let end = (self.at + n).min(text.len());
        self.say(&text[self.at..end]);
        self.at = end;
    }

    /// Marks above `depth` are text after all.
    fn close_down_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(top) = self.open.pop() else { return };
            self.say(top.mark);
            for piece in top.inside {
                match piece {
                    Inline::Text(text) => self.say(&text),
                    piece => self.push(piece),
                }
            }
        }
    }

    fn step(&mut self) {
        let Some(c) = self.rest().chars().next() else { return };
        let taken = match c {
            '\\' => self.escape(),
            '\n' => {
                self.push(Inline::Break);
                self.at += 1;
                true
            }
            '`' => self.code(),
            '*' | '_' | '~' => self.mark(),
            '[' => self.open("["),
            ']' => self.link(),
            '<' => self.angle(),
            'h' | 'H' => self.address(),
            _ => false,
        };
        if !taken {
            // up to the next letter that could mean something
            let rest = self.rest();
            let next = rest.char_indices().skip(1).find(|(_, c)| "\\\n`*_~[]<hH".contains(*c));
            let length = if matches!(c, '*' | '_' | '~' | '`') {
                rest.len() - rest.trim_start_matches(c).len()
            } else {
                next.map_or(rest.len(), |(at, _)| at)
            };
            self.plain(length);
        }
    }

    fn escape(&mut self) -> bool {
        let next = self.rest().chars().nth(1).filter(char::is_ascii_punctuation);
        let Some(next) = next else { return false };
        // brackets after a backslash are mostly a formula: shown as written
        if !matches!(next, '(' | ')' | '[' | ']') {
            self.at += 1;
        } else {
            self.plain(1);
        }
        self.plain(next.len_utf8());
        true
    }

    fn code(&mut self) -> bool {
        let rest = self.rest();
        let length = rest.len() - rest.trim_start_matches('`').len();
        if self.ticks_gone.contains(&length) {
            return false;
        }
        let mut from = length;
        while let Some(found) = rest[from..].find('`') {
            let start = from + found;
            let run = rest[start..].len() - rest[start..].trim_start_matches('`').len();
            if run == length {
                let inside = rest[length..start].replace('\n', " ");
                let padded = inside.strip_prefix(' ').and_then(|inner| inner.strip_suffix(' '));
                let code = padded.filter(|inner| !inner.trim().is_empty()).unwrap_or(&inside).to_owned();
                self.push(Inline::Code(code));
                self.at += start + run;
                return true;
            }
            from = start + run;
        }
        self.ticks_gone.push(length);
        false
    }

    /// A run of stars, underscores or tildes: closes what it can, else opens.
    fn mark(&mut self) -> bool {
        let rest = self.rest();
        let Some(widest) = MARKS.into_iter().find(|mark| rest.starts_with(mark)) else { return false };
        let run = rest.len() - rest.trim_start_matches(&widest[..1]).len();
        let after = rest[run..].chars().next();
        let before = self.before();
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let by_word = widest.starts_with('_');
        let closes = !(is_space(before) || by_word && is_word(after));
        let opens = !(is_space(after) || by_word && is_word(before));
        // a run of one or two closes its equal, a longer one (`***`) whatever was opened last
        let same = |open: &Open| !open.mark.is_empty() && rest.starts_with(open.mark);
        let found = self.open.iter().rposition(|open| if run > 2 { same(open) } else { open.mark == widest });
        if closes && let Some(depth) = found {
            let mark = self.open[depth].mark;
            self.close_down_to(depth + 1);
            let Some(open) = self.open.pop() else { return false };
            self.at += mark.len();
            if open.inside.is_empty() {
                self.say(mark);
                self.say(mark);
                return true;
            }
            self.push(match mark {
                "**" | "__" => Inline::Strong(open.inside),
                "~~" => Inline::Struck(open.inside),
                _ => Inline::Emphasis(open.inside),
            });
            return true;
        }
        opens && self.open(widest)
    }

    fn open(&mut self, mark: &'static str) -> bool {
        if self.open.len() >= OPEN {
            return false;
        }
        self.at += mark.len();
        self.open.push(Open { mark, inside: Vec::new() });
        true
    }

    fn link(&mut self) -> bool {
        let Some(depth) = self.open.iter().rposition(|open| open.mark == "[") else { return false };
        let target = self.rest()[1..].strip_prefix('(').and_then(link::target);
        let target = target.filter(|(address, _)| link::host(address).is_some());
        let Some((address, length)) = target.map(|(address, length)| (address.to_owned(), length)) else {
            // no link, or one that may not be followed: as written
            self.close_down_to(depth);
            return false;
        };
        self.close_down_to(depth + 1);
        let text = self.open.pop().map(|open| open.inside).unwrap_or_default();
        let text = if text.is_empty() { vec![Inline::Text(address.clone())] } else { text };
        self.at += 2 + length;
        self.push(Inline::Link { text, address });
        true
    }

    /// `<https://…>`; a tag is text.
    fn angle(&mut self) -> bool {
        let Some(address) = link::bare(&self.rest()[1..]) else { return false };
        if !self.rest()[1 + address.len()..].starts_with('>') {
            return false;
        }
        let address = address.to_owned();
        self.at += address.len() + 2;
        self.push(Inline::Link { text: vec![Inline::Text(address.clone())], address });
        true
    }

    /// An address that stands in a sentence.
    fn address(&mut self) -> bool {
        let in_link = self.open.iter().any(|open| open.mark == "[");
        if in_link || self.before().is_some_and(char::is_alphanumeric) {
            return false;
        }
        let Some(address) = link::bare(self.rest()).map(str::to_owned) else { return false };
        self.at += address.len();
        self.push(Inline::Link { text: vec![Inline::Text(address.clone())], address });
        true
    }
}
