//! Every score formula, once. Scores run from 0 to 100; a score that can't be given is absent with its reason.

use serde::{Deserialize, Serialize};

use super::{id::SuiteId, stats};

/// The generation written by this version.
pub const SCHEMA: &str = "4.0.0";
/// Share of planned trials that must be judged before a suite has a score.
pub const COVERAGE_NEEDED: f64 = 80.0;

/// A figure with its 95 % interval, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Figure {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// What the figure rests on: tasks, trials or samples, as its place says.
    pub n: u32,
    pub why: Option<String>,
}

impl Figure {
    pub fn absent(why: impl Into<String>) -> Self {
        Self { why: Some(why.into()), ..Self::default() }
    }

    pub fn new(value: f64, interval: Option<(f64, f64)>, n: usize) -> Self {
        let (low, high) = interval.unzip();
        Self { value: Some(value), low, high, n: n as u32, why: None }
    }
}

/// The speed curve v2: `12.54·log2(tok/s) + 0.9`, clamped to 0–100; 0 for no speed.
pub fn speed_curve(tok_s: f64) -> f64 {
    if tok_s > 0.0 { (12.54 * tok_s.log2() + 0.9).clamp(0.0, 100.0) } else { 0.0 }
}

/// Why a suite has no score yet: too few of its planned trials were judged. `None` if there were enough, or none planned.
pub fn too_little_coverage(judged: u32, planned: u32) -> Option<String> {
    let coverage = f64::from(judged) * 100.0 / f64::from(planned.max(1));
    (planned > 0 && coverage < COVERAGE_NEEDED)
        .then(|| format!("{judged} of {planned} trials judged; {COVERAGE_NEEDED:.0} % needed"))
}

/// A quality suite's score: the mean over tasks of the mean over trials, with a bootstrap interval over tasks.
///
/// `tasks` holds the verdict scores (0–1) of each task with a judged trial; `judged` and `planned` count trials.
pub fn suite(tasks: &[Vec<f64>], judged: u32, planned: u32) -> Figure {
    if planned == 0 {
        return Figure::absent("no task was planned");
    }
    if let Some(why) = too_little_coverage(judged, planned) {
        return Figure::absent(why);
    }
    let means: Vec<f64> = tasks.iter().filter_map(|trials| stats::mean(trials)).collect();
    let interval = stats::stratified_bootstrap(std::slice::from_ref(&means));
    match stats::mean(&means) {
        Some(mean) => Figure::new(mean * 100.0, interval.map(|(low, high)| (low * 100.0, high * 100.0)), means.len()),
        None => Figure::absent("no trial was judged"),
    }
}

/// Quality: the unweighted mean of the quality suites that have a score. Fewer than six are a partial quality, which
/// the caller labels.
pub fn quality(suites: &[(SuiteId, Figure, Vec<f64>)]) -> Figure {
    let scored: Vec<_> =
        suites.iter().filter(|(id, figure, _)| *id != SuiteId::Speed && figure.value.is_some()).collect();
    let values: Vec<f64> = scored.iter().filter_map(|(_, figure, _)| figure.value).collect();
    let Some(mean) = stats::mean(&values) else {
        return Figure::absent("no quality suite has a score");
    };
    let strata: Vec<Vec<f64>> = scored.iter().map(|(_, _, tasks)| tasks.clone()).collect();
    let interval = stats::stratified_bootstrap(&strata).map(|(low, high)| (low * 100.0, high * 100.0));
    Figure::new(mean, interval, strata.iter().map(Vec::len).sum())
}

/// Reliability: share of trials that ended `ok` or `truncated`, with Wilson's interval.
pub fn reliability(ended_well: u32, counted: u32) -> Figure {
    match stats::wilson(f64::from(ended_well), counted as usize) {
        Some((low, high)) => {
            let value = f64::from(ended_well) * 100.0 / f64::from(counted);
            Figure::new(value, Some((low * 100.0, high * 100.0)), counted as usize)
        }
        None => Figure::absent("no trial ended"),
    }
}

/// Overall: 70 % quality, 25 % speed, 5 % reliability; only when all seven suites are complete.
pub fn overall(complete_suites: usize, quality: &Figure, speed: &Figure, reliability: &Figure) -> Figure {
    let all = SuiteId::ALL.len();
    if complete_suites < all {
        return Figure::absent(format!("{complete_suites} of {all} suites complete; overall needs all"));
    }
    match (quality.value, speed.value, reliability.value) {
        (Some(q), Some(s), Some(r)) => {
            let ends = quality
                .low
                .zip(quality.high)
                .map(|(low, high)| (0.7 * low + 0.25 * s + 0.05 * r, 0.7 * high + 0.25 * s + 0.05 * r));
            Figure::new(0.7 * q + 0.25 * s + 0.05 * r, ends, quality.n as usize)
        }
        _ => Figure::absent("quality, speed or reliability is missing"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_curve_meets_its_vectors() {
        let vectors = [
            (1.0, 0.90),
            (5.0, 30.02),
            (10.0, 42.56),
            (15.0, 49.89),
            (20.0, 55.10),
            (30.0, 62.43),
            (40.0, 67.64),
            (60.0, 74.97),
            (74.6, 78.91),
            (100.0, 84.21),
            (120.0, 87.51),
            (200.0, 96.75),
            (239.2, 99.99),
            (240.0, 100.0),
            (0.5, 0.0),
            (0.951, 0.0),
            (0.952, 0.01),
            (0.0, 0.0),
            (-3.0, 0.0),
        ];
        for (tok_s, expected) in vectors {
            let score = (speed_curve(tok_s) * 100.0).round() / 100.0;
            assert!((score - expected).abs() < 0.0051, "{tok_s} tok/s: {score}, not {expected}");
        }
    }

    #[test]
    fn a_suite_below_eighty_percent_coverage_has_no_score() {
        let figure = suite(&[vec![1.0]], 1, 2);
        assert_eq!(figure.value, None);
        assert_eq!(figure.why.as_deref(), Some("1 of 2 trials judged; 80 % needed"));
    }

    #[test]
    fn b4_seven_dead_tasks_and_one_pass_are_not_a_hundred() {
        assert_eq!(suite(&[vec![1.0]], 1, 8).value, None);
    }

    #[test]
    fn a_task_counts_once_however_many_trials_it_had() {
        let figure = suite(&[vec![1.0, 1.0, 1.0], vec![0.0]], 4, 4);
        assert_eq!(figure.value, Some(50.0));
    }

    #[test]
    fn overall_needs_seven_suites() {
        let full = Figure::new(80.0, None, 1);
        assert_eq!(overall(6, &full, &full, &full).why.as_deref(), Some("6 of 7 suites complete; overall needs all"));
        assert_eq!(overall(7, &full, &full, &full).value, Some(80.0));
    }
}
