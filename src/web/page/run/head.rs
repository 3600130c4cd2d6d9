//! What was run where, its conclusion in words, and what can be done.

use leptos::prelude::*;

use crate::{
    domain::{
        id::Thinking,
        leaderboard::encoded,
        run::{RunStatus, RunView},
        unit,
        words::conclusion,
    },
    web::{
        calls::CancelRun,
        part::{
            badge::{Tone, badge, demo_badge, note},
            glyph::Glyph,
            when::when,
        },
    },
};

/// `qwen3:14b`, `qwen3:14b, thinking on`.
fn name(view: &RunView) -> String {
    match &view.plan {
        None => format!("Run {}", view.id),
        Some(plan) => match plan.thinking {
            Thinking::Auto => plan.model.clone(),
            mode => format!("{}, thinking {mode}", plan.model),
        },
    }
}

/// Short facts below the title.
fn facts(view: &RunView) -> Vec<String> {
    let identity = view.identity.clone().unwrap_or_default();
    let mut facts: Vec<String> = identity.quantization.into_iter().collect();
    if let Some(plan) = &view.plan {
        facts.push(format!("{} harness", plan.harness));
        let version = identity.server_version.map(|version| format!(" {version}")).unwrap_or_default();
        let server = if identity.server.is_empty() { "Server".to_owned() } else { identity.server };
        facts.push(format!("{server}{version} at {}", plan.endpoint));
        let trials = if plan.trials == 1 { "1 trial".to_owned() } else { format!("{} trials", plan.trials) };
        let suites =
            if plan.suites.len() == 1 { "1 suite".to_owned() } else { format!("{} suites", plan.suites.len()) };
        facts.push(format!("{}, {suites}, {trials}", plan.profile));
    }
    facts.extend(view.machine.as_ref().map(|machine| machine.label()));
    facts
}

fn status(view: &RunView) -> AnyView {
    let tone = match view.status {
        RunStatus::Completed => Tone::Pass,
        RunStatus::Failed | RunStatus::Unreadable => Tone::Fail,
        RunStatus::Interrupted => Tone::Warn,
        RunStatus::Queued | RunStatus::Running | RunStatus::Cancelled => Tone::Plain,
    };
    badge(tone, Glyph::of_status(view.status), view.status.as_str())
}

fn cancel_form(view: &RunView, cancel: ServerAction<CancelRun>) -> AnyView {
    let failed = move || match cancel.value().get() {
        Some(Err(error)) => Some(format!("Could not cancel: {}", error.message)),
        _ => None,
    };
    let id = view.id.to_string();
    view! {
        <ActionForm action=cancel>
            <input type="hidden" name="id" value=id/>
            <button class="btn danger" type="submit" disabled=move || cancel.pending().get()>"Cancel run"</button>
            <p class="why" role="status">{failed}</p>
        </ActionForm>
    }
    .into_any()
}

/// The head of the page.
pub fn head(view: &RunView, cancel: ServerAction<CancelRun>) -> AnyView {
    let active = view.status.is_active();
    let conclusion = (!active).then(|| {
        let (scores, suites) = (view.scores(), view.suites());
        view! { <p class="lede">{conclusion(view, &scores, &suites)}</p> }
    });
    // the preflight says it with what to do
    let blocks = view.card.as_ref().is_some_and(|card| card.blocker().is_some());
    let warm_up_error = view.warm_up_error.clone().filter(|_| !blocks);
    let took = view.elapsed_s(view.last_at.unwrap_or_default()).filter(|_| !active);
    let again = view.plan.as_ref().filter(|_| !active).map(|plan| {
        let provider = plan.provider.or(view.wire).map(|wire| format!("&provider={wire}")).unwrap_or_default();
        let suites: Vec<&str> = plan.suites.iter().map(|suite| suite.as_str()).collect();
        let skips = if plan.preflight { "" } else { "&skip_preflight=yes" };
        let href = format!(
            "/benchmark?model={}&endpoint={}{provider}&suites={}&harness={}&profile={}&trials={}&thinking={}&thinking_budget={}&num_ctx={}{skips}",
            encoded(&plan.model),
            encoded(&plan.endpoint),
            suites.join(","),
            plan.harness,
            plan.profile,
            plan.trials,
            plan.thinking,
            plan.thinking_budget,
            plan.num_ctx
        );
        view! { <a class="btn" href=href>"Run again"</a> }
    });
    view! {
        <div class="head">
            <div>
                <p class="meta">
                    <a href=if active { "/benchmark" } else { "/leaderboard" }>{if active { "Benchmark" } else { "Leaderboard" }}</a>
                    <span>"run " <span class="mono">{view.id.to_string()}</span></span>
                </p>
                <h1>{name(view)}</h1>
                {conclusion}
                <p class="meta">
                    {facts(view).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view()}
                    {view.started_at.map(when)}
                    {took.map(|seconds| view! { <span>{unit::clock(seconds)}</span> })}
                    {status(view)}
                    {view.is_demo().then(demo_badge)}
                </p>
            </div>
            <div class="acts">{again} {active.then(|| cancel_form(view, cancel))}</div>
        </div>
        {view.is_demo().then(|| note(Tone::Plain, "Demo: scripted answers; the figures measure nothing real."))}
        {(!view.drift.is_empty())
            .then(|| note(Tone::Warn, format!("The model or server changed during the run: {}.", view.drift.join("; "))))}
        {warm_up_error.map(|why| note(Tone::Warn, format!("The warm-up did not end well: {why}")))}
    }
    .into_any()
}
