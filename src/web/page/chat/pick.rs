//! Which models are asked: one, or two side by side; and the settings that are sent along.

use leptos::prelude::*;

use super::state::Chat;
use crate::domain::{
    chat::machine_of,
    leaderboard::encoded,
    model::{Server, ServerStatus, Target},
};

/// All models of the servers that can be used.
fn targets(server: &Server) -> Vec<Target> {
    let target = |model: &crate::domain::model::ModelInfo| Target {
        provider: server.wire,
        endpoint: server.url.clone(),
        model: model.name.clone(),
    };
    server.models.iter().map(target).collect()
}

/// The two pickers and what they mean; without any model, where to get one.
pub fn pickers(chat: Chat, servers: &[Server]) -> AnyView {
    let ready: Vec<(String, Vec<Target>)> = servers
        .iter()
        .filter(|server| server.status == ServerStatus::Ready && !server.models.is_empty())
        .map(|server| (format!("{}, {}", server.name, server.url), targets(server)))
        .collect();
    let default = ready.iter().flat_map(|(_, targets)| targets).next().cloned();
    if default.is_none() && chat.first.with_untracked(Option::is_none) {
        return view! {
            <p class="soft">
                "No server offers a model. Start one, for example " <code>"ollama serve"</code> ", and reload; or "
                <a href="/models">"add its address"</a> "."
            </p>
        }
        .into_any();
    }
    let fallback = default.clone();
    // a link that names no protocol means the model that is listed
    let listed: Vec<Target> = ready.iter().flat_map(|(_, targets)| targets.clone()).collect();
    Effect::new(move |_| match chat.first.get_untracked() {
        None => chat.first.set(fallback.clone()),
        Some(first) if first.provider.is_none() => {
            let same = |known: &&Target| known.model == first.model && known.endpoint == first.endpoint;
            if let Some(known) = listed.iter().find(same) {
                chat.first.set(Some(known.clone()));
            }
        }
        Some(_) => {}
    });
    let changed = move || {
        chat.keep();
        if let Some(target) = chat.first.get_untracked() {
            show_in_address(&target);
        }
    };
    let first = picker("Model", chat.first, &ready, default.as_ref(), changed);
    let others = StoredValue::new(ready);
    let has_second = Memo::new(move |_| chat.second.with(Option::is_some));
    let add = move |_| {
        let first = chat.first.get_untracked();
        let other = others.with_value(|ready| {
            let mut all = ready.iter().flat_map(|(_, targets)| targets);
            all.find(|target| Some(*target) != first.as_ref()).cloned()
        });
        chat.second.set(other.or(first));
        chat.keep();
    };
    let second = move || {
        if has_second.get() {
            let picker =
                others.with_value(|ready| picker("Second model", chat.second, ready, None, move || chat.keep()));
            let remove = move |_| {
                chat.second.set(None);
                chat.keep();
            };
            view! { {picker} <button class="btn quiet" type="button" on:click=remove>"Ask one model only"</button> }
                .into_any()
        } else {
            view! { <button class="btn quiet" type="button" on:click=add>"Ask a second model too"</button> }.into_any()
        }
    };
    view! {
        <div class="filters">{first} {second}</div>
        {move || order(chat)}
    }
    .into_any()
}

/// Puts the picked model into the address, so that a reload and a shared link find it. The page itself stays.
fn show_in_address(target: &Target) {
    let provider = target.provider.map(|wire| format!("&provider={wire}")).unwrap_or_default();
    let address = format!("/chat?endpoint={}&model={}{provider}", encoded(&target.endpoint), encoded(&target.model));
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or_default();
        _ = history.replace_state_with_url(&state, "", Some(&address));
    }
}

/// In which order two models are asked, and why.
fn order(chat: Chat) -> Option<AnyView> {
    let (first, second) = (chat.first.get()?, chat.second.get()?);
    let text = if machine_of(&first.endpoint) == machine_of(&second.endpoint) {
        "Both are on one machine, so they are asked one after the other: at the same time they would slow each other \
         down and neither figure would be true."
    } else {
        "They are on different machines and are asked at the same time."
    };
    Some(view! { <p class="small dim order">{text}</p> }.into_any())
}

