//! Whole trials of a task with tools through each harness, on both wires, against the demo server.

use std::sync::Arc;

use benchloop::{
    domain::{
        event::{Ending, Happening, Trial},
        id::{HarnessId, SuiteId, Wire},
        plan::{RunForm, RunPlan},
        reading::HarnessReport,
        run::RunView,
        transcript::Role,
    },
    engine::{
        client::Client,
        grade::grade,
        journal::Journal,
        run::Session,
        suite::{Suites, Turn, parse_suite, parse_task},
    },
    server::script::{
        Listed, Reply, ScriptedServer,
        demo::{self, DemoModel},
    },
};

use crate::support::python;

const TASK: &str = r#"
id = "depot"
version = 1
title = "Crates in the depot"
tier = 1
quick = true
[[messages]]
role = "system"
text = "You answer for the depot of Lomvik."
[[messages]]
role = "user"
text = "How many crates stand in halls A and B together? End with a line `ANSWER: <number>`."
[[tools]]
name = "count_crates"
description = "Counts the crates in one hall."
parameters = { type = "object", properties = { hall = { type = "string" } }, required = ["hall"] }
[[replies]]
tool = "count_crates"
when = { hall = "A" }
result = { crates = 17 }
[[replies]]
tool = "count_crates"
when = { hall = "B" }
result = { crates = 25 }
[check.number]
expected = "42"
[[accept]]
turns = [
  { text = "I ask for both halls.", calls = [{ name = "count_crates", arguments = { hall = "A" } }, { name = "count_crates", arguments = { hall = "B" } }] },
  { text = "17 + 25 = 42\n\nANSWER: 42" },
]
[[accept]]
turns = [
  { calls = [{ name = "count_crates", arguments = { hall = "A" } }] },
  { text = "And hall B.", calls = [{ name = "count_crates", arguments = { hall = "B" } }] },
  { text = "ANSWER: 42" },
]
[[reject]]
part = "answer"
why = "asks for one hall only and repeats itself"
turns = [{ text = "I ask.", calls = [{ name = "count_crates", arguments = { hall = "A" } }] }]
[[reject]]
part = "answer"
why = "never asks"
turns = [{ text = "ANSWER: 40" }]
[[reject]]
part = "answer"
why = "adds wrongly"
turns = [{ text = "", calls = [{ name = "count_crates", arguments = { hall = "B" } }] }, { text = "ANSWER: 41" }]
"#;

fn suites() -> Arc<Suites> {
    let task = parse_task(SuiteId::Reasonmath, "reasonmath/tasks/depot.toml", TASK).unwrap();
    let suite =
        parse_suite(SuiteId::Reasonmath, "id = \"reasonmath\"\nabout = \"One task with tools.\"", vec![task]).unwrap();
    Arc::new(Suites::of([suite]))
}

