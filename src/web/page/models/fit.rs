//! An estimate as a word and a bar: weights, context, reserve, and the line of what the machine has.

use leptos::prelude::*;

use crate::{
    domain::{
        fit::{Fit, FitPlace, Need, Room, fit},
        hub::{HubDetails, QuantChoice},
        unit,
    },
    web::part::glyph::{Glyph, state_line},
};

/// The estimate for one choice of a repository.
pub fn estimate(details: &HubDetails, choice: &QuantChoice, context: u64, room: &Room) -> Fit {
    let need = Need {
        file_bytes: Some(choice.size_bytes),
        parameters: details.parameters.map(|n| n as f64),
        quantization: Some(choice.name.clone()),
        context,
        kv_bytes_per_token: None,
    };
    fit(&need, room)
}

/// The memory that the line of the bars stands for, and its name.
pub fn limit(room: &Room) -> Option<(u64, &'static str)> {
    match (room.vram_bytes, room.memory_bytes) {
        (Some(vram), _) => Some((vram, "graphics memory")),
        (None, Some(memory)) if room.unified => Some((memory / 4 * 3, "memory that graphics may use")),
        (None, Some(memory)) => Some((memory / 5 * 4, "usable main memory")),
        (None, None) => None,
    }
}

/// The word for where it would run.
pub fn word(fit: &Fit) -> AnyView {
    let (glyph, word) = match fit.place {
        FitPlace::Vram => (Glyph::Pass, "fits"),
        FitPlace::Memory => (Glyph::Pass, "fits, on the CPU"),
        FitPlace::Partly => (Glyph::Warn, "partly on the CPU"),
        FitPlace::DoesNotFit => (Glyph::Fail, "does not fit"),
        FitPlace::Unknown => (Glyph::None, "not known"),
    };
    state_line(glyph, word)
}

/// The bar on a scale from 0 to `scale` bytes.
pub fn bar(fit: &Fit, limit: Option<(u64, &'static str)>, scale: u64) -> AnyView {
    let percent = |bytes: u64| format!("{:.2}%", (bytes as f64 / scale.max(1) as f64 * 100.0).min(100.0));
    let parts = [("w", fit.weights_bytes), ("kv", fit.kv_bytes), ("oh", fit.overhead_bytes)];
    let mut start = 0_u64;
    let rects: Vec<AnyView> = parts
        .into_iter()
        .map(|(class, bytes)| {
            let (from, bytes) = (start, bytes.unwrap_or(0));
            start = start.saturating_add(bytes);
            view! { <rect class=class x=percent(from) y="3" width=percent(bytes) height="8"/> }.into_any()
        })
        .collect();
    let line = limit.map(|(bytes, _)| view! { <line class="lim" x1=percent(bytes) x2=percent(bytes) y1="0" y2="14"/> });
    view! {
        <svg class="fit" role="img" aria-label=fit.formula.clone()>
            <rect class="track" y="6.5" width="100%" height="1"/>
            {rects} {line}
        </svg>
    }
    .into_any()
}

/// What the parts of the bars are, with the formula of one of them.
pub fn legend(example: Option<&Fit>, limit: Option<(u64, &'static str)>) -> AnyView {
    let key = |class: &'static str, word: &'static str| {
        view! { <span><svg viewBox="0 0 12 12" class="fitk" aria-hidden="true"><rect class=class width="12" height="12"/></svg>{word}</span> }
    };
    let line = limit.map(|(bytes, name)| {
        view! {
            <span>
                <svg viewBox="0 0 12 12" class="fitk" aria-hidden="true"><path class="lim" d="M6 0v12"/></svg>
                {format!("{} {name}", unit::gb(bytes))}
            </span>
        }
    });
    let formula = example.map(|fit| {
        let unknown = fit.unknown.iter().map(|text| view! { <li>{format!("Not known: {text}.")}</li> }).collect_view();
        view! {
            <details class="more">
                <summary>"How this is estimated"</summary>
                <p class="small">"Needed = (weights + cache for the context) × 1.1; a tenth is for the server’s buffers. For the first file: "</p>
                <p class="small mono">{fit.formula.clone()}</p>
                <ul class="small soft plain-list">{unknown}</ul>
            </details>
        }
    });
    view! {
        <p class="legend">{key("w", "weights")} {key("kv", "context")} {key("oh", "reserve, a tenth")} {line}</p>
        {formula}
    }
    .into_any()
}
