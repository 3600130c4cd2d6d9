//! The frame of every page: document shell, header, routes, footer.

use leptos::prelude::*;
use leptos_meta::{MetaTags, Title, provide_meta_context};
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    hooks::use_location,
    path,
};

use super::{page, part::glyph::GlyphSheet};

/// The document around the app, as the server sends it.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
                <link rel="stylesheet" href="/pkg/benchloop.css"/>
                <script src="/theme.js" type="module"></script>
                <script src="/copy.js" type="module"></script>
                <AutoReload options=options.clone()/>
                <HydrationScripts options/>
                <MetaTags/>
            </head>
            <body>
                <App/>
            </body>
        </html>
    }
}

/// Header, page, footer.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    // what waits for the page to be alive, a browser test for example, waits for this
    Effect::new(|| {
        if let Some(root) = document().document_element() {
            _ = root.set_attribute("data-hydrated", "");
        }
    });
    view! {
        <Title formatter=|title: String| if title.is_empty() { "BenchLoop".to_owned() } else { format!("{title} · BenchLoop") }/>
        <GlyphSheet/>
        <a class="skip" href="#main">"Skip to content"</a>
        <Router>
            <Header/>
            <main class="page" id="main">
                <Routes fallback=|| view! { <page::missing::MissingPage/> }>
                    <Route path=path!("/") view=page::models::ModelsPage ssr=SsrMode::InOrder/>
                    <Route path=path!("/models") view=page::models::ModelsPage ssr=SsrMode::InOrder/>
                    <Route path=path!("/benchmark") view=page::benchmark::BenchmarkPage ssr=SsrMode::Async/>
                    <Route path=path!("/runs/:id") view=page::run::RunPage ssr=SsrMode::Async/>
                    <Route path=path!("/leaderboard") view=page::leaderboard::LeaderboardPage ssr=SsrMode::Async/>
                    <Route path=path!("/chat") view=page::chat::ChatPage ssr=SsrMode::Async/>
                    <Route path=path!("/method") view=page::method::MethodPage ssr=SsrMode::Async/>
                </Routes>
            </main>
        </Router>
        <Footer/>
    }
}

/// What the navigation leads to: name, address, whether it exists in this version.
const PLACES: [(&str, &str, bool); 6] = [
    ("Models", "/models", true),
    ("Benchmark", "/benchmark", true),
    ("Leaderboard", "/leaderboard", true),
    ("Stacks", "", false),
    ("Chat", "/chat", true),
    ("Compare", "", false),
];

/// Whether a place holds the page at `path`.
fn is_here(place: &str, path: &str) -> bool {
    match place {
        "/models" => matches!(path, "/" | "/models"),
        "/benchmark" => path == place || path.starts_with("/runs/"),
        place => path == place,
    }
}

#[component]
fn Header() -> impl IntoView {
    let path = use_location().pathname;
    let place = move |(name, address, exists): (&'static str, &'static str, bool)| {
        if exists {
            let current = move || is_here(address, &path.read()).then_some("page");
            view! { <a href=address aria-current=current>{name}</a> }.into_any()
        } else {
            view! { <span class="coming wide" title="Not in this version">{name} " " <small>"coming"</small></span> }
                .into_any()
        }
    };
    view! {
        <header class="top">
            <div class="top-in">
                <a class="brand" href="/" aria-label="BenchLoop, start page"><Wordmark/></a>
                <nav class="nav" aria-label="Main">{PLACES.map(place).collect_view()}</nav>
                <div class="top-side">
                    <button class="btn quiet theme" type="button" data-theme-switch="" aria-label="Theme: system. Change theme">
                        <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true">
                            <circle cx="8" cy="8" r="6.1"/>
                            <path class="f" d="M8 1.9a6.1 6.1 0 0 1 0 12.2z"/>
                        </svg>
                    </button>
                </div>
            </div>
        </header>
    }
}

/// The name; its last o is the ring of what is known with the point that was measured.
#[component]
fn Wordmark() -> impl IntoView {
    const STROKES: &str = "M2 1V15H6.6a3.7 3.7 0 0 0 0-7.4H2M2 2H5.9a2.8 2.8 0 0 1 0 5.6M13.6 11h8a4 4 0 1 0-1.2 2.85\
        M25.6 6v10M25.6 10.6a3.6 3.6 0 0 1 7.2 0V16M44 8.17a4 4 0 1 0 0 5.66M47.6 1v15M47.6 10.6a3.6 3.6 0 0 1 7.2 0V16\
        M59.6 1V15H66.4M91.6 6v14";
    view! {
        <svg viewBox="0 0 104 20" width="104" height="20" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
            <path d=STROKES/>
            <circle cx="72.4" cy="11" r="4"/>
            <path d="M84.9 7.4A4 4 0 1 0 87 9.6"/>
            <circle cx="95.6" cy="11" r="4"/>
            <circle cx="83.4" cy="11" r="1.5" fill="currentColor" stroke="none"/>
        </svg>
    }
}

#[component]
fn Footer() -> impl IntoView {
    view! {
        <footer class="foot">
            <span>
                "BenchLoop " {env!("CARGO_PKG_VERSION")} ". Runs stay in BenchLoop’s home folder on this machine; nothing is uploaded."
            </span>
            <a href="/method">"How we measure"</a>
        </footer>
    }
}
