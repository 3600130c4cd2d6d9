//! `benchloop grade`: judges any answer to a task as a run would.

use std::{io::Read, path::PathBuf};

use serde_json::{Value, json};

use super::{DONE, Failure, say, say_json};
use crate::{
    domain::{
        id::{HarnessId, SuiteId},
        sample::Sample,
        transcript::ToolCall,
        unit,
        verdict::{PartKind, Verdict},
    },
    engine::{
        check::Said,
        client::think,
        grade::grade,
        harness,
        python::Python,
        suite::{self, Source, Suites, Task},
    },
};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The task, as suite/id; an id alone if only one suite has it
    #[arg(value_name = "SUITE/TASK")]
    task: String,
    /// A file with the answer, - for standard input. For a task with tools: a JSON list of the assistant's turns, each
    /// {"text": …, "calls": [{"name": …, "arguments": {…}}]}
    #[arg(long, value_name = "FILE")]
    answer: PathBuf,
    /// How the turns' texts are read, as in a run
    #[arg(long, default_value = "raw", value_parser = ["raw", "hermes", "qwen", "pi"])]
    harness: String,
    /// Judge as an answer that was cut by its token budget
    #[arg(long)]
    truncated: bool,
    /// Read the task files from a folder laid out like suites/ instead of those in this binary
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Print the verdict as JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let source = args.folder.map_or(Source::BuiltIn, Source::Folder);
    let suites = suite::load_from(&source).map_err(|error| Failure::failed(error.to_string()))?;
    let task = find(&suites, &args.task)?;
    let text = read(&args.answer)?;
    let harness: HarnessId = args.harness.parse().map_err(|error| Failure::usage(format!("--harness: {error}")))?;
    let turns: Vec<Said> = turns(task, &text)?.into_iter().map(|turn| turn.read(harness, task)).collect();
    let verdict = grade(task, &turns, args.truncated, &Python::of_this_program()).await;
    let verdict = verdict.map_err(|why| Failure::failed(format!("judge: {why}")))?;
    if args.json {
        say_json(&shown(task, &verdict))?
    } else {
        print(task, &verdict, &turns)
    }
    Ok(DONE)
}

fn find<'a>(suites: &'a Suites, name: &str) -> Result<&'a Task, Failure> {
    let (suite, id) = match name.split_once('/') {
        Some((suite, id)) => {
            let suite = suite.parse::<SuiteId>().map_err(|error| Failure::usage(error.to_string()))?;
            (Some(suite), id)
        }
        None => (None, name),
    };
    let all = suites.all().filter(|each| suite.is_none_or(|suite| suite == each.id)).flat_map(|suite| &suite.tasks);
    let tasks: Vec<&Task> = all.collect();
    match tasks.iter().filter(|task| task.id == id).collect::<Vec<_>>().as_slice() {
        [task] => Ok(task),
        [] => {
            let known: Vec<String> = tasks.iter().map(|task| format!("{}/{}", task.suite, task.id)).collect();
            Err(Failure::usage(format!("there is no task {name}; known: {}", known.join(", "))))
        }
        _ => Err(Failure::usage(format!("several suites have a task {id}; name it as suite/{id}"))),
    }
}

fn read(path: &PathBuf) -> Result<String, Failure> {
    let bad = |why: String| Failure::usage(format!("read the answer from {}: {why}", path.display()));
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes).map_err(|error| bad(error.to_string()))?;
    } else {
        bytes = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
    }
    String::from_utf8(bytes).map_err(|_| bad("not UTF-8; save it as UTF-8".into()))
}

/// One turn as it was written down: text as a model sends it, and native calls.
#[derive(Debug, Clone, PartialEq, Default)]
struct Written {
    text: String,
    calls: Vec<ToolCall>,
}

impl Written {
    /// Reads the turn as a run would: thoughts stripped, then through the harness.
    fn read(self, harness: HarnessId, task: &Task) -> Said {
        let split = think::split(&self.text);
        let answer = self.text.get(split.answer_at..).unwrap_or_default().to_owned();
        let parsed = harness::parse(harness, &Sample::written(answer, split.reasoning, self.calls), &task.tools);
        Said { text: parsed.text, calls: parsed.calls, notes: parsed.notes }
    }
}

