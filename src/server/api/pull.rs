//! `/api/models/pull`: start, list, look at, follow and cancel pulls. The stream has named events: `pull` with the state on
//! connecting and on each change, `ping` in silence, `error`; it ends with the pull.

use std::{convert::Infallible, time::Duration};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event, Sse},
    },
    routing::{get, post},
};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use super::error::ApiError;
use crate::{
    domain::pull::PullView,
    engine::{
        Engine, EngineError,
        pull::{PullError, is_recent, status_word},
    },
};

/// Silence after which a `ping` is sent.
const PING: Duration = Duration::from_secs(15);
const OLLAMA: &str = "http://localhost:11434";

pub fn router(engine: Engine) -> Router {
    Router::new()
        .route("/api/models/pull", post(start))
        .route("/api/models/pull/active", get(active))
        .route("/api/models/pull/{id}", get(one).delete(cancel))
        .route("/api/models/pull/{id}/stream", get(follow))
        .with_state(engine)
}

fn refused(error: PullError) -> ApiError {
    let field = matches!(error, PullError::NoModel | PullError::BadModel(_));
    if field {
        return ApiError::field("model", error.to_string()).beside(json!({}));
    }
    ApiError::from(EngineError::from(error)).beside(json!({}))
}

async fn start(State(engine): State<Engine>, body: Bytes) -> Result<Json<Value>, ApiError> {
    let body: Value = serde_json::from_slice(&body).map_err(|_| {
        ApiError::field("model", "the body must be a JSON object with model and endpoint").beside(json!({}))
    })?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let model = text("model").or_else(|| text("name")).unwrap_or_default();
    let endpoint = text("endpoint").or_else(|| text("base_url")).unwrap_or(OLLAMA);
    let view = engine.pull(model, endpoint).map_err(|error| match error {
        EngineError::Pull(error) => refused(error),
        error => ApiError::from(error).beside(json!({})),
    })?;
    Ok(Json(json!({"pull_id": view.id, "model": view.model, "endpoint": view.endpoint, "status": status_word(&view)})))
}

async fn active(State(engine): State<Engine>) -> Json<Value> {
    let now = engine.now().timestamp() as f64;
    let pulls: Vec<Value> = engine.pulls().list().iter().filter(|view| is_recent(view, now)).map(shape).collect();
    Json(json!({ "pulls": pulls }))
}

async fn one(State(engine): State<Engine>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    engine.pulls().view(&id).map(|view| Json(shape(&view))).map_err(refused)
}

async fn cancel(State(engine): State<Engine>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    engine.pulls().cancel(&id).await.map(|view| Json(shape(&view))).map_err(refused)
}

/// The state as old clients read it, with what is new beside it.
fn shape(view: &PullView) -> Value {
    let mut shape = json!({
        "pull_id": view.id, "model": view.model, "endpoint": view.endpoint, "status": status_word(view),
        "progress": (view.progress * 10.0).round() / 10.0, "completed": view.completed, "total": view.total,
        "digest": view.digest, "error": view.error, "done": !view.state.is_active(), "started_at": view.started_at,
        "updated_at": view.updated_at, "state": view.state, "advice": view.advice,
        "bytes_per_s": view.rate.map(f64::round), "eta_s": view.left_s.map(f64::round),
    });
    if let (Value::Object(map), Some(end)) = (&mut shape, view.finished_at) {
        map.insert("finished_at".to_owned(), json!(end));
    }
    shape
}

async fn follow(State(engine): State<Engine>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let (view, states) = match (engine.pulls().view(&id), engine.pulls().follow(&id)) {
        (Ok(view), Ok(states)) => (view, states),
        (Err(error), _) | (_, Err(error)) => return refused(error).into_response(),
    };
    // a client that comes back after the last event is told not to
    if !view.state.is_active() && headers.contains_key("last-event-id") {
        return StatusCode::NO_CONTENT.into_response();
    }
    let states = Box::pin(states.enumerate());
    let events = stream::unfold((states, String::new()), move |(mut states, last)| {
        let id = id.clone();
        async move {
            match tokio::time::timeout(PING, states.next()).await {
                Ok(None) => None,
                Ok(Some((number, view))) => {
                    let event = Event::default().event("pull").id(number.to_string()).retry(Duration::from_secs(2));
                    let word = status_word(&view).to_owned();
                    Some((event.json_data(shape(&view)), (states, word)))
                }
                Err(_) => {
                    let ping = Event::default().event("ping").json_data(json!({"pull_id": id, "status": last}));
                    Some((ping, (states, last)))
                }
            }
        }
    });
    let told =
        events.map(|event| {
            Ok::<_, Infallible>(event.unwrap_or_else(|why| {
                Event::default().event("error").data(json!({"error": why.to_string()}).to_string())
            }))
        });
    let told = told.take_until(engine.shutdown_token().cancelled_owned());
    ([("cache-control", "no-store")], Sse::new(told)).into_response()
}
