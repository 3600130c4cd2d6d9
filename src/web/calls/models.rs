//! Calls of the models page: this machine, the servers, what was measured of their models.

use leptos::prelude::*;

use super::{CallError, json::Reply};
use crate::domain::{card::CapabilityCard, machine::Machine, measured::Measured, model::Server};

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

/// What is known of models from their runs.
#[server(prefix = "/fn", endpoint = "measured", output = Reply)]
pub async fn read_measured() -> Result<Vec<Measured>, CallError> {
    Ok(crate::domain::measured::measured(&super::engine()?.runs().await))
}

/// Seconds that a server has for loading the model, and for the first byte of each answer.
#[cfg(feature = "ssr")]
const PATIENCE_S: f64 = 60.0;

/// Looks at everything a model can do. It makes the model work: only a person's wish may call it, never a page that opens.
#[server(prefix = "/fn", endpoint = "card", output = Reply)]
pub async fn read_card(
    endpoint: String,
    model: String,
    #[server(default)] provider: Option<String>,
) -> Result<CapabilityCard, CallError> {
    use crate::engine::probe::Depth;
    let provider = provider.and_then(|provider| provider.parse().ok());
    let card = super::engine()?.read_card(&endpoint, model.trim(), provider, Depth::Whole, PATIENCE_S).await;
    card.map_err(|error| CallError::from(error).with_status())
}

/// Saves a server's address after asking it, with its key if one is given. The key comes back in no answer and no address.
#[server(prefix = "/fn", endpoint = "endpoints/add", output = Reply)]
pub async fn add_endpoint(url: String, #[server(default)] key: Option<String>) -> Result<(), CallError> {
    use crate::domain::leaderboard::encoded;
    match super::engine()?.add_endpoint(url.trim(), key.as_deref(), None).await {
        Ok(_) => super::go_to("/models"),
        Err(error) => {
            let error = CallError { field: Some("url".to_owned()), ..error.into() };
            let back = format!("/models?url={}&refused={}", encoded(&url), encoded(&error.message));
            super::refuse(error, &back)
        }
    }
}

/// Forgets a saved address and its key.
#[server(prefix = "/fn", endpoint = "endpoints/remove", output = Reply)]
pub async fn remove_endpoint(url: String) -> Result<(), CallError> {
    match super::engine()?.remove_endpoint(&url).await {
        Ok(()) => super::go_to("/models"),
        Err(error) => super::refuse(error.into(), "/models"),
    }
}
