//! A run that waits or goes on: how far it is, what it does now, what it found so far.

use chrono::{DateTime, TimeDelta, Utc};
use leptos::prelude::*;

use super::{Going, now, preflight, suites};
use crate::{
    domain::{
        run::{Row, RunStatus, RunView},
        unit,
        words::{self, conclusion},
    },
    web::part::{
        badge::{Tone, note},
        glyph::{Glyph, state_line},
        progress::{progress_bar, progress_ring},
        state::empty,
        table::{head, section_head, table},
        when::{hour_minute, second_of_day, time_of_day},
    },
};

/// Asks browsers without script to come back; those with script never read it.
const REFRESH: &str = r#"<meta http-equiv="refresh" content="5"><p class="small dim">Without JavaScript this page refreshes itself every 5 seconds.</p>"#;

/// All sections of an active run.
pub fn live(going: Going) -> AnyView {
    let Going { view, now, lost, .. } = going;
    let queued = Memo::new(move |_| view.with(|view| view.status == RunStatus::Queued));
    let verdicts = Memo::new(move |_| view.with(|view| view.rows.len()));
    let looked = Memo::new(move |_| view.with(|view| view.card.is_some()));
    let broken = "The connection to BenchLoop is lost; is it running? This page keeps trying; what had ended is kept.";
    view! {
        {move || lost.get().then(|| note(Tone::Warn, broken))}
        {move || {
            if queued.get() {
                view.with(waiting)
            } else {
                view! {
                    <section class="card over" aria-label="Progress">
                        {move || view.with(|view| overview(view, now.get()))}
                    </section>
                    <div class="split">
                        {move || view.with(suites::running)}
                        {now::speed(going)}
                    </div>
                    {now::task(going)}
                    {move || {
                        // read, not only tracked: a memo that nobody reads never learns of changes
                        _ = verdicts.get();
                        view.with_untracked(latest)
                    }}
                    {move || looked.get().then(|| view.with_untracked(preflight::section).map(|(_, section)| section))}
                }
                .into_any()
            }
        }}
        <noscript inner_html=REFRESH></noscript>
        <p class="small dim">"Closing this page does not stop the run."</p>
    }
    .into_any()
}

fn waiting(view: &RunView) -> AnyView {
    let text = conclusion(view, &view.scores(), &view.suites());
    empty(
        "Queued",
        view! { <p>{text}</p> <p>"Runs on one machine take turns, so that they don’t slow each other down."</p> },
    )
}

/// The clock time a number of seconds from now; with seconds where the end is near.
fn at(now: DateTime<Utc>, seconds: f64, is_near: bool) -> String {
    let then = now + TimeDelta::milliseconds((seconds * 1000.0) as i64);
    if is_near { second_of_day(then) } else { hour_minute(then) }
}

/// Expected end with its band, on a scale from now to a little after the latest end.
fn expected_end(view: &RunView, now: DateTime<Utc>) -> Option<AnyView> {
    let eta = view.eta(now)?;
    let scale = (eta.high * 1.25).max(1.0);
    let near = eta.high < 600.0;
    let at = |seconds| at(now, seconds, near);
    let percent = |seconds: f64| format!("{:.1}%", (seconds / scale * 100.0).clamp(0.0, 100.0));
    let words = format!("Expected end {} UTC, between {} and {}", at(eta.seconds), at(eta.low), at(eta.high));
    let bar = view! {
        <div class="eta">
            <dt>"Expected end (UTC), from this run’s own speed"</dt>
            <dd>
                <svg class="ivl" role="img" aria-label=words>
                    <rect class="track" y="6.5" width="100%" height="1"/>
                    <rect class="band" x=percent(eta.low) y="4" width=percent(eta.high - eta.low) height="6"/>
                    <rect class="pt" x=percent(eta.seconds) y="1" width="3" height="12" transform="translate(-1.5 0)"/>
                </svg>
                <span class="ends small dim">
                    <span>{at(0.0)}</span>
                    <span><b class="soft">{at(eta.seconds)}</b> {format!(" ({} to {})", at(eta.low), at(eta.high))}</span>
                    <span>{at(scale)}</span>
                </span>
            </dd>
        </div>
    };
    Some(bar.into_any())
}

fn overview(view: &RunView, now: DateTime<Utc>) -> AnyView {
    let (done, planned) = view.progress();
    let left = match (view.eta(now), done) {
        (Some(eta), _) => format!(" · {} left", unit::about(eta.seconds)),
        (None, 0) => " · loading the model and warming up".to_owned(),
        (None, _) => " · time left is known after two trials".to_owned(),
    };
    let judged = view.rows.iter().filter(|row| row.state.is_judged()).count();
    view! {
        {progress_ring(done, planned)}
        <div class="over-main">
            <p class="big"><b>{format!("{done} of {planned}")}</b> " trials" <span class="soft">{left}</span></p>
            {progress_bar(done, planned, "Overall progress")}
            <dl class="over-eta">
                <div><dt>"Elapsed"</dt><dd>{unit::clock(view.elapsed_s(now).unwrap_or_default())}</dd></div>
                {expected_end(view, now)}
                <div><dt>"Judged"</dt><dd>{format!("{judged} of {done}")}</dd></div>
                <div><dt>"Not judged"</dt><dd>{done.saturating_sub(judged as u32)}</dd></div>
            </dl>
        </div>
    }
    .into_any()
}

/// Rows of the list of verdicts.
const LATEST: usize = 8;

fn latest(view: &RunView) -> AnyView {
    if view.rows.is_empty() {
        return ().into_any();
    }
    let columns = view! {
        {head("Verdict", false)} {head("Task", false)} {head("Score", true)} {head("Why", false)} {head("Took", true)}
        {head("At (UTC)", true)}
    };
    let rows = view.rows.iter().rev().take(LATEST).map(|row| verdict(view, row)).collect_view();
    view! {
        <section class="sect" aria-labelledby="verdicts">
            {section_head("Verdicts", "verdicts", format!("Newest first; {} so far.", view.rows.len()))}
            {table("Verdicts", "", columns, rows)}
        </section>
    }
    .into_any()
}

fn verdict(view: &RunView, row: &Row) -> AnyView {
    let mark = row.mark();
    view! {
        <tr>
            <td>{state_line(Glyph::of_mark(mark), words::verdict_word(row))}</td>
            <th scope="row">
                <b>{view.title_of(row.suite, &row.task)}</b>
                <span class="sub">{format!("{}, trial {}", row.suite.title(), row.trial)}</span>
            </th>
            <td class="num">{row.score.map_or_else(|| unit::ABSENT.to_owned(), |score| format!("{score:.2}"))}</td>
            <td class="soft text">{words::why(view, row)}</td>
            <td class="num">{unit::ms(row.timing.total_ms)}</td>
            <td class="num dim">{time_of_day(row.at)}</td>
        </tr>
    }
    .into_any()
}
