//! Tests of the engine, /api and CLI through public interfaces, one file per subject.

mod checks;
mod keys;
mod suites;
