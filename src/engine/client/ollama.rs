//! One line of Ollama's `/api/chat` → what it says. Durations come in nanoseconds.

use serde_json::Value;

use super::{
    delta::{self, Delta},
    error_body, json,
};
use crate::domain::sample::{ServerTiming, Usage};

/// Reads one line; an error comes first and alone.
pub fn read(value: &Value) -> Vec<Delta> {
    if let Some(error) = error_body::inside(value) {
        return vec![Delta::Error(error)];
    }
    let mut out = Vec::new();
    out.extend(json::text(value, "model").map(|model| Delta::Model(model.to_owned())));
    if let Some(message) = value.get("message").filter(|message| message.is_object()) {
        delta::message(message, true, &mut out);
    }
    let usage = Usage {
        prompt_tokens: json::count(value, "prompt_eval_count"),
        completion_tokens: json::count(value, "eval_count"),
        reasoning_tokens: None,
        cached_tokens: json::count(value, "prompt_eval_cached_count"),
    };
    if usage != Usage::default() {
        out.push(Delta::Usage(usage));
    }
    let timing = server_timing(value, &usage);
    if timing != ServerTiming::default() {
        out.push(Delta::Server(timing));
    }
    out.extend(json::amount(value, "load_duration").map(|ns| Delta::LoadMs(ns / 1e6)));
    out.extend(json::text(value, "done_reason").map(|reason| Delta::Finish(reason.to_owned())));
    if value.get("done").and_then(Value::as_bool) == Some(true) {
        out.push(Delta::Done);
    }
    out
}

fn server_timing(value: &Value, usage: &Usage) -> ServerTiming {
    let ms = |name: &str| json::rate(value, name).map(|ns| ns / 1e6);
    let per_second =
        |count: Option<u64>, ms: Option<f64>| count.filter(|n| *n > 0).zip(ms).map(|(n, ms)| n as f64 / ms * 1000.0);
    let (prompt_ms, decode_ms) = (ms("prompt_eval_duration"), ms("eval_duration"));
    let evaluated = usage.prompt_tokens.map(|n| n.saturating_sub(usage.cached_tokens.unwrap_or(0)));
    ServerTiming {
        prefill_tok_s: per_second(evaluated, prompt_ms),
        decode_tok_s: per_second(usage.completion_tokens, decode_ms),
        prompt_ms,
        decode_ms,
    }
}
