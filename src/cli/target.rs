//! The model that a command asks: where its server listens, its name, and how to speak to it.

use super::Failure;
use crate::domain::id::Wire;

#[derive(Debug, clap::Args)]
pub struct TargetArgs {
    /// Where the model server listens, for example http://127.0.0.1:11434
    #[arg(long, value_name = "URL")]
    pub endpoint: String,
    /// The model's name, as the server lists it
    #[arg(long, value_name = "NAME")]
    pub model: String,
    /// auto asks the server what it is
    #[arg(long, default_value = "auto", value_parser = ["auto", "ollama", "openai_compat"])]
    provider: String,
}

impl TargetArgs {
    /// The protocol that was named; `None` where the server is to be asked.
    pub fn wire(&self) -> Option<Wire> {
        self.provider.parse().ok()
    }

    /// Refuses a blank name.
    pub fn check(&self) -> Result<(), Failure> {
        if self.model.trim().is_empty() {
            return Err(Failure::usage("--model: name a model that the server offers"));
        }
        Ok(())
    }
}
