//! Worlds: small states that tools read and change, without clock and chance. The same calls always leave the same state,
//! so that a judge can play a trial again.
//!
//! A call is either whole or nothing: it works on a copy, and only a success replaces the state. Every success that changed
//! something is an [`Effect`].
//!
//! Imports: domain, chrono, jsonschema, `serde_json`. To add a tool: an entry in the table of its world. To add a world: a
//! file with a state that is a [`Realm`], a kind in [`WorldKind`] and [`State`]. Raise [`WORLD_VERSION`] with every change
//! of what a tool does.

mod calendar;
mod files;
mod inventory;
mod orders;
mod tickets;
mod tool;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use self::tool::{Arguments, Outcome, Spec};
use crate::domain::transcript::Tool;

/// Version of what the worlds do; part of the digest of every task that has one.
pub const WORLD_VERSION: u32 = 1;

const fn world_version() -> u32 {
    WORLD_VERSION
}

/// The worlds there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldKind {
    /// A shop: customers, products, orders, refunds, policies.
    Orders,
    /// People, rooms and events on days.
    Calendar,
    /// A store of text files.
    Files,
    /// Stock in warehouses, transfers, purchase orders.
    Inventory,
    /// A support desk: agents and their tickets.
    Tickets,
}

/// How a world begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldStart {
    /// In digests only; a task file does not say it.
    #[serde(skip_deserializing, default = "world_version")]
    version: u32,
    pub kind: WorldKind,
    /// The tools the task offers, in this order; empty for all the world has.
    #[serde(default)]
    pub tools: Vec<String>,
    /// The data at the start, table by table.
    pub state: Value,
    #[serde(default)]
    pub faults: Vec<Fault>,
}

/// A tool that fails once, whatever it was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub tool: String,
    /// Which of the calls with valid arguments fails, from 1.
    pub on_call: u32,
    pub error: String,
}

/// One successful call that changed the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    pub tool: String,
    pub arguments: Value,
}

/// A world on its way through one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    state: State,
    offered: Vec<String>,
    faults: Vec<Fault>,
    /// Calls with valid arguments so far, by tool.
    calls: BTreeMap<String, u32>,
    effects: Vec<Effect>,
}

/// What a kind of world consists of. Every table may be left out of a file: then it is empty.
trait Realm: 'static + Clone + PartialEq + Default + Serialize + DeserializeOwned {
    const TOOLS: &'static [Spec<Self>];

    /// Whether the entries fit each other; else the place and what is wrong there.
    fn sound(&self) -> Result<(), (String, String)>;
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum State {
    Orders(orders::Shop),
    Calendar(calendar::Diary),
    Files(files::Store),
    Inventory(inventory::Depot),
    Tickets(tickets::Desk),
}

/// Does the same with the state of any kind.
macro_rules! with_state {
    ($state:expr, $realm:ident => $do:expr) => {
        match $state {
            State::Orders($realm) => $do,
            State::Calendar($realm) => $do,
            State::Files($realm) => $do,
            State::Inventory($realm) => $do,
            State::Tickets($realm) => $do,
        }
    };
}

impl State {
    fn read(kind: WorldKind, state: &Value) -> Result<Self, (String, String)> {
        Ok(match kind {
            WorldKind::Orders => Self::Orders(read(state)?),
            WorldKind::Calendar => Self::Calendar(read(state)?),
            WorldKind::Files => Self::Files(read(state)?),
            WorldKind::Inventory => Self::Inventory(read(state)?),
            WorldKind::Tickets => Self::Tickets(read(state)?),
        })
    }
}

/// Reads a state entry by entry, so that an error names the entry.
fn read<R: Realm>(state: &Value) -> Result<R, (String, String)> {
    let fault = |place: &str, error: serde_json::Error| (place.trim_end_matches('.').to_owned(), error.to_string());
    for (table, value) in state.as_object().into_iter().flatten() {
        for (id, entry) in value.as_object().into_iter().flatten() {
            let alone: Result<R, _> = serde_json::from_value(json!({ table: { id: entry } }));
            alone.map_err(|error| fault(&format!("{table}.{id}"), error))?;
        }
        let alone: Result<R, _> = serde_json::from_value(json!({ table: value }));
        alone.map_err(|error| fault(table, error))?;
    }
    let realm: R = serde_json::from_value(state.clone()).map_err(|error| fault("", error))?;
    realm.sound()?;
    Ok(realm)
}

fn declared<R: Realm>() -> Vec<Tool> {
    R::TOOLS.iter().map(Spec::declared).collect()
}

