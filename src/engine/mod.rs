//! Local stand-in with the engine's signatures: reads journals under `$BENCHLOOP_HOME/runs`, runs nothing.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt, stream};
use tokio_util::sync::CancellationToken;

use crate::domain::{
    event::{Pulse, RunEvent, Trial},
    id::{RunId, SuiteId},
    leaderboard::{self, Board, BoardQuery},
    machine::Machine,
    model::{Server, SuiteCard},
    plan::RunPlan,
    record::RunRow,
    run::{RunStatus, RunView},
};

/// What a follower of a run receives.
#[derive(Debug, Clone, PartialEq)]
pub enum Live {
    Event(RunEvent),
    Pulse(Pulse),
}

/// The kind of a refusal, for status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineErrorKind {
    NotFound,
    Invalid,
    Conflict,
    Unavailable,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("find {0}")]
    NotFound(String),
    #[error("{0}")]
    Unavailable(String),
}

impl EngineError {
    pub fn kind(&self) -> EngineErrorKind {
        match self {
            Self::NotFound(_) => EngineErrorKind::NotFound,
            Self::Unavailable(_) => EngineErrorKind::Unavailable,
        }
    }
}

#[derive(Clone)]
pub struct Engine {
    home: PathBuf,
    shutdown: CancellationToken,
}

fn absent() -> EngineError {
    EngineError::Unavailable("do this in the stand-in engine".into())
}

impl Engine {
    pub fn at(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into(), shutdown: CancellationToken::new() }
    }

    fn events(&self, id: &RunId) -> Result<Vec<RunEvent>, EngineError> {
        let path = self.home.join("runs").join(id.as_str()).join("events.jsonl");
        let text = std::fs::read_to_string(&path).map_err(|_| EngineError::NotFound(format!("run {id}")))?;
        text.lines()
            .map(|line| serde_json::from_str(line).map_err(|why| EngineError::Unavailable(format!("read {id}: {why}"))))
            .collect()
    }

    #[expect(clippy::disallowed_methods, reason = "stand-in")]
    pub fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    pub async fn servers(&self) -> Vec<Server> {
        let text = std::fs::read_to_string(self.home.join("servers.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub async fn add_endpoint(&self, _url: &str) -> Result<Server, EngineError> {
        Err(absent())
    }

    pub async fn remove_endpoint(&self, _url: &str) -> Result<(), EngineError> {
        Err(absent())
    }

    pub async fn machine(&self) -> Machine {
        Machine::default()
    }

    pub fn suite_cards(&self) -> Vec<SuiteCard> {
        let card =
            |suite: &SuiteId| SuiteCard { suite: *suite, built: suite.is_built(), tasks: 0, quick_tasks: 0, trials: 1 };
        SuiteId::ALL.iter().map(card).collect()
    }

    pub async fn start(&self, _plan: RunPlan) -> Result<RunId, EngineError> {
        Err(absent())
    }

    pub async fn cancel(&self, _id: &RunId) -> Result<(), EngineError> {
        Err(absent())
    }

    pub async fn view(&self, id: &RunId) -> Result<RunView, EngineError> {
        let plays = id.as_str().contains("-play-");
        let limit = if plays { 12 } else { usize::MAX };
        let events: Vec<RunEvent> = self.events(id)?.into_iter().map(RunEvent::light).take(limit).collect();
        Ok(RunView::of(id.clone(), &events))
    }

    pub async fn trial(&self, id: &RunId, suite: SuiteId, task: &str, trial: u32) -> Result<Trial, EngineError> {
        use crate::domain::event::Happening;
        self.events(id)?
            .into_iter()
            .find_map(|event| match event.what {
                Happening::TrialFinished(found)
                    if found.suite == suite && found.task == task && found.trial == trial =>
                {
                    Some(*found)
                }
                _ => None,
            })
            .ok_or_else(|| EngineError::NotFound(format!("trial {trial} of {suite}/{task} in run {id}")))
    }

    pub async fn raw_record(&self, id: &RunId) -> Result<String, EngineError> {
        let view = self.view(id).await?;
        serde_json::to_string_pretty(&view.record()).map_err(|why| EngineError::Unavailable(format!("write {why}")))
    }

    pub async fn runs(&self) -> Vec<RunRow> {
        let mut rows = Vec::new();
        for entry in std::fs::read_dir(self.home.join("runs")).into_iter().flatten().flatten() {
            if let Ok(id) = entry.file_name().to_string_lossy().parse::<RunId>() {
                match self.view(&id).await {
                    Ok(view) => rows.push(RunRow::of(&view)),
                    Err(why) => rows.push(RunRow::unreadable(id, why.to_string())),
                }
            }
        }
        rows.sort_by(|a, b| b.id.cmp(&a.id));
        rows
    }

    pub async fn leaderboard(&self, query: BoardQuery) -> Board {
        let rows = self.runs().await.into_iter().filter(|row| row.status != RunStatus::Unreadable).collect();
        leaderboard::rank(rows, query)
    }

    pub fn follow(&self, id: &RunId, from: u64) -> impl Stream<Item = Live> + Send + 'static {
        let events = self.events(id).unwrap_or_default();
        let rest: Vec<_> = events.into_iter().filter(|event| event.i >= from).collect();
        stream::iter(rest)
            .then(|event| async {
                tokio::time::sleep(std::time::Duration::from_millis(60)).await;
                let pulse = Pulse {
                    phase: "answering".into(),
                    chunks: 40,
                    chunks_s: Some(70.3),
                    tail: "The ferry leaves at".into(),
                    ..Pulse::default()
                };
                stream::iter([Live::Pulse(pulse), Live::Event(event)])
            })
            .flatten()
    }

    pub fn shutdown_token(&self) -> CancellationToken {
        self.shutdown.clone()
    }
}
