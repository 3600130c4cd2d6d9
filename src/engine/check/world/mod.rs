//! What a trial left behind in a world: the calls are played again, and the state, the changes on the way and the final
//! message are judged, each as a part of its own.
//!
//! Doing nothing is no achievement: what should stay as it was, what must not happen and what the message says count for
//! the share of the required changes that were made. Where no change is right, they rest on the message alone, and the
//! message counts only if a tool has shown what it rests on.

mod message;
mod place;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use message::Message;
pub use place::Expected;

use self::replay::Replay;
use super::{Judged, rule::Finding};
use crate::{
    domain::{
        transcript::Tool,
        verdict::{Part, PartKind, Verdict},
    },
    engine::sim::{Simulation, world::Effect},
};

/// The part for the final message.
pub const MESSAGE: &str = "message";
/// The part for all that no expectation names.
pub const NOTHING_ELSE: &str = "nothing else changed";
/// The format part: how few turns it took.
pub const TURNS: &str = "turns";

/// What should have come of a trial in a world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldCheck {
    /// How places of the final state should be.
    #[serde(default)]
    pub state: Vec<Expected>,
    /// Changes that must have been made.
    #[serde(default)]
    pub required: Vec<EffectKey>,
    /// Changes that must not have been made, even if they were undone later.
    #[serde(default)]
    pub forbidden: Vec<EffectKey>,
    /// What must come before changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first: Vec<First>,
    /// JSON pointers to places that no expectation names and that may still change.
    #[serde(default)]
    pub may_change: Vec<String>,
    /// What the final message must say.
    pub message: Message,
    /// Model turns that lose nothing; from there to the task's limit the part [`TURNS`] falls to 0.
    pub turns: u32,
}

/// A change, by its tool and some of its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectKey {
    pub name: String,
    pub tool: String,
    /// Arguments it has, in any case; others are free.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// How often it must have happened, exactly.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u32,
}

/// What must come before a change: something that tools have shown, or another change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct First {
    pub name: String,
    /// The tool that makes the change.
    pub tool: String,
    /// Arguments of the change, in any case; others are free.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
    /// What a tool must have shown in an earlier turn, each as `one|another`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The tool of a change that must have been made earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

impl First {
    fn find(&self, replay: &Replay) -> Finding {
        let is_it = |effect: &Effect| {
            let fits = |(key, wanted): (&String, &Value)| {
                effect.arguments.get(key).is_some_and(|given| place::same(wanted, given))
            };
            effect.tool == self.tool && self.arguments.iter().all(fits)
        };
        let Some(at) = replay.effects.iter().position(is_it) else {
            return Finding { met: true, why: format!("{} changed nothing too early", self.tool) };
        };
        let known = replay.shown_before.get(at).and_then(|known| replay.shown.get(..*known)).unwrap_or_default();
        let unseen = self.shown.iter().find(|word| !message::says(known, word));
        let unmade =
            self.after.as_ref().filter(|tool| !replay.effects[..at].iter().any(|effect| effect.tool == **tool));
        let why = match (unseen, unmade) {
            (Some(word), _) => format!("{} took effect before a tool had shown {word:?}", self.tool),
            (None, Some(tool)) => format!("{} took effect before {tool}", self.tool),
            (None, None) => format!("{} took effect after what it rests on", self.tool),
        };
        Finding { met: unseen.is_none() && unmade.is_none(), why }
    }
}

const fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_once(times: &u32) -> bool {
    *times == 1
}

impl EffectKey {
    fn count(&self, effects: &[Effect]) -> usize {
        let fits = |effect: &&Effect| {
            effect.tool == self.tool
                && self
                    .arguments
                    .iter()
                    .all(|(key, wanted)| effect.arguments.get(key).is_some_and(|given| place::same(wanted, given)))
        };
        effects.iter().filter(fits).count()
    }

    fn words(&self) -> String {
        let arguments: Vec<String> =
            self.arguments.iter().map(|(key, value)| format!("{key} {}", place::shown(Some(value)))).collect();
        if arguments.is_empty() { self.tool.clone() } else { format!("{} with {}", self.tool, arguments.join(", ")) }
    }

