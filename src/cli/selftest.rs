//! `benchloop selftest`: proves the graders in this binary.

use std::path::PathBuf;

use super::{DONE, FAILED, Failure, say, say_json, table::table};
use crate::{
    domain::id::SuiteId,
    engine::{
        check::GRADER_VERSION,
        python::Python,
        selftest::{Pins, Report, selftest},
        suite::{self, Source},
    },
};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Prove one suite only
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,
    /// Read the task files from a folder laid out like suites/ instead of those in this binary
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Pin the digests and verdicts of new tasks and examples in the folder; known ones are never changed
    #[arg(long, requires = "folder")]
    pin: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let only = args.suite.as_deref().map(str::parse::<SuiteId>).transpose();
    let only = only.map_err(|error| Failure::usage(format!("--suite: {error}")))?;
    let source = args.folder.clone().map_or(Source::BuiltIn, Source::Folder);
    let suites = suite::load_from(&source).map_err(|error| Failure::failed(error.to_string()))?;
    let mut pins = Pins::read(&source, args.pin);
    let bar = super::run::bar_of(suites.all().map(|suite| suite.tasks.len() as u64).sum());
    let mut at = |task: &suite::Task| {
        bar.set_message(format!("{}/{}", task.suite, task.id));
        bar.inc(1);
    };
    let report = selftest(&suites, only, &mut pins, &Python::of_this_program(), &mut at).await;
    bar.finish_and_clear();
    if let Some(folder) = args.folder.filter(|_| args.pin) {
        pins.write(&folder).map_err(|error| Failure::failed(error.to_string()))?;
    }
    if args.json {
        say_json(&report)?
    } else {
        print(&report)
    }
    Ok(if report.faults.is_empty() { DONE } else { FAILED })
}

fn print(report: &Report) {
    let rows: Vec<Vec<String>> = report
        .suites
        .iter()
        .map(|proved| {
            vec![
                proved.suite.to_string(),
                proved.tasks.to_string(),
                proved.tiers.map(|count| count.to_string()).join(" / "),
                proved.quick.to_string(),
                proved.accepts.to_string(),
                proved.rejects.to_string(),
                proved.junk.to_string(),
                proved.absent.clone().unwrap_or_default(),
            ]
        })
        .collect();
    let head = ["Suite", "Tasks>", "Tier 1 / 2 / 3>", "Quick>", "Right answers>", "Near misses>", "Junk>", "Note"];
    say(table(&head, &rows));
    for fault in &report.faults {
        say(format_args!("{} [{}] {}", fault.task, fault.kind, fault.why));
    }
    let (tasks, faults) = (report.quality_tasks(), report.faults.len());
    let judged: u32 = report.suites.iter().map(|proved| proved.accepts + proved.rejects + proved.junk).sum();
    let outcome = if faults == 0 { "all as they must be".to_owned() } else { format!("{faults} faults") };
    say(format_args!("\n{tasks} quality tasks, {judged} answers judged by grader version {GRADER_VERSION}: {outcome}"));
}
