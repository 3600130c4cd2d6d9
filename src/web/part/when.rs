//! Points in time, always in UTC and saying so: both sides of the page render the same text. Written by hand, for a
//! general formatter is code that every browser would have to load.

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use leptos::prelude::*;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `14 March 2026, 10:15 UTC`.
pub fn utc(at: DateTime<Utc>) -> String {
    let month = MONTHS.get(at.month0() as usize).copied().unwrap_or_default();
    format!("{} {month} {}, {} UTC", at.day(), at.year(), hour_minute(at))
}

/// `10:15`.
pub fn hour_minute(at: DateTime<Utc>) -> String {
    format!("{:02}:{:02}", at.hour(), at.minute())
}

/// `10:15:02`.
pub fn second_of_day(at: DateTime<Utc>) -> String {
    format!("{}:{:02}", hour_minute(at), at.second())
}

fn exact(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A `<time>` that shows UTC and carries the exact moment; hovering shows the moment itself.
pub fn when(at: DateTime<Utc>) -> AnyView {
    let exact = exact(at);
    view! { <time datetime=exact.clone() title=exact>{utc(at)}</time> }.into_any()
}

/// Only the time of day, for rows of one run.
pub fn time_of_day(at: DateTime<Utc>) -> AnyView {
    view! { <time datetime=exact(at)>{second_of_day(at)}</time> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_as_people_write_it() {
        let at = DateTime::from_timestamp(1_773_483_302, 0).unwrap();
        assert_eq!(utc(at), "14 March 2026, 10:15 UTC");
        assert_eq!(exact(at), "2026-03-14T10:15:02Z");
    }
}
