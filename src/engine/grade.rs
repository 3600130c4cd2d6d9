//! Judges a trial's turns: the one way from what was said to a verdict, for runs, `selftest`, `grade` and tests.
//!
//! Imports: domain, `engine::{check, harness, python, suite}`.

use super::{
    check::{Check, Judged, Said},
    python::{Limits, Python, PythonError},
    suite::{Task, TaskKind},
};
use crate::domain::verdict::Verdict;

/// The verdict on a trial of a task, or why there is none. An answer that is a program is run in the sandbox first.
pub async fn grade(task: &Task, turns: &[Said], truncated: bool, python: &Python) -> Result<Verdict, String> {
    let TaskKind::Judged(check) = &task.kind else {
        return Err("timed, not judged".to_owned());
    };
    let answer = turns.last().map_or("", |turn| turn.text.as_str());
    let task_prompt = task.prompt();
    let judged = Judged {
        answer,
        task_prompt: &task_prompt,
        last_message: task.messages.last().map_or("", |message| message.text.as_str()),
        truncated,
        turns,
        tools: &task.tools,
        simulation: task.simulation.as_ref(),
        turn_limit: task.turns,
        ran: None,
    };
    let Check::Python(coding) = check else {
        return Ok(check.judge(&judged));
    };
    if !python.is_available() {
        return Err(PythonError::Unavailable.to_string());
    }
    let outcome = match coding.job(&judged, Limits::default()) {
        Ok(job) => Ok(python.run(job).await.map_err(|error| error.to_string())?),
        Err(why) => Err(why),
    };
    let ran = Some(outcome.as_ref().map_err(String::as_str));
    Ok(check.judge(&Judged { ran, ..judged }))
}
