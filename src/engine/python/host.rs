//! The system that the interpreter sees: WASI with an input, an output, a clock and a generator of random bytes that
//! are the same in every run, and nothing else. No file, socket or process of this machine is reachable; every function
//! that is not named here answers "not permitted". Imports: wasmtime.

use wasmtime::{
    Caller, Error, Extern, ExternType, Linker, Module, ResourceLimiter, Result, Store, StoreLimits, StoreLimitsBuilder,
    Val,
};

use super::frame::Limits;

const WASI: &str = "wasi_snapshot_preview1";

type Errno = i32;
const SUCCESS: Errno = 0;
const BAD_DESCRIPTOR: Errno = 8;
const FAULT: Errno = 21;
const INVALID: Errno = 28;
const NOT_SEEKABLE: Errno = 70;
const NOT_CAPABLE: Errno = 76;

/// Where the clocks start: 2023-11-14 22:13:20 UTC, in nanoseconds.
const EPOCH: u64 = 1_700_000_000_000_000_000;
/// What passes with each look at a clock, so that waiting loops end.
const TICK: u64 = 1_000_000;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Bytes of the error stream that are kept.
const COMPLAINT: usize = 2000;
/// Fuel for each byte that the system writes or makes.
const FUEL_PER_BYTE: u64 = 4;
/// Buffers that one read or write may name.
const MOST_BUFFERS: u32 = 1024;
/// Elements of the table of functions.
const TABLE: usize = 100_000;

/// Ends an interpreter that asked for it.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Break {
    #[error("exit {0}")]
    Exit(i32),
    #[error("too much output")]
    TooMuchOutput,
}

/// The state of one interpreter's system.
pub struct Host {
    arguments: Vec<String>,
    input: Vec<u8>,
    read: usize,
    pub output: Vec<u8>,
    pub complaint: Vec<u8>,
    clock: u64,
    random: u64,
    limits: Limits,
    table: StoreLimits,
    pub memory_peak: usize,
    pub memory_refused: bool,
}

impl Host {
    pub fn new(arguments: Vec<String>, input: Vec<u8>, limits: Limits) -> Self {
        Self {
            arguments,
            input,
            read: 0,
            output: Vec::new(),
            complaint: Vec::new(),
            clock: EPOCH,
            random: SEED,
            limits,
            table: StoreLimitsBuilder::new().table_elements(TABLE).build(),
            memory_peak: 0,
            memory_refused: false,
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += TICK;
        self.clock
    }

    fn random(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            chunk.copy_from_slice(&self.random.wrapping_mul(SEED).to_le_bytes()[..chunk.len()]);
        }
    }
}

impl ResourceLimiter for Host {
    fn memory_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        if desired as u64 > self.limits.memory_bytes {
            self.memory_refused = true;
            return Ok(false);
        }
        self.memory_peak = self.memory_peak.max(desired);
        Ok(true)
    }

    fn table_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        self.table.table_growing(current, desired, maximum)
    }
}

/// The interpreter's memory, with checked access.
struct Memory<'a>(&'a mut [u8]);

impl Memory<'_> {
    fn bytes(&self, at: u32, length: u32) -> Option<&[u8]> {
        let at = at as usize;
        self.0.get(at..at.checked_add(length as usize)?)
    }

    fn bytes_mut(&mut self, at: u32, length: u32) -> Option<&mut [u8]> {
        let at = at as usize;
        self.0.get_mut(at..at.checked_add(length as usize)?)
    }

    fn u32(&self, at: u32) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(at, 4)?.try_into().ok()?))
    }

    fn u64(&self, at: u32) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(at, 8)?.try_into().ok()?))
    }

    fn put(&mut self, at: u32, bytes: &[u8]) -> Option<()> {
        self.bytes_mut(at, u32::try_from(bytes.len()).ok()?)?.copy_from_slice(bytes);
        Some(())
    }

    /// The buffers of a read or write: where each starts and how long it is.
    fn buffers(&self, list: u32, count: u32) -> Option<Vec<(u32, u32)>> {
        (0..count.min(MOST_BUFFERS))
            .map(|index| {
                let at = list.checked_add(index * 8)?;
                Some((self.u32(at)?, self.u32(at.checked_add(4)?)?))
            })
            .collect()
    }
}

