//! This machine in one line.

use leptos::prelude::*;

use crate::domain::{machine::Machine, unit};

/// The facts that were read, in words.
fn facts(machine: &Machine) -> Vec<String> {
    let mut facts = Vec::new();
    for gpu in &machine.gpus {
        let free = gpu.memory_bytes.zip(gpu.memory_used_bytes).map(|(all, used)| all.saturating_sub(used));
        let free = free.map(|free| format!(", {} free", unit::gb(free))).unwrap_or_default();
        let memory = gpu.memory_bytes.map(|bytes| format!(", {}{free}", unit::gb(bytes))).unwrap_or_default();
        facts.push(format!("{}{memory}", gpu.name));
    }
    if machine.gpus.is_empty() {
        facts.push("no GPU seen".to_owned());
    }
    if !machine.cpu.is_empty() {
        let cores = machine.cores.map(|cores| format!(", {cores} cores")).unwrap_or_default();
        facts.push(format!("{}{cores}", machine.cpu));
    }
    if let Some(memory) = machine.memory_bytes {
        let free = machine.memory_free_bytes.map(|free| format!(", {} free", unit::gb(free))).unwrap_or_default();
        facts.push(format!("{} memory{free}", unit::gb(memory)));
    }
    facts.extend(disks(machine));
    let system = format!("{} {}", machine.os, machine.arch);
    if !system.trim().is_empty() {
        facts.push(system.trim().to_owned());
    }
    facts
}

/// Free room, disk by disk; folders on one disk stand together.
fn disks(machine: &Machine) -> Vec<String> {
    let mut found: Vec<(u64, Vec<&str>)> = Vec::new();
    for disk in &machine.disks {
        match found.iter_mut().find(|(free, _)| *free == disk.free_bytes) {
            Some((_, folders)) => folders.push(&disk.what),
            None => found.push((disk.free_bytes, vec![&disk.what])),
        }
    }
    if found.len() < 2 {
        let free = found.first().map(|(free, _)| *free).or(machine.disk_free_bytes);
        return free.map(|free| format!("{} disk free", unit::gb(free))).into_iter().collect();
    }
    found.into_iter().map(|(free, folders)| format!("{} free for {}", unit::gb(free), folders.join(", "))).collect()
}

/// The strip below the page's title.
pub fn strip(machine: &Machine) -> AnyView {
    view! { <p class="meta">{facts(machine).into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view()}</p> }
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_left_out_and_a_missing_gpu_is_said() {
        let machine = Machine { cpu: "Ryzen 9".into(), memory_bytes: Some(64_000_000_000), ..Machine::default() };
        assert_eq!(facts(&machine), ["no GPU seen", "Ryzen 9", "64.0 GB memory"]);
    }

    #[test]
    fn folders_on_one_disk_are_one_fact() {
        use crate::domain::machine::Disk;
        let disk = |what: &str, free: u64| Disk { what: what.into(), total_bytes: 9_000_000_000, free_bytes: free };
        let mut machine = Machine {
            disks: vec![disk("runs", 5_000_000_000), disk("Ollama models", 5_000_000_000)],
            ..Machine::default()
        };
        assert_eq!(disks(&machine), ["5.0 GB disk free"]);
        machine.disks.push(disk("Hugging Face cache", 1_000_000_000));
        assert_eq!(disks(&machine), ["5.0 GB free for runs, Ollama models", "1.0 GB free for Hugging Face cache"]);
    }
}
