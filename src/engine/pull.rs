//! Pulls through Ollama's `POST /api/pull`. They live here, not in a page: a reload finds them again, any number of
//! watchers follows one, and each hears the latest state. Imports: domain, client types, clock, discover, http, tokio.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::{Stream, stream};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::info;

use super::{
    client::{BadUrl, BaseUrl, Frame, Frames, Framing, Secret, quote},
    clock, discover,
    http::{self, HttpError},
    random_text,
};
use crate::domain::{
    id::Wire,
    pull::{Pull, PullState, PullView, error_in},
};

/// Until the server accepts the connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Silence after which a stream is given up; checking a large file is silent for minutes.
const SILENCE: Duration = Duration::from_secs(900);
/// Seconds for which an ended pull can be looked at.
const KEPT_S: f64 = 3600.0;
/// Pulls that may go on at the same time.
const AT_ONCE: usize = 8;
/// How often and in which distance the list is read for a model that was pulled.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(400);

#[derive(Debug, thiserror::Error)]
pub enum PullError {
    #[error("pull: the name of the model is missing, for example qwen3:8b or hf.co/owner/name:Q4_K_M")]
    NoModel,
    #[error("pull {0:?}: a model's name holds no spaces and at most 300 characters")]
    BadModel(String),
    #[error(transparent)]
    BadUrl(#[from] BadUrl),
    #[error("pull {0}: {AT_ONCE} pulls are on their way; wait for one or cancel it")]
    Full(String),
    #[error("find pull {0}: it is unknown or was ended more than an hour ago")]
    NotFound(String),
    #[error("cancel pull {0}: it has ended")]
    Ended(String),
}

struct Entry {
    state: Arc<watch::Sender<PullView>>,
    cancel: CancellationToken,
}

/// All pulls of this process. Cheap to clone.
#[derive(Clone, Default)]
pub struct Pulls {
    entries: Arc<Mutex<BTreeMap<String, Entry>>>,
}

fn unix() -> f64 {
    clock::utc().timestamp_millis() as f64 / 1000.0
}

/// `pull-<unix seconds>-<model>-<random>`.
fn new_id(model: &str, at: f64) -> String {
    let slug: String =
        model.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' }).collect();
    let slug: String = slug.trim_matches(['-', '.']).chars().take(60).collect();
    format!("pull-{at:.0}-{slug}-{}", random_text(6))
}

impl Pulls {
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a pull; one of the same model on the same server that is on its way is joined, an ended one replaced.
    pub fn start(
        &self,
        model: &str,
        base: BaseUrl,
        key: Option<Secret>,
        shutdown: &CancellationToken,
    ) -> Result<PullView, PullError> {
        let model = model.trim();
        if model.is_empty() {
            return Err(PullError::NoModel);
        }
        if model.chars().count() > 300 || model.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(PullError::BadModel(model.chars().take(80).collect()));
        }
        let at = unix();
        let mut entries = self.lock();
        entries.retain(|_, entry| entry.state.borrow().finished_at.is_none_or(|end| at - end < KEPT_S));
        let same = |view: &PullView| view.model == model && view.endpoint == base.as_str();
        if let Some(entry) =
            entries.values().find(|entry| same(&entry.state.borrow()) && entry.state.borrow().state.is_active())
        {
            return Ok(entry.state.borrow().clone());
        }
        if entries.values().filter(|entry| entry.state.borrow().state.is_active()).count() >= AT_ONCE {
            return Err(PullError::Full(model.to_owned()));
        }
        entries.retain(|_, entry| !same(&entry.state.borrow()));
        let pull = Pull::new(&new_id(model, at), model, base.as_str(), at);
        let view = pull.view().clone();
        let state = Arc::new(watch::Sender::new(view.clone()));
        let cancel = shutdown.child_token();
        entries.insert(view.id.clone(), Entry { state: state.clone(), cancel: cancel.clone() });
        drop(entries);
        info!(pull.id = %view.id, "pull started");
        tokio::spawn(async move { drive(pull, base, key, state, cancel).await });
        Ok(view)
    }

    /// All that are known, newest first.
    pub fn list(&self) -> Vec<PullView> {
        let at = unix();
        let mut views: Vec<PullView> = self.lock().values().map(|entry| entry.state.borrow().clone()).collect();
        views.retain(|view| view.finished_at.is_none_or(|end| at - end < KEPT_S));
        views.sort_by(|a, b| b.started_at.total_cmp(&a.started_at).then_with(|| b.id.cmp(&a.id)));
        views
    }

