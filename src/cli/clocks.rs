//! The four clocks as command-line options, shared by `run` and `ask`.

use clap::Args;

use super::Failure;
use crate::domain::plan::Clocks;

#[derive(Debug, Args)]
#[command(next_help_heading = "Clocks, in seconds")]
pub struct ClockArgs {
    /// Opening a connection
    #[arg(long, value_name = "S", default_value_t = Clocks::default().connect_s)]
    connect_timeout: f64,
    /// Until the first byte of the answer; covers loading and prefill
    #[arg(long, value_name = "S", default_value_t = Clocks::default().first_byte_s)]
    first_byte_timeout: f64,
    /// Between two events with content
    #[arg(long, value_name = "S", default_value_t = Clocks::default().idle_s)]
    idle_timeout: f64,
    /// The whole answer
    #[arg(long, value_name = "S", default_value_t = Clocks::default().sample_s)]
    sample_timeout: f64,
}

impl ClockArgs {
    pub fn clocks(&self) -> Result<Clocks, Failure> {
        let clocks = Clocks {
            connect_s: self.connect_timeout,
            first_byte_s: self.first_byte_timeout,
            idle_s: self.idle_timeout,
            sample_s: self.sample_timeout,
        };
        match clocks.unusable() {
            None => Ok(clocks),
            Some((field, value)) => {
                let option = field.replace('_', "-");
                Err(Failure::usage(format!("--{option}: {value} is no time from 0 to 86400 seconds")))
            }
        }
    }
}
