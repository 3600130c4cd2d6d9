//! The suites of a run: one ring per task, score with band, coverage.

use leptos::prelude::*;

use crate::{
    domain::{
        id::SuiteId,
        run::{Mark, RunView, SuiteView},
        unit,
    },
    web::part::{
        badge::{Tone, note},
        cells::cells,
        glyph::{Glyph, glyph, mark_legend},
        interval::{interval_bar, interval_brackets},
        table::section_head,
    },
};

/// While it runs: what was judged so far.
pub fn running(view: &RunView) -> AnyView {
    let current = view.current.as_ref().map(|current| current.suite);
    let rows = view.suites().into_iter().map(|suite| running_row(&suite, current)).collect_view();
    view! {
        <section class="sect" aria-labelledby="suites">
            {section_head("Suites", "suites", "One mark per task. Scores are of the tasks judged so far.")}
            <div class="card"><ol class="slist">{rows}</ol> {mark_legend(true)}</div>
        </section>
    }
    .into_any()
}

fn running_row(suite: &SuiteView, current: Option<SuiteId>) -> AnyView {
    let is_current = current == Some(suite.suite);
    let shape = if is_current {
        Glyph::Live
    } else if suite.stopped.is_some() {
        Glyph::Stop
    } else if suite.planned > 0 && suite.done >= suite.planned {
        Glyph::Pass
    } else {
        Glyph::None
    };
    let beside = match (&suite.stopped, suite.so_far.value) {
        (Some(why), _) => view! { <span class="small soft">{why.clone()}</span> }.into_any(),
        (None, Some(_)) => interval_bar(&suite.so_far, suite.suite.title(), !is_current),
        (None, None) => {
            view! { <span class="small dim">{if suite.done == 0 { "to do" } else { "no score yet" }}</span> }.into_any()
        }
    };
    view! {
        <li aria-current=is_current.then_some("step")>
            <span class="sname">
                {glyph(shape)}
                <span>{suite.suite.title()}<span class="sub dim small">{format!("{} of {}", suite.done, suite.planned)}</span></span>
            </span>
            <span class="scells">{cells(suite.suite.title(), &suite.marks)}</span>
            <span class="snum num"><b>{unit::score(suite.so_far.value)}</b></span>
            <span class="sivl">{beside}</span>
        </li>
    }
    .into_any()
}

/// When it is over: scores with intervals, or why there are none.
pub fn result(suites: &[SuiteView]) -> AnyView {
    let rows = suites.iter().map(result_row).collect_view();
    let stopped = suites
        .iter()
        .filter_map(|suite| {
            Some(note(Tone::Warn, format!("{} was stopped: {}", suite.suite.title(), suite.stopped.clone()?)))
        })
        .collect_view();
    view! {
        <section class="sect" aria-labelledby="suites">
            {section_head("Suites", "suites", "One mark per task; band = 95 % interval on a scale from 0 to 100.")}
            <div class="card"><ul class="sbars">{rows}</ul> {mark_legend(false)}</div>
            {stopped}
        </section>
    }
    .into_any()
}

fn result_row(suite: &SuiteView) -> AnyView {
    let skipped = suite.marks.iter().filter(|(_, mark)| *mark == Mark::Skipped).count();
    let skipped = (skipped > 0).then(|| format!(", {skipped} skipped"));
    let repeats = suite.repeats.words().map(|words| view! { <span class="sub">{words}</span> });
    let middle = match &suite.score.why {
        None => interval_bar(&suite.score, suite.suite.title(), false),
        Some(why) => view! { <span class="small soft">{why.clone()}</span> }.into_any(),
    };
    view! {
        <li>
            <a class="name" href=format!("?suite={}#tasks", suite.suite)>{suite.suite.title()}</a>
            <span>{cells(suite.suite.title(), &suite.marks)}</span>
            <span>{middle}</span>
            <span class="num"><b>{unit::score(suite.score.value)}</b> " " <span class="dim small">{interval_brackets(&suite.score)}</span></span>
            <span class="num dim small">{format!("{} of {}", suite.judged, suite.planned)}{skipped}{repeats}</span>
        </li>
    }
    .into_any()
}
