//! BenchLoop: benchmarks language models on your own machine, with figures that can be checked.
//!
//! | module | feature | what it is | may import |
//! |---|---|---|---|
//! | [`domain`] | always | plain values and pure functions, native and WebAssembly alike | std, serde, chrono types, thiserror |
//! | `engine` | `native` | runs, clients, checks, storage | `domain`, tokio, reqwest … |
//! | `server` | `native` | the HTTP surface: guard, live stream, site | `domain`, `engine`, axum; `web` in `site` alone |
//! | `web` | `web` (by `ssr` or `hydrate`) | the pages | `domain`, leptos; `engine` in `web::calls` alone |
//! | `cli` | `native` | one command per file | everything |

#[cfg(feature = "native")]
pub mod cli;
pub mod domain;

#[cfg(feature = "native")]
pub mod engine;
#[cfg(feature = "native")]
pub mod server;
#[cfg(feature = "web")]
pub mod web;

/// The browser's entry: takes over the page that the server rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_body(web::app::App);
}
