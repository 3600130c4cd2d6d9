//! Judges a trial's turns: the one way from what was said to a verdict, for runs, `selftest`, `grade` and tests.
//!
//! Imports: domain, `engine::{check, harness, suite}`.

use super::{
    check::{Judged, Said},
    suite::{Task, TaskKind},
};
use crate::domain::verdict::Verdict;

/// The verdict on a trial of a task, or why there is none.
pub async fn grade(task: &Task, turns: &[Said], truncated: bool) -> Result<Verdict, String> {
    let TaskKind::Judged(check) = &task.kind else {
        return Err("timed, not judged".to_owned());
    };
    let answer = turns.last().map_or("", |turn| turn.text.as_str());
    let task_prompt = task.prompt();
    let judged = Judged {
        answer,
        task_prompt: &task_prompt,
        truncated,
        turns,
        tools: &task.tools,
        simulation: task.simulation.as_ref(),
        turn_limit: task.turns,
    };
    Ok(check.judge(&judged))
}
