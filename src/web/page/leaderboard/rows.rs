//! The ranked table. Head cells sort by a link; equal ranks share a rail at the left edge.

use leptos::prelude::*;

use crate::{
    domain::{
        id::SuiteId,
        leaderboard::{Board, Entry, SortKey, suites_of},
        plan::THINKING_BUDGET,
        record::{RowSuite, RunRow},
        unit,
    },
    web::part::{
        badge::demo_badge,
        interval::{interval_bar, interval_brackets},
        when::when,
    },
};

/// The table of all entries.
pub fn rows(board: &Board) -> AnyView {
    let suites = suites_of(board);
    let has_overall = board.entries.iter().any(|entry| entry.row.overall.value.is_some());
    let rows = board.entries.iter().map(|entry| row(entry, &suites, has_overall)).collect_view();
    view! {
        <div class="wrap" tabindex="0" role="region" aria-label="Ranked models">
            <table class="tbl lb">
                <thead>{head(board, &suites, has_overall)}</thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="small dim">"Ranks marked = are shared: their intervals don’t tell them apart."</p>
    }
    .into_any()
}

fn sorted(board: &Board, key: SortKey, title: &'static str, class: &'static str) -> AnyView {
    let state = (board.query.sort == key).then_some(if board.query.ascending { "ascending" } else { "descending" });
    view! { <th scope="col" class=class aria-sort=state><a href=board.query.sorted_by(key)>{title}</a></th> }.into_any()
}

fn head(board: &Board, suites: &[SuiteId], has_overall: bool) -> AnyView {
    let columns = suites
        .iter()
        .filter(|suite| **suite != SuiteId::Speed)
        .map(|suite| view! { <th scope="col" class="num">{suite.title()}</th> })
        .collect_view();
    view! {
        <tr>
            <th scope="col" class="num">"Rank"</th>
            {sorted(board, SortKey::Model, "Model", "fix")}
            {has_overall.then(|| sorted(board, SortKey::Overall, "Overall", "num"))}
            {sorted(board, SortKey::Quality, "Quality", "num")}
            <th scope="col" class="q">"95 % interval, 0 to 100"</th>
            {columns}
            {sorted(board, SortKey::Decode, "tok/s", "num")}
            {sorted(board, SortKey::Ttft, "First token", "num")}
            {sorted(board, SortKey::Reliability, "Reliab., %", "num")}
            <th scope="col">"Machine, server"</th>
            <th scope="col" class="num">"Runs"</th>
            {sorted(board, SortKey::Date, "Date", "")}
        </tr>
    }
    .into_any()
}

fn rank_words(entry: &Entry) -> String {
    match entry.rank {
        Some(rank) => format!("{rank}{}", if entry.tied { "=" } else { "" }),
        None => unit::ABSENT.to_owned(),
    }
}

fn suite_cell(run: &RunRow, suite: SuiteId) -> AnyView {
    match run.suites.iter().find(|found| found.suite == suite) {
        Some(RowSuite { score, judged, planned, .. }) => {
            let words = score
                .why
                .clone()
                .unwrap_or_else(|| format!("{judged} of {planned} trials judged {}", interval_brackets(score)));
            view! { <td class="num" title=words>{unit::score(score.value)}</td> }.into_any()
        }
        None => view! { <td class="num dim" title="not part of this run">{unit::ABSENT}</td> }.into_any(),
    }
}

fn row(entry: &Entry, suites: &[SuiteId], has_overall: bool) -> AnyView {
    let run = &entry.row;
    let class = match (entry.tied, entry.rank) {
        (true, Some(1)) => "tie lead",
        (true, _) => "tie",
        _ => "",
    };
    let kind = [
        run.quantization.clone(),
        run.harness.map(|harness| harness.to_string()),
        run.thinking.map(|thinking| format!("thinking {thinking}")),
        run.thinking_budget
            .filter(|budget| *budget > 0 && *budget != THINKING_BUDGET)
            .map(|budget| format!("budget {}", unit::count(u64::from(budget)))),
    ];
    let kind: Vec<String> = kind.into_iter().flatten().collect();
    let spread = match (entry.runs, entry.low, entry.high) {
        (2.., Some(low), Some(high)) => format!("{low:.1} to {high:.1}"),
        _ => String::new(),
    };
    let partial = (run.quality.value.is_some() && run.quality_suites < SuiteId::QUALITY.len() as u32)
        .then(|| view! { <span class="sub">{format!("{} of 6 suites", run.quality_suites)}</span> });
    let cells =
        suites.iter().filter(|suite| **suite != SuiteId::Speed).map(|suite| suite_cell(run, *suite)).collect_view();
    let why = run.quality.why.clone();
    view! {
        <tr class=class>
            <td class="rank num">{rank_words(entry)}</td>
            <th scope="row" class="fix">
                <a class="name" href=format!("/runs/{}", run.id)>{run.model.clone()}</a> " " {run.demo.then(demo_badge)}
                <span class="sub">{kind.join(" · ")}</span>
            </th>
            {has_overall.then(|| view! { <td class="num" title=run.overall.why.clone()>{unit::score(run.overall.value)}</td> })}
            <td class="num" title=why>{unit::score(run.quality.value)}{partial}</td>
            <td class="q">{interval_bar(&run.quality, "Quality", entry.rank != Some(1))}</td>
            {cells}
            <td class="num">{unit::rate(run.decode_tok_s)}</td>
            <td class="num">{unit::ms(run.ttft_ms)}</td>
            <td class="num">{unit::score(run.reliability.value)}</td>
            <td class="soft">{run.machine.clone()}<span class="sub">{run.server.clone()}</span></td>
            <td class="num">{entry.runs}<span class="sub">{spread}</span></td>
            <td class="soft nowrap">{run.started_at.map(when)}</td>
        </tr>
    }
    .into_any()
}
