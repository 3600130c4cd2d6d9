//! A finished run with one trial of three turns, written as a journal into a home: what transcripts are shown of.

use std::path::Path;

use benchloop::{
    domain::{
        event::{Ending, Happening, PlannedTask, Step, Trial},
        id::{RunId, SuiteId, Wire},
        identity::Identity,
        machine::Machine,
        plan::{RunForm, RunPlan},
        sample::{ErrorKind, Sample, SampleError, SampleState},
        transcript::{Message, Note, NoteKind, ToolCall},
        verdict::{Part, PartKind, Verdict},
    },
    engine::journal::Journal,
};
use serde_json::json;

/// What stands in the transcript, in this order.
pub const ORDER: [&str; 9] = [
    "Who tends the lighthouse of Farholm?",
    "First the register.",
    "look_up",
    "a trailing comma",
    "no entry &lt;for&gt; Farholm",
    "Then the almanac.",
    "read_almanac",
    "Ossian Tveit",
    "ANSWER: Ossian",
];

fn sample(answer: &str) -> Sample {
    let error = SampleError { kind: ErrorKind::Empty, message: String::new(), status: None };
    Sample { error: None, answer: answer.into(), ..Sample::failed(SampleState::Ok, None, error) }
}

fn step(answer: &str, tool: &str, result: &str, notes: Vec<Note>) -> Step {
    let arguments = json!({"place": "Farholm"});
    let call =
        ToolCall { id: None, name: tool.into(), arguments_raw: arguments.to_string(), arguments: Some(arguments) };
    Step { sample: sample(answer), calls: vec![call], results: vec![result.into()], notes }
}

fn trial() -> Trial {
    let repaired = Note { kind: NoteKind::Repaired, text: "read look_up in spite of a trailing comma".into() };
    let part = Part {
        name: "answer".into(),
        kind: PartKind::Correctness,
        weight: 1.0,
        score: 1.0,
        answer: Some("Ossian".into()),
        why: "as asked".into(),
    };
    Trial {
        suite: SuiteId::Reasonmath,
        task: "lighthouse".into(),
        trial: 1,
        seed: Some(7),
        max_tokens: 512,
        messages: vec![Message::user(ORDER[0])],
        tools: Vec::new(),
        steps: vec![
            step(ORDER[1], "look_up", "no entry <for> Farholm", vec![repaired]),
            step(ORDER[5], "read_almanac", r#"{"keeper":"Ossian Tveit"}"#, Vec::new()),
        ],
        sample: sample(ORDER[8]),
        calls: Vec::new(),
        notes: Vec::new(),
        verdict: Some(Verdict::of(vec![part])),
        verdict_absent: None,
        took_s: 1.5,
    }
}

/// Writes the run; its only task is `reasonmath/lighthouse`.
pub async fn write(home: &Path) -> RunId {
    let id: RunId = "20261101-080000-scripted-abcdef".parse().unwrap();
    let folder = home.join("runs").join(id.as_str());
    std::fs::create_dir_all(&folder).unwrap();
    let form = RunForm {
        model: "scripted".into(),
        endpoint: "http://127.0.0.1:1".into(),
        suites: vec!["reasonmath".into()],
        harness: "hermes".into(),
        ..RunForm::default()
    };
    let task = PlannedTask {
        suite: SuiteId::Reasonmath,
        task: "lighthouse".into(),
        title: "The keeper".into(),
        tier: 1,
        trials: 1,
        tools: 2,
        speed: None,
        digest: "sha256:00".into(),
    };
    let journal = Journal::create(&folder, id.clone()).unwrap();
    for what in [
        Happening::Queued {
            run: id.clone(),
            plan: Box::new(RunPlan::new(form).unwrap()),
            version: "0".into(),
            demo: false,
        },
        Happening::Started {
            wire: Wire::Ollama,
            identity: Box::new(Identity::default()),
            machine: Box::new(Machine::default()),
            tasks: vec![task],
            digest: "sha256:00".into(),
        },
        Happening::TrialFinished(Box::new(trial())),
        Happening::Finished { ending: Ending::Completed, why: None },
    ] {
        journal.append(what).await.unwrap();
    }
    id
}

/// The texts of [`ORDER`] that are missing or stand before their turn.
pub fn out_of_order(shown: &str) -> Vec<&'static str> {
    let mut at = 0;
    let mut wrong = Vec::new();
    for text in ORDER {
        match shown[at..].find(text) {
            Some(found) => at += found + text.len(),
            None => wrong.push(text),
        }
    }
    wrong
}
