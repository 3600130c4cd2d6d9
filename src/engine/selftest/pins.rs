//! What was pinned: the digest of each task under its version, and the verdict on each example under its grader version. A
//! known key never changes its value; new keys are added by hand (`benchloop selftest --pin`).

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use super::{
    super::{
        check::{GRADER_VERSION, Said},
        suite::{self, Task},
    },
    Fault, FaultKind,
};
use crate::domain::verdict::Verdict;

/// The two files, below the suites' folder.
const DIGESTS: &str = "pins/digests.txt";
const VERDICTS: &str = "pins/verdicts.txt";

/// A pin file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("write {path}: {source}")]
pub struct PinError {
    path: String,
    source: std::io::Error,
}

/// The pinned values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pins {
    digests: BTreeMap<String, String>,
    verdicts: BTreeMap<String, String>,
    adding: bool,
}

const NEW: &str = "is new: pin it with `benchloop selftest --folder suites --pin`";

/// How a value differs from what was pinned.
enum Found {
    New,
    Changed(String),
}

/// `None` if the key has this value, or has it from now on.
fn compare(known: &mut BTreeMap<String, String>, adding: bool, key: String, now: String) -> Option<Found> {
    match known.get(&key) {
        Some(was) if *was == now => None,
        Some(was) => Some(Found::Changed(was.clone())),
        None if adding => {
            known.insert(key, now);
            None
        }
        None => Some(Found::New),
    }
}

fn lines(text: &str) -> BTreeMap<String, String> {
    let split = |line: &str| line.split_once(": ").map(|(key, value)| (key.to_owned(), value.to_owned()));
    text.lines().filter_map(split).collect()
}

/// A short stable name for an answer (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn digest_key(task: &Task) -> String {
    format!("{}/{} version {}, grader {GRADER_VERSION}", task.suite, task.id, task.version)
}

fn verdict_key(task: &Task, name: &str, turns: &[Said]) -> String {
    let mut said = String::new();
    for turn in turns {
        let calls: Vec<String> =
            turn.calls.iter().map(|call| format!("{}({})", call.name, call.arguments_raw)).collect();
        _ = write!(said, "{}\u{1f}{}\u{1e}", turn.text, calls.join("\u{1f}"));
    }
    let (suite, id, version) = (task.suite, &task.id, task.version);
    format!("{suite}/{id} version {version}, grader {GRADER_VERSION}, {name} {:016x}", fingerprint(&said))
}

fn verdict_value(verdict: &Verdict) -> String {
    let parts: Vec<String> = verdict.parts.iter().map(|part| format!("{:.3}", part.score)).collect();
    format!("{:.4} = {}", verdict.score, parts.join(" "))
}

impl Pins {
    /// The pins that belong to the suites of a source; none where the files are missing. With `adding`, what is new is
    /// taken in instead of being a fault.
    pub fn read(source: &suite::Source, adding: bool) -> Self {
        let text = |name| source.read(name).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        Self { digests: lines(&text(DIGESTS)), verdicts: lines(&text(VERDICTS)), adding }
    }

    /// Whether the task is what its version says.
    pub fn check_digest(&mut self, task: &Task) -> Option<Fault> {
        let (kind, why) = match compare(&mut self.digests, self.adding, digest_key(task), task.digest.clone())? {
            Found::New => (FaultKind::NotPinned, format!("the task {NEW}")),
            Found::Changed(was) => (
                FaultKind::Digest,
                format!(
                    "changed under version {}, so that results no longer compare: raise its version; was {was}, now {}",
                    task.version, task.digest
                ),
            ),
        };
        Some(Fault { task: format!("{}/{}", task.suite, task.id), kind, why })
    }

    /// Whether an example is judged as it was.
    pub fn check_verdict(&mut self, task: &Task, name: &str, turns: &[Said], verdict: &Verdict) -> Option<Fault> {
        let now = verdict_value(verdict);
        let (kind, why) = match compare(&mut self.verdicts, self.adding, verdict_key(task, name, turns), now.clone())? {
            Found::New => (FaultKind::NotPinned, format!("{name} {NEW}")),
            Found::Changed(was) => (
                FaultKind::Verdict,
                format!(
                    "{name} is judged differently by the same grader version: raise GRADER_VERSION; was {was}, now {now}"
                ),
            ),
        };
        Some(Fault { task: format!("{}/{}", task.suite, task.id), kind, why })
    }

    /// Writes both files below `folder`.
    pub fn write(&self, folder: &Path) -> Result<(), PinError> {
        for (name, pins) in [(DIGESTS, &self.digests), (VERDICTS, &self.verdicts)] {
            let path = folder.join(name);
            let text: String = pins.iter().map(|(key, value)| format!("{key}: {value}\n")).collect();
            let failed = |source| PinError { path: path.display().to_string(), source };
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(failed)?;
            }
            std::fs::write(&path, text).map_err(failed)?;
        }
        Ok(())
    }
}
