//! Task files become [`Task`]s: read from `suites/`, validated whole, found by suite and id.
//!
//! Imports: domain, `engine::check`, rust-embed, toml, sha2. In debug builds the files are read from the disk at each
//! [`load`]; a release holds them in the binary. To add a task: suites/README.md.

mod digest;
mod file;
mod junk;
mod source;
pub mod speed_text;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    check::{Check, Said},
    harness,
    sim::Simulation,
};
use crate::domain::{
    id::{HarnessId, Profile, SuiteId},
    speed::SpeedKind,
    transcript::{Message, Tool, ToolCall},
};

pub use file::{SuiteError, ToolSets, parse_suite, parse_task, parse_task_with, parse_tools};
pub use junk::{JUNK, Junk};
pub use source::Source;

/// One task, valid as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub suite: SuiteId,
    /// Lower-case words with hyphens; the name of its file without `.toml`, unique within the suite.
    pub id: String,
    /// Raised by hand with every change that can change a score.
    pub version: u32,
    pub title: String,
    /// 1: small models pass; 2: good 7B models pass; 3: good 30B models often miss it.
    pub tier: u8,
    /// Whether the quick profile has it.
    pub quick: bool,
    /// Empty for timed tasks, whose prompts [`speed_text`] writes with a nonce.
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    /// What the tools do; without it, the first call ends the trial.
    pub simulation: Option<Simulation>,
    /// Tokens each turn may have, thinking apart.
    pub answer_tokens: u32,
    /// How often the model may speak, at least 1.
    pub turns: u32,
    pub kind: TaskKind,
    /// Different right answers, at least two for a judged task.
    pub accept: Vec<Example>,
    /// Near misses, at least three for a judged task.
    pub reject: Vec<Reject>,
    /// Names of [`JUNK`] that are no junk here, for tasks where declining is right.
    pub junk_ok: Vec<String>,
    /// `sha256:…` over everything that can change a score, the harness apart.
    pub digest: String,
}

/// What a task asks for: an answer to judge, or time.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskKind {
    Judged(Check),
    Timed(SpeedKind),
}

impl Task {
    /// What the model is asked, as one text: all messages, a blank line between them. Empty for timed tasks.
    pub fn prompt(&self) -> String {
        self.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n\n")
    }

    /// The check of a judged task; `None` for a timed one.
    pub fn check(&self) -> Option<&Check> {
        match &self.kind {
            TaskKind::Judged(check) => Some(check),
            TaskKind::Timed(_) => None,
        }
    }
}

/// A right answer, as turns that no harness owns.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    pub turns: Vec<Turn>,
}

impl Example {
    /// The turns as a harness would have read them.
    pub fn said(&self) -> Vec<Said> {
        self.turns.iter().map(Turn::said).collect()
    }

    /// What the last turn says: the text that is judged.
    pub fn answer(&self) -> &str {
        answer(&self.turns)
    }
}

/// A near miss: which part of the verdict it must not fulfil, and what is wrong with it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reject {
    pub part: String,
    pub why: String,
    pub turns: Vec<Turn>,
}

impl Reject {
    /// The turns as a harness would have read them.
    pub fn said(&self) -> Vec<Said> {
        self.turns.iter().map(Turn::said).collect()
    }

    /// What the last turn says: the text that is judged.
    pub fn answer(&self) -> &str {
        answer(&self.turns)
    }
}

fn answer(turns: &[Turn]) -> &str {
    turns.last().map_or("", |turn| turn.text.as_str())
}

/// What the model says in one turn.
#[derive(Debug, Clone, PartialEq, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub calls: Vec<ExampleCall>,
}

/// A tool call of an example.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExampleCall {
    pub name: String,
    /// An object; empty if the tool takes nothing.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
}

