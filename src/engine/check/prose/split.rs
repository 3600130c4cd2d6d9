//! Text into sentences of lower-case words, and sentences into clauses. A line, a bullet and the row of a table are
//! sentences; in a row, each cell stands behind the head of its column.

use crate::engine::check::text;

/// A sentence as its clauses, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sentence {
    pub clauses: Vec<Vec<String>>,
    pub asks: bool,
}

impl Sentence {
    pub fn words(&self) -> Vec<&str> {
        self.clauses.iter().flatten().map(String::as_str).collect()
    }
}

/// Words that open a clause of their own.
const OPENING: [&str; 9] = ["but", "so", "because", "since", "while", "although", "though", "however", "whereas"];
/// After these, `and`, `as` and `or` open one, too.
const SUBJECTS: [&str; 18] = [
    "i", "i've", "i'll", "we", "we've", "we'll", "it", "they", "you", "the", "your", "this", "that", "there", "a",
    "an", "no", "nothing",
];

pub(super) fn plain(said: &str) -> String {
    said.replace(['’', '‘', 'ʼ'], "'").replace(['\u{2010}', '\u{2011}'], "-").replace(['\u{a0}', '\u{202f}'], " ")
}

/// Lower-case words.
pub(super) fn words(said: &str) -> Vec<String> {
    text::words(&plain(said)).into_iter().map(str::to_lowercase).collect()
}

pub(super) fn sentences(said: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    for line in lines(&plain(said)) {
        for sentence in text::sentences(&line) {
            let asks = sentence.trim_end_matches(['"', ')', '*', ' ']).ends_with(['?', '？']);
            let mut halves = sentence.split(';').peekable();
            while let Some(half) = halves.next() {
                let clauses = clauses(half);
                if !clauses.is_empty() {
                    found.push(Sentence { clauses, asks: asks && halves.peek().is_none() });
                }
            }
        }
    }
    found
}

/// Lines without emphasis; the rows of a table with the heads of their columns.
fn lines(said: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut heads: Option<Vec<String>> = None;
    for line in said.lines() {
        let plain = text::without_emphasis(line);
        let line = plain.trim();
        if !line.starts_with('|') {
            heads = None;
            found.push(text::without_marker(line).to_owned());
            continue;
        }
        let cells: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        match &heads {
            None => heads = Some(cells),
            Some(_) if cells.iter().all(|cell| !cell.chars().any(char::is_alphanumeric)) => {}
            Some(heads) => {
                let cells = cells.iter().enumerate().map(|(at, cell)| {
                    let head = heads.get(at).map_or("", String::as_str);
                    format!("{head} {cell}")
                });
                found.push(cells.collect::<Vec<_>>().join(", "));
            }
        }
    }
    found
}

fn clauses(sentence: &str) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = Vec::new();
    for piece in pieces(sentence) {
        let mut open: Vec<String> = Vec::new();
        let words = words(piece);
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).map_or("", String::as_str);
            // `order no. 2207` denies nothing
            if word == "no" && next.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let opens =
                OPENING.contains(&word.as_str()) || (matches!(word.as_str(), "and" | "as") && SUBJECTS.contains(&next));
            if opens && !open.is_empty() {
                found.push(std::mem::take(&mut open));
            }
            open.push(word.clone());
        }
        if !open.is_empty() {
            found.push(open);
        }
    }
    found
}

/// Cut at commas, colons, dashes and brackets, but not inside of a number or a time.
fn pieces(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut before) = (0, ' ');
    for (at, c) in sentence.char_indices() {
        let next = sentence[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let inside = before.is_ascii_digit() && next.is_ascii_digit();
        if matches!(c, '(' | ')' | '–' | '—' | '…' | '!')
            || (matches!(c, ',' | ':') && !inside)
            || (c == '-' && before == ' ' && next == ' ')
        {
            found.push(&sentence[from..at]);
            from = at + c.len_utf8();
        }
        before = c;
    }
    found.push(&sentence[from..]);
    found
}
