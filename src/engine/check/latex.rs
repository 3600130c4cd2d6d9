//! Plain text out of what models write in LaTeX and HTML: `\boxed{\frac{3}{4}}` is `3/4`, `$-7^\circ\text{C}$` is
//! `-7°C`, `\$1{,}234` is `$1,234`. What is no formula stays: `$5 and $6` is money.
//!
//! Imports: nothing.

/// A dollar that is money, until the dollars around formulas are gone.
const MONEY: char = '\u{f8ff}';

/// Commands and entities that stand for a sign. Longer ones come before their own beginnings.
const SIGNS: [(&str, &str); 64] = [
    ("\\$", "\u{f8ff}"),
    ("\\%", "%"),
    ("\\left", ""),
    ("\\Leftrightarrow", "="),
    ("\\Rightarrow", "="),
    ("\\rightarrow", "="),
    ("\\implies", "="),
    ("\\right", ""),
    ("\\dfrac", "\\frac"),
    ("\\tfrac", "\\frac"),
    ("\\cfrac", "\\frac"),
    ("{,}", ","),
    ("{.}", "."),
    ("\\,", " "),
    ("\\;", " "),
    ("\\:", " "),
    ("\\!", ""),
    ("\\ ", " "),
    ("\\times", "×"),
    ("\\cdot", "·"),
    ("\\div", "÷"),
    ("\\bmod", " mod "),
    ("\\pm", "±"),
    ("\\approx", "≈"),
    ("\\simeq", "≈"),
    ("\\equiv", "≡"),
    ("\\leq", "≤"),
    ("\\geq", "≥"),
    ("\\neq", "≠"),
    ("^{\\circ}", "°"),
    ("^\\circ", "°"),
    ("\\circ", "°"),
    ("\\degree", "°"),
    ("\\euro", "€"),
    ("\\pounds", "£"),
    ("\\therefore", ""),
    ("\\displaystyle", ""),
    ("\\qquad", " "),
    ("\\quad", " "),
    ("\\(", ""),
    ("\\)", ""),
    ("\\[", ""),
    ("\\]", ""),
    ("$$", ""),
    ("=>", "="),
    ("->", "="),
    ("→", "="),
    ("⇒", "="),
    ("⟹", "="),
    ("∴", ""),
    ("<sup>", "^"),
    ("</sup>", ""),
    ("<sub>", "_"),
    ("</sub>", ""),
    ("<b>", ""),
    ("</b>", ""),
    ("<strong>", ""),
    ("</strong>", ""),
    ("<u>", ""),
    ("</u>", ""),
    ("<br>", " "),
    ("<br/>", " "),
    ("&nbsp;", " "),
    ("&minus;", "−"),
];

/// Commands whose argument is read as it stands.
const WRAPPERS: [&str; 12] = [
    "\\boxed",
    "\\fbox",
    "\\text",
    "\\textbf",
    "\\textit",
    "\\textrm",
    "\\mathrm",
    "\\mathbf",
    "\\mathit",
    "\\mathsf",
    "\\mbox",
    "\\operatorname",
];

/// The text without LaTeX and HTML.
pub(super) fn plain(text: &str) -> String {
    let mut out = text.to_owned();
    if !out.contains(['\\', '$', '{', '<', '&', '>', '→', '⇒', '⟹', '∴']) {
        return out;
    }
    unwrap(&mut out, "\\pmod", ("(mod ", ")"));
    for (from, to) in SIGNS {
        if out.contains(from) {
            out = out.replace(from, to);
        }
    }
    for command in WRAPPERS {
        unwrap(&mut out, command, ("", ""));
    }
    fractions(&mut out);
    repeated(&mut out);
    formulas(&mut out);
    braces(&mut out);
    out.replace(MONEY, "$")
}

/// Puts something around every argument of a command, and takes the command off.
fn unwrap(out: &mut String, command: &str, around: (&str, &str)) {
    let open = [command, "{"].concat();
    while let Some(at) = out.find(&open) {
        let inside = at + open.len();
        let end = closing_brace(&out[inside..]).map_or(out.len(), |end| inside + end);
        let tail = out.get(end + 1..).unwrap_or("");
        *out = format!("{}{}{}{}{tail}", &out[..at], around.0, &out[inside..end], around.1);
    }
}

