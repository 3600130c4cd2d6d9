//! Shared by the test binaries.

pub mod talk;
pub mod wire;
