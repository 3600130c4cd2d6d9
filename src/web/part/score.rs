//! A headline figure with its band, its ends and its formula.

use leptos::prelude::*;

use super::{interval::interval_bar, tip::tip};
use crate::domain::score::Figure;

/// What a card shows; texts come formatted.
pub struct Score {
    pub title: &'static str,
    pub value: String,
    pub unit: &'static str,
    /// The bar below; `None` for figures without a scale from 0 to 100.
    pub bar: Option<Figure>,
    pub left: String,
    pub right: String,
    pub formula: &'static str,
}

/// One card within `dl.scores`.
pub fn score_card(score: Score) -> AnyView {
    let bar = score.bar.map(|figure| interval_bar(&figure, score.title, false));
    view! {
        <div class="score">
            <dt>{score.title} " " {tip(&score.title.to_ascii_lowercase(), score.formula)}</dt>
            <dd>
                <b>{score.value}</b> " " <small>{score.unit}</small>
                {bar}
                <span class="ends"><span>{score.left}</span><span>{score.right}</span></span>
            </dd>
        </div>
    }
    .into_any()
}
