//! The base that a number is written in: `(10521)₇`, `10521 (in base 7)` and `base 7: 10521` are all `10521_7`.
//!
//! Imports: `check::number`.

use super::number::{self, SMALL};

/// The base of a number that names none.
pub(super) const TEN: u32 = 10;

const SPELLED: [(&str, u32); 12] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", TEN),
    ("twelve", 12),
    ("sixteen", 16),
    ("twenty", 20),
];
const SYSTEMS: [(&str, u32); 6] =
    [("binary", 2), ("septenary", 7), ("octal", 8), ("decimal", TEN), ("denary", TEN), ("hexadecimal", 16)];

/// The text with every base right behind its number, as in `10521_7`. Without `spoken`, words about a base count only
/// as `in base 7` or alone in brackets, because `base 7` may be the side of a figure.
pub(super) fn beside_numbers(text: &str, spoken: bool) -> String {
    beside_spoken(&beside_small(text), spoken)
}

/// Digits or a word for a base from 2 to 36, and what follows.
fn name(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    if rest.starts_with(['.', ',']) && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = word.to_lowercase();
    let spelled = || SPELLED.iter().find(|(spelled, _)| *spelled == lower).map(|(_, base)| *base);
    let base = word.parse().ok().or_else(spelled).filter(|base| (2..=36).contains(base))?;
    Some((base, rest))
}

/// The base at the start of a text that is written small: `_7`, `_(7)`, `_base 7`, `₇`.
fn small(text: &str) -> Option<(u32, &str)> {
    let Some(tail) = text.strip_prefix('_') else {
        let (base, rest) = number::small(text);
        return Some((base.filter(|base| (2..=36).contains(base))?, rest));
    };
    let inner = tail.strip_prefix('(').unwrap_or(tail);
    let lower = inner.to_ascii_lowercase();
    let named = if lower.starts_with("base") { inner["base".len()..].trim_start_matches([' ', '-']) } else { inner };
    let (base, rest) = name(named)?;
    if inner.len() == tail.len() { Some((base, rest)) } else { Some((base, rest.trim_start().strip_prefix(')')?)) }
}

/// Writes what stands small behind a number, or behind the brackets around one, as `_7`.
pub(super) fn beside_small(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '_' || SMALL.contains(&c)) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let behind = out.ends_with(|c: char| c.is_ascii_digit() || ")]".contains(c));
        if let Some((base, after)) = small(rest).filter(|_| behind) {
            // Of a calculation in brackets, the base says nothing about its last number.
            if !out.ends_with([')', ']']) || unwrap_number(&mut out) {
                out.push('_');
                out.push_str(&base.to_string());
            }
            rest = after;
        } else {
            let length = rest.chars().next().map_or(0, char::len_utf8);
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    out + rest
}

/// Takes off the brackets at the end of a text where they hold one number.
fn unwrap_number(out: &mut String) -> bool {
    let Some(open) = out.rfind(['(', '[']) else { return false };
    let inner = out[open + 1..out.len() - 1].trim().to_owned();
    let single = number::read(&inner).is_some_and(|(_, rest)| rest.is_empty());
    if single {
        out.truncate(open);
        out.push_str(&inner);
    }
    single
}

/// Where words name a base, and which.
struct Spoken {
    from: usize,
    to: usize,
    base: u32,
}

/// The first words about a base in a text from a place on.
fn spoken(text: &str, from: usize, anywhere: bool) -> Option<Spoken> {
    // ASCII lower case keeps every byte position.
    let lower = text.to_ascii_lowercase();
    text[from..].char_indices().map(|(at, _)| from + at).find_map(|at| {
        if lower[..at].ends_with(char::is_alphanumeric) {
            return None;
        }
        let system = || SYSTEMS.iter().find_map(|(word, base)| Some((*base, lower[at..].strip_prefix(word)?)));
        let based = || name(lower[at..].strip_prefix("base")?.strip_prefix([' ', '-'])?.trim_start());
        let (base, rest) = based().or_else(|| system().filter(|_| anywhere))?;
        let places = [" place", " point", " digit", " part", " form", " fraction"];
        if rest.starts_with(char::is_alphanumeric) || places.iter().any(|word| rest.starts_with(word)) {
            return None;
        }
        let mut found = Spoken { from: at, to: text.len() - rest.len(), base };
        let inside = lower[..at].ends_with("in ");
        if inside {
            found.from -= "in ".len();
        }
        let before = lower[..found.from].trim_end();
        let bracketed = before.ends_with(['(', '[']) && rest.trim_start().starts_with([')', ']']);
        if bracketed {
            found.from = before.len() - 1;
            found.to += rest.len() - rest.trim_start().len() + 1;
        }
        (anywhere || inside || bracketed).then_some(found)
    })
}

/// Moves what is said about a base behind the number before it, else behind the next one.
fn beside_spoken(text: &str, anywhere: bool) -> String {
    let mut text = text.to_owned();
    let mut from = 0;
    while let Some(said) = spoken(&text, from, anywhere) {
        let numbers = number::all(&text).into_iter().filter(|(_, number)| number.base.is_none());
        let ends = numbers.filter_map(|(at, _)| Some((at, text.len() - number::read(&text[at..])?.1.len())));
        let ends: Vec<(usize, usize)> =
            ends.filter(|(_, end)| text[..*end].ends_with(|c: char| c.is_ascii_digit())).collect();
        let before = ends.iter().rfind(|(_, end)| *end <= said.from && !text[*end..said.from].contains(['=', '≈']));
        let next = || ends.iter().find(|(at, _)| *at >= said.to);
        let small = format!("_{}", said.base);
        let tail = text[said.to..].to_owned();
        match (before, before.is_none().then(next).flatten()) {
            (Some((_, end)), _) => text = format!("{}{small}{}{tail}", &text[..*end], &text[*end..said.from]),
            (None, Some((at, end))) => {
                let between = text[said.to..*at].trim_start_matches([' ', ':', ',']).to_owned();
                text = format!("{}{between}{}{small}{}", &text[..said.from], &text[*at..*end], &text[*end..]);
            }
            (None, None) => text = format!("{}{tail}", &text[..said.from]),
        }
        from = said.from.min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_stands_behind_its_number() {
        for (text, expected) in [
            ("10521_7", "10521_7"),
            ("(10521)_7", "10521_7"),
            ("[10521]_7 lamps", "10521_7 lamps"),
            ("(10521)₇", "10521_7"),
            ("10521₁₀", "10521_10"),
            ("10521_(7)", "10521_7"),
            ("10521_base 7", "10521_7"),
            ("(10521)_base  7", "10521_7"),
            ("10521_seven", "10521_7"),
            ("base 7: 10521", "10521_7"),
            ("in base seven: 10521", "10521_7"),
            ("10521 (base 7)", "10521_7 "),
            ("10521 lamps in base-7", "10521_7 lamps "),
            ("10521 (decimal)", "10521_10 "),
            ("2661 base 10 = 10521 base 7", "2661_10  = 10521_7 "),
            ("(364 · 25)_7 = 10521_7", "(364 · 25) = 10521_7"),
            ("x_1 = 24", "x_1 = 24"),
        ] {
            assert_eq!(beside_numbers(text, true), expected, "{text}");
        }
        assert_eq!(beside_numbers("99 (base 9 × 11)", false), "99 (base 9 × 11)");
        assert_eq!(beside_numbers("24 (in base 10)", false), "24_10 ");
    }
}
