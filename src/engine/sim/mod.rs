//! What tools do in a task: canned replies without state, or a small world with state. Pure: the same calls give the same
//! results, so that a judge can play a trial again from its calls alone.
//!
//! Imports: domain, `serde_json`. To add a world: `world/`.

pub mod replies;
pub mod world;

use serde::{Deserialize, Serialize};

use self::{replies::Reply, world::WorldStart};
use crate::domain::transcript::{Tool, ToolCall};

/// Where a task's tools get their results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Simulation {
    /// Each call finds its reply in a list.
    Replies(Vec<Reply>),
    /// The calls read and change a state.
    World(WorldStart),
}

/// A simulation on its way through one trial.
#[derive(Debug, Clone)]
pub enum Running<'a> {
    Replies(&'a [Reply]),
    World(Box<world::World>),
}

impl Simulation {
    /// The state before the first call.
    pub fn start(&self) -> Running<'_> {
        match self {
            Self::Replies(replies) => Running::Replies(replies),
            Self::World(start) => Running::World(Box::new(start.begin())),
        }
    }

    /// Whether the simulation can work with these tools; else the field and what is wrong with it.
    pub fn validate(&self, tools: &[Tool]) -> Result<(), (String, String)> {
        match self {
            Self::Replies(replies) => replies::validate(replies, tools),
            Self::World(start) => start.validate(tools),
        }
    }
}

impl Running<'_> {
    /// Makes one call and returns what the tool gives back: JSON text, `{"error": …}` if the call could not be made.
    pub fn call(&mut self, tools: &[Tool], call: &ToolCall) -> String {
        if !tools.iter().any(|tool| tool.name == call.name) {
            return error(&format!("there is no tool named {}", call.name));
        }
        let Some(arguments) = &call.arguments else {
            return error("the arguments are no JSON object");
        };
        match self {
            Self::Replies(replies) => replies::reply(replies, &call.name, arguments),
            Self::World(world) => world.call(&call.name, arguments),
        }
    }
}

/// What a tool gives back when it could not do what it was asked.
pub fn error(why: &str) -> String {
    serde_json::json!({ "error": why }).to_string()
}
