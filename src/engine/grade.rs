//! Judges a trial's turns: the one way from what was said to a verdict, for runs, `selftest`, `grade` and tests.
//!
//! Imports: domain, `engine::{check, harness, python, suite}`, icu_normalizer.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;
use serde_json::Value;

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
    // a program is taken as it is written: its texts may be meant to be decomposed
    let composed: Cow<[Said]> = match check {
        Check::Python(_) => Cow::Borrowed(turns),
        _ => composed(turns),
    };
    let turns = &*composed;
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

/// The turns with composed letters: `e` with a combining accent is `é`, as the tasks write it.
fn composed(turns: &[Said]) -> Cow<'_, [Said]> {
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let is_composed = |said: &Said| {
        nfc.is_normalized(&said.text)
            && said
                .calls
                .iter()
                .filter_map(|call| call.arguments.as_ref())
                .all(|value| nfc.is_normalized(&value.to_string()))
    };
    if turns.iter().all(is_composed) {
        return Cow::Borrowed(turns);
    }
    let mut turns = turns.to_vec();
    for said in &mut turns {
        said.text = nfc.normalize(&said.text).into_owned();
        for value in said.calls.iter_mut().filter_map(|call| call.arguments.as_mut()) {
            compose(&nfc, value);
        }
    }
    Cow::Owned(turns)
}

fn compose(nfc: &ComposingNormalizerBorrowed, value: &mut Value) {
    match value {
        Value::String(text) => *text = nfc.normalize(text).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(|item| compose(nfc, item)),
        Value::Object(fields) => fields.values_mut().for_each(|field| compose(nfc, field)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::transcript::ToolCall;

    #[test]
    fn letters_with_loose_accents_are_composed_in_texts_and_arguments() {
        let call =
            ToolCall { name: "f".into(), arguments: Some(json!({"a": ["u\u{308}ber", 1]})), ..ToolCall::default() };
        let turns = [Said { text: "Pe\u{301}rez".into(), calls: vec![call], notes: Vec::new() }];

        let composed = composed(&turns);

        assert_eq!(composed[0].text, "P\u{e9}rez");
        assert_eq!(composed[0].calls[0].arguments, Some(json!({"a": ["\u{fc}ber", 1]})));
        assert!(matches!(super::composed(&composed), Cow::Borrowed(_)));
    }
}
