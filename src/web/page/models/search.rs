//! Hugging Face: a search in the address, its pages, and an open repository with its files and whether they fit. Nothing
//! is asked before the user searches or opens something.

use std::time::Duration;

use leptos::prelude::*;
use leptos_router::{NavigateOptions, components::Form, hooks::use_navigate};

use super::{
    address::{CONTEXTS, Look},
    fit,
    pulling::{self, Pulling},
};
use crate::{
    domain::{
        fit::Room,
        hub::{HubDetails, HubModel, HubPage, HubSort, QuantChoice, WeightFormat},
        machine::Machine,
        model::Server,
        unit,
    },
    web::{
        calls::{self, Answer, CallError, Json},
        part::{
            badge::{Tone, badge, note},
            glyph::Glyph,
            table::{head, section_head, table},
        },
    },
};

/// Silence after which typing is a search.
const PAUSE: Duration = Duration::from_millis(300);

type Asked<T> = Resource<Option<Result<T, CallError>>, Json>;

/// The section.
#[component]
pub fn HubSection(
    look: Memo<Look>,
    machine: Answer<Machine>,
    servers: Answer<Vec<Server>>,
    this: Pulling,
) -> impl IntoView {
    let wanted = Memo::new(move |_| {
        look.with(|look| look.hub.clone().map(|text| (text, look.format.clone(), look.sort.clone(), look.page)))
    });
    let found: Asked<HubPage> = calls::ask(
        move || wanted.get(),
        |wanted| async move {
            let (text, format, sort, page) = wanted?;
            Some(calls::search_hub(text, format, sort, page).await)
        },
    );
    let repo = Memo::new(move |_| look.with(|look| look.repo.clone()));
    let opened: Asked<HubDetails> = calls::ask(
        move || repo.get(),
        |repo| async move { if repo.is_empty() { None } else { Some(calls::read_hub(repo).await) } },
    );
    let about = move || {
        let context = unit::count(look.read().context);
        format!(
            "Asked only when you search or open something. Fit is estimated for a context of {context} tokens on this machine."
        )
    };
    view! {
        <section class="sect" id="hub" aria-labelledby="hub-head">
            {section_head("Find on Hugging Face", "hub-head", about)}
            {form(look)}
            <Transition fallback=|| view! { <p class="soft" role="status">"Asking Hugging Face …"</p> }>
                {move || Suspend::new(async move {
                    let found = found.await;
                    let opened = opened.await;
                    let room = machine.await.map(|machine| Room::of(&machine)).unwrap_or_default();
                    let pullers = pulling::pullers(&servers.await.unwrap_or_default());
                    let panel = Panel { opened, room, pullers, this, look: look.get_untracked() };
                    match found {
                        Some(Ok(page)) => results(&page, panel),
                        Some(Err(error)) => view! { {trouble(&error)} {alone(panel)} }.into_any(),
                        None => alone(panel),
                    }
                })}
            </Transition>
        </section>
    }
}

/// The search form: works by itself without script; with it, a pause in typing searches.
fn form(look: Memo<Look>) -> AnyView {
    let navigate = use_navigate();
    let search = leptos::leptos_dom::helpers::debounce(PAUSE, move |text: String| {
        let next = look.get_untracked().searching(&text);
        let options = NavigateOptions { replace: true, scroll: false, ..NavigateOptions::default() };
        navigate(&format!("/models{}", next.query()), options);
    });
    let mut search = search;
    let now = look.get_untracked();
    let option =
        |value: String, text: String, chosen: bool| view! { <option value=value selected=chosen>{text}</option> };
    let formats = std::iter::once(option(String::new(), "any".into(), now.format.is_empty()))
        .chain(
            WeightFormat::ALL
                .iter()
                .map(|format| option(format.to_string(), format.to_string(), now.format == format.as_str())),
        )
        .collect_view();
    let sorts = std::iter::once(option(String::new(), "usual".into(), now.sort.is_empty()))
        .chain(HubSort::ALL.iter().map(|sort| option(sort.to_string(), sort.to_string(), now.sort == sort.as_str())))
        .collect_view();
    let contexts = CONTEXTS.iter().map(|n| option(n.to_string(), unit::count(*n), now.context == *n)).collect_view();
    view! {
        <Form method="GET" action="/models">
            <div class="filters">
                <label class="field">
                    <span>"Search"</span>
                    <input
                        type="search"
                        name="hf"
                        size="20"
                        placeholder="qwen3 8b"
                        autocomplete="off"
                        value=now.hub.clone().unwrap_or_default()
                        on:input:target=move |event| search(event.target().value())
                    />
                </label>
                <label class="field"><span>"Format"</span><select name="format">{formats}</select></label>
                <label class="field"><span>"Order"</span><select name="sort">{sorts}</select></label>
                <label class="field"><span>"Context"</span><select name="ctx">{contexts}</select></label>
                <button class="btn" type="submit">"Search"</button>
            </div>
        </Form>
    }
    .into_any()
}

