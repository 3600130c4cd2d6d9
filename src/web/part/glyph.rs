//! State glyphs: rings that can be told apart without colour. Each stands beside a word and is hidden from readers.

use leptos::prelude::*;

use crate::domain::{
    run::{Mark, RunStatus},
    sample::SampleState,
};

/// The symbols, once per page; [`glyph`] refers to them.
const SYMBOLS: &str = concat!(
    r#"<defs><symbol id="g-pass" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" class="f"/><path class="k" d="M4.8 8.2l2.2 2.2 4.2-4.6"/></symbol>"#,
    r#"<symbol id="g-part" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path class="f" d="M8 1.9a6.1 6.1 0 0 0 0 12.2z"/></symbol>"#,
    r#"<symbol id="g-fail" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8"/></symbol>"#,
    r#"<symbol id="g-none" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1" stroke-dasharray="2.4 2.4"/></symbol>"#,
    r#"<symbol id="g-live" viewBox="0 0 16 16"><path d="M9.7 2.1A6.1 6.1 0 1 0 13.9 6.3"/><circle cx="8" cy="8" r="2.2" class="f"/></symbol>"#,
    r#"<symbol id="g-warn" viewBox="0 0 16 16"><path d="M8 1.9L14.6 13.6H1.4z" stroke-linejoin="round"/><path d="M8 6.2v3.6M8 11.2v1"/></symbol>"#,
    r#"<symbol id="g-cut" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path d="M4.6 8h3.2M9.4 8h.9M11.6 8h.4"/></symbol>"#,
    r#"<symbol id="g-time" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path d="M8 4.4V8l2.4 1.6"/></symbol>"#,
    r#"<symbol id="g-refuse" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path d="M3.8 12.2l8.4-8.4"/></symbol>"#,
    r#"<symbol id="g-info" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path d="M8 7.2v4M8 4.6v1.2"/></symbol>"#,
    r#"<symbol id="g-stop" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.1"/><path class="f" d="M5.8 5.8h4.4v4.4H5.8z"/></symbol>"#,
    r#"<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 2.5h5"/></pattern></defs>"#,
);

/// Holds the symbols; invisible itself.
#[component]
pub fn GlyphSheet() -> impl IntoView {
    view! { <svg width="0" height="0" aria-hidden="true" class="sr" inner_html=SYMBOLS></svg> }
}

/// The glyphs, named by their shape's meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Glyph {
    Pass,
    Part,
    Fail,
    None,
    Live,
    Warn,
    Cut,
    Time,
    Refuse,
    Info,
    Stop,
}

impl Glyph {
    const fn shape(self) -> &'static str {
        match self {
            Self::Pass => r##"<use href="#g-pass"/>"##,
            Self::Part => r##"<use href="#g-part"/>"##,
            Self::Fail => r##"<use href="#g-fail"/>"##,
            Self::None => r##"<use href="#g-none"/>"##,
            Self::Live => r##"<use href="#g-live"/>"##,
            Self::Warn => r##"<use href="#g-warn"/>"##,
            Self::Cut => r##"<use href="#g-cut"/>"##,
            Self::Time => r##"<use href="#g-time"/>"##,
            Self::Refuse => r##"<use href="#g-refuse"/>"##,
            Self::Info => r##"<use href="#g-info"/>"##,
            Self::Stop => r##"<use href="#g-stop"/>"##,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Pass => "glyph pass",
            Self::Part | Self::Warn | Self::Cut => "glyph warn",
            Self::Fail | Self::Time => "glyph fail",
            Self::Live => "glyph live",
            Self::None | Self::Refuse | Self::Info | Self::Stop => "glyph none",
        }
    }

    /// The glyph of a verdict.
    pub const fn of_mark(mark: Mark) -> Self {
        match mark {
            Mark::Passed => Self::Pass,
            Mark::Partly => Self::Part,
            Mark::Failed => Self::Fail,
            Mark::Running => Self::Live,
            Mark::Skipped => Self::Refuse,
            Mark::NotJudged | Mark::ToDo => Self::None,
        }
    }

    /// The glyph of a model call's ending.
    pub const fn of_state(state: SampleState) -> Self {
        match state {
            SampleState::Ok => Self::Pass,
            SampleState::Truncated => Self::Cut,
            SampleState::Timeout => Self::Time,
            SampleState::RefusedCapability => Self::Refuse,
            SampleState::Cancelled => Self::Stop,
            SampleState::TransportError | SampleState::ProviderError | SampleState::ProtocolError => Self::Fail,
        }
    }

    /// The glyph of a run.
    pub const fn of_status(status: RunStatus) -> Self {
        match status {
            RunStatus::Queued => Self::None,
            RunStatus::Running => Self::Live,
            RunStatus::Completed => Self::Pass,
            RunStatus::Failed | RunStatus::Unreadable => Self::Fail,
            RunStatus::Cancelled => Self::Stop,
            RunStatus::Interrupted => Self::Warn,
        }
    }
}

/// A glyph alone. Give it a word.
pub fn glyph(glyph: Glyph) -> AnyView {
    view! { <svg class=glyph.class() viewBox="0 0 16 16" aria-hidden="true" inner_html=glyph.shape()></svg> }.into_any()
}

/// A glyph with its word, on one line.
pub fn state_line(shape: Glyph, word: impl Into<String>) -> AnyView {
    view! { <span class="state-line">{glyph(shape)}<span>{word.into()}</span></span> }.into_any()
}

/// What the verdict glyphs mean.
pub fn mark_legend(with_running: bool) -> AnyView {
    let item = |mark: Mark| view! { <span>{glyph(Glyph::of_mark(mark))} {mark.as_str()}</span> };
    view! {
        <p class="legend">
            {[Mark::Passed, Mark::Partly, Mark::Failed, Mark::NotJudged].map(item).collect_view()}
            {with_running.then(|| item(Mark::Running))}
        </p>
    }
    .into_any()
}
