pub mod check;
pub mod harness;
pub mod suite;
