//! `benchloop serve`: the web pages on this machine, with the demo server offered as a model source. A build without pages
//! says so.

use std::net::SocketAddr;

#[cfg(not(feature = "ssr"))]
use super::Failure;
#[cfg(feature = "ssr")]
pub use pages::run;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to listen; an address other than loopback needs a token
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8877")]
    addr: SocketAddr,
    /// The token that visitors of a non-loopback address must give; made and printed if absent
    #[arg(long, env = "BENCHLOOP_TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// A further host name under which the pages may be opened
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Don't offer the demo server
    #[arg(long)]
    no_demo: bool,
}

#[cfg(not(feature = "ssr"))]
pub async fn run(args: Args) -> Result<u8, Failure> {
    Err(Failure::failed(format!("serve on {}: this build has no pages; build it with --features ssr", args.addr)))
}

#[cfg(feature = "ssr")]
mod pages {
    use std::{net::SocketAddr, sync::Arc};

    use tracing::{info, warn};

    use super::{
        super::{DONE, Failure, open, say},
        Args,
    };
    use crate::{
        engine::{Engine, client::BaseUrl},
        server::{
            self,
            guard::Guard,
            script::{ScriptedServer, demo},
        },
    };

    /// Where the demo server listens beside the pages.
    const DEMO_PORT: u16 = 8879;

    async fn start_demo(engine: &Engine) -> Option<ScriptedServer> {
        let suites = Arc::new(engine.suites().clone());
        // the usual port, so that an old run's address is still the demo's; any other if it is taken
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let server = match demo::start(at(DEMO_PORT), suites.clone()).await {
            Ok(server) => Ok(server),
            Err(_) => demo::start(at(0), suites).await,
        };
        let server = server.inspect_err(|error| warn!(%error, "demo server not started")).ok()?;
        engine.offer_demo(BaseUrl::parse(&server.url()).ok()?);
        Some(server)
    }

    /// The first of Ctrl-C and a polite end from the system.
    async fn asked_to_end() {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            if let Ok(mut terminate) = signal(SignalKind::terminate()) {
                tokio::select! {
                    _ = tokio::signal::ctrl_c() => {}
                    _ = terminate.recv() => {}
                }
                return;
            }
        }
        _ = tokio::signal::ctrl_c().await;
    }

    pub async fn run(args: Args) -> Result<u8, Failure> {
        let engine = open()?;
        let given = args.token.map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
        if given.as_ref().is_some_and(|token| !token.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
        {
            return Err(Failure::usage(
                "--token: use letters, digits, - and _ only; it travels in addresses and cookies",
            ));
        }
        let token = match (args.addr.ip().is_loopback(), given) {
            (true, token) => token,
            (false, Some(token)) => Some(token),
            (false, None) => {
                let made = crate::engine::secret();
                Some(made.ok_or_else(|| {
                    Failure::failed("make a token: the system gave no randomness; give one with --token")
                })?)
            }
        };
        let listener = tokio::net::TcpListener::bind(args.addr).await.map_err(|error| {
            Failure::failed(format!("listen on {}: {error}; choose another with --addr HOST:PORT", args.addr))
        })?;
        let address = listener.local_addr().map_err(|error| Failure::failed(format!("read the address: {error}")))?;
        let _demo = if args.no_demo { None } else { start_demo(&engine).await };
        let shutdown = engine.shutdown_token();
        let guard = Guard::listening(address, args.allow_host, token.clone());
        let router = server::app(&engine, server::api::router(&engine), guard);
        match token {
            Some(token) if !address.ip().is_loopback() => {
                say(format_args!("BenchLoop on http://{address}/?token={token}"))
            }
            _ => say(format_args!("BenchLoop on http://{address}")),
        }
        info!(home = %engine.home().display(), "serving; stop with Ctrl-C");
        let ending = async move {
            asked_to_end().await;
            shutdown.cancel();
        };
        axum::serve(listener, router)
            .with_graceful_shutdown(ending)
            .await
            .map_err(|error| Failure::failed(format!("serve: {error}")))?;
        if engine.is_busy() {
            warn!("a run was on its way; it is kept as interrupted");
        }
        Ok(DONE)
    }
}
