//! What a server says when it fails: found in any of the shapes in use, and quoted safely.

use serde_json::Value;

use super::json;

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

impl BodyError {
    /// Whether the message or a tag holds this, in lower case.
    pub fn says(&self, words: &str) -> bool {
        self.tags.contains(words) || self.message.to_lowercase().contains(words)
    }
}

/// How deep complaints inside complaints are followed.
const DEPTH: u8 = 4;

/// The error inside a value that also may be a normal chunk: `error` with something in it, or `object: "error"`.
pub fn inside(value: &Value) -> Option<BodyError> {
    match value.get("error") {
        Some(Value::String(text)) if !text.trim().is_empty() => {
            let mut error = of_object(value, DEPTH);
            error.message = text.clone();
            Some(error)
        }
        Some(Value::Object(fields)) if !fields.is_empty() => Some(of_object(value.get("error")?, DEPTH)),
        Some(Value::Array(items)) if !items.is_empty() => Some(of_value(value.get("error")?, DEPTH)),
        Some(Value::Bool(true)) => Some(of_object(value, DEPTH)),
        _ if json::text(value, "object") == Some("error") => Some(of_object(value, DEPTH)),
        _ => None,
    }
}

/// The complaint in the body of a refused request, whatever its form.
pub fn of_body(body: &str) -> BodyError {
    match serde_json::from_str::<Value>(body.trim()) {
        Ok(value) => inside(&value).unwrap_or_else(|| of_value(&value, DEPTH)),
        Err(_) => BodyError { message: body.trim().to_owned(), ..BodyError::default() },
    }
}

fn of_value(value: &Value, depth: u8) -> BodyError {
    match value {
        Value::String(text) => BodyError { message: text.clone(), ..BodyError::default() },
        Value::Array(items) if depth > 0 => items.first().map(|item| of_value(item, depth - 1)).unwrap_or_default(),
        Value::Null => BodyError::default(),
        _ => of_object(value, depth),
    }
}

fn of_object(value: &Value, depth: u8) -> BodyError {
    let details = json::items(value, "detail").iter().map(detail).collect::<Vec<_>>().join("; ");
    let names = ["message", "msg", "detail", "error", "reason"];
    let named = names.iter().find_map(|name| json::text(value, name));
    // a proxy may hand on the other server's whole complaint where its own words should be
    let wrapped = || {
        let inner = names.iter().find_map(|name| value.get(name).filter(|inner| inner.is_object()))?;
        (depth > 0).then(|| of_object(inner, depth - 1))
    };
    let (message, inner) = match (named, wrapped()) {
        (Some(text), inner) => (text.to_owned(), inner),
        (None, _) if !details.is_empty() => (details, None),
        (None, Some(inner)) => (inner.message.clone(), Some(inner)),
        (None, None) => (value.to_string(), None),
    };
    let inner = inner.unwrap_or_default();
    let words = ["type", "error_type", "code", "status"].iter().filter_map(|name| json::text(value, name));
    let words: Vec<&str> = words.chain((!inner.tags.is_empty()).then_some(inner.tags.as_str())).collect();
    let code = ["code", "status", "status_code", "error_code"].iter().find_map(|name| json::count(value, name));
    let code = code.and_then(|code| u16::try_from(code).ok()).filter(|code| (400..600).contains(code));
    BodyError {
        message,
        code: code.or(inner.code),
        tags: words.join(" ").to_lowercase(),
        param: json::text(value, "param").map(str::to_owned).or(inner.param),
        prompt_tokens: json::count(value, "n_prompt_tokens").or(inner.prompt_tokens),
        n_ctx: json::count(value, "n_ctx").or(inner.n_ctx),
    }
}

/// One item of a validation error: `{loc: ["body", "field"], msg}` → `body.field: msg`.
fn detail(item: &Value) -> String {
    let place: Vec<_> = json::items(item, "loc").iter().filter_map(Value::as_str).collect();
    let why = json::text(item, "msg").unwrap_or_default();
    if place.is_empty() { why.to_owned() } else { format!("{}: {why}", place.join(".")) }
}

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
    fn q27_a_complaint_is_found_in_every_shape() {
        for (body, message, code, param) in [
            (r#"{"error":"no"}"#, "no", None, None),
            (r#"{"error":{"message":"no","param":"model","code":404}}"#, "no", Some(404), Some("model")),
            (r#"{"object":"error","message":"no","code":404}"#, "no", Some(404), None),
            (
                r#"{"object":"error","message":{"detail":[{"loc":["body","seed"],"msg":"no"}]}}"#,
                "body.seed: no",
                None,
                None,
            ),
            (r#"{"detail":"no"}"#, "no", None, None),
            (
                r#"{"detail":[{"loc":["body","seed"],"msg":"no"},{"msg":"nor this"}]}"#,
                "body.seed: no; nor this",
                None,
                None,
            ),
            (r#"{"error":{"error":{"message":"no","code":"429"}}}"#, "no", Some(429), None),
            (r#"{"error":[{"message":"no"}]}"#, "no", None, None),
            (r#"[{"error":{"message":"no"}}]"#, "no", None, None),
            (r#"{"error":true,"message":"no","status":503}"#, "no", Some(503), None),
            (r#"{"error":"no","error_type":"validation"}"#, "no", None, None),
            (r#""no""#, "no", None, None),
            ("no", "no", None, None),
            ("null", "", None, None),
            ("[]", "", None, None),
        ] {
            let error = of_body(body);
            assert_eq!((error.message.as_str(), error.code, error.param.as_deref()), (message, code, param), "{body}");
        }
    }
}
