//! From calls made to a verdict: the best pairs, then part by part.

use serde_json::{Map, Value};

use super::{Calls, Expected, FIT, IN_ORDER, NO_CALL, NO_OTHER_CALLS, Order, assign, matcher, schema};
use crate::{
    domain::{
        transcript::{NoteKind, Tool, ToolCall},
        verdict::{Part, PartKind, Verdict},
    },
    engine::check::{Judged, answer::shorten},
};

/// Calls beyond the expected ones, in addition to their number, from which on nothing counts: whoever calls everything
/// has chosen nothing.
const SPRAY: usize = 2;

fn part(name: &str, score: f64, answer: Option<String>, why: impl Into<String>) -> Part {
    Part { name: name.to_owned(), kind: PartKind::Correctness, weight: 1.0, score, answer, why: why.into() }
}

/// A call as a person reads it.
fn shown(call: &ToolCall) -> String {
    let arguments = call.arguments.as_ref().map_or(call.arguments_raw.clone(), Value::to_string);
    format!("{}({})", call.name, shorten(&arguments).trim_matches('`'))
}

/// What the harness could not take for a call, as the end of a reason; empty if there was nothing.
pub(in crate::engine::check) fn unread(judged: &Judged) -> String {
    let notes = judged.turns.iter().flat_map(|turn| &turn.notes).filter(|note| note.kind != NoteKind::Repaired);
    let notes: Vec<String> = notes.map(|note| shorten(&note.text)).collect();
    if notes.is_empty() { String::new() } else { format!("; noted while reading: {}", notes.join(", ")) }
}

impl Calls {
    pub(in crate::engine::check) fn judge(&self, judged: &Judged) -> Verdict {
        let calls: Vec<&ToolCall> = judged.turns.iter().flat_map(|turn| &turn.calls).collect();
        if !self.wants_calls() {
            return self.restraint(judged, &calls);
        }
        let ways: Vec<Vec<&Expected>> = match self.one_of.is_empty() {
            true => vec![self.expect.iter().collect()],
            false => self.one_of.iter().map(|way| self.expect.iter().chain(&way.expect).collect()).collect(),
        };
        let mut best: Option<Verdict> = None;
        for way in &ways {
            let verdict = self.way(way, judged, &calls);
            if best.as_ref().is_none_or(|best| verdict.score > best.score) {
                best = Some(verdict);
            }
        }
        best.unwrap_or_else(|| Verdict::of(Vec::new()))
    }

    /// Nothing is to be called: any call takes all, and the text must say what it is asked to.
    fn restraint(&self, judged: &Judged, calls: &[&ToolCall]) -> Verdict {
        let made = calls.iter().find(|call| !self.is_free(call)).map(|call| format!("called {}", shown(call)));
        let tried = judged
            .turns
            .iter()
            .flat_map(|turn| &turn.notes)
            .find(|note| matches!(note.kind, NoteKind::ParseError | NoteKind::NoNativeCall | NoteKind::OtherForm))
            .map(|note| format!("tried to call: {}", shorten(&note.text)));
        let called = made.or(tried).map(|what| format!("{what}, where nothing was to be called"));
        let score = f64::from(u8::from(called.is_none()));
        let why = called.clone().unwrap_or_else(|| "nothing was called".to_owned());
        let mut parts = vec![Part { weight: 0.0, ..part(NO_CALL, score, None, why) }];
        if let Some(answer) = &self.answer {
            let found = called.map_or_else(|| answer.find(judged.answer), Err);
            parts.push(stated(&answer.name, found, judged));
        }
        Verdict::of(parts)
    }

    fn is_free(&self, call: &ToolCall) -> bool {
        self.free.iter().any(|name| name == call.name.trim())
    }

