//! Tests of the engine without pages.

mod quirks;
#[path = "../support/mod.rs"]
mod support;
