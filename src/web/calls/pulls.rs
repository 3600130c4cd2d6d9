//! Calls for pulling models and for looking at Hugging Face.

use leptos::prelude::*;

use super::{CallError, json::Reply};
use crate::domain::{
    hub::{HubDetails, HubPage},
    pull::PullView,
};

/// All pulls, newest first.
#[server(prefix = "/fn", endpoint = "pulls", output = Reply)]
pub async fn read_pulls() -> Result<Vec<PullView>, CallError> {
    Ok(super::engine()?.pulls().list())
}

/// Leads a plain form back to the page it came from, `back` being the page's query; our script stays where it is.
#[cfg(feature = "ssr")]
fn stay(outcome: Result<(), crate::engine::EngineError>, back: Option<String>) -> Result<(), CallError> {
    let query: String = back.unwrap_or_default().chars().filter(char::is_ascii_graphic).take(800).collect();
    let query = query
        .trim_start_matches('?')
        .split('&')
        .filter(|pair| !pair.starts_with("pull-refused="))
        .collect::<Vec<_>>()
        .join("&");
    match outcome {
        Ok(()) if super::is_plain_form() => super::go_to(&format!("/models?{query}#pulling")),
        Ok(()) => Ok(()),
        Err(error) => {
            let why = crate::domain::leaderboard::encoded(&error.to_string());
            super::refuse(error.into(), &format!("/models?{query}&pull-refused={why}#pulling"))
        }
    }
}

/// Has an Ollama server pull a model.
#[server(prefix = "/fn", endpoint = "pulls/start", output = Reply)]
pub async fn start_pull(
    model: String,
    endpoint: String,
    #[server(default)] back: Option<String>,
) -> Result<(), CallError> {
    stay(super::engine()?.pull(&model, &endpoint).map(|_| ()), back)
}

/// Stops a pull that goes on.
#[server(prefix = "/fn", endpoint = "pulls/cancel", output = Reply)]
pub async fn cancel_pull(id: String, #[server(default)] back: Option<String>) -> Result<(), CallError> {
    let engine = super::engine()?;
    let cancelled = engine.pulls().cancel(&id).await;
    stay(cancelled.map(|_| ()).map_err(Into::into), back)
}

/// Takes an ended pull off the list.
#[server(prefix = "/fn", endpoint = "pulls/dismiss", output = Reply)]
pub async fn dismiss_pull(id: String, #[server(default)] back: Option<String>) -> Result<(), CallError> {
    let engine = super::engine()?;
    stay(engine.pulls().dismiss(&id).map_err(Into::into), back)
}

/// One page of a search. Unknown formats and orders are none.
#[server(prefix = "/fn", endpoint = "hub/search", output = Reply)]
pub async fn search_hub(text: String, format: String, sort: String, page: u32) -> Result<HubPage, CallError> {
    use crate::domain::hub::HubQuery;
    let query = HubQuery {
        format: format.parse().ok(),
        sort: sort.parse().ok(),
        page: page.clamp(1, HubQuery::LAST_PAGE),
        ..HubQuery::new(&text)
    };
    Ok(super::engine()?.search_hub(&query).await?)
}

/// What a repository holds.
#[server(prefix = "/fn", endpoint = "hub/details", output = Reply)]
pub async fn read_hub(repo: String) -> Result<HubDetails, CallError> {
    Ok(super::engine()?.hub_details(&repo).await?.details)
}
