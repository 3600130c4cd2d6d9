//! `/chat`: a conversation with any model that a server offers, or with two side by side, each answer with its figures.
//! Nothing of it is saved but in the tab itself. A link names the model: `?endpoint=…&model=…`.

mod ask;
mod pick;
mod reply;
mod state;

use leptos::{ev, html::Textarea, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    domain::model::Target,
    web::{
        calls,
        part::state::{empty, failure},
    },
};
use state::Chat;

const NO_SCRIPT: &str = "<p>Chat needs JavaScript: answers appear here while they are written. Everything else in \
    BenchLoop works without.</p>";

/// The page.
#[component]
pub fn ChatPage() -> impl IntoView {
    let servers = calls::ask(|| (), |()| calls::read_servers());
    let linked = use_query_map().with_untracked(|query| {
        let named = |name: &str| query.get(name).filter(|value| !value.trim().is_empty());
        let provider = named("provider").and_then(|provider| provider.parse().ok());
        Some(Target { provider, endpoint: named("endpoint")?, model: named("model")? })
    });
    let chat = Chat::new(linked);
    Effect::new(move |_| chat.recall());
    on_cleanup(move || ask::stop(chat));
    follow_the_end(chat);
    view! {
        <Title text="Chat"/>
        <div class="head">
            <div>
                <h1>"Chat"</h1>
                <p class="meta">
                    "Answers are measured like those of a run. The conversation stays in this tab and is forgotten with it."
                </p>
            </div>
        </div>
        <noscript class="state" inner_html=NO_SCRIPT></noscript>
        <div class="sect">
            <Transition fallback=|| view! { <p class="soft">"Asking the servers for their models …"</p> }>
                {move || Suspend::new(async move {
                    match servers.await {
                        Ok(servers) => pick::pickers(chat, &servers),
                        Err(error) => failure("ask the servers", &error),
                    }
                })}
            </Transition>
            {pick::settings(chat)}
        </div>
        <section class="talk" aria-label="Conversation">
            <h2 class="sr">"Conversation"</h2>
            {move || chat.turns.with(Vec::is_empty).then(nothing_yet)}
            <For each=move || chat.turns.get() key=|turn| turn.id children=move |turn| reply::turn(chat, turn)/>
        </section>
        <p class="sr" role="status">{move || chat.news.get()}</p>
        {composer(chat)}
    }
}

fn nothing_yet() -> AnyView {
    let text = view! {
        <p>
            "Pick a model, write a message, press Enter. Below each answer stand its time to first token, its decode rate and its tokens."
        </p>
    };
    empty("Nothing asked yet", text)
}

/// The message field with its buttons. Focus stays in it, so that a conversation needs no mouse.
fn composer(chat: Chat) -> AnyView {
    let field = NodeRef::<Textarea>::new();
    let focus = move || {
        if let Some(field) = field.get_untracked() {
            _ = field.focus();
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
            event.prevent_default();
            ask::submit(chat);
        } else if event.key() == "Escape" {
            ask::stop(chat);
        }
    };
    let has_turns = move || chat.turns.with(|turns| !turns.is_empty());
    let clear = move |_| {
        ask::stop(chat);
        chat.turns.set(Vec::new());
        chat.news.set("The conversation is cleared.".to_owned());
        chat.keep();
        focus();
    };
    let again = move |_| {
        ask::again(chat, false);
        focus();
    };
    let stop = move |_| {
        ask::stop(chat);
        focus();
    };
    let cannot_send = move || {
        chat.is_going.get() || chat.draft.with(|draft| draft.trim().is_empty()) || chat.first.with(Option::is_none)
    };
    view! {
        <form
            class="composer"
            on:submit=move |event| {
                event.prevent_default();
                ask::submit(chat);
                focus();
            }
        >
            <label class="sr" for="message">"Message"</label>
            <textarea
                id="message"
                node_ref=field
                rows="2"
                placeholder="Message …"
                aria-describedby="keys"
                prop:value=move || chat.draft.get()
                on:input=move |event| chat.draft.set(event_target_value(&event))
                on:keydown=on_key
            ></textarea>
            <div class="acts">
                <span id="keys" class="small dim">"Enter sends, Shift+Enter begins a line, Esc stops"</span>
                {move || {
                    has_turns()
                        .then(|| {
                            view! {
                                <button class="btn quiet" type="button" on:click=clear>"Clear"</button>
                                <button class="btn quiet" type="button" on:click=again disabled=move || chat.is_going.get()>
                                    "Ask again"
                                </button>
                            }
                        })
                }}
                {move || chat.is_going.get().then(|| view! { <button class="btn" type="button" on:click=stop>"Stop"</button> })}
                <button class="btn main" type="submit" aria-disabled=move || cannot_send().to_string()>"Send"</button>
            </div>
        </form>
    }
    .into_any()
}

/// Keeps the newest words in view while they are written, unless the reader has scrolled up.
fn follow_the_end(chat: Chat) {
    let is_at_end = StoredValue::new(true);
    let heights =
        || document().document_element().map(|root| (f64::from(root.scroll_height()), f64::from(root.client_height())));
    Effect::new(move |_| {
        let on_scroll = window_event_listener(ev::scroll, move |_| {
            if let (Some((whole, seen)), Ok(at)) = (heights(), window().scroll_y()) {
                is_at_end.set_value(at + seen >= whole - 120.0);
            }
        });
        on_cleanup(move || on_scroll.remove());
    });
    Effect::new(move |before: Option<usize>| {
        let count = chat.turns.with(|turns| {
            if let Some(turn) = turns.last() {
                turn.replies().for_each(Track::track);
            }
            turns.len()
        });
        let asked = before.is_some_and(|before| count > before);
        if count > 0 && chat.is_going.get_untracked() && (asked || is_at_end.get_value()) {
            request_animation_frame(move || {
                if let Some((whole, _)) = heights() {
                    window().scroll_to_with_x_and_y(0.0, whole);
                }
            });
        }
        count
    });
}
