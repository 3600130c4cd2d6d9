//! The interval bar: hairline = the scale from 0 to 100, band = the 95 % interval, tick = the figure.

use leptos::prelude::*;

use crate::domain::{score::Figure, unit};

fn percent(value: f64) -> String {
    format!("{:.2}%", value.clamp(0.0, 100.0))
}

/// The interval in words: `66.0, 95 % interval 58.0 to 74.0`, or why there is none.
pub fn interval_words(figure: &Figure) -> String {
    match (figure.value, figure.low, figure.high) {
        (None, ..) => format!("no figure: {}", figure.why.as_deref().unwrap_or("not measured")),
        (Some(value), Some(low), Some(high)) => format!("{value:.1}, 95 % interval {low:.1} to {high:.1}"),
        (Some(value), ..) => format!("{value:.1}, without interval"),
    }
}

/// `[58.0, 74.0]`, or nothing.
pub fn interval_brackets(figure: &Figure) -> String {
    match (figure.low, figure.high) {
        (Some(low), Some(high)) => format!("[{}, {}]", unit::score(Some(low)), unit::score(Some(high))),
        _ => String::new(),
    }
}

/// The bar of a figure from 0 to 100. `quiet` greys it: not selected, or not ranked.
pub fn interval_bar(figure: &Figure, name: &str, quiet: bool) -> AnyView {
    let class = if quiet { "ivl flat" } else { "ivl" };
    let label = format!("{name}: {}", interval_words(figure));
    let band = figure.low.zip(figure.high).map(|(low, high)| {
        let (low, high) = (low.clamp(0.0, 100.0), high.clamp(0.0, 100.0));
        view! { <rect class="band" x=percent(low) y="4" width=percent(high - low) height="6"/> }
    });
    let tick = figure.value.map(|value| {
        view! { <rect class="pt" x=percent(value) y="1" width="3" height="12" transform="translate(-1.5 0)"/> }
    });
    view! {
        <svg class=class role="img" aria-label=label>
            <rect class="track" y="6.5" width="100%" height="1"/>
            {band}
            {tick}
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_the_interval_or_why_there_is_none() {
        assert_eq!(interval_words(&Figure::new(66.0, Some((58.0, 74.0)), 8)), "66.0, 95 % interval 58.0 to 74.0");
        assert_eq!(interval_words(&Figure::absent("1 of 2 trials judged")), "no figure: 1 of 2 trials judged");
        assert_eq!(interval_brackets(&Figure::new(66.0, None, 1)), "");
    }
}
