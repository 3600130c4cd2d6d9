//! Finds the final answer in a text: the value of the last `ANSWER:` line, else one clear final answer elsewhere.
//! Nothing is guessed: no "last number wins", and two different final answers are no answer.

use super::{
    ANSWER_LINE, Judged, base,
    latex::{self, closing_brace},
    text,
};
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
    let firm = ["answer is", "answer:", "answer =", "answer would be"];
    let firm = boxed(judged.answer).into_iter().chain(phrases(judged.answer, &firm));
    let mut strong: Vec<R> = firm.filter_map(|c| read(&c).ok()).collect();
    if strong.is_empty() {
        // Steps have results, too: these count only where nothing is called the answer.
        strong = phrases(judged.answer, &["result is", "result:"]).into_iter().filter_map(|c| read(&c).ok()).collect();
    }
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
            && let Some(next) = lines[index + 1..].iter().find(|next| next.chars().any(char::is_alphanumeric))
            && marker(next).is_none()
        {
            // Below the line, `- 42` is a list and no negative number.
            values.push(text::without_marker(next).to_owned());
        }
    }
    (values, place)
}

/// What follows `ANSWER:` at the start of a line, whatever its case and decoration.
fn marker(line: &str) -> Option<String> {
    const WRAPPERS: [&str; 9] =
        ["\\boxed{", "\\textbf{", "\\text{", "\\mathbf{", "\\mathrm{", "\\(", "\\[", "<b>", "<strong>"];
    let mut plain = line;
    loop {
        plain = plain.trim_start_matches(|c: char| !c.is_alphanumeric() && !"\\<".contains(c));
        match WRAPPERS.iter().find_map(|wrapper| plain.strip_prefix(wrapper)) {
            Some(inner) => plain = inner,
            None => break,
        }
    }
    let word = plain.get(..6)?;
    if !word.eq_ignore_ascii_case("answer") {
        return None;
    }
    let tail = plain[6..].trim_start_matches([' ', '*', '_', '`']);
    let value = tail.strip_prefix([':', '：'])?;
    // `\text{ANSWER: } 42` closes what it opened before the value.
    let value = value.trim();
    let value = value.strip_prefix('}').or_else(|| value.strip_prefix("</b>")).unwrap_or(value);
    Some(closed_formula(&line[..line.len() - plain.len()], value.trim()))
}

/// A value without the dollar that closes the formula opened before it: `$\text{ANSWER: } 42$`.
fn closed_formula(before: &str, value: &str) -> String {
    let dollars = |text: &str| -> Vec<usize> {
        let signs = text.match_indices('$').map(|(at, _)| at);
        signs.filter(|at| !text[..*at].ends_with('\\')).collect()
    };
    let inside = dollars(value);
    match inside.first() {
        Some(at) if dollars(before).len() % 2 == 1 && inside.len() % 2 == 1 => {
            [&value[..*at], &value[at + 1..]].concat().trim().to_owned()
        }
        _ => value.to_owned(),
    }
}

fn has_value(value: &str) -> bool {
    !is_placeholder(value) && value.chars().any(char::is_alphanumeric)
}

