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
    id::{RunId, slug},
    record::{host_of, is_loopback},
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
    let host = host_of(endpoint).to_ascii_lowercase();
    if is_loopback(&host) { "this-machine".to_owned() } else { host }
}

/// A place in a lane; leaving it, for whatever reason, moves the others up.
pub struct Place {
    queue: Queue,
    lane: String,
    run: RunId,
    file: Option<File>,
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
        Place { queue: self.clone(), lane, run, file: None }
    }
}

impl Place {
    /// Runs before this one in this process; 0 = it is this one's turn.
    pub fn position(&self) -> u32 {
        let lanes = self.queue.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = lanes.get(&self.lane).map(Vec::as_slice).unwrap_or_default();
        lane.iter().position(|run| *run == self.run).unwrap_or(0) as u32
    }

    /// Waits for the turn; tells each new position.
    pub async fn turn(&mut self, mut moved: impl AsyncFnMut(u32)) {
        let mut changed = self.queue.changed.subscribe();
        let mut told = 0;
        loop {
            changed.mark_unchanged();
            let position = self.position();
            if position == 0 {
                break;
            }
            if position != told {
                told = position;
                moved(position).await;
            }
            if changed.changed().await.is_err() {
                break;
            }
        }
        // first in this process; now the other processes
        while !self.lock_lane() {
            if told != 1 {
                told = 1;
                moved(1).await;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    /// Whether this process has the lane. Where lock files can't be had, processes are not kept apart.
    fn lock_lane(&mut self) -> bool {
        if fs::create_dir_all(self.queue.folder.as_path()).is_err() {
            return true;
        }
        let path = self.queue.folder.join(format!("{}.lock", slug(&self.lane)));
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
        for endpoint in ["http://localhost:1", "127.0.0.1:2", "http://[::1]:3/v1", "http://127.0.0.9"] {
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
        first.turn(async |_| panic!("the first run waits for nobody")).await;
        let second = queue.enter("http://127.0.0.1:2", id(2));
        let mut third = queue.enter("http://[::1]:3", id(3));
        assert_eq!((second.position(), third.position()), (1, 2));

        drop(second);
        assert_eq!(third.position(), 1);
        drop(first);
        third.turn(async |_| ()).await;

        assert_eq!(third.position(), 0);
    }

    #[tokio::test]
    async fn two_processes_share_a_lane() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, theirs) = (Queue::new(folder.path().to_owned()), Queue::new(folder.path().to_owned()));
        let mut first = ours.enter("http://localhost:1", "a".parse().unwrap());
        first.turn(async |_| ()).await;
        let mut second = theirs.enter("http://localhost:1", "b".parse().unwrap());
        let waiting = tokio::time::timeout(Duration::from_millis(100), second.turn(async |_| ())).await;
        assert!(waiting.is_err());

        drop(first);

        tokio::time::timeout(Duration::from_secs(5), second.turn(async |_| ())).await.unwrap();
    }
}
