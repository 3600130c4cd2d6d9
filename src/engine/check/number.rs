//! Reads numbers as people and models write them: 1,234.5 and 1 234,5, 3/4 and 1 3/4, 37.5 %, 1.5×10^3, −7, $12.50.
//! A number is read whole or not at all: `1000093` holds no 93, and `14:35` is no 14.

#[cfg(test)]
mod tests;

use super::rational::Rational;

/// A number with what was written around its digits.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The value as written; for 37.5 % it is 37.5.
    pub value: Rational,
    pub percent: bool,
    /// Digits after the decimal point, `None` for whole numbers and fractions.
    pub decimals: Option<u32>,
    /// A currency written in front.
    pub currency: Option<&'static str>,
    /// The base that is written small behind it.
    pub base: Option<u32>,
}

const CURRENCIES: [(&str, &str); 16] = [
    ("US$", "$"),
    ("US $", "$"),
    ("USD", "$"),
    ("EUR", "€"),
    ("Euro", "€"),
    ("euro", "€"),
    ("GBP", "£"),
    ("CHF", "CHF"),
    ("JPY", "¥"),
    ("INR", "₹"),
    ("$", "$"),
    ("€", "€"),
    ("£", "£"),
    ("¥", "¥"),
    ("₹", "₹"),
    ("₽", "₽"),
];

const VULGAR: [(char, i128, i128); 11] = [
    ('½', 1, 2),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅕', 1, 5),
    ('⅖', 2, 5),
    ('⅗', 3, 5),
    ('⅘', 4, 5),
    ('⅙', 1, 6),
    ('⅛', 1, 8),
];

const MULTIPLES: [(&str, i32); 3] = [("thousand", 3), ("million", 6), ("billion", 9)];

/// Takes one number off the start of the text, and gives what follows it. `None` if the text does not start with a
/// number, or with something that only begins like one.
pub fn read(text: &str) -> Option<(Number, &str)> {
    let rest = text.trim_start();
    let (negative, rest) = sign(rest);
    let (currency, rest) = currency(rest);
    let (negative, rest) = if negative { (true, rest) } else { sign(rest) };
    let (mut number, rest) = magnitude(rest)?;
    if negative {
        number.value = number.value.negated();
    }
    number.currency = currency;
    let (base, rest) = base(rest);
    number.base = base;
    let mut after = rest.chars();
    match (after.next(), after.next()) {
        (Some('.' | ',' | ':' | '/' | '\'' | '⁄'), Some(next)) if next.is_ascii_digit() => return None,
        (Some('^' | '_' | '⁰' | '¹' | '²' | '³' | '⁴' | '⁵' | '⁶' | '⁷' | '⁸' | '⁹' | '⁻'), _) => {
            return None;
        }
        (Some(next), _) if next.is_ascii_digit() => return None,
        _ => {}
    }
    Some((number, rest))
}

/// Digits below the line.
pub(super) const SMALL: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

/// The number that small digits at the start of a text make, and what follows them.
pub(super) fn small(text: &str) -> (Option<u32>, &str) {
    let after = text.trim_start_matches(SMALL);
    let digits = text[..text.len() - after.len()].chars().filter_map(|c| SMALL.iter().position(|small| *small == c));
    (digits.map(|digit| digit.to_string()).collect::<String>().parse().ok(), after)
}

/// The base that is written small behind a number, `_7` or `₇`, and what follows it.
fn base(rest: &str) -> (Option<u32>, &str) {
    match rest.strip_prefix('_') {
        Some(tail) if tail.starts_with(char::is_alphanumeric) => {
            let after = tail.trim_start_matches(char::is_alphanumeric);
            (tail[..tail.len() - after.len()].parse().ok(), after)
        }
        _ => small(rest),
    }
}

fn sign(text: &str) -> (bool, &str) {
    match text.chars().next() {
        Some(c @ ('-' | '\u{2212}' | '\u{2013}' | '\u{2011}' | '\u{ff0d}')) => (true, &text[c.len_utf8()..]),
        Some('+') => (false, &text[1..]),
        _ => (false, text),
    }
}

