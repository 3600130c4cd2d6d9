//! The `benchloop` command: starts logging, reads the command line, hands over to [`benchloop::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    benchloop::cli::main()
}
