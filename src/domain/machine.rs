//! The computer that ran the client, and what of it was read.

use serde::{Deserialize, Serialize};

/// One graphics processor.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Gpu {
    pub name: String,
    /// Bytes; `None` where the driver does not tell (unified memory, for example).
    pub memory_bytes: Option<u64>,
    /// Bytes in use when it was read.
    #[serde(default)]
    pub memory_used_bytes: Option<u64>,
}

/// The disk that holds a folder; the folder's path stays on this machine.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Disk {
    /// Whose folder: `runs`, `Ollama models` …
    pub what: String,
    pub total_bytes: u64,
    pub free_bytes: u64,
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
    /// Of the disk with the user's home folder.
    #[serde(default)]
    pub disk_free_bytes: Option<u64>,
    #[serde(default)]
    pub disks: Vec<Disk>,
    /// The user's own words for it, in place of the label.
    #[serde(default)]
    pub named: Option<String>,
    /// Environment variables that replaced what was read.
    #[serde(default)]
    pub corrected: Vec<String>,
}

impl Machine {
    /// Bytes of main memory in use when it was read.
    pub fn memory_used_bytes(&self) -> Option<u64> {
        Some(self.memory_bytes?.saturating_sub(self.memory_free_bytes?))
    }

    /// Whether graphics and main memory are one, as on Apple's own processors.
    pub fn is_apple_silicon(&self) -> bool {
        self.cpu.starts_with("Apple M")
    }

    /// The user's own words, else `RTX 4090 24.0 GB` or the processor's name.
    pub fn label(&self) -> String {
        if let Some(named) = &self.named {
            return named.clone();
        }
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
