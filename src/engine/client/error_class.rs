//! A server's complaint → the state and class of the sample. Told by status and by the words that servers use; the status
//! inside the body decides over the response's. To teach it one more server, add its words and a row to the table below.

use super::error_body::BodyError;
use crate::domain::sample::{SampleClass, SampleState};

/// What a complaint means for the sample.
pub fn classify(status: Option<u16>, error: &BodyError) -> (SampleState, Option<SampleClass>) {
    let status = error.code.or(status).unwrap_or(0);
    let text = format!("{} {}", error.message, error.tags).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let refused = |class| (SampleState::RefusedCapability, Some(class));
    let failed = |class| (SampleState::ProviderError, class);

    if status == 429 || says(&["maximum pending requests", "rate limit", "rate_limit", "too many requests"]) {
        return failed(Some(SampleClass::RateLimit));
    }
    if says(&HOST) {
        return failed(None);
    }
    if status == 401 || status == 403 || says(&["invalid_api_key"]) {
        return failed(Some(SampleClass::Key));
    }
    if says(&MEMORY) {
        return failed(Some(SampleClass::Crash));
    }
    if says(&CONTEXT) || (says(&WINDOW) && says(&TOO_SMALL)) {
        return refused(SampleClass::Context);
    }
    if lacks_tools(&text, error) {
        return refused(SampleClass::Tools);
    }
    if says(&THINKING) || (says(&["think value"]) && says(&["not supported", "invalid"])) {
        return refused(SampleClass::Thinking);
    }
    if lacks_model(status, &text, error) {
        return refused(SampleClass::Model);
    }
    if says(&CRASH) {
        return failed(Some(SampleClass::Crash));
    }
    if status == 503 && says(&["loading"]) || says(&LOADING) {
        return failed(Some(SampleClass::Loading));
    }
    if says(&TEMPLATE) {
        return failed(Some(SampleClass::Template));
    }
    failed(None)
}

/// Whether the server or model takes no tools. That tools and a stream do not go together says nothing of tools.
fn lacks_tools(text: &str, error: &BodyError) -> bool {
    if is_about_streaming(text) {
        return false;
    }
    let named = error.param.as_deref().is_some_and(|param| {
        ["tools", "tool_choice", "functions"]
            .iter()
            .any(|field| param == *field || param.starts_with(&format!("{field}.")))
    }) || ["tools", "tool_choice"].iter().any(|field| names(text, field));
    // complaints about one tool's schema name `tools.0.function`: the field itself is known there
    let unknown = UNKNOWN.iter().any(|word| text.contains(word)) && !text.contains("tools.");
    TOOLS.iter().any(|words| text.contains(words)) || (named && unknown)
}

/// Whether the text says that tools cannot be streamed.
pub fn is_about_streaming(text: &str) -> bool {
    let streams = ["with stream", "streaming", "stream mode", "stream=true", "when stream", "while stream"];
    text.contains("tool") && streams.iter().any(|words| text.contains(words))
}

fn lacks_model(status: u16, text: &str, error: &BodyError) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let about_model = error.param.as_deref() == Some("model") || text.contains("model");
    let is_missing = says(&["not found", "does not exist", "no such model", "unknown model", "could not find"]);
    says(&["model_not_found", "no models loaded", "invalid model identifier"])
        || (matches!(status, 400 | 404 | 422) && about_model && is_missing)
        || (status == 404 && about_model && says(&["not available", "invalid model"]))
}

/// Whether the text holds the word by itself, not as a part of a longer name.
pub fn names(text: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(part_of_name) && !after.is_some_and(part_of_name)
    })
}

/// A guard against foreign host names.
pub const HOST: [&str; 3] = ["invalid host header", "host not allowed", "host is not allowed"];

const CONTEXT: [&str; 12] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "max context length",
    "exceeds the context",
    "exceeds the available context",
    "exceeds context",
    "context window",
    "prompt is too long",
    "max_tokens is too large",
    "completion tokens, whereas you provided",
    "`max_new_tokens` must be <=",
];

/// Words for the context, to be read together with [`TOO_SMALL`].
const WINDOW: [&str; 8] = [
    "context length",
    "context size",
    "max_seq_len",
    "max_model_len",
    "n_ctx",
    "num_ctx",
    "context the overflows",
    "maximum model length",
];
const TOO_SMALL: [&str; 11] = [
    "exceed",
    "overflow",
    "longer than",
    "greater than",
    "larger than",
    "not enough",
    "too long",
    "too large",
    "too small",
    "reached",
    "at most",
];

const TOOLS: [&str; 10] = [
    "does not support tools",
    "does not support tool",
    "does not support function calling",
    "tools are not supported",
    "enable-auto-tool-choice",
    "tools param requires",
    "tool calling is not supported",
    "tool calling` is not supported",
    "support tool use",
    "tool use is not supported",
];

/// How servers call a field that they do not know.
const UNKNOWN: [&str; 11] = [
    "unknown parameter",
    "unknown field",
    "unrecognized request argument",
    "unsupported parameter",
    "unsupported_parameter",
    "extra inputs are not permitted",
    "extra fields not permitted",
    "extra_forbidden",
    "is unsupported",
    "is not supported",
    "not permitted",
];

const THINKING: [&str; 3] = ["does not support thinking", "does not support reasoning", "thinking is not supported"];

/// The model does not fit into memory.
pub const MEMORY: [&str; 6] = [
    "out of memory",
    "outofmemory",
    "cudamalloc",
    "requires more system memory",
    "insufficient memory",
    "unable to allocate",
];

