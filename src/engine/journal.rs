//! A run's journal: facts appended to `events.jsonl` and kept in memory, followed by any number of readers.
//!
//! An event is on disk before anyone sees it; one that ends a trial or the run is synced. A torn last line, left by a
//! killed process, is ignored by the reader. Imports: domain, std, tokio.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use futures_util::{Stream, stream};
use tokio::sync::watch;

use super::clock;
use crate::domain::{
    event::{Happening, Pulse, RunEvent},
    id::RunId,
    run::RunView,
};

/// The journal's file in a run's folder.
pub const FILE: &str = "events.jsonl";

/// What a follower receives.
#[derive(Debug, Clone, PartialEq)]
pub enum Live {
    /// A numbered fact; none is ever left out.
    Event(RunEvent),
    /// What passes by; only the latest is delivered.
    Pulse(Pulse),
}

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("write {path}: {source}; check free space and permissions of the run folder", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("read {path}: {source}", path = .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("read {path}, line {line}: {source}", path = .path.display())]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
}

struct State {
    file: File,
    events: Vec<RunEvent>,
    view: RunView,
}

/// The journal of a run that this process does. Cheap to clone.
#[derive(Clone)]
pub struct Journal {
    path: Arc<PathBuf>,
    state: Arc<Mutex<State>>,
    /// Number of events; readers wait on it.
    length: Arc<watch::Sender<u64>>,
    pulse: Arc<watch::Sender<Option<Pulse>>>,
    /// Nothing more will be appended.
    closed: Arc<AtomicBool>,
}

impl Journal {
    /// Creates the file in the run's folder, which must exist.
    pub fn create(folder: &Path, id: RunId) -> Result<Self, JournalError> {
        let path = folder.join(FILE);
        let file = OpenOptions::new().create_new(true).append(true).open(&path);
        let file = file.map_err(|source| JournalError::Write { path: path.clone(), source })?;
        Ok(Self {
            path: Arc::new(path),
            state: Arc::new(Mutex::new(State { file, events: Vec::new(), view: RunView::new(id) })),
            length: Arc::new(watch::Sender::new(0)),
            pulse: Arc::new(watch::Sender::new(None)),
            closed: Arc::default(),
        })
    }

    /// Appends a fact: file first, then memory, then the followers.
    pub async fn append(&self, what: Happening) -> Result<(), JournalError> {
        let journal = self.clone();
        // a write may wait for the disk; it must not hold up the clock of another sample
        let done = tokio::task::spawn_blocking(move || journal.append_now(what)).await;
        done.unwrap_or_else(|lost| {
            Err(JournalError::Write { path: self.path.to_path_buf(), source: io::Error::other(lost) })
        })
    }

    fn append_now(&self, what: Happening) -> Result<(), JournalError> {
        let write_error = |source| JournalError::Write { path: self.path.to_path_buf(), source };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let event = RunEvent { i: state.events.len() as u64, at: clock::utc(), what };
        let mut line = serde_json::to_vec(&event).map_err(|error| write_error(io::Error::other(error)))?;
        line.push(b'\n');
        state.file.write_all(&line).map_err(write_error)?;
        if matches!(event.what, Happening::TrialFinished(_) | Happening::Queued { .. } | Happening::Finished { .. }) {
            state.file.sync_data().map_err(write_error)?;
        }
        state.view.apply(&event);
        state.events.push(event);
        let length = state.events.len() as u64;
        drop(state);
        self.pulse.send_replace(None);
        self.length.send_replace(length);
        Ok(())
    }

