//! Where a model server listens, in one spelling. People paste hosts, `/v1` addresses and whole endpoint addresses;
//! inside there is only scheme, host, port and mount prefix. Imports: url.

use std::{fmt, net::IpAddr};

use url::{Host, Url};

use super::address;

/// A refused address and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadUrl {
    #[error("the address is empty; say where the model server listens, for example http://127.0.0.1:11434")]
    Blank,
    #[error("read the address {0:?}: {1}")]
    Unreadable(String, String),
    #[error("the address starts with {0}://; only http:// and https:// are model servers")]
    Scheme(String),
    #[error("the address holds a user name or password; give the key by itself")]
    UserInfo,
    #[error("the address holds a query (?…); leave it out")]
    Query,
    #[error("the address holds a fragment (#…); leave it out")]
    Fragment,
    #[error("ask {0}: {1}")]
    Refused(String, &'static str),
}

/// Scheme, host, port and mount prefix of a model server, without `/v1` and without trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaseUrl {
    whole: String,
    origin: String,
    host: String,
    port: u16,
}

/// Endpoint paths that people copy along with the address; longer ones first.
const ENDPOINTS: [&str; 13] = [
    "/chat/completions",
    "/v1/completions",
    "/v1/responses",
    "/v1/embeddings",
    "/v1/models",
    "/api/chat",
    "/api/generate",
    "/api/tags",
    "/api/version",
    "/api/show",
    "/api/ps",
    "/api/pull",
    "/api/embed",
];

impl BaseUrl {
    /// Refuses blank text, schemes other than http and https, user info, queries, fragments and hosts that
    /// can't be a model server (see `address`).
    pub fn parse(text: &str) -> Result<Self, BadUrl> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadUrl::Blank);
        }
        let spelled = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let unreadable = |why: &str| BadUrl::Unreadable(shown(text), why.to_owned());
        let url = Url::parse(&spelled).map_err(|why| unreadable(&why.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadUrl::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadUrl::UserInfo);
        }
        if url.query().is_some() {
            return Err(BadUrl::Query);
        }
        if url.fragment().is_some() {
            return Err(BadUrl::Fragment);
        }
        let host = match url.host() {
            Some(Host::Domain(name)) if !name.trim_matches('.').is_empty() => name.to_owned(),
            Some(Host::Ipv4(ip)) => ip.to_string(),
            Some(Host::Ipv6(ip)) => ip.to_string(),
            _ => return Err(unreadable("there is no host")),
        };
        let refused = match host.parse::<IpAddr>() {
            Ok(ip) => address::refused(ip),
            Err(_) => address::refused_name(&host),
        };
        if let Some(why) = refused {
            return Err(BadUrl::Refused(host, why));
        }
        let origin = url.origin().ascii_serialization();
        let port = url.port_or_known_default().unwrap_or(80);
        Ok(Self { whole: format!("{origin}{}", prefix(url.path())), origin, host, port })
    }

    /// The address without trailing slash and without `/v1`.
    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// The address of `path`, which starts with a slash; a prefix `/api` is not doubled.
    pub fn join(&self, path: &str) -> String {
        let base = match self.whole.strip_suffix("/api") {
            Some(shorter) if path.starts_with("/api/") => shorter,
            _ => &self.whole,
        };
        format!("{base}{path}")
    }

    /// Scheme, host and port; the standard port is left out.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The host alone; IPv6 without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, the scheme's own if none was written.
    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn is_https(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Whether the host is a name for this machine that must not be looked up.
    pub fn is_localhost_name(&self) -> bool {
        let name = self.host.trim_end_matches('.');
        name == "localhost" || name.ends_with(".localhost")
    }

    /// Whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        self.is_localhost_name() || numeric(&self.host).is_some_and(|ip| ip.is_loopback())
    }

    /// Whether the host is on this machine or in a private network, where no proxy belongs.
    pub fn is_private(&self) -> bool {
        let name = self.host.trim_end_matches('.');
        match numeric(name) {
            Some(IpAddr::V4(ip)) => self.is_loopback() || ip.is_private(),
            Some(IpAddr::V6(ip)) => self.is_loopback() || ip.is_unique_local(),
            None => {
                let known = [".local", ".lan", ".internal", ".home.arpa"];
                self.is_loopback() || !name.contains('.') || known.iter().any(|end| name.ends_with(end))
            }
        }
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.whole)
    }
}

impl std::str::FromStr for BaseUrl {
    type Err = BadUrl;
    fn from_str(text: &str) -> Result<Self, BadUrl> {
        Self::parse(text)
    }
}

/// The text for an error message: at most 80 characters, nothing before an `@`, which may be a password.
fn shown(text: &str) -> String {
    text.rsplit('@').next().unwrap_or_default().chars().take(80).collect()
}

/// The host as an IP address; an IPv4 address inside an IPv6 one is taken out.
fn numeric(host: &str) -> Option<IpAddr> {
    host.parse::<IpAddr>().ok().map(address::plain)
}

