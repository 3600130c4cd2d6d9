//! One JSON value of `/v1/chat/completions` → what it says: a streamed chunk or a whole answer, with the additions of
//! the servers that speak it. Anything may be missing, null or of another type.

use serde_json::Value;

use super::{
    delta::{self, Delta},
    error_body, json,
};
use crate::domain::sample::{ServerTiming, Usage};

/// Reads a chunk or a whole answer; an error comes first and alone.
pub fn read(value: &Value) -> Vec<Delta> {
    if let Some(error) = error_body::inside(value) {
        return vec![Delta::Error(error)];
    }
    let mut out = Vec::new();
    out.extend(json::text(value, "model").map(|model| Delta::Model(model.to_owned())));
    let first = json::items(value, "choices").iter().find(|choice| json::count(choice, "index").unwrap_or(0) == 0);
    if let Some(choice) = first {
        if let Some(error) = error_body::inside(choice) {
            return vec![Delta::Error(error)];
        }
        match (choice.get("delta"), choice.get("message")) {
            (Some(piece), _) if piece.is_object() => delta::message(piece, false, &mut out),
            (_, Some(whole)) if whole.is_object() => {
                delta::message(whole, true, &mut out);
                out.push(Delta::Whole);
            }
            _ => out.extend(json::text(choice, "text").map(|text| Delta::Content(text.to_owned()))),
        }
        out.extend(json::text(choice, "finish_reason").map(|reason| Delta::Finish(reason.to_owned())));
    }
    // the counters of llama.cpp stand in where usage is silent, so they go first
    if let Some(timings) = value.get("timings").filter(|timings| timings.is_object()) {
        out.push(Delta::Usage(counters(timings)));
        out.extend(json::count(timings, "prompt_n").map(Delta::Evaluated));
        out.push(Delta::Server(server_timing(timings)));
    }
    let usage = value.get("usage").filter(|usage| usage.is_object());
    out.extend(usage.or_else(|| value.get("x_groq")?.get("usage")).map(|counts| Delta::Usage(usage_of(counts))));
    out
}

fn usage_of(usage: &Value) -> Usage {
    let inside = |group: &str, name: &str| usage.get(group).and_then(|group| json::count(group, name));
    Usage {
        prompt_tokens: json::count(usage, "prompt_tokens").or_else(|| json::count(usage, "input_tokens")),
        completion_tokens: json::count(usage, "completion_tokens").or_else(|| json::count(usage, "output_tokens")),
        reasoning_tokens: inside("completion_tokens_details", "reasoning_tokens")
            .or_else(|| inside("output_tokens_details", "reasoning_tokens"))
            .or_else(|| json::count(usage, "reasoning_tokens")),
        cached_tokens: inside("prompt_tokens_details", "cached_tokens")
            .or_else(|| inside("input_tokens_details", "cached_tokens"))
            .or_else(|| json::count(usage, "prompt_cache_hit_tokens")),
    }
}

fn counters(timings: &Value) -> Usage {
    let cached = json::count(timings, "cache_n");
    Usage {
        prompt_tokens: json::count(timings, "prompt_n").map(|n| n.saturating_add(cached.unwrap_or(0))),
        completion_tokens: json::count(timings, "predicted_n"),
        reasoning_tokens: None,
        cached_tokens: cached,
    }
}

fn server_timing(timings: &Value) -> ServerTiming {
    let (prompt_ms, decode_ms) = (json::amount(timings, "prompt_ms"), json::amount(timings, "predicted_ms"));
    let per_second = |name: &str, count: &str, ms: Option<f64>| {
        let computed = json::rate(timings, count).zip(ms.filter(|ms| *ms > 0.0)).map(|(n, ms)| n / ms * 1000.0);
        json::rate(timings, name).or(computed)
    };
    ServerTiming {
        prefill_tok_s: per_second("prompt_per_second", "prompt_n", prompt_ms),
        decode_tok_s: per_second("predicted_per_second", "predicted_n", decode_ms),
        prompt_ms,
        decode_ms,
    }
}
