//! One request over a socket: opens the connection, stamps what arrives, feeds the exchange and obeys its deadlines.
//! Each attempt has its own HTTP client, so no dead connection is ever reused; dropping it ends the generation.

use std::{
    error::Error as _,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use futures_util::FutureExt as _;
use reqwest::{Response, header};
use serde_json::Value;
use tokio::{sync::Notify, time::sleep_until};
use tokio_util::sync::CancellationToken;
use tower::{Layer, Service};

use super::{Asked, Exchange, Passing, Phase, Secret, Target, compose, error_body::quote, exchange::Refusal};
use crate::{
    domain::sample::{ErrorKind, Sample, SampleClass, SampleError, SampleState},
    engine::{
        clock::{self, Stamp},
        http,
    },
};

/// Reads that are joined to one if they are there already.
const JOINED: usize = 256;

/// What came of one request.
pub struct Attempt {
    pub sample: Sample,
    pub refusal: Option<Refusal>,
    /// When the server wants to be asked again, as it wrote it.
    pub retry_after: Option<String>,
    /// The server's own time, as it wrote it.
    pub date: Option<String>,
    /// The connection was closed or reset before any byte of an answer.
    pub lost: bool,
}

impl Attempt {
    fn failed(state: SampleState, class: Option<SampleClass>, kind: ErrorKind, message: String) -> Self {
        let mut sample = Sample::failed(state, class, SampleError { kind, message, status: None });
        for field in FIELDS {
            sample
                .notes
                .insert(field.to_owned(), format!("the sample ended as {state} before the request was answered"));
        }
        Self { sample, refusal: None, retry_after: None, date: None, lost: false }
    }
}

/// The user stopped the call while a busy server was being waited for.
pub fn stopped_waiting() -> Sample {
    let message = "stopped by the user in a pause for the busy server".to_owned();
    Attempt::failed(SampleState::Cancelled, None, ErrorKind::Cancelled, message).sample
}

const FIELDS: [&str; 13] = [
    "connect_ms",
    "load_ms",
    "ttft_ms",
    "ttfo_ms",
    "total_ms",
    "decode_tok_s",
    "prefill_tok_s",
    "tpot_ms",
    "inter_chunk_ms",
    "prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "cached_tokens",
];

/// Sends one request and reads its answer to the end, a deadline or the cancellation.
pub async fn run(
    target: &Target,
    asked: Asked,
    body: &Value,
    no_usage: Option<&str>,
    cancel: &CancellationToken,
    passing: &mut (dyn FnMut(Passing) + Send),
) -> Attempt {
    let connection = Connection::default();
    let connect_limit = Duration::try_from_secs_f64(asked.clocks.connect_s).unwrap_or(Duration::MAX);
    let request = match build(target, &connection, body) {
        Ok(request) => request,
        Err((kind, message)) => return Attempt::failed(SampleState::TransportError, None, kind, message),
    };
    let start = clock::now();
    let connect_deadline = start.instant() + connect_limit.min(Duration::from_secs(86_400));
    passing(Passing { phase: Phase::Connecting, chunks: 0, text: String::new(), at_ms: 0.0, ttft_ms: None });
    let key = asked.key.clone();
    let mut exchange = Exchange::new(asked);
    let mut sending = std::pin::pin!(request.send());
    let mut waiting = false;
    let response = loop {
        let opened = connection.opened();
        if opened.is_some() && !waiting {
            waiting = true;
            passing(Passing { phase: Phase::Waiting, chunks: 0, text: String::new(), at_ms: 0.0, ttft_ms: None });
        }
        let deadline = match opened {
            Some((_, zero)) => until(zero, exchange.deadline().map_or(0.0, |(at, _)| at)),
            None => connect_deadline,
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => {
                match opened {
                    Some((_, zero)) => exchange.cancel(clock::now().ms_since(zero)),
                    None => exchange.cancel(clock::now().ms_since(start)),
                }
                break None;
            }
            result = &mut sending => match result {
                Ok(response) => break Some(response),
                Err(error) => return failed_to_send(target, &error, key.as_ref(), exchange, &connection, no_usage),
            },
            () = connection.changed.notified() => {}
            () = sleep_until(deadline) => match connection.opened() {
                Some((_, zero)) => exchange.expire(clock::now().ms_since(zero)),
                None => return connect_timeout(target, clock::now().ms_since(start), connect_limit),
            },
        }
        if exchange.is_done() {
            break None;
        }
    };
    let (connect_ms, zero) = connection.opened().unwrap_or((0.0, start));
    let header = |name: header::HeaderName| response.as_ref()?.headers().get(name)?.to_str().ok().map(str::to_owned);
    let (retry_after, date) = (header(header::RETRY_AFTER), header(header::DATE));
    if let Some(response) = response {
        read(response, zero, &mut exchange, key.as_ref(), cancel, passing).await;
    }
    let refusal = exchange.refusal().cloned();
    let connect_ms = connection.opened().map(|_| connect_ms);
    Attempt { sample: exchange.finish_noting(connect_ms, no_usage), refusal, retry_after, date, lost: false }
}

/// Feeds the exchange with the body until it is done.
async fn read(
    mut response: Response,
    zero: Stamp,
    exchange: &mut Exchange,
    key: Option<&Secret>,
    cancel: &CancellationToken,
    passing: &mut (dyn FnMut(Passing) + Send),
) {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    exchange.head(clock::now().ms_since(zero), response.status().as_u16(), kind);
    while let Some((deadline, _)) = exchange.deadline() {
        tokio::select! {
            biased;
            () = cancel.cancelled() => exchange.cancel(clock::now().ms_since(zero)),
            chunk = response.chunk() => {
                let at = clock::now().ms_since(zero);
                take(&mut response, chunk, at, exchange, key).await;
            }
            () = sleep_until(until(zero, deadline)) => exchange.expire(clock::now().ms_since(zero)),
        }
        exchange.take_passing().into_iter().for_each(&mut *passing);
    }
}

type Read = Result<Option<Bytes>, reqwest::Error>;

/// One read: the chunk that woke us and those that are there already, all with the stamp of the first.
async fn take(response: &mut Response, first: Read, at: f64, exchange: &mut Exchange, key: Option<&Secret>) {
    let mut bytes = Vec::new();
    let mut next = Some(first);
    let mut count = 0;
    while let Some(Ok(Some(chunk))) = &next {
        bytes.extend_from_slice(chunk);
        count += 1;
        if count == JOINED {
            next = None;
            break;
        }
        next = response.chunk().now_or_never();
        if next.is_none() {
            // the connection hands pieces over one by one; let it hand over what it has
            tokio::task::yield_now().await;
            next = response.chunk().now_or_never();
        }
    }
    exchange.bytes(at, &bytes);
    match next {
        Some(Ok(None)) => exchange.eof(at),
        Some(Err(error)) => {
            let why = format!("the connection broke in the middle of the answer: {}", chain(&error, key));
            exchange.broken(at, ErrorKind::Reset, &why);
        }
        Some(Ok(Some(_))) | None => {}
    }
}

fn until(zero: Stamp, ms: f64) -> tokio::time::Instant {
    zero.instant() + Duration::try_from_secs_f64(ms.clamp(0.0, 1e10) / 1000.0).unwrap_or_default()
}

fn build(
    target: &Target,
    connection: &Connection,
    body: &Value,
) -> Result<reqwest::RequestBuilder, (ErrorKind, String)> {
    let base = &target.base;
    let mut builder = http::builder(base.is_https()).map_err(|error| (ErrorKind::Tls, error.to_string()))?;
    if base.is_private() {
        builder = builder.no_proxy();
    }
    let client =
        builder.connector_layer(connection.clone()).build().map_err(|error| (ErrorKind::Connect, error.to_string()))?;
    let mut request = client
        .post(base.join(compose::path(target.wire)))
        .header(header::CONTENT_TYPE, "application/json")
        .body(body.to_string());
    if let Some(key) = &target.key {
        let mut value = header::HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| {
            (ErrorKind::Connect, "send the API key: it holds characters that no header may hold".to_owned())
        })?;
        value.set_sensitive(true);
        request = request.header(header::AUTHORIZATION, value);
    }
    Ok(request)
}

