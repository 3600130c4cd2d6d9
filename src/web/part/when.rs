//! Points in time, always in UTC and saying so: both sides of the page render the same text.

use chrono::{DateTime, Utc};
use leptos::prelude::*;

/// `14 March 2026, 10:15 UTC`.
pub fn utc(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}

/// A `<time>` that shows UTC and carries the exact moment; hovering shows the moment itself.
pub fn when(at: DateTime<Utc>) -> AnyView {
    let exact = at.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    view! { <time datetime=exact.clone() title=exact>{utc(at)}</time> }.into_any()
}

/// Only the time of day, for rows of one run.
pub fn time_of_day(at: DateTime<Utc>) -> AnyView {
    let exact = at.format("%Y-%m-%dT%H:%M:%SZ").to_string();
    view! { <time datetime=exact>{at.format("%H:%M:%S").to_string()}</time> }.into_any()
}
