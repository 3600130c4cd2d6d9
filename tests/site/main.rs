//! Tests of the pages through the whole router, in one binary.

#[cfg(test)]
mod pages;
#[cfg(test)]
mod preflight;
#[cfg(test)]
#[path = "../support/talk.rs"]
mod talk;
