//! The speed suite: a table with both clocks and a chart for writing and for reading.

use leptos::prelude::*;

use crate::{
    domain::{
        id::SuiteId,
        run::RunView,
        sample::Flag,
        speed::{SpeedKind, SpeedPoint, Spread},
        unit,
    },
    web::part::{
        badge::{Tone, note},
        chart::{ChartPoint, SpreadChart, spread_chart},
        table::{head, table},
        tip::tip,
    },
};

/// The section; nothing for a run without the speed suite.
pub fn speed(view: &RunView) -> AnyView {
    let points = view.speed_points();
    if points.is_empty() {
        return ().into_any();
    }
    let disagree =
        view.rows.iter().filter(|row| row.suite == SuiteId::Speed && row.flags.contains(&Flag::ClockDisagrees)).count();
    let warning = (disagree > 0).then(|| {
        note(
            Tone::Warn,
            format!(
                "In {} client and server differ by more than 20 %; read both figures.",
                unit::many(disagree, "trial")
            ),
        )
    });
    let formula = "Decode = (n − 1) ÷ (last − first token), n as the server counts it. Prefill = uncached prompt tokens ÷ time to \
                   first token. Both from one clock on this machine, stamped when bytes arrive.";
    view! {
        <section class="sect" id="speed" aria-labelledby="speed-head">
            <div class="sect-head">
                <h2 id="speed-head">"Speed"</h2>
                <p>"Median ± MAD (lowest to highest) over the timed trials, in tok/s."</p>
                {tip("speed", formula)}
            </div>
            {warning}
            {figures(&points)}
            <div class="halves">{charts(&points)}</div>
        </section>
    }
    .into_any()
}

fn figures(points: &[SpeedPoint]) -> AnyView {
    let columns = view! {
        <th scope="col" class="fix">"Measured"</th> {head("Client, tok/s", true)} {head("Server, tok/s", true)} {head("First token", true)}
        {head("Per token", true)} {head("Prompt tokens", true)} {head("Written tokens", true)} {head("n", true)}
    };
    table("Speed", "", columns, points.iter().map(row).collect_view())
}

fn tokens(value: Option<f64>) -> String {
    value.map_or_else(|| unit::ABSENT.to_owned(), |n| unit::count(n.round() as u64))
}

fn row(point: &SpeedPoint) -> AnyView {
    let spread = |spread: &Spread| spread.words(unit::rate);
    view! {
        <tr>
            <th scope="row" class="fix">
                {point.kind.label()}
                {point.why.clone().map(|why| view! { <span class="sub">{why}</span> })}
            </th>
            <td class="num">{spread(&point.client)}</td>
            <td class="num soft">{spread(&point.server)}</td>
            <td class="num">{unit::ms(point.ttft_ms.median)}</td>
            <td class="num">{unit::ms(point.tpot_ms.median)}</td>
            <td class="num">{tokens(point.prompt_tokens)}</td>
            <td class="num">{tokens(point.completion_tokens)}</td>
            <td class="num">{point.client.n}</td>
        </tr>
    }
    .into_any()
}

/// One chart for writing, one for reading; each only from two measured points on.
fn charts(points: &[SpeedPoint]) -> Vec<AnyView> {
    let of = |is_decode: bool| -> Vec<ChartPoint> {
        points
            .iter()
            .filter(|point| point.client.median.is_some())
            .filter_map(|point| {
                let x = match (point.kind, is_decode) {
                    (SpeedKind::Decode { tokens }, true) => f64::from(tokens),
                    (SpeedKind::Prefill { depth }, false) => point.prompt_tokens.unwrap_or(f64::from(depth)),
                    _ => return None,
                };
                Some(ChartPoint { x, client: point.client, server: point.server, trials: point.trials.clone() })
            })
            .collect()
    };
    let chart = |verb: &str, x_title, y_title, points: Vec<ChartPoint>| {
        let (first, last) = (points.first()?, points.last()?);
        if points.len() < 2 {
            return None;
        }
        let title = format!(
            "{verb} {} tok/s at {} and {} at {} tokens",
            unit::rate(first.client.median),
            unit::count(first.x.round() as u64),
            unit::rate(last.client.median),
            unit::count(last.x.round() as u64)
        );
        Some(spread_chart(SpreadChart { title, x_title, y_title, points }))
    };
    [
        chart("Decode", "Written tokens asked for", "Decode, tok/s", of(true)),
        chart("Prefill", "Prompt tokens", "Prefill, tok/s", of(false)),
    ]
    .into_iter()
    .flatten()
    .collect()
}
