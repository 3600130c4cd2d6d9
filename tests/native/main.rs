//! Tests of the engine, the server without pages and the command line, through public interfaces; one file per subject.

#[cfg(test)]
mod agent;
#[cfg(test)]
mod boundaries;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod checks;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod discovery;
#[cfg(test)]
mod engine;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod guard;
#[cfg(test)]
mod harness;
#[cfg(test)]
mod hub;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod phrasing;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod pulls;
#[cfg(test)]
mod python;
#[cfg(test)]
mod quirks;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod servers;
#[cfg(test)]
mod suites;
#[cfg(test)]
#[path = "../support/mod.rs"]
mod support;
#[cfg(test)]
mod worlds;
