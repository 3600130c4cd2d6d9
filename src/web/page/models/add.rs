//! The form that adds a server. Refused, it keeps the address and says why, with and without script. A key that was typed
//! is never rendered back.

use leptos::{html, prelude::*};
use leptos_router::params::ParamsMap;

use crate::web::calls::AddEndpoint;

/// Address, key if one is needed, and the button.
#[component]
pub fn AddForm(action: ServerAction<AddEndpoint>, query: Memo<ParamsMap>) -> impl IntoView {
    let typed = query.with_untracked(|query| query.get("url")).unwrap_or_default();
    let refused = move || match action.value().get() {
        Some(Err(error)) => Some(error.message),
        Some(Ok(())) => None,
        None => query.read().get("refused"),
    };
    // what was added leaves the fields, the key above all
    let (address, key) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    Effect::new(move || {
        if let Some(outcome) = action.value().get() {
            for field in [outcome.is_ok().then_some(address), Some(key)].into_iter().flatten() {
                if let Some(field) = field.get_untracked() {
                    field.set_value("");
                }
            }
        }
    });
    view! {
        <ActionForm action=action>
            <div class="acts">
                <label class="field">
                    <span>"Other server"</span>
                    <input
                        node_ref=address
                        name="url"
                        size="20"
                        inputmode="url"
                        placeholder="http://host:port"
                        required
                        value=typed
                        aria-invalid=move || refused().is_some().then_some("true")
                        aria-describedby="url-why"
                    />
                </label>
                <label class="field">
                    <span>"Key"</span>
                    <input node_ref=key name="key" type="password" size="10" autocomplete="off" placeholder="if it wants one"/>
                </label>
                <button class="btn" type="submit" disabled=move || action.pending().get()>"Add"</button>
                <a class="btn" href="/models" rel="external">"Look again"</a>
            </div>
            <p id="url-why" class="why" role="status">
                {move || if action.pending().get() { Some("Asking it …".to_owned()) } else { refused() }}
            </p>
        </ActionForm>
    }
}
