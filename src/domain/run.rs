//! A run as pages see it: [`RunView`], made by folding its events, and the figures derived from it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    event::{Ending, Happening, PlannedTask, ROW_TEXT, RunEvent, Trial},
    id::{RunId, SuiteId, Wire, closed_set},
    identity::Identity,
    machine::Machine,
    plan::RunPlan,
    sample::{Flag, SampleClass, SampleState, ServerTiming, Timing, Usage},
    score::{self, Figure},
    speed::{self, SpeedPoint, Spread},
    stats, unit,
    verdict::Part,
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

/// One trial as a table row. Texts are cut at 200 characters; the transcript is a second call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub suite: SuiteId,
    pub task: String,
    pub trial: u32,
    pub state: SampleState,
    pub class: Option<SampleClass>,
    /// 0 to 1; `None` if there is no verdict.
    pub score: Option<f64>,
    pub passed: Option<bool>,
    pub parts: Vec<Part>,
    /// The answer that was extracted, else the start of the text.
    pub answer: String,
    pub why: String,
    /// The state and its evidence, for a sample that was not judged.
    pub not_judged: Option<String>,
    pub finish_reason: Option<String>,
    pub flags: Vec<Flag>,
    pub usage: Usage,
    pub timing: Timing,
    pub server_timing: ServerTiming,
    pub notes: std::collections::BTreeMap<String, String>,
    pub adaptations: Vec<String>,
    pub requests: u32,
    pub chunks: u32,
    pub took_s: f64,
    pub at: DateTime<Utc>,
}

impl Row {
    fn of(trial: &Trial, at: DateTime<Utc>) -> Self {
        let sample = &trial.sample;
        let verdict = trial.verdict.as_ref();
        let found = verdict.and_then(|verdict| verdict.answer()).unwrap_or(&sample.answer);
        let not_judged = sample.why_not_judged();
        let why = match (verdict, &not_judged, &trial.verdict_absent) {
            (Some(verdict), ..) => verdict.why().to_owned(),
            (None, Some(why), _) | (None, None, Some(why)) => why.clone(),
            (None, None, None) => String::new(),
        };
        let mut parts = verdict.map(|verdict| verdict.parts.clone()).unwrap_or_default();
        for part in &mut parts {
            part.answer = part.answer.as_deref().map(|answer| unit::cut(answer, ROW_TEXT));
            part.why = unit::cut(&part.why, ROW_TEXT);
        }
        Self {
            suite: trial.suite,
            task: trial.task.clone(),
            trial: trial.trial,
            state: sample.state,
            class: sample.class,
            score: verdict.map(|verdict| verdict.score),
            passed: verdict.map(|verdict| verdict.passed),
            parts,
            answer: unit::cut(found, ROW_TEXT),
            why: unit::cut(&why, 2 * ROW_TEXT),
            not_judged,
            finish_reason: sample.finish_reason.clone(),
            flags: sample.flags.clone(),
            usage: sample.usage,
            timing: sample.timing,
            server_timing: sample.server_timing,
            notes: sample.notes.clone(),
            adaptations: sample.adaptations.clone(),
            requests: sample.requests,
            chunks: sample.chunks,
            took_s: trial.took_s,
            at,
        }
    }

    /// Whether a rate came out.
    fn is_timed(&self) -> bool {
        self.timing.decode_tok_s.is_some() || self.timing.prefill_tok_s.is_some()
    }

    /// What the state glyph shows.
    pub fn mark(&self) -> Mark {
        match (self.state.is_judged(), self.passed, self.score) {
            (false, ..) => Mark::NotJudged,
            (true, Some(true), _) => Mark::Passed,
            (true, Some(false), Some(score)) if score > 0.0 => Mark::Partly,
            (true, Some(false), _) => Mark::Failed,
            // speed trials have no verdict: a figure is what was wanted
            (true, None, _) if self.suite == SuiteId::Speed && self.is_timed() => Mark::Passed,
            (true, None, _) => Mark::NotJudged,
        }
    }
}

