//! `benchloop ask`: one call, measured as in a run.

use std::path::PathBuf;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{DONE, FAILED, Failure, STOPPED, clocks::ClockArgs, open, say, say_json, target::TargetArgs};
use crate::{
    domain::{
        id::{Thinking, Wire},
        plan::{NUM_CTX, SEED},
        sample::{Sample, SampleState},
        transcript::{Message, Tool},
        unit,
    },
    engine::{
        client::{BaseUrl, ChatRequest, Target},
        discover, identify,
    },
};

#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: TargetArgs,
    /// Tokens of the answer, thinking included
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: u32,
    #[command(flatten)]
    clocks: ClockArgs,
    #[arg(long, default_value = "auto", value_parser = ["auto", "on", "off"])]
    think: String,
    /// A JSON array of OpenAI-style tool definitions
    #[arg(long, value_name = "FILE")]
    tools: Option<PathBuf>,
    /// Ask for the answer in one piece; nothing but the total can be timed then
    #[arg(long)]
    no_stream: bool,
    /// Print the sample as JSON
    #[arg(long)]
    json: bool,
    prompt: String,
}

/// Reads OpenAI-style tools: `{"type": "function", "function": {…}}` or the inner object alone.
fn read_tools(path: &PathBuf) -> Result<Vec<Tool>, Failure> {
    let bad = |why: String| Failure::usage(format!("read tools from {}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    let list: Vec<Value> = serde_json::from_str(&text).map_err(|error| bad(format!("{error}; give a JSON array")))?;
    let read = |(index, entry): (usize, &Value)| {
        let function = entry.get("function").unwrap_or(entry);
        let name = function.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| bad(format!("entry {index} has no function name")))?;
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        let parameters = function.get("parameters").cloned();
        Ok(Tool {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: parameters.unwrap_or_else(|| serde_json::json!({"type": "object", "properties": {}})),
        })
    };
    list.iter().enumerate().map(read).collect()
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let engine = open()?;
    let base = BaseUrl::parse(&args.target.endpoint).map_err(|error| Failure::usage(error.to_string()))?;
    let clocks = args.clocks.clocks()?;
    let key = engine.key_for(&base);
    args.target.check()?;
    let known = match args.target.wire() {
        Some(wire) => Some(wire),
        None => {
            let server = discover::probe(&base, key.as_ref()).await;
            if !identify::offers(&server, &args.target.model) {
                let list = identify::offered(&server);
                eprintln!(
                    "benchloop: {} is not among the models that {} lists: {list}",
                    args.target.model,
                    base.as_str()
                );
            }
            server.wire
        }
    };
    let request = ChatRequest {
        model: args.target.model,
        messages: vec![Message::user(&args.prompt)],
        tools: args.tools.as_ref().map(read_tools).transpose()?.unwrap_or_default(),
        max_tokens: args.max_tokens,
        temperature: Some(0.0),
        seed: Some(SEED),
        thinking: args.think.parse::<Thinking>().map_err(|error| Failure::usage(error.to_string()))?,
        num_ctx: Some(NUM_CTX.max(args.max_tokens.saturating_add(1024))),
        stream: !args.no_stream,
        stop_loops: true,
        json: false,
    };
    let cancel = CancellationToken::new();
    let on_interrupt = cancel.clone();
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            on_interrupt.cancel();
        }
    });
    // where nothing can be told, the most common wire is tried first
    let mut target = Target { base, wire: known.unwrap_or(Wire::OpenaiCompat), key };
    let mut sample = engine.client().chat(&target, &request, &clocks, &cancel, &mut |_| ()).await;
    if known.is_none() && sample.error.as_ref().is_some_and(|error| matches!(error.status, Some(404 | 405))) {
        target.wire = Wire::Ollama;
        let mut other = engine.client().chat(&target, &request, &clocks, &cancel, &mut |_| ()).await;
        let requests = sample.requests + other.requests;
        if other.state.is_judged() {
            other.adaptations.push("/v1/chat/completions is not there; asked Ollama's /api/chat".to_owned());
            sample = other;
        }
        sample.requests = requests;
    }
    if args.json {
        say_json(&sample)?
    } else {
        print(&sample)
    }
    Ok(match sample.state {
        SampleState::Ok | SampleState::Truncated => DONE,
        SampleState::Cancelled => STOPPED,
        _ => FAILED,
    })
}

fn print(sample: &Sample) {
    if !sample.reasoning.is_empty() {
        say(format_args!("thinking: {}\n", unit::cut(sample.reasoning.trim(), 600)));
    }
    if !sample.answer.is_empty() {
        say(sample.answer.trim_end());
    }
    for call in &sample.tool_calls {
        say(format_args!("call: {}({})", call.name, call.arguments_raw));
    }
    if let Some(error) = &sample.error {
        say(format_args!("{}: {}", sample.state, error.message));
    } else {
        let class = sample.class.map(|class| format!(" ({class})")).unwrap_or_default();
        say(format_args!("\nstate: {}{class}", sample.state));
    }
    let tokens = |n: Option<u64>| n.map_or_else(|| unit::ABSENT.to_owned(), unit::count);
    let (timing, usage) = (&sample.timing, &sample.usage);
    say(format_args!(
        "tokens: {} in, {} out; TTFT {}, TTFO {}, total {}, connect {}",
        tokens(usage.prompt_tokens),
        tokens(usage.completion_tokens),
        unit::ms(timing.ttft_ms),
        unit::ms(timing.ttfo_ms),
        unit::ms(timing.total_ms),
        unit::ms(timing.connect_ms),
    ));
    say(format_args!("decode {}, prefill {}", unit::tok_s(timing.decode_tok_s), unit::tok_s(timing.prefill_tok_s)));
    let server = &sample.server_timing;
    if server.decode_tok_s.is_some() || server.prefill_tok_s.is_some() {
        say(format_args!(
            "server says: decode {}, prefill {}",
            unit::tok_s(server.decode_tok_s),
            unit::tok_s(server.prefill_tok_s)
        ));
    }
    for (field, why) in &sample.notes {
        say(format_args!("{field} is not known: {why}"));
    }
    for adaptation in &sample.adaptations {
        say(format_args!("not applied: {adaptation}"));
    }
    if !sample.flags.is_empty() {
        let flags: Vec<&str> = sample.flags.iter().map(|flag| flag.as_str()).collect();
        say(format_args!("flags: {}", flags.join(", ")));
    }
}
