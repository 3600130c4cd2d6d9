//! The four harnesses through their public functions: what is sent, what is read, what goes back. To add a reading, add a
//! row to the table in `reading`.

mod prompts;
mod reading;
mod round_trip;
mod runs;
mod thinking;

use benchloop::{
    domain::{
        id::HarnessId,
        sample::{ErrorKind, Sample, SampleError, SampleState},
        transcript::{Message, NoteKind, Role, Tool, ToolCall},
    },
    engine::{
        harness::{self, Parsed},
        suite::{Task, parse_task},
    },
};
use serde_json::{Value, json};

const TAGGED: [HarnessId; 3] = [HarnessId::Hermes, HarnessId::Qwen, HarnessId::Pi];

/// A sample that ended well with this content.
fn sample(answer: &str) -> Sample {
    let error = SampleError { kind: ErrorKind::Empty, message: String::new(), status: None };
    Sample {
        state: SampleState::Ok,
        error: None,
        answer: answer.to_owned(),
        ..Sample::failed(SampleState::Ok, None, error)
    }
}

fn native(name: &str, arguments: &Value) -> ToolCall {
    ToolCall {
        id: Some("c1".into()),
        name: name.into(),
        arguments: Some(arguments.clone()).filter(Value::is_object),
        arguments_raw: arguments.to_string(),
    }
}

fn tools() -> Vec<Tool> {
    let tool = |name: &str, description: &str| Tool {
        name: name.into(),
        description: description.into(),
        parameters: json!({"type": "object", "properties": {"x": {"type": "string"}}}),
    };
    vec![tool("f", "Größe"), tool("g", "")]
}

/// A task with a system message, a question and, if wanted, two tools with canned replies.
fn task(with_tools: bool) -> Task {
    let tools = if with_tools {
        "[[tools]]\nname = \"f\"\ndescription = \"Größe\"\nparameters = { type = \"object\" }\n[[tools]]\nname = \"g\"\n\
         description = \"\"\nparameters = { type = \"object\" }\n"
    } else {
        ""
    };
    let text = format!(
        "id = \"t\"\nversion = 1\ntitle = \"T\"\ntier = 1\nquick = true\n[[messages]]\nrole = \"system\"\ntext = \"Be \
         brief.\"\n[[messages]]\nrole = \"user\"\ntext = \"What is 2 + 2?\"\n{tools}[check.number]\nexpected = \"4\"\n\
         [[accept]]\nturns = [{{ text = \"ANSWER: 4\" }}]\n[[accept]]\nturns = [{{ text = \"4\" }}]\n"
    ) + &"[[reject]]\npart = \"answer\"\nwhy = \"no\"\nturns = [{ text = \"5\" }]\n".repeat(3);
    parse_task(benchloop::domain::id::SuiteId::Reasonmath, "t.toml", &text).unwrap()
}

/// Calls as `f({"x":1})`, in order.
fn called(calls: &[ToolCall]) -> Vec<String> {
    calls.iter().map(|call| format!("{}({})", call.name, call.arguments.clone().unwrap_or_default())).collect()
}

fn kinds(parsed: &Parsed) -> Vec<NoteKind> {
    parsed.notes.iter().map(|note| note.kind).collect()
}

/// A call as this harness wants it written.
fn written(harness: HarnessId, json: &str) -> String {
    let tag = if harness == HarnessId::Qwen { "function_call" } else { "tool_call" };
    format!("<{tag}>{json}</{tag}>")
}

/// The roles of a whole conversation after some rounds of calls.
fn roles(harness: HarnessId, rounds: usize) -> Vec<Role> {
    let answer = written(harness, r#"{"name":"f","arguments":{}}"#);
    let sample = sample(&answer);
    let parsed = harness::parse(harness, &sample, &tools());
    let mut messages: Vec<Message> = harness::prepare(harness, &task(true)).messages;
    for _ in 0..rounds {
        messages.extend(harness::reply(harness, &sample, &parsed, &["{}".to_owned()]));
    }
    messages.iter().map(|message| message.role).collect()
}