fn currency(text: &str) -> (Option<&'static str>, &str) {
    for (written, sign) in CURRENCIES {
        if let Some(rest) = text.strip_prefix(written) {
            return (Some(sign), rest.trim_start_matches([' ', '\u{a0}']));
        }
    }
    (None, text)
}

/// Digits at the start, as text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn vulgar(text: &str) -> Option<(Rational, &str)> {
    let first = text.chars().next()?;
    let (_, over, under) = VULGAR.iter().find(|(c, ..)| *c == first)?;
    Some((Rational::new(*over, *under)?, &text[first.len_utf8()..]))
}

fn magnitude(text: &str) -> Option<(Number, &str)> {
    let plain = |value, decimals| Number { value, percent: false, decimals, currency: None, base: None };
    if let Some((value, rest)) = vulgar(text) {
        return Some((plain(value, None), rest));
    }
    if let Some((value, rest)) = repeating(text) {
        let (percent, rest) = percent(rest);
        return Some((Number { percent, ..plain(value, None) }, rest));
    }
    let (value, decimals, rest) = grouped(text)?;
    if decimals.is_none() {
        if let Some((part, rest)) = vulgar(rest.trim_start_matches([' ', '\u{a0}', '\u{2009}'])) {
            return Some((plain(value.plus(part)?, None), rest));
        }
        if let Some((fraction, rest)) = fraction(value, rest)? {
            let (percent, rest) = percent(rest);
            return Some((Number { percent, ..plain(fraction, None) }, rest));
        }
    }
    let (value, rest) = match exponent(rest) {
        Some((power, rest)) => (value.times(Rational::power_of_ten(power)?)?, rest),
        None => (value, rest),
    };
    let (percent, rest) = percent(rest);
    Some((Number { percent, ..plain(value, decimals) }, rest))
}

/// What stands above a digit that repeats: a line, a macron or a dot.
const ABOVE: [char; 3] = ['\u{305}', '\u{304}', '\u{307}'];

/// A text whose repeating digits stand under a line, where they stood in brackets: `0.3(1)` is `0.31̅`.
pub(super) fn overlined(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('(') {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let (block, after) = digits(&tail[1..]);
        let whole = out.trim_end_matches(|c: char| c.is_ascii_digit());
        let decimal = whole.strip_suffix(['.', ',']).is_some_and(|whole| whole.ends_with(|c: char| c.is_ascii_digit()));
        match after.strip_prefix(')') {
            Some(after) if decimal && !block.is_empty() => {
                out.extend(block.chars().flat_map(|digit| [digit, ABOVE[0]]));
                rest = after;
            }
            _ => {
                out.push('(');
                rest = &tail[1..];
            }
        }
    }
    out + rest
}

/// A decimal whose last digits repeat, each under a line: `0.31̅` is 14/45.
fn repeating(text: &str) -> Option<(Rational, &str)> {
    let (whole, rest) = digits(text);
    let (fixed, mut rest) = digits(rest.strip_prefix(['.', ','])?);
    // The line stands behind its digit, so that the last of these is the first that repeats.
    let (fixed, first) = fixed.split_at(fixed.len().checked_sub(1)?);
    let mut block = first.to_owned();
    rest = rest.strip_prefix(ABOVE)?;
    while let Some(digit) = rest.chars().next().filter(char::is_ascii_digit)
        && let Some(after) = rest[1..].strip_prefix(ABOVE)
    {
        block.push(digit);
        rest = after;
    }
    if whole.is_empty() || whole.len() + fixed.len() > 15 || block.len() > 9 {
        return None;
    }
    let nines = 10_i128.checked_pow(u32::try_from(block.len()).ok()?)? - 1;
    let power = Rational::power_of_ten(-i32::try_from(fixed.len()).ok()?)?;
    let repeated = Rational::new(block.parse().ok()?, nines)?.times(power)?;
    Some((value(whole, fixed)?.plus(repeated)?, rest))
}

