//! How answers travel: as JSON, read by way of one generic value.
//!
//! Reading each type straight from text compiles a parser per type, and twice, for text within the page and for bytes of
//! a call; that was a fifth of what the browser has to load. Answers are small, so the detour costs nothing that can be
//! felt.

use leptos::{prelude::Resource, server::codee};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post};

use super::CallError;

/// JSON through [`Value`].
pub struct Json;

/// The protocol of an answer; also of arguments that are too rich for a form.
pub type Reply = Post<Json>;

/// A call's answer that the server already put into the page.
pub type Answer<T> = Resource<Result<T, CallError>, Json>;

/// Asks once per change of `source`.
pub fn ask<S, T, F>(
    source: impl Fn() -> S + Send + Sync + 'static,
    call: impl Fn(S) -> F + Send + Sync + 'static,
) -> Resource<T, Json>
where
    S: PartialEq + Clone + Send + Sync + 'static,
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = T> + Send + 'static,
{
    Resource::new_with_options(source, call, false)
}

/// Reads JSON text.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(text.parse::<Value>()?)
}

impl<T: Serialize> codee::Encoder<T> for Json {
    type Error = serde_json::Error;
    type Encoded = String;

    fn encode(value: &T) -> Result<String, Self::Error> {
        serde_json::to_string(value)
    }
}

impl<T: DeserializeOwned> codee::Decoder<T> for Json {
    type Error = serde_json::Error;
    type Encoded = str;

    fn decode(text: &str) -> Result<T, Self::Error> {
        read(text)
    }
}

impl ContentType for Json {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for Json {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for Json {
    type Error = serde_json::Error;

    fn encode(value: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(value).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for Json {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        read(&String::from_utf8_lossy(&bytes))
    }
}
