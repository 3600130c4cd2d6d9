//! Local stand-in: serves the pages.

use std::net::SocketAddr;

use benchloop::{
    engine::Engine,
    server::{self, guard::Guard},
};

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let home = std::env::var("BENCHLOOP_HOME").unwrap_or_else(|_| ".".to_owned());
    let address = std::env::args().nth(3).unwrap_or_else(|| "127.0.0.1:8877".to_owned());
    let listener = tokio::net::TcpListener::bind(address.parse::<SocketAddr>().map_err(std::io::Error::other)?).await?;
    axum::serve(listener, server::app(&Engine::at(home), axum::Router::new(), Guard::default())).await
}
