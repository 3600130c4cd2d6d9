//! The answers to single questions: the token limit, system messages, tools, thinking, JSON. What a small model failed to do
//! is unknown, not the server's fault. Pure. Imports: domain, harness, probe questions.

use super::not_applied;
use crate::{
    domain::{
        card::{Answer, Finding, FindingId},
        id::{HarnessId, Thinking},
        sample::{Sample, SampleClass, SampleState},
        transcript::NoteKind,
        unit,
    },
    engine::{
        harness,
        probe::questions::{self, LAKES, LIMIT, SYSTEM_WORD},
    },
};

/// Whether a call failed in a way that says nothing of what was looked at.
fn failed(what: FindingId, sample: &Sample) -> Option<Finding> {
    let why = sample.why_not_judged()?;
    Some(Finding::new(what, Answer::Unknown, why))
}

/// Whether the token limit was kept and told.
pub fn limit(sample: &Sample) -> Finding {
    let what = FindingId::Limit;
    if let Some(failed) = failed(what, sample) {
        return failed;
    }
    let told = sample.finish_reason.as_deref().unwrap_or("no reason");
    let count = sample.usage.completion_tokens;
    let came =
        count.map_or_else(|| unit::many(sample.chunks as usize, "chunk"), |n| format!("{} tokens", unit::count(n)));
    let most = u64::from(LIMIT);
    if count.unwrap_or(u64::from(sample.chunks)) > most * 2 {
        return Finding::new(what, Answer::No, format!("{came} came where {most} were allowed"));
    }
    match (sample.state, sample.class) {
        (SampleState::Truncated, Some(SampleClass::Length)) if matches!(told, "length" | "max_tokens" | "limit") => {
            Finding::new(what, Answer::Yes, format!("cut after {came}, told as “{told}”"))
        }
        _ if count.is_some_and(|n| n + 1 < most) => {
            Finding::new(what, Answer::Unknown, format!("the model stopped by itself after {came}"))
        }
        _ => Finding::new(what, Answer::Partly, format!("cut after {came}, but told as “{told}”")),
    }
}

/// Whether a system message reaches the model; `without` is the same question without it.
pub fn system(without: &Sample, with: &Sample) -> Finding {
    let what = FindingId::System;
    if let Some(line) = not_applied(with, &["system messages"]) {
        return Finding::new(what, Answer::Partly, line);
    }
    if let Some(why) = with.why_not_judged() {
        let answer = if with.class == Some(SampleClass::Template) { Answer::No } else { Answer::Unknown };
        return Finding::new(what, answer, why);
    }
    if with.answer.to_lowercase().contains(SYSTEM_WORD) {
        return Finding::new(what, Answer::Yes, "the model did what the system message asked");
    }
    let counts = (without.usage.prompt_tokens, with.usage.prompt_tokens);
    match counts {
        // the message has some thirty tokens
        (Some(before), Some(after)) if after >= before + 15 => {
            let evidence = format!("the prompt grew by {} tokens; the model did not follow it", after - before);
            Finding::new(what, Answer::Yes, evidence)
        }
        (Some(before), Some(after)) if after <= before + 4 => {
            let evidence = format!("the prompt grew by {} tokens: the template drops it", after.saturating_sub(before));
            Finding::new(what, Answer::No, evidence)
        }
        _ => Finding::new(what, Answer::Unknown, "taken without complaint; the model did not follow it"),
    }
}