    fn way(&self, expected: &[&Expected], judged: &Judged, calls: &[&ToolCall]) -> Verdict {
        let fits: Vec<Vec<_>> =
            expected.iter().map(|wanted| calls.iter().map(|call| wanted.fit(call)).collect()).collect();
        let points: Vec<Vec<_>> =
            fits.iter().map(|row| row.iter().map(|fit| fit.as_ref().map(|fit| fit.score)).collect()).collect();
        let taken = assign::best(&points);
        let others: Vec<&ToolCall> = calls
            .iter()
            .enumerate()
            .filter(|(index, call)| !taken.contains(&Some(*index)) && !self.is_free(call))
            .map(|(_, call)| *call)
            .collect();
        let ruled_out = others.iter().find(|call| self.never.iter().any(|name| name == call.name.trim()));
        let void = match ruled_out {
            Some(call) => Some(format!("counts for nothing: called {}, which was ruled out", shown(call))),
            None if others.len() > expected.len() + SPRAY => {
                Some(format!("counts for nothing among {} other calls", others.len()))
            }
            None => None,
        };

        let mut parts = Vec::new();
        for ((wanted, row), index) in expected.iter().zip(&fits).zip(&taken) {
            let fit = index.and_then(|index| row[index].as_ref());
            let call = index.map(|index| shown(calls[index]));
            let (score, why) = match (fit, &void) {
                (Some(_), Some(void)) => (0.0, void.clone()),
                (Some(fit), None) => (fit.score, fit.why.clone()),
                (None, _) => (0.0, missing(&wanted.tool, &others, judged)),
            };
            parts.push(part(&wanted.name, score, call, why));
        }
        // what follows can earn no more than the calls did: doing nothing breaks no rule
        let earned = parts.iter().map(|part| part.score).sum::<f64>() / (parts.len().max(1) as f64);
        let share = match others.len() {
            0 => 1.0,
            1 => 0.5,
            _ => 0.0,
        };
        let why = match others.as_slice() {
            [] => "nothing else was called".to_owned(),
            others => format!("also called {}", list(others)),
        };
        parts.push(part(NO_OTHER_CALLS, share * earned, None, why));
        parts.push(fitting(expected, &taken, calls, judged.tools, earned));
        if let Some((kept, why)) = in_order(self.order, &taken, judged) {
            parts.push(part(IN_ORDER, if kept { earned } else { 0.0 }, None, why));
        }
        if let Some(answer) = &self.answer {
            let found = match earned > 0.0 {
                true => answer.find(judged.answer),
                false => Err("counts for nothing: no expected call earned anything".to_owned()),
            };
            parts.push(stated(&answer.name, found, judged));
        }
        Verdict::of(parts)
    }
}

/// Whether the calls taken keep the order, and why; `None` where it does not matter.
fn in_order(order: Order, taken: &[Option<usize>], judged: &Judged) -> Option<(bool, &'static str)> {
    // the turn of each call, in the order in which calls were made
    let turns: Vec<usize> =
        judged.turns.iter().enumerate().flat_map(|(turn, said)| vec![turn; said.calls.len()]).collect();
    let places: Vec<usize> = taken.iter().copied().flatten().collect();
    let in_turns: Vec<usize> = places.iter().map(|place| turns[*place]).collect();
    match order {
        Order::Any => None,
        _ if !places.is_sorted() => Some((false, "the calls came in another order")),
        Order::AfterResults if !in_turns.is_sorted_by(|a, b| a < b) => {
            Some((false, "a call that needs a result was made before the result was there"))
        }
        Order::Written | Order::AfterResults => Some((true, "the calls came in the order asked for")),
    }
}

fn stated(name: &str, found: Result<(), String>, judged: &Judged) -> Part {
    let answer = Some(judged.answer).filter(|text| !text.trim().is_empty()).map(shorten);
    let cut = if judged.truncated { "; the text was cut" } else { "" };
    match found {
        Ok(()) => part(name, 1.0, answer, "says what was asked for"),
        Err(why) => part(name, 0.0, answer, why + cut),
    }
}

/// At most four calls by name.
fn list(calls: &[&ToolCall]) -> String {
    let names: Vec<String> = calls.iter().take(4).map(|call| shown(call)).collect();
    let more = if calls.len() > 4 { format!(" and {} more", calls.len() - 4) } else { String::new() };
    format!("{}{more}", names.join(", "))
}

fn missing(tool: &str, others: &[&ToolCall], judged: &Judged) -> String {
    let instead = match others {
        [] => String::new(),
        others => format!("; called {}", list(others)),
    };
    let cut = if judged.truncated { "; the text was cut" } else { "" };
    format!("{tool} was not called{instead}{}{cut}", unread(judged))
}

/// The part for arguments against the tools' schemas: the share of taken calls without fault.
fn fitting(expected: &[&Expected], taken: &[Option<usize>], calls: &[&ToolCall], tools: &[Tool], earned: f64) -> Part {
    let mut faults = Vec::new();
    let mut count = 0.0;
    for (wanted, call) in expected.iter().zip(taken).filter_map(|(wanted, index)| Some((wanted, calls[(*index)?]))) {
        count += 1.0;
        let tool = tools.iter().find(|tool| tool.name == wanted.tool);
        let given = call.arguments.as_ref().and_then(Value::as_object);
        faults.extend(match (tool, given) {
            (Some(tool), Some(given)) => schema::fault(tool, given).or_else(|| invented(wanted, tool, given)),
            (None, _) => Some(format!("there is no tool {}", wanted.tool)),
            (_, None) => Some(format!("the arguments of {} are no JSON object", wanted.tool)),
        });
    }
    let share = if count > 0.0 { 1.0 - faults.len() as f64 / count } else { 0.0 };
    let why = match faults.as_slice() {
        [] if count > 0.0 => "the arguments are those that the tools declare".to_owned(),
        [] => "no expected call was made".to_owned(),
        faults => faults.join("; "),
    };
    part(FIT, share * earned, None, why)
}

/// An argument that the request does not determine and that is not the declared default.
fn invented(wanted: &Expected, tool: &Tool, given: &Map<String, Value>) -> Option<String> {
    let key = matcher::unasked(&wanted.arguments, given).find(|key| !schema::is_default(tool, key, &given[*key]))?;
    Some(format!("{}: {key} was not asked for", tool.name))
}
