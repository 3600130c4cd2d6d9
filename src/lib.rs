#[cfg(feature = "native")]
pub mod cli;
pub mod domain;
#[cfg(feature = "native")]
pub mod engine;
#[cfg(feature = "native")]
pub mod server;
