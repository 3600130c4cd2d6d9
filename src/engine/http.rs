//! The one place that builds HTTP clients. None of them follows a redirect (a key must not travel to another origin) or
//! keeps idle connections, and no proxy stands between this program and a loopback or private host.
//! Imports: reqwest, rustls.

use std::{env, sync::OnceLock, time::Duration};

use reqwest::{Client, ClientBuilder, NoProxy, Proxy, redirect};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::ConfigVerifierExt as _;

/// A client that could not be built.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("read the system's certificates: {0}; are the CA certificates installed?")]
    Certificates(rustls::Error),
    #[error("build the HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// Installs the cryptography for TLS; any number of calls.
pub fn install_tls() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        // an error says that one is installed already, which is as good
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// A client for short questions, each answered within `limit` or not at all. `direct` keeps every proxy out, as the
/// environment's exclusions do for private addresses but not for private names.
pub fn client(limit: Duration, direct: bool) -> Result<Client, HttpError> {
    let builder = builder(true)?.timeout(limit);
    Ok(if direct { builder.no_proxy() } else { builder }.build()?)
}

/// The common settings; `tls` is false where only plain HTTP will be spoken, which spares reading certificates.
pub(crate) fn builder(tls: bool) -> Result<ClientBuilder, HttpError> {
    let config = if tls { with_certificates()? } else { without_certificates() };
    Ok(plain(config))
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that builds HTTP clients")]
fn plain(config: ClientConfig) -> ClientBuilder {
    let builder = Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .pool_max_idle_per_host(0)
        .tcp_nodelay(true)
        .user_agent(concat!("benchloop/", env!("CARGO_PKG_VERSION")))
        .no_proxy();
    proxies().into_iter().fold(builder, ClientBuilder::proxy)
}

/// The system's certificates, read once.
fn with_certificates() -> Result<ClientConfig, HttpError> {
    static CONFIG: OnceLock<ClientConfig> = OnceLock::new();
    if let Some(config) = CONFIG.get() {
        return Ok(config.clone());
    }
    install_tls();
    let config = ClientConfig::with_platform_verifier().map_err(HttpError::Certificates)?;
    Ok(CONFIG.get_or_init(|| config).clone())
}

fn without_certificates() -> ClientConfig {
    static CONFIG: OnceLock<ClientConfig> = OnceLock::new();
    install_tls();
    let config = || ClientConfig::builder().with_root_certificates(RootCertStore::empty()).with_no_client_auth();
    CONFIG.get_or_init(config).clone()
}

/// Hosts that no proxy may be asked for.
const DIRECT: &str = "localhost,.localhost,.local,.lan,.internal,.home.arpa,127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,\
                      192.168.0.0/16,::1,fc00::/7";

/// The proxies that the environment names, except for loopback, private and excluded hosts.
fn proxies() -> Vec<Proxy> {
    let value = |names: &[&str]| names.iter().find_map(|name| env::var(name).ok()).filter(|text| !text.is_empty());
    let excluded = value(&["NO_PROXY", "no_proxy"]).unwrap_or_default();
    let direct = NoProxy::from_string(&format!("{DIRECT},{excluded}"));
    let http = value(&["http_proxy", "HTTP_PROXY"]).map(Proxy::http);
    let https = value(&["HTTPS_PROXY", "https_proxy"]).map(Proxy::https);
    let all = value(&["ALL_PROXY", "all_proxy"]).map(Proxy::all);
    // an unreadable proxy address is left out, as other programs do
    [http, https, all].into_iter().flatten().flatten().map(|proxy| proxy.no_proxy(direct.clone())).collect()
}
