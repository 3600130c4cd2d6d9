//! One question to a server over HTTP: bounded in time and size, the key in one header and in nothing that comes back.
//! Imports: domain, client types, fingerprint, http.

use std::time::Duration;

use serde_json::Value;

use super::{
    client::{BaseUrl, Secret, quote},
    fingerprint::{Question, Reply},
    http,
};

/// Bytes of an answer that are read.
const MOST: usize = 8 << 20;
/// Characters of raw text that are kept.
const KEPT: usize = 4096;
/// Headers that tell something.
const HEADERS: [&str; 8] = [
    "server",
    "content-type",
    "location",
    "openai-version",
    "openai-processing-ms",
    "openai-organization",
    "x-litellm-version",
    "www-authenticate",
];

/// Asks one server, all questions through one client.
pub struct Inquiry<'a> {
    base: &'a BaseUrl,
    key: Option<&'a Secret>,
    client: reqwest::Client,
}

impl<'a> Inquiry<'a> {
    /// Each question is answered within `limit` or not at all.
    pub fn new(base: &'a BaseUrl, key: Option<&'a Secret>, limit: Duration) -> Result<Self, http::HttpError> {
        Ok(Self { base, key, client: http::client(limit, base.is_private())? })
    }

    /// The answer, or in words why none came.
    pub async fn ask(&self, question: Question) -> Result<Reply, String> {
        self.send(self.client.get(self.base.join(question.path()))).await
    }

    /// Asks an address that is no [`Question`].
    pub async fn get(&self, path: &str) -> Result<Reply, String> {
        self.send(self.client.get(self.base.join(path))).await
    }

    /// Posts JSON, for Ollama's `/api/show`.
    pub async fn post(&self, path: &str, body: Value) -> Result<Reply, String> {
        self.send(self.client.post(self.base.join(path)).json(&body)).await
    }

    async fn send(&self, mut request: reqwest::RequestBuilder) -> Result<Reply, String> {
        if let Some(key) = self.key {
            request = request.bearer_auth(key.reveal());
        }
        let why = |error: reqwest::Error| self.hide(&reason(&error));
        let mut response = request.send().await.map_err(why)?;
        let status = response.status().as_u16();
        let headers = HEADERS.iter().filter_map(|name| {
            let value = response.headers().get(*name)?.to_str().ok()?;
            Some(((*name).to_owned(), self.hide(value)))
        });
        let headers = headers.collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(why)? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST {
                break;
            }
        }
        // a key that the server repeats must reach neither a page nor a file, in quoted text or in a model's name
        let whole = self.hide(&String::from_utf8_lossy(&body));
        let text = quote(&whole, None);
        let markup = whole.chars().take(KEPT).collect();
        Ok(Reply { status, headers, json: serde_json::from_str(&whole).ok(), text, markup })
    }

    fn hide(&self, text: &str) -> String {
        self.key.map_or_else(|| text.to_owned(), |key| key.hide_in(text))
    }
}

/// Why a question got no answer, in words.
fn reason(error: &reqwest::Error) -> String {
    let mut causes = Vec::new();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        causes.push(inner.to_string());
        source = inner.source();
    }
    if let Some(refused) = causes.iter().find(|cause| cause.starts_with(http::REFUSED)) {
        return refused.clone();
    }
    if error.is_timeout() {
        return "it did not answer in time".to_owned();
    }
    let said = causes.join(": ").to_lowercase();
    if said.contains("dns error") || said.contains("failed to lookup") {
        "the host name is not known".to_owned()
    } else if error.is_connect() && (said.contains("refused") || said.is_empty()) {
        "nothing is listening".to_owned()
    } else {
        causes.pop().unwrap_or_else(|| error.to_string())
    }
}
