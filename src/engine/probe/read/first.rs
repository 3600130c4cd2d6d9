//! The first answer: whether it came, from which model, how it came, what was counted and timed. Pure.
//! Imports: domain.

use super::{not_applied, server::blocker_of};
use crate::domain::{
    card::{Answer, Blocker, Finding, FindingId},
    sample::{Flag, Sample},
    unit,
};

/// Chunks from which on an answer was written as a stream.
const FINE_CHUNKS: u32 = 8;

/// What the first answer tells: whether it came, from which model, how it came, what was counted and timed.
pub fn first_answer(sample: &Sample, has_key: bool, model: &str) -> Vec<Finding> {
    let Some(why) = sample.why_not_judged() else {
        return vec![
            answers(sample),
            named(sample, model),
            streams(sample),
            usage(sample),
            server_times(sample),
            sampling(sample),
        ];
    };
    let blocker = blocker_of(sample, has_key);
    let what = match blocker {
        Blocker::KeyNeeded | Blocker::KeyRefused => FindingId::Key,
        Blocker::WrongModel => FindingId::Named,
        Blocker::NotFound => FindingId::Model,
        _ => FindingId::Answers,
    };
    vec![Finding::new(what, Answer::No, why).blocking(blocker)]
}

fn answers(sample: &Sample) -> Finding {
    let load =
        sample.timing.load_ms.filter(|ms| *ms >= 100.0).map(|ms| format!("; loading took {}", unit::ms(Some(ms))));
    let first = sample.timing.ttft_ms.map(|ms| format!("first token after {}", unit::ms(Some(ms))));
    let first = first.unwrap_or_else(|| "an answer came".to_owned());
    let quoted = match sample.answer.trim() {
        "" => "no text".to_owned(),
        text => format!("“{}”", unit::cut(text, 40)),
    };
    let answer =
        if sample.answer.trim().is_empty() && sample.reasoning.trim().is_empty() && sample.tool_calls.is_empty() {
            Answer::Partly
        } else {
            Answer::Yes
        };
    Finding::new(FindingId::Answers, answer, format!("{first}: {quoted}{}", load.unwrap_or_default()))
}

fn named(sample: &Sample, model: &str) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Named, answer, evidence);
    match &sample.model {
        _ if sample.has(Flag::ModelDiffers) => {
            let named = sample.model.as_deref().unwrap_or("another name");
            found(
                Answer::Unknown,
                format!(
                    "the answer names {named}, not {model}; the server’s list does not tell whether they are the same"
                ),
            )
        }
        Some(named) => found(Answer::Yes, format!("the answer names {named}")),
        None => found(Answer::Unknown, "the answer names no model".to_owned()),
    }
}

fn streams(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Streams, answer, evidence);
    let chunks = unit::many(sample.chunks as usize, "chunk");
    if sample.has(Flag::NonStream) {
        return found(Answer::No, "the server refuses to stream; the answer came in one piece".to_owned());
    }
    let counted = sample.usage.completion_tokens;
    if sample.has(Flag::Unstreamed) || (sample.chunks <= 1 && counted.is_some_and(|n| n >= u64::from(FINE_CHUNKS))) {
        return found(Answer::No, format!("all of the answer came at once, in {chunks}"));
    }
    let gap = sample.timing.inter_chunk_ms.map(|ms| format!(", median gap {}", unit::ms(Some(ms)))).unwrap_or_default();
    match counted {
        Some(tokens) if u64::from(sample.chunks) * 2 < tokens => {
            found(Answer::Partly, format!("{} tokens came in {chunks}{gap}", unit::count(tokens)))
        }
        _ if sample.chunks < FINE_CHUNKS => found(Answer::Unknown, format!("only {chunks} came{gap}; too few to tell")),
        Some(tokens) => found(Answer::Yes, format!("{chunks} for {} tokens{gap}", unit::count(tokens))),
        None => found(Answer::Yes, format!("{chunks}{gap}")),
    }
}

fn usage(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Usage, answer, evidence);
    if sample.has(Flag::UsageImplausible) || sample.has(Flag::UsageNotMonotonic) {
        return found(Answer::Partly, "the counts that came are not plausible".to_owned());
    }
    let (prompt, completion) = (sample.usage.prompt_tokens, sample.usage.completion_tokens);
    match (prompt, completion) {
        (Some(prompt), Some(completion)) => {
            let detail = sample.usage.reasoning_tokens.map(|n| format!(", {} of them thinking", unit::count(n)));
            let detail = detail.unwrap_or_default();
            found(Answer::Yes, format!("{} tokens in, {} out{detail}", unit::count(prompt), unit::count(completion)))
        }
        (None, Some(n)) => found(Answer::Partly, format!("{} tokens out; the prompt is not counted", unit::count(n))),
        (Some(n), None) => found(Answer::Partly, format!("{} tokens in; the answer is not counted", unit::count(n))),
        (None, None) => {
            let why = sample.notes.get("usage.completion_tokens").or_else(|| sample.notes.get("decode_tok_s"));
            found(Answer::No, why.cloned().unwrap_or_else(|| "no count came".to_owned()))
        }
    }
}

fn server_times(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::ServerTimes, answer, evidence);
    let told = &sample.server_timing;
    if told.decode_tok_s.is_none() && told.prefill_tok_s.is_none() {
        return found(Answer::No, "the server tells no times".to_owned());
    }
    let both = format!(
        "decode {}, by the client’s clock {}",
        unit::tok_s(told.decode_tok_s),
        unit::tok_s(sample.timing.decode_tok_s)
    );
    found(if sample.has(Flag::ClockDisagrees) { Answer::Partly } else { Answer::Yes }, both)
}

fn sampling(sample: &Sample) -> Finding {
    match not_applied(sample, &["temperature", "seed"]) {
        Some(line) => Finding::new(FindingId::Sampling, Answer::Partly, line),
        None => Finding::new(FindingId::Sampling, Answer::Yes, "temperature 0 and a seed were taken without complaint"),
    }
}
