//! The pages, rendered on the server and taken over by the browser.
//!
//! Imports: `domain`, leptos and its crates; in the browser also gloo-net, wasm-bindgen, web-sys, futures-util. Only
//! [`calls`] reaches the engine, inside server functions. What two pages share is a [`part`]; a page sorts, counts and
//! formats nothing that `domain` could.

pub mod app;
pub mod calls;
pub mod live;
pub mod page;
pub mod part;
