//! What a check says of an answer: a score, the answer it found and a reason a person can read, part by part.

use serde::{Deserialize, Serialize};

use super::id::closed_set;

closed_set! {
    /// Format and correctness are separate: a right answer in the wrong shape keeps its correctness.
    PartKind, "part kind" {
        Correctness = "correctness",
        Format = "format",
    }
}

/// One part of a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    pub name: String,
    pub kind: PartKind,
    /// Weight among the parts of its kind.
    pub weight: f64,
    /// 0 to 1.
    pub score: f64,
    /// What was taken for the answer to this part.
    pub answer: Option<String>,
    pub why: String,
}

/// The judgement of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// 0 to 1: 0.9 correctness + 0.1 format, or correctness alone where there is no format part.
    pub score: f64,
    /// Every correctness part is 1.
    pub passed: bool,
    pub parts: Vec<Part>,
}

/// The share of the score that format has, where a task has a format part.
pub const FORMAT_SHARE: f64 = 0.1;

impl Verdict {
    /// Weighs the parts. Without a correctness part nothing was asked, and the score is 0.
    pub fn of(parts: Vec<Part>) -> Self {
        let mean = |kind| {
            let (sum, weight) = parts
                .iter()
                .filter(|part| part.kind == kind)
                .fold((0.0, 0.0), |(sum, weight), part| (sum + part.weight * part.score, weight + part.weight));
            (weight > 0.0).then_some(sum / weight)
        };
        let correctness = mean(PartKind::Correctness).unwrap_or(0.0);
        let format = mean(PartKind::Format);
        // A well-formed wrong answer earns nothing: format only counts for what is right at least in part.
        let score = match format {
            Some(format) if correctness > 0.0 => (1.0 - FORMAT_SHARE) * correctness + FORMAT_SHARE * format,
            Some(_) => 0.0,
            None => correctness,
        };
        let mut correct = parts.iter().filter(|part| part.kind == PartKind::Correctness).peekable();
        let passed = correct.peek().is_some() && correct.all(|part| part.score >= 1.0);
        Self { score, passed, parts }
    }

    /// The reason in one line: the first part that is not whole, else the first.
    pub fn why(&self) -> &str {
        let worst = self.parts.iter().find(|part| part.score < 1.0).or(self.parts.first());
        worst.map_or("nothing was checked", |part| part.why.as_str())
    }

    /// `passed`, `in part` or `failed`: one word for one verdict, everywhere.
    pub fn mark(&self) -> super::run::Mark {
        match (self.passed, self.score > 0.0) {
            (true, _) => super::run::Mark::Passed,
            (false, true) => super::run::Mark::Partly,
            (false, false) => super::run::Mark::Failed,
        }
    }

    /// The answer that was taken, if a part names one.
    pub fn answer(&self) -> Option<&str> {
        self.parts.iter().find_map(|part| part.answer.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(kind: PartKind, score: f64) -> Part {
        Part { name: "p".into(), kind, weight: 1.0, score, answer: None, why: String::new() }
    }

    #[test]
    fn a_missing_format_costs_a_tenth() {
        let verdict = Verdict::of(vec![part(PartKind::Correctness, 1.0), part(PartKind::Format, 0.0)]);
        assert!((verdict.score - 0.9).abs() < 1e-12);
        assert!(verdict.passed);
    }

    #[test]
    fn a_wrong_answer_earns_nothing_for_its_format() {
        let verdict = Verdict::of(vec![part(PartKind::Correctness, 0.0), part(PartKind::Format, 1.0)]);
        assert_eq!(verdict.score, 0.0);
        assert!(!verdict.passed);
    }

    #[test]
    fn nothing_checked_is_no_pass() {
        assert!(!Verdict::of(Vec::new()).passed);
    }
}
