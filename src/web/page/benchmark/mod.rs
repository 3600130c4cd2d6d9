//! `/benchmark`: choose a model and what to run; below, the recent runs. The address carries the form's values, so that
//! a refused form comes back filled in with or without script.

mod advanced;
mod choice;
mod form;
mod recent;

use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::web::{
    calls::{self, CallError, StartForm, StartRun},
    part::state::{failure, loading},
};

/// What refused the last attempt, from the running script or from the address.
#[derive(Debug, Clone, PartialEq)]
struct Refused {
    field: Option<String>,
    message: String,
}

impl From<CallError> for Refused {
    fn from(error: CallError) -> Self {
        Self { field: error.field, message: error.message }
    }
}

/// The refusal that belongs to a field of the form.
#[derive(Clone, Copy)]
struct Refusals(Signal<Option<Refused>>);

impl Refusals {
    /// The message for one field.
    fn at(self, field: &'static str) -> Option<String> {
        self.0.get().filter(|refused| refused.field.as_deref() == Some(field)).map(|refused| refused.message)
    }

    /// The line below a field that says why it was refused.
    fn line(self, field: &'static str) -> AnyView {
        let id = format!("why-{field}");
        view! { <p class="why" id=id role="alert">{move || self.at(field)}</p> }.into_any()
    }
}

/// The page.
#[component]
pub fn BenchmarkPage() -> impl IntoView {
    let start = ServerAction::<StartRun>::new();
    let query = use_query_map();
    let bench = calls::ask(|| (), |()| calls::read_bench());
    let values = query.with_untracked(|query| StartForm::read(|name| query.get(name)));
    let refusals = Refusals(Signal::derive(move || match start.value().get() {
        Some(Err(error)) => Some(error.into()),
        Some(Ok(())) => None,
        None => query.with(|query| {
            let message = query.get("refused").filter(|message| !message.is_empty())?;
            Some(Refused { field: query.get("field"), message })
        }),
    }));
    view! {
        <Title text="Benchmark"/>
        <div class="head">
            <div>
                <h1>"Run a benchmark"</h1>
                <p class="meta">
                    "Runs on one server wait for each other. The page of a run can be closed and opened again; the run goes on."
                </p>
            </div>
        </div>
        <Transition fallback=|| loading("Asking the servers for their models …")>
            {move || {
                let values = values.clone();
                Suspend::new(async move {
                    match bench.await {
                        Ok(bench) => {
                            let form = form::form(start, refusals, &values, &bench);
                            Either::Left(view! { {form} {recent::recent(&bench.runs, bench.run_count)} })
                        }
                        Err(error) => Either::Right(failure("read what can be run", &error)),
                    }
                })
            }}
        </Transition>
    }
}
