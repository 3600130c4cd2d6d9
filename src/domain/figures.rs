//! What is derived from a folded run: progress, time left, the figures of each suite and the headline scores. Formulas are
//! in [`super::score`] and [`super::speed`]; here they meet the rows.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    event::PlannedTask,
    id::SuiteId,
    row::{Mark, Row},
    run::{RunStatus, RunView},
    sample::Flag,
    score::{self, Figure},
    speed::{self, SpeedPoint, Spread},
    stats::{
        self,
        trials::{self, Repeats},
    },
};

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
    /// What several trials of a task say; without trials of one more than once, only pass@1.
    pub repeats: Repeats,
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

    /// Verdict scores (0–1) of each task with a judged trial, in task order.
    fn task_scores(&self, suite: SuiteId) -> Vec<Vec<f64>> {
        self.judged_trials(suite)
            .into_iter()
            .map(|trials| trials.into_iter().map(|(score, _)| score).collect())
            .collect()
    }

    /// The judged trials of each task, in task order; empty for timed tasks.
    fn judged_trials(&self, suite: SuiteId) -> Vec<Vec<trials::Judged>> {
        let judged = |row: &&Row| row.suite == suite && row.score.is_some();
        let of = |task: &PlannedTask| {
            let rows = self.rows.iter().filter(judged).filter(|row| row.task == task.task);
            rows.filter_map(|row| Some((row.score?, row.passed?))).collect::<Vec<_>>()
        };
        self.live_tasks().filter(|task| task.suite == suite).map(of).filter(|trials| !trials.is_empty()).collect()
    }

    /// Whether a task passed in some of its trials and not in others.
    pub fn is_flaky(&self, suite: SuiteId, task: &str) -> bool {
        let rows = self.rows.iter().filter(|row| row.suite == suite && row.task == task);
        trials::is_flaky(&rows.filter_map(|row| Some((row.score?, row.passed?))).collect::<Vec<_>>())
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
            repeats: Repeats::of(&self.judged_trials(suite)),
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
