//! The form: one fieldset per decision, the one filled button at its end.

use leptos::prelude::*;

use super::{Refusals, advanced, choice};
use crate::{
    domain::id::{HarnessId, Profile, SuiteId, Thinking},
    web::{
        calls::{Bench, StartForm, StartRun},
        part::badge::{Tone, note},
    },
};

/// One way out of several, as a pill.
fn radio(name: &'static str, value: &'static str, chosen: bool, text: impl IntoView + 'static) -> AnyView {
    view! { <label class="pill"><input type="radio" name=name value=value checked=chosen/>{text}</label> }.into_any()
}

/// The whole form.
pub fn form(start: ServerAction<StartRun>, refusals: Refusals, values: &StartForm, bench: &Bench) -> AnyView {
    let general = move || {
        let refused = refusals.0.get().filter(|refused| refused.field.as_deref().unwrap_or_default().is_empty())?;
        Some(note(Tone::Fail, format!("The run was not started: {}", refused.message)))
    };
    let parts = view! {
        {choice::model(&bench.servers, values, refusals)}
        {suites(bench, values, refusals)}
        {harness(values, refusals)}
        {extent(values, refusals)}
        {advanced::advanced(values, refusals)}
    }
    .into_any();
    view! {
        <section class="card start" aria-label="What to run">
            <ActionForm action=start>
                <div class="fields">
                    {general}
                    {parts}
                    <div class="acts">
                        <button class="btn main" type="submit" disabled=move || start.pending().get()>"Run"</button>
                        <span class="small soft" role="status">
                            {move || start.pending().get().then_some("Asking the server …")}
                        </span>
                    </div>
                </div>
            </ActionForm>
        </section>
    }
    .into_any()
}

fn suites(bench: &Bench, values: &StartForm, refusals: Refusals) -> AnyView {
    let pills = bench
        .suites
        .iter()
        .map(|card| {
            let id: SuiteId = card.suite;
            let can_run = card.built && card.missing.is_none();
            let chosen = can_run && values.suites.iter().any(|suite| suite == id.as_str());
            let count = match &card.missing {
                Some(_) => "not available in this build".to_owned(),
                None if card.built => format!("{} tasks, quick {}", card.tasks, card.quick_tasks),
                None => "not built yet".to_owned(),
            };
            view! {
                <label class="pill" title=card.missing.clone()>
                    <input type="checkbox" name="form[suites][]" value=id.as_str() checked=chosen disabled=!can_run/>
                    {id.title()}
                    <small>{count}</small>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset>
            <legend>"Suites"</legend>
            <div class="filters">{pills}</div>
            {refusals.line("suites")}
        </fieldset>
    }
    .into_any()
}

fn harness(values: &StartForm, refusals: Refusals) -> AnyView {
    let pills = HarnessId::ALL
        .iter()
        .map(|harness| {
            let about = if harness.is_built() { harness.about() } else { "not built yet" };
            let chosen = harness.is_built() && values.harness == harness.as_str();
            view! {
                <label class="pill">
                    <input type="radio" name="form[harness]" value=harness.as_str() checked=chosen disabled=!harness.is_built()/>
                    {harness.as_str()}
                    <small>{about}</small>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset>
            <legend>"Harness"</legend>
            <div class="filters">{pills}</div>
            {refusals.line("harness")}
        </fieldset>
    }
    .into_any()
}

fn extent(values: &StartForm, refusals: Refusals) -> AnyView {
    let profile = |profile: Profile, about: &'static str| {
        let chosen = values.profile == profile.as_str();
        radio("form[profile]", profile.as_str(), chosen, view! { {profile.as_str()} <small>{about}</small> })
    };
    let thinking = |mode: Thinking, about: &'static str| {
        let chosen = values.thinking == mode.as_str();
        radio("form[thinking]", mode.as_str(), chosen, view! { {mode.as_str()} <small>{about}</small> })
    };
    let trials = if values.trials.is_empty() { "1".to_owned() } else { values.trials.clone() };
    view! {
        <div class="row">
            <fieldset>
                <legend>"Profile"</legend>
                <div class="filters">
                    {profile(Profile::Quick, "part of each suite")}
                    {profile(Profile::Standard, "every task")}
                </div>
                {refusals.line("profile")}
            </fieldset>
            <fieldset>
                <legend>"Thinking"</legend>
                <div class="filters">
                    {thinking(Thinking::Auto, "as the model does")}
                    {thinking(Thinking::On, "asked for")}
                    {thinking(Thinking::Off, "switched off")}
                </div>
                {refusals.line("thinking")}
            </fieldset>
            <fieldset>
                <legend>"Trials"</legend>
                <label class="field">
                    <span>"of each task, 1 to 9"</span>
                    <input
                        name="form[trials]"
                        size="3"
                        inputmode="numeric"
                        value=trials
                        aria-invalid=move || refusals.at("trials").is_some().then_some("true")
                        aria-describedby="why-trials"
                    />
                </label>
                {refusals.line("trials")}
            </fieldset>
        </div>
    }
    .into_any()
}
