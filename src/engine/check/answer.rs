//! Finds the final answer in a text: the value of the last `ANSWER:` line, else one clear final answer elsewhere.
//! Nothing is guessed: no "last number wins", and two different final answers are no answer.

use super::{ANSWER_LINE, Judged, text};
use crate::domain::verdict::{Part, PartKind};

/// Words that turn around what they stand by.
pub(super) const NEGATIONS: [&str; 9] =
    ["not", "never", "isn't", "isn’t", "cannot", "can't", "neither", "nor", "doesn't"];

/// Where the line that was asked for stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// It is the last line with text on it.
    Last,
    /// Something follows it, or its value stands on the next line.
    Elsewhere,
    Missing,
}

/// What was taken for the final answer, or why there is none.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled<R> {
    pub reading: Result<R, String>,
    pub line: Line,
}

impl<R> Settled<R> {
    /// The format part: the answer stands in a last line `ANSWER: …`.
    pub fn line_part(&self) -> Part {
        line_part(self.line)
    }
}

/// The format part for a line that was or was not found.
pub fn line_part(line: Line) -> Part {
    let (score, why) = match line {
        Line::Last => (1.0, "the last line is `ANSWER: …`"),
        Line::Elsewhere => (0.0, "the `ANSWER:` line is not the last line, or its value stands below it"),
        Line::Missing => (0.0, "there is no `ANSWER:` line"),
    };
    Part { name: ANSWER_LINE.to_owned(), kind: PartKind::Format, weight: 1.0, score, answer: None, why: why.to_owned() }
}

/// Settles on one reading. `read` takes a candidate's cleaned text; `same` says whether two readings are one answer.
pub fn settle<R: Clone>(
    judged: &Judged,
    read: impl Fn(&str) -> Result<R, String>,
    same: impl Fn(&R, &R) -> bool,
) -> Settled<R> {
    let (marked, line) = marked(judged.answer);
    if line != Line::Missing {
        return Settled { reading: from_lines(judged, &marked, read, same), line };
    }
    let strong: Vec<R> =
        boxed(judged.answer).into_iter().chain(phrases(judged.answer)).filter_map(|c| read(&c).ok()).collect();
    if let Some(first) = strong.first() {
        let reading = match strong.iter().find(|other| !same(first, other)) {
            Some(_) => Err("two different final answers are no answer".to_owned()),
            None => Ok(first.clone()),
        };
        return Settled { reading, line };
    }
    let reading = if judged.truncated {
        // The end is missing, so that nothing in the text can be taken for its conclusion.
        Err("no answer within the budget".to_owned())
    } else {
        closing(judged.answer)
            .into_iter()
            .find_map(|candidate| read(&candidate).ok())
            .ok_or_else(|| "no `ANSWER:` line and no clear final answer".to_owned())
    };
    Settled { reading, line }
}

fn from_lines<R: Clone>(
    judged: &Judged,
    marked: &[String],
    read: impl Fn(&str) -> Result<R, String>,
    same: impl Fn(&R, &R) -> bool,
) -> Result<R, String> {
    let Some(last) = marked.last() else {
        return Err("the `ANSWER:` line is empty".to_owned());
    };
    if judged.truncated && judged.answer.trim_end_matches([' ', '*']).ends_with(last.trim_end_matches([' ', '*'])) {
        return Err("no answer within the budget: the text is cut inside its `ANSWER:` line".to_owned());
    }
    let reading = read(&clean(last))?;
    for other in &marked[..marked.len() - 1] {
        if !read(&clean(other)).is_ok_and(|other| same(&reading, &other)) {
            let (other, last) = (shorten(other), shorten(last));
            return Err(format!("two different final answers are no answer: {other} and {last}"));
        }
    }
    Ok(reading)
}

/// At most 60 characters of a text, for a reason.
pub fn shorten(text: &str) -> String {
    let text = text::squeeze(text);
    if text.chars().count() <= 60 {
        return format!("`{text}`");
    }
    format!("`{}…`", text.chars().take(59).collect::<String>())
}

