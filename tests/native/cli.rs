//! The command line as a user meets it: the real binary, real exit codes, real files.

use std::{
    path::Path,
    process::{Command, Output, Stdio},
    time::Duration,
};

use benchloop::{
    engine::{Engine, clock, suite},
    server::script::{Reply, ScriptedServer, Speech, demo},
};
use serde_json::Value;

use crate::support::talk;

fn benchloop(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_benchloop"));
    command
        .env("BENCHLOOP_HOME", home)
        .env_remove("OPENAI_API_KEY")
        .env_remove("BENCHLOOP_OPENAI_KEYS")
        .stdin(Stdio::null());
    command
}

async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn ask_prints_one_sample_and_exits_by_its_state() {
    let home = tempfile::tempdir().unwrap();
    let server = ScriptedServer::local(|asked| match asked.last_user_text() {
        "fail" => Reply::Status(500, "{\"error\":\"no\"}".into()),
        _ => Reply::Say(
            Speech::of("one two three four five six seven eight nine ten").after_thinking("hm").paced(5.0, 50.0),
        ),
    })
    .await
    .unwrap();
    for provider in ["auto", "ollama", "openai_compat"] {
        let ask = |prompt: &str| {
            let mut command = benchloop(home.path());
            command.args([
                "ask",
                "--endpoint",
                &server.url(),
                "--model",
                "scripted",
                "--provider",
                provider,
                "--json",
                prompt,
            ]);
            output(command)
        };

        let (well, badly) = (ask("go").await, ask("fail").await);

        assert_eq!((well.status.code(), badly.status.code()), (Some(0), Some(1)), "{provider}");
        let sample = json(&well);
        for key in [
            "state",
            "class",
            "answer",
            "reasoning",
            "tool_calls",
            "finish_reason",
            "usage",
            "timing",
            "notes",
            "flags",
            "requests",
            "adaptations",
            "error",
        ] {
            assert!(sample.get(key).is_some(), "{provider}: no {key} in {sample}");
        }
        for key in [
            "connect_ms",
            "load_ms",
            "ttft_ms",
            "ttfo_ms",
            "total_ms",
            "decode_tok_s",
            "prefill_tok_s",
            "tpot_ms",
            "inter_chunk_ms",
        ] {
            assert!(sample["timing"].get(key).is_some(), "{provider}: no timing.{key}");
        }
        assert_eq!((&sample["state"], &sample["reasoning"]), (&"ok".into(), &"hm".into()));
        assert!(sample["timing"]["decode_tok_s"].as_f64().unwrap() > 0.0);
        let sample = json(&badly);
        assert_eq!((&sample["state"], &sample["error"]["status"]), (&"provider_error".into(), &500.into()));
        assert_eq!(sample["timing"]["ttft_ms"], Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_usage_exits_with_two_and_says_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 6] = [
        (&["run", "--model", "m"], "--endpoint"),
        (&["run", "--endpoint", "ftp://x", "--model", "m"], "ftp"),
        (&["run", "--endpoint", "http://127.0.0.1:9", "--model", "m", "--suites", "poetry"], "\"poetry\" is no suite"),
        (&["run", "--endpoint", "http://127.0.0.1:9", "--model", "m", "--trials", "0"], "trials"),
        (&["ask", "--endpoint", "http://127.0.0.1:9", "--model", "m", "--idle-timeout", "0", "hi"], "--idle-timeout"),
        (&["show", "../x"], "no run id"),
    ];
    for (arguments, expected) in cases {
        let mut command = benchloop(home.path());
        command.args(arguments);
        let output = output(command).await;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_prints_one_document_and_is_listed_and_shown() {
    let home = tempfile::tempdir().unwrap();
    let mut command = benchloop(home.path());
    command.args(["run", "--demo", "--model", "demo-hasty", "--suites", "reasonmath", "--profile", "quick", "--json"]);

    let ran = output(command).await;

    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let record = json(&ran);
    assert_eq!(
        (&record["status"], &record["demo"], &record["score_schema_version"]),
        (&"completed".into(), &true.into(), &"4.0.0".into())
    );
    let mut list = benchloop(home.path());
    list.args(["list", "--json"]);
    let listed = json(&output(list).await);
    assert_eq!(
        (&listed[0]["id"], &listed[0]["status"], &listed[0]["model"]),
        (&record["run_id"], &"completed".into(), &"demo-hasty".into())
    );
    let task = record["suites"]["reasonmath"]["tasks"][0]["task_id"].as_str().unwrap().to_owned();
    let mut show = benchloop(home.path());
    show.args(["show", record["run_id"].as_str().unwrap(), "--task", &task]);
    let shown = output(show).await;
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.contains("[user]") && text.contains("[assistant]") && text.contains("verdict:"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_endpoint_is_a_failed_run_and_exit_code_one() {
    let home = tempfile::tempdir().unwrap();
    let mut command = benchloop(home.path());
    command.args(["run", "--endpoint", "http://127.0.0.1:9", "--model", "m", "--suites", "reasonmath", "--json"]);
    let ran = output(command).await;
    assert_eq!(ran.status.code(), Some(1));
    let record = json(&ran);
    assert_eq!(record["status"], "failed");
    assert_eq!(record["quality_score"], Value::Null);
    assert!(record["error"].as_str().unwrap().contains("nothing is listening"), "{}", record["error"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn b15_a_killed_run_is_interrupted_and_keeps_every_finished_trial() {
    let home = tempfile::tempdir().unwrap();
    let server =
        demo::start("127.0.0.1:0".parse().unwrap(), std::sync::Arc::new(suite::load().unwrap())).await.unwrap();
    let mut command = benchloop(home.path());
    command.args([
        "run",
        "--endpoint",
        &server.url(),
        "--model",
        "demo-steady",
        "--suites",
        "reasonmath,instructfollow",
    ]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let engine = Engine::open(home.path()).unwrap();
    let begun = clock::now();
    let mut finished = 0;
    while finished < 3 {
        assert!(clock::now().ms_since(begun) < 60_000.0, "three trials in a minute");
        tokio::time::sleep(Duration::from_millis(20)).await;
        finished = engine.runs().await.first().map_or(0, |row| row.done);
    }
    let running = engine.runs().await.remove(0);
    assert_eq!(running.status.as_str(), "running", "another process runs it");

    child.kill().unwrap();
    child.wait().unwrap();

    let after = engine.runs().await.remove(0);
    assert_eq!(after.status.as_str(), "interrupted");
    let view = engine.view(&after.id).await.unwrap();
    assert!(view.rows.len() >= finished as usize);
    assert!(view.rows.iter().all(|row| row.score.is_some()));
}

#[tokio::test]
async fn a_trial_of_several_turns_is_shown_as_a_conversation() {
    let home = tempfile::tempdir().unwrap();
    let run = talk::write(home.path()).await;
    let shown = |arguments: &[&str]| {
        let mut command = benchloop(home.path());
        command.arg("show").arg(run.as_str()).args(arguments);
        output(command)
    };

    let (transcript, figures) = (shown(&["--task", "lighthouse"]).await, shown(&[]).await);

    let text = String::from_utf8(transcript.stdout).unwrap();
    let wrong = talk::out_of_order(&text.replace('<', "&lt;").replace('>', "&gt;"));
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    assert!(text.contains("[assistant, turn 1 of 3]") && text.contains("timing of the last turn"), "{text}");
    let figures = String::from_utf8(figures.stdout).unwrap();
    assert!(figures.contains("harness      hermes, 3 turns read, 2 calls: 1 repaired"), "{figures}");
}