/// The demo; one that refuses system messages, if told so.
async fn server(suites: Arc<Suites>, refuses_system: bool) -> ScriptedServer {
    let listed = demo::MODELS.iter().map(|model| Listed { name: model.name.into(), about: String::new() }).collect();
    let answer = move |asked: &benchloop::server::script::Asked| {
        if refuses_system && asked.messages.iter().any(|(role, _)| *role == Role::System) {
            return Reply::Status(400, r#"{"error":"System role not supported"}"#.into());
        }
        demo::answer(&suites, asked)
    };
    ScriptedServer::start("127.0.0.1:0".parse().unwrap(), listed, answer).await.unwrap()
}

/// A run of the one task, with all its trials.
async fn run(suites: &Arc<Suites>, harness: HarnessId, wire: Wire, model: &str, folds: bool) -> (RunView, Vec<Trial>) {
    let (server, folder) = (server(suites.clone(), folds).await, tempfile::tempdir().unwrap());
    let form = RunForm {
        model: model.into(),
        endpoint: server.url(),
        provider: wire.to_string(),
        harness: harness.to_string(),
        suites: vec!["reasonmath".into()],
        trials: "4".into(),
        ..RunForm::default()
    };
    let plan = RunPlan::new(form).unwrap();
    let id = "run".parse().unwrap();
    let journal = Journal::create(folder.path(), id).unwrap();
    let queued =
        Happening::Queued { run: journal.view().id, plan: Box::new(plan.clone()), version: String::new(), demo: true };
    journal.append(queued).await.unwrap();
    let session = Session {
        plan,
        home: folder.path().to_owned(),
        python: python().clone(),
        client: Client::default(),
        suites: suites.clone(),
        journal: journal.clone(),
        cancel: tokio_util::sync::CancellationToken::new(),
    };
    let (ending, why) = session.run().await;
    assert_eq!(ending, Ending::Completed, "{harness} {wire} {model}: {why:?}");
    let trials = journal.events(0).into_iter().filter_map(|event| match event.what {
        Happening::TrialFinished(trial) => Some(*trial),
        _ => None,
    });
    (journal.view(), trials.collect())
}

/// One run whose trials must all be what the demo's examples are; returns how many turns were spoken.
async fn plays(suites: Arc<Suites>, harness: HarnessId, wire: Wire, folds: bool, model: DemoModel) -> u32 {
    let task = &suites.suite(SuiteId::Reasonmath).unwrap().tasks[0];
    let (view, trials) = run(&suites, harness, wire, model.name, folds).await;
    let mut report = HarnessReport::default();
    for trial in &trials {
        let label = format!("{harness} {wire} {} trial {}", model.name, trial.trial);
        let mut turns = demo::chosen(&model, task, trial.trial).unwrap().to_vec();
        if !turns.last().unwrap().calls.is_empty() {
            turns.push(Turn { text: "I have nothing to add.".into(), ..Turn::default() });
        }
        let said: Vec<_> = turns.iter().map(|turn| turn.said()).collect();
        let wanted = grade(task, &said, false, python()).await.unwrap();

        assert_eq!(trial.verdict.as_ref(), Some(&wanted), "{label}: {:?}", trial.sample);
        assert_eq!(trial.steps.len() + 1, turns.len(), "{label}");
        for (step, turn) in trial.steps.iter().zip(&turns) {
            let wanted: Vec<_> = turn.calls.iter().map(|call| &call.arguments).collect();
            let called: Vec<_> = step.calls.iter().map(|call| call.arguments.as_ref().unwrap()).collect();
            assert_eq!(called, wanted, "{label}");
            assert!(step.results.iter().all(|result| result.contains("crates")), "{label}");
        }
        assert!(trial.all_notes().next().is_none(), "{label}");
        let told = trial.samples().all(|sample| sample.adaptations.len() == usize::from(folds));
        assert!(told, "{label}: {:?}", trial.sample.adaptations);
        report.turns += turns.len() as u32;
        report.calls += turns.iter().map(|turn| turn.calls.len() as u32).sum::<u32>();
    }
    assert_eq!(view.harness_report(), Some(report));
    assert_eq!(serde_json::to_value(view.record()).unwrap()["harness_report"]["calls"], report.calls);
    report.turns
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_demo_plays_its_examples_through_every_harness_on_both_wires() {
    let suites = suites();
    let mut playing = tokio::task::JoinSet::new();
    for harness in HarnessId::ALL {
        for (wire, folds) in [(Wire::Ollama, false), (Wire::OpenaiCompat, false), (Wire::OpenaiCompat, true)] {
            for model in demo::MODELS {
                playing.spawn(plays(suites.clone(), *harness, wire, folds, model));
            }
        }
    }

    let spoken: u32 = playing.join_all().await.into_iter().sum();

    assert!(spoken > 200, "{spoken} turns");
}

#[tokio::test]
async fn counts_survive_the_trip_to_a_page() {
    let suites = suites();
    let (view, _) = run(&suites, HarnessId::Hermes, Wire::Ollama, "demo-steady", false).await;
    let server = ScriptedServer::local(|asked| {
        // the harness's tag is never closed, and its call stands in a thought first
        let call = r#"<tool_call>{"name":"count_crates","arguments":{"hall":"A"}}"#;
        let text = if asked.turn() == 0 { format!("So: <think>{call}</think>{call}") } else { "ANSWER: 42".to_owned() };
        Reply::Say(benchloop::server::script::Speech::of(&text))
    })
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plan = RunPlan { endpoint: server.url(), model: "scripted".into(), ..view.plan.unwrap() };
    let journal = Journal::create(folder.path(), "run".parse().unwrap()).unwrap();
    let (client, cancel) = (Client::default(), tokio_util::sync::CancellationToken::new());
    let home = folder.path().to_owned();
    Session { plan, home, python: python().clone(), client, suites, journal: journal.clone(), cancel }.run().await;

    let light: Vec<_> = journal.events(0).into_iter().map(|event| event.light()).collect();
    let view = RunView::of("run".parse().unwrap(), &light);

    let wanted = HarnessReport { turns: 8, calls: 4, repaired: 4, in_thought: 4, ..HarnessReport::default() };
    assert_eq!(view.harness_report(), Some(wanted));
    assert_eq!(view, journal.view());
}
