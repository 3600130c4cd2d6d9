//! `benchloop run`: one run from plan to result, with a progress bar on a terminal.

use std::{io::IsTerminal, net::SocketAddr, sync::Arc, time::Duration};

use futures_util::StreamExt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{DONE, FAILED, Failure, STOPPED, clocks::ClockArgs, open, say, show, tame};
use crate::{
    domain::{
        event::Happening,
        id::{RunId, SuiteId},
        plan::{RunForm, RunPlan},
        run::{Row, RunStatus, RunView},
        unit, words,
    },
    engine::{Engine, Live, client::BaseUrl, clock},
    server::script::{ScriptedServer, demo},
};

/// The names of all suites that this version can run, in running order.
fn built_suites() -> Vec<String> {
    SuiteId::ALL.iter().filter(|suite| suite.is_built()).map(ToString::to_string).collect()
}

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where the model server listens, for example http://127.0.0.1:11434
    #[arg(long, value_name = "URL", required_unless_present = "demo")]
    endpoint: Option<String>,
    /// The model's name, as the server lists it
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Use the built-in demo server (models demo-steady, demo-hasty, demo-thinker)
    #[arg(long, conflicts_with = "endpoint")]
    demo: bool,
    /// auto, ollama or openai_compat; auto asks the server what it is
    #[arg(long, default_value = "auto")]
    provider: String,
    /// Names of suites, with commas between them; all unless told otherwise
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_values_t = built_suites(), hide_default_value = true)]
    suites: Vec<String>,
    /// raw (native tools), hermes (<tool_call> tags), qwen (<function_call> tags) or pi (<think> and <tool_call> tags)
    #[arg(long, default_value = "raw")]
    harness: String,
    /// quick runs about a fifth of each suite; standard runs all of it
    #[arg(long, default_value = "standard")]
    profile: String,
    /// Attempts at each quality task, 1 to 9; speed tasks take at least 5
    #[arg(long, value_name = "N", default_value = "1")]
    trials: String,
    /// auto, on or off
    #[arg(long, default_value = "auto")]
    think: String,
    /// Tokens allowed on top of each task's answer budget; 4096 unless told otherwise
    #[arg(long, value_name = "N", default_value = "", hide_default_value = true)]
    thinking_budget: String,
    /// Context asked of an Ollama server, in tokens; 10240 unless told otherwise
    #[arg(long, value_name = "N", default_value = "", hide_default_value = true)]
    num_ctx: String,
    /// Start without a look at what the server can do
    #[arg(long)]
    no_preflight: bool,
    /// Print the record (run.json) as one JSON document at the end
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    clocks: ClockArgs,
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let engine = open()?;
    let demo = if args.demo { Some(demo_server(&engine).await?) } else { None };
    if let Some(base) = demo.as_ref().and_then(|server| BaseUrl::parse(&server.url()).ok()) {
        engine.offer_demo(base);
    }
    let endpoint = demo.as_ref().map(ScriptedServer::url).or(args.endpoint).unwrap_or_default();
    let plan = RunPlan::new(RunForm {
        model: args.model,
        endpoint,
        provider: args.provider,
        harness: args.harness,
        suites: args.suites,
        profile: args.profile,
        trials: args.trials,
        thinking: args.think,
        thinking_budget: args.thinking_budget,
        num_ctx: args.num_ctx,
        clocks: Some(args.clocks.clocks()?),
        skip_preflight: args.no_preflight,
    })
    .map_err(|error| Failure::usage(error.to_string()))?;
    let id = engine.start(plan).await?;
    let interrupted = stop_on_interrupt(&engine, &id);
    progress(&engine, &id).await;
    interrupted.abort();
    let view = engine.finished(&id).await?;
    if args.json {
        say(engine.raw_record(&id).await?);
    } else {
        show::summary(&view);
        say(format_args!("\nall of it: benchloop show {id}"));
    }
    Ok(match view.status {
        RunStatus::Completed => DONE,
        RunStatus::Cancelled | RunStatus::Interrupted => STOPPED,
        _ => FAILED,
    })
}

