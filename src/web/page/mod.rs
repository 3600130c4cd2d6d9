//! One folder or file per page. A page reads its resource, matches the result and hands values to parts.

pub mod benchmark;
pub mod chat;
pub mod leaderboard;
pub mod method;
pub mod missing;
pub mod models;
pub mod run;
