//! The command line: one file per command, each parsing its arguments, calling the engine and printing.
//!
//! Exit codes: 0 finished, 1 failed, 2 bad usage, 3 interrupted or cancelled. To add a command: a file here, a variant in
//! [`Command`], an arm in [`run`]. Imports: domain, engine, server (for `serve` and `demo`), clap, indicatif.

mod ask;
mod clocks;
mod demo;
mod grade;
mod list;
mod probe;
mod python_worker;
mod run;
mod selftest;
mod serve;
mod show;
mod table;
mod target;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tracing_subscriber::EnvFilter;

use crate::engine::{Engine, EngineError, EngineErrorKind};

/// Benchmark language models on your own machine, with numbers that can be checked.
#[derive(Debug, Parser)]
#[command(name = "benchloop", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the web pages
    Serve(serve::Args),
    /// Benchmark a model and wait for the result
    Run(run::Args),
    /// List all runs, newest first
    List(list::Args),
    /// Show one run, or one trial's transcript
    Show(show::Args),
    /// Make one call and show what was measured
    Ask(ask::Args),
    /// Look at what a model on a server can do, and what stands in the way
    Probe(probe::Args),
    /// Prove the graders: right answers pass, near misses and junk do not
    Selftest(selftest::Args),
    /// Judge an answer to a task, part by part
    Grade(grade::Args),
    /// Start the scripted demo server alone
    Demo(demo::Args),
    /// Run programs that arrive on the input; the engine starts this itself
    #[command(hide = true)]
    PythonWorker,
}

/// Finished.
pub const DONE: u8 = 0;
/// The command ran and failed.
pub const FAILED: u8 = 1;
/// The arguments can't be used.
pub const USAGE: u8 = 2;
/// Stopped before its end.
pub const STOPPED: u8 = 3;

/// A failure with its exit code.
#[derive(Debug)]
pub struct Failure {
    pub code: u8,
    pub message: String,
}

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, message: message.into() }
    }

    pub fn failed(message: impl Into<String>) -> Self {
        Self { code: FAILED, message: message.into() }
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let code = if error.kind() == EngineErrorKind::Invalid { USAGE } else { FAILED };
        Self { code, message: error.to_string() }
    }
}

fn open() -> Result<Engine, Failure> {
    Ok(Engine::open(Engine::home_folder()?)?)
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // a closed pipe (`benchloop list | head`) ends the command quietly
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            _ = error.print();
            return ExitCode::from(if error.use_stderr() { USAGE } else { DONE });
        }
    };
    let default = if matches!(cli.command, Command::Serve(_)) { "info" } else { "warn" };
    let filter = EnvFilter::try_from_env("BENCHLOOP_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("benchloop: start the async runtime: {error}");
            return ExitCode::from(FAILED);
        }
    };
    let code = match runtime.block_on(run(cli.command)) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("benchloop: {}", failure.message);
            failure.code
        }
    };
    // a blocking file read must not hold up the end
    runtime.shutdown_timeout(std::time::Duration::from_millis(200));
    ExitCode::from(code)
}

async fn run(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Serve(args) => serve::run(args).await,
        Command::Run(args) => run::run(args).await,
        Command::List(args) => list::run(args).await,
        Command::Show(args) => show::run(args).await,
        Command::Ask(args) => ask::run(args).await,
        Command::Probe(args) => probe::run(args).await,
        Command::Selftest(args) => selftest::run(args).await,
        Command::Grade(args) => grade::run(args).await,
        Command::Demo(args) => demo::run(args).await,
        Command::PythonWorker => python_worker::run(),
    }
}

/// Makes text safe for a terminal: control and direction characters, which a model may send, are shown, not obeyed.
pub(crate) fn tame(text: &str) -> String {
    let obeyed = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.chars().any(obeyed) {
        return text.to_owned();
    }
    text.chars().map(|c| if obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Prints a line; a closed pipe is no error.
pub(crate) fn say(text: impl std::fmt::Display) {
    use std::io::Write;
    _ = writeln!(std::io::stdout(), "{}", tame(&text.to_string()));
}

/// Prints a value as one JSON document.
pub(crate) fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::failed(format!("write JSON: {error}")))?;
    say(text);
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_model_cannot_command_the_terminal() {
        let tamed = super::tame("a\u{1b}]0;title\u{7}b\u{202e}c\r\n\tüñ");
        assert_eq!(tamed, r"a\u{1b}]0;title\u{7}b\u{202e}c\u{d}".to_owned() + "\n\tüñ");
    }
}
