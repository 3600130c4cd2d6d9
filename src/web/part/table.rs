//! Wide data: a table that scrolls within its frame and says its name.

use leptos::prelude::*;

/// A head cell: title, and whether figures stand below.
pub fn head(title: &'static str, is_number: bool) -> AnyView {
    view! { <th scope="col" class=if is_number { "num" } else { "" }>{title}</th> }.into_any()
}

/// The frame and the table. `head` is one row of head cells, `body` the rows.
pub fn table(
    name: &'static str,
    class: &'static str,
    head: impl IntoView + 'static,
    body: impl IntoView + 'static,
) -> AnyView {
    view! {
        <div class="wrap" tabindex="0" role="region" aria-label=name>
            <table class=format!("tbl {class}")>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A section's heading with a quiet line beside it.
pub fn section_head(title: impl IntoView + 'static, id: &'static str, about: impl IntoView + 'static) -> AnyView {
    view! { <div class="sect-head"><h2 id=id>{title}</h2><p>{about}</p></div> }.into_any()
}
