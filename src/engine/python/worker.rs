//! The worker process: compiles the interpreter once, then runs each request in a fresh one. It reads frames from its
//! input and writes frames to its output, and ends when its input closes, whatever it is doing. Imports: wasmtime.

use std::{
    io,
    sync::mpsc::{self, Receiver},
    thread,
};

use wasmtime::{Config, Engine, InstancePre, Module, Result, Store, Trap};

use super::{
    frame::{self, End, Ran, Reply, Request},
    host::{self, Break, Host},
    module,
};
use crate::engine::clock;

/// The program that reads a request inside of the interpreter.
const DRIVER: &str = include_str!("driver.py");
/// Stack of compiled code; deep recursion in Python's own C code must end in an error before this does.
const WASM_STACK: usize = 16 << 20;
/// Stack of the thread that runs it: the above and the host's functions.
const THREAD_STACK: usize = 64 << 20;

/// Runs until the input closes. Returns what stopped it before that.
pub fn serve() -> Result<(), String> {
    let (send, requests) = mpsc::channel();
    // a thread of its own, so that a closed input ends the process in the middle of a program
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(request)) = frame::read::<Request>(&mut input) {
            if send.send(request).is_err() {
                break;
            }
        }
        std::process::exit(0);
    });
    let work = thread::Builder::new().stack_size(THREAD_STACK).spawn(move || run_all(&requests));
    let ended = work.map_err(|error| format!("start a thread: {error}"))?.join();
    ended.unwrap_or_else(|_| Err("the interpreter's thread ended by itself".to_owned()))
}

fn run_all(requests: &Receiver<Request>) -> Result<(), String> {
    let say = |reply: &Reply| frame::write(&mut io::stdout().lock(), reply).map_err(|error| error.to_string());
    let begun = clock::now();
    let interpreter = match Interpreter::compile() {
        Ok(interpreter) => interpreter,
        Err(why) => {
            say(&Reply::Broken(why.clone()))?;
            return Err(why);
        }
    };
    say(&Reply::Ready { compiled_ms: clock::now().ms_since(begun) })?;
    while let Ok(request) = requests.recv() {
        match interpreter.run(request) {
            Ok(ran) => say(&Reply::Ran(ran))?,
            Err(error) => {
                let why = format!("start an interpreter: {error:#}");
                say(&Reply::Broken(why.clone()))?;
                return Err(why);
            }
        }
    }
    Ok(())
}

struct Interpreter {
    engine: Engine,
    ready: InstancePre<Host>,
}

impl Interpreter {
    fn compile() -> Result<Self, String> {
        let module = module::read()?;
        let compile = || {
            let mut config = Config::new();
            config.consume_fuel(true).async_stack_size(2 * WASM_STACK).max_wasm_stack(WASM_STACK);
            config.wasm_backtrace_max_frames(None);
            let engine = Engine::new(&config)?;
            let module = Module::new(&engine, &module)?;
            let ready = host::linker(&module)?.instantiate_pre(&module)?;
            Ok::<Self, wasmtime::Error>(Self { engine, ready })
        };
        compile().map_err(|error| format!("compile the Python module: {error:#}"))
    }

    /// Runs one request; an error is a fault of this machine, never of the program.
    fn run(&self, request: Request) -> Result<Ran> {
        let arguments = ["python", "-I", "-S", "-c", DRIVER].map(str::to_owned).to_vec();
        let limits = request.limits;
        let mut store = Store::new(&self.engine, Host::new(arguments, request.input.into_bytes(), limits));
        store.limiter(|host| host);
        store.set_fuel(limits.fuel)?;
        let instance = self.ready.instantiate(&mut store)?;
        let start = instance.get_typed_func::<(), ()>(&mut store, "_start")?;
        let end = match start.call(&mut store, ()) {
            Ok(()) => End::Finished,
            Err(error) => match (error.downcast_ref::<Break>(), error.downcast_ref::<Trap>()) {
                (Some(Break::Exit(code)), _) => End::Exit(*code),
                (Some(Break::TooMuchOutput), _) => End::TooMuchOutput,
                (_, Some(Trap::OutOfFuel)) => End::OutOfFuel,
                (_, Some(Trap::StackOverflow)) => End::StackOverflow,
                (_, Some(trap)) => End::Trap(trap.to_string()),
                (None, None) => return Err(error),
            },
        };
        let fuel_used = limits.fuel - store.get_fuel()?.min(limits.fuel);
        let host = store.into_data();
        Ok(Ran {
            end,
            output: String::from_utf8_lossy(&host.output).into_owned(),
            complaint: String::from_utf8_lossy(&host.complaint).trim().to_owned(),
            fuel_used,
            memory_peak_bytes: host.memory_peak as u64,
            memory_refused: host.memory_refused,
        })
    }
}