/// What the open repository needs.
struct Panel {
    opened: Option<Result<HubDetails, CallError>>,
    room: Room,
    pullers: Vec<(String, String)>,
    this: Pulling,
    look: Look,
}

fn trouble(error: &CallError) -> AnyView {
    let text = format!("Could not {}.", error.message);
    note(Tone::Warn, text)
}

/// A repository that is open without a search, for example by a link.
fn alone(panel: Panel) -> AnyView {
    match &panel.opened {
        None => ().into_any(),
        Some(_) => view! { <div class="card">{details(&panel)}</div> }.into_any(),
    }
}

fn results(page: &HubPage, panel: Panel) -> AnyView {
    if page.models.is_empty() {
        let any = Look { format: String::new(), ..panel.look.on_page(1) }.query();
        let wider =
            (!panel.look.format.is_empty()).then(|| view! { <a href=any data-noscroll="">"Search in any format"</a> });
        return view! { <p class="soft">"No repository matches. " {wider}</p> {alone(panel)} }.into_any();
    }
    let elsewhere = panel.opened.is_some() && !page.models.iter().any(|model| model.id == panel.look.repo);
    let rows: Vec<AnyView> = page.models.iter().map(|model| row(model, &panel)).collect();
    let columns = view! {
        <th scope="col" class="fix">"Repository"</th>
        {head("Formats", false)} {head("Downloads", true)} {head("Likes", true)} {head("Updated", false)}
    };
    let pager = pager(page, &panel.look);
    view! {
        {table("Repositories", "hub", columns, rows)}
        {pager}
        {elsewhere.then(|| view! { <div class="card">{details(&panel)}</div> })}
    }
    .into_any()
}

fn pager(page: &HubPage, look: &Look) -> AnyView {
    let link = |to: u32, text: &'static str| view! { <a class="btn" href=look.on_page(to).query() data-noscroll="">{text}</a> };
    view! {
        <nav class="acts" aria-label="Pages of the search">
            {(page.page > 1).then(|| link(page.page - 1, "Previous"))}
            <span class="small soft">{format!("Page {}", page.page)} {(!page.more).then_some(", the last")}</span>
            {page.more.then(|| link(page.page + 1, "Next"))}
        </nav>
    }
    .into_any()
}

fn row(model: &HubModel, panel: &Panel) -> AnyView {
    let (author, name) = model.parts();
    let (author, name) = (author.to_owned(), name.to_owned());
    let is_open = panel.look.repo == model.id && panel.opened.is_some();
    let formats: Vec<&str> = model.formats.iter().map(|format| format.as_str()).collect();
    let updated = model
        .updated_at
        .as_deref()
        .or(model.created_at.as_deref())
        .and_then(|text| text.get(..10))
        .unwrap_or(unit::ABSENT)
        .to_owned();
    let open = is_open.then(|| view! { <tr class="open"><td colspan="5">{details(panel)}</td></tr> });
    view! {
        <tr class=if is_open { "on" } else { "" }>
            <th scope="row" class="fix">
                <a class="name" href=panel.look.toggling(&model.id).query() data-noscroll="" aria-expanded=is_open.to_string()>{name}</a>
                " " {model.gated.then(|| badge(Tone::Warn, Glyph::Refuse, "gated"))}
                <span class="sub">{author}</span>
            </th>
            <td class="soft">{formats.join(", ")}</td>
            <td class="num">{unit::count(model.downloads)}</td>
            <td class="num">{unit::count(model.likes)}</td>
            <td class="soft nowrap">{updated}</td>
        </tr>
        {open}
    }
    .into_any()
}

