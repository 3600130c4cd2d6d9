//! Settles which of several candidates is the answer. They are one answer when one of them says all that the others say.
//! Of candidates that contradict each other the last counts when a word before it says so ("corrected", "final"), else
//! the fenced one, if there is one; else they are no answer.

use serde_json::Value;

use super::find::Candidate;
use crate::engine::check::text;

/// Words that say that what follows replaces what stood before.
const REPLACING: [&str; 17] = [
    "actually",
    "correct",
    "corrected",
    "correction",
    "correcting",
    "final",
    "finally",
    "fixed",
    "improved",
    "instead",
    "rather",
    "replaces",
    "revised",
    "updated",
    "update",
    "wait",
    "oops",
];

/// The one candidate that the others repeat or give way to, among all of them or among the fenced ones.
pub(super) fn settle(answer: &str, all: &[Candidate], own: &[&str]) -> Result<Candidate, String> {
    let fenced: Vec<Candidate> = all.iter().filter(|candidate| candidate.fenced).cloned().collect();
    let one = |of: &[Candidate]| whole(of).or_else(|| replacement(answer, of, own)).cloned();
    one(all).or_else(|| one(&fenced)).ok_or_else(|| {
        "two different final answers are no answer: the JSON stands there in several versions".to_owned()
    })
}

/// The candidate that says everything that the others say.
fn whole(all: &[Candidate]) -> Option<&Candidate> {
    all.iter().find(|whole| all.iter().all(|other| says_no_more(&other.value, &whole.value)))
}

/// The last candidate, if the words before it say that it replaces the others, and it is an answer to the task at all.
fn replacement<'a>(answer: &str, all: &'a [Candidate], own: &[&str]) -> Option<&'a Candidate> {
    let [.., before, last] = all else { return None };
    let gap = answer.get(before.to..last.from)?;
    let replaces = text::words(gap).iter().any(|word| REPLACING.contains(&word.to_lowercase().as_str()));
    let answers = last.value.as_object().is_none_or(|map| own.iter().any(|key| map.contains_key(*key)));
    (replaces && answers).then_some(last)
}

/// Whether a value only repeats another, or a part of it.
fn says_no_more(part: &Value, whole: &Value) -> bool {
    let deeper = || match whole {
        Value::Object(map) => map.values().any(|inner| says_no_more(part, inner)),
        Value::Array(items) => items.iter().any(|inner| says_no_more(part, inner)),
        _ => false,
    };
    within(part, whole) || part.is_object() && deeper()
}

/// Whether everything a value says is said at the same place by another.
fn within(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Number(part), Value::Number(whole)) => part.as_f64() == whole.as_f64(),
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|other| within(value, other)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.iter().all(|item| whole.iter().any(|other| within(item, other)))
        }
        _ => part == whole,
    }
}