/// Every tool a kind of world has.
pub fn all_tools(kind: WorldKind) -> Vec<Tool> {
    match kind {
        WorldKind::Orders => declared::<orders::Shop>(),
        WorldKind::Calendar => declared::<calendar::Diary>(),
        WorldKind::Files => declared::<files::Store>(),
        WorldKind::Inventory => declared::<inventory::Depot>(),
        WorldKind::Tickets => declared::<tickets::Desk>(),
    }
}

impl WorldStart {
    /// The tools the task offers; names that the world lacks are left out, and [`WorldStart::validate`] refuses them.
    pub fn tools(&self) -> Vec<Tool> {
        let all = all_tools(self.kind);
        if self.tools.is_empty() {
            return all;
        }
        self.tools.iter().filter_map(|name| all.iter().find(|tool| tool.name == *name).cloned()).collect()
    }

    /// The world before the first call. A state that [`WorldStart::validate`] refuses begins empty.
    pub fn begin(&self) -> World {
        let state = State::read(self.kind, &self.state).or_else(|_| State::read(self.kind, &json!({})));
        World {
            state: state.unwrap_or_else(|_| State::Files(files::Store::default())),
            offered: self.tools().into_iter().map(|tool| tool.name).collect(),
            faults: self.faults.clone(),
            calls: BTreeMap::new(),
            effects: Vec::new(),
        }
    }

    /// Whether the names, the state and the faults are sound; `tools` are those of the task.
    pub fn validate(&self, tools: &[Tool]) -> Result<(), (String, String)> {
        let all = all_tools(self.kind);
        let mut seen = BTreeSet::new();
        for (index, name) in self.tools.iter().enumerate() {
            if !all.iter().any(|tool| tool.name == *name) || !seen.insert(name) {
                let known: Vec<&str> = all.iter().map(|tool| tool.name.as_str()).collect();
                let why = format!("{name:?} is no tool of this world or there twice; known: {}", known.join(", "));
                return Err((format!("world.tools[{index}]"), why));
            }
        }
        if tools != self.tools() {
            return Err(("tools".to_owned(), "come from [world].tools; remove [[tools]]".to_owned()));
        }
        if let Err((place, why)) = State::read(self.kind, &self.state) {
            return Err((format!("world.state.{place}").trim_end_matches('.').to_owned(), why));
        }
        for (index, fault) in self.faults.iter().enumerate() {
            let at = |field: &str| format!("world.faults[{index}].{field}");
            if !tools.iter().any(|tool| tool.name == fault.tool) {
                return Err((at("tool"), format!("{:?} is no tool of this task", fault.tool)));
            }
            if fault.on_call == 0 {
                return Err((at("on_call"), "is 0; calls are counted from 1".to_owned()));
            }
            if fault.error.trim().is_empty() {
                return Err((at("error"), "is empty; write what the tool says".to_owned()));
            }
        }
        Ok(())
    }
}

impl World {
    /// Makes one call: the result, or `{"error": …}` and an unchanged state.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> String {
        if !self.offered.iter().any(|offered| offered == tool) {
            return super::error(&format!("there is no tool named {tool}; there are {}", self.offered.join(", ")));
        }
        let (calls, faults) = (&mut self.calls, &self.faults);
        let mut valid = || {
            let count = calls.entry(tool.to_owned()).or_default();
            *count += 1;
            let fault = faults.iter().find(|fault| fault.tool == tool && fault.on_call == *count);
            fault.map_or(Ok(()), |fault| Err(fault.error.clone()))
        };
        let mut next = self.state.clone();
        match with_state!(&mut next, realm => run(realm, tool, arguments, &mut valid)) {
            Ok(result) => {
                if next != self.state {
                    self.effects.push(Effect { tool: tool.to_owned(), arguments: arguments.clone() });
                    self.state = next;
                }
                result.to_string()
            }
            Err(why) => super::error(&why),
        }
    }

    /// The state as JSON, for pointers into it.
    pub fn state(&self) -> Value {
        serde_json::to_value(&self.state).unwrap_or_default()
    }

    /// What has been changed so far, in order.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }
}

fn run<R: Realm>(
    realm: &mut R,
    tool: &str,
    arguments: &Value,
    valid: &mut dyn FnMut() -> Result<(), String>,
) -> Outcome {
    let spec = R::TOOLS.iter().find(|spec| spec.name == tool);
    let spec = spec.ok_or_else(|| format!("there is no tool named {tool}"))?;
    if let Some(why) = spec.refuse(arguments) {
        return Err(why);
    }
    valid()?;
    (spec.run)(realm, &Arguments(arguments))
}
