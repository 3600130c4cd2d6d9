//! Tests of the engine without pages.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

mod quirks;
#[path = "../support/mod.rs"]
mod support;