closed_set! {
    /// The five outcomes and the two that are still open.
    Mark, "mark" {
        Passed = "passed",
        Partly = "in part",
        Failed = "failed",
        NotJudged = "not judged",
        Running = "running",
        ToDo = "to do",
        Skipped = "skipped",
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
    pub rows: Vec<Row>,
    pub current: Option<Current>,
    pub skipped: Vec<Reason>,
    pub stopped: Vec<Reason>,
    /// Why the run failed or was cancelled.
    pub error: Option<String>,
}

/// A suite's figures within a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SuiteView {
    pub suite: SuiteId,
    /// Trials that ended, and that were planned.
    pub done: u32,
    pub planned: u32,
    pub judged: u32,
    pub passed: u32,
    /// Every planned task has a judged trial.
    pub complete: bool,
    pub score: Figure,
    /// The score of what was judged so far, whatever the coverage.
    pub so_far: Figure,
    pub marks: Vec<(String, Mark)>,
    pub median_ms: Option<f64>,
    pub stopped: Option<String>,
}

/// The headline figures of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Scores {
    pub overall: Figure,
    pub quality: Figure,
    /// Quality suites with a score, of six.
    pub quality_suites: u32,
    /// 0–100 on the speed curve.
    pub speed: Figure,
    pub reliability: Figure,
    pub decode_tok_s: Spread,
    pub ttft_ms: Spread,
    /// tok/s at the deepest measured depth.
    pub prefill_tok_s: Spread,
    /// Total time of judged quality trials / passed ones.
    pub time_per_correct_ms: Option<f64>,
    /// All generated tokens of judged quality trials / passed ones.
    pub tokens_per_correct: Option<f64>,
    pub flags: Vec<(Flag, u32)>,
}

