//! A speech in the words of each wire: JSON lines for Ollama's `/api/chat`, server-sent events for
//! `/v1/chat/completions`. Pure.

use serde_json::{Value, json};

use super::speech::{Finish, Kind, Piece, Speech};
use crate::domain::id::Wire;

/// One thing to write: the bytes, when they are due, and whether they carry generated text.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    pub due_ms: f64,
    pub bytes: String,
    pub generated: bool,
}

fn ollama_calls(speech: &Speech) -> Vec<Value> {
    let call = |(name, arguments): &(String, Value)| json!({"function": {"name": name, "arguments": arguments}});
    speech.calls.iter().map(call).collect()
}

fn openai_calls(speech: &Speech) -> Vec<Value> {
    let call = |(index, (name, arguments)): (usize, &(String, Value))| {
        json!({"index": index, "id": format!("call_{index}"), "type": "function",
               "function": {"name": name, "arguments": arguments.to_string()}})
    };
    speech.calls.iter().enumerate().map(call).collect()
}

fn text_of(speech: &Speech, kind: Kind) -> String {
    speech.pieces.iter().filter(|piece| piece.kind == kind).map(|piece| piece.text.as_str()).collect()
}

fn nanos(ms: f64) -> u64 {
    (ms.max(0.0) * 1e6) as u64
}

/// What Ollama says at the end.
fn ollama_end(model: &str, speech: &Speech) -> Value {
    let reason = if speech.finish == Finish::Length { "length" } else { "stop" };
    let mut end = json!({"model": model, "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": reason});
    if let (Some(prompt), Value::Object(end)) = (speech.prompt_tokens, &mut end) {
        let decode_ms = speech.every_ms * speech.tokens() as f64;
        for (key, value) in [
            ("total_duration", nanos(speech.first_ms + decode_ms)),
            ("load_duration", 0),
            ("prompt_eval_count", prompt),
            ("prompt_eval_duration", nanos(speech.first_ms)),
            ("eval_count", speech.tokens()),
            ("eval_duration", nanos(decode_ms)),
        ] {
            end.insert(key.to_owned(), value.into());
        }
    }
    end
}

fn openai_usage(speech: &Speech) -> Option<Value> {
    let prompt = speech.prompt_tokens?;
    Some(
        json!({"prompt_tokens": prompt, "completion_tokens": speech.tokens(), "total_tokens": prompt + speech.tokens()}),
    )
}

fn ollama_piece(model: &str, piece: &Piece) -> Value {
    let message = match piece.kind {
        Kind::Answer => json!({"role": "assistant", "content": piece.text}),
        Kind::Thought => json!({"role": "assistant", "content": "", "thinking": piece.text}),
    };
    json!({"model": model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false})
}

fn event(model: &str, delta: Value, finish: Option<&str>) -> String {
    let chunk = json!({"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {chunk}\n\n")
}

/// The chunks of a streamed answer.
pub fn chunks(wire: Wire, model: &str, speech: &Speech, include_usage: bool) -> Vec<Chunk> {
    let mut chunks = Vec::with_capacity(speech.pieces.len() + 4);
    let mut push = |due_ms, bytes, generated| chunks.push(Chunk { due_ms, bytes, generated });
    let end_ms = speech.due_ms(speech.pieces.len().saturating_sub(1));
    match wire {
        Wire::Ollama => {
            for (k, piece) in speech.pieces.iter().enumerate() {
                push(speech.due_ms(k), format!("{}\n", ollama_piece(model, piece)), true);
            }
            if !speech.calls.is_empty() {
                let message = json!({"role": "assistant", "content": "", "tool_calls": ollama_calls(speech)});
                let line = json!({"model": model, "message": message, "done": false});
                push(end_ms, format!("{line}\n"), true);
            }
            push(end_ms, format!("{}\n", ollama_end(model, speech)), false);
        }
        Wire::OpenaiCompat => {
            push(0.0, event(model, json!({"role": "assistant", "content": ""}), None), false);
            for (k, piece) in speech.pieces.iter().enumerate() {
                let delta = match piece.kind {
                    Kind::Answer => json!({"content": piece.text}),
                    Kind::Thought => json!({"reasoning_content": piece.text}),
                };
                push(speech.due_ms(k), event(model, delta, None), true);
            }
            if !speech.calls.is_empty() {
                push(end_ms, event(model, json!({"tool_calls": openai_calls(speech)}), None), true);
            }
            let finish = match (speech.finish, speech.calls.is_empty()) {
                (Finish::Length, _) => "length",
                (Finish::Stop, true) => "stop",
                (Finish::Stop, false) => "tool_calls",
            };
            push(end_ms, event(model, json!({}), Some(finish)), false);
            if let Some(usage) = openai_usage(speech).filter(|_| include_usage) {
                let chunk = json!({"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0,
                    "model": model, "choices": [], "usage": usage});
                push(end_ms, format!("data: {chunk}\n\n"), false);
            }
            push(end_ms, "data: [DONE]\n\n".to_owned(), false);
        }
    }
    chunks
}

/// The answer in one piece, and when it is due.
pub fn whole(wire: Wire, model: &str, speech: &Speech) -> (f64, Value) {
    let due = speech.due_ms(speech.pieces.len().saturating_sub(1));
    let (answer, thought) = (text_of(speech, Kind::Answer), text_of(speech, Kind::Thought));
    match wire {
        Wire::Ollama => {
            let mut end = ollama_end(model, speech);
            end["message"] = json!({"role": "assistant", "content": answer, "tool_calls": ollama_calls(speech)});
            if !thought.is_empty() {
                end["message"]["thinking"] = thought.into();
            }
            (due, end)
        }
        Wire::OpenaiCompat => {
            let mut message = json!({"role": "assistant", "content": answer});
            if !thought.is_empty() {
                message["reasoning_content"] = thought.into();
            }
            if !speech.calls.is_empty() {
                message["tool_calls"] = openai_calls(speech).into();
            }
            let finish = if speech.finish == Finish::Length { "length" } else { "stop" };
            let choice = json!({"index": 0, "message": message, "finish_reason": finish});
            (
                due,
                json!({"id": "chatcmpl-scripted", "object": "chat.completion", "created": 0, "model": model,
                "choices": [choice], "usage": openai_usage(speech)}),
            )
        }
    }
}