fn connect_timeout(target: &Target, waited_ms: f64, limit: Duration) -> Attempt {
    let message = format!(
        "reach {}: no connection after {:.1} s; the connect clock allows {} s (--connect-timeout raises it)",
        target.base,
        waited_ms / 1000.0,
        limit.as_secs_f64()
    );
    Attempt::failed(SampleState::Timeout, Some(SampleClass::Connect), ErrorKind::Timeout, message)
}

/// No answer came: the connection could not be opened, or it was lost before the first byte.
fn failed_to_send(
    target: &Target,
    error: &reqwest::Error,
    key: Option<&Secret>,
    mut exchange: Exchange,
    connection: &Connection,
    no_usage: Option<&str>,
) -> Attempt {
    let why = chain(error, key);
    let base = &target.base;
    if let Some((connect_ms, zero)) = connection.opened() {
        let message = format!("{base} closed the connection without an answer: {why}");
        exchange.broken(clock::now().ms_since(zero), ErrorKind::Reset, &message);
        let sample = exchange.finish_noting(Some(connect_ms), no_usage);
        return Attempt { sample, refusal: None, retry_after: None, date: None, lost: is_loss(error) };
    }
    let (kind, advice) = if why.contains(http::REFUSED) {
        (ErrorKind::Name, "use another address")
    } else if error.is_dns() || why.contains("dns error") || why.contains("failed to lookup") {
        (ErrorKind::Name, "is the host name right?")
    } else if causes(error).any(|cause| cause.is::<rustls::Error>()) {
        (ErrorKind::Tls, "is its certificate valid for this name, and is it https at all?")
    } else {
        (ErrorKind::Connect, "is the model server running there?")
    };
    let message = format!("reach {base}: {why}; {advice}");
    Attempt::failed(SampleState::TransportError, None, kind, message)
}

