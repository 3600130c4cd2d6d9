//! Tests of the engine and of the walls, in one binary.

mod boundaries;
