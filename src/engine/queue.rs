//! One run at a time per machine that serves models, in the order of arrival, with true positions.
//!
//! All loopback addresses are one lane, since they share this machine; every other host has its own, whatever the
//! spelling of its URL. A lock file per lane keeps other processes (a CLI run beside a server) apart as well.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::sync::watch;

use crate::domain::{
    chat::machine_of,
    id::{RunId, slug},
};

/// Cheap to clone.
#[derive(Clone)]
pub struct Queue {
    lanes: Arc<Mutex<BTreeMap<String, Vec<RunId>>>>,
    changed: Arc<watch::Sender<()>>,
    folder: Arc<PathBuf>,
}

/// The lane of an endpoint.
pub fn lane(endpoint: &str) -> String {
    machine_of(endpoint)
}

/// A place in a lane; leaving it, for whatever reason, moves the others up.
pub struct Place {
    queue: Queue,
    lane: String,
    run: RunId,
    file: Option<File>,
    /// The position that was last told; 0 = none.
    told: u32,
}

impl Queue {
    /// `folder` holds the lock files.
    pub fn new(folder: PathBuf) -> Self {
        Self { lanes: Arc::default(), changed: Arc::new(watch::Sender::new(())), folder: Arc::new(folder) }
    }

    /// Takes the next place in the endpoint's lane.
    pub fn enter(&self, endpoint: &str, run: RunId) -> Place {
        let lane = lane(endpoint);
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.entry(lane.clone()).or_default().push(run.clone());
        drop(lanes);
        Place { queue: self.clone(), lane, run, file: None, told: 0 }
    }

    /// Who measures on the endpoint's machine now: a run of this process, or `Some(None)` for one of another process.
    pub fn holder(&self, endpoint: &str) -> Option<Option<RunId>> {
        let lane = lane(endpoint);
        let lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = lanes.get(&lane).and_then(|lane| lane.first()) {
            return Some(Some(run.clone()));
        }
        let file = File::open(self.file_of(&lane)).ok()?;
        matches!(file.try_lock(), Err(TryLockError::WouldBlock)).then_some(None)
    }

    fn file_of(&self, lane: &str) -> PathBuf {
        self.folder.join(format!("{}.lock", slug(lane)))
    }
}

impl Place {
    /// Runs before this one in this process; 0 = it is this one's turn.
    pub fn position(&self) -> u32 {
        let lanes = self.queue.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = lanes.get(&self.lane).map(Vec::as_slice).unwrap_or_default();
        lane.iter().position(|run| *run == self.run).unwrap_or(0) as u32
    }

    /// Waits until something changes for this place: `Some` is its new position, `None` says that its turn has come.
    pub async fn moved(&mut self) -> Option<u32> {
        let mut changed = self.queue.changed.subscribe();
        loop {
            changed.mark_unchanged();
            let position = self.position();
            if position == 0 {
                break;
            }
            if position != self.told {
                self.told = position;
                return Some(position);
            }
            if changed.changed().await.is_err() {
                break;
            }
        }
        // first in this process; now the other processes
        while !self.lock_lane() {
            if self.told != 1 {
                self.told = 1;
                return Some(1);
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        None
    }

    /// Whether this process has the lane. Where lock files can't be had, processes are not kept apart.
    fn lock_lane(&mut self) -> bool {
        if fs::create_dir_all(self.queue.folder.as_path()).is_err() {
            return true;
        }
        let path = self.queue.file_of(&self.lane);
        let Ok(file) = File::options().create(true).append(true).open(path) else { return true };
        match file.try_lock() {
            Ok(()) => {
                self.file = Some(file);
                true
            }
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(_)) => true,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lanes = self.queue.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = lanes.get_mut(&self.lane) {
            lane.retain(|run| *run != self.run);
            if lane.is_empty() {
                lanes.remove(&self.lane);
            }
        }
        drop(lanes);
        self.queue.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_this_machine_are_one_lane() {
        for endpoint in [
            "http://localhost:1",
            "127.0.0.1:2",
            "http://[::1]:3/v1",
            "http://127.0.0.9",
            "http://0.0.0.0:5",
            "http://a.localhost",
        ] {
            assert_eq!(lane(endpoint), "this-machine", "{endpoint}");
        }
        assert_eq!(lane("http://Box.lan:8080/v1"), lane("https://box.lan"));
    }

    #[tokio::test]
    async fn a_cancelled_run_leaves_its_place_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let queue = Queue::new(folder.path().to_owned());
        let id = |n: u32| format!("run-{n}").parse::<RunId>().unwrap();
        let mut first = queue.enter("http://localhost:1", id(1));
        assert_eq!(first.moved().await, None);
        let second = queue.enter("http://127.0.0.1:2", id(2));
        let mut third = queue.enter("http://[::1]:3", id(3));
        assert_eq!((second.position(), third.position()), (1, 2));

        drop(second);
        assert_eq!(third.position(), 1);
        assert_eq!(third.moved().await, Some(1));
        drop(first);

        assert_eq!(third.moved().await, None);
    }

    #[tokio::test]
    async fn who_measures_on_a_machine_is_known_to_all_processes() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (Queue::new(folder.path().to_owned()), Queue::new(folder.path().to_owned()));
        let run: RunId = "a".parse().unwrap();
        assert_eq!(ours.holder("http://localhost:1"), None);
        let mut place = ours.enter("http://localhost:1", run.clone());
        assert_eq!(place.moved().await, None);

        assert_eq!(ours.holder("http://127.0.0.1:2"), Some(Some(run)));
        assert_eq!(theirs.holder("http://[::1]:3"), Some(None));
        assert_eq!(theirs.holder("http://box.lan"), None);
        drop(place);
        assert_eq!((ours.holder("http://localhost:1"), theirs.holder("http://localhost:1")), (None, None));
    }

    #[tokio::test]
    async fn two_processes_share_a_lane() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (Queue::new(folder.path().to_owned()), Queue::new(folder.path().to_owned()));
        let mut first = ours.enter("http://localhost:1", "a".parse().unwrap());
        assert_eq!(first.moved().await, None);
        let mut second = theirs.enter("http://localhost:1", "b".parse().unwrap());
        assert_eq!(second.moved().await, Some(1));
        assert!(tokio::time::timeout(Duration::from_millis(100), second.moved()).await.is_err());

        drop(first);

        assert_eq!(tokio::time::timeout(Duration::from_secs(5), second.moved()).await, Ok(None));
    }
}
