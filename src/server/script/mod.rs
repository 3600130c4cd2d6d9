//! The scripted model server: speaks both wires over real HTTP with timed chunks. It is `benchloop demo`, and the server
//! that tests and the page tests measure. Imports: domain, engine (clock, suites, harness), axum, tokio.
//!
//! To add a behaviour for a test: pass a closure to [`ScriptedServer::start`] that turns what was asked into a [`Reply`].

mod asked;
pub mod demo;
mod routes;
mod speech;
mod wire;

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use asked::Asked;
pub use speech::{Finish, Kind, Piece, Speech, pieces_of};

use crate::engine::clock::Stamp;

/// What the server does with a question.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Says something, chunk by chunk.
    Say(Speech),
    /// Refuses with a status and a body.
    Status(u16, String),
}

/// A model as the server lists it.
#[derive(Debug, Clone)]
pub struct Listed {
    pub name: String,
    pub about: String,
}

/// The moments of one answer, by the server's own clock.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub model: String,
    /// When the request had been read.
    pub asked: Option<Stamp>,
    /// When each generated piece was handed to the socket.
    pub pieces: Vec<Stamp>,
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

/// What all routes share.
#[derive(Clone)]
pub(crate) struct Script {
    answer: Arc<Answer>,
    models: Arc<Vec<Listed>>,
    log: Arc<Mutex<Vec<Written>>>,
    stop: CancellationToken,
}

impl Script {
    /// Opens a log entry; returns its place.
    fn opened(&self, model: &str, asked: Stamp) -> usize {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // a demo that runs for weeks keeps no endless log
        if log.len() >= 100_000 {
            log.clear();
        }
        log.push(Written { model: model.to_owned(), asked: Some(asked), pieces: Vec::new() });
        log.len() - 1
    }

    fn wrote(&self, place: usize, at: Stamp) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = log.get_mut(place) {
            entry.pieces.push(at);
        }
    }
}

/// A running scripted server; it stops when this is dropped.
pub struct ScriptedServer {
    address: SocketAddr,
    script: Script,
}

impl ScriptedServer {
    /// Listens on `address` (port 0: a free one) and answers by `answer`.
    pub async fn start(
        address: SocketAddr,
        models: Vec<Listed>,
        answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let script = Script {
            answer: Arc::new(answer),
            models: Arc::new(models),
            log: Arc::default(),
            stop: CancellationToken::new(),
        };
        let stop = script.stop.clone();
        let router = routes::router(script.clone());
        // every chunk leaves at once
        let listener = listener.tap_io(|socket| _ = socket.set_nodelay(true));
        tokio::spawn(async move {
            tokio::select! {
                _ = axum::serve(listener, router) => {}
                () = stop.cancelled() => {}
            }
        });
        Ok(Self { address, script })
    }

    /// Says the same text to every question, as fast as it goes.
    pub async fn saying(text: &str) -> io::Result<Self> {
        let text = text.to_owned();
        Self::local(move |_| Reply::Say(Speech::of(&text))).await
    }

    /// On a free loopback port, listing one model called `scripted`.
    pub async fn local(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        let model = Listed { name: "scripted".to_owned(), about: "answers by script".to_owned() };
        Self::start(SocketAddr::from(([127, 0, 0, 1], 0)), vec![model], answer).await
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was written so far, one entry per answer.
    pub fn written(&self) -> Vec<Written> {
        self.script.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs until the server is stopped.
    pub async fn stopped(&self) {
        self.script.stop.cancelled().await;
    }

    pub fn stop(&self) {
        self.script.stop.cancel();
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.script.stop.cancel();
    }
}
