//! The one place that builds HTTP clients. None of them follows a redirect (a key must not travel to another origin) or
//! keeps idle connections, and no proxy stands between this program and a loopback or private host. Names are looked up
//! here, so that none can lead to an address that would be refused. Imports: client::address, reqwest, rustls.

use std::{
    env,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{
    Client, ClientBuilder, NoProxy, Proxy,
    dns::{Addrs, Name, Resolve, Resolving},
    redirect,
};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::ConfigVerifierExt as _;

use super::client::address;

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
        .dns_resolver(Arc::new(Resolver))
        .user_agent(concat!("benchloop/", env!("CARGO_PKG_VERSION")))
        .no_proxy();
    proxies().into_iter().fold(builder, ClientBuilder::proxy)
}

/// How the refusal of a name begins.
pub const REFUSED: &str = "the name leads to";

/// A name that leads to an address where no model server is asked.
#[derive(Debug, thiserror::Error)]
#[error("{REFUSED} {address}: {why}")]
struct RefusedName {
    address: IpAddr,
    why: &'static str,
}

/// Looks names up as the system does, except that this machine's own names need no looking up, and that one refused
/// address refuses the name.
struct Resolver;

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            if is_this_machine(&name) {
                // most model servers listen on IPv4 alone
                let both = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
                return Ok(Box::new(both.into_iter().map(|ip| SocketAddr::new(ip, 0))) as Addrs);
            }
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(allowed(found)?.into_iter()) as Addrs)
        })
    }
}

fn is_this_machine(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost" || name.ends_with(".localhost")
}

/// The addresses of a name, unless one of them must not be asked.
fn allowed(addresses: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, RefusedName> {
    let refused = addresses.iter().find_map(|found| address::refused(found.ip()).map(|why| (found.ip(), why)));
    match refused {
        Some((address, why)) => Err(RefusedName { address, why }),
        None => Ok(addresses),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_one_refused_address_is_refused_whole() {
        let at = |text: &str| SocketAddr::new(text.parse().unwrap(), 0);
        assert_eq!(allowed(vec![at("8.8.8.8"), at("::1")]).unwrap().len(), 2);
        for refused in ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "::ffff:169.254.169.254"] {
            let error = allowed(vec![at("8.8.8.8"), at(refused)]).unwrap_err().to_string();
            assert!(error.starts_with(REFUSED), "{error}");
        }
    }

    #[tokio::test]
    async fn this_machines_names_try_ipv4_first_and_ipv6_too() {
        for name in ["localhost", "LOCALHOST.", "a.localhost"] {
            let found: Vec<String> =
                Resolver.resolve(name.parse().unwrap()).await.unwrap().map(|at| at.ip().to_string()).collect();
            assert_eq!(found, ["127.0.0.1", "::1"], "{name}");
        }
    }
}