/// `<number of eggs>` and the like, copied from the task. `<42>` and `<Petra>` are answers in its brackets.
fn is_placeholder(value: &str) -> bool {
    const NAMES: [&str; 8] = ["number", "answer", "value", "result", "amount", "name", "percentage", "fraction"];
    let value = value.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
    let inner = value.strip_prefix('<').and_then(|inner| inner.strip_suffix('>'));
    let inner = inner.or_else(|| value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')));
    inner.is_some_and(|inner| {
        let words = text::words(inner);
        let named = NAMES.iter().any(|name| inner.trim().eq_ignore_ascii_case(name));
        !inner.contains(|c: char| c.is_ascii_digit()) && !inner.contains(['<', '=']) && (words.len() > 1 || named)
    })
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

/// What follows `the answer is`, `final answer:` and the like, up to the end of its sentence.
fn phrases(answer: &str, markers: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for line in text::lines(answer) {
        let plain = text::without_emphasis(line);
        // ASCII lower case keeps every byte position.
        let lower = plain.to_ascii_lowercase();
        for marker in markers {
            for (at, _) in lower.match_indices(marker) {
                let tail = plain[at + marker.len()..].trim_start_matches([':', ' ']);
                found.push(clean(&tail[..sentence_end(tail).unwrap_or(tail.len())]));
            }
        }
    }
    found
}

/// Where the first sentence ends, if another follows; `approx. 5` does not end one.
fn sentence_end(text: &str) -> Option<usize> {
    text.match_indices(['.', '!', '?']).map(|(at, _)| at).find(|at| {
        let word = text[..*at].rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
        let short = text[..*at].ends_with(char::is_alphabetic) && word.len() <= 2
            || ["approx", "circa", "sq"].contains(&word.to_ascii_lowercase().as_str());
        text[at + 1..].starts_with(' ') && !short
    })
}

/// The part of a candidate that claims something, and the remark behind it: `24`, `because 70 − 46 = 24`. `Err` where
/// the remark takes the claim back.
pub(super) fn claim(candidate: &str) -> Result<(&str, &str), String> {
    const BACK: [&str; 8] = ["wait", "actually", "correction", "oops", "sorry", "wrong", "incorrect", "mistake"];
    let lower = candidate.to_ascii_lowercase();
    let cuts = REMARKS.iter().filter_map(|remark| lower.find(remark));
    // A sentence of its own says why; two words behind a full stop may be a second answer.
    let sentence = sentence_end(candidate).filter(|at| text::words(&candidate[*at..]).len() > 2);
    let Some(at) = cuts.chain(sentence).min() else { return Ok((candidate, "")) };
    let (claim, remark) = candidate.split_at(at);
    let lower = remark.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let words = text::words(&lower);
    if ["no,", "no wait", "no.", "or "].iter().any(|start| lower.starts_with(start))
        || words.iter().any(|word| BACK.contains(word))
    {
        return Err(format!("{} is taken back", shorten(candidate)));
    }
    Ok((claim, remark))
}

/// What begins a remark about the claim before it.
const REMARKS: [&str; 13] = [
    ", not ",
    ", rather than ",
    " rather than ",
    " instead of ",
    " as opposed to ",
    " because ",
    " since ",
    ", i.e.",
    ", that is",
    ", which ",
    ", who ",
    ", so ",
    " — ",
];

/// What a remark offers beside the answer, where it begins as one that does: `or 26`, `though it might be 3`.
pub(super) fn offered(remark: &str) -> Option<&str> {
    const OFFERS: [&str; 12] = [
        "or",
        "alternatively",
        "alternative",
        "maybe",
        "possibly",
        "perhaps",
        "probably",
        "potentially",
        "conceivably",
        "might",
        "could",
        "may",
    ];
    let mut rest = remark;
    let mut offers = false;
    loop {
        rest = opening(rest);
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let word = &rest[..end];
        // The month is written with a capital.
        let offer = word != "May" && OFFERS.contains(&word.to_lowercase().as_str());
        if !offer && !FILLERS.contains(&word.to_lowercase().as_str()) {
            return offers.then_some(rest);
        }
        offers |= offer;
        rest = &rest[end..];
    }
}

/// Words that may stand before what a remark speaks of.
const FILLERS: [&str; 16] = [
    "though", "although", "but", "it", "this", "that", "and", "also", "which", "who", "there", "else", "be", "is",
    "rather", "even",
];

fn opening(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || ",:;.—–".contains(c))
}

/// A remark from the word on that it speaks of, where it calls that possible or ties it to a condition:
/// `26 is possible, too`, `but 26 if rounded up`. `70 if none had been sold` is no such remark.
pub(super) fn conceded(remark: &str) -> Option<&str> {
    let mut rest = opening(remark);
    loop {
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        if !FILLERS.contains(&rest[..end].to_lowercase().as_str()) {
            break;
        }
        rest = opening(&rest[end..]);
    }
    let words: Vec<String> = text::words(rest).into_iter().map(str::to_lowercase).collect();
    let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let concedes =
        any(&["possible", "plausible", "conceivable"]) || any(&["if", "when"]) && !any(&["had", "were", "would"]);
    (concedes && !any(&NEGATIONS) && !any(&["impossible"])).then_some(rest)
}

/// Whether a text says that it is only a guess. The month May is none.
pub(super) fn doubtful(text: &str) -> bool {
    ["may", "might", "could", "perhaps", "maybe", "guess", "not sure", "unsure"]
        .iter()
        .any(|doubt| text::occurrences(text, doubt, true) > 0)
}

/// Weak candidates, the clearest first: the one bold value of the last line, the last line when it closes with `= X`,
/// a short answer as a whole.
fn closing(answer: &str) -> Vec<String> {
    let lines = text::lines(answer);
    let Some(last) = lines.last() else { return Vec::new() };
    if doubtful(last) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let bold: Vec<&str> = last.split("**").skip(1).step_by(2).collect();
    if let [only] = bold.as_slice() {
        found.push(clean(only));
    }
    if last.contains(['=', '≈']) || last.contains("\\approx") {
        found.push(clean(last));
    }
    if lines.len() <= 2 && answer.trim().chars().count() <= 100 {
        let whole = clean(&text::squeeze(answer));
        // Numbers in a second sentence may be the answer as well as those in the first.
        if !claim(&whole).is_ok_and(|(_, remark)| remark.contains(|c: char| c.is_ascii_digit())) {
            found.push(whole);
        }
    }
    found
}

/// A candidate without LaTeX, HTML, markdown and closing punctuation: `\boxed{\frac{3}{4}}` is `3/4`, `**42**.` is `42`.
pub fn clean(candidate: &str) -> String {
    // The sign before a small base is no emphasis.
    let plain = base::beside_small(&latex::plain(candidate.trim()));
    let plain = text::without_emphasis(&plain);
    let mut plain = bare(&plain);
    // Brackets around all of it, as in a placeholder that was filled in: `<42>`, `[42]`.
    for (open, close) in [('<', '>'), ('[', ']'), ('(', ')'), ('{', '}')] {
        if let Some(inner) = plain.strip_prefix(open).and_then(|inner| inner.strip_suffix(close))
            && !inner.contains([open, close])
        {
            plain = bare(inner);
        }
    }
    plain.to_owned()
}

fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "*_`\"“”'".contains(c))
        .trim_end_matches(['.', '!', ';', ',', ' ', '*'])
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

