//! The call of the chat page: an answer as lines of JSON while it is written.

use leptos::prelude::*;
use server_fn::codec::{StreamingText, TextStream};

use super::{CallError, json::Reply};
use crate::domain::chat::ChatForm;

/// Asks a model. Each line of the stream is a [`ChatLine`](crate::domain::chat::ChatLine); leaving it ends the
/// generation.
#[server(prefix = "/fn", endpoint = "chat", input = Reply, output = StreamingText)]
pub async fn chat(form: ChatForm) -> Result<TextStream<CallError>, CallError> {
    use futures_util::StreamExt as _;
    let lines = super::engine()?.chat(form).await.map_err(|error| CallError::from(error).with_status())?;
    // a line that can't be written ends the stream before its last line, which the page takes for a broken one
    let texts = lines.map(|line| {
        line.to_line().map_err(|error| CallError::new(super::CallErrorKind::Unavailable, error.to_string()))
    });
    Ok(TextStream::new(texts))
}
