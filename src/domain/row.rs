//! One trial as a table row, and the mark that its glyph shows. Made from a trial's event by the fold in
//! [`super::run`].

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    event::{ROW_TEXT, Trial},
    id::{SuiteId, closed_set},
    reading::HarnessReport,
    sample::{Flag, SampleClass, SampleState, ServerTiming, Timing, Usage},
    unit,
    verdict::Part,
};

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
    /// How often the model spoke; figures of a trial of several turns are sums over them, its TTFT is the first turn's.
    #[serde(default = "one")]
    pub turns: u32,
    /// How the harness read the trial; all 0 for a task without tools.
    #[serde(default, skip_serializing_if = "HarnessReport::is_empty")]
    pub reading: HarnessReport,
    pub took_s: f64,
    pub at: DateTime<Utc>,
}

fn one() -> u32 {
    1
}

/// What all turns of a trial used together; `None` where one of them does not tell.
fn usage_of(trial: &Trial) -> Usage {
    let sum = |pick: &dyn Fn(&Usage) -> Option<u64>| trial.samples().map(|sample| pick(&sample.usage)).sum();
    Usage {
        prompt_tokens: sum(&|usage| usage.prompt_tokens),
        completion_tokens: sum(&|usage| usage.completion_tokens),
        reasoning_tokens: sum(&|usage| usage.reasoning_tokens),
        cached_tokens: sum(&|usage| usage.cached_tokens),
    }
}

/// The times of all turns together: rates belong to single calls and are left out.
fn timing_of(trial: &Trial) -> Timing {
    let first = trial.samples().next().unwrap_or(&trial.sample).timing;
    Timing {
        connect_ms: trial.samples().map(|sample| sample.timing.connect_ms).sum(),
        ttft_ms: first.ttft_ms,
        total_ms: trial.samples().map(|sample| sample.timing.total_ms).sum(),
        ..Timing::default()
    }
}

impl Row {
    pub(super) fn of(trial: &Trial, has_tools: bool, at: DateTime<Utc>) -> Self {
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
        let several = !trial.steps.is_empty();
        let mut flags: Vec<Flag> = trial.samples().flat_map(|sample| sample.flags.iter().copied()).collect();
        let mut adaptations: Vec<String> =
            trial.samples().flat_map(|sample| sample.adaptations.iter().cloned()).collect();
        flags.sort_unstable();
        flags.dedup();
        adaptations.sort_unstable();
        adaptations.dedup();
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
            flags,
            usage: if several { usage_of(trial) } else { sample.usage },
            timing: if several { timing_of(trial) } else { sample.timing },
            server_timing: sample.server_timing,
            notes: sample.notes.clone(),
            adaptations,
            requests: trial.samples().map(|sample| sample.requests).sum(),
            chunks: trial.samples().map(|sample| sample.chunks).sum(),
            turns: trial.turn_count(),
            reading: if has_tools { HarnessReport::of(trial) } else { HarnessReport::default() },
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
