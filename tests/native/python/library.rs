//! Ordinary programs must work. Each file in `library/` has a function `main` and, as comments behind `# prints`, what
//! native CPython prints for it. What does not work is a known gap, listed in suites/README.md.

use benchloop::engine::python::{Case, CaseEnd, Job, Start, value::Value};

use super::{super::support::python, programs};

/// What `call` prints or gives; a program that cannot be loaded says so.
async fn run(program: &str, call: &str, stdout: bool) -> Result<CaseEnd, Start> {
    let case = Case { call: call.to_owned(), stdout, ..Case::default() };
    let job = Job { blocks: vec![program.to_owned()], entry: "main".to_owned(), cases: vec![case], ..Job::default() };
    let mut outcome = python().run(job).await.unwrap();
    if outcome.start == Start::Defined { Ok(outcome.cases.remove(0)) } else { Err(outcome.start) }
}

#[tokio::test]
async fn ordinary_programs_print_what_native_python_prints() {
    let mut faults = Vec::new();
    let programs = programs("library");
    for (name, text) in &programs {
        let (_, wanted) = text.split_once("# prints\n").unwrap();
        let line = |line: &str| line.strip_prefix("#  ").unwrap_or_default().to_owned() + "\n";
        let wanted: String = wanted.lines().map(line).collect();
        match run(text, "main()", true).await {
            Ok(CaseEnd::Gave(Value::Str(printed))) if printed == wanted => {}
            Ok(CaseEnd::Gave(Value::Str(printed))) => {
                let differs = printed.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
                faults.push(format!("{name}: {differs:#?}\n{printed}"));
            }
            other => faults.push(format!("{name}: {other:?}")),
        }
    }
    assert!(programs.len() >= 10, "{} programs", programs.len());
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Programs whose recursion goes through the interpreter's own C code at each level.
const DEEP: [(&str, &str); 6] = [
    ("a generator in sum", "def main(n): return n and sum(main(m) for m in [n - 1]) + 1"),
    ("map in max", "def main(n): return n and max(map(main, [n - 1])) + 1"),
    ("a key of sorted", "def main(n): return n and len(sorted([n - 1], key=main))"),
    (
        "len of objects",
        "class A:\n  def __init__(s, n): s.n = n\n  def __len__(s): return s.n and len(A(s.n - 1)) + 1\ndef main(n): return len(A(n))",
    ),
    (
        "a constructor",
        "class N:\n  def __init__(s, n): s.next = N(n - 1) if n else None\ndef main(n): return N(n) and n",
    ),
    ("any", "def main(n): return n == 0 or any(main(m) for m in [n - 1])"),
];

#[tokio::test]
async fn recursion_is_deep_enough_for_ordinary_programs() {
    for (name, program) in DEEP {
        let end = run(program, "main(120)", false).await.unwrap();
        assert!(matches!(end, CaseEnd::Gave(_)), "{name}: {end:?}");
    }
    for (name, program, depth) in [
        ("plain", "def main(n): return n and main(n - 1) + 1", 900),
        (
            "plain, a higher limit",
            "import sys\nsys.setrecursionlimit(20000)\ndef main(n): return n and main(n - 1) + 1",
            9000,
        ),
        ("cache", "from functools import cache\n@cache\ndef main(n): return n and main(n - 1) + 1", 400),
        (
            "lru_cache",
            "import functools\n@functools.lru_cache(maxsize=None)\ndef main(n): return n and main(n - 1) + 1",
            400,
        ),
        (
            "lru_cache, a higher limit",
            "import sys, functools as ft\nsys.setrecursionlimit(10**6)\n@ft.lru_cache(None)\ndef main(n): return n and main(n - 1) + 1",
            2000,
        ),
        (
            "a table",
            "table = {}\ndef main(n):\n  if n not in table: table[n] = n and main(n - 1) + 1\n  return table[n]",
            900,
        ),
        (
            "yield from",
            "def walk(n):\n  if n: yield from walk(n - 1)\n  yield n\ndef main(n): return len(list(walk(n))) - 1",
            900,
        ),
        ("a decorator", "def twice(f): return lambda n: f(n)\n@twice\ndef main(n): return n and main(n - 1) + 1", 400),
    ] {
        let end = run(program, &format!("main({depth})"), false).await.unwrap();
        assert_eq!(end, CaseEnd::Gave(Value::Int(depth.to_string())), "{name}");
    }
}

/// What suites/README.md lists as known gaps: each fails in its own way, so that a gap that closes is seen.
#[tokio::test]
async fn known_gaps_are_as_they_are_listed() {
    for (name, program, call, words) in [
        (
            "event loops",
            "import asyncio\nasync def go(): return 1\ndef main(): return asyncio.run(go())",
            "main()",
            "OSError",
        ),
        ("threads", "import threading\ndef main(): threading.Thread(target=main).start()", "main()", "RuntimeError"),
        (
            "thread pools",
            "from concurrent.futures import ThreadPoolExecutor\ndef main(): pass",
            "main()",
            "ModuleNotFoundError",
        ),
        ("processes", "import subprocess\ndef main(): subprocess.run(['ls'])", "main()", "OSError"),
        ("multiprocessing", "import multiprocessing\ndef main(): pass", "main()", "ModuleNotFoundError"),
        (
            "sockets",
            "import socket\ndef main(): socket.create_connection(('localhost', 1))",
            "main()",
            "AttributeError",
        ),
        ("temporary files", "import tempfile\ndef main(): tempfile.TemporaryFile()", "main()", "FileNotFoundError"),
        (
            "time zones",
            "import zoneinfo\ndef main(): zoneinfo.ZoneInfo('Europe/Rome')",
            "main()",
            "ZoneInfoNotFoundError",
        ),
        ("ssl", "import ssl\ndef main(): pass", "main()", "ModuleNotFoundError"),
        ("lzma", "import lzma\ndef main(): pass", "main()", "ModuleNotFoundError"),
        ("ctypes", "import ctypes\ndef main(): pass", "main()", "ModuleNotFoundError"),
        ("tkinter", "import tkinter\ndef main(): pass", "main()", "ModuleNotFoundError"),
        ("packages", "import numpy\ndef main(): pass", "main()", "ModuleNotFoundError"),
        ("source of functions", "import inspect\ndef main(): inspect.getsource(main)", "main()", "OSError"),
        ("32 bits", "import sys\ndef main(): return sys.maxsize", "main()", "2147483647"),
        ("sums of floats", "def main(): return sum([0.1] * 10)", "main()", "1.0"),
        ("the time", "import datetime\ndef main(): return str(datetime.date.today())", "main()", "2023-11-14"),
        (DEEP[0].0, DEEP[0].1, "main(600)", "RecursionError"),
    ] {
        let end = run(program, call, false).await;
        let shown = format!("{end:?}");
        assert!(shown.contains(words), "{name}: {shown}");
    }
}
