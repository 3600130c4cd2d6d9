//! A pull: a model that Ollama fetches for us. The lines of its stream fold into one [`PullView`]; nothing here knows
//! sockets or clocks.
//!
//! Progress counts all layers seen so far and never goes back, though layers are announced one by one and Ollama's own
//! counts sometimes do. A pull has succeeded only when Ollama wrote its final `success` and then lists the model.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{id::closed_set, unit};

closed_set! {
    /// How far a pull is.
    PullState, "pull state" {
        /// Asked for; nothing came yet.
        Starting = "starting",
        Pulling = "pulling",
        /// All bytes are there; Ollama checks and writes.
        Verifying = "verifying",
        /// Ollama said success; its list is read for the model.
        Confirming = "confirming",
        Success = "success",
        Failed = "error",
        Cancelled = "cancelled",
    }
}

impl PullState {
    pub const fn is_active(self) -> bool {
        !matches!(self, Self::Success | Self::Failed | Self::Cancelled)
    }
}

/// A pull as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PullView {
    pub id: String,
    pub model: String,
    pub endpoint: String,
    pub state: PullState,
    /// Ollama's own words.
    pub said: String,
    /// 0 to 100, over all layers seen; never goes back, 100 only after success.
    pub progress: f64,
    /// Bytes of all layers seen.
    pub completed: u64,
    pub total: u64,
    /// Bytes per second over the last ten seconds; `None` until there are two points to tell from.
    pub rate: Option<f64>,
    /// Seconds until all layers seen are there.
    pub left_s: Option<f64>,
    /// The layer that moved last.
    pub digest: Option<String>,
    pub error: Option<String>,
    /// What helps against the error.
    pub advice: Option<String>,
    /// Unix seconds.
    pub started_at: f64,
    pub updated_at: f64,
    pub finished_at: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Layer {
    total: u64,
    completed: u64,
    /// Bytes that were there when the layer was first seen: resumed, not loaded.
    resumed: u64,
}

/// Seconds over which the rate is taken.
const WINDOW_S: f64 = 10.0;

/// Folds lines into a view.
#[derive(Debug, Clone)]
pub struct Pull {
    view: PullView,
    layers: BTreeMap<String, Layer>,
    /// Moments and bytes loaded by then.
    window: VecDeque<(f64, u64)>,
    /// Any line had the shape of Ollama's.
    understood: bool,
    /// Ollama wrote `success`.
    succeeded: bool,
}

impl Pull {
    /// A pull that was asked for at `at`, in Unix seconds.
    pub fn new(id: &str, model: &str, endpoint: &str, at: f64) -> Self {
        let view = PullView {
            id: id.to_owned(),
            model: model.to_owned(),
            endpoint: endpoint.to_owned(),
            state: PullState::Starting,
            said: String::new(),
            progress: 0.0,
            completed: 0,
            total: 0,
            rate: None,
            left_s: None,
            digest: None,
            error: None,
            advice: None,
            started_at: at,
            updated_at: at,
            finished_at: None,
        };
        Self { view, layers: BTreeMap::new(), window: VecDeque::new(), understood: false, succeeded: false }
    }

    pub fn view(&self) -> &PullView {
        &self.view
    }

    /// Takes one line of the stream. After an end nothing changes it.
    pub fn line(&mut self, line: &str, at: f64) {
        let line = line.trim();
        if line.is_empty() || !self.view.state.is_active() || self.succeeded {
            return;
        }
        let Ok(value) = line.parse::<Value>() else {
            return self.fail(&strange(line), at);
        };
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        if let Some(error) = error_in(&value) {
            return self.fail(&error, at);
        }
        let Some(status) = text("status") else {
            return self.fail(&strange(line), at);
        };
        self.understood = true;
        self.view.updated_at = at;
        self.view.said = unit::cut(status, 200);
        let number = |name: &str| value.get(name).and_then(Value::as_u64);
        match (text("digest"), number("total")) {
            (Some(digest), Some(total)) if total > 0 => {
                self.layer(digest, total, number("completed").unwrap_or(0), at);
                self.view.state = PullState::Pulling;
            }
            _ if status.eq_ignore_ascii_case("success") => {
                self.succeeded = true;
                self.view.state = PullState::Confirming;
                (self.view.rate, self.view.left_s) = (None, None);
            }
            _ if ["verifying", "writing", "removing"].iter().any(|word| status.starts_with(word)) => {
                self.view.state = PullState::Verifying;
                (self.view.rate, self.view.left_s) = (None, None);
            }
            _ => {}
        }
    }

