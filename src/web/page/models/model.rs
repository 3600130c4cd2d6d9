//! One model as a card: what it is, how good it was, what can be done with it.

use leptos::prelude::*;

use super::capability;
use crate::{
    domain::{
        leaderboard::encoded,
        measured::Measured,
        model::{Capability, ModelInfo, Server},
        unit,
    },
    web::part::{
        badge::{Tone, badge, demo_badge},
        glyph::{Glyph, state_line},
        interval::interval_bar,
        kv::kv,
    },
};

/// The start page with this model picked.
fn benchmark_href(server: &Server, model: &ModelInfo) -> String {
    let provider = server.wire.map(|wire| format!("&provider={wire}")).unwrap_or_default();
    format!("/benchmark?model={}&endpoint={}{provider}", encoded(&model.name), encoded(&server.url))
}

/// A chat with this model.
fn chat_href(server: &Server, model: &ModelInfo) -> String {
    let provider = server.wire.map(|wire| format!("&provider={wire}")).unwrap_or_default();
    format!("/chat?endpoint={}&model={}{provider}", encoded(&server.url), encoded(&model.name))
}

/// Where the model is: in memory or not, or elsewhere.
fn place(server: &Server, model: &ModelInfo) -> AnyView {
    if server.demo {
        return demo_badge();
    }
    if model.remote || server.product.is_hosted() {
        return badge(Tone::Warn, Glyph::Info, "runs elsewhere");
    }
    match model.loaded {
        Some(true) => state_line(Glyph::Live, "loaded"),
        _ => ().into_any(),
    }
}

/// The word for what a model can do.
const fn word(capability: Capability) -> &'static str {
    match capability {
        Capability::Chat => "chat",
        Capability::Tools => "tools",
        Capability::Thinking => "thinking",
        Capability::Vision => "vision",
        Capability::Embedding => "embedding",
    }
}

fn tokens(n: u64) -> String {
    format!("{} tokens", unit::count(n))
}

fn context(model: &ModelInfo) -> Option<String> {
    match (model.context, model.context_max) {
        (Some(now), Some(most)) if now != most => Some(format!("{} of {}", unit::count(now), tokens(most))),
        (Some(n), _) | (None, Some(n)) => Some(tokens(n)),
        (None, None) => None,
    }
}

fn quality(measured: Option<&Measured>) -> AnyView {
    match measured {
        None => view! { <span class="dim">"no run yet"</span> }.into_any(),
        Some(found) if found.quality.value.is_none() => {
            let why = found.quality.why.clone().unwrap_or_else(|| "not measured".to_owned());
            view! { <span class="dim">{unit::ABSENT} " " {why}</span> }.into_any()
        }
        Some(found) => view! {
            <span class="mq">
                <b class="nowrap">{unit::score(found.quality.value)}</b>
                {interval_bar(&found.quality, "Quality", false)}
            </span>
        }
        .into_any(),
    }
}

/// A card within the grid of models.
pub fn card(server: &Server, model: &ModelInfo, measured: &[Measured]) -> AnyView {
    let known = measured.iter().find(|known| known.model == model.name && known.demo == server.demo);
    let mut kinds: Vec<String> =
        [&model.quantization, &model.parameter_size, &model.family].into_iter().flatten().cloned().collect();
    kinds.push(server.label.clone().unwrap_or_else(|| server.name.clone()));
    let mut facts = vec![("Quality", quality(known))];
    if let Some(bytes) = model.size_bytes {
        facts.push(("Size", unit::gb(bytes).into_any()));
    }
    if let Some(context) = context(model) {
        facts.push(("Context", context.into_any()));
    }
    let abilities: Vec<&str> =
        model.capabilities.iter().filter(|can| **can != Capability::Chat).map(|can| word(*can)).collect();
    if !abilities.is_empty() {
        facts.push(("Can", abilities.join(", ").into_any()));
    }
    let acts = if model.is_embedding_only() {
        view! { <p class="small dim">"Makes vectors and no answers: there is nothing to benchmark."</p> }.into_any()
    } else {
        let chat = chat_href(server, model);
        let runs = known.map(|known| {
            let text = unit::many(known.runs as usize, "run");
            view! { <a class="small" href=format!("/runs/{}", known.best)>{text}</a> }
        });
        view! {
            <div class="acts">
                <a class="btn" href=benchmark_href(server, model) aria-label=format!("Benchmark {}", model.name)>"Benchmark"</a>
                <a class="btn" href=chat aria-label=format!("Chat with {}", model.name)>"Chat"</a>
                {runs}
            </div>
        }
        .into_any()
    };
    view! {
        <article class="card">
            <div class="mhead"><h3>{model.name.clone()}</h3> {place(server, model)}</div>
            <p class="meta">{kinds.join(" · ")}</p>
            {model.about.clone().map(|about| view! { <p class="small soft">{about}</p> })}
            {kv(facts)}
            {acts}
            {more(server, model)}
        </article>
    }
    .into_any()
}

/// What else the server told of a model, and what can be found out by asking it.
fn more(server: &Server, model: &ModelInfo) -> AnyView {
    let mut facts: Vec<(&'static str, AnyView)> = Vec::new();
    let mut push = |name: &'static str, value: Option<String>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            facts.push((name, value.into_any()));
        }
    };
    push("Format", model.format.clone());
    push("Digest", model.digest.as_deref().map(|digest| unit::cut(digest.trim_start_matches("sha256:"), 16)));
    push("In memory", model.loaded.map(|loaded| if loaded { "yes" } else { "no" }.to_owned()));
    push("Graphics memory", model.vram_bytes.filter(|bytes| *bytes > 0).map(unit::gb));
    push("Cache per token", model.kv_bytes_per_token.map(|bytes| format!("{} bytes", unit::count(bytes))));
    push("Server", Some(server.url.clone()));
    let ask = (!model.is_embedding_only()).then(|| capability::capability(server, model));
    view! { <details class="more"><summary>"Details"</summary>{kv(facts)} {ask}</details> }.into_any()
}
