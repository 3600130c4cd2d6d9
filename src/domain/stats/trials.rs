//! Several trials of one task: how often it passes, and whether it always does.

use serde::{Deserialize, Serialize};

/// The unbiased estimate of pass@k from `n` trials of which `c` passed: the chance that k of them, drawn without return,
/// hold a pass. `None` for k = 0 or k > n.
///
/// 1 − C(n − c, k) / C(n, k). Source: Chen et al., "Evaluating large language models trained on code" (2021), section 2.1.
pub fn pass_at(k: u32, n: u32, c: u32) -> Option<f64> {
    if k == 0 || k > n {
        return None;
    }
    let failed = n - c.min(n);
    if failed < k {
        return Some(1.0);
    }
    let none: f64 = (0..k).map(|i| f64::from(failed - i) / f64::from(n - i)).product();
    Some(1.0 - none)
}

/// The judged trials of all tasks of a suite, taken together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Repeats {
    /// pass@1, pass@2 …, from 0 to 1, each the mean over the tasks with so many judged trials; ends at the k that no
    /// task reaches.
    pub pass_at: Vec<f64>,
    /// Tasks that passed in some trials and not in others.
    pub flaky: u32,
    /// Tasks with two judged trials or more, which is what flaky can be told of.
    pub repeated: u32,
    /// Mean over those tasks of the standard deviation of their trials' scores, 0 to 1; `None` without any.
    pub spread: Option<f64>,
}

/// One judged trial: its score from 0 to 1, and whether it passed.
pub type Judged = (f64, bool);

/// Whether some of a task's trials passed and others did not.
pub fn is_flaky(trials: &[Judged]) -> bool {
    trials.iter().any(|(_, passed)| *passed) && trials.iter().any(|(_, passed)| !passed)
}

/// Standard deviation of the trials' scores (n − 1); `None` below two.
pub fn spread(trials: &[Judged]) -> Option<f64> {
    let scores: Vec<f64> = trials.iter().map(|(score, _)| *score).collect();
    let mean = super::mean(&scores)?;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    (scores.len() > 1).then(|| (squares / (scores.len() - 1) as f64).sqrt())
}

impl Repeats {
    /// Each entry holds the judged trials of one task.
    pub fn of(tasks: &[Vec<Judged>]) -> Self {
        let passes = |task: &Vec<Judged>| task.iter().filter(|(_, passed)| *passed).count() as u32;
        let most = tasks.iter().map(Vec::len).max().unwrap_or(0) as u32;
        let pass_at = (1..=most).filter_map(|k| {
            let each: Vec<f64> = tasks.iter().filter_map(|task| pass_at(k, task.len() as u32, passes(task))).collect();
            super::mean(&each)
        });
        let spreads: Vec<f64> = tasks.iter().filter_map(|task| spread(task)).collect();
        Self {
            pass_at: pass_at.collect(),
            flaky: tasks.iter().filter(|task| is_flaky(task)).count() as u32,
            repeated: spreads.len() as u32,
            spread: super::mean(&spreads),
        }
    }

    /// `pass@1 62 %, pass@3 75 %, 2 of 12 tasks flaky`; `None` if no task was tried twice.
    pub fn words(&self) -> Option<String> {
        let (first, last) = (self.pass_at.first()?, self.pass_at.last()?);
        if self.repeated == 0 {
            return None;
        }
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        let (k, of, flaky) = (self.pass_at.len(), self.repeated, self.flaky);
        Some(format!("pass@1 {}, pass@{k} {}, {flaky} of {of} tasks flaky", percent(*first), percent(*last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pass_at_k_counts_the_draws_that_hold_a_pass() {
        // counted by hand: of the C(5, 3) = 10 draws from 5 trials with 2 passes, one holds none
        assert_eq!(pass_at(3, 5, 2), Some(0.9));
        // C(4, 2) = 6 draws, 3 without the one pass
        assert_eq!(pass_at(2, 4, 1), Some(0.5));
        assert_eq!(pass_at(1, 3, 1), Some(1.0 - 2.0 / 3.0));
        assert_eq!(pass_at(2, 3, 3), Some(1.0));
        assert_eq!(pass_at(3, 3, 0), Some(0.0));
        assert_eq!((pass_at(4, 3, 1), pass_at(0, 3, 1)), (None, None));
    }

    #[test]
    fn flaky_is_neither_always_nor_never() {
        let task = |passed: &[bool]| passed.iter().map(|p| (f64::from(u8::from(*p)), *p)).collect::<Vec<_>>();
        let tasks = [task(&[true, true, true]), task(&[false, false, false]), task(&[true, false, false])];
        let repeats = Repeats::of(&tasks);
        assert_eq!((repeats.flaky, repeats.repeated), (1, 3));
        assert!((repeats.pass_at[0] - 4.0 / 9.0).abs() < 1e-12);
        assert!((repeats.pass_at[2] - 2.0 / 3.0).abs() < 1e-12);
        // 1, 0, 0: mean 1/3, squares 4/9 + 1/9 + 1/9 = 2/3, over 2 = 1/3
        assert!((repeats.spread.unwrap() - (1.0_f64 / 3.0).sqrt() / 3.0).abs() < 1e-12);
        assert_eq!(repeats.words().unwrap(), "pass@1 44 %, pass@3 67 %, 1 of 3 tasks flaky");
    }

    #[test]
    fn one_trial_tells_nothing_of_flakiness() {
        let repeats = Repeats::of(&[vec![(1.0, true)], vec![(0.5, false)]]);
        assert_eq!((repeats.pass_at.clone(), repeats.repeated, repeats.spread), (vec![0.5], 0, None));
        assert_eq!(repeats.words(), None);
    }
}
