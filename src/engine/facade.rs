//! [`Engine`]: everything a page, the CLI or a route can ask for. Imports: domain and the engine's parts.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt, future::Either, stream};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::{
    client::{BadUrl, BaseUrl, Client, Secret},
    clock,
    discover::{self, Place},
    endpoints::{self, Endpoint, EndpointsError, Problem},
    hardware, http,
    hub::{Found, Hub, HubError},
    journal::{Journal, JournalError, Live},
    pull::{PullError, Pulls},
    python::Python,
    queue::Queue,
    random_text,
    run::Session,
    store::{RunLock, Store, StoreError},
    suite::{self, SuiteError, Suites},
};
use crate::domain::{
    chat::ChatError,
    event::{Ending, Happening, RunEvent, Trial},
    hub::{HubPage, HubQuery},
    id::{Profile, RunId, SuiteId},
    leaderboard::{self, Board, BoardQuery},
    machine::Machine,
    model::{Server, ServerStatus, SuiteCard},
    plan::{RunPlan, SPEED_TRIALS},
    pull::PullView,
    record::RunRow,
    run::RunView,
};

/// What kind of refusal, for status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineErrorKind {
    NotFound,
    Invalid,
    Conflict,
    /// The disk or the system failed.
    Unavailable,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Endpoints(#[from] EndpointsError),
    #[error(transparent)]
    BadUrl(#[from] BadUrl),
    #[error(transparent)]
    Suites(#[from] SuiteError),
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Pull(#[from] PullError),
    #[error("suites: {suite} is not available in this build; {why}")]
    SuiteMissing { suite: SuiteId, why: &'static str },
    #[error("cancel run {0}: it has ended")]
    Ended(RunId),
    #[error("cancel run {0}: another process runs it; stop it there")]
    Elsewhere(RunId),
    #[error("add {url}: {why}")]
    NoServer { url: String, why: String },
    #[error(transparent)]
    Chat(#[from] ChatError),
    #[error(
        "{what} beside a run: one is being measured on the same machine {whose}, and a call now would disturb its figures"
    )]
    Measuring { what: &'static str, whose: String },
    #[error("chat with the server at {url}: {why}")]
    NoAnswer { url: String, why: String },
    #[error("use the folder of runs, {path}: {source}; set BENCHLOOP_HOME to a folder that can be written", path = .path.display())]
    Home { path: PathBuf, source: std::io::Error },
    #[error("find the home folder: set BENCHLOOP_HOME to a folder for runs and settings")]
    NoHome,
    #[error("finish reading files: {0}")]
    Lost(#[from] tokio::task::JoinError),
    #[error("write the record as text: {0}")]
    Text(#[from] serde_json::Error),
}

impl EngineError {
    pub fn kind(&self) -> EngineErrorKind {
        match self {
            Self::Store(StoreError::NotFound(_) | StoreError::NoTrial { .. }) => EngineErrorKind::NotFound,
            Self::BadUrl(_)
            | Self::Endpoints(EndpointsError::BadUrl(_) | EndpointsError::BadKey)
            | Self::NoServer { .. }
            | Self::SuiteMissing { .. }
            | Self::Chat(_) => EngineErrorKind::Invalid,
            Self::Hub(HubError::NotFound { .. }) | Self::Pull(PullError::NotFound(_)) => EngineErrorKind::NotFound,
            Self::Hub(HubError::BadRepo { .. } | HubError::PastEnd { .. })
            | Self::Pull(PullError::NoModel | PullError::BadModel(_) | PullError::BadUrl(_)) => {
                EngineErrorKind::Invalid
            }
            Self::Ended(_)
            | Self::Elsewhere(_)
            | Self::Measuring { .. }
            | Self::Pull(PullError::Ended(_) | PullError::Full(_)) => EngineErrorKind::Conflict,
            _ => EngineErrorKind::Unavailable,
        }
    }

    /// The form field the refusal belongs to, if it belongs to one.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::SuiteMissing { .. } => Some("suites"),
            _ => None,
        }
    }
}

struct Active {
    journal: Journal,
    cancel: CancellationToken,
}

struct Inner {
    home: PathBuf,
    store: Store,
    queue: Queue,
    client: Client,
    suites: Arc<Suites>,
    python: Python,
    active: Mutex<BTreeMap<RunId, Active>>,
    demo: OnceLock<BaseUrl>,
    shutdown: CancellationToken,
    hub: Hub,
    pulls: Pulls,
}

/// Takes a run off the list when its task ends, however it ends.
struct Leave {
    engine: Engine,
    run: RunId,
    journal: Journal,
    _lock: RunLock,
}

impl Drop for Leave {
    fn drop(&mut self) {
        self.engine.lock_active().remove(&self.run);
        self.journal.close();
    }
}

/// Cheap to clone; all clones are the same engine.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

impl Engine {
    /// Opens the engine over a home folder, which is made if it is missing. Answers that are programs run in a child
    /// process of the program that this is.
    pub fn open(home: impl Into<PathBuf>) -> Result<Self, EngineError> {
        Self::open_with(home, Python::of_this_program())
    }

    /// The same with another sandbox, for processes that are another program.
    pub fn open_with(home: impl Into<PathBuf>, python: Python) -> Result<Self, EngineError> {
        http::install_tls();
        let home = home.into();
        let runs = home.join("runs");
        std::fs::create_dir_all(&runs).map_err(|source| EngineError::Home { path: runs, source })?;
        let inner = Inner {
            store: Store::new(&home),
            queue: Queue::new(home.join("lanes")),
            client: Client::default(),
            suites: Arc::new(suite::load()?),
            python,
            active: Mutex::default(),
            demo: OnceLock::new(),
            shutdown: CancellationToken::new(),
            hub: Hub::default(),
            pulls: Pulls::default(),
            home,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// `BENCHLOOP_HOME`, else `~/.bench-loop`.
    pub fn home_folder() -> Result<PathBuf, EngineError> {
        match env::var_os("BENCHLOOP_HOME").filter(|home| !home.is_empty()) {
            Some(home) => Ok(home.into()),
            None => env::home_dir().map(|home| home.join(".bench-loop")).ok_or(EngineError::NoHome),
        }
    }

    pub fn home(&self) -> &Path {
        &self.inner.home
    }

    pub fn suites(&self) -> &Suites {
        &self.inner.suites
    }

    pub fn client(&self) -> &Client {
        &self.inner.client
    }

    pub(super) fn queue(&self) -> &Queue {
        &self.inner.queue
    }

    /// Offers the built-in scripted server among the discovered ones.
    pub fn offer_demo(&self, base: BaseUrl) {
        _ = self.inner.demo.set(base);
    }

    /// The time by the one clock.
    pub fn now(&self) -> DateTime<Utc> {
        clock::utc()
    }

    /// Ends streams when the process is to end.
    pub fn shutdown_token(&self) -> CancellationToken {
        self.inner.shutdown.clone()
    }

    /// Asks the usual local ports, the saved endpoints and the demo what they are. What the settings hold that can't be
    /// used is listed as well, as a place that was not asked.
    pub async fn servers(&self) -> Vec<Server> {
        let (saved, problems) = self.saved_endpoints();
        let extra = endpoints::extra();
        let place = |endpoint: Endpoint, saved| Place {
            key: endpoint.key.or_else(|| self.key_for(&endpoint.base)),
            base: endpoint.base,
            label: endpoint.label,
            saved,
        };
        let unnamed = |base| Endpoint { base, key: None, label: None };
        let mut places: Vec<Place> = saved.into_iter().map(|endpoint| place(endpoint, true)).collect();
        let others = discover::usual().chain(self.inner.demo.get().cloned()).map(unnamed);
        places.extend(extra.endpoints.into_iter().chain(others).map(|endpoint| place(endpoint, false)));
        let mut servers = discover::discover(places).await;
        servers.extend(problems.into_iter().chain(extra.problems).map(|problem| Server {
            name: "settings".to_owned(),
            status: ServerStatus::Unreachable(problem.what),
            ..Server::unknown(&problem.place)
        }));
        servers
    }

    fn saved_endpoints(&self) -> (Vec<Endpoint>, Vec<Problem>) {
        match endpoints::saved(&self.inner.home) {
            Ok(saved) => (saved.endpoints, saved.problems),
            Err(why) => {
                error!(error = %why, "saved endpoints left out");
                (Vec::new(), vec![Problem { place: endpoints::FILE.to_owned(), what: why.to_string() }])
            }
        }
    }

    /// What of `endpoints.toml` and `BENCHLOOP_EXTRA_ENDPOINTS` can't be used, and why.
    pub fn endpoint_problems(&self) -> Vec<Problem> {
        let (_, mut problems) = self.saved_endpoints();
        problems.extend(endpoints::extra().problems);
        problems
    }

    /// The key for this address, if the user gave one for its origin.
    pub fn key_for(&self, base: &BaseUrl) -> Option<Secret> {
        endpoints::key_for(&self.inner.home, base)
    }

    /// Whether a key is known for this address; the key itself stays here.
    pub fn has_key(&self, url: &str) -> bool {
        BaseUrl::parse(url).is_ok_and(|base| self.key_for(&base).is_some())
    }

    /// Asks one address what listens there, with its key.
    pub async fn probe(&self, url: &str) -> Result<Server, EngineError> {
        let base = BaseUrl::parse(url)?;
        Ok(discover::probe(&base, self.key_for(&base).as_ref()).await)
    }

    /// Saves an endpoint if a model server answers there, or one that wants a key. A blank key is none; a given one is
    /// saved for this address and sent to its origin alone.
    pub async fn add_endpoint(&self, url: &str, key: Option<&str>, label: Option<&str>) -> Result<Server, EngineError> {
        let base = BaseUrl::parse(url)?;
        let given = key.map(str::trim).filter(|key| !key.is_empty()).map(Secret::new);
        let known = given.clone().or_else(|| self.key_for(&base));
        let mut server = discover::probe(&base, known.as_ref()).await;
        match &server.status {
            ServerStatus::NeedsKey if given.is_some() => {
                let why = "it refuses this key; check it and try again".to_owned();
                return Err(EngineError::NoServer { url: base.as_str().to_owned(), why });
            }
            ServerStatus::Ready | ServerStatus::Loading | ServerStatus::NeedsKey => {}
            ServerStatus::OtherApi(why) => {
                let why = format!("something answers there, but no model server: {why}");
                return Err(EngineError::NoServer { url: base.as_str().to_owned(), why });
            }
            ServerStatus::Unreachable(why) => {
                let why = format!("{why}; start the model server, then add it");
                return Err(EngineError::NoServer { url: base.as_str().to_owned(), why });
            }
        }
        endpoints::add(&self.inner.home, &base, given, label)?;
        server.saved = true;
        Ok(server)
    }

    pub async fn remove_endpoint(&self, url: &str) -> Result<(), EngineError> {
        Ok(endpoints::remove(&self.inner.home, &BaseUrl::parse(url)?)?)
    }

    /// Searches the Hub.
    pub async fn search_hub(&self, query: &HubQuery) -> Result<HubPage, EngineError> {
        Ok(self.inner.hub.search(query).await?)
    }

    /// Looks into a repository of the Hub.
    pub async fn hub_details(&self, repo: &str) -> Result<Found, EngineError> {
        Ok(self.inner.hub.details(repo).await?)
    }

    /// All pulls, to list, follow and stop them.
    pub fn pulls(&self) -> &Pulls {
        &self.inner.pulls
    }

    /// Has Ollama at `url` pull a model.
    pub fn pull(&self, model: &str, url: &str) -> Result<PullView, EngineError> {
        let base = BaseUrl::parse(url)?;
        let key = self.key_for(&base);
        Ok(self.inner.pulls.start(model, base, key, &self.inner.shutdown)?)
    }

    pub async fn machine(&self) -> Machine {
        tokio::task::spawn_blocking(hardware::read).await.unwrap_or_default()
    }

    /// Why a suite cannot run in this build; `None` if it can.
    pub fn missing(&self, suite: SuiteId) -> Option<&'static str> {
        (suite == SuiteId::Coding && !self.inner.python.is_available())
            .then_some("it has no Python module: run scripts/setup.sh and build again")
    }

    /// The sandbox for answers that are programs.
    pub fn python(&self) -> &Python {
        &self.inner.python
    }

    /// The seven suites with their sizes.
    pub fn suite_cards(&self) -> Vec<SuiteCard> {
        let count = |suite, profile| self.inner.suites.chosen(suite, profile).len() as u32;
        let card = |suite: &SuiteId| SuiteCard {
            suite: *suite,
            built: suite.is_built(),
            missing: self.missing(*suite).map(str::to_owned),
            tasks: count(*suite, Profile::Standard),
            quick_tasks: count(*suite, Profile::Quick),
            trials: if *suite == SuiteId::Speed { SPEED_TRIALS } else { 1 },
        };
        SuiteId::ALL.iter().map(card).collect()
    }

    /// Starts a run, or queues it behind the one that holds its server.
    pub async fn start(&self, mut plan: RunPlan) -> Result<RunId, EngineError> {
        plan.endpoint = BaseUrl::parse(&plan.endpoint)?.as_str().to_owned();
        if let Some((suite, why)) = plan.suites.iter().find_map(|suite| Some((*suite, self.missing(*suite)?))) {
            return Err(EngineError::SuiteMissing { suite, why });
        }
        let stamp = clock::utc().format("%Y%m%dT%H%M%SZ").to_string();
        let id = RunId::new(&stamp, &plan.model, &random_text(6));
        let lock = self.inner.store.create(&id)?;
        let journal = Journal::create(&self.inner.store.folder(&id), id.clone())?;
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let demo = self.inner.demo.get().is_some_and(|base| base.as_str() == plan.endpoint);
        journal.append(Happening::Queued { run: id.clone(), plan: Box::new(plan.clone()), version, demo }).await?;
        let cancel = CancellationToken::new();
        let active = Active { journal: journal.clone(), cancel: cancel.clone() };
        self.lock_active().insert(id.clone(), active);
        let place = self.inner.queue.enter(&plan.endpoint, id.clone());
        let session = Session {
            plan,
            home: self.inner.home.clone(),
            client: self.inner.client.clone(),
            suites: self.inner.suites.clone(),
            python: self.inner.python.clone(),
            journal,
            cancel,
        };
        let leave = Leave { engine: self.clone(), run: id.clone(), journal: session.journal.clone(), _lock: lock };
        tokio::spawn(async move { leave.engine.drive(session, place, &leave.run).await });
        info!(run.id = %id, "run queued");
        Ok(id)
    }

    async fn drive(&self, session: Session, mut place: super::queue::Place, id: &RunId) {
        let journal = session.journal.clone();
        let turn = async {
            while let Some(position) = place.moved().await {
                journal.append(Happening::Waiting { position }).await?;
            }
            Ok::<(), JournalError>(())
        };
        let turn = tokio::select! {
            turn = turn => Some(turn),
            () = session.cancel.cancelled() => None,
        };
        let (ending, why) = match turn {
            Some(Ok(())) => session.run().await,
            Some(Err(why)) => (Ending::Failed, Some(why.to_string())),
            None => (Ending::Cancelled, Some("stopped by the user while waiting".to_owned())),
        };
        let record = async {
            journal.append(Happening::Finished { ending, why }).await?;
            self.inner.store.write_record(&journal.view().record())?;
            Ok::<(), EngineError>(())
        };
        match record.await {
            Ok(()) => info!(run.id = %id, ending = %ending, "run ended"),
            Err(why) => error!(run.id = %id, error = %why, "end of run not written"),
        }
        drop(place);
    }

    fn lock_active(&self) -> std::sync::MutexGuard<'_, BTreeMap<RunId, Active>> {
        self.inner.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn journal_of(&self, id: &RunId) -> Option<Journal> {
        self.lock_active().get(id).map(|active| active.journal.clone())
    }

    async fn on_disk<T: Send + 'static>(
        &self,
        read: impl FnOnce(Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let store = self.inner.store.clone();
        Ok(tokio::task::spawn_blocking(move || read(store)).await??)
    }

    /// Stops a run between two bytes; what had ended is kept.
    pub async fn cancel(&self, id: &RunId) -> Result<(), EngineError> {
        if let Some(active) = self.lock_active().get(id) {
            active.cancel.cancel();
            return Ok(());
        }
        let status = self.view(id).await?.status;
        Err(if status.is_active() { EngineError::Elsewhere(id.clone()) } else { EngineError::Ended(id.clone()) })
    }

    /// The run as it stands.
    pub async fn view(&self, id: &RunId) -> Result<RunView, EngineError> {
        if let Some(journal) = self.journal_of(id) {
            return Ok(journal.view());
        }
        let id = id.clone();
        self.on_disk(move |store| store.view(&id)).await
    }

    /// One trial with its whole transcript.
    pub async fn trial(&self, id: &RunId, suite: SuiteId, task: &str, trial: u32) -> Result<Trial, EngineError> {
        let (id, task) = (id.clone(), task.to_owned());
        self.on_disk(move |store| store.trial(&id, suite, &task, trial)).await
    }

    /// `run.json`, or the record of what there is of a run that has none yet.
    pub async fn raw_record(&self, id: &RunId) -> Result<String, EngineError> {
        let own = id.clone();
        if let Some(text) = self.on_disk(move |store| store.record_text(&own)).await? {
            return Ok(text);
        }
        Ok(serde_json::to_string_pretty(&self.view(id).await?.record())?)
    }

    /// All runs, newest first.
    pub async fn runs(&self) -> Vec<RunRow> {
        let mut rows = self.on_disk(|store| Ok(store.rows())).await.unwrap_or_default();
        for row in rows.iter_mut().filter(|row| row.status.is_active()) {
            if let Some(journal) = self.journal_of(&row.id) {
                *row = RunRow::of(&journal.view());
            }
        }
        rows
    }

    pub async fn leaderboard(&self, query: BoardQuery) -> Board {
        leaderboard::rank(self.runs().await, query)
    }

    /// A run's events from `from` on, past and coming; ends after its last one. A run of another process is followed by
    /// looking at its file twice a second.
    pub fn follow(&self, id: &RunId, from: u64) -> impl Stream<Item = Live> + Send + use<> {
        match self.journal_of(id) {
            Some(journal) => Either::Left(journal.tail(from)),
            None => Either::Right(self.follow_file(id.clone(), from)),
        }
    }

    fn follow_file(&self, id: RunId, from: u64) -> impl Stream<Item = Live> + Send + use<> {
        let start = (self.clone(), id, from, Vec::<RunEvent>::new().into_iter(), false);
        stream::unfold(start, |(engine, id, mut next, mut ready, mut ended)| async move {
            loop {
                if let Some(event) = ready.next() {
                    next = event.i + 1;
                    ended |= event.is_end();
                    return Some((Live::Event(event), (engine, id, next, ready, ended)));
                }
                if ended {
                    return None;
                }
                let own = id.clone();
                let (events, view) = engine.on_disk(move |store| store.read(&own)).await.ok()?;
                let fresh: Vec<RunEvent> = events.into_iter().filter(|event| event.i >= next).collect();
                ended = !view.status.is_active();
                if fresh.is_empty() && !ended {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                }
                ready = fresh.into_iter();
            }
        })
    }

    /// Waits until a run has ended and its record is written; returns how it stands then.
    pub async fn finished(&self, id: &RunId) -> Result<RunView, EngineError> {
        let mut events = Box::pin(self.follow(id, 0));
        while events.next().await.is_some() {}
        while self.journal_of(id).is_some() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.view(id).await
    }

    /// Whether any run of this process is on its way.
    pub fn is_busy(&self) -> bool {
        !self.lock_active().is_empty()
    }
}
