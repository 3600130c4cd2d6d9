//! Runs Python that a model wrote: CPython as a WebAssembly module in a child process of our own program, without files,
//! network, processes or real time. What an answer must give is never in there: inputs go in, values come out, and
//! checks compare them here.
//!
//! [`Python`] is all that others use. Imports: wasmtime, rust-embed, brotli-decompressor, tokio's channels.

mod child;
mod frame;
mod host;
pub mod literal;
mod module;
mod outcome;
mod protocol;
pub mod value;
pub mod worker;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, mpsc::Sender},
    time::Duration,
};

use tokio::sync::oneshot;

pub use child::COMMAND;
pub use frame::Limits;
pub use outcome::{CaseEnd, Held, Outcome, Start, Stop};

use child::Order;
use frame::{Ran, Request};

/// Longest that one interpreter may take by the clock; a machine that needs more is too busy for a verdict.
const WALL: Duration = Duration::from_secs(60);

/// Why there is no outcome. None of these says anything of the answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PythonError {
    #[error("this build has no Python module, so that answers cannot be run; run scripts/setup.sh and build again")]
    Unavailable,
    #[error("start the Python worker {}: {why}", program.display())]
    NotStarted { program: PathBuf, why: String },
    #[error("the Python worker does not work: {0}")]
    Broken(String),
    #[error("the Python worker broke off: {0}; the answer is not judged")]
    Gone(String),
    #[error("the answer could not be run within {seconds} s, twice; this machine is too busy to judge it")]
    TooSlow { seconds: f64 },
}

/// An answer and what to try with it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Job {
    /// Pieces of the answer that may be programs, in order.
    pub blocks: Vec<String>,
    /// The answer as one program, tried only where no piece compiles.
    pub whole: Option<String>,
    /// The name that the program must define.
    pub entry: String,
    pub cases: Vec<Case>,
    pub limits: Limits,
}

/// One call, without what it should give.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Case {
    /// Statements that run before, with the program's names at hand.
    pub setup: Vec<String>,
    /// An expression.
    pub call: String,
    /// What the call prints is its value.
    pub stdout: bool,
    /// A property of the value, evaluated where the program never was.
    pub holds: Option<String>,
}

/// A property and the set-up whose names it may use.
pub(crate) struct Property {
    pub setup: Vec<String>,
    pub holds: String,
}

/// An exception: its class, and its message where Python itself defines the class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Raised {
    pub class: String,
    pub message: String,
    /// The exceptions of Python itself that the class is a kind of, nearest first; empty for one of Python's own.
    pub bases: Vec<String>,
}

impl Raised {
    /// Whether it is of this class, or of one that comes from it.
    pub fn is(&self, class: &str) -> bool {
        self.class == class || self.bases.iter().any(|base| base == class)
    }
}

/// The sandbox. Cheap to clone; all clones share one worker, which starts when it is first needed and ends with the
/// last clone.
#[derive(Clone)]
pub struct Python {
    inner: Arc<Inner>,
}

struct Inner {
    program: PathBuf,
    wall: Duration,
    is_available: bool,
    orders: Mutex<Option<Sender<Order>>>,
}

impl Python {
    /// `worker_program` is this program: something whose command `python-worker` calls [`worker::serve`].
    pub fn new(worker_program: PathBuf) -> Self {
        Self::with_wall(worker_program, WALL)
    }

    /// With this program itself as the worker.
    pub fn of_this_program() -> Self {
        Self::new(std::env::current_exe().unwrap_or_else(|_| "benchloop".into()))
    }

    /// With another limit by the clock, which is 60 s.
    pub fn with_wall(worker_program: PathBuf, wall: Duration) -> Self {
        let (is_available, orders) = (module::is_there(), Mutex::default());
        Self { inner: Arc::new(Inner { program: worker_program, wall, is_available, orders }) }
    }

    /// The sandbox of a build without the Python module, whatever this build has.
    pub fn unavailable() -> Self {
        let (program, orders) = (PathBuf::new(), Mutex::default());
        Self { inner: Arc::new(Inner { program, wall: WALL, is_available: false, orders }) }
    }

    /// Whether this build has the Python module.
    pub fn is_available(&self) -> bool {
        self.inner.is_available
    }

    /// Starts the worker, so that it is ready when it is needed; returns at once. A failure shows at the first job.
    pub fn start(&self) {
        if self.is_available() {
            _ = self.order(Order::Start);
        }
    }

    fn order(&self, order: Order) -> Result<(), PythonError> {
        let program = &self.inner.program;
        let failed = |why: String| PythonError::NotStarted { program: program.clone(), why };
        let mut orders = self.inner.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = match orders.take() {
            Some(sender) => sender,
            None => child::start(program.clone(), self.inner.wall).map_err(|error| failed(error.to_string()))?,
        };
        let sent = sender.send(order).map_err(|_| failed("its thread has ended".to_owned()));
        if sent.is_ok() {
            *orders = Some(sender);
        }
        sent
    }

    /// One interpreter from start to end.
    async fn interpret(&self, input: String, limits: Limits) -> Result<Ran, PythonError> {
        let (send, answer) = oneshot::channel();
        self.order(Order::Run(Request { input, limits }, send))?;
        answer.await.unwrap_or_else(|_| Err(PythonError::Gone("its thread has ended".to_owned())))
    }

    /// Runs an answer's cases. An error is inconclusive: it says nothing of the answer.
    pub async fn run(&self, job: Job) -> Result<Outcome, PythonError> {
        if !self.is_available() {
            return Err(PythonError::Unavailable);
        }
        outcome::of(self, &job).await
    }
}
