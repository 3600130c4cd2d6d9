//! `/runs/{id}`: one page for a run in every state. The server renders the folded view; the browser follows the stream
//! from the next event on and applies each event to the same view.

mod facts;
mod failures;
mod head;
mod live;
mod now;
mod preflight;
mod record;
mod scores;
mod speed;
mod suites;
mod tasks;
mod transcript;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::{
    domain::{
        event::{Pulse, Trial},
        id::SuiteId,
        run::RunView,
    },
    web::{
        calls::{self, Answer, CallError, CancelRun, Json, RunPage as RunData},
        live::{Arrival, follow},
        part::{
            progress::percent,
            state::{failure, loading},
        },
    },
};

/// Which trial is open: suite, task and trial number, as `?task=suite/task/1` has them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opened {
    pub suite: SuiteId,
    pub task: String,
    pub trial: u32,
}

impl Opened {
    /// Task ids hold no slash.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '/');
        let suite = parts.next()?.parse().ok()?;
        let task = parts.next()?.to_owned();
        Some(Self { suite, task, trial: parts.next()?.parse().ok()? })
    }
}

/// What the page asks for beside the run itself, made before anything is awaited.
#[derive(Clone, Copy)]
pub(super) struct Extras {
    pub opened: Memo<Option<Opened>>,
    pub trial: Resource<Option<Result<Trial, CallError>>, Json>,
    pub record: Resource<Option<Result<String, CallError>>, Json>,
}

/// The page.
#[component]
pub fn RunPage() -> impl IntoView {
    let params = use_params_map();
    let query = use_query_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let opened = Memo::new(move |_| query.read().get("task").as_deref().and_then(Opened::read));
    let wants_record = Memo::new(move |_| query.read().get("raw").is_some());
    let page = calls::ask(move || id.get(), calls::read_run);
    let trial = calls::ask(
        move || (id.get(), opened.get()),
        |(id, opened)| async move {
            let Opened { suite, task, trial } = opened?;
            Some(calls::read_trial(id, suite, task, trial).await)
        },
    );
    let record = calls::ask(
        move || (id.get(), wants_record.get()),
        |(id, wanted)| async move { if wanted { Some(calls::read_record(id).await) } else { None } },
    );
    let extras = Extras { opened, trial, record };
    view! {
        <Transition fallback=|| loading("Reading the run …")>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(data) => Either::Left(view! { <Run data extras page/> }),
                    Err(error) => {
                        Either::Right(view! { <Title text="Run"/> <h1>"Run"</h1> {failure("open this run", &error)} })
                    }
                }
            })}
        </Transition>
    }
}

/// What changes while a run goes on.
#[derive(Clone, Copy)]
pub(super) struct Going {
    pub view: RwSignal<RunView>,
    pub pulse: RwSignal<Option<Pulse>>,
    /// The server's time, moved on by the page's own clock.
    pub now: RwSignal<DateTime<Utc>>,
    /// The stream broke off; another attempt is due.
    pub lost: RwSignal<bool>,
}

#[component]
fn Run(data: RunData, extras: Extras, page: Answer<RunData>) -> impl IntoView {
    let going = Going {
        view: RwSignal::new(data.view),
        pulse: RwSignal::new(None),
        now: RwSignal::new(data.now),
        lost: RwSignal::new(false),
    };
    let active = Memo::new(move |_| going.view.with(|view| view.status.is_active()));
    keep_up(going, page);
    let cancel = ServerAction::<CancelRun>::new();
    let title = move || {
        going.view.with(|view| {
            let model = view.plan.as_ref().map_or_else(|| view.id.to_string(), |plan| plan.model.clone());
            let (done, planned) = view.progress();
            if view.status.is_active() { format!("{} % · {model}", percent(done, planned)) } else { model }
        })
    };
    view! {
        <Title text=title/>
        {move || going.view.with(|view| head::head(view, cancel))}
        {move || {
            if active.get() {
                Either::Left(live::live(going))
            } else {
                Either::Right(going.view.with_untracked(|view| result(view, extras)))
            }
        }}
    }
}

/// Everything about a run that is over.
fn result(view: &RunView, extras: Extras) -> AnyView {
    let scores = view.scores();
    let suites = view.suites();
    // what let no run start is read first, what let it start is proof
    let (first, later) = preflight::section(view)
        .map_or((None, None), |(blocks, section)| if blocks { (Some(section), None) } else { (None, Some(section)) });
    view! {
        {first}
        {scores::scores(view, &scores)}
        {suites::result(&suites)}
        {tasks::tasks(view, extras)}
        {speed::speed(view)}
        {failures::failures(view)}
        {facts::facts(view, &scores)}
        {later}
        {record::record(view, extras)}
    }
    .into_any()
}

/// How long the page waits before it attaches again.
const RETRY: Duration = Duration::from_secs(3);

/// Follows the stream while the run is active, attaches again when it breaks off, and lets the page's clock go on.
fn keep_up(going: Going, page: Answer<RunData>) {
    let attempt = RwSignal::new(0);
    Effect::new(move |_| {
        attempt.track();
        let (id, next, active) =
            going.view.with_untracked(|view| (view.id.to_string(), view.next, view.status.is_active()));
        if !active {
            return;
        }
        follow(&id, next, move |arrival| match arrival {
            Arrival::Event(event) => {
                // the browser's clock may stand or lag: an event's time is the server's
                going.now.update(|now| *now = (*now).max(event.at));
                going.lost.set(false);
                going.pulse.set(None);
                going.view.update(|view| view.apply(&event));
            }
            Arrival::Pulse(pulse) => going.pulse.set(Some(pulse)),
            Arrival::Away => {
                going.pulse.set(None);
                going.lost.set(true);
            }
            Arrival::Back => going.lost.set(false),
            Arrival::Done => {
                going.pulse.set(None);
                // over without an end among its events: the run was interrupted, and the server knows more
                if going.view.with_untracked(|view| view.status.is_active()) {
                    set_timeout(move || page.refetch(), RETRY);
                }
            }
            Arrival::Lost => {
                going.lost.set(true);
                set_timeout(move || _ = attempt.try_update(|n| *n += 1), RETRY);
            }
        });
        let tick = move || {
            // what is not known to go on does not count on
            if going.view.with_untracked(|view| view.status.is_active()) && !going.lost.get_untracked() {
                going.now.update(|now| *now += TimeDelta::seconds(1));
            }
        };
        if let Ok(clock) = set_interval_with_handle(tick, Duration::from_secs(1)) {
            on_cleanup(move || clock.clear());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opened_trial_is_read_from_the_address() {
        let opened = Opened::read("reasonmath/ferry/2").unwrap();
        assert_eq!((opened.suite, opened.task.as_str(), opened.trial), (SuiteId::Reasonmath, "ferry", 2));
        for text in ["", "reasonmath", "nosuch/ferry/1", "reasonmath/ferry/x"] {
            assert_eq!(Opened::read(text), None, "{text}");
        }
    }
}
