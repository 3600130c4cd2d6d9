//! Pulling, against an Ollama that answers by script: what counts as pulled, what does not, cancelling, watching; and the
//! routes around it.

use std::time::Duration;

use axum::{
    Router,
    body::{Body, to_bytes},
    http::Request,
};
use benchloop::{
    domain::pull::{PullState, PullView},
    engine::Engine,
    server::{self, guard::Guard},
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::support::{
    home::{Home, home},
    wire::{End, Script, WireServer, head},
};

const LAYER: &str = "{\"status\":\"pulling aaa\",\"digest\":\"sha256:aaa\",\"total\":1000,\"completed\":400}\n";
const WHOLE: &str = "{\"status\":\"pulling aaa\",\"digest\":\"sha256:aaa\",\"total\":1000,\"completed\":1000}\n";
const SUCCESS: &str = "{\"status\":\"success\"}\n";

/// Writes lines with 20 ms between them.
fn lines(lines: &[&str], end: End) -> Script {
    let mut pieces = vec![(0.0, head(200, "application/x-ndjson").into_bytes())];
    pieces.extend(lines.iter().map(|line| (20.0, line.as_bytes().to_vec())));
    Script { pieces, end }
}

/// An Ollama that lists `listed` and answers a pull by `pull`.
async fn ollama(listed: &'static str, pull: Script) -> WireServer {
    WireServer::choosing(move |_, request| {
        let path = request.head.split(' ').nth(1).unwrap_or_default();
        match path {
            "/api/pull" => pull.clone(),
            "/api/version" => Script::answer(200, "application/json", r#"{"version":"0.12.3"}"#),
            "/api/tags" => {
                let list = json!({"models": [{"name": listed, "model": listed, "size": 5, "digest": "d", "details": {"family": "f"}}]});
                Script::answer(200, "application/json", &list.to_string())
            }
            _ => Script::answer(404, "text/plain", "404 page not found"),
        }
    })
    .await
}

async fn ended(engine: &Engine, id: &str) -> PullView {
    let follow = Box::pin(engine.pulls().follow(id).unwrap());
    let views: Vec<PullView> = tokio::time::timeout(Duration::from_secs(20), follow.collect()).await.unwrap();
    views.last().unwrap().clone()
}

async fn pulled(home: &Home, server: &WireServer, model: &str) -> PullView {
    let started = home.engine.pull(model, &server.url()).unwrap();
    assert!(started.state.is_active());
    ended(&home.engine, &started.id).await
}

#[tokio::test]
async fn a_pull_is_done_when_ollama_said_success_and_lists_the_model() {
    let home = home();
    let server =
        ollama("qwen3:8b", lines(&["{\"status\":\"pulling manifest\"}\n", LAYER, WHOLE, SUCCESS], End::Close)).await;

    let view = pulled(&home, &server, "qwen3:8b").await;

    assert_eq!((view.state, view.progress, view.total), (PullState::Success, 100.0, 1000), "{:?}", view.error);
    let asked = server.requests().iter().find(|request| request.head.starts_with("POST")).unwrap().json();
    assert_eq!((&asked["model"], &asked["stream"]), (&json!("qwen3:8b"), &json!(true)));
}

#[tokio::test]
async fn whatever_else_happens_is_no_success() {
    for (name, script, expected, advice) in [
        ("no success line", lines(&[LAYER, WHOLE], End::Close), "before Ollama said success", "Try again"),
        ("success but not listed", lines(&[WHOLE, SUCCESS], End::Close), "does not have it", ""),
        (
            "error in the stream",
            lines(&[LAYER, "{\"error\":\"write x: no space left on device\"}\n"], End::Close),
            "no space left",
            "full",
        ),
        (
            "error at once",
            Script::answer(500, "application/json", r#"{"error":"pull model manifest: file does not exist"}"#),
            "file does not exist",
            "spelling",
        ),
        (
            "a web page says 200",
            Script::answer(200, "text/html", "<html>welcome</html>"),
            "another form",
            "Ollama server",
        ),
        (
            "another API says 200",
            Script::answer(200, "application/json", r#"{"object":"list"}"#),
            "another form",
            "Ollama server",
        ),
        ("an empty 200", Script::answer(200, "application/json", ""), "wrote nothing", "Ollama server"),
        ("no such route", Script::answer(404, "text/plain", "nope"), "only Ollama pulls", "Ollama server"),
        ("reset", lines(&[LAYER], End::Reset), "", ""),
    ] {
        let home = home();
        let server = ollama("other:1b", script).await;
        let view = pulled(&home, &server, "qwen3:8b").await;
        assert_eq!(view.state, PullState::Failed, "{name}");
        assert!(view.progress < 100.0, "{name}");
        assert!(view.error.as_deref().is_some_and(|error| error.contains(expected)), "{name}: {:?}", view.error);
        assert!(view.advice.unwrap_or_default().contains(advice), "{name}");
    }
}

#[tokio::test]
async fn nothing_listening_is_an_error_with_advice() {
    let home = home();
    let started = home.engine.pull("m", "http://127.0.0.1:9").unwrap();
    let view = ended(&home.engine, &started.id).await;
    assert_eq!((view.state, view.advice.as_deref()), (PullState::Failed, Some("Start Ollama, then try again.")));
}

#[tokio::test]
async fn a_cancelled_pull_leaves_the_connection_and_can_go_on() {
    let home = home();
    let server = ollama("m:latest", lines(&[LAYER], End::Open)).await;
    let first = home.engine.pull("m", &server.url()).unwrap();
    let mut states = Box::pin(home.engine.pulls().follow(&first.id).unwrap());
    while states.next().await.unwrap().completed == 0 {}
    assert_eq!(home.engine.pull("m", &server.url()).unwrap().id, first.id, "the same pull is joined, not doubled");

    let view = home.engine.pulls().cancel(&first.id).await.unwrap();

    assert_eq!((view.state, view.completed), (PullState::Cancelled, 400));
    assert!(home.engine.pulls().cancel(&first.id).await.unwrap_err().to_string().contains("has ended"));
    let again = home.engine.pull("m", &server.url()).unwrap();
    assert_ne!(again.id, first.id);
    assert_eq!(home.engine.pulls().list().len(), 1, "a new try takes the place of the ended one");
    home.engine.pulls().cancel(&again.id).await.unwrap();
    home.engine.pulls().dismiss(&again.id).unwrap();
    assert!(home.engine.pulls().list().is_empty());
}

#[tokio::test]
async fn each_watcher_sees_the_latest_state_and_the_end() {
    let home = home();
    let server = ollama("m:latest", lines(&[LAYER, WHOLE, SUCCESS], End::Close)).await;
    let id = home.engine.pull("m", &server.url()).unwrap().id;
    let watch = || Box::pin(home.engine.pulls().follow(&id).unwrap()).collect::<Vec<_>>();

    let (one, other) = tokio::join!(watch(), watch());

    for views in [one, other] {
        assert_eq!(views.last().unwrap().state, PullState::Success);
        assert!(views.windows(2).all(|pair| pair[0].progress <= pair[1].progress));
    }
}

struct Api {
    app: Router,
    _home: Home,
}

fn api() -> Api {
    let home = home();
    let app = server::app(&home.engine, server::api::router(&home.engine), Guard::default());
    Api { app, _home: home }
}

impl Api {
    async fn ask(&self, method: &str, path: &str, body: Value) -> (u16, String) {
        let request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:8877");
        let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
        let answer = self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let status = answer.status().as_u16();
        (status, String::from_utf8(to_bytes(answer.into_body(), 1_000_000).await.unwrap().to_vec()).unwrap())
    }

    async fn json(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let (status, text) = self.ask(method, path, body).await;
        (status, text.parse().unwrap())
    }
}

#[tokio::test]
async fn the_routes_start_list_follow_and_cancel() {
    let api = api();
    let server = ollama("m:latest", lines(&[LAYER, WHOLE, SUCCESS], End::Close)).await;

    let (status, started) = api.json("POST", "/api/models/pull", json!({"model": "m", "endpoint": server.url()})).await;
    assert_eq!((status, &started["model"]), (200, &json!("m")));
    let id = started["pull_id"].as_str().unwrap();

    let (status, stream) = api.ask("GET", &format!("/api/models/pull/{id}/stream"), Value::Null).await;
    assert_eq!(status, 200);
    let last = stream.trim().rsplit("\n\n").next().unwrap();
    assert!(last.contains("event: pull") && last.contains("id: ") && last.contains("\"done\":true"), "{last}");

    let (_, list) = api.json("GET", "/api/models/pull/active", Value::Null).await;
    let (status, one) = api.json("GET", &format!("/api/models/pull/{id}"), Value::Null).await;
    assert_eq!((status, &list["pulls"][0]), (200, &one));
    assert_eq!((&one["status"], &one["progress"], &one["done"]), (&json!("success"), &json!(100.0), &json!(true)));
    assert!(one["finished_at"].as_f64().is_some());
    assert_eq!(api.json("DELETE", &format!("/api/models/pull/{id}"), Value::Null).await.0, 409);
}

#[tokio::test]
async fn bad_requests_are_named_and_unknown_pulls_are_404() {
    let api = api();
    for (body, status) in [
        (json!({"model": "  "}), 422),
        (json!({"endpoint": "http://127.0.0.1:9"}), 422),
        (json!({"model": "two words"}), 422),
        (json!({"model": "m", "endpoint": "ftp://x"}), 400),
        (json!({"model": "m", "endpoint": "http://169.254.169.254"}), 400),
    ] {
        let (got, answer) = api.json("POST", "/api/models/pull", body.clone()).await;
        assert_eq!(got, status, "{body}");
        assert!(
            answer["error"].as_str().is_some_and(|text| !text.is_empty()) && answer.get("detail").is_some(),
            "{answer}"
        );
    }
    for (method, path) in [
        ("GET", "/api/models/pull/nosuch"),
        ("GET", "/api/models/pull/nosuch/stream"),
        ("DELETE", "/api/models/pull/nosuch"),
        ("GET", "/api/models/pull/..%2F..%2Fetc"),
    ] {
        let (status, answer) = api.json(method, path, Value::Null).await;
        assert_eq!(status, 404, "{method} {path}");
        assert!(answer.get("error").is_some());
    }
}

#[tokio::test]
async fn the_machine_and_the_models_have_their_old_shapes() {
    let api = api();
    let (status, machine) = api.json("GET", "/api/hardware", Value::Null).await;
    assert_eq!(status, 200);
    assert!(
        machine["cpu_logical_cores"].as_u64().is_some_and(|n| n > 0) && machine["system_memory_gb"].as_f64().is_some()
    );

    let server = ollama("qwen3:8b", Script::answer(404, "text/plain", "")).await;
    let (status, list) = api.json("GET", &format!("/api/models?endpoint={}", server.url()), Value::Null).await;
    assert_eq!((status, &list["total_models"]), (200, &json!(1)));
    assert_eq!(
        (&list["providers"][0]["name"], &list["providers"][0]["models"][0]["name"]),
        (&json!("custom"), &json!("qwen3:8b"))
    );

    let (status, dead) = api.json("GET", "/api/models?endpoint=http://127.0.0.1:9", Value::Null).await;
    assert_eq!((status, &dead["providers"], &dead["total_models"]), (502, &json!([]), &json!(0)));
    assert!(dead["error"].as_str().unwrap().contains("listening"), "{dead}");
    assert_eq!(api.json("GET", "/api/models?endpoint=ftp://x", Value::Null).await.0, 400);
    assert_eq!(api.json("GET", "/api/models/hf-details", Value::Null).await.0, 422);
    assert_eq!(api.json("GET", "/api/models/search-hf?page=0", Value::Null).await.0, 422);
}
