//! The headline figures, each with its band and its formula.

use leptos::prelude::*;

use crate::{
    domain::{
        run::{RunView, Scores},
        score::Figure,
        unit,
    },
    web::part::{
        interval::interval_brackets,
        score::{Score, score_card},
    },
};

/// Left end of a card: the interval, or why there is no figure.
fn ends(figure: &Figure) -> String {
    figure.why.clone().unwrap_or_else(|| interval_brackets(figure))
}

fn overall(scores: &Scores) -> Score {
    Score {
        title: "Overall",
        value: unit::score(scores.overall.value),
        unit: if scores.overall.value.is_some() { "of 100" } else { "" },
        left: ends(&scores.overall),
        right: String::new(),
        bar: Some(scores.overall.clone()),
        formula: "70 % quality, 25 % speed, 5 % reliability. Only given when all seven suites are complete.",
    }
}

fn quality(scores: &Scores) -> Score {
    Score {
        title: "Quality",
        value: unit::score(scores.quality.value),
        unit: if scores.quality.value.is_some() { "of 100" } else { "" },
        left: ends(&scores.quality),
        right: format!("{} of 6 suites", scores.quality_suites),
        bar: Some(scores.quality.clone()),
        formula: "The unweighted mean of the quality suites that have a score. The band is a 95 % bootstrap, stratified by suite.",
    }
}

fn speed(scores: &Scores) -> Score {
    let spread = &scores.decode_tok_s;
    let range = match (spread.min, spread.max) {
        (Some(low), Some(high)) => format!("{} to {}", unit::rate(Some(low)), unit::rate(Some(high))),
        _ => scores.speed.why.clone().unwrap_or_default(),
    };
    let right = scores.speed.value.map(|score| format!("score {score:.1}, n {}", spread.n)).unwrap_or_default();
    Score {
        title: "Speed",
        value: unit::rate(spread.median),
        unit: if spread.median.is_some() { "tok/s" } else { "" },
        bar: Some(scores.speed.clone()),
        left: range,
        right,
        formula: "Median decode speed of the trials that wrote at least 32 tokens, one request at a time, by this client’s \
                  clock. Score = 12.54 × log2(tok/s) + 0.9.",
    }
}

fn reliability(view: &RunView, scores: &Scores) -> Score {
    let counted = view.rows.iter().filter(|row| row.state.counts_for_reliability()).count();
    let well = view.rows.iter().filter(|row| row.state.is_judged()).count();
    Score {
        title: "Reliability",
        value: unit::score(scores.reliability.value),
        unit: if scores.reliability.value.is_some() { "%" } else { "" },
        left: ends(&scores.reliability),
        right: format!("{well} of {counted}"),
        bar: Some(scores.reliability.clone()),
        formula: "Share of trials that ended ok or truncated. Warm-up, refused capabilities and cancelled trials are left out.",
    }
}

/// Time and tokens per correct answer: no scale, so no bar.
fn per_correct(scores: &Scores) -> [Score; 2] {
    let why = |absent: bool, ask: &str| if absent { ask.to_owned() } else { String::new() };
    let time = unit::ms(scores.time_per_correct_ms);
    [
        Score {
            title: "Time per correct",
            value: time,
            unit: "",
            bar: None,
            left: why(scores.time_per_correct_ms.is_none(), "no quality trial passed, or times are missing"),
            right: String::new(),
            formula: "Total time of the judged quality trials, divided by the number that passed.",
        },
        Score {
            title: "Tokens per correct",
            value: scores.tokens_per_correct.map_or_else(|| unit::ABSENT.to_owned(), |n| unit::count(n.round() as u64)),
            unit: if scores.tokens_per_correct.is_some() { "tokens" } else { "" },
            bar: None,
            left: why(scores.tokens_per_correct.is_none(), "none passed, or the server counts no tokens"),
            right: String::new(),
            formula: "All generated tokens of the judged quality trials, thinking included, divided by the number that passed.",
        },
    ]
}

/// The row of cards.
pub fn scores(view: &RunView, scores: &Scores) -> AnyView {
    let [time, tokens] = per_correct(scores);
    let cards = [overall(scores), quality(scores), speed(scores), reliability(view, scores), time, tokens];
    view! { <dl class="scores">{cards.map(score_card).collect_view()}</dl> }.into_any()
}
