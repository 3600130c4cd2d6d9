//! Finds the JSON in an answer: in the whole text, in fenced blocks, in the prose. What holds no key says nothing and is
//! no candidate, and neither is what is cut. A quote of the prompt is none beside others; of several, `settle` finds the
//! one that counts.

use serde_json::Value;

use super::{
    Shape,
    lenient::{self, Fault},
    settle::settle,
};
use crate::engine::check::text;

/// JSON that may be the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub value: Value,
    /// What was wrong with how it stands there; `None` if the answer is the JSON and nothing else.
    pub flaw: Option<&'static str>,
    pub fenced: bool,
    /// Where it stands in the answer, in bytes.
    pub from: usize,
    pub to: usize,
}

const PROSE: &str = "there is text around the JSON";
const REPAIRED: &str = "the JSON needed repairs (quotes, commas, comments or constants)";
const WRAPPED: &str = "the JSON is wrapped in one layer too many";
const LOOSE_LIST: &str = "the records stand one after another without a list around them";

/// The one answer in the text, or why there is none. `own` are the keys of the expected object.
pub(super) fn find(answer: &str, prompt: &str, shape: Shape, own: &[&str]) -> Result<Candidate, String> {
    let mut faults = Vec::new();
    let mut all = candidates(answer, &mut faults);
    for candidate in &mut all {
        unwrap(candidate, shape, own);
    }
    all.retain(|candidate| holds_a_key(&candidate.value));
    if all.is_empty() {
        return Err(faults
            .into_iter()
            .next()
            .unwrap_or_else(|| "there is no JSON with values in the answer".to_owned()));
    }
    let loose = (shape == Shape::List).then(|| loose_list(answer, &all)).flatten();
    let fits = |candidate: &Candidate| match shape {
        Shape::Object => candidate.value.is_object(),
        Shape::List => candidate.value.is_array(),
    };
    if all.iter().any(fits) {
        all.retain(fits);
    } else if let Some(loose) = loose {
        all = vec![loose];
    } else if shape == Shape::List && all.len() == 1 {
        let Candidate { value, flaw, .. } = &mut all[0];
        *value = Value::Array(vec![value.take()]);
        *flaw = flaw.or(Some(LOOSE_LIST));
    } else {
        let (asked, found) = match shape {
            Shape::Object => ("an object", "a list"),
            Shape::List => ("a list", "several objects between other text"),
        };
        return Err(format!("the JSON is {found}, asked for {asked}"));
    }
    if all.len() > 1 {
        let asked = text::squeeze(prompt);
        let quoted = |candidate: &Candidate| asked.contains(&text::squeeze(&answer[candidate.from..candidate.to]));
        if !all.iter().all(quoted) {
            all.retain(|candidate| !quoted(candidate));
        }
    }
    settle(answer, &all, own)
}

/// Whether there is a key with a value in it, on any level.
fn holds_a_key(value: &Value) -> bool {
    match value {
        Value::Object(map) => !map.is_empty(),
        Value::Array(items) => items.iter().any(holds_a_key),
        _ => false,
    }
}

/// Takes off one layer: `{"result": …}` around what was asked for, or a list around the one object.
fn unwrap(candidate: &mut Candidate, shape: Shape, own: &[&str]) {
    let inner = match (&candidate.value, shape) {
        (Value::Object(map), _) if map.len() == 1 => map.iter().next().filter(|(key, value)| match shape {
            Shape::Object => value.is_object() && !own.contains(&key.as_str()),
            Shape::List => value.is_array() && !own.contains(&key.as_str()),
        }),
        _ => None,
    };
    let inner = match (inner, &candidate.value, shape) {
        (Some((_, inner)), ..) => inner.clone(),
        (None, Value::Array(items), Shape::Object) if items.len() == 1 && items[0].is_object() => items[0].clone(),
        _ => return,
    };
    candidate.value = inner;
    candidate.flaw = candidate.flaw.or(Some(WRAPPED));
}