const CRASH: [&str; 12] = [
    "has crashed",
    "runner process has terminated",
    "runner process no longer running",
    "unexpected eof",
    "exit code:",
    "llama runner",
    "model unloaded",
    "model was unloaded",
    "enginedeaderror",
    "engine is dead",
    "enginecore encountered an issue",
    "background loop has errored",
];

const LOADING: [&str; 4] = ["model is loading", "loading model", "model is still loading", "is currently loading"];

const TEMPLATE: [&str; 5] = ["roles must alternate", "system role", "chat template", "jinja", "template:"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::client::error_body::of_body;

    #[test]
    fn complaints_are_put_into_their_class() {
        use {SampleClass as C, SampleState as S};
        for (status, body, state, class) in [
            (404, r#"{"error":"model 'x' not found, try pulling it first"}"#, S::RefusedCapability, Some(C::Model)),
            (
                404,
                r#"{"object":"error","message":"The model `x` does not exist.","code":404}"#,
                S::RefusedCapability,
                Some(C::Model),
            ),
            (
                404,
                r#"{"error":{"message":"no","param":"model","code":"model_not_found"}}"#,
                S::RefusedCapability,
                Some(C::Model),
            ),
            (404, "404 page not found", S::ProviderError, None),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
                S::RefusedCapability,
                Some(C::Context),
            ),
            (
                400,
                r#"{"message":"This model's maximum context length is 8192 tokens."}"#,
                S::RefusedCapability,
                Some(C::Context),
            ),
            (400, r#"{"error":"demo:1b does not support tools"}"#, S::RefusedCapability, Some(C::Tools)),
            (400, r#"{"error":"\"demo:1b\" does not support thinking"}"#, S::RefusedCapability, Some(C::Thinking)),
            (401, "no", S::ProviderError, Some(C::Key)),
            (403, r#"{"detail":"Forbidden"}"#, S::ProviderError, Some(C::Key)),
            (403, "Invalid host header", S::ProviderError, None),
            (429, "", S::ProviderError, Some(C::RateLimit)),
            (503, r#"{"error":{"code":503,"message":"Loading model"}}"#, S::ProviderError, Some(C::Loading)),
            (
                503,
                r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#,
                S::ProviderError,
                Some(C::RateLimit),
            ),
            (500, r#"{"error":"cudaMalloc failed: out of memory"}"#, S::ProviderError, Some(C::Crash)),
            (
                400,
                r#"{"error":{"message":"The model has crashed without additional information. (Exit code: 11)"}}"#,
                S::ProviderError,
                Some(C::Crash),
            ),
            (
                500,
                r#"{"error":{"message":"Conversation roles must alternate user/assistant"}}"#,
                S::ProviderError,
                Some(C::Template),
            ),
            (502, "<html>bad</html>", S::ProviderError, None),
            (
                400,
                r#"{"error":{"message":"max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.","param":"max_tokens","code":"invalid_value"}}"#,
                S::RefusedCapability,
                Some(C::Context),
            ),
            (
                400,
                "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
                S::RefusedCapability,
                Some(C::Context),
            ),
            (
                400,
                r#"{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}"#,
                S::RefusedCapability,
                Some(C::Context),
            ),
            (500, r#"{"error":"context deadline exceeded"}"#, S::ProviderError, None),
            (
                500,
                r#"{"error":"model requires more system memory (9.0 GiB) than is available (4.0 GiB)"}"#,
                S::ProviderError,
                Some(C::Crash),
            ),
            (
                500,
                r#"{"error":"failed to allocate for n_ctx 131072: out of memory"}"#,
                S::ProviderError,
                Some(C::Crash),
            ),
            (
                400,
                r#"{"error":{"message":"Unknown parameter: 'tools'.","param":"tools","code":"unknown_parameter"}}"#,
                S::RefusedCapability,
                Some(C::Tools),
            ),
            (
                404,
                r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#,
                S::RefusedCapability,
                Some(C::Tools),
            ),
            (
                400,
                r#"{"error":{"message":"Invalid schema for tools.0.function: 'x' is not supported"}}"#,
                S::ProviderError,
                None,
            ),
            (
                500,
                r#"{"error":{"code":500,"message":"Cannot use tools with stream","type":"server_error"}}"#,
                S::ProviderError,
                None,
            ),
            (
                400,
                r#"{"error":{"message":"think value \"medium\" is not supported for this model"}}"#,
                S::RefusedCapability,
                Some(C::Thinking),
            ),
            (
                404,
                r#"{"error":{"message":"No models loaded. Please load a model first."}}"#,
                S::RefusedCapability,
                Some(C::Model),
            ),
            (400, r#"{"error":"could not find real modelID for x"}"#, S::RefusedCapability, Some(C::Model)),
            (404, r#"{"detail":"Not Found"}"#, S::ProviderError, None),
            (500, r#"{"error":{"message":"Model unloaded."}}"#, S::ProviderError, Some(C::Crash)),
            (400, r#"{"error":{"message":"unknown field chat_template_kwargs"}}"#, S::ProviderError, None),
            (
                500,
                r#"{"error":"template: :3:14: executing \"\" at <.System>: nil"}"#,
                S::ProviderError,
                Some(C::Template),
            ),
            (200, r#"{"error":{"code":429,"message":"slow down"}}"#, S::ProviderError, Some(C::RateLimit)),
        ] {
            assert_eq!(classify(Some(status), &of_body(body)), (state, class), "{status} {body}");
        }
    }
}
