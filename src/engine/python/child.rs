//! The worker as a child process: started early, fed one request at a time, killed when it takes too long, started anew
//! when it is gone. A thread of its own does the waiting, so that nobody else's thread ever does. Imports: std, tokio's
//! channels.

use std::{
    io,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use tokio::sync::oneshot;
use tracing::{debug, warn};

use super::{
    PythonError,
    frame::{self, Ran, Reply, Request},
};
use crate::engine::clock;

/// The command line argument that makes our own program a worker.
pub const COMMAND: &str = "python-worker";
/// Longest that compiling the module may take.
const TO_COMPILE: Duration = Duration::from_secs(300);
/// Attempts at one request: a machine that is busy for a moment must not cost a verdict.
const ATTEMPTS: u32 = 2;

/// One thing to do.
pub enum Order {
    /// Be ready for what comes.
    Start,
    Run(Request, oneshot::Sender<Result<Ran, PythonError>>),
}

/// Starts the thread. It ends, and the worker with it, when the sender is gone.
pub fn start(program: PathBuf, wall: Duration) -> io::Result<Sender<Order>> {
    let (send, orders) = mpsc::channel();
    thread::Builder::new().name("python".to_owned()).spawn(move || serve(&program, wall, &orders))?;
    Ok(send)
}

fn serve(program: &Path, wall: Duration, orders: &Receiver<Order>) {
    let mut worker = None;
    while let Ok(order) = orders.recv() {
        match order {
            Order::Start if worker.is_none() => {
                worker = Worker::spawn(program).inspect_err(|error| warn!(%error, "Python worker not started")).ok();
            }
            Order::Start => {}
            Order::Run(_, answer) if answer.is_closed() => {}
            Order::Run(request, answer) => _ = answer.send(run(program, wall, &request, &mut worker)),
        }
    }
}

fn run(program: &Path, wall: Duration, request: &Request, kept: &mut Option<Worker>) -> Result<Ran, PythonError> {
    let mut last = PythonError::Gone(String::new());
    for _ in 0..ATTEMPTS {
        let mut worker = match kept.take() {
            Some(worker) => worker,
            None => Worker::spawn(program)?,
        };
        match worker.ask(request, wall) {
            Ok(ran) => {
                *kept = Some(worker);
                return Ok(ran);
            }
            Err(error @ PythonError::Broken(_)) => return Err(error),
            Err(error) => {
                warn!(%error, "Python worker ended");
                last = error;
            }
        }
    }
    Err(last)
}

/// One worker process; it dies with this.
struct Worker {
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<io::Result<Reply>>,
    is_ready: bool,
}

impl Worker {
    fn spawn(program: &Path) -> Result<Self, PythonError> {
        let failed = |why: String| PythonError::NotStarted { program: program.to_owned(), why };
        let mut command = Command::new(program);
        command.arg(COMMAND).env_clear().current_dir(std::env::temp_dir());
        // Windows finds its own libraries through this
        command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let mut output = child.stdout.take().ok_or_else(|| failed("it has no output".to_owned()))?;
        let (send, replies) = mpsc::channel();
        let read = move || {
            loop {
                let reply = frame::read(&mut output).transpose();
                let is_last = !matches!(reply, Some(Ok(_)));
                if reply.is_some_and(|reply| send.send(reply).is_err()) || is_last {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("python replies".to_owned())
            .spawn(read)
            .map_err(|error| failed(error.to_string()))?;
        debug!(pid = child.id(), "Python worker started");
        Ok(Self { child, input, replies, is_ready: false })
    }

    /// Runs one request. The worker is of no further use after an error.
    fn ask(&mut self, request: &Request, wall: Duration) -> Result<Ran, PythonError> {
        if !self.is_ready {
            match self.reply(TO_COMPILE)? {
                Reply::Ready { compiled_ms } => debug!(compiled_ms, "Python worker ready"),
                reply => return Err(unexpected(reply)),
            }
            self.is_ready = true;
        }
        let input = self.input.as_mut().ok_or_else(|| PythonError::Gone("its input is closed".to_owned()))?;
        frame::write(input, request).map_err(|error| PythonError::Gone(error.to_string()))?;
        match self.reply(wall)? {
            Reply::Ran(ran) => Ok(ran),
            reply => Err(unexpected(reply)),
        }
    }

    /// The next reply, waited for by the one clock.
    fn reply(&self, limit: Duration) -> Result<Reply, PythonError> {
        let (begun, limit_ms) = (clock::now(), limit.as_secs_f64() * 1000.0);
        loop {
            let left_ms = limit_ms - clock::now().ms_since(begun);
            if left_ms <= 0.0 {
                return Err(PythonError::TooSlow { seconds: limit.as_secs_f64() });
            }
            match self.replies.recv_timeout(Duration::from_secs_f64(left_ms / 1000.0)) {
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(error)) => return Err(PythonError::Gone(error.to_string())),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(PythonError::Gone("it has ended".to_owned())),
            }
        }
    }
}

fn unexpected(reply: Reply) -> PythonError {
    match reply {
        Reply::Broken(why) => PythonError::Broken(why),
        Reply::Ready { .. } | Reply::Ran(_) => PythonError::Gone("it said something that was not asked".to_owned()),
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.input.take());
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
