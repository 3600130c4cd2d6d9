//! Every route of the server behind its guard: the routes are read from the source, so that a route that is added later is
//! walked too.

use std::{fs, path::Path};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode},
    routing::any,
};
use benchloop::server::{app, guard::Guard};
use tower::ServiceExt;

use crate::support::home::{Home, home};

/// What stands between `before` and the next quotation mark, wherever it occurs in the files below a folder.
fn named(folder: &Path, before: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        // the scripted server is another server
        if path.is_dir() && !path.ends_with("server/script") {
            named(&path, before, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            found.extend(code.split(before).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
        }
    }
}

/// All guarded paths, with a word in place of each parameter.
fn routes() -> Vec<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut functions, mut paths) = (Vec::new(), Vec::new());
    named(&source.join("web/calls"), "endpoint = \"", &mut functions);
    named(&source.join("server"), ".route(\"", &mut paths);
    assert!(functions.len() >= 8, "server functions were not found: {functions:?}");
    assert!(paths.iter().any(|path| path.starts_with("/live/")), "{paths:?}");
    let is_guarded = |path: &String| ["/api", "/fn", "/live"].iter().any(|root| path.starts_with(root));
    // a path without one of the roots is nested below /api, or a page: then nothing is lost
    let rooted = paths.into_iter().map(|path| if is_guarded(&path) { path } else { format!("/api{path}") });
    let filled = |path: String| {
        let parts = path.split('/').map(|part| if part.starts_with('{') { "x" } else { part });
        parts.collect::<Vec<_>>().join("/")
    };
    rooted.chain(functions.into_iter().map(|name| format!("/fn/{name}"))).map(filled).collect()
}

fn served() -> (Home, Router) {
    let home = home();
    // stands for the compatibility routes: whatever passes the guard is answered
    let api = Router::new().route("/api/probe", any(|| async { "passed" }));
    let router = app(&home.engine, api, Guard::default());
    (home, router)
}

async fn status(router: &Router, method: &str, path: &str, headers: &[(&str, &str)]) -> StatusCode {
    let request = headers
        .iter()
        .fold(Request::builder().method(method).uri(path), |request, (name, value)| request.header(*name, *value));
    router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
}

#[tokio::test]
async fn no_route_answers_another_sites_page_or_another_host() {
    let (_home, router) = served();
    let own = ("host", "127.0.0.1:8877");
    for path in routes() {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"] {
            for foreign in [
                vec![own, ("sec-fetch-site", "cross-site")],
                vec![own, ("sec-fetch-site", "same-site")],
                vec![own, ("origin", "https://evil.example")],
                vec![own, ("origin", "null")],
                vec![("host", "evil.example")],
                vec![("host", "127.0.0.1.evil.example:8877")],
                vec![],
            ] {
                let answer = status(&router, method, &path, &foreign).await;
                assert_eq!(answer, StatusCode::FORBIDDEN, "{method} {path} {foreign:?}");
            }
        }
    }
}

#[tokio::test]
async fn our_own_pages_and_programs_pass_and_odd_spellings_reach_nothing() {
    let (_home, router) = served();
    let own = ("host", "127.0.0.1:8877");
    for headers in [vec![own], vec![own, ("sec-fetch-site", "same-origin"), ("origin", "http://127.0.0.1:8877")]] {
        assert_eq!(status(&router, "GET", "/api/probe", &headers).await, StatusCode::OK);
    }
    for path in ["/%61pi/probe", "/API/probe", "//api/probe", "/api%2fprobe", "/x/../api/probe"] {
        let answer = status(&router, "GET", path, &[own, ("sec-fetch-site", "cross-site")]).await;
        assert!(!answer.is_success(), "{path}: {answer}");
    }
}
