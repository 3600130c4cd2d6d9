//! How far something is: a bar and a ring.

use leptos::prelude::*;

/// Whole percent done; 0 of 0 is 0.
pub fn percent(done: u32, planned: u32) -> u32 {
    (u64::from(done.min(planned)) * 100).checked_div(u64::from(planned)).map_or(0, |p| p as u32)
}

/// A bar of trials done.
pub fn progress_bar(done: u32, planned: u32, name: &'static str) -> AnyView {
    view! {
        <progress class="prog" value=done.to_string() max=planned.max(1).to_string() aria-label=name>
            {format!("{done} of {planned} trials")}
        </progress>
    }
    .into_any()
}

/// The large ring with the percentage inside.
pub fn progress_ring(done: u32, planned: u32) -> AnyView {
    let percent = percent(done, planned);
    view! {
        <svg class="ring big" viewBox="0 0 24 24" aria-hidden="true">
            <circle class="bg" cx="12" cy="12" r="8.5"/>
            <circle class="fg" cx="12" cy="12" r="8.5" pathLength="100" stroke-dasharray=format!("{percent} 100") transform="rotate(-90 12 12)"/>
            <text x="12" y="14.4" text-anchor="middle">{format!("{percent} %")}</text>
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percent_is_whole_and_never_above_a_hundred() {
        assert_eq!((percent(53, 138), percent(0, 0), percent(9, 3)), (38, 0, 100));
    }
}
