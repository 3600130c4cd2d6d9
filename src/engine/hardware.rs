//! Reads this machine: processor, memory, graphics, load, disks. What is read wrongly can be corrected with
//! `BENCHLOOP_CPU`, `BENCHLOOP_GPU`, `BENCHLOOP_GPU_MEMORY_GB`, `BENCHLOOP_SYSTEM_MEMORY_GB` and
//! `BENCHLOOP_HARDWARE_LABEL`; the record says which of them were used. Imports: domain, sysinfo.

use std::{env, path::PathBuf};

use sysinfo::{Disks, Gpus, System};

use super::Engine;
use crate::domain::machine::{Disk, Gpu, Machine};

/// Reads everything once; takes some milliseconds, so call it off the async threads.
pub fn read() -> Machine {
    let mut machine = Machine {
        cores: System::physical_core_count().ok().map(|n| n as u32),
        gpus: gpus(),
        os: System::long_os_version().or_else(|_| System::name()).unwrap_or_default(),
        arch: System::cpu_arch(),
        // Windows has no load average
        load: System::load_average().ok().map(|load| load.one).filter(|_| !cfg!(windows)),
        ..Machine::default()
    };
    if let Ok(mut system) = System::new() {
        system.refresh_memory();
        system.refresh_cpu_all();
        machine.cpu = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).unwrap_or_default();
        machine.threads = Some(system.cpus().len() as u32).filter(|n| *n > 0);
        machine.memory_bytes = Some(system.total_memory()).filter(|n| *n > 0);
        machine.memory_free_bytes = Some(system.available_memory()).filter(|n| *n > 0);
    }
    machine.disks = disks();
    let user = env::home_dir();
    machine.disk_free_bytes = user
        .and_then(|home| holding(&Disks::new_with_refreshed_list().ok()?, home, "home"))
        .map(|disk| disk.free_bytes);
    correct(&mut machine, |name| env::var(name).ok());
    machine
}

/// What the user corrected.
fn correct(machine: &mut Machine, given: impl Fn(&str) -> Option<String>) {
    let text = |name: &str| given(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let bytes = |name: &str| {
        let gigabytes = text(name)?.parse::<f64>().ok().filter(|gb| gb.is_finite() && (0.1..1e6).contains(gb))?;
        Some((gigabytes * 1e9) as u64)
    };
    let mut corrected = Vec::new();
    if let Some(cpu) = text("BENCHLOOP_CPU") {
        machine.cpu = cpu;
        corrected.push("BENCHLOOP_CPU");
    }
    if let Some(name) = text("BENCHLOOP_GPU") {
        let memory_bytes = machine.gpus.first().and_then(|gpu| gpu.memory_bytes);
        machine.gpus = vec![Gpu { name, memory_bytes, ..Gpu::default() }];
        corrected.push("BENCHLOOP_GPU");
    }
    if let Some(memory) = bytes("BENCHLOOP_GPU_MEMORY_GB")
        && let Some(gpu) = machine.gpus.first_mut()
    {
        gpu.memory_bytes = Some(memory);
        corrected.push("BENCHLOOP_GPU_MEMORY_GB");
    }
    if let Some(memory) = bytes("BENCHLOOP_SYSTEM_MEMORY_GB") {
        machine.memory_bytes = Some(memory);
        corrected.push("BENCHLOOP_SYSTEM_MEMORY_GB");
    }
    if let Some(label) = text("BENCHLOOP_HARDWARE_LABEL") {
        machine.named = Some(label);
        corrected.push("BENCHLOOP_HARDWARE_LABEL");
    }
    machine.corrected = corrected.into_iter().map(str::to_owned).collect();
}

fn gpus() -> Vec<Gpu> {
    let found = Gpus::new_with_refreshed_list().ok();
    let read = found.iter().flat_map(|gpus| gpus.iter()).map(|gpu| Gpu {
        name: gpu.model().or(gpu.vendor()).unwrap_or_default().trim().to_owned(),
        memory_bytes: gpu.total_memory().filter(|bytes| *bytes > 0),
        memory_used_bytes: gpu.total_memory().filter(|bytes| *bytes > 0).and_then(|_| gpu.used_memory()),
    });
    read.filter(|gpu| !gpu.name.is_empty()).collect()
}

/// Folders that fill disks: the runs and, where they are, the models of common servers.
fn folders() -> Vec<(&'static str, PathBuf)> {
    let named = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let below = |path: &str| env::home_dir().map(|home| home.join(path));
    let hub = || named("HF_HOME").map(|home| home.join("hub")).or_else(|| below(".cache/huggingface/hub"));
    let all = [
        ("runs", Engine::home_folder().ok()),
        ("Ollama models", named("OLLAMA_MODELS").or_else(|| below(".ollama/models"))),
        ("LM Studio models", below(".lmstudio/models")),
        ("Hugging Face cache", hub()),
        ("llama.cpp cache", named("LLAMA_CACHE").or_else(|| below(".cache/llama.cpp"))),
    ];
    all.into_iter().filter_map(|(what, path)| Some((what, path?))).collect()
}

fn disks() -> Vec<Disk> {
    let Ok(disks) = Disks::new_with_refreshed_list() else { return Vec::new() };
    // the folder of runs may not be there yet; its disk is
    let known = folders().into_iter().filter(|(what, path)| *what == "runs" || path.is_dir());
    known.filter_map(|(what, path)| holding(&disks, path, what)).collect()
}

/// The disk that holds a folder: the one mounted deepest above it.
fn holding(disks: &Disks, folder: PathBuf, what: &str) -> Option<Disk> {
    let folder = folder.canonicalize().unwrap_or(folder);
    let holding = disks.iter().filter(|disk| folder.starts_with(disk.mount_point()));
    let disk = holding.max_by_key(|disk| disk.mount_point().as_os_str().len())?;
    Some(Disk { what: what.to_owned(), total_bytes: disk.total_space(), free_bytes: disk.available_space() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_a_processor_and_memory() {
        let machine = read();
        assert!(machine.threads.is_some_and(|n| n > 0));
        assert!(machine.memory_bytes.is_some_and(|n| n > 0));
        assert!(machine.memory_used_bytes().is_none_or(|used| used <= machine.memory_bytes.unwrap()));
        assert!(machine.disks.iter().all(|disk| disk.free_bytes <= disk.total_bytes));
    }

    #[test]
    fn what_was_read_wrongly_can_be_corrected_and_the_record_says_so() {
        let mut machine = Machine { cpu: "?".into(), ..Machine::default() };
        correct(&mut machine, |name| match name {
            "BENCHLOOP_GPU" => Some("GB10".into()),
            "BENCHLOOP_GPU_MEMORY_GB" => Some("128".into()),
            "BENCHLOOP_SYSTEM_MEMORY_GB" => Some("-4".into()),
            "BENCHLOOP_CPU" => Some("  ".into()),
            _ => None,
        });
        assert_eq!(machine.label(), "GB10 128.0 GB");
        assert_eq!((machine.cpu.as_str(), machine.memory_bytes), ("?", None), "nonsense corrects nothing");
        assert_eq!(machine.corrected, ["BENCHLOOP_GPU", "BENCHLOOP_GPU_MEMORY_GB"]);
    }
}
