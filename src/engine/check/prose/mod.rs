//! What a message in free prose says: whether something was done, was not done or is still open, whether a figure belongs to
//! a thing, and whether a value is hedged. Closed lists of words, kept here and in no task. Pure.
//!
//! Imports: `check::{number, spelled, text}`. To teach it a phrase: a word in one of the lists, a row in the tests.

mod deed;
mod fact;
mod split;
#[cfg(test)]
mod tests;
mod undone;
mod value;

pub use self::{
    deed::standing,
    fact::{Facts, contradiction, worded},
    undone::declines,
    value::{hedged, numbers, states},
};
