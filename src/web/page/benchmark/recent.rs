//! The newest runs, active ones first to be seen, for they are the newest.

use leptos::prelude::*;

use crate::{
    domain::{record::RunRow, run::RunStatus, unit},
    web::part::{
        badge::demo_badge,
        glyph::{Glyph, state_line},
        progress::percent,
        table::{head, section_head, table},
        when::when,
    },
};

/// The table, or what to do where nothing was run.
pub fn recent(runs: &[RunRow], count: u32) -> AnyView {
    let about = match count {
        0 => "none yet".to_owned(),
        n if n as usize > runs.len() => format!("the newest {} of {n}", runs.len()),
        n => format!("{n} in all"),
    };
    let body = if runs.is_empty() {
        view! { <p class="soft">"No run yet. The quick profile on one model is a good first one."</p> }.into_any()
    } else {
        let columns = view! {
            {head("State", false)} {head("Model", false)} {head("Suites", false)} {head("Quality", true)}
            {head("tok/s", true)} {head("Trials", true)} {head("Took", true)} {head("Started", false)}
        };
        table("Recent runs", "", columns, runs.iter().map(row).collect_view())
    };
    view! {
        <section class="sect" aria-labelledby="recent">
            {section_head("Recent runs", "recent", about)}
            {body}
        </section>
    }
    .into_any()
}

fn row(run: &RunRow) -> AnyView {
    let state = match run.status {
        RunStatus::Running => format!("running, {} %", percent(run.done, run.planned)),
        RunStatus::Queued => match run.position {
            Some(position) => format!("queued, place {position}"),
            None => "queued".to_owned(),
        },
        status => status.to_string(),
    };
    let name = if run.model.is_empty() { run.id.to_string() } else { run.model.clone() };
    let suites: Vec<&str> = run.suites.iter().map(|suite| suite.suite.title()).collect();
    let kind = [run.profile.map(|profile| profile.to_string()), run.quantization.clone(), Some(run.server.clone())];
    let kind: Vec<String> = kind.into_iter().flatten().filter(|text| !text.is_empty()).collect();
    let why = run.quality.why.clone().or(run.error.clone()).unwrap_or_default();
    view! {
        <tr>
            <td>{state_line(Glyph::of_status(run.status), state)}</td>
            <th scope="row">
                <a class="name" href=format!("/runs/{}", run.id)>{name}</a> " " {run.demo.then(demo_badge)}
                <span class="sub">{kind.join(" · ")}</span>
            </th>
            <td class="soft">{suites.join(", ")}</td>
            <td class="num" title=why>{unit::score(run.quality.value)}</td>
            <td class="num">{unit::rate(run.decode_tok_s)}</td>
            <td class="num">{format!("{} of {}", run.done, run.planned)}</td>
            <td class="num">{run.runtime_s.map_or_else(|| unit::ABSENT.to_owned(), unit::clock)}</td>
            <td class="soft nowrap">{run.started_at.or(run.queued_at).map(when)}</td>
        </tr>
    }
    .into_any()
}