/// Runs one function of the system; an address outside of the memory is a fault.
fn with(caller: &mut Caller<'_, Host>, act: impl FnOnce(&mut Memory, &mut Host) -> Option<Errno>) -> Errno {
    let Some(memory) = caller.get_export("memory").and_then(Extern::into_memory) else { return FAULT };
    let (bytes, host) = memory.data_and_store_mut(caller);
    act(&mut Memory(bytes), host).unwrap_or(FAULT)
}

/// Takes fuel for work that the system does: no call may be endless work for free.
fn charge(caller: &mut Caller<'_, Host>, bytes: u32) -> Result<()> {
    let left = caller.get_fuel()?;
    // at 0 the next instruction ends the program
    caller.set_fuel(left.saturating_sub(u64::from(bytes) * FUEL_PER_BYTE))
}

fn arguments(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(WASI, "args_sizes_get", |mut caller: Caller<'_, Host>, count: u32, size: u32| {
        with(&mut caller, |memory, host| {
            let bytes: usize = host.arguments.iter().map(|argument| argument.len() + 1).sum();
            memory.put(count, &(host.arguments.len() as u32).to_le_bytes())?;
            memory.put(size, &(bytes as u32).to_le_bytes())?;
            Some(SUCCESS)
        })
    })?;
    linker.func_wrap(WASI, "args_get", |mut caller: Caller<'_, Host>, list: u32, text: u32| {
        with(&mut caller, |memory, host| {
            let (mut list, mut text) = (list, text);
            for argument in &host.arguments {
                memory.put(list, &text.to_le_bytes())?;
                memory.put(text, argument.as_bytes())?;
                text = text.checked_add(argument.len() as u32)?;
                memory.put(text, &[0])?;
                (list, text) = (list.checked_add(4)?, text.checked_add(1)?);
            }
            Some(SUCCESS)
        })
    })?;
    linker.func_wrap(WASI, "environ_sizes_get", |mut caller: Caller<'_, Host>, count: u32, size: u32| {
        with(&mut caller, |memory, _| {
            memory.put(count, &[0; 4])?;
            memory.put(size, &[0; 4])?;
            Some(SUCCESS)
        })
    })?;
    linker.func_wrap(WASI, "environ_get", |_: u32, _: u32| SUCCESS)?;
    Ok(())
}

fn clocks(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(WASI, "clock_res_get", |mut caller: Caller<'_, Host>, _clock: u32, at: u32| {
        with(&mut caller, |memory, _| memory.put(at, &TICK.to_le_bytes()).map(|()| SUCCESS))
    })?;
    linker.func_wrap(WASI, "clock_time_get", |mut caller: Caller<'_, Host>, _clock: u32, _exact: u64, at: u32| {
        with(&mut caller, |memory, host| memory.put(at, &host.tick().to_le_bytes()).map(|()| SUCCESS))
    })?;
    linker.func_wrap(WASI, "random_get", |mut caller: Caller<'_, Host>, at: u32, length: u32| -> Result<Errno> {
        charge(&mut caller, length)?;
        Ok(with(&mut caller, |memory, host| {
            host.random(memory.bytes_mut(at, length)?);
            Some(SUCCESS)
        }))
    })?;
    // sleeping: the clock jumps to the first event, and nobody waits
    linker.func_wrap(
        WASI,
        "poll_oneoff",
        |mut caller: Caller<'_, Host>, asked: u32, events: u32, count: u32, happened: u32| {
            with(&mut caller, |memory, host| {
                if count == 0 {
                    return Some(INVALID);
                }
                let (user, kind) = (memory.u64(asked)?, *memory.bytes(asked.checked_add(8)?, 1)?.first()?);
                if kind == 0 {
                    let until = memory.u64(asked.checked_add(24)?)?;
                    let is_absolute = memory.bytes(asked.checked_add(40)?, 1)? == [1];
                    host.clock = if is_absolute { host.clock.max(until) } else { host.clock.saturating_add(until) };
                }
                let mut event = [0; 32];
                event[..8].copy_from_slice(&user.to_le_bytes());
                event[10] = kind;
                memory.put(events, &event)?;
                memory.put(happened, &1_u32.to_le_bytes())?;
                Some(SUCCESS)
            })
        },
    )?;
    linker.func_wrap(WASI, "sched_yield", || SUCCESS)?;
    Ok(())
}

