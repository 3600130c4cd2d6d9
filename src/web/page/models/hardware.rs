//! This machine in one line.

use leptos::prelude::*;

use crate::domain::{machine::Machine, unit};

/// The facts that were read, in words.
fn facts(machine: &Machine) -> Vec<String> {
    let mut facts = Vec::new();
    for gpu in &machine.gpus {
        let memory = gpu.memory_bytes.map(|bytes| format!(", {}", unit::gb(bytes))).unwrap_or_default();
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
    if let Some(free) = machine.disk_free_bytes {
        facts.push(format!("{} disk free", unit::gb(free)));
    }
    let system = format!("{} {}", machine.os, machine.arch);
    if !system.trim().is_empty() {
        facts.push(system.trim().to_owned());
    }
    facts
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
}
