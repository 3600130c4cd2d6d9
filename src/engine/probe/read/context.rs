//! How much of a prompt the model sees: what the server says of its context, and what a word at the beginning of a long prompt
//! tells. Pure. Imports: domain.

use crate::domain::{
    card::{Answer, Blocker, Finding, FindingId},
    identity::Identity,
    sample::{Flag, Sample, SampleClass},
    unit,
};

/// Share of a prompt's tokens below which it must have been cut.
const LEAST: f64 = 0.7;

/// How many tasks there are, and how many of them a context is too small for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Room {
    pub tasks: u32,
    /// Tasks whose prompt and answer need more than the context.
    pub too_large: u32,
    /// Tokens, about, that the largest task needs.
    pub largest: u64,
}

/// What a context that the server tells means for the tasks; `None` if it tells none.
pub fn told_context(identity: &Identity, asked: Option<u64>, room: impl Fn(u64) -> Room) -> Option<Finding> {
    let (context, from) = match (asked, identity.context_max) {
        (Some(asked), Some(most)) if most < asked => (most, "the model allows"),
        (Some(asked), _) => (asked, "the run asks for"),
        (None, _) => (identity.context?, "the server gives"),
    };
    let room = room(context);
    let tokens = format!("{from} {} tokens", unit::count(context));
    if room.too_large == 0 {
        return Some(Finding::new(FindingId::Context, Answer::Yes, tokens));
    }
    let evidence = format!(
        "{tokens}; {} of {} tasks may need more, the largest about {}",
        room.too_large,
        room.tasks,
        unit::count(room.largest)
    );
    let finding = Finding::new(FindingId::Context, Answer::Partly, evidence);
    Some(if room.too_large * 2 > room.tasks {
        Finding { answer: Answer::No, ..finding.blocking(Blocker::ContextTooSmall) }
    } else {
        finding
    })
}

/// What a word at the beginning of a prompt of about `tokens` tokens tells, beside what the server says of itself.
pub fn canary(sample: &Sample, word: &str, tokens: u32, told: Option<Finding>) -> Finding {
    let what = FindingId::Context;
    let told_evidence = told.as_ref().map(|told| format!("; {}", told.evidence)).unwrap_or_default();
    let with = |answer, evidence: String| Finding {
        answer,
        evidence: format!("{evidence}{told_evidence}"),
        ..Finding::new(what, answer, "")
    };
    if let Some(why) = sample.why_not_judged() {
        let refused = sample.class == Some(SampleClass::Context) || sample.has(Flag::PromptCut);
        let about = unit::count(u64::from(tokens));
        return match refused {
            true => with(Answer::No, format!("a prompt of about {about} tokens was refused: {why}")),
            false => with(told.as_ref().map_or(Answer::Unknown, |told| told.answer), why),
        };
    }
    let counted = sample.usage.prompt_tokens;
    let size = counted.map_or_else(|| format!("about {}", unit::count(u64::from(tokens))), unit::count);
    let told_answer = told.as_ref().map_or(Answer::Yes, |told| told.answer);
    let said = format!("{} {}", sample.answer, sample.reasoning).to_uppercase();
    if said.contains(&word.to_uppercase()) {
        return with(told_answer, format!("a word at the beginning of a prompt of {size} tokens was repeated"));
    }
    match counted {
        Some(n) if (n as f64) < f64::from(tokens) * LEAST => with(
            Answer::No,
            format!(
                "{} tokens were counted where about {} were sent: the prompt was cut",
                unit::count(n),
                unit::count(u64::from(tokens))
            ),
        ),
        Some(_) => with(
            Answer::Unknown,
            format!("all of {size} tokens were counted; the model did not repeat the word at their beginning"),
        ),
        None => with(
            Answer::Unknown,
            "the model did not repeat the word at the beginning, and the server counts no tokens".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::id::Wire, engine::probe::asked_context};

    #[test]
    fn a_context_is_asked_for_over_ollamas_own_protocol_alone() {
        let identity = Identity { context: Some(4096), context_max: Some(32_768), ..Identity::default() };
        let told = |wire| told_context(&identity, asked_context(wire, 10_240), |_| Room::default()).unwrap().evidence;
        assert_eq!(told(Wire::Ollama), "the run asks for 10,240 tokens");
        assert_eq!(told(Wire::OpenaiCompat), "the server gives 4,096 tokens");
    }
}
