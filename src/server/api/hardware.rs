//! `GET /api/hardware`: the machine that runs BenchLoop. What was not read is null, and 0 where old clients add it up.

use axum::{Json, Router, extract::State, routing::get};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::gb;
use crate::{domain::machine::Machine, engine::Engine};

pub fn router(engine: Engine) -> Router {
    Router::new().route("/api/hardware", get(hardware)).with_state(engine)
}

async fn hardware(State(engine): State<Engine>) -> Json<Value> {
    Json(shape(&engine.machine().await))
}

/// A name for the machine made of what can be read off its label, not of an address or serial number.
fn machine_id(machine: &Machine) -> String {
    let gpus: Vec<&str> = machine.gpus.iter().map(|gpu| gpu.name.as_str()).collect();
    let text = format!("{}|{}|{:?}|{}", machine.cpu, machine.arch, machine.memory_bytes, gpus.join("|"));
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What graphics work goes through, by the processor's maker.
fn backend(machine: &Machine) -> &'static str {
    let name = machine.gpus.first().map(|gpu| gpu.name.to_lowercase()).unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if machine.is_apple_silicon() {
        "metal"
    } else if has(&["nvidia", "geforce", "rtx", "gtx", "quadro", "tesla", "gb10"]) {
        "cuda"
    } else if has(&["amd", "radeon", "instinct"]) {
        "rocm"
    } else if has(&["intel", "arc"]) {
        "xpu"
    } else {
        "cpu"
    }
}

fn shape(machine: &Machine) -> Value {
    let mb = |bytes: u64| bytes / 1_000_000;
    let vram: u64 = machine.gpus.iter().filter_map(|gpu| gpu.memory_bytes).sum();
    let gpu = |gpu: &crate::domain::machine::Gpu| {
        json!({"model": gpu.name, "vendor": "", "vram_total_mb": gpu.memory_bytes.map(mb),
               "vram_used_mb": gpu.memory_used_bytes.map(mb)})
    };
    let disk = machine.disks.iter().find(|disk| disk.what == "runs");
    json!({
        "machine_id": machine_id(machine),
        "os": machine.os,
        "os_name": machine.os,
        "platform": format!("{} {}", machine.os, machine.arch).trim(),
        "architecture": machine.arch,
        "cpu": machine.cpu,
        "cpu_model": machine.cpu,
        "cpu_logical_cores": machine.threads,
        "cpu_physical_cores": machine.cores,
        "system_memory_gb": machine.memory_bytes.map(gb),
        "memory_total_mb": machine.memory_bytes.map(mb),
        "memory_used_mb": machine.memory_used_bytes().map(mb),
        "backend": backend(machine),
        "endpoint": null,
        "is_remote": false,
        "gpu": machine.gpus.first().map_or_else(|| json!({"model": "", "vendor": "", "vram_total_mb": null}), gpu),
        "gpu_memory_gb": (vram > 0).then(|| gb(vram)),
        "gpu_temperature_c": null,
        "gpu_details": machine.gpus.iter().map(gpu).collect::<Vec<_>>(),
        "disk_total_gb": disk.map(|disk| gb(disk.total_bytes)),
        "disk_free_gb": machine.disk_free_bytes.or(disk.map(|disk| disk.free_bytes)).map(gb),
        "disks": machine.disks.iter().map(|disk| json!({"what": disk.what, "total_gb": gb(disk.total_bytes), "free_gb": gb(disk.free_bytes)})).collect::<Vec<_>>(),
        "label": machine.label(),
        "corrected": machine.corrected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::machine::Gpu;

    #[test]
    fn every_old_key_is_there_and_what_was_not_read_is_null() {
        let bare = shape(&Machine::default());
        for key in [
            "machine_id",
            "os",
            "platform",
            "architecture",
            "cpu",
            "cpu_logical_cores",
            "cpu_physical_cores",
            "system_memory_gb",
            "backend",
            "endpoint",
            "is_remote",
            "gpu",
            "gpu_memory_gb",
            "gpu_temperature_c",
            "gpu_details",
            "cpu_model",
            "memory_total_mb",
            "disk_total_gb",
            "disk_free_gb",
        ] {
            assert!(bare.get(key).is_some(), "{key}");
        }
        assert_eq!((&bare["system_memory_gb"], &bare["gpu"]["vram_total_mb"]), (&Value::Null, &Value::Null));
        let gpu = Gpu { name: "NVIDIA GeForce RTX 4090".into(), memory_bytes: Some(24_000_000_000), ..Gpu::default() };
        let shape = shape(&Machine { gpus: vec![gpu], memory_bytes: Some(64_000_000_000), ..Machine::default() });
        assert_eq!((&shape["backend"], &shape["gpu"]["vram_total_mb"]), (&json!("cuda"), &json!(24000)));
        assert_eq!((&shape["system_memory_gb"], &shape["gpu_memory_gb"]), (&json!(64.0), &json!(24.0)));
    }
}