/// Where the brace that is already open closes.
pub(super) fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 1_u32;
    for (index, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// `\frac{3}{4}` and `\frac34` are `3/4`, with a space behind a whole number. An unclosed one stays.
fn fractions(out: &mut String) {
    let mut from = 0;
    while let Some(at) = out[from..].find("\\frac").map(|at| from + at) {
        let rest = &out[at + "\\frac".len()..];
        let Some((over, rest)) = argument(rest) else {
            from = at + 1;
            continue;
        };
        let Some((under, rest)) = argument(rest) else {
            from = at + 1;
            continue;
        };
        let space = if out[..at].ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
        *out = format!("{}{space}{over}/{under}{rest}", &out[..at]);
    }
}

/// `0.3\overline{1}` as `0.31̅`, a line above each digit that repeats; what stands behind no decimal point stays.
fn repeated(out: &mut String) {
    for command in ["\\overline", "\\bar", "\\dot"] {
        let mut from = 0;
        while let Some(at) = out[from..].find(command).map(|at| from + at) {
            from = at + command.len();
            let decimal =
                out[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '\u{305}').ends_with(['.', ',']);
            let digits = argument(&out[from..]).filter(|(digits, _)| digits.chars().all(|c| c.is_ascii_digit()));
            if let Some((digits, rest)) = digits.filter(|_| decimal) {
                let lined: String = digits.chars().flat_map(|digit| [digit, '\u{305}']).collect();
                *out = format!("{}{lined}{rest}", &out[..at]);
                from = at + lined.len();
            }
        }
    }
}

/// The argument of a command: in braces, or one digit or letter.
fn argument(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(' ');
    if let Some(inner) = text.strip_prefix('{') {
        let end = closing_brace(inner)?;
        return Some((&inner[..end], &inner[end + 1..]));
    }
    let first = text.chars().next().filter(|c| c.is_ascii_alphanumeric())?;
    Some(text.split_at(first.len_utf8()))
}

/// Takes off the dollars around formulas. An opening one hugs what follows and a closing one what comes before, and no
/// digit or letter follows that one; or both stand off by a space.
fn formulas(out: &mut String) {
    let mut from = 0;
    while let Some(open) = out[from..].find('$').map(|at| from + at) {
        let inner = &out[open + 1..];
        let roomy = inner.starts_with(' ');
        let closes = |at: &usize| {
            let (before, after) = (&inner[..*at], &inner[at + 1..]);
            !before.trim().is_empty()
                && before.ends_with(' ') == roomy
                && !after.starts_with(char::is_alphanumeric)
                && !before.contains('\n')
        };
        let close = inner.match_indices('$').map(|(at, _)| at).next().filter(closes);
        match close {
            Some(at) => {
                *out = format!("{}{}{}", &out[..open], &inner[..at], &inner[at + 1..]);
                from = open + at;
            }
            None => from = open + 1,
        }
    }
}

/// `10^{3}` is `10^3` and `{42}` is `42`; the braces of commands that are not known stay.
fn braces(out: &mut String) {
    let mut from = 0;
    while let Some(at) = out[from..].find('{').map(|at| from + at) {
        let letters = out[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let command = letters.ends_with('\\');
        match closing_brace(&out[at + 1..]).filter(|_| !command) {
            Some(end) => {
                *out = format!("{}{}{}", &out[..at], &out[at + 1..at + 1 + end], &out[at + end + 2..]);
                from = at;
            }
            None => from = at + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_plain_text() {
        for (text, expected) in [
            (r"$\boxed{\dfrac{3}{4}}$", "3/4"),
            (r"1\frac{3}{4}", "1 3/4"),
            (r"$\frac{13}{30}$ of the roll", "13/30 of the roll"),
            (r"\frac34", "3/4"),
            (r"\(1{,}234\)", "1,234"),
            (r"** $37{,}795$", "** 37,795"),
            (r"$21\,960$", "21 960"),
            (r"$-7^\circ\text{C}$", "-7°C"),
            (r"$99\ \text{m}^{2}$", "99 m^2"),
            (r"$5.184 \times 10^{3}$ J", "5.184 × 10^3 J"),
            (r"$10521_{7}$ lamps", "10521_7 lamps"),
            (r"14.4\,\frac{\text{km}}{\text{h}}", "14.4 km/h"),
            (r"\[ 42 \]", " 42 "),
            ("$ 42 $", " 42 "),
            (r"\mathbf{42}", "42"),
            (r"n \equiv 42 \pmod{77}", "n ≡ 42 (mod 77)"),
            ("5.2×10<sup>3</sup>", "5.2×10^3"),
            ("12 + 30 → 42", "12 + 30 = 42"),
            (r"\frac{3", r"\frac{3"),
            (r"\foo{3}", r"\foo{3}"),
            (r"0.3\overline{1}", "0.31\u{305}"),
            (r"$0.\bar{1}4$", "0.1\u{305}4"),
            (r"\bar{x} = 3", r"\bar{x} = 3"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    #[test]
    fn dollars_that_are_money_stay() {
        for (text, expected) in [
            (r"$\$35.98$", "$35.98"),
            ("$5 and $6", "$5 and $6"),
            ("$12.50", "$12.50"),
            ("$12.50$", "12.50"),
            ("$p = $160", "$p = $160"),
            ("from $4-$6", "from $4-$6"),
            ("160 $", "160 $"),
            (r"\$160", "$160"),
        ] {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