/// What is left, from this run's own pace.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Eta {
    pub seconds: f64,
    pub low: f64,
    pub high: f64,
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
            Happening::SuiteStarted { .. } => {}
            Happening::TrialStarted { suite, task, trial } => {
                self.current = Some(Current { suite: *suite, task: task.clone(), trial: *trial, since: event.at });
            }
            Happening::TrialFinished(trial) => {
                self.current = None;
                self.rows.push(Row::of(trial, event.at));
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

    fn is_skipped(&self, suite: SuiteId, task: &str) -> bool {
        self.skipped.iter().any(|skip| skip.suite == suite && skip.task == task)
    }

    /// The planned tasks that were not skipped.
    fn live_tasks(&self) -> impl Iterator<Item = &PlannedTask> {
        self.tasks.iter().filter(|task| !self.is_skipped(task.suite, &task.task))
    }

    pub fn title_of(&self, suite: SuiteId, task: &str) -> String {
        let found = self.tasks.iter().find(|planned| planned.suite == suite && planned.task == task);
        found.map_or_else(|| task.to_owned(), |planned| planned.title.clone())
    }

    /// Trials that ended and trials planned, over all suites.
    pub fn progress(&self) -> (u32, u32) {
        let planned: u32 = self.live_tasks().map(|task| task.trials).sum();
        let done = self.rows.iter().filter(|row| !self.is_skipped(row.suite, &row.task)).count() as u32;
        (done.min(planned), planned)
    }

    /// Seconds since the start, or the whole run's.
    pub fn elapsed_s(&self, now: DateTime<Utc>) -> Option<f64> {
        let start = self.started_at?;
        let end = self.ended_at.or(if self.status.is_active() { Some(now) } else { self.last_at })?;
        Some(((end - start).num_milliseconds() as f64 / 1000.0).max(0.0))
    }

    /// Time left by the pace of the trials that ended: each suite's own mean, else the mean of all. `None` before two
    /// trials ended. The band is twice the standard error of the sum.
    pub fn eta(&self, now: DateTime<Utc>) -> Option<Eta> {
        if self.status != RunStatus::Running || self.rows.len() < 2 {
            return None;
        }
        let all: Vec<f64> = self.rows.iter().map(|row| row.took_s).collect();
        let (mut seconds, mut variance) = (0.0, 0.0);
        for suite in SuiteId::ALL {
            let planned: u32 = self.live_tasks().filter(|task| task.suite == *suite).map(|task| task.trials).sum();
            let own: Vec<f64> = self.rows.iter().filter(|row| row.suite == *suite).map(|row| row.took_s).collect();
            if self.stopped.iter().any(|stop| stop.suite == *suite) {
                continue;
            }
            let left = f64::from(planned.saturating_sub(own.len() as u32));
            let pace = if own.len() >= 2 { &own } else { &all };
            let mean = stats::mean(pace)?;
            let spread = pace.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / pace.len() as f64;
            seconds += left * mean;
            variance += left * spread + left * left * spread / pace.len() as f64;
        }
        let gone =
            self.current.as_ref().map_or(0.0, |current| (now - current.since).num_milliseconds() as f64 / 1000.0);
        let seconds = (seconds - gone.clamp(0.0, seconds)).max(0.0);
        let half = 2.0 * variance.sqrt();
        Some(Eta { seconds, low: (seconds - half).max(0.0), high: seconds + half })
    }

    /// The suites of the plan with their figures, in running order.
    pub fn suites(&self) -> Vec<SuiteView> {
        let planned = self.plan.as_ref().map(|plan| plan.suites.clone()).unwrap_or_default();
        planned.into_iter().map(|suite| self.suite(suite)).collect()
    }

    /// Mean verdict scores (0–1) per task with a judged trial, in task order.
    fn task_scores(&self, suite: SuiteId) -> Vec<Vec<f64>> {
        let scores = self.live_tasks().filter(|task| task.suite == suite).map(|task| {
            let rows = self.rows.iter().filter(|row| row.suite == suite && row.task == task.task);
            rows.filter_map(|row| row.score).collect::<Vec<_>>()
        });
        scores.filter(|scores| !scores.is_empty()).collect()
    }

    fn suite(&self, suite: SuiteId) -> SuiteView {
        // a skipped task leaves the plan, with the trials it had
        let own = self.rows.iter().filter(|row| row.suite == suite && !self.is_skipped(suite, &row.task));
        let rows: Vec<&Row> = own.collect();
        let tasks: Vec<&PlannedTask> = self.live_tasks().filter(|task| task.suite == suite).collect();
        let planned: u32 = tasks.iter().map(|task| task.trials).sum();
        let is_judged = |row: &&Row| {
            if suite == SuiteId::Speed { row.state.is_judged() } else { row.score.is_some() }
        };
        let judged = rows.iter().filter(|row| is_judged(row)).count() as u32;
        let complete = !tasks.is_empty()
            && tasks.iter().all(|task| rows.iter().any(|row| row.task == task.task && is_judged(row)));
        let scores = self.task_scores(suite);
        let (score, so_far) = if suite == SuiteId::Speed {
            (self.speed_score(), self.speed_so_far())
        } else {
            (score::suite(&scores, judged, planned), score::suite(&scores, judged, judged))
        };
        let times: Vec<f64> = rows.iter().filter(|row| is_judged(row)).filter_map(|row| row.timing.total_ms).collect();
        SuiteView {
            suite,
            done: rows.len() as u32,
            planned,
            judged,
            passed: rows.iter().filter(|row| row.mark() == Mark::Passed).count() as u32,
            complete,
            score,
            so_far,
            marks: self.marks(suite),
            median_ms: stats::median(&times),
            stopped: self.stopped.iter().find(|stop| stop.suite == suite).map(|stop| stop.why.clone()),
        }
    }

    /// One mark per task: the worst of its trials, what is running, what is to do.
    fn marks(&self, suite: SuiteId) -> Vec<(String, Mark)> {
        let tasks = self.tasks.iter().filter(|task| task.suite == suite);
        let mark = |task: &PlannedTask| {
            if self.is_skipped(suite, &task.task) {
                return Mark::Skipped;
            }
            if self.current.as_ref().is_some_and(|current| current.suite == suite && current.task == task.task) {
                return Mark::Running;
            }
            let marks: Vec<Mark> =
                self.rows.iter().filter(|row| row.suite == suite && row.task == task.task).map(Row::mark).collect();
            match marks.first() {
                None if self.status.is_active() => Mark::ToDo,
                None => Mark::NotJudged,
                Some(first) if marks.iter().all(|mark| mark == first) => *first,
                Some(_) if marks.iter().all(|mark| *mark == Mark::NotJudged) => Mark::NotJudged,
                Some(_) => Mark::Partly,
            }
        };
        tasks.map(|task| (task.title.clone(), mark(task))).collect()
    }

    /// What a task of the speed suite times.
    pub fn speed_kind(&self, task: &str) -> Option<speed::SpeedKind> {
        self.tasks
            .iter()
            .find(|planned| planned.suite == SuiteId::Speed && planned.task == task)
            .and_then(|planned| planned.speed)
    }

    /// Decode speeds that make the headline.
    fn decode_speeds(&self) -> Vec<f64> {
        let rows = self.rows.iter().filter(|row| row.suite == SuiteId::Speed);
        speed::headline(rows.filter_map(|row| Some((row, self.speed_kind(&row.task)?))))
    }

    /// The speed score, by the same coverage as any suite's.
    fn speed_score(&self) -> Figure {
        let tasks = self.live_tasks().filter(|task| task.suite == SuiteId::Speed);
        let planned: u32 = tasks.map(|task| task.trials).sum();
        let judged = self.rows.iter().filter(|row| row.suite == SuiteId::Speed && row.state.is_judged());
        let judged = judged.filter(|row| !self.is_skipped(row.suite, &row.task)).count() as u32;
        score::too_little_coverage(judged, planned).map_or_else(|| self.speed_so_far(), Figure::absent)
    }

    fn speed_so_far(&self) -> Figure {
        let speeds = self.decode_speeds();
        match stats::median(&speeds) {
            Some(median) => {
                let ends = stats::bootstrap_median(&speeds);
                let ends = ends.map(|(low, high)| (score::speed_curve(low), score::speed_curve(high)));
                Figure::new(score::speed_curve(median), ends, speeds.len())
            }
            None => Figure::absent(match self.plan.as_ref() {
                Some(plan) if !plan.suites.contains(&SuiteId::Speed) => "the speed suite was not run".to_owned(),
                _ => self
                    .speed_points()
                    .into_iter()
                    .find_map(|point| point.why)
                    .unwrap_or_else(|| format!("no decode trial generated {} tokens", speed::HEADLINE_TOKENS)),
            }),
        }
    }

    /// The speed table, in task order.
    pub fn speed_points(&self) -> Vec<SpeedPoint> {
        let tasks = self.live_tasks().filter(|task| task.suite == SuiteId::Speed);
        let points = tasks.filter_map(|task| {
            let rows: Vec<&Row> =
                self.rows.iter().filter(|row| row.suite == SuiteId::Speed && row.task == task.task).collect();
            Some(speed::point(&task.task, task.speed?, &rows))
        });
        points.collect()
    }

    /// The headline figures of what was done so far.
    pub fn scores(&self) -> Scores {
        let suites = self.suites();
        let quality_suites: Vec<_> = suites
            .iter()
            .filter(|suite| suite.suite != SuiteId::Speed)
            .map(|suite| {
                let tasks = self.task_scores(suite.suite).iter().filter_map(|trials| stats::mean(trials)).collect();
                (suite.suite, suite.score.clone(), tasks)
            })
            .collect();
        let quality = score::quality(&quality_suites);
        let speed = self.speed_score();
        let counted = self.rows.iter().filter(|row| row.state.counts_for_reliability());
        let (well, all) = counted.fold((0, 0), |(well, all), row| (well + u32::from(row.state.is_judged()), all + 1));
        let reliability = score::reliability(well, all);
        let complete = suites.iter().filter(|suite| suite.complete).count();
        let judged: Vec<&Row> =
            self.rows.iter().filter(|row| row.suite != SuiteId::Speed && row.score.is_some()).collect();
        let passed = judged.iter().filter(|row| row.passed == Some(true)).count() as f64;
        let per_correct = |total: Option<f64>| total.filter(|_| passed > 0.0).map(|total| total / passed);
        let sum = |pick: &dyn Fn(&Row) -> Option<f64>| judged.iter().map(|row| pick(row)).sum::<Option<f64>>();
        let decode_rows: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| row.suite == SuiteId::Speed && row.state.is_judged())
            .filter(|row| matches!(self.speed_kind(&row.task), Some(speed::SpeedKind::Decode { .. })))
            .collect();
        let ttfts: Vec<f64> = decode_rows.iter().filter_map(|row| row.timing.ttft_ms).collect();
        let mut points = self.speed_points().into_iter();
        let deepest = points
            .rfind(|point| matches!(point.kind, speed::SpeedKind::Prefill { .. }) && point.client.median.is_some());
        let mut flags = Vec::new();
        for flag in Flag::ALL {
            let n = self.rows.iter().filter(|row| row.flags.contains(flag)).count() as u32;
            if n > 0 {
                flags.push((*flag, n));
            }
        }
        Scores {
            overall: score::overall(complete, &quality, &speed, &reliability),
            quality_suites: quality_suites.iter().filter(|(_, figure, _)| figure.value.is_some()).count() as u32,
            quality,
            speed,
            reliability,
            decode_tok_s: Spread::of(&self.decode_speeds()),
            ttft_ms: Spread::of(&ttfts),
            prefill_tok_s: deepest.map(|point| point.client).unwrap_or_default(),
            time_per_correct_ms: per_correct(sum(&|row| row.timing.total_ms)),
            tokens_per_correct: per_correct(sum(&|row| row.usage.completion_tokens.map(|n| n as f64))),
            flags,
        }
    }
}
