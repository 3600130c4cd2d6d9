//! Reads this machine: processor, memory, graphics, load. Imports: domain, sysinfo.

use sysinfo::{Disks, Gpus, System};

use crate::domain::machine::{Gpu, Machine};

/// Reads everything once; takes some milliseconds, so call it off the async threads.
pub fn read() -> Machine {
    let mut machine = Machine {
        cores: System::physical_core_count().ok().map(|n| n as u32),
        gpus: gpus(),
        os: System::long_os_version().or_else(|_| System::name()).unwrap_or_default(),
        arch: System::cpu_arch(),
        // Windows has no load average
        load: System::load_average().ok().map(|load| load.one).filter(|_| !cfg!(windows)),
        disk_free_bytes: home_disk_free(),
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
    machine
}

fn gpus() -> Vec<Gpu> {
    let found = Gpus::new_with_refreshed_list().ok();
    let read = found.iter().flat_map(|gpus| gpus.iter()).map(|gpu| Gpu {
        name: gpu.model().or(gpu.vendor()).unwrap_or_default().trim().to_owned(),
        memory_bytes: gpu.total_memory().filter(|bytes| *bytes > 0),
    });
    read.filter(|gpu| !gpu.name.is_empty()).collect()
}

fn home_disk_free() -> Option<u64> {
    let home = std::env::home_dir()?;
    let disks = Disks::new_with_refreshed_list().ok()?;
    let holding = disks.iter().filter(|disk| home.starts_with(disk.mount_point()));
    holding.max_by_key(|disk| disk.mount_point().as_os_str().len()).map(|disk| disk.available_space())
}

#[cfg(test)]
mod tests {
    #[test]
    fn this_machine_has_a_processor_and_memory() {
        let machine = super::read();
        assert!(machine.threads.is_some_and(|n| n > 0));
        assert!(machine.memory_bytes.is_some_and(|n| n > 0));
    }
}
