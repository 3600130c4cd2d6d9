//! The scripted server's routes: model lists that name it as the demo, and the two chat calls.

use std::{convert::Infallible, time::Duration};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use futures_util::stream;
use serde_json::{Value, json};

use super::{Asked, Reply, Script, wire};
use crate::{
    domain::id::Wire,
    engine::{
        clock::{self, Stamp},
        fingerprint::DEMO_OWNER,
    },
};

pub(crate) fn router(script: Script) -> Router {
    Router::new()
        .route("/", get(|| async { "BenchLoop's scripted server; point BenchLoop at it" }))
        .route("/health", get(|| async { Json(json!({"status": "ok"})) }))
        .route("/api/version", get(|| async { Json(json!({"version": env!("CARGO_PKG_VERSION")})) }))
        .route("/api/tags", get(tags))
        .route("/api/ps", get(|| async { Json(json!({"models": []})) }))
        .route("/api/show", post(show))
        .route("/v1/models", get(models))
        .route("/api/chat", post(ollama))
        .route("/v1/chat/completions", post(openai))
        .with_state(script)
}

async fn tags(State(script): State<Script>) -> Json<Value> {
    let entry = |listed: &super::Listed| {
        json!({"name": listed.name, "model": listed.name, "size": 0, "digest": format!("scripted-{}", listed.name),
               "details": {"family": "scripted", "format": "script", "about": listed.about}})
    };
    Json(json!({"models": script.models.iter().map(entry).collect::<Vec<_>>()}))
}

async fn models(State(script): State<Script>) -> Json<Value> {
    let entry = |listed: &super::Listed| json!({"id": listed.name, "object": "model", "created": 0, "owned_by": DEMO_OWNER, "about": listed.about});
    Json(json!({"object": "list", "data": script.models.iter().map(entry).collect::<Vec<_>>()}))
}

async fn show(State(script): State<Script>, Json(body): Json<Value>) -> Response {
    let name = body.get("model").and_then(Value::as_str).unwrap_or_default();
    if !script.models.iter().any(|listed| listed.name == name) {
        let error = json!({"error": format!("model '{name}' not found")});
        return (StatusCode::NOT_FOUND, Json(error)).into_response();
    }
    Json(json!({"details": {"family": "scripted"}, "template": "script", "capabilities": ["completion"]}))
        .into_response()
}

async fn ollama(State(script): State<Script>, body: Bytes) -> Response {
    chat(script, Wire::Ollama, &body).await
}

async fn openai(State(script): State<Script>, body: Bytes) -> Response {
    chat(script, Wire::OpenaiCompat, &body).await
}

fn refusal(wire: Wire, status: StatusCode, message: &str) -> Response {
    let body = match wire {
        Wire::Ollama => json!({"error": message}),
        Wire::OpenaiCompat => json!({"error": {"message": message, "code": status.as_u16()}}),
    };
    (status, Json(body)).into_response()
}

async fn chat(script: Script, wire: Wire, body: &[u8]) -> Response {
    let asked_at = clock::now();
    let body: Value = match serde_json::from_slice(body) {
        Ok(body) => body,
        Err(error) => return refusal(wire, StatusCode::BAD_REQUEST, &format!("read the request: {error}")),
    };
    let asked = Asked::read(wire, body);
    if !script.models.iter().any(|listed| listed.name == asked.model) {
        return refusal(wire, StatusCode::NOT_FOUND, &format!("model '{}' not found", asked.model));
    }
    let speech = match (script.answer)(&asked) {
        Reply::Say(speech) => speech,
        Reply::Status(status, body) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            return (status, body).into_response();
        }
    };
    let place = script.opened(&asked.model, asked_at);
    if !asked.stream {
        let (due, whole) = wire::whole(wire, &asked.model, &speech);
        sleep_until(asked_at, due).await;
        script.wrote(place, clock::now());
        return Json(whole).into_response();
    }
    let chunks = wire::chunks(wire, &asked.model, &speech, asked.include_usage);
    let body = stream::unfold((chunks.into_iter(), script), move |(mut chunks, script)| async move {
        let chunk = chunks.next()?;
        sleep_until(asked_at, chunk.due_ms).await;
        if chunk.generated {
            script.wrote(place, clock::now());
        }
        Some((Ok::<_, Infallible>(Bytes::from(chunk.bytes)), (chunks, script)))
    });
    let kind = match wire {
        Wire::Ollama => "application/x-ndjson",
        Wire::OpenaiCompat => "text/event-stream",
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")], Body::from_stream(body)).into_response()
}

async fn sleep_until(start: Stamp, due_ms: f64) {
    if due_ms > 0.0 {
        tokio::time::sleep_until(start.instant() + Duration::from_secs_f64(due_ms / 1000.0)).await;
    }
}
