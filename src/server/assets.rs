//! The built site's files: embedded in release, read from `target/site` in debug. Beside each file may lie its `.br` and
//! `.gz` form, which is served to whoever accepts it.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "target/site"]
#[allow_missing = true]
struct Files;

/// Whether the site was built: a server without it still renders pages, without style and script.
pub fn are_built() -> bool {
    Files::get("pkg/benchloop.js").is_some()
}

fn media_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "ico" => "image/x-icon",
        _ => return None,
    })
}

/// Whether an `Accept-Encoding` takes a coding: named, or by `*`, and not with weight 0.
fn accepts(header: Option<&str>, coding: &str) -> bool {
    let weight_of = |name: &str| {
        header.unwrap_or_default().split(',').find_map(|item| {
            let mut fields = item.split(';').map(str::trim);
            if !fields.next()?.eq_ignore_ascii_case(name) {
                return None;
            }
            Some(fields.find_map(|field| field.strip_prefix("q=")?.trim().parse::<f32>().ok()).unwrap_or(1.0))
        })
    };
    weight_of(coding).or_else(|| weight_of("*")).is_some_and(|weight| weight > 0.0)
}

fn best_form(path: &str, accept: Option<&str>) -> Option<(EmbeddedFile, Option<&'static str>)> {
    for (coding, suffix) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(accept, coding)
            && let Some(file) = Files::get(&format!("{path}{suffix}"))
        {
            return Some((file, Some(coding)));
        }
    }
    Files::get(path).map(|file| (file, None))
}

fn etag(file: &EmbeddedFile) -> String {
    let hash: String = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hash}\"")
}

/// The file at a path, or `None` if there is none. Always revalidated, for names don't change between versions.
pub fn serve(path: &str, headers: &HeaderMap) -> Option<Response<Body>> {
    let path = path.trim_start_matches('/');
    let media = media_type(path)?;
    let accept = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let (file, coding) = best_form(path, accept)?;
    let tag = etag(&file);
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let fresh = known.split(',').any(|item| item.trim().trim_start_matches("W/") == tag);
    let body = if fresh { Body::empty() } else { Body::from(file.data.into_owned()) };
    let mut response = Response::new(body);
    if fresh {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_taken_only_if_it_is_accepted() {
        assert!(accepts(Some("gzip, deflate, br"), "br"));
        assert!(accepts(Some("*"), "br"));
        assert!(!accepts(Some("br;q=0, *"), "br"));
        assert!(!accepts(Some("gzip;q=0.5"), "br"));
        assert!(!accepts(None, "gzip"));
    }

    #[test]
    fn only_files_of_known_kinds_are_served() {
        assert_eq!(media_type("pkg/benchloop.wasm"), Some("application/wasm"));
        assert_eq!(media_type("pkg/benchloop.wasm.br"), None);
        assert_eq!(media_type("leaderboard"), None);
    }
}
