//! There is nothing at this address; the server answers with status 404.

use leptos::prelude::*;
use leptos_meta::Title;

/// Says so and leads on.
#[component]
pub fn MissingPage() -> impl IntoView {
    view! {
        <Title text="Not found"/>
        <section class="state">
            <h1>"There is nothing at this address"</h1>
            <p>"The page may have moved, or the address is mistyped."</p>
            <p class="acts"><a class="btn main" href="/models">"Models"</a><a class="btn" href="/leaderboard">"Leaderboard"</a></p>
        </section>
    }
}
