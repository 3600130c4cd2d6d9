//! Which figure a text gives to which thing. Only a clear contradiction counts: a figure that stands with another thing and
//! nowhere with its own.

use std::collections::BTreeMap;

use super::{
    split::{self, words},
    value::places,
};
use crate::engine::check::{number, text};

/// Things with their figures, `{ Harbour = "54", Hill = "47" }`; each side may have several forms, `a|b`.
pub type Facts = BTreeMap<String, String>;

/// Refuses a thing or figure with a form that has no word.
pub fn worded(facts: &[Facts]) -> Result<(), String> {
    let sides: Vec<String> =
        facts.iter().flatten().flat_map(|(thing, figure)| [thing.clone(), figure.clone()]).collect();
    text::worded(&sides)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// The thing with this index.
    Thing(usize),
    /// The figure with this index.
    Figure(usize),
}

struct Figure<'a> {
    text: &'a str,
    of: usize,
    right: bool,
    wrong: bool,
}

fn stands(there: &[String], form: &str) -> Vec<usize> {
    let wanted = number::read(form).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number.value);
    match wanted {
        Some(wanted) => {
            let same = |word: &String| {
                number::read(word).is_some_and(|(number, rest)| rest.is_empty() && number.value == wanted)
            };
            (0..there.len()).filter(|at| same(&there[*at])).collect()
        }
        None => places(there, &words(form)),
    }
}

/// The first figure that the text gives to another thing only.
pub fn contradiction(text: &str, facts: &Facts) -> Option<String> {
    let mut figures: Vec<Figure> = facts
        .values()
        .enumerate()
        .flat_map(|(of, figures)| figures.split('|').map(move |text| Figure { text, of, right: false, wrong: false }))
        .collect();
    for sentence in split::sentences(text) {
        let there: Vec<String> = sentence.clauses.concat();
        let mut marks: Vec<(usize, Mark)> = Vec::new();
        for (index, thing) in facts.keys().enumerate() {
            let found = thing.split('|').flat_map(|form| places(&there, &words(form)));
            marks.extend(found.map(|at| (at, Mark::Thing(index))));
        }
        for (index, figure) in figures.iter().enumerate() {
            marks.extend(stands(&there, figure.text).into_iter().map(|at| (at, Mark::Figure(index))));
        }
        marks.sort_by_key(|(at, _)| *at);
        let mut marks: Vec<Mark> = marks.into_iter().map(|(_, mark)| mark).collect();
        marks.dedup();
        let owners: Vec<usize> = figures.iter().map(|figure| figure.of).collect();
        for (thing, figure) in pairs(&marks, &owners) {
            let figure = &mut figures[figure];
            if figure.of == thing { figure.right = true } else { figure.wrong = true }
        }
    }
    let wrong = figures.iter().find(|figure| figure.wrong && !figure.right)?;
    let thing = facts.keys().nth(wrong.of).map_or("", |thing| thing.split('|').next().unwrap_or(thing));
    Some(format!("gives {} to another than {thing}", wrong.text))
}

/// Thing and figure that clearly belong together: one thing with figures of one kind, or things and figures by turns or in
/// two rows.
fn pairs(marks: &[Mark], owners: &[usize]) -> Vec<(usize, usize)> {
    let things: Vec<usize> =
        marks.iter().filter_map(|mark| if let Mark::Thing(at) = mark { Some(*at) } else { None }).collect();
    let figures: Vec<usize> =
        marks.iter().filter_map(|mark| if let Mark::Figure(at) = mark { Some(*at) } else { None }).collect();
    let is_thing = |mark: &Mark| matches!(mark, Mark::Thing(_));
    match things.as_slice() {
        [] => return Vec::new(),
        [_] if figures.windows(2).any(|two| owners[two[0]] != owners[two[1]]) => return Vec::new(),
        [thing] => return figures.into_iter().map(|figure| (*thing, figure)).collect(),
        _ => {}
    }
    let by_turns = marks.windows(2).all(|two| is_thing(&two[0]) != is_thing(&two[1]));
    let in_rows = marks.windows(2).filter(|two| is_thing(&two[0]) != is_thing(&two[1])).count() == 1;
    if things.len() == figures.len() && (by_turns || in_rows) {
        return things.into_iter().zip(figures).collect();
    }
    Vec::new()
}
