//! `/` and `/models`: this machine, the servers that answer and what they offer.

mod add;
mod hardware;
mod model;
mod server;

use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    domain::model::{Server, ServerStatus},
    web::{
        calls::{self, AddEndpoint, RemoveEndpoint},
        part::{
            state::{failure, loading},
            table::section_head,
        },
    },
};

/// The start page.
#[component]
pub fn ModelsPage() -> impl IntoView {
    let add = ServerAction::<AddEndpoint>::new();
    let remove = ServerAction::<RemoveEndpoint>::new();
    let machine = calls::ask(|| (), |()| calls::read_machine());
    let servers = calls::ask(move || (add.version().get(), remove.version().get()), |_| calls::read_servers());
    let query = use_query_map();
    view! {
        <Title text="Models"/>
        <div class="head">
            <div>
                <h1>"Models"</h1>
                <Suspense fallback=|| view! { <p class="meta">"Reading this machine …"</p> }>
                    {move || Suspend::new(async move {
                        match machine.await {
                            Ok(machine) => hardware::strip(&machine),
                            Err(error) => view! { <p class="meta">{error.message}</p> }.into_any(),
                        }
                    })}
                </Suspense>
            </div>
            <add::AddForm action=add query/>
        </div>
        <Transition fallback=|| loading("Asking the usual ports and your own servers …")>
            {move || Suspend::new(async move {
                match servers.await {
                    Ok(servers) => Either::Left(offer(servers, remove)),
                    Err(error) => Either::Right(failure("ask the servers", &error)),
                }
            })}
        </Transition>
    }
}

/// Servers, then their models; three steps where there is nothing to choose from.
fn offer(servers: Vec<Server>, remove: ServerAction<RemoveEndpoint>) -> AnyView {
    let ready: Vec<Server> = servers.iter().filter(|server| server.status == ServerStatus::Ready).cloned().collect();
    let only_demo = ready.iter().all(|server| server.demo);
    let count: usize = ready.iter().map(|server| server.models.len()).sum();
    let models =
        ready.iter().flat_map(|server| server.models.iter().map(|model| model::card(server, model))).collect_view();
    view! {
        {only_demo.then(|| steps(ready.is_empty()))}
        <section class="sect" aria-labelledby="servers">
            {section_head("Servers", "servers", "Asked on this machine’s usual ports, and where you added one.")}
            {server::servers(&servers, remove)}
        </section>
        {(count > 0)
            .then(|| {
                view! {
                    <section class="sect" aria-labelledby="models">
                        {section_head("What they offer", "models", format!("{} on {}", counted(count, "model"), counted(ready.len(), "server")))}
                        <div class="grid">{models}</div>
                    </section>
                }
            })}
    }
    .into_any()
}

/// `1 model`, `3 models`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What to do on a machine without a model server.
fn steps(nothing_at_all: bool) -> AnyView {
    let demo = if nothing_at_all {
        "The built-in demo server is off as well; it starts together with BenchLoop."
    } else {
        "Until then you can try everything with the demo models below: their answers are scripted and their figures \
         measure nothing real."
    };
    view! {
        <section class="state" aria-labelledby="steps">
            <h2 id="steps">"No model server answers yet"</h2>
            <ol>
                <li>
                    "Start a model server, for example " <code>"ollama serve"</code> ", llama.cpp’s "
                    <code>"llama-server"</code> " or LM Studio."
                </li>
                <li>"Look again by reloading this page, or add the server’s address above."</li>
                <li>"Pick a model and press Benchmark. The quick profile takes a few minutes."</li>
            </ol>
            <p>{demo}</p>
        </section>
    }
    .into_any()
}
