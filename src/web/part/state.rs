//! Instead of content: nothing there, something failed, still asking.

use leptos::prelude::*;

use super::glyph::{Glyph, glyph};
use crate::web::calls::{CallError, CallErrorKind};

/// Nothing there yet: what is so, what to do.
pub fn empty(title: &'static str, text: impl IntoView + 'static) -> AnyView {
    view! {
        <section class="state">
            <svg width="28" height="28" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
                <path d="M14.6 4A8.5 8.5 0 1 0 20 9.4"/>
            </svg>
            <h2>{title}</h2>
            {text}
        </section>
    }
    .into_any()
}

/// A call that failed: `what` completes "Could not …".
pub fn failure(what: &'static str, error: &CallError) -> AnyView {
    let advice = match error.kind {
        CallErrorKind::NotFound => "It may have been deleted, or the address is mistyped.",
        CallErrorKind::Invalid | CallErrorKind::Conflict => "Nothing was changed.",
        CallErrorKind::Unavailable => "Try again in a moment; the server's log says more.",
        CallErrorKind::Connection => "Is BenchLoop still running? Reload the page when it is.",
    };
    view! {
        <section class="state" role="alert">
            {glyph(Glyph::Fail)}
            <h2>{format!("Could not {what}")}</h2>
            <p>{error.message.clone()}</p>
            <p>{advice}</p>
        </section>
    }
    .into_any()
}

/// Still asking; says what.
pub fn loading(what: &'static str) -> AnyView {
    view! {
        <section class="state" aria-busy="true">
            <h2>{what}</h2>
            <div class="load" aria-hidden="true"><i></i><i></i><i></i></div>
        </section>
    }
    .into_any()
}