impl Turn {
    /// The turn as a harness would have read it.
    pub fn said(&self) -> Said {
        let calls = self.calls.iter().map(|call| ToolCall {
            id: None,
            name: call.name.clone(),
            arguments: Some(call.arguments.clone()).filter(Value::is_object),
            arguments_raw: call.arguments.to_string(),
        });
        Said { text: self.text.clone(), calls: calls.collect(), notes: Vec::new() }
    }
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// The tasks of one suite, in running order: timed ones by size, judged ones by file name.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    pub id: SuiteId,
    /// What the suite measures, in a sentence or two.
    pub about: String,
    /// `sha256:…` over the digests of all its tasks.
    pub digest: String,
    pub tasks: Vec<Task>,
}

/// All suites that are built.
#[derive(Debug, Clone, PartialEq)]
pub struct Suites {
    suites: BTreeMap<SuiteId, Suite>,
}

/// The suites of this binary.
pub fn load() -> Result<Suites, SuiteError> {
    load_from(&Source::BuiltIn)
}

/// Reads and validates every built suite. The first fault stops it: a task file that is wrong must not run.
pub fn load_from(source: &Source) -> Result<Suites, SuiteError> {
    let mut suites = BTreeMap::new();
    for id in SuiteId::ALL.iter().copied().filter(|id| id.is_built()) {
        let text = read(source, &format!("{id}/suite.toml"))?;
        let mut sets = ToolSets::new();
        for name in source.names(&format!("{id}/tools/")) {
            let set = name.rsplit('/').next().and_then(|last| last.strip_suffix(".toml")).unwrap_or(&name).to_owned();
            sets.insert(set, parse_tools(&name, &read(source, &name)?)?);
        }
        let mut tasks = Vec::new();
        for name in source.names(&format!("{id}/tasks/")) {
            tasks.push(parse_task_with(id, &name, &read(source, &name)?, &sets)?);
        }
        tasks.sort_by_key(size);
        suites.insert(id, parse_suite(id, &text, tasks)?);
    }
    Ok(Suites { suites })
}

/// Timed tasks stand by what they time and how much; judged ones stay in the order of their files.
fn size(task: &Task) -> (u8, u32) {
    match task.kind {
        TaskKind::Judged(_) => (0, 0),
        TaskKind::Timed(SpeedKind::Decode { tokens }) => (1, tokens),
        TaskKind::Timed(SpeedKind::Prefill { depth }) => (2, depth),
    }
}

fn read(source: &Source, name: &str) -> Result<String, SuiteError> {
    let file = source.read(name).ok_or_else(|| SuiteError::Missing { file: name.to_owned() })?;
    String::from_utf8(file).map_err(|_| SuiteError::NotText { file: name.to_owned() })
}

impl Suites {
    /// These suites and no others.
    pub fn of(suites: impl IntoIterator<Item = Suite>) -> Self {
        Self { suites: suites.into_iter().map(|suite| (suite.id, suite)).collect() }
    }

    /// `None` if this version has no tasks for the suite.
    pub fn suite(&self, id: SuiteId) -> Option<&Suite> {
        self.suites.get(&id)
    }

    /// All built suites, in running order.
    pub fn all(&self) -> impl Iterator<Item = &Suite> {
        self.suites.values()
    }

    pub fn task(&self, suite: SuiteId, id: &str) -> Option<&Task> {
        self.suite(suite)?.tasks.iter().find(|task| task.id == id)
    }

    /// The tasks a run of this profile takes from the suite, in running order.
    pub fn chosen(&self, suite: SuiteId, profile: Profile) -> Vec<&Task> {
        let tasks = self.suite(suite).map_or(&[][..], |suite| &suite.tasks);
        tasks.iter().filter(|task| profile == Profile::Standard || task.quick).collect()
    }

    /// `sha256:…` over these tasks and the harness they go through, whatever their order. Two runs compare only where
    /// it agrees.
    pub fn run_digest(&self, tasks: &[&Task], harness: HarnessId) -> String {
        digest::run(tasks, harness, harness::VERSION, harness::instructions(harness))
    }

    /// Answers that must earn nothing at this task, those in its `junk_ok` left out.
    pub fn junk(&self, task: &Task) -> Vec<Junk> {
        junk::of(self, task)
    }
}
