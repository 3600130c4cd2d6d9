//! Shared by the test binaries.

pub mod home;
pub mod talk;
pub mod wire;
