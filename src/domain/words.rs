//! Sentences about a run: its conclusion, and what to do about trials that did not end well. Never "wins" or "best":
//! a difference is named only where the intervals tell it.

use super::{
    id::SuiteId,
    run::{Mark, Row, RunStatus, RunView, Scores, SuiteView},
    sample::{SampleClass, SampleState},
    speed::SpeedKind,
    unit,
};

/// The sentence with which a run's page opens.
pub fn conclusion(view: &RunView, scores: &Scores, suites: &[SuiteView]) -> String {
    let (done, planned) = view.progress();
    let saved = match done {
        0 => "Nothing was measured.".to_owned(),
        n => format!("{n} of {planned} trials are saved."),
    };
    let why = view.error.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    match view.status {
        RunStatus::Queued => match view.position {
            Some(1) | None => "Next on its server; it starts when the running one is over.".to_owned(),
            Some(position) => format!("Waiting for its server; place {position} in the queue."),
        },
        RunStatus::Running => format!("{done} of {planned} trials are done."),
        RunStatus::Failed => format!("The run failed{why}. {saved}"),
        RunStatus::Cancelled => format!("The run was cancelled{why}. {saved}"),
        RunStatus::Interrupted => format!("BenchLoop stopped in the middle of this run. {saved}"),
        RunStatus::Unreadable => format!("The run’s files cannot be read{why}."),
        RunStatus::Completed => {
            let sentences = [quality(scores), contrast(suites), speed(scores), unwell(view)];
            sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
        }
    }
}

fn quality(scores: &Scores) -> Option<String> {
    let value = scores.quality.value?;
    let interval = match (scores.quality.low, scores.quality.high) {
        (Some(low), Some(high)) => format!(" [{low:.1}, {high:.1}]"),
        _ => String::new(),
    };
    let partial = match scores.quality_suites {
        6 => String::new(),
        n => format!(" over {n} of 6 suites"),
    };
    Some(format!("Quality {value:.1}{interval}{partial}."))
}

/// The strongest and the weakest suite, if their intervals don't meet.
fn contrast(suites: &[SuiteView]) -> Option<String> {
    let mut scored: Vec<(&SuiteView, f64)> = suites
        .iter()
        .filter(|suite| suite.suite != SuiteId::Speed)
        .filter_map(|suite| Some((suite, suite.score.value?)))
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    let ((strong, high), (weak, low)) = (*scored.first()?, *scored.last()?);
    (strong.score.low? > weak.score.high?)
        .then(|| format!("Stronger at {} ({high:.1}) than at {} ({low:.1}).", lower(strong.suite), lower(weak.suite)))
}

fn lower(suite: SuiteId) -> String {
    suite.title().to_ascii_lowercase()
}

fn speed(scores: &Scores) -> Option<String> {
    scores.decode_tok_s.median.map(|median| format!("It writes {}.", unit::tok_s(Some(median))))
}

fn unwell(view: &RunView) -> Option<String> {
    let n = view.rows.iter().filter(|row| !row.state.is_judged()).count();
    match n {
        0 => None,
        1 => Some("1 trial was not judged.".to_owned()),
        n => Some(format!("{n} trials were not judged.")),
    }
}

/// Why a row is as it is: a verdict's reason, or what a timed trial measured.
pub fn why(view: &RunView, row: &Row) -> String {
    let Some(kind) = view.speed_kind(&row.task).filter(|_| row.suite == SuiteId::Speed && row.state.is_judged()) else {
        return row.why.clone();
    };
    // sixteen tokens after a deep prompt say nothing about writing
    let (name, figure, field) = match kind {
        SpeedKind::Decode { .. } => ("decode", row.timing.decode_tok_s, "decode_tok_s"),
        SpeedKind::Prefill { .. } => ("prefill", row.timing.prefill_tok_s, "prefill_tok_s"),
    };
    match (figure, row.notes.get(field)) {
        (Some(_), _) => format!("{name} {}, first token {}", unit::tok_s(figure), unit::ms(row.timing.ttft_ms)),
        (None, Some(note)) => format!("no {name} rate: {note}"),
        (None, None) => format!("no {name} rate"),
    }
}

