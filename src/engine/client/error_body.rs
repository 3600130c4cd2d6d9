//! What a server says when it fails: found in any of the shapes in use, quoted safely, and put into a class.

use serde_json::Value;

use super::json;
use crate::domain::sample::{SampleClass, SampleState};

/// Characters of a server's text that are quoted.
pub const QUOTED: usize = 300;

/// A server's complaint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BodyError {
    /// What it said, whole; may hold anything, a key too: quote it with [`quote`].
    pub message: String,
    /// A status inside the body; it decides over the one of the response.
    pub code: Option<u16>,
    /// Type and code words such as `exceed_context_size_error`, lower case, joined with spaces.
    pub tags: String,
    /// The field of the request that is meant.
    pub param: Option<String>,
    pub prompt_tokens: Option<u64>,
    pub n_ctx: Option<u64>,
}

/// The error inside a value that also may be a normal chunk: `error` with something in it, or `object: "error"`.
pub fn inside(value: &Value) -> Option<BodyError> {
    match value.get("error") {
        Some(Value::String(text)) if !text.trim().is_empty() => {
            let mut error = of_object(value);
            error.message = text.clone();
            Some(error)
        }
        Some(Value::Object(fields)) if !fields.is_empty() => Some(of_object(&Value::Object(fields.clone()))),
        Some(Value::Array(items)) if !items.is_empty() => Some(of_value(&Value::Array(items.clone()))),
        Some(Value::Bool(true)) => Some(of_object(value)),
        _ if json::text(value, "object") == Some("error") => Some(of_object(value)),
        _ => None,
    }
}

/// The complaint in the body of a refused request, whatever its form.
pub fn of_body(body: &str) -> BodyError {
    match serde_json::from_str::<Value>(body.trim()) {
        Ok(value) => inside(&value).unwrap_or_else(|| of_value(&value)),
        Err(_) => BodyError { message: body.trim().to_owned(), ..BodyError::default() },
    }
}

fn of_value(value: &Value) -> BodyError {
    match value {
        Value::String(text) => BodyError { message: text.clone(), ..BodyError::default() },
        Value::Array(items) => items.first().map(of_value).unwrap_or_default(),
        Value::Null => BodyError::default(),
        _ => of_object(value),
    }
}

fn of_object(value: &Value) -> BodyError {
    let details = json::items(value, "detail").iter().map(detail).collect::<Vec<_>>().join("; ");
    let named = ["message", "msg", "detail", "error", "reason"].iter().find_map(|name| json::text(value, name));
    let message = match named {
        Some(text) => text.to_owned(),
        None if !details.is_empty() => details,
        None => value.to_string(),
    };
    let words = ["type", "code", "status"].iter().filter_map(|name| json::text(value, name));
    let code = ["code", "status", "status_code"].iter().find_map(|name| json::count(value, name));
    BodyError {
        message,
        code: code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code)),
        tags: words.collect::<Vec<_>>().join(" ").to_lowercase(),
        param: json::text(value, "param").map(str::to_owned),
        prompt_tokens: json::count(value, "n_prompt_tokens"),
        n_ctx: json::count(value, "n_ctx"),
    }
}

/// One item of a validation error: `{loc: ["body", "field"], msg}` → `body.field: msg`.
fn detail(item: &Value) -> String {
    let place: Vec<_> = json::items(item, "loc").iter().filter_map(Value::as_str).collect();
    let why = json::text(item, "msg").unwrap_or_default();
    if place.is_empty() { why.to_owned() } else { format!("{}: {why}", place.join(".")) }
}

/// What a complaint means for the sample. The status inside the body decides over the response's.
pub fn classify(status: Option<u16>, error: &BodyError) -> (SampleState, Option<SampleClass>) {
    let status = error.code.or(status).unwrap_or(0);
    let text = format!("{} {}", error.message, error.tags).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let refused = |class| (SampleState::RefusedCapability, Some(class));
    let failed = |class| (SampleState::ProviderError, class);

    if status == 429 || says(&["maximum pending requests", "rate limit", "rate_limit"]) {
        return failed(Some(SampleClass::RateLimit));
    }
    if says(&["invalid host header", "host not allowed"]) {
        return failed(None);
    }
    if status == 401 || status == 403 || says(&["invalid_api_key"]) {
        return failed(Some(SampleClass::Key));
    }
    if says(&CONTEXT) {
        return refused(SampleClass::Context);
    }
    if says(&TOOLS) {
        return refused(SampleClass::Tools);
    }
    if says(&["does not support thinking", "does not support reasoning"])
        || (says(&["think value"]) && says(&["not supported"]))
    {
        return refused(SampleClass::Thinking);
    }
    let about_model = error.param.as_deref() == Some("model") || says(&["model"]);
    let is_missing = says(&["not found", "does not exist", "no such model", "unknown model", "not available"]);
    if says(&["model_not_found"]) || (status == 404 && about_model && is_missing) {
        return refused(SampleClass::Model);
    }
    if says(&CRASH) {
        return failed(Some(SampleClass::Crash));
    }
    if status == 503 && says(&["loading"]) || says(&["model is loading", "loading model"]) {
        return failed(Some(SampleClass::Loading));
    }
    if says(&["roles must alternate", "system role", "template", "jinja"]) {
        return failed(Some(SampleClass::Template));
    }
    failed(None)
}

const CONTEXT: [&str; 9] = [
    "exceed_context_size",
    "context_length_exceeded",
    "maximum context length",
    "context length exceeded",
    "exceeds the context",
    "exceeds the available context",
    "exceeds context",
    "context window",
    "prompt is too long",
];

const TOOLS: [&str; 7] = [
    "does not support tools",
    "does not support tool",
    "does not support function calling",
    "tools are not supported",
    "enable-auto-tool-choice",
    "tools param requires",
    "tool calling is not supported",
];

const CRASH: [&str; 9] = [
    "out of memory",
    "outofmemory",
    "cudamalloc",
    "has crashed",
    "runner process has terminated",
    "runner process no longer running",
    "unexpected eof",
    "exit code:",
    "llama runner",
];

/// A server's text as evidence: tags stripped, white space joined, the key replaced, at most 300 characters.
pub fn quote(text: &str, key: Option<&str>) -> String {
    let mut text = without_tags(text);
    if let Some(key) = key.filter(|key| !key.is_empty()) {
        text = text.replace(key, "***");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(QUOTED).collect()
}

/// The text between tags; script and style are left out with their content.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(4096));
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        let Some(end) = tag.find('>').filter(|_| is_tag) else {
            out.push('<');
            rest = &tag[1..];
            continue;
        };
        out.push(' ');
        rest = &tag[end + 1..];
        for (open, close) in [("<script", "</script"), ("<style", "</style")] {
            if tag.get(..open.len()).is_some_and(|start| start.eq_ignore_ascii_case(open)) {
                rest = rest.find(close).map_or("", |end| &rest[end..]);
            }
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_quoted_without_its_tags_and_without_the_key() {
        let page = "<html><head><style>a{b}</style></head><h1>502 Bad\n Gateway</h1> a < b, key sk-1</html>";

        assert_eq!(quote(page, Some("sk-1")), "502 Bad Gateway a < b, key ***");
        assert_eq!(quote(&"ä".repeat(1000), None).chars().count(), 300);
    }

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
            (200, r#"{"error":{"code":429,"message":"slow down"}}"#, S::ProviderError, Some(C::RateLimit)),
        ] {
            assert_eq!(classify(Some(status), &of_body(body)), (state, class), "{status} {body}");
        }
    }
}
