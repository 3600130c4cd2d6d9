//! What is shown: a GET form and links, so that the address says it all.

use leptos::prelude::*;
use leptos_router::components::Form;

use crate::domain::leaderboard::{Board, BoardQuery, Pick, SortKey, Source};

/// The filter bar.
pub fn filters(board: &Board) -> AnyView {
    let query = &board.query;
    let option =
        |value: String, text: String, chosen: bool| view! { <option value=value selected=chosen>{text}</option> };
    let picks = Pick::ALL
        .iter()
        .map(|pick| option(pick.to_string(), format!("{pick} run"), *pick == query.pick))
        .collect_view();
    let sets = board
        .sets
        .iter()
        .map(|set| {
            let text = format!("{} ({} models)", set.label, set.models);
            option(set.digest.clone(), text, set.digest == board.set)
        })
        .collect_view();
    // what the form doesn't ask travels with it, where it is not the default
    let hidden = |name: &'static str, value: &'static str, is_default: bool| {
        (!is_default).then(|| view! { <input type="hidden" name=name value=value/> })
    };
    let direction = if query.ascending { "asc" } else { "desc" };
    let find = query.find.clone();
    let set_field = (board.sets.len() > 1).then(|| {
        view! { <label class="field"><span>"Task set"</span><select name="set">{sets}</select></label> }
    });
    let hidden = (
        hidden("sort", query.sort.as_str(), query.sort == SortKey::Quality),
        hidden("dir", direction, query.ascending == query.sort.is_ascending()),
        hidden("source", query.source.as_str(), query.source == Source::Real),
    );
    let sources = sources(query);
    view! {
        <Form method="GET" action="/leaderboard">
            <div class="filters">
                <label class="field">
                    <span>"Find"</span>
                    <input type="search" name="find" size="14" placeholder="model" value=find/>
                </label>
                <label class="field"><span>"Per model"</span><select name="pick">{picks}</select></label>
                {set_field}
                {hidden}
                <button class="btn" type="submit">"Apply"</button>
                {sources}
            </div>
        </Form>
    }
    .into_any()
}

/// Real or demo, as links.
fn sources(query: &BoardQuery) -> AnyView {
    let link = |source: Source, text: &'static str| {
        let current = (query.source == source).then_some("true");
        view! { <a href=super::with_source(query, source) aria-current=current>{text}</a> }
    };
    view! { <span class="seg end">{link(Source::Real, "Real servers")} {link(Source::Demo, "Demo")}</span> }.into_any()
}
