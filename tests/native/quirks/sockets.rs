//! The same rows over real sockets, all at once: a server that writes raw bytes, and the client as it is.

use std::time::Duration;

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        sample::{Flag, Sample},
        transcript::Message,
    },
    engine::client::{BaseUrl, ChatRequest, Client, Patience, Target},
};
use tokio_util::sync::CancellationToken;

use super::{Row, rows};
use crate::support::wire::{Script, WireServer, head};

/// Rows longer than this are compressed to it, in milliseconds.
const LONGEST: f64 = 800.0;

/// A question of `chars` characters to the model `m`.
pub fn question(chars: usize) -> ChatRequest {
    ChatRequest {
        model: "m".into(),
        messages: vec![Message::user("x".repeat(chars))],
        tools: Vec::new(),
        max_tokens: 1024,
        temperature: Some(0.0),
        seed: Some(7),
        thinking: Thinking::Auto,
        num_ctx: None,
        stream: true,
        stop_loops: true,
        json: false,
    }
}

pub fn target(url: &str, wire: Wire) -> Target {
    Target { base: BaseUrl::parse(url).unwrap(), wire, key: None }
}

impl Row {
    fn script(&self) -> Script {
        let last = self.chunks.last().map_or(0.0, |chunk| chunk.at);
        let factor = if self.own_clocks { 1.0 } else { (last / LONGEST).max(1.0) };
        let mut before = 0.0;
        let mut pieces = vec![(0.0, head(self.status, self.content_type).into_bytes())];
        for chunk in &self.chunks {
            pieces.push(((chunk.at - before) / factor, chunk.bytes.clone()));
            before = chunk.at;
        }
        Script { pieces, end: self.end }
    }

    async fn over_a_socket(&self) -> Sample {
        let server = WireServer::start(vec![self.script()]).await;
        let mut target = target(&server.url(), self.asked.wire);
        target.key = self.asked.key.clone();
        let request = ChatRequest {
            max_tokens: self.asked.max_tokens,
            thinking: self.asked.thinking,
            num_ctx: self.asked.num_ctx,
            ..question(self.asked.prompt_chars)
        };
        let cancel = CancellationToken::new();
        if let Some(at) = self.cancel_at {
            let cancel = cancel.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs_f64(at / 1000.0)).await;
                cancel.cancel();
            });
        }
        let client = Client::default().with_patience(Patience::NONE);
        client.chat(&target, &request, &self.asked.clocks, &cancel, &mut |_| {}).await
    }
}

impl Row {
    async fn check_socket(&self) -> Option<String> {
        let mut sample = self.over_a_socket().await;
        if !self.own_clocks {
            sample.flags.retain(|flag| *flag != Flag::ClockDisagrees);
        }
        let wrong = self.expected.clone().without_clock_comparison().compare(&sample);
        self.report(&wrong, &sample)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_quirk_gives_the_same_sample_over_a_socket() {
    let running: Vec<_> =
        rows().into_iter().map(|row| tokio::spawn(async move { (row.check_socket().await.is_some(), row) })).collect();
    let mut late = Vec::new();
    for row in running {
        let (failed, row) = row.await.unwrap();
        late.extend(failed.then_some(row));
    }
    // a busy machine may join two reads: what failed in the crowd must pass alone
    let mut failures = Vec::new();
    for row in late {
        failures.extend(row.check_socket().await);
    }

    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}
