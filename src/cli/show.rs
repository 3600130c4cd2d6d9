//! `benchloop show`: one run's figures, or the whole transcript of one task.

use super::{DONE, Failure, USAGE, open, say, say_json, table::table};
use crate::{
    domain::{
        event::{Spoken, Trial},
        id::{RunId, SuiteId},
        run::{RunStatus, RunView},
        score::Figure,
        unit,
    },
    engine::{Engine, clock},
};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// A run's id, or the beginning of one
    run: String,
    /// One task's transcript: its id, or suite/task
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Which attempt at the task
    #[arg(long, value_name = "N", default_value_t = 1, requires = "task")]
    trial: u32,
    /// Print the record (run.json), or the trial, as JSON
    #[arg(long)]
    json: bool,
}

/// A run by its whole id or by a beginning that only one run has.
async fn find(engine: &Engine, text: &str) -> Result<RunId, Failure> {
    let id: RunId = text.parse().map_err(|error| Failure { code: USAGE, message: format!("show: {error}") })?;
    if engine.view(&id).await.is_ok() {
        return Ok(id);
    }
    let matching: Vec<RunId> =
        engine.runs().await.into_iter().map(|row| row.id).filter(|id| id.as_str().starts_with(text)).collect();
    match matching.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            Err(engine.view(&id).await.err().map_or_else(|| Failure::failed(format!("find run {id}")), Failure::from))
        }
        many => Err(Failure::usage(format!("{} runs begin with {text:?}; give more of the id", many.len()))),
    }
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let engine = open()?;
    let id = find(&engine, &args.run).await?;
    let Some(task) = args.task else {
        if args.json {
            say(engine.raw_record(&id).await?);
        } else {
            let view = engine.view(&id).await?;
            summary(&view);
            details(&view);
        }
        return Ok(DONE);
    };
    let view = engine.view(&id).await?;
    let (suite, task) = match task.split_once('/') {
        Some((suite, task)) => {
            (suite.parse::<SuiteId>().map_err(|error| Failure::usage(error.to_string()))?, task.to_owned())
        }
        None => match view.tasks.iter().find(|planned| planned.task == task) {
            Some(planned) => (planned.suite, task),
            None => {
                let known: Vec<&str> = view.tasks.iter().map(|planned| planned.task.as_str()).collect();
                return Err(Failure::usage(format!("task {task} is not in this run; it has {}", known.join(", "))));
            }
        },
    };
    let trial = engine.trial(&id, suite, &task, args.trial).await?;
    if args.json {
        say_json(&trial)?
    } else {
        transcript(&view, &trial)
    }
    Ok(DONE)
}

fn figure(figure: &Figure) -> String {
    match (figure.value, figure.low, figure.high) {
        (Some(value), Some(low), Some(high)) => format!("{value:.1}  [{low:.1}, {high:.1}]"),
        (Some(value), ..) => format!("{value:.1}"),
        (None, ..) => format!("{}  {}", unit::ABSENT, figure.why.as_deref().unwrap_or_default()),
    }
}

/// The headline: what ran and what came out.
pub fn summary(view: &RunView) {
    let plan = view.plan.as_ref();
    let model = plan.map_or("", |plan| plan.model.as_str());
    say(format_args!(
        "\n{model}  {}{}",
        view.status,
        if view.is_demo() { "  DEMO: scripted answers, the figures measure nothing real" } else { "" }
    ));
    if let Some(why) = &view.error {
        say(format_args!("  {why}"));
    }
    let (done, planned) = view.progress();
    let took = view.elapsed_s(clock::utc()).map_or_else(|| unit::ABSENT.to_owned(), unit::clock);
    say(format_args!("  {done} of {planned} trials in {took}"));
    if view.status == RunStatus::Queued {
        return;
    }
    let scores = view.scores();
    say(format_args!("  quality      {}  ({} of 6 suites)", figure(&scores.quality), scores.quality_suites));
    say(format_args!("  speed score  {}", figure(&scores.speed)));
    say(format_args!(
        "  decode       {} tok/s  (median ± MAD, n = {})",
        scores.decode_tok_s.words(unit::rate),
        scores.decode_tok_s.n
    ));
    say(format_args!("  TTFT         {}", scores.ttft_ms.words(unit::ms)));
    say(format_args!("  reliability  {}", figure(&scores.reliability)));
    say(format_args!("  overall      {}", figure(&scores.overall)));
    if let (Some(report), Some(plan)) = (view.harness_report(), plan) {
        say(format_args!("  harness      {}, {}", plan.harness, report.words()));
    }
    for change in &view.drift {
        say(format_args!("  drifted: {change}; this run does not rank"));
    }
    for reason in view.skipped.iter().chain(&view.stopped) {
        say(format_args!("  {} {}: {}", reason.suite.title(), reason.task, reason.why));
    }
}

