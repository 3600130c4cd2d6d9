//! Shared by the test binaries.

pub mod home;
pub mod talk;
pub mod wire;

use std::sync::LazyLock;

use benchloop::engine::python::Python;

/// One sandbox for all tests of this process: its worker compiles the interpreter once.
pub fn python() -> &'static Python {
    static PYTHON: LazyLock<Python> = LazyLock::new(|| Python::new(env!("CARGO_BIN_EXE_benchloop").into()));
    &PYTHON
}
