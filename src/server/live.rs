//! The live stream of a run: `GET /live/runs/{id}`, server-sent events.
//!
//! Unnamed messages carry one [`RunEvent`] each, cut to what rows show, with its number as the event id; `pulse` carries
//! what passes by while an answer is written; `done` is the last one. A browser that lost its connection comes back with
//! `Last-Event-ID` and misses nothing.

use std::{convert::Infallible, time::Duration};

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
    routing::get,
};
use futures_util::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::json;

use crate::{
    domain::{event::RunEvent, id::RunId},
    engine::{Engine, Live},
};

/// Silence after which a comment is sent, so that no one between takes the stream for dead.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub fn router(engine: Engine) -> Router {
    Router::new().route("/live/runs/{id}", get(run)).with_state(engine)
}

#[derive(Debug, Deserialize)]
struct From {
    #[serde(default)]
    from: u64,
}

/// The event to begin with: after the last one received, else as asked.
fn first(headers: &HeaderMap, from: u64) -> u64 {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok()).and_then(|id| id.parse::<u64>().ok());
    last.map_or(from, |last| last.saturating_add(1))
}

async fn run(
    State(engine): State<Engine>,
    Path(id): Path<String>,
    Query(From { from }): Query<From>,
    headers: HeaderMap,
) -> Response {
    let not_found = |why: String| (StatusCode::NOT_FOUND, Json(json!({ "error": why }))).into_response();
    let id: RunId = match id.parse::<RunId>() {
        Ok(id) => id,
        Err(error) => return not_found(error.to_string()),
    };
    let view = match engine.view(&id).await {
        Ok(view) => view,
        Err(error) => return not_found(error.to_string()),
    };
    let from = first(&headers, from);
    // 204 tells a browser not to come back
    if !view.status.is_active() && from >= view.next && headers.contains_key("last-event-id") {
        return StatusCode::NO_CONTENT.into_response();
    }
    let stream = messages(engine.follow(&id, from)).take_until(engine.shutdown_token().cancelled_owned());
    Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

/// Live items as server-sent events, ended by `done`.
fn messages(live: impl Stream<Item = Live> + Send) -> impl Stream<Item = Result<Event, Infallible>> + Send {
    live.filter_map(|item| async { message(item) })
        .chain(stream::iter([Event::default().event("done").data("{}")]))
        .map(Ok)
}

/// One event; `None` if it can't be written as JSON, which leaves a gap that the next page load fills.
fn message(item: Live) -> Option<Event> {
    match item {
        Live::Event(event) => {
            let number = event.i.to_string();
            Event::default().id(number).json_data(RunEvent::light(event)).ok()
        }
        Live::Pulse(pulse) => Event::default().event("pulse").json_data(pulse).ok(),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;
    use crate::domain::event::{Happening, Pulse};

    #[test]
    fn a_returning_browser_goes_on_after_its_last_event() {
        let mut headers = HeaderMap::new();
        assert_eq!(first(&headers, 4), 4);
        headers.insert("last-event-id", "9".parse().unwrap());
        assert_eq!(first(&headers, 4), 10);
        headers.insert("last-event-id", "x".parse().unwrap());
        assert_eq!(first(&headers, 4), 4);
    }

    #[tokio::test]
    async fn events_are_numbered_pulses_are_not_and_the_last_is_done() {
        let at = chrono::DateTime::from_timestamp(1_772_360_000, 0).unwrap();
        let live = [
            Live::Event(RunEvent { i: 3, at, what: Happening::Waiting { position: 1 } }),
            Live::Pulse(Pulse::default()),
        ];

        let response = Sse::new(messages(stream::iter(live))).into_response();
        let text = String::from_utf8(to_bytes(response.into_body(), 10_000).await.unwrap().to_vec()).unwrap();

        let blocks: Vec<&str> = text.trim().split("\n\n").collect();
        assert!(blocks[0].starts_with("id: 3\ndata: {") && blocks[0].contains("\"waiting\""), "{}", blocks[0]);
        assert!(blocks[1].starts_with("event: pulse\ndata: {"), "{}", blocks[1]);
        assert_eq!(blocks[2], "event: done\ndata: {}");
    }
}