    pub fn view(&self, id: &str) -> Result<PullView, PullError> {
        let entries = self.lock();
        entries
            .get(id)
            .map(|entry| entry.state.borrow().clone())
            .ok_or_else(|| PullError::NotFound(id.chars().take(120).collect()))
    }

    /// Stops one. What Ollama has loaded stays there, so that the next pull goes on from it.
    pub async fn cancel(&self, id: &str) -> Result<PullView, PullError> {
        let (mut seen, cancel) = {
            let entries = self.lock();
            let entry = entries.get(id).ok_or_else(|| PullError::NotFound(id.chars().take(120).collect()))?;
            if !entry.state.borrow().state.is_active() {
                return Err(PullError::Ended(id.to_owned()));
            }
            (entry.state.subscribe(), entry.cancel.clone())
        };
        cancel.cancel();
        // the loop hears of it at once; an answer that shows it is worth a moment
        let ended = seen.wait_for(|view| !view.state.is_active());
        _ = tokio::time::timeout(Duration::from_secs(2), ended).await;
        self.view(id)
    }

    /// Takes an ended one off the list.
    pub fn dismiss(&self, id: &str) -> Result<(), PullError> {
        if self.view(id)?.state.is_active() {
            return Ok(());
        }
        self.lock().remove(id);
        Ok(())
    }

    /// The state now and after each change, with its number; the latest is never left out. Ends with the pull.
    pub fn follow(&self, id: &str) -> Result<impl Stream<Item = PullView> + Send + use<>, PullError> {
        let seen = {
            let entries = self.lock();
            entries
                .get(id)
                .map(|entry| entry.state.subscribe())
                .ok_or_else(|| PullError::NotFound(id.chars().take(120).collect()))?
        };
        Ok(stream::unfold((seen, true, false), |(mut seen, first, ended)| async move {
            if ended || (!first && seen.changed().await.is_err()) {
                return None;
            }
            let view = seen.borrow_and_update().clone();
            let ended = !view.state.is_active();
            Some((view, (seen, false, ended)))
        }))
    }
}

/// The whole life of a pull.
async fn drive(
    mut pull: Pull,
    base: BaseUrl,
    key: Option<Secret>,
    state: Arc<watch::Sender<PullView>>,
    cancel: CancellationToken,
) {
    let work = async {
        let hide = |text: &str| key.as_ref().map_or_else(|| text.to_owned(), |key| key.hide_in(text));
        if let Err(why) = read(&mut pull, &base, key.as_ref(), &state).await {
            pull.fail(&hide(&why), unix());
        }
        pull.ended(unix());
        if pull.has_succeeded() {
            state.send_replace(pull.view().clone());
            match listed(&base, key.as_ref(), &pull.view().model).await {
                Ok(()) => pull.confirmed(unix()),
                Err(why) => pull.fail(&hide(&why), unix()),
            }
        }
    };
    let stopped = tokio::select! {
        () = work => false,
        () = cancel.cancelled() => true,
    };
    if stopped {
        pull.cancelled(unix());
    }
    info!(pull.id = %pull.view().id, state = %pull.view().state, "pull ended");
    state.send_replace(pull.view().clone());
}

fn client(base: &BaseUrl) -> Result<reqwest::Client, HttpError> {
    let builder = http::builder(base.is_https())?.connect_timeout(CONNECT).read_timeout(SILENCE);
    Ok(if base.is_private() { builder.no_proxy() } else { builder }.build()?)
}