/// What is left of a path without endpoint and `/v1`; empty or a path without trailing slash.
fn prefix(path: &str) -> String {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    let mut path = parts.iter().fold(String::new(), |path, part| path + "/" + part);
    if let Some(end) = ENDPOINTS.iter().find(|end| path.ends_with(**end)) {
        path.truncate(path.len() - end.len());
    }
    while path.ends_with("/v1") {
        path.truncate(path.len() - "/v1".len());
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q87_every_form_of_an_address_ends_in_exactly_one_v1() {
        for (text, chat) in [
            ("127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
            ("http://h:8080/", "http://h:8080/v1/chat/completions"),
            ("http://h:8080/v1", "http://h:8080/v1/chat/completions"),
            ("http://h:8080/v1/", "http://h:8080/v1/chat/completions"),
            ("http://h:8080//v1//", "http://h:8080/v1/chat/completions"),
            ("http://h/v1/v1", "http://h/v1/chat/completions"),
            ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
            ("http://h/v1/models", "http://h/v1/chat/completions"),
            ("https://h/api/v1", "https://h/api/v1/chat/completions"),
            ("https://h/api/v1/chat/completions", "https://h/api/v1/chat/completions"),
            ("https://h/compatible-mode/v1", "https://h/compatible-mode/v1/chat/completions"),
            ("https://h/openai/v1/", "https://h/openai/v1/chat/completions"),
            ("http://h/models/a", "http://h/models/a/v1/chat/completions"),
            ("http://h:11434/api/chat", "http://h:11434/v1/chat/completions"),
            ("  HTTP://LocalHost:1234/v1  ", "http://localhost:1234/v1/chat/completions"),
            ("[::1]:8080", "http://[::1]:8080/v1/chat/completions"),
            ("localhost:8080/v1", "http://localhost:8080/v1/chat/completions"),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap().join("/v1/chat/completions"), chat, "{text}");
        }
    }

    #[test]
    fn a_prefix_api_is_not_doubled() {
        let base = BaseUrl::parse("http://h:11434/api").unwrap();

        assert_eq!(base.join("/api/tags"), "http://h:11434/api/tags");
        assert_eq!(base.join("/v1/models"), "http://h:11434/api/v1/models");
    }

    #[test]
    fn addresses_that_are_no_model_servers_are_refused() {
        for (text, why) in [
            ("  ", BadUrl::Blank),
            ("file:///etc/passwd", BadUrl::Scheme("file".into())),
            ("ftp://h", BadUrl::Scheme("ftp".into())),
            ("http://u:secret@h", BadUrl::UserInfo),
            ("http://h?x=", BadUrl::Query),
            ("http://h/#x", BadUrl::Fragment),
            ("http://h/v1?", BadUrl::Query),
            ("http://:secret@h", BadUrl::UserInfo),
            ("javascript://h", BadUrl::Scheme("javascript".into())),
        ] {
            assert_eq!(BaseUrl::parse(text).unwrap_err(), why, "{text}");
        }
        for (text, host) in [
            ("http://169.254.169.254/latest", "169.254.169.254"),
            ("http://0xA9FEA9FE", "169.254.169.254"),
            ("http://2852039166", "169.254.169.254"),
            ("http://169.254.43518", "169.254.169.254"),
            ("http://[fe80::1]", "fe80::1"),
            ("http://[::ffff:169.254.1.1]", "::ffff:169.254.1.1"),
            ("0.0.0.0:11434", "0.0.0.0"),
            ("http://0:11434", "0.0.0.0"),
            ("[::]:8080", "::"),
            ("224.0.0.251:5353", "224.0.0.251"),
            ("255.255.255.255", "255.255.255.255"),
            ("http://metadata.google.internal/v1", "metadata.google.internal"),
            ("Metadata", "metadata"),
        ] {
            let error = BaseUrl::parse(text).unwrap_err();
            assert!(matches!(&error, BadUrl::Refused(refused, _) if refused == host), "{text}: {error}");
        }
        let every = BaseUrl::parse("0.0.0.0:11434").unwrap_err().to_string();
        assert!(every.contains("write 127.0.0.1"), "{every}");
        for text in ["http://", "http:// x", "http://h:99999", "u:p@h:x"] {
            let error = BaseUrl::parse(text).unwrap_err();
            assert!(matches!(error, BadUrl::Unreadable(..)) && !error.to_string().contains("u:p"), "{text}: {error}");
        }
    }

    #[test]
    fn loopback_and_private_hosts_are_known_in_every_spelling() {
        for (text, loopback, private) in [
            ("localhost", true, true),
            ("LOCALHOST.", true, true),
            ("127.9.9.9:1", true, true),
            ("[::1]", true, true),
            ("[::ffff:127.0.0.1]", true, true),
            ("127.0.0.1:65535", true, true),
            ("[::ffff:192.168.1.5]:1", false, true),
            ("192.168.1.5", false, true),
            ("[fd00::1]", false, true),
            ("nas", false, true),
            ("box.local", false, true),
            ("api.example.com", false, false),
            ("8.8.8.8", false, false),
        ] {
            let base = BaseUrl::parse(text).unwrap();
            assert_eq!((base.is_loopback(), base.is_private()), (loopback, private), "{text}");
        }
    }

    #[test]
    fn the_origin_leaves_out_the_standard_port() {
        let base = BaseUrl::parse("https://H.example:443/x/v1").unwrap();

        assert_eq!((base.origin(), base.host(), base.port()), ("https://h.example", "h.example", 443));
        assert_eq!(base.as_str(), "https://h.example/x");
    }
}
