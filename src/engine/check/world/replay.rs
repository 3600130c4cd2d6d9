//! A trial played again from its calls. The calls of the last turn are never made: a trial goes on after every turn whose
//! calls were made.

use serde_json::Value;

use super::super::Judged;
use crate::engine::sim::{
    Running, Simulation,
    world::{Effect, World},
};

/// What happened in a trial.
pub(super) struct Replay<'a> {
    pub start: Value,
    pub end: Value,
    pub effects: Vec<Effect>,
    /// For each effect, how much of `shown` was there when its turn began.
    pub shown_before: Vec<usize>,
    pub turns: u32,
    /// The text after the last call; `None` if the last turn still called tools.
    pub message: Option<&'a str>,
    /// Everything that the tools have shown, as one text; errors, too.
    pub shown: String,
    /// Calls that were made.
    calls: usize,
    /// Tool and error of each call that failed, in order.
    failed: Vec<(&'a str, String)>,
    /// Tools called in the last turn.
    late: Vec<&'a str>,
}

impl<'a> Replay<'a> {
    /// `None` if the task has no world.
    pub fn of(judged: &Judged<'a>) -> Option<Self> {
        let mut running = judged.simulation.map(Simulation::start)?;
        let start = world(&running)?.state();
        let (last, made) = judged.turns.split_last().map_or((None, &[][..]), |(last, made)| (Some(last), made));
        let (mut shown, mut calls, mut failed) = (String::new(), 0, Vec::new());
        let mut shown_before = Vec::new();
        for turn in made {
            let known = shown.len();
            for call in &turn.calls {
                calls += 1;
                let result: Value = serde_json::from_str(&running.call(judged.tools, call)).unwrap_or_default();
                say(&result, &mut shown);
                if let Some(error) = result.get("error") {
                    failed.push((call.name.as_str(), error.as_str().unwrap_or_default().to_owned()));
                }
            }
            shown_before.resize(world(&running)?.effects().len(), known);
        }
        let late: Vec<&str> = last.iter().flat_map(|turn| &turn.calls).map(|call| call.name.as_str()).collect();
        let end = world(&running)?;
        Some(Self {
            start,
            end: end.state(),
            effects: end.effects().to_vec(),
            shown_before,
            turns: u32::try_from(judged.turns.len()).unwrap_or(u32::MAX),
            message: late.is_empty().then_some(judged.answer),
            shown,
            calls,
            failed,
            late,
        })
    }

    /// A trial that changed nothing and said this, for tests of messages.
    #[cfg(test)]
    pub fn saying(message: Option<&'a str>, shown: &str) -> Self {
        Self {
            start: Value::Null,
            end: Value::Null,
            effects: Vec::new(),
            shown_before: Vec::new(),
            turns: 1,
            message,
            shown: shown.to_owned(),
            calls: 0,
            failed: Vec::new(),
            late: Vec::new(),
        }
    }

    /// Why a tool had no effect, if a call of it failed or came too late.
    pub fn trouble(&self, tool: &str) -> String {
        if self.late.contains(&tool) {
            return "; it was called in the last turn, too late to be made".to_owned();
        }
        match self.failed.iter().rev().find(|(name, _)| *name == tool) {
            Some((_, error)) => format!("; a call failed: {error}"),
            None => String::new(),
        }
    }

    /// The last call that failed or came too late, for a place that is not as it should be.
    pub fn any_trouble(&self) -> Option<String> {
        if let Some(tool) = self.late.first() {
            return Some(format!("; {tool} was called in the last turn, too late to be made"));
        }
        self.failed.last().map(|(tool, error)| format!("; the last call that failed was {tool}: {error}"))
    }

    /// How many calls failed.
    pub fn failures(&self) -> String {
        match self.failed.len() {
            0 => format!("none of {} calls failed", self.calls),
            failed => format!("{failed} of {} calls failed", self.calls),
        }
    }
}

fn world<'a>(running: &'a Running<'_>) -> Option<&'a World> {
    match running {
        Running::World(world) => Some(world),
        Running::Replies(_) => None,
    }
}

/// Writes out all texts, numbers and flags of a value, with bars between them.
pub(super) fn say(value: &Value, out: &mut String) {
    match value {
        Value::Null => {}
        Value::String(text) => out.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| say(item, out)),
        Value::Object(entries) => entries.values().for_each(|entry| say(entry, out)),
        plain => out.push_str(&plain.to_string()),
    }
    out.push_str(" | ");
}
