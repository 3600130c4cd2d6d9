//! What a browser without script, a browser with script and a program get from the same addresses.

use std::{sync::LazyLock, time::Duration};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, Response},
};
use benchloop::{
    engine::Engine,
    server::{self, guard::Guard},
};
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::talk;

/// One runtime and one application for all tests, as in the product: several in one process, made while pages of others
/// are rendered, can leave a page waiting for ever.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
pub static APP: LazyLock<(Router, tempfile::TempDir)> = LazyLock::new(|| {
    let _entered = RUNTIME.enter();
    site()
});

/// A page that never comes is a failure, not a wait.
const LIMIT: Duration = Duration::from_secs(60);

pub fn on_the_runtime(test: impl Future<Output = ()>) {
    RUNTIME.block_on(test);
}

/// The whole surface over an engine with an empty home.
fn site() -> (Router, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    let app = server::app(&Engine::open(home.path()).unwrap(), Router::new(), Guard::default());
    (app, home)
}

pub async fn ask(request: axum::http::request::Builder, body: &str) -> (Response<Body>, String) {
    let app = APP.0.clone();
    let request = request.header("host", "127.0.0.1:8877").body(Body::from(body.to_owned())).unwrap();
    let path = request.uri().to_string();
    let answer = async {
        let (parts, body) = app.oneshot(request).await.unwrap().into_parts();
        let text = String::from_utf8(to_bytes(body, 10_000_000).await.unwrap().to_vec()).unwrap();
        (Response::from_parts(parts, Body::empty()), text)
    };
    tokio::time::timeout(LIMIT, answer).await.unwrap_or_else(|_| panic!("{path} did not come within {LIMIT:?}"))
}

fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
    response.headers().get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
}

#[test]
fn every_inline_script_carries_the_nonce_of_its_policy() {
    on_the_runtime(async {
        for path in ["/", "/models", "/benchmark", "/leaderboard", "/chat", "/method"] {
            let (response, html) = ask(Request::get(path), "").await;

            assert_eq!(response.status(), 200, "{path}");
            let policy = header(&response, "content-security-policy");
            let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
            for tag in html.split("<script").skip(1).map(|rest| rest.split('>').next().unwrap()) {
                assert!(tag.contains("src=") || tag.contains(&format!("nonce=\"{nonce}\"")), "{path}: <script{tag}>");
            }
            assert!(!html.contains(" style=\""), "{path} has an inline style, which the policy forbids");
        }
    });
}

#[test]
fn a_page_that_is_not_there_and_a_run_that_is_not_there_are_404() {
    on_the_runtime(async {
        for path in ["/nosuch", "/runs/nosuch", "/runs/..%2Fetc"] {
            let (response, html) = ask(Request::get(path), "").await;
            assert_eq!(response.status(), 404, "{path}");
            assert!(html.contains("<main"), "{path}: a page, so that a person can go on");
        }
    });
}

#[test]
fn a_program_gets_json_where_there_is_nothing() {
    on_the_runtime(async {
        for path in ["/api", "/api/nosuch", "/api/a/b", "/fn/nosuch"] {
            let (response, text) = ask(Request::get(path), "").await;
            assert_eq!(response.status(), 404, "{path}");
            assert_eq!(text, r#"{"error":"no such route"}"#, "{path}");
        }
    });
}

const BAD_TRIALS: &str = "form%5Bmodel%5D=m&form%5Bendpoint%5D=http%3A%2F%2F127.0.0.1%3A9\
                          &form%5Bsuites%5D%5B%5D=speed&form%5Btrials%5D=0";

#[test]
fn a_refused_plan_sends_a_plain_form_back_with_its_values() {
    on_the_runtime(async {
        let form = Request::post("/fn/runs/start")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "text/html");

        let (response, _) = ask(form, BAD_TRIALS).await;

        assert_eq!(response.status(), 302);
        let address = header(&response, "location");
        assert!(address.starts_with("/benchmark?suites=speed&model=m&"), "{address}");
        assert!(address.contains("trials=0") && address.contains("field=trials"), "{address}");

        let (_, html) = ask(Request::get(address), "").await;
        assert!(html.contains("is no whole number from 1 to 9"), "the refusal stands in the page");
    });
}

#[test]
fn a_refused_plan_answers_the_script_with_the_field() {
    on_the_runtime(async {
        let form = Request::post("/fn/runs/start")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("accept", "application/json");

        let (response, text) = ask(form, BAD_TRIALS).await;

        assert_eq!(response.status(), 422);
        let error: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(error["field"], "trials");
    });
}

#[test]
fn a_foreign_page_can_call_nothing() {
    on_the_runtime(async {
        for path in ["/fn/servers", "/fn/runs/start", "/fn/chat", "/live/runs/x", "/api/runs"] {
            for request in [Request::get(path), Request::post(path)] {
                let (response, _) = ask(request.header("sec-fetch-site", "cross-site"), "").await;
                assert_eq!(response.status(), 403, "{path}");
            }
        }
    });
}

#[test]
fn a_trial_of_several_turns_reads_like_a_conversation() {
    on_the_runtime(async {
        let run = talk::write(APP.1.path()).await;

        let (response, html) = ask(Request::get(format!("/runs/{run}?task=reasonmath/lighthouse/1")), "").await;

        assert_eq!(response.status(), 200);
        let turns = html.split("class=\"turns\"").nth(1).unwrap_or_default();
        let wrong = talk::out_of_order(turns);
        assert!(wrong.is_empty(), "{wrong:?}\n{turns}");
        assert!(html.contains("hermes; with tools 3 turns read, 2 calls: 1 repaired"));
    });
}
