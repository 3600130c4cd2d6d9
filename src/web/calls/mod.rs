//! Server functions: the only place where pages reach the engine. Each parses, calls and answers; the work is the
//! engine's. Addresses begin with `/fn`.

pub mod board;
pub mod chat;
pub mod error;
pub mod form;
pub mod json;
pub mod models;
pub mod pulls;
pub mod runs;

pub use board::read_leaderboard;
pub use chat::chat;
pub use error::{CallError, CallErrorKind};
pub use form::StartForm;
pub use json::{Answer, Json, ask};
pub use models::{
    AddEndpoint, ReadCard, RemoveEndpoint, add_endpoint, read_card, read_machine, read_measured, read_servers,
    remove_endpoint,
};
pub use pulls::{
    CancelPull, DismissPull, StartPull, cancel_pull, dismiss_pull, read_hub, read_pulls, search_hub, start_pull,
};
pub use runs::{
    Bench, CancelRun, RunPage, StartRun, cancel_run, read_bench, read_record, read_run, read_trial, start_run,
};

/// The engine that serves this request.
#[cfg(feature = "ssr")]
fn engine() -> Result<crate::engine::Engine, CallError> {
    leptos::prelude::use_context().ok_or_else(|| {
        CallError::new(CallErrorKind::Unavailable, "reach the engine: the server gave this request none")
    })
}

/// Whether a form was sent by the browser itself, without our script: it wants a page back.
#[cfg(feature = "ssr")]
fn is_plain_form() -> bool {
    use server_fn::http_export::{header::ACCEPT, request::Parts};
    let parts = leptos::prelude::use_context::<Parts>();
    let accept = parts.as_ref().and_then(|parts| parts.headers.get(ACCEPT)).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Leads on to another page.
#[cfg(feature = "ssr")]
fn go_to(address: &str) -> Result<(), CallError> {
    leptos_axum::redirect(address);
    Ok(())
}

/// Answers a refused form: to our script with the error, to a plain form with the page it came from.
#[cfg(feature = "ssr")]
fn refuse(error: CallError, back: &str) -> Result<(), CallError> {
    if is_plain_form() { go_to(back) } else { Err(error.with_status()) }
}