/// Whether native tool calls come, in a stream (`Tools`) or in one piece (`ToolsWhole`).
pub fn tools(what: FindingId, sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(what, answer, evidence);
    if let Some(why) = sample.why_not_judged() {
        return match (sample.state, sample.class) {
            (SampleState::RefusedCapability, Some(SampleClass::Tools)) => found(Answer::No, why),
            (_, Some(SampleClass::Template)) => found(Answer::No, why),
            _ => found(Answer::Unknown, why),
        };
    }
    let read = harness::parse(HarnessId::Raw, sample, &[questions::lake_tool()]);
    let call = sample.tool_calls.first();
    if let Some(line) = not_applied(sample, &["stream"]).filter(|_| what == FindingId::Tools) {
        return found(Answer::Partly, line.to_owned());
    }
    match call {
        Some(call) if call.arguments.is_none() => {
            found(Answer::Partly, format!("{} was called with arguments that are no JSON object", call.name))
        }
        Some(call) => found(Answer::Yes, format!("{}({})", call.name, unit::cut(&call.arguments_raw, 60))),
        None => match read.notes.iter().find(|note| note.kind == NoteKind::NoNativeCall) {
            Some(note) => found(Answer::Partly, format!("the call came as text: {}", note.text)),
            None if sample.state == SampleState::Truncated => {
                found(Answer::Unknown, "the server took the tools; the model wrote on without a call".to_owned())
            }
            None => found(Answer::Unknown, "the server took the tools; the model made no call".to_owned()),
        },
    }
}

/// Whether several calls of one answer are told apart.
pub fn parallel(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Parallel, answer, evidence);
    let calls = &sample.tool_calls;
    let names = |lake: &str| calls.iter().any(|call| call.arguments_raw.to_lowercase().contains(&lake.to_lowercase()));
    match calls.len() {
        0 => found(Answer::Unknown, "the model made no call".to_owned()),
        1 if calls[0].arguments.is_none() && LAKES.iter().all(|lake| names(lake)) => {
            found(Answer::No, format!("two calls were joined into one: {}", unit::cut(&calls[0].arguments_raw, 80)))
        }
        1 => found(Answer::Unknown, "the model made one call where two were asked for".to_owned()),
        n if calls.iter().all(|call| call.arguments.is_some()) => {
            found(Answer::Yes, format!("{n} calls came, each with its own arguments"))
        }
        n => found(Answer::Partly, format!("{n} calls came, some with arguments that are no JSON object")),
    }
}

/// Whether thinking follows its switch.
pub fn thinking(asked: Thinking, sample: &Sample) -> Finding {
    let what = if asked == Thinking::On { FindingId::ThinkingOn } else { FindingId::ThinkingOff };
    let found = |answer, evidence: String| Finding::new(what, answer, evidence);
    if let Some(why) = sample.why_not_judged() {
        let refused = (sample.state, sample.class) == (SampleState::RefusedCapability, Some(SampleClass::Thinking));
        return found(if refused { Answer::No } else { Answer::Unknown }, why);
    }
    let thought = unit::cut(sample.reasoning.trim(), 40);
    let line = not_applied(sample, &["think", "chat_template_kwargs", "reasoning_effort"]);
    match (asked, thought.is_empty()) {
        (Thinking::On, false) => found(Answer::Yes, format!("it thought: “{thought}”")),
        (Thinking::On, true) => {
            let why = line.unwrap_or("no thinking came; the model may know none");
            found(Answer::No, why.to_owned())
        }
        (_, false) => found(Answer::No, format!("it thought all the same: “{thought}”")),
        (_, true) => found(Answer::Yes, "no thinking came".to_owned()),
    }
}

/// Whether an answer can be held to JSON.
pub fn json(sample: &Sample) -> Finding {
    let what = FindingId::Json;
    if let Some(line) = not_applied(sample, &["response_format"]) {
        return Finding::new(what, Answer::No, line);
    }
    if let Some(failed) = failed(what, sample) {
        return failed;
    }
    let text = sample.answer.trim();
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.is_object() => Finding::new(what, Answer::Yes, format!("it wrote {}", unit::cut(text, 60))),
        _ if sample.state == SampleState::Truncated => {
            Finding::new(what, Answer::Unknown, "taken without complaint; the answer was cut before its end")
        }
        _ => Finding::new(what, Answer::No, format!("taken, but not kept: {}", unit::cut(text, 60))),
    }
}
