//! Rules about parts of a text and about other rules: which items meet a rule, what stands between markers, behind a
//! label or in a column, and, or, not.

use super::{Finding, Rule, Size, Unit, find::finding};
use crate::engine::check::{answer::shorten, table, text};

pub(super) fn all(rules: &[Rule], text: &str) -> Finding {
    let mut findings = rules.iter().map(|rule| rule.find(text));
    findings.find(|finding| !finding.met).unwrap_or_else(|| finding(true, "all of it is met"))
}

pub(super) fn any(rules: &[Rule], text: &str) -> Finding {
    let findings: Vec<Finding> = rules.iter().map(|rule| rule.find(text)).collect();
    match findings.iter().find(|finding| finding.met) {
        Some(met) => met.clone(),
        None => finding(false, findings.into_iter().map(|finding| finding.why).collect::<Vec<_>>().join("; ")),
    }
}

pub(super) fn not(rule: &Rule, text: &str) -> Finding {
    let found = rule.find(text);
    let why = if found.met { format!("must not be so: {}", found.why) } else { "is not so, as asked for".to_owned() };
    finding(!found.met, why)
}

pub(super) fn some(of: Unit, rule: &Rule, size: Size, text: &str) -> Finding {
    let count = of.items(text).iter().filter(|item| rule.find(item).met).count();
    finding(size.holds(count), format!("{count} {} meet the rule, asked for {}", of.name(), size.words()))
}

pub(super) fn only(of: Unit, at: &[i32], rule: &Rule, text: &str) -> Finding {
    let items = of.items(text);
    let mut wanted = Vec::new();
    for place in at {
        match index(*place, items.len()) {
            Some(index) => wanted.push(index),
            None => return finding(false, format!("there are only {} {}", items.len(), of.name())),
        }
    }
    let broken = items.iter().enumerate().map(|(at, item)| (at, rule.find(item)));
    match broken.into_iter().find(|(at, found)| found.met != wanted.contains(at)) {
        Some((at, found)) if found.met => {
            finding(false, format!("number {} of the {} meets the rule and must not", at + 1, of.name()))
        }
        Some((at, found)) => finding(false, format!("number {} of the {}: {}", at + 1, of.name(), found.why)),
        None => finding(true, format!("the right ones of {} {} meet the rule", items.len(), of.name())),
    }
}

/// The index of a place counted from 1, or from the end with -1; `None` if there are not so many.
pub(super) fn index(place: i32, count: usize) -> Option<usize> {
    let steps = usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX);
    let index = if place > 0 { steps.checked_sub(1) } else { count.checked_sub(steps) };
    index.filter(|index| *index < count)
}

pub(super) fn inside(open: &str, close: &str, rule: &Rule, text: &str) -> Finding {
    let Some((_, tail)) = text.split_once(open) else {
        return finding(false, format!("{open:?} is missing"));
    };
    let Some((inner, rest)) = tail.split_once(close) else {
        return finding(false, format!("there is no {close:?} after {open:?}"));
    };
    match rest.contains(open) || inner.contains(open) {
        true => finding(false, format!("{open:?} stands there twice")),
        false => rule.find(inner.trim()),
    }
}

pub(super) fn pieces(by: &str, rule: &Rule, text: &str) -> Finding {
    rule.find(&text.split(by).map(text::squeeze).collect::<Vec<_>>().join("\n"))
}

pub(super) fn column(header: &str, rule: &Rule, text: &str) -> Finding {
    match table::read(text) {
        Ok(table) => match table.column(header) {
            Some(cells) => rule.find(&cells.join("\n")),
            None => finding(false, format!("no column is called {header:?}")),
        },
        Err(why) => finding(false, why),
    }
}

/// The text behind a label and its colon.
fn value<'a>(label: &str, line: &'a str) -> Option<&'a str> {
    let rest = line.trim().strip_prefix(label)?.trim_start();
    rest.strip_prefix([':', '：']).map(str::trim)
}

pub(super) fn labels(are: &[String], text: &str) -> Finding {
    let lines = text::lines(text);
    let wrong = lines.iter().zip(are).find(|(line, label)| value(label, line).is_none_or(str::is_empty));
    match wrong {
        Some((line, label)) => finding(false, format!("{} is no line \"{label}: …\"", shorten(line))),
        None if lines.len() != are.len() => finding(false, format!("{} lines instead of {}", lines.len(), are.len())),
        None => finding(true, "the lines have these labels, in order"),
    }
}

pub(super) fn field(label: &str, rule: &Rule, text: &str) -> Finding {
    let values: Vec<&str> = text::lines(text).into_iter().filter_map(|line| value(label, line)).collect();
    match values.as_slice() {
        [value] => rule.find(value),
        [] => finding(false, format!("no line starts with \"{label}:\"")),
        _ => finding(false, format!("{} lines start with \"{label}:\"", values.len())),
    }
}

/// Whether the text has this shape: `9` is a digit, `A` a capital, `a` a small letter, everything else is itself.
pub(super) fn shape(like: &str, text: &str) -> Finding {
    let fits = |(wanted, found): (char, char)| match wanted {
        '9' => found.is_ascii_digit(),
        'A' => found.is_uppercase(),
        'a' => found.is_lowercase(),
        _ => wanted == found,
    };
    let text = text.trim();
    let same_length = like.chars().count() == text.chars().count();
    finding(same_length && like.chars().zip(text.chars()).all(fits), format!("{} against {like:?}", shorten(text)))
}
