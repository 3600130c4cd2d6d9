//! Badges and notices.

use leptos::prelude::*;

use super::glyph::{Glyph, glyph};

/// How much a badge or notice matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Pass,
    Warn,
    Fail,
}

impl Tone {
    const fn class(self, base: &'static str) -> (&'static str, &'static str) {
        let tone = match self {
            Self::Plain => "none",
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
        };
        (base, tone)
    }

    const fn glyph(self) -> Glyph {
        match self {
            Self::Plain => Glyph::Info,
            Self::Pass => Glyph::Pass,
            Self::Warn => Glyph::Warn,
            Self::Fail => Glyph::Fail,
        }
    }
}

/// A short word with a glyph.
pub fn badge(tone: Tone, shape: Glyph, word: impl Into<String>) -> AnyView {
    let (base, tone) = tone.class("badge");
    view! { <span class=format!("{base} {tone}")>{glyph(shape)}{word.into()}</span> }.into_any()
}

/// What marks everything that the built-in scripted server answered.
pub fn demo_badge() -> AnyView {
    badge(Tone::Plain, Glyph::None, "demo")
}

/// A message in the page: one sentence, at most one action.
pub fn note(tone: Tone, text: impl IntoView + 'static) -> AnyView {
    let (base, word) = tone.class("note");
    view! { <div class=format!("{base} {word}")>{glyph(tone.glyph())}<p>{text}</p></div> }.into_any()
}
