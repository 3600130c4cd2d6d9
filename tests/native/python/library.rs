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
