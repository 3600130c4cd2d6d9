//! Proves the graders with the tasks' own examples: right answers pass, near misses fail where they say, junk earns nothing,
//! digests and verdicts are what they were.
//!
//! Imports: domain, `engine::{check, grade, python, suite}`. Used by `benchloop selftest` and by the tests.

mod pins;

use serde::Serialize;

use super::{
    check::Said,
    grade::grade,
    python::{Python, PythonError},
    suite::{Suites, Task, TaskKind},
};
use crate::domain::{
    id::{SuiteId, closed_set},
    unit,
    verdict::Verdict,
};

pub use pins::{PinError, Pins};

closed_set! {
    /// What was found to be wrong.
    FaultKind, "fault" {
        /// A right answer does not pass.
        Accept = "accept",
        /// A near miss does not fail where it says.
        Reject = "reject",
        /// A worthless answer earns points.
        Junk = "junk",
        /// A task changed under its old version.
        Digest = "digest",
        /// The same answer is judged differently by the same grader version.
        Verdict = "verdict",
        /// A task or answer that nothing is pinned for.
        NotPinned = "not_pinned",
        /// An answer could not be judged at all.
        NotJudged = "not_judged",
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// `suite/task`.
    pub task: String,
    pub kind: FaultKind,
    /// Which answer, and what came of it.
    pub why: String,
}

/// What was done in one suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proved {
    pub suite: SuiteId,
    pub tasks: u32,
    pub quick: u32,
    /// Tasks of tier 1, 2 and 3.
    pub tiers: [u32; 3],
    pub accepts: u32,
    pub rejects: u32,
    pub junk: u32,
    /// Why the suite's answers were not judged, if they were not.
    pub absent: Option<String>,
}

/// The outcome.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    pub suites: Vec<Proved>,
    pub faults: Vec<Fault>,
}

impl Report {
    /// Tasks that are judged, not timed.
    pub fn quality_tasks(&self) -> u32 {
        self.suites.iter().filter(|proved| proved.suite != SuiteId::Speed).map(|proved| proved.tasks).sum()
    }
}

/// The least score of a right answer: it may lose its format, never its correctness.
const RIGHT: f64 = 0.9;

/// Proves all suites, or one. `at` hears of each task before it is proved.
pub async fn selftest(
    suites: &Suites,
    only: Option<SuiteId>,
    pins: &mut Pins,
    python: &Python,
    at: &mut (dyn FnMut(&Task) + Send),
) -> Report {
    let mut report = Report::default();
    for suite in suites.all().filter(|suite| only.is_none_or(|only| only == suite.id)) {
        let mut proved = Proved {
            suite: suite.id,
            tasks: suite.tasks.len() as u32,
            quick: suite.tasks.iter().filter(|task| task.quick).count() as u32,
            tiers: [1, 2, 3].map(|tier| suite.tasks.iter().filter(|task| task.tier == tier).count() as u32),
            accepts: 0,
            rejects: 0,
            junk: 0,
            absent: (suite.id == SuiteId::Coding && !python.is_available())
                .then(|| PythonError::Unavailable.to_string()),
        };
        for task in &suite.tasks {
            at(task);
            report.faults.extend(pins.check_digest(task));
            if matches!(task.kind, TaskKind::Judged(_)) && proved.absent.is_none() {
                let mut prove = Prove { suites, task, pins, python, faults: Vec::new() };
                prove.accepts(&mut proved).await;
                prove.rejects(&mut proved).await;
                prove.junk(&mut proved).await;
                report.faults.append(&mut prove.faults);
            }
        }
        report.suites.push(proved);
    }
    report
}

/// One task under proof.
struct Prove<'a> {
    suites: &'a Suites,
    task: &'a Task,
    pins: &'a mut Pins,
    python: &'a Python,
    faults: Vec<Fault>,
}

impl Prove<'_> {
    fn fault(&mut self, kind: FaultKind, why: String) {
        self.faults.push(Fault { task: format!("{}/{}", self.task.suite, self.task.id), kind, why });
    }

    async fn verdict(&mut self, name: &str, turns: &[Said]) -> Option<Verdict> {
        match grade(self.task, turns, false, self.python).await {
            Ok(verdict) => Some(verdict),
            Err(why) => {
                self.fault(FaultKind::NotJudged, format!("{name}: {why}"));
                None
            }
        }
    }

    async fn accepts(&mut self, proved: &mut Proved) {
        let mut best: f64 = 0.0;
        for (index, example) in self.task.accept.iter().enumerate() {
            proved.accepts += 1;
            let (name, turns) = (format!("accept {index}"), example.said());
            let Some(verdict) = self.verdict(&name, &turns).await else { continue };
            best = best.max(verdict.score);
            if !verdict.passed || verdict.score < RIGHT {
                self.fault(FaultKind::Accept, format!("{name} must pass: {}", told(&verdict)));
            }
            self.faults.extend(self.pins.check_verdict(self.task, &name, &turns, &verdict));
        }
        if best < 1.0 {
            self.fault(FaultKind::Accept, format!("no right answer earns everything; the best has {best:.2}"));
        }
    }

    async fn rejects(&mut self, proved: &mut Proved) {
        for (index, reject) in self.task.reject.iter().enumerate() {
            proved.rejects += 1;
            let (name, turns) = (format!("reject {index}"), reject.said());
            let Some(verdict) = self.verdict(&name, &turns).await else { continue };
            let lost = verdict.parts.iter().any(|part| part.name == reject.part && part.score < 1.0);
            if !lost || verdict.score >= 1.0 {
                let why = format!("{name} ({}) must lose {:?}: {}", reject.why, reject.part, told(&verdict));
                self.fault(FaultKind::Reject, why);
            }
            self.faults.extend(self.pins.check_verdict(self.task, &name, &turns, &verdict));
        }
    }

    async fn junk(&mut self, proved: &mut Proved) {
        for junk in self.suites.junk(self.task) {
            proved.junk += 1;
            let Some(verdict) = self.verdict(junk.name, &junk.turns).await else { continue };
            if verdict.score > 0.0 {
                let why = format!("{} ({}) must earn 0: {}", junk.name, unit::cut(&junk.shown(), 160), told(&verdict));
                self.fault(FaultKind::Junk, why);
            }
        }
    }
}

/// A verdict in one line: its score and each part with its reason.
fn told(verdict: &Verdict) -> String {
    let parts: Vec<String> =
        verdict.parts.iter().map(|part| format!("{} {:.2}: {}", part.name, part.score, part.why)).collect();
    format!("it scores {:.3} ({})", verdict.score, parts.join("; "))
}