fn streams(linker: &mut Linker<Host>) -> Result<()> {
    linker.func_wrap(
        WASI,
        "fd_read",
        |mut caller: Caller<'_, Host>, descriptor: u32, list: u32, count: u32, done: u32| {
            with(&mut caller, |memory, host| {
                if descriptor != 0 {
                    return Some(BAD_DESCRIPTOR);
                }
                let mut total = 0_u32;
                for (at, length) in memory.buffers(list, count)? {
                    let left = host.input.get(host.read..)?;
                    let taken = left.get(..left.len().min(length as usize))?;
                    memory.put(at, taken)?;
                    host.read += taken.len();
                    total += taken.len() as u32;
                }
                memory.put(done, &total.to_le_bytes())?;
                Some(SUCCESS)
            })
        },
    )?;
    linker.func_wrap(
        WASI,
        "fd_write",
        |mut caller: Caller<'_, Host>, descriptor: u32, list: u32, count: u32, done: u32| -> Result<Errno> {
            let (mut total, mut is_over) = (0_u32, false);
            let outcome = with(&mut caller, |memory, host| {
                for (at, length) in memory.buffers(list, count)? {
                    let bytes = memory.bytes(at, length)?;
                    match descriptor {
                        1 => {
                            is_over |= (host.output.len() + bytes.len()) as u64 > host.limits.output_bytes;
                            if !is_over {
                                host.output.extend_from_slice(bytes);
                            }
                        }
                        2 => {
                            host.complaint.extend_from_slice(bytes);
                            let extra = host.complaint.len().saturating_sub(COMPLAINT);
                            host.complaint.drain(..extra);
                        }
                        _ => return Some(BAD_DESCRIPTOR),
                    }
                    total = total.saturating_add(length);
                }
                memory.put(done, &total.to_le_bytes())?;
                Some(SUCCESS)
            });
            if is_over {
                return Err(Error::new(Break::TooMuchOutput));
            }
            charge(&mut caller, total)?;
            Ok(outcome)
        },
    )?;
    linker.func_wrap(WASI, "fd_close", |_: u32| SUCCESS)?;
    linker.func_wrap(WASI, "fd_prestat_get", |_: u32, _: u32| BAD_DESCRIPTOR)?;
    linker.func_wrap(WASI, "fd_seek", |_: u32, _: u64, _: u32, _: u32| NOT_SEEKABLE)?;
    linker.func_wrap(WASI, "fd_tell", |_: u32, _: u32| NOT_SEEKABLE)?;
    // all three streams are character devices; the first may be read, the others written
    linker.func_wrap(WASI, "fd_fdstat_get", |mut caller: Caller<'_, Host>, descriptor: u32, at: u32| {
        with(&mut caller, |memory, _| {
            let mut state = [0; 24];
            state[0] = 2;
            state[8] = match descriptor {
                0 => 2,
                1 | 2 => 64,
                _ => return Some(BAD_DESCRIPTOR),
            };
            memory.put(at, &state).map(|()| SUCCESS)
        })
    })?;
    linker.func_wrap(WASI, "fd_filestat_get", |mut caller: Caller<'_, Host>, descriptor: u32, at: u32| {
        with(&mut caller, |memory, _| {
            if descriptor > 2 {
                return Some(BAD_DESCRIPTOR);
            }
            let mut state = [0; 64];
            (state[16], state[24]) = (2, 1);
            memory.put(at, &state).map(|()| SUCCESS)
        })
    })?;
    Ok(())
}

/// All that the module may import.
pub fn linker(module: &Module) -> Result<Linker<Host>> {
    let mut linker = Linker::new(module.engine());
    arguments(&mut linker)?;
    clocks(&mut linker)?;
    streams(&mut linker)?;
    linker.func_wrap(WASI, "proc_exit", |code: i32| -> Result<()> { Err(Error::new(Break::Exit(code))) })?;
    let mut probe = Store::new(module.engine(), Host::new(Vec::new(), Vec::new(), Limits::default()));
    for import in module.imports() {
        let ExternType::Func(signature) = import.ty() else { continue };
        if linker.get_by_import(&mut probe, &import).is_some() {
            continue;
        }
        linker.func_new(import.module(), import.name(), signature, |_, _, results| {
            for result in results {
                *result = Val::I32(NOT_CAPABLE);
            }
            Ok(())
        })?;
    }
    Ok(linker)
}