/// Asks and feeds the fold until the stream ends; an error is what the server or the connection said.
async fn read(
    pull: &mut Pull,
    base: &BaseUrl,
    key: Option<&Secret>,
    state: &watch::Sender<PullView>,
) -> Result<(), String> {
    let client = client(base).map_err(|error| error.to_string())?;
    let model = pull.view().model.clone();
    // older versions read `name`
    let body = json!({"model": model, "name": model, "stream": true});
    let mut request = client.post(base.join("/api/pull")).json(&body);
    if let Some(key) = key {
        request = request.bearer_auth(key.reveal());
    }
    let mut response = request.send().await.map_err(|error| reason(&error, base))?;
    let status = response.status().as_u16();
    if status != 200 {
        let text = response.text().await.unwrap_or_default();
        let said = text.parse::<Value>().ok().and_then(|json| error_in(&json));
        return Err(match (status, said) {
            (_, Some(said)) => said,
            (404 | 405 | 501, None) => {
                format!("the server has no /api/pull (status {status}): only Ollama pulls models")
            }
            (_, None) => format!("the server answered {status}: {}", quote(&text, key.map(Secret::reveal))),
        });
    }
    let mut frames = Frames::new(Framing::Lines);
    let mut lines: Vec<Frame> = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reason(&error, base))? {
        frames.push(&chunk, &mut lines).map_err(|error| error.to_string())?;
        for line in lines.drain(..) {
            pull.line(&line.data, unix());
        }
        state.send_replace(pull.view().clone());
        if !pull.view().state.is_active() || pull.has_succeeded() {
            return Ok(());
        }
    }
    frames.end(&mut lines).map_err(|error| error.to_string())?;
    for line in lines.drain(..) {
        pull.line(&line.data, unix());
    }
    Ok(())
}

/// Whether the server lists the model that it says it has pulled.
async fn listed(base: &BaseUrl, key: Option<&Secret>, model: &str) -> Result<(), String> {
    let mut names = String::new();
    for look in 0..LOOKS {
        if look > 0 {
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        let server = discover::probe(base, key).await;
        if server.wire != Some(Wire::Ollama) {
            names = "it has no list of models as Ollama has one; only Ollama pulls models".to_owned();
            continue;
        }
        let wanted = tagged(model);
        if server.models.iter().any(|known| tagged(&known.name) == wanted) {
            return Ok(());
        }
        names = format!(
            "its list does not have it: {}",
            server.models.iter().take(8).map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ")
        );
    }
    Err(format!("the server said success, but {names}"))
}

/// A name as lists compare: lower case, with a tag, without the registry that goes without saying.
fn tagged(model: &str) -> String {
    let lower = model.to_lowercase();
    let short = lower.strip_prefix("registry.ollama.ai/").unwrap_or(&lower);
    let short = short.strip_prefix("library/").unwrap_or(short).replace("huggingface.co/", "hf.co/");
    let last = short.rsplit('/').next().unwrap_or_default();
    if last.contains(':') { short } else { format!("{short}:latest") }
}

fn reason(error: &reqwest::Error, base: &BaseUrl) -> String {
    if error.is_connect() {
        return format!("nothing is listening at {base}, or it can’t be reached");
    }
    if error.is_timeout() {
        return format!("the server said nothing for {} minutes", SILENCE.as_secs() / 60);
    }
    let mut why = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        why = inner.to_string();
        source = inner.source();
    }
    format!("the stream ended after an error of the connection: {why}")
}

/// Whether old clients still see an ended pull among the active ones: for five minutes.
pub fn is_recent(view: &PullView, now: f64) -> bool {
    view.state.is_active() || view.finished_at.is_some_and(|end| now - end < 300.0)
}

/// The word of old clients for a state: Ollama's own while it goes on.
pub fn status_word(view: &PullView) -> &str {
    match view.state {
        PullState::Starting => "starting",
        PullState::Success => "success",
        PullState::Failed => "error",
        PullState::Cancelled => "cancelled",
        _ if view.said.is_empty() => view.state.as_str(),
        _ => &view.said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_with_their_tag_and_without_the_usual_registry() {
        for (a, b) in [
            ("qwen3", "qwen3:latest"),
            ("registry.ollama.ai/library/qwen3:8b", "qwen3:8b"),
            ("hf.co/Owner/Name:Q4_K_M", "huggingface.co/owner/name:q4_k_m"),
        ] {
            assert_eq!(tagged(a), tagged(b));
        }
        assert_ne!(tagged("qwen3:8b"), tagged("qwen3"));
    }

    #[test]
    fn ids_are_unique_and_hold_no_separators() {
        let ids = [new_id("hf.co/o/n:Q4", 5.0), new_id("hf.co/o/n:Q4", 5.0)];
        assert_ne!(ids[0], ids[1]);
        assert!(ids[0].starts_with("pull-5-hf.co-o-n-Q4-"), "{}", ids[0]);
        assert!(new_id("../../x", 5.0).chars().all(|c| !matches!(c, '/' | ':')));
    }
}
