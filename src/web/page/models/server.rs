//! The servers as a table: what they are, whether they can be used, what to do if not.

use leptos::prelude::*;

use crate::{
    domain::model::{Server, ServerStatus},
    web::{
        calls::RemoveEndpoint,
        part::{
            badge::demo_badge,
            glyph::{Glyph, state_line},
            table::{head, table},
        },
    },
};

/// Glyph, word and sentence of a status.
fn words(server: &Server) -> (Glyph, &'static str, String) {
    match &server.status {
        ServerStatus::Ready => (
            Glyph::Pass,
            "reachable",
            match server.models.len() {
                0 => "no models; pull one first".to_owned(),
                1 => "1 model".to_owned(),
                n => format!("{n} models"),
            },
        ),
        ServerStatus::Loading => {
            (Glyph::Live, "loading", "Its model is still being loaded; reload this page in a moment.".to_owned())
        }
        ServerStatus::NeedsKey => {
            (Glyph::Refuse, "needs a key", "it wants an API key; set one for its address and look again".to_owned())
        }
        ServerStatus::OtherApi(what) => (Glyph::Warn, "something else", what.clone()),
        ServerStatus::Unreachable(why) => (Glyph::Fail, "not reachable", why.clone()),
    }
}

/// The table of servers; a sentence if there are none.
pub fn servers(servers: &[Server], remove: ServerAction<RemoveEndpoint>) -> AnyView {
    if servers.is_empty() {
        return view! { <p class="soft">"Nothing answered and nothing is saved."</p> }.into_any();
    }
    let rows: Vec<AnyView> = servers.iter().map(|server| row(server, remove)).collect();
    let columns = ["State", "Server", "Version", "Says"].map(|title| head(title, false)).collect_view();
    table("Servers", "", view! { {columns} <th scope="col"><span class="sr">"Remove"</span></th> }, rows)
}

fn row(server: &Server, remove: ServerAction<RemoveEndpoint>) -> AnyView {
    let (glyph, word, says) = words(server);
    let forget = server.saved.then(|| {
        let (label, url) = (format!("Remove {}", server.url), server.url.clone());
        view! {
            <ActionForm action=remove>
                <input type="hidden" name="url" value=url/>
                <button class="btn quiet" type="submit" aria-label=label>"Remove"</button>
            </ActionForm>
        }
    });
    view! {
        <tr>
            <td>{state_line(glyph, word)}</td>
            <th scope="row">
                <b>{server.name.clone()}</b> " " {server.demo.then(demo_badge)}
                <span class="sub mono">{server.url.clone()}</span>
            </th>
            <td class="soft">{server.version.clone().unwrap_or_else(|| "–".to_owned())}</td>
            <td class="text">{says}</td>
            <td class="num">{forget}</td>
        </tr>
    }
    .into_any()
}