async fn demo_server(engine: &Engine) -> Result<ScriptedServer, Failure> {
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    let suites = Arc::new(engine.suites().clone());
    demo::start(address, suites).await.map_err(|error| Failure::failed(format!("start the demo server: {error}")))
}

/// Ctrl-C cancels the run once; a second one ends the process at once and leaves the run interrupted.
fn stop_on_interrupt(engine: &Engine, id: &RunId) -> tokio::task::JoinHandle<()> {
    let (engine, id) = (engine.clone(), id.clone());
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            eprintln!("stopping; what has ended is kept (Ctrl-C again to leave at once)");
            _ = engine.cancel(&id).await;
        }
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(i32::from(STOPPED));
        }
    })
}

/// A progress bar on standard error; nothing where that is no terminal.
pub(super) fn bar_of(length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// Shows the run until it ends: a bar on a terminal, one line per trial elsewhere (on standard error, so that `--json`
/// stays one document).
async fn progress(engine: &Engine, id: &RunId) {
    let bar = bar_of(0);
    let terminal = std::io::stderr().is_terminal();
    bar.enable_steady_tick(Duration::from_millis(250));
    let line = |text: String| {
        let text = tame(&text);
        if terminal { bar.println(text) } else { eprintln!("{text}") }
    };
    line(format!("run {id}"));
    let mut view = RunView::new(id.clone());
    let mut live = Box::pin(engine.follow(id, 0));
    while let Some(next) = live.next().await {
        match next {
            Live::Event(event) => {
                view.apply(&event);
                if let Some(text) = line_for(&view, &event.what) {
                    line(text);
                }
                let (done, planned) = view.progress();
                bar.set_length(u64::from(planned));
                bar.set_position(u64::from(done));
                bar.set_message(left(&view, None));
            }
            Live::Pulse(pulse) => bar.set_message(left(&view, pulse.chunks_s)),
        }
    }
    bar.finish_and_clear();
}

fn left(view: &RunView, chunks_s: Option<f64>) -> String {
    let mut parts = Vec::new();
    if let Some(eta) = view.eta(clock::utc()) {
        parts.push(format!("{} left", unit::about(eta.seconds)));
    }
    if let Some(current) = &view.current {
        parts.push(format!("{}: {}", current.suite.title(), view.title_of(current.suite, &current.task)));
    }
    if let Some(rate) = chunks_s {
        parts.push(format!("{rate:.0} chunks/s"));
    }
    parts.join(" · ")
}

/// What a person wants to read of an event.
fn line_for(view: &RunView, what: &Happening) -> Option<String> {
    Some(match what {
        Happening::Waiting { position } => format!("waiting: place {position} in this server's queue"),
        Happening::Started { identity, wire, .. } => {
            let version = identity.server_version.as_deref().unwrap_or("version not told");
            format!("server: {} ({version}), {wire}", identity.server)
        }
        Happening::Preflight { card } => format!("preflight: {}", card.conclusion()),
        Happening::WarmedUp(warm_up) => format!("warm-up: TTFT {}", unit::ms(warm_up.sample.timing.ttft_ms)),
        Happening::SuiteStarted { suite } => format!("suite: {}", suite.title()),
        Happening::TrialFinished(_) => verdict_line(view, view.rows.last()?),
        Happening::TaskSkipped { suite, task, why } => format!("  skipped     {}: {why}", view.title_of(*suite, task)),
        Happening::SuiteStopped { suite, why } => format!("  stopped     {}: {why}", suite.title()),
        _ => return None,
    })
}

fn verdict_line(view: &RunView, row: &Row) -> String {
    let title = view.title_of(row.suite, &row.task);
    let trial = if row.trial > 1 { format!(" #{}", row.trial) } else { String::new() };
    let score = row.score.map(|score| format!("{score:.2}  ")).unwrap_or_default();
    let why = unit::cut(&words::why(view, row).replace('\n', " "), 140);
    format!("  {:<11} {title}{trial}: {score}{why}", words::verdict_word(row))
}