/// What stands in round or square brackets, each without them.
pub(super) fn brackets(text: &str) -> Vec<&str> {
    text.split(['(', '[']).skip(1).filter_map(|tail| tail.split([')', ']']).next()).map(str::trim).collect()
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
            ("ANSWER:\n- 42", "42", Line::Elsewhere),
            ("ANSWER:\n\\[\n\\boxed{42}\n\\]", "\\boxed{42}", Line::Elsewhere),
            ("✅ ANSWER: 42", "42", Line::Last),
            ("\\textbf{ANSWER: 42}", "42}", Line::Last),
            ("$\\text{ANSWER: } 42$", "42", Line::Last),
            ("$ANSWER: 42$ eggs", "42 eggs", Line::Last),
            ("$\\textbf{ANSWER:}$ $42$", "$42$", Line::Last),
            ("$ANSWER: $42$", "$42$", Line::Last),
            ("$\\text{ANSWER: } \\$42$", "\\$42", Line::Last),
            ("<b>ANSWER:</b> 42", "42", Line::Last),
            ("ANSWER: <42>", "<42>", Line::Last),
            ("ANSWER: <Petra>", "<Petra>", Line::Last),
        ] {
            assert_eq!(marked(answer), (vec![value.to_owned()], place), "{answer:?}");
        }
        assert_eq!(marked("ANSWER:"), (Vec::new(), Line::Last));
        assert_eq!(marked("ANSWER: <number>"), (Vec::new(), Line::Last));
        assert_eq!(marked("The answers: 42"), (Vec::new(), Line::Missing));
        assert_eq!(marked("ANSWER: [number of eggs]"), (Vec::new(), Line::Last));
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
            ("<42>", "42"),
            ("[ 42 ]", "42"),
            ("(-7)", "-7"),
            ("**$42$**", "42"),
        ] {
            assert_eq!(clean(text), expected, "{text}");
        }
    }
}