/// The word for a row's verdict: the speed suite judges nothing, it times.
pub fn verdict_word(row: &Row) -> &'static str {
    match row.mark() {
        Mark::Passed if row.suite == SuiteId::Speed => "timed",
        mark => mark.as_str(),
    }
}

/// Whether a row is a timed trial that wrote until its token budget ended it, as it is meant to.
pub fn is_planned_cut(row: &Row) -> bool {
    row.suite == SuiteId::Speed && row.state == SampleState::Truncated && row.class == Some(SampleClass::Length)
}

/// Whether a row belongs among what did not end well.
pub fn is_unwell(row: &Row) -> bool {
    row.state != SampleState::Ok && !is_planned_cut(row)
}

/// What to do about trials that ended in a state.
pub const fn advice(state: SampleState, class: Option<SampleClass>) -> &'static str {
    match (state, class) {
        (SampleState::Ok, _) => "Nothing.",
        (SampleState::Truncated, Some(SampleClass::Loop)) => {
            "The answer repeated itself and was stopped; judged as it stood."
        }
        (SampleState::Truncated, _) => "The token budget ran out; judged as it stood. Give thinking a larger budget.",
        (SampleState::TransportError, _) => "Check that the server is running and reachable, then run again.",
        (SampleState::ProviderError, Some(SampleClass::Key)) => "Set a key for this server's address, then run again.",
        (SampleState::ProviderError, Some(SampleClass::RateLimit)) => {
            "The server limits requests; wait, then run again."
        }
        (SampleState::ProviderError, Some(SampleClass::Loading)) => "The model was still loading; run again.",
        (SampleState::ProviderError, Some(SampleClass::Crash)) => {
            "The model died; it may not fit into memory. Try a smaller context or quantisation."
        }
        (SampleState::ProviderError, _) => "The server reported an error; its own log says more.",
        (SampleState::RefusedCapability, Some(SampleClass::Context)) => {
            "The prompt does not fit the context; load the model with a larger one."
        }
        (SampleState::RefusedCapability, Some(SampleClass::Model)) => "The server has no such model; check its name.",
        (SampleState::RefusedCapability, _) => "The model or server can't do what was asked; nothing to repair.",
        (SampleState::Timeout, Some(SampleClass::FirstByte)) => {
            "Nothing came in time; the model may be loading or too large. Raise the first-byte clock."
        }
        (SampleState::Timeout, Some(SampleClass::Idle)) => {
            "The server fell silent. Check whether other programs use the GPU, or raise the idle clock."
        }
        (SampleState::Timeout, _) => "A clock ran out; raise it if the machine is slow.",
        (SampleState::Cancelled, _) => "Stopped by the user; left out of reliability.",
        (SampleState::ProtocolError, Some(SampleClass::Empty)) => {
            "Nothing at all came back; the server's own log may say why."
        }
        (SampleState::ProtocolError, _) => "The answer was no valid stream; is there a proxy in between?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::score::Figure;

    fn suite(id: SuiteId, value: f64, half: f64) -> SuiteView {
        SuiteView {
            suite: id,
            done: 8,
            planned: 8,
            judged: 8,
            passed: 4,
            complete: true,
            score: Figure::new(value, Some((value - half, value + half)), 8),
            so_far: Figure::default(),
            marks: Vec::new(),
            repeats: Default::default(),
            median_ms: None,
            stopped: None,
        }
    }

    #[test]
    fn a_contrast_is_named_only_where_the_intervals_part() {
        let (strong, weak) = (suite(SuiteId::Reasonmath, 90.0, 5.0), suite(SuiteId::Instructfollow, 50.0, 5.0));
        assert_eq!(
            contrast(&[strong.clone(), weak]).as_deref(),
            Some("Stronger at reasoning (90.0) than at instructions (50.0).")
        );
        assert_eq!(contrast(&[strong, suite(SuiteId::Instructfollow, 85.0, 5.0)]), None);
    }

    #[test]
    fn an_interrupted_run_says_that_nothing_was_measured() {
        let mut view = RunView::new("x".parse().unwrap());
        view.status = RunStatus::Interrupted;
        let text = conclusion(&view, &view.scores(), &view.suites());
        assert_eq!(text, "BenchLoop stopped in the middle of this run. Nothing was measured.");
    }
}
