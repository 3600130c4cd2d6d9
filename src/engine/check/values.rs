//! Several named values, written `key=value`: each is its own part of the verdict.

use serde::{Deserialize, Serialize};

use super::{
    Judged,
    answer::{Line, clean, doubtful, line_part, marked},
    choice::ChoiceKey,
    key::NumberKey,
    latex, text,
};
use crate::domain::verdict::{Part, PartKind, Verdict};

/// One of several named values: exactly one of `number` and `choice` is there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The name that the prompt states, in any case.
    pub key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<NumberKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ChoiceKey>,
}

/// The field of a list of values that is wrong, and why.
pub(super) fn validate(fields: &[Field]) -> Result<(), (String, String)> {
    if fields.len() < 2 {
        return Err(("values".to_owned(), "name at least 2 values; for one, use number or choice".to_owned()));
    }
    for (index, field) in fields.iter().enumerate() {
        let at = |inner: String| format!("values[{index}].{inner}");
        if text::words(&field.key).is_empty() || fields[..index].iter().any(|other| other.key == field.key) {
            return Err((at("key".to_owned()), "is empty or there twice; give each value its own name".to_owned()));
        }
        match (&field.number, &field.choice) {
            (Some(key), None) => key.validate().map_err(|(inner, why)| (at(format!("number.{inner}")), why))?,
            (None, Some(key)) => key.validate().map_err(|(inner, why)| (at(format!("choice.{inner}")), why))?,
            _ => return Err((at("number".to_owned()), "give each value either number or choice".to_owned())),
        }
    }
    Ok(())
}

/// Judges `key=value` pairs: those after the last `ANSWER:` line, else in `\boxed{}`, else in the last paragraph.
pub(super) fn judge(fields: &[Field], judged: &Judged) -> Verdict {
    let (source, line) = values_source(fields, judged);
    let parts = fields.iter().map(|field| {
        let judged = source.as_ref().map_err(Clone::clone).and_then(|source| judge_field(field, fields, source));
        let (score, found, why) = match judged {
            Ok((right, shown, why)) => (f64::from(u8::from(right)), Some(shown), why),
            Err(why) => (0.0, None, why),
        };
        Part { name: field.key.clone(), kind: PartKind::Correctness, weight: 1.0, score, answer: found, why }
    });
    let parts = parts.chain([line_part(line)]).collect();
    Verdict::of(parts)
}

type Verdicts = Result<(bool, String, String), String>;

