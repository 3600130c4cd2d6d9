//! Worlds: small states that tools read and change.
//!
//! Imports: domain, serde_json.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::transcript::Tool;

/// How a world begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldStart {
    pub state: Value,
}

/// A world on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    pub state: Value,
}

impl WorldStart {
    pub fn begin(&self) -> World {
        World { state: self.state.clone() }
    }

    pub fn validate(&self, _tools: &[Tool]) -> Result<(), (String, String)> {
        Ok(())
    }
}

impl World {
    pub fn call(&mut self, tool: &str, _arguments: &Value) -> String {
        super::error(&format!("{tool} does nothing here"))
    }
}