/// The turns of an answer: a JSON list of turns for a task with tools, else the whole text as one turn.
fn turns(task: &Task, text: &str) -> Result<Vec<Written>, Failure> {
    let whole = || vec![Written { text: text.to_owned(), ..Written::default() }];
    if task.tools.is_empty() || !text.trim_start().starts_with('[') {
        return Ok(whole());
    }
    let Ok(Value::Array(items)) = serde_json::from_str::<Value>(text) else { return Ok(whole()) };
    let mut turns = Vec::new();
    for (index, item) in items.iter().enumerate() {
        // results of tools may stand between the turns; the simulation makes its own
        if matches!(item.get("role").and_then(Value::as_str), Some("tool" | "user" | "system")) {
            continue;
        }
        turns.push(turn(item).map_err(|why| {
            Failure::usage(format!(
                "read turn {index} of the answer: {why}; a turn is {{\"text\": …, \"calls\": [{{\"name\": …, \"arguments\": {{…}}}}]}}"
            ))
        })?);
    }
    Ok(turns)
}

/// A turn in our own form, as a chat message with `content` and `tool_calls`, or as plain text.
fn turn(item: &Value) -> Result<Written, String> {
    if let Value::String(text) = item {
        return Ok(Written { text: text.clone(), calls: Vec::new() });
    }
    let fields = item.as_object().ok_or("it is neither an object nor a text")?;
    if let Some(unknown) =
        fields.keys().find(|key| !["text", "content", "calls", "tool_calls", "role"].contains(&key.as_str()))
    {
        return Err(format!("it has an unknown field {unknown:?}"));
    }
    let text = match fields.get("text").or(fields.get("content")) {
        Some(Value::String(text)) => text.clone(),
        None | Some(Value::Null) => String::new(),
        Some(_) => return Err("its text is no text".into()),
    };
    let calls = match fields.get("calls").or(fields.get("tool_calls")) {
        Some(Value::Array(calls)) => calls.iter().map(call).collect::<Result<_, _>>()?,
        None | Some(Value::Null) => Vec::new(),
        Some(_) => return Err("its calls are no list".into()),
    };
    Ok(Written { text, calls })
}

fn call(item: &Value) -> Result<ToolCall, String> {
    let function = item.get("function").filter(|function| function.is_object()).unwrap_or(item);
    let name = function.get("name").and_then(Value::as_str).ok_or("a call has no name")?.to_owned();
    let id = item.get("id").and_then(Value::as_str).map(str::to_owned);
    Ok(match function.get("arguments") {
        Some(Value::String(raw)) => ToolCall::from_text(id, name, raw.clone()),
        Some(value) => ToolCall {
            id,
            name,
            arguments: Some(value.clone()).filter(Value::is_object),
            arguments_raw: value.to_string(),
        },
        None => ToolCall::from_text(id, name, String::new()),
    })
}

fn shown(task: &Task, verdict: &Verdict) -> Value {
    let parts: Vec<Value> = verdict
        .parts
        .iter()
        .map(|part| {
            json!({
                "name": part.name,
                "kind": part.kind,
                "weight": part.weight,
                "score": part.score,
                "answer": part.answer,
                "why": part.why,
            })
        })
        .collect();
    json!({
        "task": format!("{}/{}", task.suite, task.id),
        "score": verdict.score,
        "passed": verdict.passed,
        "parts": parts,
    })
}

fn print(task: &Task, verdict: &Verdict, turns: &[Said]) {
    say(format_args!("{}/{}: {}, {:.2}", task.suite, task.id, verdict.mark(), verdict.score));
    for part in &verdict.parts {
        let kind = if part.kind == PartKind::Format { " (format)" } else { "" };
        let answer =
            part.answer.as_deref().map(|text| format!("  answer: {}", unit::cut(text, 120))).unwrap_or_default();
        say(format_args!("  {:.2}  {}{kind}: {}{answer}", part.score, part.name, part.why));
    }
    for note in turns.iter().flat_map(|turn| &turn.notes) {
        say(format_args!("  {}: {}", note.kind.as_str().replace('_', " "), unit::cut(&note.text, 200)));
    }
}
