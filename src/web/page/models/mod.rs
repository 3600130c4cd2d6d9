//! `/` and `/models`: this machine, the servers that answer, what they offer, and how to get more.

mod add;
mod address;
mod capability;
mod fit;
mod hardware;
mod install;
mod model;
mod pulling;
mod search;
mod server;

use leptos::{either::Either, prelude::*};
use leptos_meta::Title;
use leptos_router::{components::Form, hooks::use_query_map};

use self::{address::Look, pulling::Pulling};
use crate::{
    domain::{
        machine::Machine,
        measured::Measured,
        model::{Server, ServerStatus},
        unit,
    },
    web::{
        calls::{self, AddEndpoint, CancelPull, DismissPull, RemoveEndpoint, StartPull},
        part::{
            state::{failure, loading},
            table::section_head,
        },
    },
};

/// Models above which the list can be filtered.
const MANY: usize = 6;

/// The start page.
#[component]
pub fn ModelsPage() -> impl IntoView {
    let add = ServerAction::<AddEndpoint>::new();
    let key = ServerAction::<AddEndpoint>::new();
    let remove = ServerAction::<RemoveEndpoint>::new();
    let query = use_query_map();
    let look = Memo::new(move |_| Look::read(|name| query.read().get(name)));
    let (start, cancel, dismiss) =
        (ServerAction::<StartPull>::new(), ServerAction::<CancelPull>::new(), ServerAction::<DismissPull>::new());
    let machine = calls::ask(|| (), |()| calls::read_machine());
    let changes = move || (add.version().get(), key.version().get(), remove.version().get());
    let servers = calls::ask(changes, |_| calls::read_servers());
    let measured = calls::ask(|| (), |()| calls::read_measured());
    let pulls = calls::ask(
        move || (start.version().get(), cancel.version().get(), dismiss.version().get()),
        |_| calls::read_pulls(),
    );
    let this = Pulling { pulls, start, cancel, dismiss, query };
    pulling::keep_up(pulls, move || servers.refetch());
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
                let (machine, measured) = (machine.await.ok(), measured.await.unwrap_or_default());
                match servers.await {
                    Ok(servers) => Either::Left(offer(&servers, machine.as_ref(), measured, look, this, remove, key)),
                    Err(error) => Either::Right(failure("ask the servers", &error)),
                }
            })}
        </Transition>
        <search::HubSection look machine servers this/>
    }
}

/// Servers, then their models and the pulls beside them; three steps where there is nothing to choose from.
fn offer(
    servers: &[Server],
    machine: Option<&Machine>,
    measured: Vec<Measured>,
    look: Memo<Look>,
    this: Pulling,
    remove: ServerAction<RemoveEndpoint>,
    key: ServerAction<AddEndpoint>,
) -> AnyView {
    let ready: Vec<Server> = servers.iter().filter(|server| server.status == ServerStatus::Ready).cloned().collect();
    let only_demo = ready.iter().all(|server| server.demo);
    let count: usize = ready.iter().map(|server| server.models.len()).sum();
    let aside = pulling::card(this, servers);
    let list = (count > 0).then(|| {
        let about = format!(
            "{} on {}. Quality is the best run of each.",
            unit::many(count, "model"),
            unit::many(ready.len(), "server")
        );
        let ready = StoredValue::new(ready);
        view! {
            <section class="sect" aria-labelledby="models">
                {section_head("What they offer", "models", about)}
                {(count > MANY).then(|| filter(look, ready))}
                {move || look.with(|look| ready.with_value(|ready| grid(look, ready, &measured)))}
            </section>
        }
    });
    view! {
        {only_demo.then(|| install::steps(machine, servers.iter().all(|server| !server.demo)))}
        <section class="sect" aria-labelledby="servers">
            {section_head("Servers", "servers", "Asked on this machine’s usual ports, and where you added one.")}
            {server::servers(servers, remove, key)}
        </section>
        <div class="beside">{list} {aside}</div>
    }
    .into_any()
}

/// The filter of the list, a form of the address.
fn filter(look: Memo<Look>, ready: StoredValue<Vec<Server>>) -> AnyView {
    let now = look.get_untracked();
    let options = ready.with_value(|ready| {
        let option = |server: &Server| {
            let name = server.label.clone().unwrap_or_else(|| server.name.clone());
            view! { <option value=server.url.clone() selected=server.url == now.server>{format!("{name}, {}", server.url)}</option> }
        };
        ready.iter().map(option).collect_view()
    });
    view! {
        <Form method="GET" action="/models">
            <div class="filters">
                <label class="field">
                    <span>"Find"</span>
                    <input type="search" name="find" size="14" placeholder="name" value=now.find/>
                </label>
                <label class="field">
                    <span>"Server"</span>
                    <select name="server"><option value="">"All"</option>{options}</select>
                </label>
                <button class="btn" type="submit">"Apply"</button>
            </div>
        </Form>
    }
    .into_any()
}

fn grid(look: &Look, ready: &[Server], measured: &[Measured]) -> AnyView {
    let find = look.find.to_lowercase();
    let shown: Vec<AnyView> = ready
        .iter()
        .filter(|server| look.server.is_empty() || server.url == look.server)
        .flat_map(|server| server.models.iter().map(move |model| (server, model)))
        .filter(|(_, model)| model.name.to_lowercase().contains(&find))
        .map(|(server, model)| model::card(server, model, measured))
        .collect();
    if shown.is_empty() {
        return view! { <p class="soft">"No model matches. " <a href="/models">"Show all"</a></p> }.into_any();
    }
    view! { <div class="grid">{shown}</div> }.into_any()
}
