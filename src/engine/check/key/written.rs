//! Ways of writing a number that change what its digits mean: a base (`10521_7`, `base 7`) and decimals that repeat
//! (`0.3(1)`). Pure. Imports: `check::rational`.

use crate::engine::check::rational::Rational;

const SMALL: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
const NAMED: [(&str, u32); 16] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("twelve", 12),
    ("sixteen", 16),
    ("binary", 2),
    ("octal", 8),
    ("decimal", 10),
    ("hexadecimal", 16),
    ("septenary", 7),
];

/// The number at the start of a text, in digits or as a word, and what follows it.
fn base_number(text: &str) -> Option<(u32, &str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if (1..=2).contains(&digits) {
        return Some((text[..digits].parse().ok()?, &text[digits..]));
    }
    let letters = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let word = text[..letters].to_lowercase();
    NAMED.iter().find(|(name, _)| *name == word).map(|(_, base)| (*base, &text[letters..]))
}

/// `base 7`, `base-7`, `base seven` or `7` at the start, and what follows.
fn base_at(text: &str) -> Option<(u32, &str)> {
    let inner = match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case("base") => text[4..].trim_start_matches([' ', '-', '\u{2011}']),
        _ => text,
    };
    base_number(inner)
}

/// A text without what says in which base its numbers are written, and the bases that it said.
pub(super) fn without_bases(text: &str) -> (String, Vec<u32>) {
    let mut bases = Vec::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        let behind_number = out.ends_with(|c: char| c.is_ascii_digit() || ")]".contains(c));
        if behind_number && let Some(digit) = SMALL.iter().position(|small| *small == c) {
            let end = rest.find(|c| !SMALL.contains(&c)).unwrap_or(rest.len());
            let read = rest[..end].chars().filter_map(|c| SMALL.iter().position(|small| *small == c));
            bases.push(read.skip(1).fold(digit, |base, digit| (base * 10 + digit).min(1000)) as u32);
            rest = &rest[end..];
            continue;
        }
        if behind_number && c == '_' {
            let inner = tail.strip_prefix(['(', '{']).unwrap_or(tail);
            if let Some((base, after)) = base_at(inner) {
                bases.push(base);
                rest = if inner.len() < tail.len() { after.strip_prefix([')', '}']).unwrap_or(after) } else { after };
                continue;
            }
        }
        let fresh = !out.ends_with(char::is_alphanumeric);
        let word = rest.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("base"));
        if fresh
            && word
            && let Some((base, after)) = base_at(rest)
        {
            bases.push(base);
            let before = out.trim_end().strip_suffix("in").map(str::len).unwrap_or(out.len());
            out.truncate(before);
            rest = after.trim_start_matches([':', ',']);
            continue;
        }
        let letters = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        if fresh && letters > 0 {
            let name = rest[..letters].to_lowercase();
            let system = NAMED.iter().skip(11).find(|(system, _)| *system == name);
            match system {
                Some((_, base)) => bases.push(*base),
                None => out.push_str(&rest[..letters]),
            }
            rest = &rest[letters..];
            continue;
        }
        out.push(c);
        rest = tail;
    }
    (out.replace("()", "").replace("[]", ""), bases)
}

/// Digits at the start of a text.
fn digits(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())]
}

/// A text with decimals that repeat as fractions: `0.3(1)` and `0.31̅` are `14/45`.
pub(super) fn without_repeats(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let fresh = !out.ends_with(|c: char| c.is_ascii_digit() || ".,/".contains(c));
        if fresh
            && c.is_ascii_digit()
            && let Some((value, after)) = repeating(rest)
        {
            out.push_str(&value.to_string());
            rest = after;
            continue;
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// A number at the start of a text whose decimals repeat, and what follows it.
fn repeating(text: &str) -> Option<(Rational, &str)> {
    const OVER: [char; 2] = ['\u{305}', '\u{304}'];
    let whole = digits(text);
    let tail = text[whole.len()..].strip_prefix(['.', ','])?;
    let mut fixed = digits(tail);
    let after = &tail[fixed.len()..];
    let (again, after) = if let Some(inner) = after.strip_prefix('(') {
        let again = digits(inner);
        (again.to_owned(), inner[again.len()..].strip_prefix(')')?)
    } else if after.starts_with(OVER) {
        // the sign stands behind each digit that repeats; the first of them was read as fixed
        let (before, first) = fixed.split_at(fixed.len().checked_sub(1)?);
        fixed = before;
        let mut again = first.to_owned();
        let mut after = after.trim_start_matches(OVER);
        while let Some(digit) = after.chars().next().filter(char::is_ascii_digit)
            && after[1..].starts_with(OVER)
        {
            again.push(digit);
            after = after[1..].trim_start_matches(OVER);
        }
        (again, after)
    } else {
        return None;
    };
    let in_range = (1..=6).contains(&again.len()) && fixed.len() <= 8 && (1..=9).contains(&whole.len());
    if !in_range || after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let power = |n: usize| 10_i128.checked_pow(u32::try_from(n).ok()?);
    let (start, all): (i128, i128) =
        (format!("{whole}{fixed}").parse().ok()?, format!("{whole}{fixed}{again}").parse().ok()?);
    let under = power(fixed.len())?.checked_mul(power(again.len())? - 1)?;
    Some((Rational::new(all - start, under)?, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_comes_off_in_every_dress() {
        for (text, plain, bases) in [
            ("10521_7", "10521", &[7][..]),
            ("(10521)_7", "(10521)", &[7]),
            ("[10521]_7", "[10521]", &[7]),
            ("(10521)₇", "(10521)", &[7]),
            ("10521₁₂", "10521", &[12]),
            ("10521_(7)", "10521", &[7]),
            ("10521_base 7", "10521", &[7]),
            ("10521_base seven lamps", "10521 lamps", &[7]),
            ("10521 in base 7", "10521 ", &[7]),
            ("10521 (base 7)", "10521 ", &[7]),
            ("10521 (base seven)", "10521 ", &[7]),
            ("10521 (decimal)", "10521 ", &[10]),
            ("base 7: 10521", " 10521", &[7]),
            ("Base-7 10521", " 10521", &[7]),
            ("10521_10", "10521", &[10]),
            ("10521 lamps", "10521 lamps", &[]),
            ("2661 decimals", "2661 decimals", &[]),
        ] {
            let (found, said) = without_bases(text);
            assert_eq!((found.as_str(), said.as_slice()), (plain, bases), "{text}");
        }
    }

    #[test]
    fn decimals_that_repeat_are_fractions() {
        for (text, plain) in [
            ("0.3(1)", "14/45"),
            ("0.31\u{305}", "14/45"),
            ("0.3\u{305}1\u{305} of all", "31/99 of all"),
            ("1.(3)", "4/3"),
            ("0,(6)", "2/3"),
            ("0.3 (1)", "0.3 (1)"),
            ("0.3(1/2)", "0.3(1/2)"),
            ("28 (7)", "28 (7)"),
            ("14:35", "14:35"),
        ] {
            assert_eq!(without_repeats(text), plain, "{text}");
        }
    }
}
