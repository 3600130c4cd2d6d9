//! The worker process: it is started anew, never trusted for long, and never outlives its parent.

#![cfg(unix)]

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use benchloop::engine::{
    clock,
    python::{CaseEnd, Job, Python, PythonError, value::Value},
};

const REAL: &str = env!("CARGO_BIN_EXE_benchloop");
/// A shell command that says what a worker says when it is ready.
const READY: &str = r#"printf '\044\0\0\0{"Ready": {"compiled_ms": 1.0}}      '"#;

/// A worker of our own making; each start adds a line to `starts` beside it.
fn worker(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("worker");
    fs::write(&path, format!("#!/bin/sh\necho started >> {}/starts\n{script}\n", folder.display())).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn starts(folder: &Path) -> usize {
    fs::read_to_string(folder.join("starts")).unwrap_or_default().lines().count()
}

fn job() -> Job {
    let case = benchloop::engine::python::Case { call: "f(2)".into(), ..Default::default() };
    Job { blocks: vec!["def f(x): return x * 21".into()], entry: "f".into(), cases: vec![case], ..Job::default() }
}

#[tokio::test]
async fn a_worker_that_takes_too_long_is_inconclusive_after_a_second_try() {
    let folder = tempfile::tempdir().unwrap();
    let hangs = worker(folder.path(), &format!("{READY}\nread nothing"));
    let python = Python::with_wall(hangs, Duration::from_millis(300));

    let error = python.run(job()).await.unwrap_err();

    assert_eq!(error, PythonError::TooSlow { seconds: 0.3 });
    assert_eq!(starts(folder.path()), 2);
}

#[tokio::test]
async fn a_worker_that_died_is_started_anew_and_the_job_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        format!("if [ -e {0}/once ]; then exec {REAL} \"$@\"; fi\n: > {0}/once\n{READY}", folder.path().display());
    let python = Python::new(worker(folder.path(), &script));
    python.start();

    let outcome = python.run(job()).await.unwrap();

    assert_eq!(outcome.cases, [CaseEnd::Gave(Value::Int("42".into()))]);
    assert_eq!(starts(folder.path()), 2);
}

#[tokio::test]
async fn a_worker_that_cannot_work_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"printf '\022\0\0\0{"Broken": "no x"}'"#;
    let python = Python::new(worker(folder.path(), script));
    assert_eq!(python.run(job()).await.unwrap_err(), PythonError::Broken("no x".into()));

    let python = Python::new(folder.path().join("missing"));
    let error = python.run(job()).await.unwrap_err();
    assert!(matches!(error, PythonError::NotStarted { .. }), "{error}");
}

#[tokio::test]
async fn a_worker_sees_nothing_of_our_environment() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("seen").display().to_string();
    let python = Python::new(worker(folder.path(), &format!("/usr/bin/env > {out}\npwd >> {out}")));
    assert!(matches!(python.run(job()).await, Err(PythonError::Gone(_))));

    let seen = fs::read_to_string(&out).unwrap();
    let names: Vec<&str> = seen.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    // what a shell sets for itself
    assert!(names.iter().all(|name| ["PWD", "OLDPWD", "SHLVL", "_"].contains(name)), "{seen}");
    assert_eq!(seen.lines().last().map(Path::new), Some(std::env::temp_dir().as_path()));
}

/// Whether a process ends within some time.
fn ends_within(child: &mut Child, limit_ms: f64) -> bool {
    let begun = clock::now();
    while clock::now().ms_since(begun) < limit_ms {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn a_worker_ends_with_its_parent_in_the_middle_of_a_program() {
    let mut child =
        Command::new(REAL).arg("python-worker").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut ready = [0; 16];
    output.read_exact(&mut ready).unwrap();
    let request = r#"{"input": "('hold', [(['while True: pass'], '1', 'True')])",
        "limits": {"fuel": 1000000000000000, "memory_bytes": 268435456, "output_bytes": 1048576}}"#;
    input.write_all(&(request.len() as u32).to_le_bytes()).unwrap();
    input.write_all(request.as_bytes()).unwrap();
    input.flush().unwrap();
    assert!(!ends_within(&mut child, 1500.0), "the program runs on");

    drop(input);

    let ended = ends_within(&mut child, 10_000.0);
    if !ended {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(ended, "the worker outlives its parent");
}
