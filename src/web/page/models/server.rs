//! The servers as a table: what they are and by what they were recognised, whether they can be used, what to do if not.

use leptos::prelude::*;

use crate::{
    domain::{
        model::{Server, ServerStatus},
        unit,
    },
    web::{
        calls::{AddEndpoint, RemoveEndpoint},
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
        ServerStatus::Ready => (Glyph::Pass, "reachable", models(server)),
        ServerStatus::Loading => {
            (Glyph::Live, "loading", "Its model is still being loaded; look again in a moment.".to_owned())
        }
        ServerStatus::NeedsKey => (Glyph::Refuse, "needs a key", "It wants an API key.".to_owned()),
        ServerStatus::OtherApi(what) => (Glyph::Warn, "something else", what.clone()),
        ServerStatus::Unreachable(why) => (Glyph::Fail, "not reachable", why.clone()),
    }
}

/// `9 models, 1 loaded`
fn models(server: &Server) -> String {
    if server.models.is_empty() {
        return "no models; pull one first".to_owned();
    }
    let count = unit::many(server.models.len(), "model");
    let told = server.models.iter().any(|model| model.loaded.is_some());
    match server.models.iter().filter(|model| model.loaded == Some(true)).count() {
        0 if told => format!("{count}, none loaded"),
        0 => count,
        n => format!("{count}, {n} loaded"),
    }
}

/// The table of servers; a sentence if there are none.
pub fn servers(servers: &[Server], remove: ServerAction<RemoveEndpoint>, key: ServerAction<AddEndpoint>) -> AnyView {
    if servers.is_empty() {
        return view! { <p class="soft">"Nothing answered and nothing is saved."</p> }.into_any();
    }
    let rows: Vec<AnyView> = servers.iter().map(|server| row(server, remove, key)).collect();
    let columns = view! {
        {head("State", false)} <th scope="col">"Server"</th> {head("Version", false)} {head("Says", false)}
        <th scope="col"><span class="sr">"Key, remove"</span></th>
    };
    let refused = move || key.value().get().and_then(Result::err).map(|error| error.message);
    view! {
        {table("Servers", "servers", columns, rows)}
        <p class="why" role="status">{move || if key.pending().get() { Some("Asking it …".to_owned()) } else { refused() }}</p>
    }
    .into_any()
}

fn row(server: &Server, remove: ServerAction<RemoveEndpoint>, key: ServerAction<AddEndpoint>) -> AnyView {
    let (glyph, word, says) = words(server);
    // what was not recognised has its address for a name
    let known = matches!(server.status, ServerStatus::Ready);
    let own = if known { server.name.as_str() } else { server.url.rsplit("//").next().unwrap_or_default() };
    let name = server.label.clone().unwrap_or_else(|| own.to_owned());
    let forget = server.saved.then(|| {
        let (label, url) = (format!("Remove {}", server.url), server.url.clone());
        view! {
            <ActionForm action=remove>
                <input type="hidden" name="url" value=url/>
                <button class="btn quiet" type="submit" aria-label=label>"Remove"</button>
            </ActionForm>
        }
    });
    let wants_key = server.status == ServerStatus::NeedsKey;
    let is_address = server.url.starts_with("http");
    let give = (is_address && !server.demo && (wants_key || server.saved)).then(|| {
        let (label, url) = (format!("API key for {}", server.url), server.url.clone());
        view! {
            <details class="key" open=wants_key>
                <summary class="btn quiet">"Key"</summary>
                <ActionForm action=key>
                    <div class="acts">
                        <input type="hidden" name="url" value=url/>
                        <label class="field">
                            <span class="sr">{label}</span>
                            <input name="key" type="password" size="14" autocomplete="off" required placeholder="API key"/>
                        </label>
                        <button class="btn" type="submit">"Save key"</button>
                    </div>
                </ActionForm>
            </details>
        }
    });
    let evidence = (!server.evidence.is_empty()).then(|| {
        view! { <span class="sub">"Recognised by: " {server.evidence.clone()}</span> }
    });
    view! {
        <tr>
            <td>{state_line(glyph, word)}</td>
            <th scope="row">
                <b>{name}</b> " " {server.demo.then(demo_badge)}
                <span class="sub mono">{server.url.clone()}</span>
            </th>
            <td class="soft">{server.version.clone().unwrap_or_else(|| unit::ABSENT.to_owned())}</td>
            <td class="text">{says} {evidence}</td>
            <td><div class="acts end">{give} {forget}</div></td>
        </tr>
    }
    .into_any()
}
