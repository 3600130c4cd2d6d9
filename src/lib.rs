pub mod domain;
#[cfg(feature = "native")]
pub mod engine;
