//! A list of names and values.

use leptos::prelude::*;

/// Pairs in order. A value that is absent is left to the caller: a dash and a reason, never an empty cell.
pub fn kv(pairs: Vec<(&'static str, AnyView)>) -> AnyView {
    let pairs = pairs.into_iter().map(|(name, value)| view! { <dt>{name}</dt><dd>{value}</dd> }).collect_view();
    view! { <dl class="kv">{pairs}</dl> }.into_any()
}

/// A text as a value; a dash if there is none.
pub fn text(value: Option<impl Into<String>>) -> AnyView {
    match value {
        Some(value) => value.into().into_any(),
        None => view! { <span class="dim">{crate::domain::unit::ABSENT} " not told"</span> }.into_any(),
    }
}
