//! Runs on disk: one folder per run with its journal, its record and its lock. Files are the truth; the index in memory
//! is made from them and looks again where a file changed. Imports: domain, journal, std.

use std::{
    collections::BTreeMap,
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use serde_json::Value;

use super::journal::{self, JournalError};
use crate::domain::{
    event::{Happening, RunEvent, Trial},
    id::{RunId, SuiteId},
    record::{RunRecord, RunRow},
    run::{RunStatus, RunView},
    score,
};

/// The record's file in a run's folder.
pub const RECORD: &str = "run.json";
const LOCK: &str = "run.lock";

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("find run {0}: no folder of that name holds a run; `benchloop list` shows them")]
    NotFound(String),
    #[error("find trial {trial} of {suite}/{task} in run {run}: there is none that has ended")]
    NoTrial { run: RunId, suite: SuiteId, task: String, trial: u32 },
    #[error("use {path}: {source}; check free space and permissions", path = .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("write the record of run {run}: {source}")]
    Record { run: RunId, source: serde_json::Error },
}

/// A file's time and length; `None` if there is no such file.
type Stamp = Option<(SystemTime, u64)>;

/// A run as it was read, and the stamps of its record and journal then.
struct Known {
    record: Stamp,
    journal: Stamp,
    row: RunRow,
}

/// The folder of runs and what is known of it. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    runs: Arc<PathBuf>,
    index: Arc<Mutex<BTreeMap<RunId, Known>>>,
}

/// Writes beside, syncs and renames, so that a reader sees the old file or the new one and nothing between.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, bytes, &mut File::options())
}

/// As [`write_atomically`], readable by its owner alone from the first byte on.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    write_with(path, bytes, &mut options)
}

fn write_with(path: &Path, bytes: &[u8], options: &mut fs::OpenOptions) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let beside = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let mut write = || {
        // a file left by a crash may have another mode
        _ = fs::remove_file(&beside);
        let mut file = options.write(true).create_new(true).open(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&beside))
}

