//! The engine: runs, clients, harnesses, checks and the store, behind one cheap-to-clone facade.
//!
//! Pages, the CLI and the HTTP surface call [`Engine`] and nothing below it. Imports: domain, tokio, reqwest, sysinfo,
//! toml, sha2, rust-embed, wasmtime; never axum, leptos, `server` or `web`.

mod answered;
pub mod chat;
pub mod check;
pub mod client;
pub mod clock;
pub mod discover;
pub mod endpoints;
mod facade;
pub mod fingerprint;
pub mod grade;
pub mod hardware;
pub mod harness;
pub mod http;
pub mod hub;
pub mod identify;
pub mod inquire;
pub mod journal;
pub mod probe;
pub mod pull;
mod pulse;
pub mod python;
pub mod queue;
pub mod run;
pub mod selftest;
pub mod sim;
pub mod store;
pub mod suite;
mod turns;

pub use facade::{Engine, EngineError, EngineErrorKind};
pub use journal::Live;

/// Letters and digits without look-alikes.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// `n` random characters from the system's generator. Where that fails, the clock stands in: names stay distinct, and
/// nothing secret is made from it without [`secret`].
pub fn random_text(n: usize) -> String {
    let mut bytes = vec![0_u8; n];
    if getrandom::fill(&mut bytes).is_err() {
        let mut seed = clock::utc().timestamp_nanos_opt().unwrap_or_default().unsigned_abs();
        for byte in &mut bytes {
            *byte = (seed % 251) as u8;
            seed = seed.rotate_right(7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A secret of 160 random bits; `None` where the system has no randomness to give.
pub fn secret() -> Option<String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}

/// What makes a timed prompt unlike any before it, so that no prefix cache can answer for the model.
pub fn nonce() -> String {
    random_text(12)
}
