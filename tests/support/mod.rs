//! Shared by the test binaries.

pub mod wire;
