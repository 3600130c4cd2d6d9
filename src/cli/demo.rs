//! `benchloop demo`: the scripted server alone, for trying BenchLoop without a model.

use std::{net::SocketAddr, sync::Arc};

use super::{DONE, Failure, open, say};
use crate::server::script::demo;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to listen
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8878")]
    addr: SocketAddr,
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let engine = open()?;
    let server = demo::start(args.addr, Arc::new(engine.suites().clone()))
        .await
        .map_err(|error| Failure::failed(format!("listen on {}: {error}; choose another with --addr", args.addr)))?;
    say(format_args!("demo server on {}, models:", server.url()));
    for model in demo::MODELS {
        say(format_args!("  {:<14} {}", model.name, model.about));
    }
    say("stop it with Ctrl-C");
    _ = tokio::signal::ctrl_c().await;
    Ok(DONE)
}