/// The open repository: what it says of itself, its files, each with an estimate and a way to take it.
fn details(panel: &Panel) -> AnyView {
    let details = match &panel.opened {
        Some(Ok(details)) => details,
        Some(Err(error)) => return note(Tone::Warn, format!("Could not {}.", error.message)),
        None => return ().into_any(),
    };
    let page = format!("https://huggingface.co/{}", details.model.id);
    let mut facts: Vec<String> = Vec::new();
    facts.extend(details.parameters.map(|n| format!("{:.1} B parameters", n as f64 / 1e9)));
    facts.extend(details.architecture.clone());
    facts.extend(details.context_max.map(|n| format!("context up to {}", unit::count(n))));
    facts.extend(details.license.as_ref().map(|license| format!("licence {license}")));
    if details.files > 0 {
        facts.push(unit::many(details.files as usize, "file"));
    }
    let gated = details.model.gated.then(|| {
        note(Tone::Warn, "This repository is gated: its owner gives access on its page after you accept the terms. BenchLoop sends no token; Ollama needs its own key there.")
    });
    let about = details.note.clone().filter(|_| !details.model.gated).map(|text| note(Tone::Plain, text));
    view! {
        <div class="repo">
            <div class="mhead"><h3>{details.model.id.clone()}</h3> <a href=page.clone() rel="noopener noreferrer">"Its page on Hugging Face"</a></div>
            <p class="meta">{facts.into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view()}</p>
            {gated} {about}
            {(!details.choices.is_empty()).then(|| files(details, panel))}
        </div>
    }
    .into_any()
}

fn files(details: &HubDetails, panel: &Panel) -> AnyView {
    let fits: Vec<_> =
        details.choices.iter().map(|choice| fit::estimate(details, choice, panel.look.context, &panel.room)).collect();
    let limit = fit::limit(&panel.room);
    let most = fits.iter().filter_map(|fit| fit.needed_bytes).max().unwrap_or(1);
    let scale = limit.map_or(most, |(bytes, _)| most.max(bytes)).saturating_mul(105) / 100;
    let rows: Vec<AnyView> = details
        .choices
        .iter()
        .zip(&fits)
        .map(|(choice, fit)| {
            let missing = choice.parts < choice.parts_named;
            let parts = match (missing, choice.parts) {
                (true, _) => format!("{} of {} parts: incomplete", choice.parts, choice.parts_named),
                (false, 1) => String::new(),
                (false, n) => format!("{n} parts"),
            };
            let gigabytes = |bytes: Option<u64>| {
                bytes.map_or_else(|| unit::ABSENT.to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1e9))
            };
            view! {
                <tr>
                    <th scope="row" class="fix"><b>{choice.name.clone()}</b> <span class="sub">{parts}</span></th>
                    <td class="nowrap">{fit::word(fit)}</td>
                    <td class="num">{gigabytes(fit.needed_bytes)}</td>
                    <td class="fv">{fit::bar(fit, limit, scale)}</td>
                    <td class="num">{gigabytes(fit.weights_bytes)}</td>
                    <td class="num">{take(details, choice, panel, missing)}</td>
                </tr>
            }
            .into_any()
        })
        .collect();
    let scale_head = match limit {
        Some((bytes, _)) => format!("Memory, 0 to {}; line at {}", unit::gb(scale), unit::gb(bytes)),
        None => format!("Memory, 0 to {}", unit::gb(scale)),
    };
    let columns = view! {
        <th scope="col" class="fix">"File"</th> {head("Estimate", false)} {head("Needs, GB", true)}
        <th scope="col">{scale_head}</th> {head("Weights, GB", true)} <th scope="col"><span class="sr">"Pull"</span></th>
    };
    view! {
        {table("Files of the repository", "files", columns, rows)}
        {fit::legend(fits.first(), limit)}
        {hint(details, panel)}
    }
    .into_any()
}

/// The button, or why there is none.
fn take(details: &HubDetails, choice: &QuantChoice, panel: &Panel, missing: bool) -> AnyView {
    match &choice.pull {
        Some(name) if !missing && choice.parts == 1 && !panel.pullers.is_empty() => {
            let label = format!("Pull {} of {}", choice.name, details.model.id);
            pulling::start_button(panel.this, name, pulling::endpoint_field(&panel.pullers), label, "Pull")
        }
        Some(_) if choice.parts > 1 => view! { <span class="small dim">"Ollama takes one file only"</span> }.into_any(),
        _ => ().into_any(),
    }
}

/// How to take it where no Ollama is at hand, or where Ollama can't.
fn hint(details: &HubDetails, panel: &Panel) -> AnyView {
    let first = details.choices.iter().find(|choice| choice.pull.is_some());
    match first {
        Some(choice) if panel.pullers.is_empty() => {
            let commands = format!("ollama pull hf.co/{0}:{1}\nllama-server -hf {0}:{1}", details.model.id, choice.name);
            view! { <p class="small soft">"No Ollama answers that could pull from here. By hand, for example:"</p> <pre class="code fold">{commands}</pre> }.into_any()
        }
        None => view! { <p class="small soft">"Ollama pulls GGUF only. Load this with a server that reads its format, for example vLLM, MLX or LM Studio."</p> }.into_any(),
        _ => ().into_any(),
    }
}
