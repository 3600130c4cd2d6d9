//! What was found before the first task: folded where the run could start, open where it could not.

use leptos::prelude::*;

use crate::{domain::run::RunView, web::part::card};

/// The section, and whether it says why the run could not start; `None` where nothing was looked at.
pub fn section(view: &RunView) -> Option<(bool, AnyView)> {
    let found = view.card.as_ref()?;
    let blocks = found.blocker().is_some();
    let section = view! {
        <section class="sect" id="preflight" aria-labelledby="preflight-head">
            <details class="fold" open=blocks>
                <summary>
                    <h2 id="preflight-head">"Preflight"</h2>
                    <span class="small dim">"What was found before the first task."</span>
                </summary>
                <div class="card">{card::conclusion(found)} {card::findings(found)}</div>
            </details>
        </section>
    };
    Some((blocks, section.into_any()))
}
