//! A chat with a model: one answer, streamed and measured with the same client, decoders, meter and keys as a run's.
//!
//! A chat never enters a queue. Where a run is being measured on the same machine it is refused, unless it is forced.
//! Imports: domain, client, discover, endpoints, queue.

use std::{collections::VecDeque, time::Duration};

use futures_util::{Stream, StreamExt, stream};
use tokio::sync::mpsc;

use super::{
    Engine, EngineError,
    client::{BaseUrl, ChatRequest, Passing, Phase, Target},
    discover,
};
use crate::domain::{
    chat::{ChatForm, ChatLine, MAX_TOKENS},
    id::Wire,
    model::ServerStatus,
    plan::Clocks,
    sample::Sample,
};

/// Between two lines: what came in the meantime is joined, so that a page is not drawn for every token.
const PAUSE: Duration = Duration::from_millis(40);
/// A chat may be asked for long texts; a person can stop it.
const LONGEST_S: f64 = 7200.0;

impl Engine {
    /// Asks and gives the answer as it is written; the last line is [`ChatLine::Done`]. Dropping the stream ends the
    /// generation.
    pub async fn chat(&self, form: ChatForm) -> Result<impl Stream<Item = ChatLine> + Send + use<>, EngineError> {
        let (target, request) = self.chat_request(&form).await?;
        let cancel = self.shutdown_token().child_token();
        let (say, said) = mpsc::unbounded_channel();
        let (client, token) = (self.client().clone(), cancel.clone());
        tokio::spawn(async move {
            let clocks = Clocks { sample_s: LONGEST_S, ..Clocks::default() };
            let mut passing = |passing: Passing| {
                // nobody listens: the token ends the call
                _ = line(passing).map(|line| say.send(line));
            };
            let sample = client.chat(&target, &request, &clocks, &token, &mut passing).await;
            _ = say.send(ChatLine::Done { sample: Box::new(sample) });
        });
        let guard = cancel.drop_guard();
        Ok(joined(said).map(move |line| {
            let _held = &guard;
            line
        }))
    }

    /// Asks and waits for the whole answer, at most as long as `clocks` allow. Dropping the future ends the generation.
    pub async fn chat_whole(&self, form: ChatForm, clocks: &Clocks) -> Result<Sample, EngineError> {
        let (target, request) = self.chat_request(&form).await?;
        Ok(self.client().chat(&target, &request, clocks, &self.shutdown_token(), &mut |_| ()).await)
    }

    async fn chat_request(&self, form: &ChatForm) -> Result<(Target, ChatRequest), EngineError> {
        form.check()?;
        let base = BaseUrl::parse(&form.endpoint)?;
        if !form.force {
            self.refuse_beside_a_run("chat", &base)?;
        }
        let key = self.key_for(&base);
        let wire = match form.provider {
            Some(wire) => wire,
            None => found_wire(&base, key.as_ref()).await?,
        };
        let request = ChatRequest {
            model: form.model.trim().to_owned(),
            messages: form.messages(),
            tools: Vec::new(),
            max_tokens: form.max_tokens.unwrap_or(MAX_TOKENS),
            temperature: form.temperature,
            seed: form.seed,
            thinking: form.thinking,
            num_ctx: Some(form.num_ctx()),
            stream: true,
            stop_loops: true,
            json: false,
        };
        Ok((Target { base, wire, key }, request))
    }

    /// Refuses to do `what` on a machine on which a run is being measured.
    pub(super) fn refuse_beside_a_run(&self, what: &'static str, base: &BaseUrl) -> Result<(), EngineError> {
        match self.queue().holder(base.as_str()) {
            None => Ok(()),
            Some(holder) => {
                let whose = holder.map_or_else(|| "by another process".to_owned(), |run| format!("as {run}"));
                Err(EngineError::Measuring { what, whose })
            }
        }
    }
}

/// Asks the server how to speak to it. One without a list of models is taken for the most common kind.
async fn found_wire(base: &BaseUrl, key: Option<&super::client::Secret>) -> Result<Wire, EngineError> {
    let server = discover::probe(base, key).await;
    let url = base.as_str().to_owned();
    match server.status {
        ServerStatus::Unreachable(why) => Err(EngineError::NoAnswer { url, why }),
        ServerStatus::NeedsKey => {
            let why = format!("it wants an API key; set BENCHLOOP_OPENAI_KEYS={url}=<key>");
            Err(EngineError::NoAnswer { url, why })
        }
        _ => Ok(server.wire.unwrap_or(Wire::OpenaiCompat)),
    }
}

/// What a listener is told of a passing chunk.
fn line(passing: Passing) -> Option<ChatLine> {
    let text = passing.text;
    match passing.phase {
        Phase::Connecting => Some(ChatLine::Note { text: "connecting".to_owned() }),
        Phase::Waiting => Some(ChatLine::Note { text: "waiting".to_owned() }),
        Phase::Thinking => (!text.is_empty()).then_some(ChatLine::Reasoning { text }),
        Phase::Answering => (!text.is_empty()).then_some(ChatLine::Answer { text }),
    }
}

/// The lines, neighbours of one kind joined; ends after the last one.
fn joined(said: mpsc::UnboundedReceiver<ChatLine>) -> impl Stream<Item = ChatLine> + Send {
    stream::unfold((said, VecDeque::<ChatLine>::new()), |(mut said, mut held)| async move {
        if held.is_empty() {
            let first = said.recv().await?;
            if !matches!(first, ChatLine::Done { .. } | ChatLine::Note { .. }) {
                tokio::time::sleep(PAUSE).await;
            }
            held.push_back(first);
            while let Ok(next) = said.try_recv() {
                let apart = match held.back_mut() {
                    Some(last) => last.join(next),
                    None => Some(next),
                };
                held.extend(apart);
            }
        }
        held.pop_front().map(|line| (line, (said, held)))
    })
}
