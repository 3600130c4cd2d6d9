//! The run's record as it is stored, on request.

use leptos::prelude::*;

use super::Extras;
use crate::{
    domain::run::RunView,
    web::part::state::{failure, loading},
};

/// A link that asks for the record; the record where it was asked for.
pub fn record(view: &RunView, extras: Extras) -> AnyView {
    let folder = format!("runs/{}/", view.id);
    view! {
        <section class="sect" id="raw" aria-labelledby="raw-head">
            <div class="sect-head">
                <h2 id="raw-head">"Record"</h2>
                <p>"Stored in " <code>{folder}</code> " of BenchLoop’s home folder (~/.bench-loop unless BENCHLOOP_HOME names another): run.json, and events.jsonl from which everything here can be rebuilt."</p>
            </div>
            <Suspense fallback=|| loading("Reading the record …")>
                {move || Suspend::new(async move {
                    match extras.record.await {
                        None => view! { <p><a class="btn" href="?raw=1#raw" data-noscroll="">"Show run.json"</a></p> }.into_any(),
                        Some(Err(error)) => failure("read the record", &error),
                        Some(Ok(text)) => view! {
                            <details open>
                                <summary>"run.json"</summary>
                                <pre class="code tall" tabindex="0">{text}</pre>
                            </details>
                        }
                        .into_any(),
                    }
                })}
            </Suspense>
        </section>
    }
    .into_any()
}
