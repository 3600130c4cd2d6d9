pub mod client;
pub mod clock;
pub mod http;
