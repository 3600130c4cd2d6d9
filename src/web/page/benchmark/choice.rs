//! Which model: one that a server offers, or one typed by name and address.

use leptos::prelude::*;

use super::Refusals;
use crate::{
    domain::{
        id::Wire,
        model::{Server, ServerStatus, Target},
    },
    web::calls::StartForm,
};

/// The model picker and the typed alternative.
pub fn model(servers: &[Server], values: &StartForm, refusals: Refusals) -> AnyView {
    let ready: Vec<&Server> = servers.iter().filter(|server| server.status == ServerStatus::Ready).collect();
    let wanted = values.wanted();
    // a link may lead here with a model that no server offers now: then its name stands in the typed fields
    let offered = wanted.as_ref().filter(|wanted| {
        ready
            .iter()
            .any(|server| server.url == wanted.endpoint && server.models.iter().any(|model| model.name == wanted.model))
    });
    let typed = match (&offered, &wanted) {
        (None, Some(target)) => StartForm {
            model: target.model.clone(),
            endpoint: target.endpoint.clone(),
            provider: target.provider.map(|wire| wire.to_string()).unwrap_or_default(),
            ..StartForm::default()
        },
        (None, None) => {
            StartForm { endpoint: values.endpoint.clone(), provider: values.provider.clone(), ..StartForm::default() }
        }
        (Some(_), _) => StartForm::default(),
    };
    let picked = offered.cloned();
    let groups = ready.iter().map(|server| group(server, picked.as_ref())).collect_view();
    let is_open = ready.iter().all(|server| server.models.is_empty()) || !typed.model.is_empty();
    view! {
        <fieldset>
            <legend>"Model"</legend>
            <label class="field grow">
                <span>"Offered"</span>
                <select name="form[target]" aria-describedby="why-model">
                    <option value="" selected=picked.is_none()>
                        {if ready.is_empty() { "no server answers" } else { "choose a model" }}
                    </option>
                    {groups}
                </select>
            </label>
            {refusals.line("model")}
            <details class="other" open=is_open>
                <summary>"Another model or server"</summary>
                {other(&typed, refusals)}
            </details>
        </fieldset>
    }
    .into_any()
}

fn group(server: &Server, picked: Option<&Target>) -> AnyView {
    let label =
        format!("{} at {}{}", server.name, server.url, if server.demo { ", measures nothing real" } else { "" });
    let options = server
        .benchmarkable()
        .map(|model| {
            let target = Target { provider: server.wire, endpoint: server.url.clone(), model: model.name.clone() };
            let chosen = picked.is_some_and(|picked| picked.endpoint == server.url && picked.model == model.name);
            let kind = model.quantization.as_ref().map(|kind| format!(" · {kind}")).unwrap_or_default();
            view! { <option value=target.to_string() selected=chosen>{format!("{}{kind}", model.name)}</option> }
        })
        .collect_view();
    view! { <optgroup label=label>{options}</optgroup> }.into_any()
}

fn other(typed: &StartForm, refusals: Refusals) -> AnyView {
    let provider = |value: &'static str, text: &'static str| {
        view! { <option value=value selected=typed.provider == value>{text}</option> }
    };
    view! {
        <p class="small soft">"A model typed here goes before the one chosen above."</p>
        <div class="filters">
            <label class="field"><span>"Model"</span><input name="form[model]" size="24" value=typed.model.clone()/></label>
            <label class="field">
                <span>"Server"</span>
                <input
                    name="form[endpoint]"
                    size="26"
                    inputmode="url"
                    placeholder="http://127.0.0.1:11434"
                    value=typed.endpoint.clone()
                    aria-describedby="why-endpoint"
                />
            </label>
            <label class="field">
                <span>"Speaks"</span>
                <select name="form[provider]">
                    {provider("", "find out")} {provider(Wire::Ollama.as_str(), "Ollama")}
                    {provider(Wire::OpenaiCompat.as_str(), "OpenAI-compatible")}
                </select>
            </label>
        </div>
        {refusals.line("endpoint")}
        {refusals.line("provider")}
    }
    .into_any()
}
