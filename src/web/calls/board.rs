//! The leaderboard's call.

use leptos::prelude::*;

use super::{CallError, json::Reply};
use crate::domain::leaderboard::{Board, BoardQuery};

/// The board for a query. The query travels as JSON text, for it has more fields than a form should.
#[server(prefix = "/fn", endpoint = "leaderboard", input = Reply, output = Reply)]
pub async fn read_leaderboard(query: BoardQuery) -> Result<Board, CallError> {
    Ok(super::engine()?.leaderboard(query).await)
}
