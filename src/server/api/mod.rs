//! The compatibility surface under `/api`, one file per resource. Imports: domain, engine, axum.
//!
//! To add a route: a file here with its own `router`, merged below.

mod chat;
pub mod error;
mod hardware;
mod hub;
mod listing;
mod preflight;
mod pull;

use axum::Router;

use crate::engine::Engine;

/// All routes, with their state.
pub fn router(engine: &Engine) -> Router {
    Router::new()
        .merge(chat::router(engine.clone()))
        .merge(hardware::router(engine.clone()))
        .merge(listing::router(engine.clone()))
        .merge(preflight::router(engine.clone()))
        .merge(hub::router(engine.clone()))
        .merge(pull::router(engine.clone()))
}

/// Gigabytes with two decimals, as old clients read sizes.
fn gb(bytes: u64) -> f64 {
    (bytes as f64 / 1e7).round() / 100.0
}

/// The first value of a query parameter under one of its names; blank is absent.
fn parameter(query: Option<&str>, names: &[&str]) -> Option<String> {
    let pairs: Vec<(String, String)> =
        url::form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    let given = |name: &&str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim().to_owned());
    names.iter().filter_map(given).find(|value| !value.is_empty())
}
