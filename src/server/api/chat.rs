//! `POST /api/chat/generate`: one question, one whole answer, in the shape that old clients read. The page streams
//! instead.

use axum::{Json, Router, body::Bytes, extract::State, http::StatusCode, routing::post};
use serde_json::{Map, Value, json};

use super::error::ApiError;
use crate::{
    domain::{
        chat::{ChatForm, Said},
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{Sample, SampleState},
        transcript::Role,
    },
    engine::Engine,
};

/// How long an answer may take, in seconds.
const LIMIT_S: f64 = 120.0;
/// Where the model server is, unless told otherwise.
const ENDPOINT: &str = "http://127.0.0.1:11434";

pub fn router(engine: Engine) -> Router {
    Router::new().route("/api/chat/generate", post(generate)).with_state(engine)
}

/// A text of the body; absent and null are empty.
fn text(body: &Map<String, Value>, field: &str) -> Result<String, ApiError> {
    match body.get(field) {
        None | Some(Value::Null) => Ok(String::new()),
        Some(Value::String(text)) => Ok(text.trim().to_owned()),
        Some(_) => Err(ApiError::field(field, "give text")),
    }
}

fn form(body: &Map<String, Value>) -> Result<ChatForm, ApiError> {
    let (model, prompt, endpoint) = (text(body, "model")?, text(body, "prompt")?, text(body, "endpoint")?);
    let named = text(body, "provider")?;
    let provider = match Wire::named(&named) {
        _ if named.is_empty() => Wire::Ollama,
        Ok(Some(wire)) => wire,
        _ => return Err(ApiError::field("provider", "give ollama or openai_compat")),
    };
    if model.is_empty() || prompt.is_empty() {
        let what = if model.is_empty() { "model" } else { "prompt" };
        return Err(ApiError::new(StatusCode::BAD_REQUEST, format!("{what}: it is empty; say what to ask whom")));
    }
    Ok(ChatForm {
        model,
        endpoint: if endpoint.is_empty() { ENDPOINT.to_owned() } else { endpoint },
        provider: Some(provider),
        system: text(body, "system")?,
        turns: vec![Said { role: Role::User, text: prompt }],
        temperature: None,
        max_tokens: None,
        seed: None,
        thinking: Thinking::Auto,
        force: body.get("force").and_then(Value::as_bool).unwrap_or(false),
    })
}

async fn generate(State(engine): State<Engine>, body: Bytes) -> Result<Json<Value>, ApiError> {
    let body: Value = serde_json::from_slice(&body).map_err(|error| ApiError {
        detail: json!([{"type": "json_invalid", "loc": ["body"], "msg": error.to_string(), "input": null}]),
        status: StatusCode::UNPROCESSABLE_ENTITY,
        extra: Default::default(),
    })?;
    let Value::Object(body) = body else { return Err(ApiError::field("", "give a JSON object")) };
    let form = form(&body)?;
    let clocks = Clocks { first_byte_s: LIMIT_S, sample_s: LIMIT_S, ..Clocks::default() };
    let sample = engine.chat_whole(form.clone(), &clocks).await?;
    if sample.state.is_judged() { Ok(Json(answer(&form, &sample))) } else { Err(failure(&sample)) }
}

/// The model server failed: 504 if it did not answer in time, else 502.
fn failure(sample: &Sample) -> ApiError {
    let status = match sample.state {
        SampleState::Timeout => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    };
    ApiError::new(status, sample.why_not_judged().unwrap_or_default())
}

/// Unmeasured figures are null. Old clients format `tokensPerSecond` unchecked: it is 0 then, and `absent` says why.
fn answer(form: &ChatForm, sample: &Sample) -> Value {
    let (timing, usage) = (&sample.timing, &sample.usage);
    let mut metrics = json!({
        "latencyMs": timing.total_ms,
        "ttftMs": timing.ttft_ms,
        "promptTokens": usage.prompt_tokens,
        "completionTokens": usage.completion_tokens,
        "tokensPerSecond": timing.decode_tok_s.unwrap_or(0.0),
        "model": form.model,
        "provider": form.provider.map(Wire::as_str),
        "endpoint": form.endpoint,
        "harness": "raw",
        "state": sample.state.as_str(),
    });
    if timing.decode_tok_s.is_none() {
        let why = sample.notes.get("decode_tok_s").map_or("not measured", String::as_str);
        metrics["absent"] = json!({"tokensPerSecond": why});
    }
    json!({"message": {"role": "assistant", "content": sample.answer}, "metrics": metrics})
}