/// `3/4`, `1 3/4`, `1-3/4`, `3 of 4` and `3 out of 4` after the first whole number. `None` is no number (`3/0`,
/// `1/2/3`), `Some(None)` no fraction.
fn fraction(first: Rational, rest: &str) -> Option<Option<(Rational, &str)>> {
    let under = |rest: &str| -> Option<(i128, usize)> {
        let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
        let (number, _) = digits(trimmed);
        if number.is_empty() || number.len() > 15 {
            return None;
        }
        Some((number.parse().ok()?, rest.len() - trimmed.len() + number.len()))
    };
    let ratio = |over: Rational, under: i128| over.times(Rational::new(1, under)?);
    let spaced = rest.trim_start_matches([' ', '\u{a0}']);
    if let Some(tail) = spaced.strip_prefix(['/', '⁄']) {
        return match under(tail) {
            Some((number, length)) => Some(Some((ratio(first, number)?, &tail[length..]))),
            None => Some(None),
        };
    }
    for words in ["out of", "of"] {
        if let Some(tail) = spaced.strip_prefix(words)
            && tail.starts_with(' ')
            && let Some((number, length)) = under(tail)
        {
            return Some(Some((ratio(first, number)?, &tail[length..])));
        }
    }
    // A mixed number: whole part, one space or hyphen, then digits and a slash at once.
    if let Some(tail) = rest.strip_prefix([' ', '-', '\u{a0}', '\u{2009}']) {
        let (over, after) = digits(tail);
        if let Some(tail) = after.strip_prefix(['/', '⁄'])
            && !over.is_empty()
            && over.len() <= 15
            && let Some((number, length)) = under(tail)
        {
            let part = ratio(Rational::new(over.parse().ok()?, 1)?, number)?;
            return Some(Some((first.plus(part)?, &tail[length..])));
        }
    }
    Some(None)
}

fn percent(text: &str) -> (bool, &str) {
    let trimmed = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    for sign in ["%", "％", "percent", "per cent"] {
        if let Some(rest) = trimmed.strip_prefix(sign)
            && !rest.starts_with(char::is_alphabetic)
        {
            return (true, rest);
        }
    }
    (false, text)
}

/// `e3`, `×10^3`, `x 10^{3}`, `·10³`, ` million`: the power of ten.
fn exponent(text: &str) -> Option<(i32, &str)> {
    if let Some(tail) = text.strip_prefix(['e', 'E']) {
        return signed_digits(tail);
    }
    let trimmed = text.trim_start_matches([' ', '\u{a0}', '\u{2009}']);
    for (word, power) in MULTIPLES {
        if let Some(rest) = trimmed.strip_prefix(word)
            && !rest.starts_with(char::is_alphabetic)
        {
            return Some((power, rest));
        }
    }
    let tail = trimmed.strip_prefix(['×', 'x', 'X', '*', '·', '⋅', '•'])?.trim_start().strip_prefix("10")?;
    let raised = tail.trim_start_matches(' ');
    if let Some(tail) = raised.strip_prefix("**").or_else(|| raised.strip_prefix('^')) {
        let tail = tail.trim_start_matches(' ');
        if let Some(inner) = tail.strip_prefix(['{', '(']) {
            let (power, rest) = signed_digits(inner)?;
            return Some((power, rest.strip_prefix(['}', ')'])?));
        }
        return signed_digits(tail);
    }
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let (negative, tail) = tail.strip_prefix('⁻').map_or((false, tail), |tail| (true, tail));
    let mut power = None;
    let mut rest = tail;
    while let Some(c) = rest.chars().next()
        && let Some(digit) = RAISED.iter().position(|raised| *raised == c)
    {
        power = Some(power.unwrap_or(0_i32).checked_mul(10)?.checked_add(i32::try_from(digit).ok()?)?);
        rest = &rest[c.len_utf8()..];
    }
    power.map(|power| (if negative { -power } else { power }, rest))
}

fn signed_digits(text: &str) -> Option<(i32, &str)> {
    let (negative, tail) = sign(text);
    let (number, rest) = digits(tail);
    if number.is_empty() || number.len() > 3 {
        return None;
    }
    let power: i32 = number.parse().ok()?;
    Some((if negative { -power } else { power }, rest))
}

