//! Tests of the engine, the server without pages and the command line, through public interfaces; one file per subject.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly")]

mod checks;
mod cli;
mod engine;
mod keys;
mod quirks;
mod suites;
#[path = "../support/mod.rs"]
mod support;
