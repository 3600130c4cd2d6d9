//! What was found before the first task: folded where the run could start, open where it could not.

use leptos::prelude::*;

use crate::{domain::run::RunView, web::part::card};

/// The section, and whether it says why the run could not start; `None` where nothing was looked at.
pub fn section(view: &RunView) -> Option<(bool, AnyView)> {
    let found = view.card.as_ref()?;
    let blocks = found.blocker().is_some();
    let (about, conclusion) = match blocks {
        true => ("What was found before the first task.".to_owned(), Some(card::conclusion(found))),
        false => (found.conclusion(), None),
    };
    let section = view! {
        <section class="sect" id="preflight" aria-labelledby="preflight-head">
            <details class="fold" open=blocks>
                <summary>
                    <h2 id="preflight-head">"Preflight"</h2>
                    <span class="small dim">{about}</span>
                </summary>
                <div class="card">{conclusion} {card::findings(found)}</div>
            </details>
        </section>
    };
    Some((blocks, section.into_any()))
}