    fn required(&self, replay: &Replay) -> Finding {
        let (count, times, words) = (self.count(&replay.effects), self.times, self.words());
        let why = match count {
            0 => format!("{words} never took effect{}", replay.trouble(&self.tool)),
            _ if count == times as usize => format!("{words} took effect"),
            _ => format!("{words} took effect {count} times, not {times}"),
        };
        Finding { met: count == times as usize, why }
    }

    fn forbidden(&self, replay: &Replay) -> Finding {
        match self.count(&replay.effects) {
            0 => Finding { met: true, why: format!("{} was not done", self.words()) },
            _ => Finding { met: false, why: format!("{} was done, which is forbidden", self.words()) },
        }
    }
}

/// A part of a verdict on a task without its world.
fn nothing(name: String) -> Part {
    let kind = if name == TURNS { PartKind::Format } else { PartKind::Correctness };
    Part { name, kind, weight: 1.0, score: 0.0, answer: None, why: "the task has no world to play in".to_owned() }
}

/// A finding with what its part weighs.
struct Found {
    name: String,
    finding: Finding,
    /// Whether it stands for itself; else it counts for the share that was done.
    own: bool,
}

impl WorldCheck {
    pub(super) fn part_names(&self) -> Vec<String> {
        let state = self.state.iter().map(|expected| expected.name.clone());
        let effects = self.required.iter().chain(&self.forbidden).map(|effect| effect.name.clone());
        let first = self.first.iter().map(|first| first.name.clone());
        state.chain(effects).chain(first).chain([NOTHING_ELSE, MESSAGE, TURNS].map(str::to_owned)).collect()
    }

