//! How real model servers deviate from their protocols, one row each: bytes with arrival times and the exact sample that
//! must come of them. To add a quirk, add a row to one of the files below; it then runs twice, on a virtual clock with
//! all figures compared, and over a real socket through the client with everything else compared.

mod connection;
mod cuts;
mod errors;
mod fields;
mod framing;
mod harmony;
mod laws;
mod names;
mod refusals;
pub mod row;
mod sockets;
mod thinking;
mod tools;
mod usage;
mod waits;

use row::Row;

fn rows() -> Vec<Row> {
    let files = [
        framing::rows(),
        errors::rows(),
        refusals::rows(),
        usage::rows(),
        thinking::rows(),
        harmony::rows(),
        tools::rows(),
    ];
    files.into_iter().flatten().collect()
}

#[test]
fn every_quirk_gives_its_exact_sample_on_a_virtual_clock() {
    let failures: Vec<_> = rows().iter().filter_map(Row::check_virtual).collect();

    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_quirk_has_its_own_name() {
    let rows = rows();
    let names: std::collections::BTreeSet<_> = rows.iter().map(|row| row.name).collect();

    assert_eq!(names.len(), rows.len());
}
