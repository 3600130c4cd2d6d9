//! The HTTP surface: who may ask ([`guard`]), the routes for programs ([`api`]), the live stream of a run
//! ([`live`]), the scripted model server ([`script`]) and, with feature `ssr`, the pages
//! ([`site`]). Imports the engine and axum.

pub mod api;
#[cfg(feature = "ssr")]
mod assets;
pub mod guard;
pub mod live;
pub mod script;
#[cfg(feature = "ssr")]
pub mod site;

use axum::{
    Json, Router,
    http::{HeaderValue, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::any,
};
use serde_json::json;

use crate::engine::Engine;
use guard::Guard;

/// Everything behind one guard. `api` is the compatibility router, already with its state.
pub fn app(engine: &Engine, api: Router, guard: Guard) -> Router {
    let app = Router::new()
        .merge(api)
        .merge(live::router(engine.clone()))
        .route("/api", any(no_such_route))
        .route("/api/{*rest}", any(no_such_route))
        .route("/fn/{*rest}", any(no_such_route));
    #[cfg(feature = "ssr")]
    let app = app.merge(site::router(engine));
    #[cfg(not(feature = "ssr"))]
    let app = app.fallback(no_such_route);
    app.layer(middleware::map_response(with_safe_headers))
        .layer(middleware::from_fn_with_state(std::sync::Arc::new(guard), guard::check))
}

/// What a program gets at an address that is not there.
async fn no_such_route() -> Response {
    (StatusCode::NOT_FOUND, Json(json!({ "error": "no such route" }))).into_response()
}

/// Headers that every answer carries.
async fn with_safe_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}
