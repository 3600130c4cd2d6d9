//! `benchloop python-worker`: the child process in which answers of the coding suite run. Hidden, for nobody types it.

use super::{DONE, Failure};
use crate::engine::python::worker;

/// Blocks, for this process does nothing else.
pub fn run() -> Result<u8, Failure> {
    worker::serve().map(|()| DONE).map_err(Failure::failed)
}
