//! Reads this machine: processor, memory, graphics, load. Imports: domain, sysinfo.

use sysinfo::{Disks, Gpus, System};

use crate::domain::machine::{Gpu, Machine};

/// Reads everything once; takes some milliseconds, so call it off the async threads.
pub fn read() -> Machine {
    let mut system = System::new();
    system.refresh_memory();
    system.refresh_cpu_all();
    let cpu = system.cpus().first().map(|cpu| cpu.brand().trim().to_owned()).unwrap_or_default();
    let gpus = Gpus::new_with_refreshed_list().ok();
    let gpus = gpus.iter().flat_map(|gpus| gpus.iter()).map(|gpu| Gpu {
        name: gpu.model().or(gpu.vendor()).unwrap_or_default().trim().to_owned(),
        memory_bytes: gpu.total_memory().filter(|bytes| *bytes > 0),
    });
    let load = System::load_average().one;
    Machine {
        cpu,
        cores: System::physical_core_count().map(|n| n as u32),
        threads: Some(system.cpus().len() as u32).filter(|n| *n > 0),
        memory_bytes: Some(system.total_memory()).filter(|n| *n > 0),
        memory_free_bytes: Some(system.available_memory()).filter(|n| *n > 0),
        gpus: gpus.filter(|gpu| !gpu.name.is_empty()).collect(),
        os: System::long_os_version().or_else(System::name).unwrap_or_default(),
        arch: System::cpu_arch(),
        // Windows has no load average and answers 0
        load: Some(load).filter(|load| *load > 0.0 || !cfg!(windows)),
        disk_free_bytes: home_disk_free(),
    }
}

fn home_disk_free() -> Option<u64> {
    let home = std::env::home_dir()?;
    let disks = Disks::new_with_refreshed_list();
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
