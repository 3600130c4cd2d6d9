//! Tests of the pages through the whole router, in one binary.

mod pages;