    fn layer(&mut self, digest: &str, total: u64, completed: u64, at: f64) {
        let completed = completed.min(total);
        let layer = self.layers.entry(digest.to_owned()).or_insert(Layer { total, completed, resumed: completed });
        layer.total = layer.total.max(total);
        layer.completed = layer.completed.max(completed);
        let sum = |of: fn(&Layer) -> u64| self.layers.values().fold(0_u64, |sum, layer| sum.saturating_add(of(layer)));
        let (total, completed) = (sum(|layer| layer.total), sum(|layer| layer.completed));
        let loaded = completed.saturating_sub(sum(|layer| layer.resumed));
        let share = completed as f64 / total.max(1) as f64 * 100.0;
        self.view.progress = self.view.progress.max(share.min(99.9));
        (self.view.total, self.view.completed) = (total, completed);
        self.view.digest = Some(digest.to_owned());
        self.rate(loaded, at);
    }

    fn rate(&mut self, loaded: u64, at: f64) {
        self.window.push_back((at, loaded));
        while self.window.len() > 2 && self.window.front().is_some_and(|(then, _)| at - then > WINDOW_S) {
            self.window.pop_front();
        }
        let first = self.window.front().copied().unwrap_or((at, loaded));
        let seconds = at - first.0;
        self.view.rate = (seconds >= 0.5).then(|| loaded.saturating_sub(first.1) as f64 / seconds);
        let left = self.view.total.saturating_sub(self.view.completed);
        self.view.left_s = self.view.rate.filter(|rate| *rate >= 1.0).map(|rate| left as f64 / rate);
    }

    /// The stream has ended; without `success` that is a failure.
    pub fn ended(&mut self, at: f64) {
        if !self.view.state.is_active() || self.succeeded {
            return;
        }
        let why = if self.understood {
            format!("the stream ended after {:?}, before Ollama said success", self.view.said)
        } else {
            "the server answered, but wrote nothing that Ollama would write".to_owned()
        };
        self.fail(&why, at);
    }

    /// Whether Ollama wrote its final line.
    pub fn has_succeeded(&self) -> bool {
        self.succeeded
    }

    /// The model is in the server's list: the pull is done.
    pub fn confirmed(&mut self, at: f64) {
        if self.succeeded && self.view.state.is_active() {
            self.view.progress = 100.0;
            self.view.completed = self.view.total;
            self.end(PullState::Success, at);
        }
    }

    /// Ends it with an error, in the server's words or ours.
    pub fn fail(&mut self, why: &str, at: f64) {
        if self.view.state.is_active() {
            self.view.error = Some(unit::cut(why, 400));
            self.view.advice = advice(why).map(str::to_owned);
            self.end(PullState::Failed, at);
        }
    }

    /// The user stopped it.
    pub fn cancelled(&mut self, at: f64) {
        if self.view.state.is_active() {
            self.end(PullState::Cancelled, at);
        }
    }

    fn end(&mut self, state: PullState, at: f64) {
        self.view.state = state;
        (self.view.rate, self.view.left_s) = (None, None);
        (self.view.updated_at, self.view.finished_at) = (at, Some(at));
    }
}