fn stamp(path: &Path) -> Stamp {
    let meta = fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// Holds a run's lock while its process lives.
pub struct RunLock {
    _file: File,
}

impl Store {
    pub fn new(home: &Path) -> Self {
        Self { runs: Arc::new(home.join("runs")), index: Arc::default() }
    }

    /// A run's folder. The id is checked when it is made or parsed, so it can't leave the folder of runs.
    pub fn folder(&self, id: &RunId) -> PathBuf {
        self.runs.join(id.as_str())
    }

    /// Makes a run's folder and takes its lock.
    pub fn create(&self, id: &RunId) -> Result<RunLock, StoreError> {
        let folder = self.folder(id);
        let file_error = |source| StoreError::File { path: folder.clone(), source };
        fs::create_dir_all(self.runs.as_path()).map_err(file_error)?;
        fs::create_dir(&folder).map_err(file_error)?;
        let file = File::create(folder.join(LOCK)).map_err(file_error)?;
        file.lock().map_err(file_error)?;
        Ok(RunLock { _file: file })
    }

    /// Whether a living process holds the run.
    fn is_held(&self, id: &RunId) -> bool {
        let Ok(file) = File::open(self.folder(id).join(LOCK)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    pub fn write_record(&self, record: &RunRecord) -> Result<(), StoreError> {
        let run = record.run_id.clone();
        let bytes = serde_json::to_vec_pretty(record).map_err(|source| StoreError::Record { run, source })?;
        let path = self.folder(&record.run_id).join(RECORD);
        write_atomically(&path, &bytes).map_err(|source| StoreError::File { path, source })
    }

    fn require(&self, id: &RunId) -> Result<PathBuf, StoreError> {
        let folder = self.folder(id);
        if folder.is_dir() { Ok(folder) } else { Err(StoreError::NotFound(id.to_string())) }
    }

    /// The events of a run, from disk.
    pub fn events(&self, id: &RunId) -> Result<Vec<RunEvent>, StoreError> {
        Ok(journal::read(&self.require(id)?)?)
    }

    /// Folds a run from disk. One without end whose process is gone is interrupted.
    pub fn view(&self, id: &RunId) -> Result<RunView, StoreError> {
        Ok(self.read(id)?.1)
    }

    /// A run's events and their fold, from one reading of the file.
    pub fn read(&self, id: &RunId) -> Result<(Vec<RunEvent>, RunView), StoreError> {
        let events = self.events(id)?;
        let mut view = RunView::of(id.clone(), &events);
        if view.status.is_active() && !self.is_held(id) {
            view.status = RunStatus::Interrupted;
            view.position = None;
            view.current = None;
            view.error = Some("the process that ran it ended; every finished trial is kept".to_owned());
        }
        Ok((events, view))
    }

    /// One trial with its whole transcript.
    pub fn trial(&self, id: &RunId, suite: SuiteId, task: &str, trial: u32) -> Result<Trial, StoreError> {
        let found = self.events(id)?.into_iter().find_map(|event| match event.what {
            Happening::TrialFinished(found) if found.suite == suite && found.task == task && found.trial == trial => {
                Some(*found)
            }
            _ => None,
        });
        found.ok_or_else(|| StoreError::NoTrial { run: id.clone(), suite, task: task.to_owned(), trial })
    }

    /// The text of `run.json`; `None` while there is none.
    pub fn record_text(&self, id: &RunId) -> Result<Option<String>, StoreError> {
        let path = self.require(id)?.join(RECORD);
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(StoreError::File { path, source }),
        }
    }

    /// All runs, newest first. A folder that can't be read is listed with its reason.
    pub fn rows(&self) -> Vec<RunRow> {
        let Ok(entries) = fs::read_dir(self.runs.as_path()) else { return Vec::new() };
        let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh = BTreeMap::new();
        for entry in entries.flatten().filter(|entry| entry.path().is_dir()) {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<RunId>().ok()) else { continue };
            let (record, journal) = (stamp(&entry.path().join(RECORD)), stamp(&entry.path().join(journal::FILE)));
            let known = index
                .remove(&id)
                .filter(|known| known.record == record && known.journal == journal && !known.row.status.is_active());
            let row = known.map_or_else(|| self.read_row(&id), |known| known.row);
            fresh.insert(id, Known { record, journal, row });
        }
        *index = fresh;
        index.values().rev().map(|known| known.row.clone()).collect()
    }

    fn read_row(&self, id: &RunId) -> RunRow {
        match self.row_from_record(id) {
            Ok(Some(row)) => row,
            Ok(None) => match self.view(id) {
                Ok(view) => RunRow::of(&view),
                Err(error) => RunRow::unreadable(id.clone(), error.to_string()),
            },
            // a record that broke is made again from the journal, which `show` reads too
            Err(why) => match self.view(id) {
                Ok(view) if view.plan.is_some() => RunRow::of(&view),
                _ => RunRow::unreadable(id.clone(), why),
            },
        }
    }

    /// The summary inside `run.json`; `None` if there is no such file; the reason if it is not ours to read.
    fn row_from_record(&self, id: &RunId) -> Result<Option<RunRow>, String> {
        let Some(text) = self.record_text(id).map_err(|error| error.to_string())? else { return Ok(None) };
        let mut record: Value = serde_json::from_str(&text).map_err(|error| format!("read {RECORD}: {error}"))?;
        match record.get("score_schema_version").and_then(Value::as_str) {
            Some(score::SCHEMA) => {}
            Some(other) => {
                return Err(format!("written with score schema {other}; this version reads {}", score::SCHEMA));
            }
            None => return Err("written before score schemas had a version; not read by this version".to_owned()),
        }
        let summary = record.get_mut("summary").map(Value::take).unwrap_or_default();
        match serde_json::from_value(summary) {
            Ok(row) => Ok(Some(row)),
            // the journal still has everything
            Err(_) if self.folder(id).join(journal::FILE).exists() => Ok(None),
            Err(error) => Err(format!("read the summary in {RECORD}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b15_a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/run.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn one_bad_folder_never_hides_the_others() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::new(home.path());
        for (name, text) in
            [("a-bad", "{"), ("b-old", "{\"version\": \"0.1.0\"}"), ("c-v3", r#"{"score_schema_version": "3.0.0"}"#)]
        {
            let folder = home.path().join("runs").join(name);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(RECORD), text).unwrap();
        }
        fs::create_dir_all(home.path().join("runs/d-empty")).unwrap();

        let rows = store.rows();

        assert_eq!(rows.len(), 4);
        assert!(rows.iter().all(|row| row.status == RunStatus::Unreadable && row.error.is_some()));
        assert!(rows.iter().any(|row| row.error.as_deref().is_some_and(|why| why.contains("schema 3.0.0"))));
    }

    #[test]
    fn a_journal_without_end_is_interrupted_once_its_lock_is_free() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::new(home.path());
        let id: RunId = "20260101T000000Z-m-aaaaaa".parse().unwrap();
        let lock = store.create(&id).unwrap();
        fs::write(
            store.folder(&id).join(journal::FILE),
            "{\"i\":0,\"at\":\"2026-01-01T00:00:00Z\",\"type\":\"waiting\",\"position\":1}\n",
        )
        .unwrap();
        // the lock belongs to this process, but to another handle: it counts as held
        assert_eq!(store.view(&id).unwrap().status, RunStatus::Queued);

        drop(lock);

        assert_eq!(store.view(&id).unwrap().status, RunStatus::Interrupted);
        assert_eq!(store.rows()[0].status, RunStatus::Interrupted);
    }
}
