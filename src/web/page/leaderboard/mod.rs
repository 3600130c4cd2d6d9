//! `/leaderboard`: one task set at a time, one run per model and harness, ranks shared where the figures can't tell.

mod filters;
mod rows;

use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    domain::{
        leaderboard::{Board, BoardQuery, Source},
        unit,
    },
    web::{
        calls,
        part::{
            badge::{Tone, note},
            state::{empty, failure, loading},
        },
    },
};

/// The page.
#[component]
pub fn LeaderboardPage() -> impl IntoView {
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(|query| BoardQuery::read(|name| query.get(name))));
    let board = calls::ask(move || asked.get(), calls::read_leaderboard);
    view! {
        <Title text="Leaderboard"/>
        <Transition fallback=|| loading("Reading the runs …")>
            {move || Suspend::new(async move {
                match board.await {
                    Ok(board) => Either::Left(page(&board)),
                    Err(error) => Either::Right(view! { <h1>"Leaderboard"</h1> {failure("read the runs", &error)} }),
                }
            })}
        </Transition>
    }
}

/// The address of the same board with another source.
fn with_source(query: &BoardQuery, source: Source) -> String {
    BoardQuery { source, set: String::new(), ..query.clone() }.href()
}

fn page(board: &Board) -> AnyView {
    let is_demo = board.query.source == Source::Demo;
    let set = board.sets.iter().find(|set| set.digest == board.set);
    let about = set.map(|set| {
        let short: String = set.digest.trim_start_matches("sha256:").chars().take(8).collect();
        view! {
            <span>"Task set " <b class="soft">{set.label.clone()}</b></span>
            <span class="mono">{short}</span>
            <span>{format!("{} from {}", unit::many(set.models as usize, "model"), unit::many(set.runs as usize, "run"))}</span>
        }
    });
    view! {
        <div class="head">
            <div>
                <h1>{if is_demo { "Demo leaderboard" } else { "Leaderboard" }}</h1>
                <p class="meta">{about}</p>
            </div>
        </div>
        {is_demo.then(|| note(Tone::Plain, "Demo: scripted answers; the figures measure nothing real."))}
        {filters::filters(board)}
        {if board.entries.is_empty() { nothing(board) } else { rows::rows(board) }}
        {left_out(board)}
    }
    .into_any()
}

/// Why there is no row, and what to do.
fn nothing(board: &Board) -> AnyView {
    if !board.query.find.is_empty() && !board.sets.is_empty() {
        let clear = BoardQuery { find: String::new(), ..board.query.clone() }.href();
        let text = view! {
            <p>{format!("No model’s name contains {:?}.", board.query.find)}</p>
            <a class="btn" href=clear>"Clear this filter"</a>
        };
        return empty("No match", text);
    }
    if board.query.source == Source::Demo {
        return empty(
            "No demo run yet",
            view! {
                <p>"Run a demo model: it takes a minute and shows every page with figures in it."</p>
                <a class="btn main" href="/models">"Choose a demo model"</a>
            },
        );
    }
    let demo = (board.other_source > 0).then(|| {
        let count = board.other_source;
        let text = format!("Look at the demo board ({count} {})", if count == 1 { "run" } else { "runs" });
        view! { <a class="btn" href=with_source(&board.query, Source::Demo)>{text}</a> }
    });
    empty(
        "No ranked run yet",
        view! {
            <p>"Three steps: start a model server, pick a model, press Run. A run ranks when its plan ran out and the model stayed the same."</p>
            <p class="acts"><a class="btn main" href="/models">"Choose a model"</a> {demo}</p>
        },
    )
}

/// Runs that don't rank, counted by reason.
fn left_out(board: &Board) -> AnyView {
    let reasons: Vec<String> = board.left_out.iter().map(|(why, n)| format!("{n} {why}")).collect();
    let other = match board.query.source {
        Source::Real => ("on the demo board", Source::Demo),
        Source::Demo => ("on the main board", Source::Real),
    };
    let runs = if board.other_source == 1 { "run" } else { "runs" };
    view! {
        <p class="meta">
            {(!reasons.is_empty()).then(|| view! { <span>"Not ranked: " {reasons.join(", ")}</span> })}
            {(board.other_source > 0)
                .then(|| {
                    let href = with_source(&board.query, other.1);
                    view! { <a href=href>{format!("{} {runs} {}", board.other_source, other.0)}</a> }
                })}
            <a href="/method#ranking">"How ranks are made"</a>
        </p>
    }
    .into_any()
}