    /// What is wrong with the check by itself.
    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        let mut names = BTreeSet::new();
        if let Some(name) =
            self.part_names().into_iter().find(|name| name.trim().is_empty() || !names.insert(name.clone()))
        {
            return Err((
                "world".to_owned(),
                format!("the part name {name:?} is empty, taken or there twice; rename it"),
            ));
        }
        for (index, expected) in self.state.iter().enumerate() {
            expected.validate().map_err(|(field, why)| (format!("world.state[{index}].{field}"), why))?;
        }
        if let Some(place) = self.may_change.iter().find(|place| !place.starts_with('/')) {
            return Err(("world.may_change".to_owned(), format!("{place:?} is no JSON pointer; it starts with /")));
        }
        if self.required.iter().chain(&self.forbidden).any(|effect| effect.times == 0) {
            return Err(("world.required".to_owned(), "times is 0; use [[check.world.forbidden]]".to_owned()));
        }
        for (index, first) in self.first.iter().enumerate() {
            let at = |field: &str| format!("world.first[{index}].{field}");
            super::text::worded(&first.shown).map_err(|why| (at("shown"), why))?;
            if first.shown.is_empty() && first.after.is_none() {
                return Err((at("shown"), "is empty; say what must have been shown, or after which tool".to_owned()));
            }
        }
        self.message.validate().map_err(|(field, why)| (format!("world.message.{field}"), why))
    }

    /// What is wrong with the check in its task.
    pub fn validate_in(
        &self,
        tools: &[Tool],
        simulation: Option<&Simulation>,
        turns: u32,
    ) -> Result<(), (String, String)> {
        let at = |field: &str| format!("world.{field}");
        let Some(Simulation::World(start)) = simulation else {
            return Err((at("state"), "needs [world] in the task".to_owned()));
        };
        for (list, effects) in [("required", &self.required), ("forbidden", &self.forbidden)] {
            for (index, effect) in effects.iter().enumerate() {
                let Some(tool) = tools.iter().find(|tool| tool.name == effect.tool) else {
                    return Err((
                        at(&format!("{list}[{index}].tool")),
                        format!("{:?} is no tool of this task", effect.tool),
                    ));
                };
                if let Some(key) = effect.arguments.keys().find(|key| tool.parameters["properties"].get(key).is_none())
                {
                    return Err((
                        at(&format!("{list}[{index}].arguments")),
                        format!("{} has no argument {key:?}", tool.name),
                    ));
                }
            }
        }
        let state = start.begin().state();
        if let Some(index) =
            self.state.iter().position(|expected| expected.unchanged && state.pointer(&expected.at).is_none())
        {
            return Err((at(&format!("state[{index}].at")), "names nothing in the state at the start".to_owned()));
        }
        let asks_for_change =
            !self.required.is_empty() || self.state.iter().any(|expected| !expected.find(&state, &state).met);
        if !asks_for_change && self.message.seen.is_empty() {
            return Err((
                at("message.seen"),
                "is empty, but the task asks for no change; name what a tool must have shown before the message counts"
                    .to_owned(),
            ));
        }
        if !(1..turns).contains(&self.turns) {
            return Err((at("turns"), format!("is {}; use 1 to below the limit of {turns}", self.turns)));
        }
        Ok(())
    }

    pub(super) fn judge(&self, judged: &Judged) -> Verdict {
        let Some(replay) = Replay::of(judged) else {
            return Verdict::of(self.part_names().into_iter().map(nothing).collect());
        };
        let mut found: Vec<Found> = Vec::new();
        for expected in &self.state {
            let own = !expected.find(&replay.start, &replay.start).met;
            let mut finding = expected.find(&replay.start, &replay.end);
            if own
                && !finding.met
                && let Some(trouble) = replay.any_trouble()
            {
                finding.why.push_str(&trouble);
            }
            found.push(Found { name: expected.name.clone(), finding, own });
        }
        for effect in &self.required {
            found.push(Found { name: effect.name.clone(), finding: effect.required(&replay), own: true });
        }
        let wanted = found.iter().filter(|found| found.own).count();
        let done = found.iter().filter(|found| found.own && found.finding.met).count();
        let message = self.message.find(&replay);
        let rest = match (wanted, message.met) {
            (0, true) => Rest { share: 1.0, why: String::new() },
            (0, false) => Rest { share: 0.0, why: "; counts for nothing without the right message".to_owned() },
            _ if done == wanted => Rest { share: 1.0, why: String::new() },
            _ => Rest {
                share: done as f64 / wanted as f64,
                why: format!("; counts for {done} of {wanted} required changes"),
            },
        };
        for effect in &self.forbidden {
            found.push(Found { name: effect.name.clone(), finding: effect.forbidden(&replay), own: false });
        }
        for first in &self.first {
            found.push(Found { name: first.name.clone(), finding: first.find(&replay), own: false });
        }
        let (name, finding) = (NOTHING_ELSE.to_owned(), place::nothing_else(&self.state, &self.may_change, &replay));
        found.push(Found { name, finding, own: false });
        found.push(Found { name: MESSAGE.to_owned(), finding: message, own: wanted == 0 });

        let mut parts: Vec<Part> = found.into_iter().map(|found| rest.part(found)).collect();
        if let Some(part) = parts.last_mut() {
            part.answer = replay.message.map(str::to_owned);
        }
        parts.push(self.turns(&replay, judged.turn_limit));
        Verdict::of(parts)
    }

    fn turns(&self, replay: &Replay, limit: u32) -> Part {
        let (turns, free) = (replay.turns, self.turns);
        let score = if turns <= free {
            1.0
        } else {
            f64::from(limit.saturating_sub(turns)) / f64::from(limit.saturating_sub(free).max(1))
        };
        let why = format!("{turns} turns; up to {free} lose nothing, {limit} are allowed; {}", replay.failures());
        Part { name: TURNS.to_owned(), kind: PartKind::Format, weight: 1.0, score: score.min(1.0), answer: None, why }
    }
}

/// What parts count for that don't stand for themselves.
struct Rest {
    share: f64,
    why: String,
}

impl Rest {
    fn part(&self, found: Found) -> Part {
        let whole = f64::from(u8::from(found.finding.met));
        let (score, why) = match (found.own, found.finding.met) {
            (true, _) | (false, false) => (whole, found.finding.why),
            (false, true) => (whole * self.share, format!("{}{}", found.finding.why, self.why)),
        };
        Part { name: found.name, kind: PartKind::Correctness, weight: 1.0, score, answer: None, why }
    }
}