fn picker(
    label: &'static str,
    picked: RwSignal<Option<Target>>,
    ready: &[(String, Vec<Target>)],
    default: Option<&Target>,
    changed: impl Fn() + Copy + 'static,
) -> AnyView {
    let now = picked.get_untracked();
    let offers = |target: &Target| ready.iter().any(|(_, targets)| targets.iter().any(|known| same(known, target)));
    let other = now.clone().filter(|target| !offers(target));
    let chosen = now.or_else(|| default.cloned());
    let option = |target: &Target| {
        let (value, is_chosen) = (target.to_string(), chosen.as_ref().is_some_and(|chosen| same(target, chosen)));
        let own = target.clone();
        let is_picked = move || picked.with(|picked| picked.as_ref().is_some_and(|picked| same(&own, picked)));
        view! { <option value=value selected=is_chosen prop:selected=is_picked>{target.model.clone()}</option> }
            .into_any()
    };
    let groups: Vec<AnyView> = ready
        .iter()
        .map(|(name, targets)| {
            let options: Vec<AnyView> = targets.iter().map(option).collect();
            view! { <optgroup label=name.clone()>{options}</optgroup> }.into_any()
        })
        .collect();
    let other = other.map(|target| {
        view! { <optgroup label=format!("not listed now, {}", target.endpoint)>{option(&target)}</optgroup> }.into_any()
    });
    let on_change = move |event| {
        picked.set(Target::read(&event_target_value(&event)));
        changed();
    };
    view! {
        <label class="field">
            <span>{label}</span>
            <select aria-label=label on:change=on_change>{other} {groups}</select>
        </label>
    }
    .into_any()
}

/// Whether two name one model, be its protocol known or not.
fn same(a: &Target, b: &Target) -> bool {
    a.model == b.model && a.endpoint == b.endpoint
}

/// System prompt and sampling, folded.
pub fn settings(chat: Chat) -> AnyView {
    let field = |id: &'static str, label: &'static str, placeholder: &'static str, value: RwSignal<String>| {
        view! {
            <div>
                <label class="small soft" for=id>{label}</label>
                <span class="field">
                    <input
                        id=id
                        size="12"
                        inputmode="decimal"
                        placeholder=placeholder
                        prop:value=move || value.get()
                        on:input=move |event| value.set(event_target_value(&event))
                        on:change=move |_| chat.keep()
                    />
                </span>
            </div>
        }
        .into_any()
    };
    let thinking: Vec<AnyView> = ["auto", "on", "off"]
        .into_iter()
        .map(|name| {
            view! { <option value=name prop:selected=move || chat.thinking.get() == name>{name}</option> }.into_any()
        })
        .collect();
    view! {
        <details class="other">
            <summary>"System prompt and sampling"</summary>
            <div class="settings">
                <div class="system">
                    <label class="small soft" for="system">"System prompt"</label>
                    <textarea
                        id="system"
                        rows="2"
                        placeholder="none"
                        prop:value=move || chat.system.get()
                        on:input=move |event| chat.system.set(event_target_value(&event))
                        on:change=move |_| chat.keep()
                    ></textarea>
                </div>
                {field("temperature", "Temperature, 0 to 2", "server’s own", chat.temperature)}
                {field("max-tokens", "Most tokens, thinking included", "4096", chat.max_tokens)}
                {field("seed", "Seed", "none", chat.seed)}
                <div>
                    <label class="small soft" for="thinking">"Thinking"</label>
                    <span class="field">
                        <select
                            id="thinking"
                            on:change=move |event| {
                                chat.thinking.set(event_target_value(&event));
                                chat.keep();
                            }
                        >
                            {thinking}
                        </select>
                    </span>
                </div>
            </div>
        </details>
    }
    .into_any()
}
