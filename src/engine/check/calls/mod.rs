//! Tool calls: which were made, in which turn does not matter, against which were expected. Every turn is judged; the text
//! of the last one only where the check says what it must state.
//!
//! Imports: domain, jsonschema, serde_json, `check`'s own readings. To add a matcher: an arm in `matcher.rs`.

mod assign;
mod judge;
pub mod matcher;
mod moment;
mod schema;
pub mod statement;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(super) use self::judge::unread;
use self::{matcher::Matcher, statement::Statement};
use crate::domain::transcript::{Tool, ToolCall};

/// The part for calls that nobody asked for.
pub const NO_OTHER_CALLS: &str = "no_other_calls";
/// The part for arguments that the tool declares, and for none invented.
pub const FIT: &str = "arguments_fit";
/// The part for the order of calls, where it matters.
pub const IN_ORDER: &str = "in_order";
/// The part of a task that needs no call; it has no weight of its own.
pub const NO_CALL: &str = "no_call";

/// What must be called, and what must be said in the end. Without expected calls, the point is to call nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    /// In which order the expected calls must come.
    #[serde(default)]
    pub order: Order,
    /// Tools that may be called beside the expected calls, as often as the model likes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<String>,
    /// Tools that the request rules out: one call of them takes everything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    /// Each is a part of the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Expected>,
    /// Ways to go on from `expect`; the one that fits best counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<Way>,
    /// What the last turn's text must say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Statement>>,
}

/// Whether the order of calls matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    #[default]
    Any,
    /// As they are written, in one turn or several.
    Written,
    /// As they are written, each in a later turn than the one before: it needs what that one gave back.
    AfterResults,
}

/// One of several right ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    pub expect: Vec<Expected>,
}

/// A call that must be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The name of its part.
    pub name: String,
    pub tool: String,
    /// What the prompt determines, argument by argument.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<String, Matcher>,
}

/// How well a call made fits an expected one.
#[derive(Debug, Clone, PartialEq)]
struct Fit {
    /// 0 to 1; 1 only if every argument is right.
    score: f64,
    why: String,
}

impl Expected {
    /// `None` if another tool was called. Some wrong arguments leave the share of right ones, but nothing unless half of
    /// those that show that the request was read are right.
    fn fit(&self, call: &ToolCall) -> Option<Fit> {
        if call.name.trim() != self.tool {
            return None;
        }
        let Some(given) = call.arguments.as_ref().and_then(|arguments| arguments.as_object()) else {
            return Some(Fit { score: 0.0, why: format!("the arguments of {} are no JSON object", self.tool) });
        };
        let (mut right, mut total, mut telling, mut told) = (0.0, 0.0, 0.0, 0.0);
        let mut wrong = Vec::new();
        for (key, wanted) in &self.arguments {
            let found = wanted.find(given.get(key));
            if found.is_ok() && wanted.may_be_absent() {
                continue;
            }
            let point = f64::from(u8::from(found.is_ok()));
            (right, total) = (right + point, total + 1.0);
            if wanted.is_telling() {
                (telling, told) = (telling + 1.0, told + point);
            }
            if let Err(why) = found {
                wrong.push(format!("{key} {why}"));
            }
        }
        if wrong.is_empty() {
            return Some(Fit { score: 1.0, why: format!("{} was called as asked", self.tool) });
        }
        let enough = told > 0.0 && told * 2.0 >= telling;
        Some(Fit { score: if enough { right / total } else { 0.0 }, why: wrong.join("; ") })
    }
}

impl Calls {
    /// Whether something must be called.
    pub fn wants_calls(&self) -> bool {
        !self.expect.is_empty() || !self.one_of.is_empty()
    }

    /// All expected calls, those of every way too.
    fn all(&self) -> impl Iterator<Item = &Expected> {
        self.expect.iter().chain(self.one_of.iter().flat_map(|way| &way.expect))
    }

    pub(super) fn part_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.all().map(|expected| expected.name.clone()).collect();
        names.dedup();
        let fixed: &[&str] = match (self.wants_calls(), self.order) {
            (false, _) => &[NO_CALL],
            (true, Order::Any) => &[NO_OTHER_CALLS, FIT],
            (true, Order::Written | Order::AfterResults) => &[NO_OTHER_CALLS, FIT, IN_ORDER],
        };
        names.extend(fixed.iter().map(|name| (*name).to_owned()));
        names.extend(self.answer.as_ref().map(|answer| answer.name.clone()));
        names
    }

    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        let fault = |field: String, why: &str| Err((format!("calls.{field}"), why.to_owned()));
        match &self.answer {
            Some(answer) => answer.validate().map_err(|(field, why)| (format!("calls.answer.{field}"), why))?,
            None if !self.wants_calls() => {
                return fault(
                    "answer".into(),
                    "is missing; where nothing is to be called, say what the text must state",
                );
            }
            None => {}
        }
        if self.order != Order::Any && !self.one_of.is_empty() {
            return fault("order".into(), "is for one list of calls, not for ways");
        }
        if let Some(index) = self.one_of.iter().position(|way| way.expect.is_empty()) {
            return fault(format!("one_of[{index}].expect"), "is empty; a way has calls");
        }
        let most = self.expect.len() + self.one_of.iter().map(|way| way.expect.len()).max().unwrap_or(0);
        if most > assign::MOST {
            return fault("expect".into(), "has more calls than 8; split the task");
        }
        let names = self.part_names();
        for expected in self.all() {
            if expected.name.trim().is_empty() || names.iter().filter(|name| **name == expected.name).count() != 1 {
                return fault(format!("expect {:?}", expected.name), "is empty, taken or there twice; rename it");
            }
            for (key, matcher) in &expected.arguments {
                let field = format!("expect {:?}.arguments.{key}", expected.name);
                matcher.validate().or_else(|why| fault(field, &why))?;
            }
        }
        Ok(())
    }

    /// Whether the check speaks of tools and arguments that the task offers; else the field and what is wrong with it.
    pub fn validate_tools(&self, tools: &[Tool]) -> Result<(), (String, String)> {
        let fault = |field: String, why: String| Err((format!("calls.{field}"), why));
        let known = |name: &str| tools.iter().find(|tool| tool.name == name);
        if tools.is_empty() {
            return fault("tools".into(), "there are none; name a set with tools_from or write [[tools]]".into());
        }
        for (field, names) in [("free", &self.free), ("never", &self.never)] {
            if let Some(name) = names.iter().find(|name| known(name).is_none()) {
                return fault(field.into(), format!("{name:?} is no tool of this task"));
            }
        }
        if let Some(name) = self.never.iter().find(|name| self.all().any(|expected| expected.tool == **name)) {
            return fault("never".into(), format!("{name:?} is expected, too"));
        }
        for tool in tools {
            schema::validate(tool).or_else(|why| fault(format!("tools {:?}", tool.name), why))?;
        }
        for expected in self.all() {
            let Some(tool) = known(&expected.tool) else {
                return fault(
                    format!("expect {:?}.tool", expected.name),
                    format!("{:?} is no tool of this task", expected.tool),
                );
            };
            if let Some(key) = expected.arguments.keys().find(|key| schema::property(tool, key).is_none()) {
                let why = format!("{} declares no argument {key}", tool.name);
                return fault(format!("expect {:?}.arguments", expected.name), why);
            }
        }
        Ok(())
    }
}
