//! Calls of the start page and of a run's page.

use chrono::{DateTime, Utc};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::{CallError, StartForm, json::Reply};
use crate::domain::{
    event::Trial,
    id::SuiteId,
    model::{Server, SuiteCard},
    record::RunRow,
    run::RunView,
};

/// What the start page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    pub servers: Vec<Server>,
    pub suites: Vec<SuiteCard>,
    /// The newest runs, active ones too.
    pub runs: Vec<RunRow>,
    /// How many runs there are in all.
    pub run_count: u32,
}

/// Rows of the list of recent runs.
#[cfg(feature = "ssr")]
const RECENT: usize = 25;

/// Servers, suites and recent runs.
#[server(prefix = "/fn", endpoint = "bench", output = Reply)]
pub async fn read_bench() -> Result<Bench, CallError> {
    let engine = super::engine()?;
    let mut runs = engine.runs().await;
    let run_count = runs.len() as u32;
    runs.truncate(RECENT);
    Ok(Bench { servers: engine.servers().await, suites: engine.suite_cards(), runs, run_count })
}

/// Starts a run and leads to its page.
#[server(prefix = "/fn", endpoint = "runs/start", output = Reply)]
pub async fn start_run(form: StartForm) -> Result<(), CallError> {
    let started = match form.plan() {
        Ok(plan) => super::engine()?.start(plan).await.map_err(CallError::from),
        Err(error) => Err(error),
    };
    match started {
        Ok(id) => Ok(leptos_axum::redirect(&format!("/runs/{id}"))),
        Err(error) => {
            let back = form.refused_at(&error);
            super::refuse(error, &back)
        }
    }
}

/// Stops a run; what is done stays.
#[server(prefix = "/fn", endpoint = "runs/cancel", output = Reply)]
pub async fn cancel_run(id: String) -> Result<(), CallError> {
    let address = format!("/runs/{id}");
    let id = parsed(&id)?;
    match super::engine()?.cancel(&id).await {
        Ok(()) => Ok(leptos_axum::redirect(&address)),
        Err(error) => super::refuse(error.into(), &address),
    }
}

/// A run as it stands, and the server's time, which both sides render by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPage {
    pub view: RunView,
    pub now: DateTime<Utc>,
}

#[cfg(feature = "ssr")]
fn parsed(id: &str) -> Result<crate::domain::id::RunId, CallError> {
    id.parse().map_err(|error: crate::domain::id::BadRunId| {
        CallError::new(super::CallErrorKind::NotFound, error.to_string()).with_status()
    })
}

/// One run.
#[server(prefix = "/fn", endpoint = "runs/view", output = Reply)]
pub async fn read_run(id: String) -> Result<RunPage, CallError> {
    let engine = super::engine()?;
    let view = engine.view(&parsed(&id)?).await.map_err(|error| CallError::from(error).with_status())?;
    Ok(RunPage { view, now: engine.now() })
}

/// One trial with everything that was said.
#[server(prefix = "/fn", endpoint = "runs/trial", output = Reply)]
pub async fn read_trial(id: String, suite: SuiteId, task: String, trial: u32) -> Result<Trial, CallError> {
    Ok(super::engine()?.trial(&parsed(&id)?, suite, &task, trial).await?)
}

/// The run's record as text.
#[server(prefix = "/fn", endpoint = "runs/record", output = Reply)]
pub async fn read_record(id: String) -> Result<String, CallError> {
    Ok(super::engine()?.raw_record(&parsed(&id)?).await?)
}
