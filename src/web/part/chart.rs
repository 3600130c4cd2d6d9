//! The spread chart: median, trials and the server's own figure per point, drawn in percent of the plot, so that the
//! same drawing serves any width. The same figures stand below as a table.

use leptos::prelude::*;

use crate::domain::{chart::Scale, speed::Spread, unit};

/// One point on the x axis.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartPoint {
    pub x: f64,
    pub client: Spread,
    pub server: Spread,
    /// Single trials by the client's clock.
    pub trials: Vec<f64>,
}

/// What is drawn, with its words.
pub struct SpreadChart {
    pub title: String,
    pub x_title: &'static str,
    pub y_title: &'static str,
    pub points: Vec<ChartPoint>,
}

fn pc(value: f64) -> String {
    format!("{value:.2}%")
}

fn polyline(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

/// Axis ticks, grid and titles.
fn frame(x: Scale, y: Scale, xs: &[f64], chart: &SpreadChart) -> AnyView {
    let rows = y
        .ticks()
        .into_iter()
        .map(|tick| {
            let at = pc(100.0 - y.percent(tick));
            let class = if tick == 0.0 { "axis" } else { "grid-l" };
            view! {
                <line class=class x1="0" x2="100%" y1=at.clone() y2=at.clone()/>
                <text x="0" dx="-8" y=at dy="4" text-anchor="end">{unit::count(tick.round() as u64)}</text>
            }
        })
        .collect_view();
    let columns = xs
        .iter()
        .map(|value| {
            let at = pc(x.percent(*value));
            view! { <text x=at y="100%" dy="16" text-anchor="middle">{unit::count(value.round() as u64)}</text> }
        })
        .collect_view();
    view! {
        {rows}
        {columns}
        <text class="axis-t" x="50%" y="100%" dy="36" text-anchor="middle">{chart.x_title}</text>
        <text class="axis-t" x="0" dx="-28" y="0" dy="-10">{chart.y_title}</text>
    }
    .into_any()
}

fn marks(x: f64, y: Scale, point: &ChartPoint) -> AnyView {
    let high = |value: f64| pc(100.0 - y.percent(value));
    let at = pc(x);
    let whisker = point.client.min.zip(point.client.max).map(|(low, top)| {
        view! { <line class="whisk" x1=at.clone() x2=at.clone() y1=high(top) y2=high(low)/> }
    });
    let trials = point
        .trials
        .iter()
        .map(|value| view! { <circle class="trial k1" cx=at.clone() cy=high(*value) r="2"/> })
        .collect_view();
    let server = point.server.median.map(|value| {
        view! {
            <svg x=at.clone() y=high(value) overflow="visible">
                <rect x="-3.5" y="-3.5" width="7" height="7" class="m k2 hollow"/>
            </svg>
        }
    });
    let client = point.client.median.map(|value| {
        view! { <svg x=at.clone() y=high(value) overflow="visible"><circle r="4" class="m k1"/></svg> }
    });
    view! { {whisker} {trials} {server} {client} }.into_any()
}

fn figures(chart: &SpreadChart) -> AnyView {
    let rows = chart
        .points
        .iter()
        .map(|point| {
            let range = match (point.client.min, point.client.max) {
                (Some(low), Some(high)) => format!("{} to {}", unit::rate(Some(low)), unit::rate(Some(high))),
                _ => unit::ABSENT.to_owned(),
            };
            view! {
                <tr>
                    <th scope="row" class="num">{unit::count(point.x.round() as u64)}</th>
                    <td class="num">{unit::rate(point.client.median)}</td>
                    <td class="num">{range}</td>
                    <td class="num">{unit::rate(point.server.median)}</td>
                    <td class="num">{point.client.n}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details class="data">
            <summary>"The same as a table"</summary>
            <div class="wrap" tabindex="0" role="region" aria-label=format!("{}, as a table", chart.title)>
                <table class="tbl">
                    <thead>
                        <tr>
                            <th scope="col" class="num">{chart.x_title}</th>
                            <th scope="col" class="num">"Client median"</th>
                            <th scope="col" class="num">"Client range"</th>
                            <th scope="col" class="num">"Server median"</th>
                            <th scope="col" class="num">"n"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
    .into_any()
}

/// The figure with drawing, legend and table.
pub fn spread_chart(chart: SpreadChart) -> AnyView {
    let tops = chart.points.iter().flat_map(|point| [point.client.max, point.server.max]).flatten();
    let y = Scale::covering(tops.fold(0.0, f64::max));
    let xs: Vec<f64> = chart.points.iter().map(|point| point.x).collect();
    let x = Scale::covering(xs.iter().copied().fold(0.0, f64::max));
    let line = |pick: &dyn Fn(&ChartPoint) -> Option<f64>| {
        let places: Vec<(f64, f64)> = chart
            .points
            .iter()
            .filter_map(|point| Some((x.percent(point.x), 100.0 - y.percent(pick(point)?))))
            .collect();
        polyline(&places)
    };
    let (client, server) = (line(&|point| point.client.median), line(&|point| point.server.median));
    let points = chart.points.iter().map(|point| marks(x.percent(point.x), y, point)).collect_view();
    view! {
        <figure class="card chart">
            <figcaption><h3>{chart.title.clone()}</h3></figcaption>
            <div class="plot">
                <svg height="220" role="img" aria-label=format!("{}; the table below has the figures", chart.title)>
                    {frame(x, y, &xs, &chart)}
                    <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" overflow="visible">
                        <polyline class="k1" points=client/>
                        <polyline class="k2 d2" points=server/>
                    </svg>
                    {points}
                </svg>
            </div>
            <p class="legend">
                <span>
                    <svg class="long k1" viewBox="0 0 24 12" aria-hidden="true">
                        <path d="M0 6h24" stroke-width="2"/>
                        <circle class="m" cx="12" cy="6" r="4"/>
                    </svg>
                    "client, median; bar from lowest to highest, dots are trials"
                </span>
                <span>
                    <svg class="long k2" viewBox="0 0 24 12" aria-hidden="true">
                        <path d="M0 6h24" stroke-width="2" stroke-dasharray="8 3"/>
                        <rect class="m hollow" x="8.5" y="2.5" width="7" height="7"/>
                    </svg>
                    "server’s own figure"
                </span>
            </p>
            {figures(&chart)}
        </figure>
    }
    .into_any()
}
