//! Tests of the engine, /api and CLI through public interfaces, one file per subject. Each is marked `cfg(test)`, so
//! that clippy knows that its helpers may unwrap.

#[cfg(test)]
mod checks;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod suites;
