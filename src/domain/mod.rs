//! What a benchmark run is: plain values and pure functions, compiled on the server and in the browser alike.
//!
//! Imports: std, serde, serde_json, chrono types, thiserror; nobody else of this crate. No clock, no file, no socket.
//! To add a value that travels: give it serde, a unit in its name or type, and `None` with a reason where it may be
//! unmeasured.

pub mod card;
pub mod chart;
pub mod chat;
pub mod event;
pub mod figures;
pub mod fit;
pub mod hub;
pub mod id;
pub mod identity;
pub mod leaderboard;
pub mod machine;
pub mod markdown;
pub mod measured;
pub mod model;
pub mod plan;
pub mod pull;
pub mod reading;
pub mod record;
pub mod row;
pub mod run;
pub mod sample;
pub mod score;
pub mod speed;
pub mod stats;
pub mod transcript;
pub mod unit;
pub mod verdict;
pub mod words;