fn details(view: &RunView) {
    if let Some(identity) = &view.identity {
        say(format_args!(
            "\nserver {} {}, context {}, digest {}",
            identity.server,
            identity.server_version.as_deref().unwrap_or(unit::ABSENT),
            identity.context.map_or_else(|| unit::ABSENT.to_owned(), unit::count),
            identity.digest.as_deref().unwrap_or(unit::ABSENT),
        ));
    }
    if let Some(machine) = &view.machine {
        say(format_args!("machine {}, {}", machine.label(), machine.os));
    }
    if let Some(card) = &view.card {
        say(format_args!("\npreflight: {}", card.conclusion()));
        super::probe::findings(card);
    }
    let points: Vec<Vec<String>> = view
        .speed_points()
        .iter()
        .map(|point| {
            vec![
                point.kind.label(),
                point.client.n.to_string(),
                point.client.words(unit::rate),
                unit::rate(point.server.median),
                unit::ms(point.ttft_ms.median),
                point.prompt_tokens.map_or_else(|| unit::ABSENT.to_owned(), |n| unit::count(n.round() as u64)),
                point.completion_tokens.map_or_else(|| unit::ABSENT.to_owned(), |n| unit::count(n.round() as u64)),
                point.why.clone().unwrap_or_default(),
            ]
        })
        .collect();
    if !points.is_empty() {
        let head =
            ["Speed", "n>", "Client tok/s: median ± MAD (min to max)>", "Server>", "TTFT>", "In>", "Out>", "Note"];
        say(format_args!("\n{}", table(&head, &points)));
    }
    for suite in view.suites() {
        if let Some(words) = suite.repeats.words() {
            let spread =
                suite.repeats.spread.map_or_else(|| unit::ABSENT.to_owned(), |sd| format!("{:.1}", sd * 100.0));
            say(format_args!("{}: {words}, mean spread of trials {spread} points", suite.suite.title()));
        }
    }
    let rows: Vec<Vec<String>> = view
        .rows
        .iter()
        .filter(|row| row.suite != SuiteId::Speed || row.not_judged.is_some())
        .map(|row| {
            vec![
                format!("{}/{}", row.suite, row.task),
                row.trial.to_string(),
                row.mark().to_string(),
                row.score.map_or_else(|| unit::ABSENT.to_owned(), |score| format!("{score:.2}")),
                row.usage.completion_tokens.map_or_else(|| unit::ABSENT.to_owned(), unit::count),
                unit::ms(row.timing.total_ms),
                unit::cut(&row.why.replace('\n', " "), 90),
            ]
        })
        .collect();
    if !rows.is_empty() {
        say(format_args!("\n{}", table(&["Task", "Trial>", "Verdict", "Score>", "Tokens>", "Took>", "Why"], &rows)));
        say(format_args!("\nwhy did it fail? benchloop show {} --task ID", view.id));
    }
}

/// One turn of the model: its thoughts, its words, its calls, remarks on how it was read; then what each call gave back.
fn spoken(turn: &Spoken, number: &str) {
    if !turn.sample.reasoning.is_empty() {
        say(format_args!("\n[thinking{number}]\n{}", turn.sample.reasoning));
    }
    say(format_args!("\n[assistant{number}]\n{}", turn.sample.answer));
    for call in turn.calls {
        say(format_args!("call: {}({})", call.name, call.arguments_raw));
    }
    for note in turn.notes {
        say(format_args!("  ({}: {})", note.kind.words().to_lowercase(), note.text));
    }
    for (call, result) in turn.calls.iter().zip(turn.results) {
        say(format_args!("\n[result of {}]\n{result}", call.name));
    }
}

fn transcript(view: &RunView, trial: &Trial) {
    say(format_args!("{} · {}, trial {}", trial.suite.title(), view.title_of(trial.suite, &trial.task), trial.trial));
    for message in &trial.messages {
        say(format_args!("\n[{}]\n{}", message.role, message.text));
    }
    for (index, turn) in trial.spoken().enumerate() {
        let number = if trial.steps.is_empty() {
            String::new()
        } else {
            format!(", turn {} of {}", index + 1, trial.turn_count())
        };
        spoken(&turn, &number);
    }
    let sample = &trial.sample;
    let class = sample.class.map(|class| format!(" ({class})")).unwrap_or_default();
    let finish = sample.finish_reason.as_deref().unwrap_or(unit::ABSENT);
    say(format_args!("\nstate: {}{class}, finish reason {finish}, {} request(s)", sample.state, sample.requests));
    if let Some(error) = &sample.error {
        say(format_args!("error: {}", error.message));
    }
    match &trial.verdict {
        Some(verdict) => {
            say(format_args!("verdict: {} with {:.2}", verdict.mark(), verdict.score));
            for part in &verdict.parts {
                let answer = part.answer.as_deref().map(|answer| format!("  answer: {answer}")).unwrap_or_default();
                say(format_args!("  {:.2}  {} ({}): {}{answer}", part.score, part.name, part.kind, part.why));
            }
        }
        None => say(format_args!("no verdict: {}", trial.verdict_absent.as_deref().unwrap_or("not judged"))),
    }
    let timing = &sample.timing;
    say(format_args!(
        "timing{}: connect {}, TTFT {}, TTFO {}, total {}, decode {}, prefill {}",
        if trial.steps.is_empty() { "" } else { " of the last turn" },
        unit::ms(timing.connect_ms),
        unit::ms(timing.ttft_ms),
        unit::ms(timing.ttfo_ms),
        unit::ms(timing.total_ms),
        unit::tok_s(timing.decode_tok_s),
        unit::tok_s(timing.prefill_tok_s)
    ));
    for (field, why) in &sample.notes {
        say(format_args!("  {field} is not known: {why}"));
    }
}
