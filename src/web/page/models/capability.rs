//! What a model can do: a button that has it asked, and the card that comes back. Asking makes the model work, so nothing
//! is asked before the button is pressed.

use leptos::prelude::*;

use crate::{
    domain::model::{ModelInfo, Server},
    web::{
        calls::{CallError, CallErrorKind, ReadCard},
        part::{
            badge::{Tone, note},
            card,
        },
    },
};

fn refused(error: &CallError) -> AnyView {
    let message = &error.message;
    note(
        Tone::Fail,
        match error.kind {
            CallErrorKind::Connection => format!("BenchLoop did not answer: {message}"),
            _ => format!("Could not {message}."),
        },
    )
}

/// The same by command, for pages without script.
fn by_hand(asked: &ReadCard) -> AnyView {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    let command = format!("benchloop probe --endpoint {} --model {}", quoted(&asked.endpoint), quoted(&asked.model));
    view! { <p class="small soft">"The button needs JavaScript. By hand:"</p> <pre class="code fold">{command}</pre> }
        .into_any()
}

/// The button, what it does now, and what it found.
pub fn capability(server: &Server, model: &ModelInfo) -> AnyView {
    let name = model.name.clone();
    let asked = StoredValue::new(ReadCard {
        endpoint: server.url.clone(),
        model: name.clone(),
        provider: server.wire.map(|wire| wire.to_string()),
    });
    let look = ServerAction::<ReadCard>::new();
    let (pending, value) = (look.pending(), look.value());
    let going = StoredValue::new(None);
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let stop = move || {
        if let Some(handle) = going.try_update_value(Option::take).flatten() {
            ActionAbortHandle::abort(handle);
        }
    };
    on_cleanup(stop);
    let start = move |_| {
        if !pending.get_untracked() {
            going.set_value(Some(look.dispatch(asked.get_value())));
        }
    };
    let label = format!("Check what it can do: {name}");
    let cancel = move || {
        let cancel = view! { <button class="btn quiet" type="button" on:click=move |_| stop()>"Cancel"</button> };
        pending.get().then_some(cancel)
    };
    let status = move || match value.get() {
        _ if pending.get() => {
            let text = format!("Looking at {name}: about ten short questions, up to 90 s …");
            Some(view! { <p class="small soft">{text}</p> }.into_any())
        }
        Some(Ok(found)) => Some(card::conclusion(&found)),
        Some(Err(error)) => Some(refused(&error)),
        None => None,
    };
    let found = move || value.get().and_then(Result::ok).filter(|_| !pending.get()).map(|found| card::findings(&found));
    view! {
        <div class="acts">
            <button
                class="btn"
                type="button"
                aria-label=label
                disabled=move || !has_script.get()
                aria-disabled=move || pending.get().to_string()
                on:click=start
            >
                "Check what it can do"
            </button>
            {cancel}
        </div>
        {move || (!has_script.get()).then(|| asked.with_value(by_hand))}
        <div role="status">{status}</div>
        {found}
    }
    .into_any()
}
