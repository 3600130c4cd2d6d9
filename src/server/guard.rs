//! Who may ask. Three questions, each a pure function, and one middleware that asks them in this order:
//!
//! 1. Is the `Host` ours? Stops pages that point a name of their own at this machine.
//! 2. Does the request come from one of our pages? Asked on /api, /fn and /live for every method, for some of them load
//!    models or call out. Programs send no such headers and pass.
//! 3. Where the server listens beyond this machine: does the request carry the access token?

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::json;

use crate::domain::record::{host_of, is_loopback};

/// What the guard knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Guard {
    /// Host names allowed beside loopback, without port.
    pub hosts: Vec<String>,
    /// Whether any numeric address is ours too: set where the server listens on all of them.
    pub any_address: bool,
    /// The access token; `None` where only this machine can connect.
    pub token: Option<String>,
}

/// The cookie that carries the token after it came once in the address.
const COOKIE: &str = "benchloop_token";

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("this server does not answer to that host name; name it with --allow-host if it is yours")]
    Host,
    #[error("this request comes from another site's page")]
    Origin,
    #[error("an access token is needed: Authorization: Bearer, or ?token= in the address once")]
    Token,
}

impl Refusal {
    const fn status(self) -> StatusCode {
        match self {
            Self::Host => StatusCode::FORBIDDEN,
            Self::Origin => StatusCode::FORBIDDEN,
            Self::Token => StatusCode::UNAUTHORIZED,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status(), Json(json!({ "error": self.to_string() }))).into_response()
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a `Host` is loopback, on any port, or one that was configured. A request without one is refused.
pub fn host_is_ours(host: Option<&str>, allowed: &[String]) -> bool {
    let Some(host) = host.map(host_of).filter(|host| !host.is_empty()) else {
        return false;
    };
    is_loopback(host) || allowed.iter().any(|name| host_of(name).eq_ignore_ascii_case(host))
}

/// Whether the path does or reads something that a foreign page must not.
fn is_guarded(path: &str) -> bool {
    ["/api", "/fn", "/live"]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether browser headers say that the request is our own page's or was typed by the user. No header: a program.
pub fn origin_is_ours(site: Option<&str>, origin: Option<&str>, host: Option<&str>) -> bool {
    let site_ok = matches!(site, None | Some("same-origin" | "none"));
    let origin_ok = origin.is_none_or(|origin| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority.is_some() && authority.map(str::to_ascii_lowercase) == host.map(str::to_ascii_lowercase)
    });
    site_ok && origin_ok
}

/// Compares without telling by its duration how much was right.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

/// The value of `token` in a query, percent-decoding left out: tokens are made of letters and digits.
fn token_in(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// How a request proved that it knows the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    Header,
    Cookie,
    /// In the address: to be replaced by a cookie.
    Address,
}

/// Looks for the token in the header, the cookie and the address.
pub fn proof(token: &str, headers: &HeaderMap, query: Option<&str>) -> Option<Proof> {
    let bearer = text(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    if bearer.is_some_and(|given| same(given.trim(), token)) {
        return Some(Proof::Header);
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    if pairs.any(|(name, value)| name == COOKIE && same(value, token)) {
        return Some(Proof::Cookie);
    }
    token_in(query).is_some_and(|given| same(given, token)).then_some(Proof::Address)
}

impl Guard {
    /// The guard of a server that listens on `address`. A name of the user's network must be given in `hosts`; a page of
    /// another site can't have a numeric address for its own, so those are let in where all addresses are served.
    pub fn listening(address: SocketAddr, mut hosts: Vec<String>, token: Option<String>) -> Self {
        let ip = address.ip();
        if !ip.is_unspecified() {
            hosts.push(if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() });
        }
        Self { hosts, any_address: ip.is_unspecified() && token.is_some(), token }
    }

    /// Asks the three questions of a request.
    pub fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<Option<Proof>, Refusal> {
        let authority = uri.authority().map(|authority| authority.as_str());
        let host = text(headers, &header::HOST).or(authority);
        let numeric = |host: Option<&str>| host.is_some_and(|host| host_of(host).parse::<IpAddr>().is_ok());
        let is_ours = host_is_ours(host, &self.hosts) || (self.any_address && numeric(host));
        if !is_ours {
            return Err(Refusal::Host);
        }
        if is_guarded(uri.path()) {
            let site = headers.get("sec-fetch-site").map(|value| value.to_str().unwrap_or("cross-site"));
            let origin = headers.get(header::ORIGIN).map(|value| value.to_str().unwrap_or("null"));
            if !origin_is_ours(site, origin, host) {
                return Err(Refusal::Origin);
            }
        }
        match &self.token {
            None => Ok(None),
            Some(token) => proof(token, headers, uri.query()).map(Some).ok_or(Refusal::Token),
        }
    }
}

/// The address without the token.
fn without_token(uri: &Uri) -> String {
    let rest: Vec<&str> = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("token="))
        .collect();
    // one leading slash: `//host` would lead elsewhere
    let path = format!("/{}", uri.path().trim_start_matches('/'));
    if rest.is_empty() { path } else { format!("{path}?{}", rest.join("&")) }
}

/// The middleware: refuses, lets pass, or takes the token out of the address and puts it into a cookie.
pub async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.admit(request.uri(), request.headers()) {
        Err(refusal) => refusal.into_response(),
        Ok(Some(Proof::Address)) if !is_guarded(request.uri().path()) => {
            let cookie =
                format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", guard.token.as_deref().unwrap_or_default());
            let mut response = StatusCode::SEE_OTHER.into_response();
            for (name, value) in [(header::LOCATION, without_token(request.uri())), (header::SET_COOKIE, cookie)] {
                if let Ok(value) = HeaderValue::from_str(&value) {
                    response.headers_mut().insert(name, value);
                }
            }
            response
        }
        Ok(_) => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use axum::{Router, body::Body, middleware, routing::any};
    use tower::ServiceExt;

    use super::*;

    fn router(guard: Guard) -> Router {
        let ok = || async { "ok" };
        Router::new()
            .route("/", any(ok))
            .route("/api/runs", any(ok))
            .layer(middleware::from_fn_with_state(Arc::new(guard), check))
    }

    async fn ask(guard: Guard, method: &str, uri: &str, headers: &[(&str, &str)]) -> Response {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        router(guard).oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    async fn status(method: &str, uri: &str, headers: &[(&str, &str)]) -> u16 {
        ask(Guard { hosts: vec!["box.lan".into()], token: None, ..Guard::default() }, method, uri, headers)
            .await
            .status()
            .as_u16()
    }

    #[tokio::test]
    async fn only_loopback_and_configured_hosts_are_answered() {
        for host in ["127.0.0.1:8877", "localhost:1", "LOCALHOST", "[::1]:8877", "box.lan:8877"] {
            assert_eq!(status("GET", "/", &[("host", host)]).await, 200, "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8877", ""] {
            assert_eq!(status("GET", "/", &[("host", host)]).await, 403, "{host}");
        }
        assert_eq!(status("GET", "/", &[]).await, 403);
    }

    #[tokio::test]
    async fn a_foreign_page_can_neither_read_nor_post() {
        let host = ("host", "127.0.0.1:8877");
        for method in ["GET", "POST", "DELETE"] {
            for foreign in [
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-site", "same-site"),
                ("origin", "https://evil.example"),
                ("origin", "http://127.0.0.1:9999"),
                ("origin", "null"),
            ] {
                assert_eq!(status(method, "/api/runs", &[host, foreign]).await, 403, "{method} {foreign:?}");
            }
        }
    }

    #[tokio::test]
    async fn our_pages_programs_and_typed_addresses_pass() {
        let host = ("host", "127.0.0.1:8877");
        assert_eq!(status("POST", "/api/runs", &[host]).await, 200);
        assert_eq!(status("GET", "/api/runs", &[host, ("sec-fetch-site", "none")]).await, 200);
        let own = [host, ("sec-fetch-site", "same-origin"), ("origin", "http://127.0.0.1:8877")];
        assert_eq!(status("POST", "/api/runs", &own).await, 200);
    }

    #[tokio::test]
    async fn pages_may_be_reached_by_a_link_from_anywhere() {
        assert_eq!(status("GET", "/", &[("host", "localhost"), ("sec-fetch-site", "cross-site")]).await, 200);
    }

    fn locked() -> Guard {
        Guard { hosts: Vec::new(), token: Some("s3cret".into()), ..Guard::default() }
    }

    #[tokio::test]
    async fn without_the_token_nothing_is_answered() {
        let host = ("host", "localhost");
        for headers in
            [vec![host], vec![host, ("authorization", "Bearer s3cre")], vec![host, ("cookie", "benchloop_token=x")]]
        {
            assert_eq!(ask(locked(), "GET", "/api/runs", &headers).await.status(), 401);
        }
        assert_eq!(ask(locked(), "GET", "/?token=wrong", &[host]).await.status(), 401);
    }

    #[tokio::test]
    async fn the_token_is_taken_from_header_and_cookie() {
        let host = ("host", "localhost");
        for proof in [("authorization", "Bearer s3cret"), ("cookie", "a=b; benchloop_token=s3cret")] {
            assert_eq!(ask(locked(), "GET", "/api/runs", &[host, proof]).await.status(), 200);
        }
    }

    #[tokio::test]
    async fn a_token_in_the_address_becomes_a_cookie_and_leaves_the_address() {
        let response = ask(locked(), "GET", "/?a=1&token=s3cret", &[("host", "localhost")]).await;

        assert_eq!(response.status(), 303);
        assert_eq!(response.headers()["location"], "/?a=1");
        assert_eq!(response.headers()["set-cookie"], "benchloop_token=s3cret; Path=/; HttpOnly; SameSite=Strict");
    }

    #[test]
    fn the_redirect_never_leaves_this_host() {
        assert_eq!(without_token(&"//evil.example/?token=x".parse().unwrap()), "/evil.example/");
    }
}
