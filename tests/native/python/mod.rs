//! The sandbox: what runs in it, what gets out of it (nothing), and how programs are judged.

mod answers;
mod hostile;
mod library;
mod worker;

use std::{fs, path::Path};

use benchloop::{
    domain::verdict::Verdict,
    engine::{
        check::{
            Judged,
            python::{Case, Coding},
        },
        python::{Limits, Outcome},
    },
};

use super::support::python;

/// A check of calls and the literals that they must give.
fn coding(entry: &str, cases: &[(&str, &str)]) -> Coding {
    let case = |(call, expect): &(&str, &str)| Case {
        name: (*call).to_owned(),
        call: (*call).to_owned(),
        expect: Some((*expect).to_owned()),
        ..Case::default()
    };
    Coding { entry: entry.to_owned(), cases: cases.iter().map(case).collect() }
}

/// Runs and judges an answer; panics where the sandbox gives no outcome.
async fn judge(coding: &Coding, answer: &str, limits: Limits) -> (Verdict, Result<Outcome, String>) {
    let judged = Judged { answer, ..Judged::default() };
    let outcome = match coding.job(&judged, limits) {
        Ok(job) => Ok(python().run(job).await.unwrap()),
        Err(why) => Err(why),
    };
    let ran = Some(outcome.as_ref().map_err(String::as_str));
    (coding.judge(&Judged { ran, ..judged }), outcome)
}

/// The `.py` files of a folder beside this file, by name, with their text.
fn programs(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/python").join(folder);
    let mut programs: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap()))
        .collect();
    programs.sort();
    programs
}
