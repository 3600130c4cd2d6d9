//! One model as a card, with the way to its benchmark.

use leptos::prelude::*;

use crate::{
    domain::{
        leaderboard::encoded,
        model::{ModelInfo, Server},
        unit,
    },
    web::part::{
        badge::{Tone, badge, demo_badge},
        glyph::Glyph,
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

/// A card within the grid of models.
pub fn card(server: &Server, model: &ModelInfo) -> AnyView {
    let mut kinds: Vec<String> =
        [&model.quantization, &model.parameter_size, &model.family].into_iter().flatten().cloned().collect();
    kinds.push(server.name.clone());
    let mut facts = Vec::new();
    if let Some(bytes) = model.size_bytes {
        facts.push(("Size", unit::gb(bytes).into_any()));
    }
    if let Some(context) = model.context {
        facts.push(("Context", format!("{} tokens", unit::count(context)).into_any()));
    }
    let remote = model.remote.then(|| badge(Tone::Plain, Glyph::Info, "runs elsewhere"));
    let label = format!("Benchmark {}", model.name);
    let chat_label = format!("Chat with {}", model.name);
    view! {
        <article class="card">
            <div class="mhead">
                <h3>{model.name.clone()}</h3>
                <span>{server.demo.then(demo_badge)} {remote}</span>
            </div>
            <p class="meta">{kinds.join(" · ")}</p>
            {model.about.clone().map(|about| view! { <p class="small soft">{about}</p> })}
            {(!facts.is_empty()).then(|| kv(facts))}
            <div class="acts"><a class="btn" href=benchmark_href(server, model) aria-label=label>"Benchmark"</a> <a class="btn quiet" href=chat_href(server, model) aria-label=chat_label>"Chat"</a></div>
        </article>
    }
    .into_any()
}
