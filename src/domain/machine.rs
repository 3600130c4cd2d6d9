//! The computer that ran the client, and what of it was read.

use serde::{Deserialize, Serialize};

/// One graphics processor.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Gpu {
    pub name: String,
    /// Bytes; `None` where the driver does not tell (unified memory, for example).
    pub memory_bytes: Option<u64>,
}

/// This machine, read once per run. Only the client's machine: a model server elsewhere has another.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: Option<u32>,
    pub threads: Option<u32>,
    pub memory_bytes: Option<u64>,
    pub memory_free_bytes: Option<u64>,
    pub gpus: Vec<Gpu>,
    pub os: String,
    pub arch: String,
    /// One-minute load average at the start, where the system has one.
    pub load: Option<f64>,
    #[serde(default)]
    pub disk_free_bytes: Option<u64>,
}

impl Machine {
    /// `RTX 4090 24.0 GB` or the processor's name.
    pub fn label(&self) -> String {
        match self.gpus.first() {
            Some(gpu) => match gpu.memory_bytes {
                Some(bytes) => format!("{} {}", gpu.name, super::unit::gb(bytes)),
                None => gpu.name.clone(),
            },
            None if self.cpu.is_empty() => "machine not read".to_owned(),
            None => self.cpu.clone(),
        }
    }
}