/// Whether the connection was closed or reset before any byte came, as idle connections are.
fn is_loss(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    causes(error).any(|cause| {
        let kind = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        kind.is_some_and(|kind| matches!(kind, ConnectionReset | ConnectionAborted | BrokenPipe | UnexpectedEof))
            || cause.to_string().contains("connection closed before message completed")
    })
}

type Cause<'a> = &'a (dyn std::error::Error + 'static);

/// The causes of an error from the outside in; those that an I/O error wraps too, which its `source` leaves out.
fn causes(error: &reqwest::Error) -> impl Iterator<Item = Cause<'_>> {
    fn inner<'a>(cause: &Cause<'a>) -> Option<Cause<'a>> {
        let cause = *cause;
        match cause.downcast_ref::<std::io::Error>() {
            Some(io) => io.get_ref().map(|inner| inner as Cause<'a>),
            None => cause.source(),
        }
    }
    std::iter::successors(error.source(), inner)
}

/// What the causes say, without the address, which may be long, and without the key.
fn chain(error: &reqwest::Error, key: Option<&Secret>) -> String {
    let mut texts: Vec<String> = causes(error).map(|cause| cause.to_string()).collect();
    texts.dedup();
    let whole = if texts.is_empty() { "the request failed".to_owned() } else { texts.join(": ") };
    quote(&whole, key.map(Secret::reveal))
}

/// When the connection was opened; also the layer around reqwest's connector that finds out.
#[derive(Clone, Default)]
struct Connection {
    opened: Arc<Mutex<Option<(f64, Stamp)>>>,
    changed: Arc<Notify>,
}

impl Connection {
    /// Milliseconds that opening took, and the moment when it was done: time zero of the sample.
    fn opened(&self) -> Option<(f64, Stamp)> {
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Layer<S> for Connection {
    type Service = Stamped<S>;

    fn layer(&self, inner: S) -> Stamped<S> {
        Stamped { inner, connection: self.clone() }
    }
}

#[derive(Clone)]
struct Stamped<S> {
    inner: S,
    connection: Connection,
}

impl<S, R> Service<R> for Stamped<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
    S::Response: 'static,
    S::Error: 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let start = clock::now();
        let opening = self.inner.call(request);
        let connection = self.connection.clone();
        Box::pin(async move {
            let opened = opening.await?;
            let end = clock::now();
            *connection.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some((end.ms_since(start), end));
            connection.changed.notify_one();
            Ok(opened)
        })
    }
}