/// The error a line or body carries: Ollama writes a text, others an object with a message.
pub fn error_in(value: &Value) -> Option<String> {
    let error = value.get("error")?;
    let text = error.as_str().or_else(|| error.get("message").and_then(Value::as_str));
    match (text.map(str::trim), error) {
        (Some(text), _) if !text.is_empty() => Some(text.to_owned()),
        (_, Value::Null | Value::Bool(false)) => None,
        _ => Some("the server reports an error without words".to_owned()),
    }
}

fn strange(line: &str) -> String {
    format!("the server answered in another form than Ollama’s: {}", unit::cut(line, 120))
}

/// What helps against an error of a pull; `None` where nothing better than its own words can be said.
pub fn advice(error: &str) -> Option<&'static str> {
    let error = error.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| error.contains(word));
    if has(&["no space left", "not enough space", "disk full", "disk is full", "disk quota", "insufficient disk"]) {
        Some(
            "The disk that holds Ollama’s models is full. Free space there or move OLLAMA_MODELS, then try again; what was loaded is kept.",
        )
    } else if has(&["digest mismatch"]) {
        Some("What arrived is not what was asked for. Try again; Ollama loads the damaged part anew.")
    } else if has(&["sharded gguf", "sharded"]) {
        Some("Ollama does not pull a GGUF in several parts. Choose a quantisation in one file.")
    } else if has(&["newer version", "requires a newer", "412"]) {
        Some("Update Ollama, then try again.")
    } else if has(&["unauthorized", "401", "403", "gated", "access to model", "authentication"]) {
        Some(
            "The model is gated or private. Accept its terms on its page and add Ollama’s public key to your account there.",
        )
    } else if has(&["file does not exist", "manifest unknown", "not found", "invalid model name", "does not exist"]) {
        Some("No such model or tag. Check the spelling; a model of Hugging Face is written hf.co/owner/name:QUANT.")
    } else if has(&["does not have a gguf", "not compatible with llama.cpp", "no gguf"]) {
        Some("The repository holds no GGUF file; Ollama pulls nothing else.")
    } else if has(&["no such host", "dial tcp", "lookup ", "network is unreachable", "i/o timeout", "tls handshake"]) {
        Some(
            "Ollama can’t reach the registry. Check the internet connection or proxy of the machine on which it runs, then try again.",
        )
    } else if has(&["permission denied", "read-only file system"]) {
        Some("Ollama may not write to its models folder. Correct its owner or permissions.")
    } else if has(&["nothing is listening", "connection refused"]) {
        Some("Start Ollama, then try again.")
    } else if has(&["ended after", "unexpected eof", "connection reset", "max retries"]) {
        Some("Try again; what was loaded is kept.")
    } else if has(&["another form than ollama", "nothing that ollama would write", "only ollama"]) {
        Some("Choose an Ollama server; other servers load their models by themselves.")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull() -> Pull {
        Pull::new("pull-1", "qwen3:8b", "http://127.0.0.1:11434", 100.0)
    }

    fn fed(lines: &[&str]) -> Pull {
        let mut pull = pull();
        for (at, line) in lines.iter().enumerate() {
            pull.line(line, 101.0 + at as f64);
        }
        pull
    }

    const FIRST: &str = r#"{"status":"pulling aaa","digest":"sha256:aaa","total":1000,"completed":500}"#;

    #[test]
    fn a_layer_that_comes_later_never_takes_progress_back() {
        let mut pull = fed(&[r#"{"status":"pulling manifest"}"#, FIRST]);
        assert_eq!((pull.view().progress, pull.view().total), (50.0, 1000));

        pull.line(r#"{"status":"pulling bbb","digest":"sha256:bbb","total":1000}"#, 105.0);

        assert_eq!((pull.view().progress, pull.view().completed, pull.view().total), (50.0, 500, 2000));
        pull.line(r#"{"status":"pulling aaa","digest":"sha256:aaa","total":1000,"completed":400}"#, 106.0);
        assert_eq!(pull.view().completed, 500, "a count that goes back is not believed");
        pull.line(r#"{"status":"pulling bbb","digest":"sha256:bbb","total":1000,"completed":1000}"#, 107.0);
        assert_eq!(pull.view().progress, 75.0);
    }

    #[test]
    fn success_needs_the_final_line_and_the_list() {
        let done = r#"{"status":"pulling aaa","digest":"sha256:aaa","total":1000,"completed":1000}"#;
        let mut pull = fed(&[done, r#"{"status":"verifying sha256 digest"}"#]);
        assert_eq!(pull.view().state, PullState::Verifying);
        assert_eq!(pull.view().progress, 99.9, "all bytes are not yet a success");
        pull.confirmed(110.0);
        assert_eq!(pull.view().state, PullState::Verifying, "nothing is confirmed before success");

        pull.line(r#"{"status":"success"}"#, 111.0);
        pull.ended(112.0);
        assert_eq!(pull.view().state, PullState::Confirming);
        pull.confirmed(113.0);

        assert_eq!((pull.view().state, pull.view().progress), (PullState::Success, 100.0));
        assert_eq!(pull.view().finished_at, Some(113.0));
    }

    #[test]
    fn whatever_is_no_success_is_an_error_with_words() {
        for (lines, expected) in [
            (vec![FIRST], "before Ollama said success"),
            (vec![], "wrote nothing"),
            (vec![FIRST, r#"{"error":"write /x: no space left on device"}"#], "no space left"),
            (vec![r#"{"error":{"message":"model is gone"}}"#], "model is gone"),
            (vec!["<html>hello</html>"], "another form than Ollama"),
            (vec![r#"{"id":"cmpl-1","choices":[]}"#], "another form than Ollama"),
            (vec![r#"{"error":{}}"#], "without words"),
        ] {
            let mut pull = fed(&lines);
            pull.ended(200.0);
            assert_eq!(pull.view().state, PullState::Failed, "{lines:?}");
            let error = pull.view().error.clone().unwrap();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn after_its_end_nothing_changes_a_pull() {
        let mut pull = fed(&[FIRST]);
        pull.cancelled(110.0);
        let before = pull.view().clone();
        pull.line(r#"{"status":"success"}"#, 111.0);
        pull.confirmed(112.0);
        pull.fail("late", 113.0);
        assert_eq!(*pull.view(), before);
        assert_eq!(before.state, PullState::Cancelled);
    }

    #[test]
    fn the_rate_leaves_out_what_was_there_before() {
        let line = |completed: u64| {
            format!(r#"{{"status":"pulling aaa","digest":"sha256:aaa","total":10000,"completed":{completed}}}"#)
        };
        let mut pull = pull();
        pull.line(&line(6000), 100.0);
        assert_eq!(pull.view().rate, None);
        pull.line(&line(6200), 102.0);
        assert_eq!((pull.view().rate, pull.view().left_s), (Some(100.0), Some(38.0)));
        // ten seconds later the start has left the window
        pull.line(&line(6400), 111.0);
        pull.line(&line(7400), 116.0);
        assert_eq!(pull.view().rate, Some(200.0));
    }

    #[test]
    fn a_full_disk_and_other_known_causes_get_advice() {
        for (error, expected) in [
            ("write /root/.ollama/blobs/x: no space left on device", "full"),
            ("pull model manifest: file does not exist", "spelling"),
            ("pull model manifest: 412: The model requires a newer version of Ollama", "Update"),
            ("dial tcp: lookup registry.ollama.ai: no such host", "internet"),
            ("digest mismatch, file must be downloaded again", "again"),
            ("pull model manifest: 400: The specified repository contains sharded GGUF", "one file"),
        ] {
            assert!(advice(error).is_some_and(|text| text.contains(expected)), "{error}: {:?}", advice(error));
        }
        assert_eq!(advice("the cat sat on the cable"), None);
    }
}