    /// Says that nothing more will come, whether the run has an end or not, so that followers don't wait for ever.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.length.send_modify(|_| ());
    }

    /// Shows what passes by; stored nowhere.
    pub fn pulse(&self, pulse: Pulse) {
        self.pulse.send_replace(Some(pulse));
    }

    /// The run as it stands.
    pub fn view(&self) -> RunView {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).view.clone()
    }

    /// Whether the run's last event is written.
    fn has_ended(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).view.ended_at.is_some()
    }

    /// The events from `from` on, as they are now.
    pub fn events(&self, from: u64) -> Vec<RunEvent> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.events.get(usize::try_from(from).unwrap_or(usize::MAX)..).unwrap_or_default().to_vec()
    }

    /// Events from `from` on, past and coming, with pulses in between; ends after the run's last event.
    pub fn tail(&self, from: u64) -> impl Stream<Item = Live> + Send + use<> {
        struct Tail {
            journal: Journal,
            next: u64,
            ready: std::collections::VecDeque<RunEvent>,
            length: watch::Receiver<u64>,
            pulse: watch::Receiver<Option<Pulse>>,
            ended: bool,
        }
        let mut pulse = self.pulse.subscribe();
        pulse.mark_changed();
        let tail = Tail {
            journal: self.clone(),
            next: from,
            ready: std::collections::VecDeque::new(),
            length: self.length.subscribe(),
            pulse,
            ended: false,
        };
        stream::unfold(tail, |mut tail| async move {
            loop {
                if let Some(event) = tail.ready.pop_front() {
                    tail.next = event.i + 1;
                    tail.ended = event.is_end();
                    return Some((Live::Event(event), tail));
                }
                if tail.ended {
                    return None;
                }
                tail.length.mark_unchanged();
                let closed = tail.journal.closed.load(Ordering::Acquire);
                tail.ready.extend(tail.journal.events(tail.next));
                if !tail.ready.is_empty() {
                    continue;
                }
                if closed || tail.journal.has_ended() {
                    return None; // asked from beyond the end, or there will be none
                }
                tokio::select! {
                    changed = tail.length.changed() => if changed.is_err() { return None },
                    changed = tail.pulse.changed() => {
                        if changed.is_err() { return None }
                        let pulse = tail.pulse.borrow_and_update().clone();
                        if let Some(pulse) = pulse {
                            return Some((Live::Pulse(pulse), tail));
                        }
                    }
                }
            }
        })
    }
}

/// Reads a journal from disk. A last line that is torn is left out; a bad line before it is an error.
pub fn read(folder: &Path) -> Result<Vec<RunEvent>, JournalError> {
    let path = folder.join(FILE);
    let bytes = std::fs::read(&path).map_err(|source| JournalError::Read { path: path.clone(), source })?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let mut events = Vec::new();
    let lines: Vec<&[u8]> = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    for (index, line) in lines.iter().enumerate() {
        match serde_json::from_slice::<RunEvent>(line) {
            Ok(event) => events.push(event),
            // after a power cut the end of the file may be filled with zeros
            Err(_) if index + 1 == lines.len() => break,
            Err(source) => return Err(JournalError::Line { path, line: index + 1, source }),
        }
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;
    use crate::domain::{event::Ending, id::SuiteId};

    fn finished() -> Happening {
        Happening::Finished { ending: Ending::Completed, why: None }
    }

    fn journal(folder: &Path) -> Journal {
        Journal::create(folder, "run-1".parse().unwrap()).unwrap()
    }

    #[tokio::test]
    async fn late_followers_see_the_whole_run() {
        let folder = tempfile::tempdir().unwrap();
        let journal = journal(folder.path());
        journal.append(Happening::Waiting { position: 1 }).await.unwrap();
        journal.append(finished()).await.unwrap();

        let seen: Vec<Live> = journal.tail(0).collect().await;

        assert_eq!(seen.len(), 2);
        assert!(matches!(&seen[1], Live::Event(event) if event.is_end() && event.i == 1));
        assert_eq!(journal.tail(2).count().await, 0);
    }

    #[tokio::test]
    async fn a_follower_gets_events_as_they_come() {
        let folder = tempfile::tempdir().unwrap();
        let journal = journal(folder.path());
        let mut tail = Box::pin(journal.tail(0));
        let writer = journal.clone();
        let task = tokio::spawn(async move {
            writer.append(Happening::SuiteStarted { suite: SuiteId::Speed }).await.unwrap();
            writer.append(finished()).await.unwrap();
        });

        assert!(matches!(tail.next().await, Some(Live::Event(event)) if event.i == 0));
        assert!(matches!(tail.next().await, Some(Live::Event(event)) if event.i == 1));
        assert_eq!(tail.next().await, None);
        task.await.unwrap();
    }

    #[tokio::test]
    async fn followers_of_a_run_that_broke_off_are_let_go() {
        let folder = tempfile::tempdir().unwrap();
        let journal = journal(folder.path());
        journal.append(Happening::Waiting { position: 1 }).await.unwrap();
        let follower = tokio::spawn(journal.tail(0).count());
        tokio::task::yield_now().await;

        journal.close();

        let seen = tokio::time::timeout(std::time::Duration::from_secs(5), follower).await.unwrap().unwrap();
        assert_eq!(seen, 1);
    }

    #[tokio::test]
    async fn a_torn_last_line_loses_nothing_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let journal = journal(folder.path());
        journal.append(Happening::Waiting { position: 2 }).await.unwrap();
        let path = folder.path().join(FILE);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(br#"{"i":1,"at":"2026-0"#);
        std::fs::write(&path, &bytes).unwrap();

        assert_eq!(read(folder.path()).unwrap().len(), 1);

        bytes.extend_from_slice(b"\n{\"i\":2}\n");
        std::fs::write(&path, &bytes).unwrap();
        assert!(read(folder.path()).unwrap_err().to_string().contains("line 2"));
    }
}
