//! A run as pages see it: [`RunView`], made by folding its events. Rows are in [`super::row`], what is derived from them in
//! [`super::figures`].

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    card::CapabilityCard,
    event::{Ending, Happening, PlannedTask, RunEvent},
    id::{RunId, SuiteId, Wire, closed_set},
    identity::Identity,
    machine::Machine,
    plan::RunPlan,
};

pub use super::{
    figures::{Eta, Scores, SuiteView},
    row::{Mark, Row},
};

closed_set! {
    /// Where a run stands.
    RunStatus, "status" {
        Queued = "queued",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
        /// The process died in the middle; every finished sample is kept.
        Interrupted = "interrupted",
        Unreadable = "unreadable",
    }
}

impl RunStatus {
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Queued | Self::Running)
    }
}

/// What is being done now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Current {
    pub suite: SuiteId,
    pub task: String,
    pub trial: u32,
    pub since: DateTime<Utc>,
}

/// Something with a reason attached: a skipped task, a stopped suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    pub suite: SuiteId,
    /// Empty for a whole suite.
    pub task: String,
    pub why: String,
}

/// A run, folded from its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunView {
    pub id: RunId,
    pub status: RunStatus,
    /// The event to ask for next.
    pub next: u64,
    pub plan: Option<RunPlan>,
    pub version: String,
    /// The plan names the built-in demo server.
    pub demo: bool,
    /// Place in the server's queue while waiting; 1 = next.
    pub position: Option<u32>,
    pub queued_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    /// The time of the last event.
    pub last_at: Option<DateTime<Utc>>,
    pub wire: Option<Wire>,
    pub identity: Option<Identity>,
    /// What changed in the model or server during the run.
    pub drift: Vec<String>,
    pub machine: Option<Machine>,
    pub tasks: Vec<PlannedTask>,
    pub digest: String,
    pub warm_up_s: Option<f64>,
    pub warm_up_ttft_ms: Option<f64>,
    pub warm_up_error: Option<String>,
    pub load_ms: Option<f64>,
    /// What the look before the first task found; `None` if there was none, or not yet.
    #[serde(default)]
    pub card: Option<CapabilityCard>,
    pub rows: Vec<Row>,
    pub current: Option<Current>,
    pub skipped: Vec<Reason>,
    pub stopped: Vec<Reason>,
    /// Why the run failed or was cancelled.
    pub error: Option<String>,
}

impl RunView {
    pub fn new(id: RunId) -> Self {
        Self {
            id,
            status: RunStatus::Queued,
            next: 0,
            plan: None,
            version: String::new(),
            demo: false,
            position: None,
            queued_at: None,
            started_at: None,
            ended_at: None,
            last_at: None,
            wire: None,
            identity: None,
            drift: Vec::new(),
            machine: None,
            tasks: Vec::new(),
            digest: String::new(),
            warm_up_s: None,
            warm_up_ttft_ms: None,
            warm_up_error: None,
            load_ms: None,
            card: None,
            rows: Vec::new(),
            current: None,
            skipped: Vec::new(),
            stopped: Vec::new(),
            error: None,
        }
    }

    /// Folds a whole journal.
    pub fn of<'a>(id: RunId, events: impl IntoIterator<Item = &'a RunEvent>) -> Self {
        let mut view = Self::new(id);
        for event in events {
            view.apply(event);
        }
        view
    }

    /// Applies the next event. One that was applied before changes nothing, so a stream may repeat itself.
    pub fn apply(&mut self, event: &RunEvent) {
        if event.i < self.next {
            return;
        }
        self.next = event.i + 1;
        self.last_at = Some(event.at);
        match &event.what {
            Happening::Queued { plan, version, demo, .. } => {
                self.demo = *demo;
                self.plan = Some((**plan).clone());
                self.version.clone_from(version);
                self.queued_at = Some(event.at);
            }
            Happening::Waiting { position } => self.position = Some(*position),
            Happening::Started { wire, identity, machine, tasks, digest } => {
                self.status = RunStatus::Running;
                self.position = None;
                self.started_at = Some(event.at);
                self.wire = Some(*wire);
                self.identity = Some((**identity).clone());
                self.machine = Some((**machine).clone());
                self.tasks.clone_from(tasks);
                self.digest.clone_from(digest);
            }
            Happening::WarmedUp(warm_up) => {
                self.load_ms = warm_up.sample.timing.load_ms;
                self.warm_up_ttft_ms = warm_up.sample.timing.ttft_ms;
                self.warm_up_s = self.started_at.map(|start| (event.at - start).num_milliseconds() as f64 / 1000.0);
                self.warm_up_error = warm_up.sample.why_not_judged();
            }
            Happening::Preflight { card } => self.card = Some((**card).clone()),
            Happening::SuiteStarted { .. } => {}
            Happening::TrialStarted { suite, task, trial } => {
                self.current = Some(Current { suite: *suite, task: task.clone(), trial: *trial, since: event.at });
            }
            Happening::TrialFinished(trial) => {
                self.current = None;
                let is_planned = |task: &&PlannedTask| task.suite == trial.suite && task.task == trial.task;
                let has_tools = self.tasks.iter().find(is_planned).is_some_and(|task| task.tools > 0);
                self.rows.push(Row::of(trial, has_tools, event.at));
            }
            Happening::TaskSkipped { suite, task, why } => {
                self.current = None;
                self.skipped.push(Reason { suite: *suite, task: task.clone(), why: why.clone() });
            }
            Happening::SuiteStopped { suite, why } => {
                self.current = None;
                self.stopped.push(Reason { suite: *suite, task: String::new(), why: why.clone() });
            }
            Happening::SuiteFinished { .. } => self.current = None,
            // read after the warm-up it is how the run began, read after the last task it may have changed
            Happening::IdentityRead { identity } if self.rows.is_empty() => self.identity = Some((**identity).clone()),
            Happening::IdentityRead { identity } => {
                self.drift = self.identity.as_ref().map(|before| before.drift(identity)).unwrap_or_default();
            }
            Happening::Finished { ending, why } => {
                self.current = None;
                self.position = None;
                self.ended_at = Some(event.at);
                self.error.clone_from(why);
                self.status = match ending {
                    Ending::Completed => RunStatus::Completed,
                    Ending::Failed => RunStatus::Failed,
                    Ending::Cancelled => RunStatus::Cancelled,
                };
            }
        }
    }

    pub fn is_demo(&self) -> bool {
        self.demo || self.identity.as_ref().is_some_and(|identity| identity.demo)
    }

    pub(super) fn is_skipped(&self, suite: SuiteId, task: &str) -> bool {
        self.skipped.iter().any(|skip| skip.suite == suite && skip.task == task)
    }

    /// The planned tasks that were not skipped.
    pub(super) fn live_tasks(&self) -> impl Iterator<Item = &PlannedTask> {
        self.tasks.iter().filter(|task| !self.is_skipped(task.suite, &task.task))
    }

    pub fn title_of(&self, suite: SuiteId, task: &str) -> String {
        let found = self.tasks.iter().find(|planned| planned.suite == suite && planned.task == task);
        found.map_or_else(|| task.to_owned(), |planned| planned.title.clone())
    }
}