/// Objects one after another, with nothing but white space and commas between them, as one list.
fn loose_list(answer: &str, all: &[Candidate]) -> Option<Candidate> {
    let (first, last) = (all.first()?, all.last()?);
    let apart = |pair: &[Candidate]| {
        answer.get(pair[0].to..pair[1].from).is_none_or(|gap| gap.chars().any(|c| !(c.is_whitespace() || c == ',')))
    };
    if all.len() < 2 || !all.iter().all(|candidate| candidate.value.is_object()) || all.windows(2).any(apart) {
        return None;
    }
    let value = Value::Array(all.iter().map(|candidate| candidate.value.clone()).collect());
    Some(Candidate { value, flaw: Some(LOOSE_LIST), fenced: first.fenced, from: first.from, to: last.to })
}

/// All complete JSON objects and lists of the text, outermost ones only, in order.
fn candidates(answer: &str, faults: &mut Vec<String>) -> Vec<Candidate> {
    let bare = answer.trim_start_matches('\u{feff}').trim();
    let start = answer.find(bare).unwrap_or(0);
    let mut found = Vec::new();
    for (from, to, fenced) in segments(answer) {
        scan(answer, from, to, fenced, &mut found, faults);
    }
    for candidate in &mut found {
        let alone = (candidate.from, candidate.to) == (start, start + bare.len());
        let outside = [&answer[..candidate.from], &answer[candidate.to..]];
        if !alone && !is_dressed(outside) && candidate.flaw.is_none() {
            candidate.flaw = Some(PROSE);
        }
    }
    found
}

/// Whether what stands around the JSON is a code fence, on lines of its own or not. A fence that is not closed is one.
fn is_dressed([before, after]: [&str; 2]) -> bool {
    let (before, after) = (before.trim(), after.trim());
    let Some(sign) = before.chars().next().filter(|c| matches!(c, '`' | '~')) else { return false };
    let language = before.trim_start_matches(sign);
    let count = before.len() - language.len();
    let named = language.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+'));
    count >= 3 && named && after.chars().all(|c| c == sign) && (after.is_empty() || after.len() >= 3)
}

/// The text in pieces: inside and outside of fenced blocks. A block that does not close reaches to the end.
fn segments(answer: &str) -> Vec<(usize, usize, bool)> {
    let mut segments = Vec::new();
    let (mut from, mut at, mut fenced) = (0, 0, false);
    for line in answer.split_inclusive('\n') {
        if is_fence(line) {
            segments.push((from, at, fenced));
            from = at + line.len();
            fenced = !fenced;
        }
        at += line.len();
    }
    segments.push((from, at, fenced));
    segments
}

fn is_fence(line: &str) -> bool {
    text::is_fence(line)
}

fn scan(answer: &str, from: usize, to: usize, fenced: bool, found: &mut Vec<Candidate>, faults: &mut Vec<String>) {
    let segment = &answer[from..to];
    let mut at = 0;
    while let Some(ahead) = segment[at..].find(['{', '[']) {
        at += ahead;
        let rest = &segment[at..];
        let why = match lenient::read(rest) {
            Ok(read) => {
                let (start, flaw) = (from + at, read.repaired.then_some(REPAIRED));
                found.push(Candidate { value: read.value, flaw, fenced, from: start, to: start + read.length });
                at += read.length;
                continue;
            }
            Err(Fault::Cut) => "the JSON is cut before its end".to_owned(),
            Err(Fault::Malformed(why)) => format!("the JSON cannot be read: {why}"),
        };
        if !starts_json(rest) {
            at += 1;
            continue;
        }
        faults.push(why);
        // What stands inside a broken value is a piece of it, no answer.
        match lenient::balanced(rest) {
            Some(length) => at += length,
            None => return,
        }
    }
}

/// Whether a bracket opens JSON, and not a remark.
fn starts_json(text: &str) -> bool {
    let inner = text[1..].trim_start();
    match text.as_bytes().first() {
        Some(b'{') => inner.is_empty() || inner.starts_with(['"', '\'', '“', '/', '#']),
        _ => inner.starts_with(['{', '[', '"', '“']),
    }
}