/// The values of all `ANSWER:` lines that have one, and where the last line stands.
pub fn marked(answer: &str) -> (Vec<String>, Line) {
    let lines = text::lines(answer);
    let mut values = Vec::new();
    let mut place = Line::Missing;
    for (index, line) in lines.iter().enumerate() {
        let Some(value) = marker(line) else { continue };
        place = if index + 1 == lines.len() { Line::Last } else { Line::Elsewhere };
        if has_value(&value) {
            values.push(value);
        } else if !is_placeholder(&value)
            && let Some(next) = lines.get(index + 1)
            && marker(next).is_none()
        {
            values.push((*next).to_owned());
        }
    }
    (values, place)
}

/// What follows `ANSWER:` at the start of a line, whatever its case and decoration.
fn marker(line: &str) -> Option<String> {
    let plain = line.trim_start_matches(|c: char| c.is_whitespace() || "*_#>`-•$[(".contains(c));
    let plain = plain.strip_prefix("\\boxed{").or_else(|| plain.strip_prefix("\\text{")).unwrap_or(plain);
    let word = plain.get(..6)?;
    if !word.eq_ignore_ascii_case("answer") {
        return None;
    }
    let tail = plain[6..].trim_start_matches([' ', '*', '_', '`']);
    let value = tail.strip_prefix([':', '：'])?;
    Some(value.trim().to_owned())
}

fn has_value(value: &str) -> bool {
    !is_placeholder(value) && value.chars().any(char::is_alphanumeric)
}

/// `<number>` and the like, copied from the task.
fn is_placeholder(value: &str) -> bool {
    let value = value.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
    value.starts_with('<') && value.ends_with('>')
}

/// The contents of every `\boxed{…}`.
fn boxed(answer: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = answer;
    while let Some(at) = rest.find("\\boxed{") {
        let tail = &rest[at + "\\boxed{".len()..];
        let Some(end) = closing_brace(tail) else { break };
        found.push(clean(&tail[..end]));
        rest = &tail[end..];
    }
    found
}