impl Field {
    /// Judges all that is said for this key, which must be one and the same.
    fn read(&self, values: &[String]) -> Verdicts {
        let cleaned = values.iter().map(|value| clean(value));
        let differ = || Err(format!("two different values for {} are no answer", self.key));
        if let Some(key) = &self.number {
            let readings = cleaned.map(|value| key.read(&value)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = readings.first() else { return Err(format!("no {}= in the answer", self.key)) };
            if readings.iter().any(|other| !key.same(first, other)) {
                return differ();
            }
            let (right, why) = key.compare(first);
            return Ok((right, first.shown.clone(), why));
        }
        let Some(key) = &self.choice else { return Err("the task names no key".to_owned()) };
        let readings = cleaned.map(|value| key.read(&value)).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = readings.first() else { return Err(format!("no {}= in the answer", self.key)) };
        if readings.iter().any(|other| other != first) {
            return differ();
        }
        let (right, why) = key.compare(first);
        Ok((right, first.clone(), why))
    }
}

fn judge_field(field: &Field, fields: &[Field], source: &str) -> Verdicts {
    field.read(&values_of(&field.key, fields, source))
}

/// Where the pairs are looked for.
fn values_source(fields: &[Field], judged: &Judged) -> (Result<String, String>, Line) {
    let (lines, place) = marked(judged.answer);
    if place != Line::Missing {
        let whole = text::lines(judged.answer);
        let starts: Vec<usize> = (0..whole.len()).filter(|index| marked(whole[*index]).1 != Line::Missing).collect();
        let (Some(first), Some(last)) = (starts.first(), starts.last()) else {
            return (Err("the `ANSWER:` line is empty".to_owned()), place);
        };
        if lines.is_empty() && starts.len() == 1 && last + 1 == whole.len() {
            return (Err("the `ANSWER:` line is empty".to_owned()), place);
        }
        if let Some(fault) = conflict(fields, &lines) {
            return (Err(fault), place);
        }
        // All pairs may stand on the line, on several such lines, or one on each line below it.
        let on_line = lines.last().map(String::as_str).unwrap_or_default();
        let all_in = |source: &str| fields.iter().all(|field| !values_of(&field.key, fields, source).is_empty());
        let source = if all_in(on_line) {
            on_line.to_owned()
        } else if all_in(&lines.join("\n")) {
            lines.join("\n")
        } else {
            whole[if lines.is_empty() { *first } else { *last }..].join("\n")
        };
        if judged.truncated && judged.answer.trim_end().ends_with(on_line) {
            return (Err("no answer within the budget: the text is cut inside its `ANSWER:` line".to_owned()), place);
        }
        return (Ok(source), place);
    }
    if judged.truncated {
        return (Err("no answer within the budget".to_owned()), place);
    }
    let complete =
        |source: &str| fields.iter().all(|field| values_of(&field.key, fields, &clean_lines(source)).len() == 1);
    let boxed = judged.answer.rfind("\\boxed{").map(|at| clean(&judged.answer[at..]));
    let last = text::paragraphs(judged.answer).pop().filter(|last| !doubtful(last));
    match boxed.into_iter().chain(last).find(|source| complete(source)) {
        Some(source) => (Ok(clean_lines(&source)), place),
        None => (Err("no `ANSWER:` line and no clear final answer".to_owned()), place),
    }
}

/// Why several `ANSWER:` lines are no one answer: each must set a key, and none may set one to another value.
fn conflict(fields: &[Field], lines: &[String]) -> Option<String> {
    if lines.len() < 2 {
        return None;
    }
    let all = lines.join("\n");
    let foreign = |line: &String| fields.iter().all(|field| values_of(&field.key, fields, line).is_empty());
    let differs = |field: &Field| {
        let values = values_of(&field.key, fields, &all);
        values.len() > 1 && field.read(&values).is_err()
    };
    (lines.iter().any(foreign) || fields.iter().any(differs))
        .then(|| "two different final answers are no answer".to_owned())
}

fn clean_lines(source: &str) -> String {
    source.lines().map(|line| text::without_emphasis(&latex::plain(line))).collect::<Vec<_>>().join("\n")
}

/// All values given to a key, each up to the next key.
fn values_of(key: &str, fields: &[Field], source: &str) -> Vec<String> {
    let source = clean_lines(source);
    let lower = source.to_ascii_lowercase();
    // Every place where a key of this task is set.
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for field in fields {
        let name = field.key.to_ascii_lowercase();
        for (at, _) in lower.match_indices(&name) {
            let fresh = !lower[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let tail = &lower[at + name.len()..];
            let value = tail.trim_start_matches([' ', '\u{a0}', '"']);
            if let Some(value) = value.strip_prefix(['=', ':']).or_else(|| value.strip_prefix("is "))
                && fresh
            {
                places.push((at, lower.len() - value.len(), field.key.as_str()));
            }
        }
    }
    places.sort_unstable();
    let ends = places.iter().skip(1).map(|(at, ..)| *at).chain([source.len()]);
    places
        .iter()
        .zip(ends)
        .filter(|((_, _, name), _)| *name == key)
        .filter_map(|((_, from, _), to)| source.get(*from..to.max(*from)))
        .map(|value| value.split([';', '\n']).next().unwrap_or(""))
        .map(|value| value.trim().trim_end_matches(|c: char| c.is_whitespace() || ",.*-•".contains(c)).to_owned())
        .map(|value| value.strip_suffix(" and").map(str::to_owned).unwrap_or(value))
        .collect()
}
