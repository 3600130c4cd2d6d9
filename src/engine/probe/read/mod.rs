//! What the answers tell: servers and samples → findings. Only what the evidence shows is said. Pure.
//! Imports: domain; each part names its own.

mod ability;
mod context;
mod first;
mod server;

pub use ability::{json, limit, parallel, system, thinking, tools};
pub use context::{Room, canary, told_context};
pub use first::first_answer;
pub use server::{key_that_is_taken, server};

use crate::domain::sample::Sample;

/// The sentence about a field that was not applied.
fn not_applied<'a>(sample: &'a Sample, fields: &[&str]) -> Option<&'a str> {
    let about = |line: &&String| fields.iter().any(|field| line.starts_with(field));
    sample.adaptations.iter().find(about).map(String::as_str)
}