/// Where the brace that is already open closes.
fn closing_brace(text: &str) -> Option<usize> {
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

/// What follows `the answer is`, `final answer:` and the like, up to the end of its sentence.
fn phrases(answer: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text::lines(answer) {
        let plain = text::without_emphasis(line);
        // ASCII lower case keeps every byte position.
        let lower = plain.to_ascii_lowercase();
        for marker in ["answer is", "answer:", "answer =", "answer would be", "result is"] {
            for (at, _) in lower.match_indices(marker) {
                let tail = plain[at + marker.len()..].trim_start_matches([':', ' ']);
                let end = tail.find(". ").unwrap_or(tail.len());
                found.push(clean(&tail[..end]));
            }
        }
    }
    found
}

/// Weak candidates, the clearest first: the one bold value of the last line, the last line when it closes with `= X`,
/// a short answer as a whole.
fn closing(answer: &str) -> Vec<String> {
    let lines = text::lines(answer);
    let Some(last) = lines.last() else { return Vec::new() };
    let mut found = Vec::new();
    let bold: Vec<&str> = last.split("**").skip(1).step_by(2).collect();
    if let [only] = bold.as_slice() {
        found.push(clean(only));
    }
    if last.contains(['=', '≈']) || last.contains("\\approx") {
        found.push(clean(last));
    }
    if lines.len() <= 2 && answer.trim().chars().count() <= 100 {
        found.push(clean(&text::squeeze(answer)));
    }
    found
}

/// A candidate without LaTeX, markdown and closing punctuation: `\boxed{\frac{3}{4}}` is `3/4`, `**42**.` is `42`.
pub fn clean(candidate: &str) -> String {
    let mut out = candidate.trim().to_owned();
    for (from, to) in [
        ("\\left", ""),
        ("\\right", ""),
        ("\\dfrac", "\\frac"),
        ("\\tfrac", "\\frac"),
        ("\\%", "%"),
        // A private letter stands for a dollar that is money, until the dollars around formulas are gone.
        ("\\$", "\u{f8ff}"),
        ("{,}", ","),
        ("\\,", " "),
        ("\\;", " "),
        ("\\!", ""),
        ("\\ ", " "),
        ("\\times", "×"),
        ("\\cdot", "·"),
        ("\\approx", "≈"),
        ("\\(", ""),
        ("\\)", ""),
        ("\\[", ""),
        ("\\]", ""),
        ("\\quad", " "),
        ("$$", ""),
    ] {
        out = out.replace(from, to);
    }
    for command in ["\\boxed{", "\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{", "\\mathit{"] {
        while let Some(at) = out.find(command) {
            let inside = at + command.len();
            let end = closing_brace(&out[inside..]).map_or(out.len(), |end| inside + end);
            let tail = out.get(end + 1..).unwrap_or("").to_owned();
            out = format!("{}{}{tail}", &out[..at], &out[inside..end]);
        }
    }
    while let Some(at) = out.find("\\frac{") {
        let over = at + "\\frac{".len();
        let Some(middle) = closing_brace(&out[over..]).map(|end| over + end) else { break };
        let Some(under) = out[middle + 1..].starts_with('{').then_some(middle + 2) else { break };
        let Some(end) = closing_brace(&out[under..]).map(|end| under + end) else { break };
        let space = if out[..at].ends_with(|c: char| c.is_ascii_digit()) { " " } else { "" };
        out = format!("{}{space}{}/{}{}", &out[..at], &out[over..middle], &out[under..end], &out[end + 1..]);
    }
    // `$…$` around a formula, not `$5` for money.
    if let Some(inner) = out.trim().strip_prefix('$')
        && let Some(end) = inner.find('$')
        && !inner[end + 1..].starts_with(|c: char| c.is_ascii_digit())
    {
        out = format!("{}{}", &inner[..end], &inner[end + 1..]);
    }
    out = out.replace('\u{f8ff}', "$");
    let plain = text::without_emphasis(&out);
    let plain = plain.trim_matches(|c: char| c.is_whitespace() || "*_`\"“”'".contains(c));
    plain.trim_end_matches(['.', '!', ';', ',', ' ', '*']).to_owned()
}

/// A text without what stands in round or square brackets; an unclosed bracket takes the rest.
pub(super) fn without_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_line_is_found_whatever_its_dress() {
        for (answer, value, place) in [
            ("so\nANSWER: 42", "42", Line::Last),
            ("**ANSWER:** 42", "** 42", Line::Last),
            ("**Answer: 42**", "42**", Line::Last),
            ("answer : 42", "42", Line::Last),
            ("> ANSWER: 42\n\nHope that helps!", "42", Line::Elsewhere),
            ("### ANSWER:\n42", "42", Line::Elsewhere),
        ] {
            assert_eq!(marked(answer), (vec![value.to_owned()], place), "{answer:?}");
        }
        assert_eq!(marked("ANSWER:"), (Vec::new(), Line::Last));
        assert_eq!(marked("ANSWER: <number>"), (Vec::new(), Line::Last));
        assert_eq!(marked("The answers: 42"), (Vec::new(), Line::Missing));
    }

    #[test]
    fn latex_and_markdown_come_off() {
        for (text, expected) in [
            (r"\boxed{42}", "42"),
            (r"$\boxed{\dfrac{3}{4}}$", "3/4"),
            (r"1\frac{3}{4}", "1 3/4"),
            (r"\(1{,}234\)", "1,234"),
            (r"$\$35.98$", "$35.98"),
            (r"**$12.50**.", "$12.50"),
            (r"37.5\%", "37.5%"),
            (r"\text{knave}", "knave"),
            (r"\frac{3", r"\frac{3"),
            ("$5 and $6", "$5 and $6"),
        ] {
            assert_eq!(clean(text), expected, "{text}");
        }
    }
}
