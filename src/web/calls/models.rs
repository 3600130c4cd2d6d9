//! Calls of the models page.

use leptos::prelude::*;

use super::{CallError, json::Reply};
use crate::domain::{machine::Machine, model::Server};

/// This machine.
#[server(prefix = "/fn", endpoint = "machine", output = Reply)]
pub async fn read_machine() -> Result<Machine, CallError> {
    Ok(super::engine()?.machine().await)
}

/// The model servers that answer now, and the saved ones that don't.
#[server(prefix = "/fn", endpoint = "servers", output = Reply)]
pub async fn read_servers() -> Result<Vec<Server>, CallError> {
    Ok(super::engine()?.servers().await)
}

/// Saves a server's address after asking it.
#[server(prefix = "/fn", endpoint = "endpoints/add", output = Reply)]
pub async fn add_endpoint(url: String) -> Result<(), CallError> {
    use crate::domain::leaderboard::encoded;
    match super::engine()?.add_endpoint(url.trim(), None, None).await {
        Ok(_) => super::go_to("/models"),
        Err(error) => {
            let error = CallError { field: Some("url".to_owned()), ..error.into() };
            let back = format!("/models?url={}&refused={}", encoded(&url), encoded(&error.message));
            super::refuse(error, &back)
        }
    }
}

/// Forgets a saved address.
#[server(prefix = "/fn", endpoint = "endpoints/remove", output = Reply)]
pub async fn remove_endpoint(url: String) -> Result<(), CallError> {
    match super::engine()?.remove_endpoint(&url).await {
        Ok(()) => super::go_to("/models"),
        Err(error) => super::refuse(error.into(), "/models"),
    }
}
