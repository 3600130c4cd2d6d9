//! The compatibility surface under `/api`, one file per resource. Imports: domain, engine, axum.
//!
//! To add a route: a file here with its own `router`, merged below.

mod chat;
pub mod error;

use axum::Router;

use crate::engine::Engine;

/// All routes, with their state.
pub fn router(engine: &Engine) -> Router {
    Router::new().merge(chat::router(engine.clone()))
}