/// Digits with separators. One kind of separator that stands once is a decimal point, except a comma before exactly
/// three digits; of two kinds the last is the decimal point; everything else must be groups of three.
fn grouped(text: &str) -> Option<(Rational, Option<u32>, &str)> {
    if let Some(tail) = text.strip_prefix('.') {
        let (decimals, rest) = digits(tail);
        return (!decimals.is_empty()).then(|| value("", decimals).map(|v| (v, digits_count(decimals), rest)))?;
    }
    let (first, mut rest) = digits(text);
    if first.is_empty() {
        return None;
    }
    let mut groups: Vec<(char, &str)> = Vec::new();
    while let Some(separator) = rest.chars().next() {
        let tail = &rest[separator.len_utf8()..];
        let (group, after) = digits(tail);
        let fits = match separator {
            '.' | ',' => !group.is_empty(),
            '\'' | '’' | '_' => group.len() == 3,
            ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' => {
                group.len() == 3 && first.len() <= 3 && groups.iter().all(|(s, _)| *s == separator)
            }
            _ => false,
        };
        // A fraction after a space is a mixed number, not a group: `1 234/1000` stays out on purpose.
        if !fits || (separator == ' ' && after.starts_with(['/', '⁄'])) {
            break;
        }
        groups.push((separator, group));
        rest = after;
    }
    let count = |wanted: char| groups.iter().filter(|(separator, _)| *separator == wanted).count();
    let (dots, commas) = (count('.'), count(','));
    let last_is_decimal = match groups.last() {
        Some(('.', _)) if commas > 0 => dots == 1,
        Some((',', _)) if dots > 0 => commas == 1,
        Some(('.', _)) => dots == 1,
        Some((',', group)) => {
            commas == 1 && (group.len() != 3 || first.len() > 3 || first.starts_with('0') || groups.len() > 1)
        }
        _ => false,
    };
    let decimals = if last_is_decimal { groups.pop().map(|(_, group)| group) } else { None };
    let mut separators: Vec<char> = groups.iter().map(|(separator, _)| *separator).collect();
    separators.dedup();
    if !groups.is_empty()
        && (separators.len() > 1
            || first.len() > 3
            || first.starts_with('0')
            || groups.iter().any(|(_, group)| group.len() != 3))
    {
        return None;
    }
    let whole: String = std::iter::once(first).chain(groups.iter().map(|(_, group)| *group)).collect();
    Some((value(&whole, decimals.unwrap_or(""))?, decimals.and_then(digits_count), rest))
}

fn digits_count(decimals: &str) -> Option<u32> {
    u32::try_from(decimals.len().min(15)).ok()
}

/// At most 18 digits before the point; digits after the fifteenth behind it say nothing and are dropped.
fn value(whole: &str, decimals: &str) -> Option<Rational> {
    let whole = whole.trim_start_matches('0');
    if whole.len() > 18 {
        return None;
    }
    let decimals = &decimals[..decimals.len().min(15)];
    let all: String = [whole, decimals].concat();
    let all: i128 = if all.is_empty() { 0 } else { all.parse().ok()? };
    Rational::new(all, 10_i128.pow(u32::try_from(decimals.len()).ok()?))
}

/// All numbers in a text with where they start, left to right; a digit inside a word (`x2`, `CO2`) starts none.
pub fn all(text: &str) -> Vec<(usize, Number)> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut before: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        let starts = c.is_ascii_digit() || VULGAR.iter().any(|(vulgar, ..)| *vulgar == c) || "$€£¥₹₽-−.".contains(c);
        let fresh = before.is_none_or(|b| !b.is_alphanumeric() && !"._^".contains(b));
        if starts
            && fresh
            && let Some((number, rest)) = read(&text[at..])
        {
            found.push((at, number));
            at = text.len() - rest.len();
            before = text[..at].chars().next_back();
            continue;
        }
        // What is no number as a whole holds none: `14:35` is no 35.
        let past = |c: char| !(c.is_ascii_digit() || ".,:/'^".contains(c));
        let length =
            if fresh && c.is_ascii_digit() { text[at..].find(past).unwrap_or(text.len() - at) } else { c.len_utf8() };
        at += length;
        before = text[..at].chars().next_back();
    }
    found
}
