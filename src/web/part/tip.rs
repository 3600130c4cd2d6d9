//! An explanation behind a question mark: works by keyboard, touch and without script.

use leptos::prelude::*;

/// One definition, one formula or condition.
pub fn tip(what: &str, text: impl Into<String>) -> AnyView {
    let label = format!("How {what} is measured");
    view! {
        <details class="tip">
            <summary aria-label=label></summary>
            <div>{text.into()}</div>
        </details>
    }
    .into_any()
}
