//! Where a call's time went: connecting, loading, reading the prompt, thinking, answering.

use leptos::prelude::*;

use crate::domain::{
    sample::{Timing, Usage},
    unit,
};

/// One stretch of the strip, in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Stretch {
    pub name: &'static str,
    class: &'static str,
    pub ms: f64,
    detail: String,
}

/// Splits a call's time; stretches that were not measured are left out. Loading is part of the wait for the first token
/// and taken out of it.
pub fn stretches(timing: &Timing, usage: &Usage) -> Vec<Stretch> {
    let mut parts = Vec::new();
    let mut push = |name, class, ms: Option<f64>, detail: String| {
        if let Some(ms) = ms.filter(|ms| ms.is_finite() && *ms > 0.0) {
            parts.push(Stretch { name, class, ms, detail });
        }
    };
    let tokens = |n: Option<u64>| n.map(|n| format!(", {} tokens", unit::count(n))).unwrap_or_default();
    push("connect", "gap", timing.connect_ms, String::new());
    let load = timing.load_ms.filter(|load| timing.ttft_ms.is_none_or(|ttft| *load <= ttft));
    push("load", "load", load, String::new());
    push("prefill", "pre", timing.ttft_ms.map(|ttft| ttft - load.unwrap_or(0.0)), tokens(usage.prompt_tokens));
    let thinking = timing.ttfo_ms.zip(timing.ttft_ms).map(|(ttfo, ttft)| ttfo - ttft);
    push("thinking", "thk", thinking.filter(|ms| *ms >= 1.0), tokens(usage.reasoning_tokens));
    let first = timing.ttfo_ms.or(timing.ttft_ms);
    let speed = timing.decode_tok_s.map(|v| format!(", {}", unit::tok_s(Some(v)))).unwrap_or_default();
    let answer = timing.total_ms.zip(first).map(|(total, first)| total - first);
    push("answer", "ans", answer, format!("{}{speed}", tokens(usage.completion_tokens)));
    parts
}

/// The strip with its legend; a sentence where nothing was timed.
pub fn timing_strip(timing: &Timing, usage: &Usage) -> AnyView {
    let parts = stretches(timing, usage);
    let total: f64 = parts.iter().map(|part| part.ms).sum();
    if parts.is_empty() {
        return view! { <p class="small dim">"Nothing was timed; the notes say why."</p> }.into_any();
    }
    let words: Vec<String> = parts.iter().map(|part| format!("{} {}", part.name, unit::ms(Some(part.ms)))).collect();
    let mut start = 0.0;
    let bars: Vec<AnyView> = parts
        .iter()
        .map(|part| {
            let (x, width) = (start / total * 100.0, part.ms / total * 100.0);
            start += part.ms;
            view! { <rect class=part.class x=format!("{x:.2}%") width=format!("{width:.2}%") height="18"/> }.into_any()
        })
        .collect();
    let legend = parts
        .into_iter()
        .map(|part| {
            view! {
                <span>
                    <svg viewBox="0 0 12 12" aria-hidden="true"><rect class=part.class width="12" height="12"/></svg>
                    <span>{part.name} " " <b>{unit::ms(Some(part.ms))}</b> {part.detail}</span>
                </span>
            }
        })
        .collect_view();
    view! {
        <div class="strip">
            <svg role="img" aria-label=format!("Where {} went: {}", unit::ms(Some(total)), words.join(", "))>{bars}</svg>
            <p class="legend">{legend}</p>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_splits_into_what_was_measured() {
        let timing = Timing {
            connect_ms: Some(2.0),
            load_ms: Some(100.0),
            ttft_ms: Some(400.0),
            ttfo_ms: Some(900.0),
            total_ms: Some(2000.0),
            ..Timing::default()
        };
        let parts = stretches(&timing, &Usage::default());
        let found: Vec<_> = parts.iter().map(|part| (part.name, part.ms)).collect();
        assert_eq!(
            found,
            [("connect", 2.0), ("load", 100.0), ("prefill", 300.0), ("thinking", 500.0), ("answer", 1100.0)]
        );
    }

    #[test]
    fn nothing_measured_is_no_stretch() {
        assert!(stretches(&Timing::default(), &Usage::default()).is_empty());
    }
}
