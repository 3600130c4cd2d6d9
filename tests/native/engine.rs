//! Whole runs through the engine against the scripted server: states, queue, journal, record, cancellation.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use benchloop::{
    domain::{
        id::{HarnessId, Profile, SuiteId},
        leaderboard::{BoardQuery, Source},
        plan::{Clocks, RunForm, RunPlan},
        run::{Mark, RunStatus},
        sample::{SampleClass, SampleState},
    },
    engine::{Engine, Live, grade::grade, suite},
    server::script::{
        Asked, Listed, Reply, ScriptedServer, Speech,
        demo::{self, DemoModel},
    },
};
use futures_util::StreamExt;

use crate::support::{
    home::{Home, form, home, plan},
    python,
};

async fn demo_server() -> ScriptedServer {
    demo::start("127.0.0.1:0".parse().unwrap(), Arc::new(suite::load().unwrap())).await.unwrap()
}

/// Runs two trials of each quick task against a demo model, and compares each suite's score with that of its script.
async fn scores_as_scripted(
    home: &Home,
    server: &ScriptedServer,
    model: &DemoModel,
    provider: &str,
    harness: HarnessId,
    suites: &[SuiteId],
) {
    let names: Vec<&str> = suites.iter().map(|suite| suite.as_str()).collect();
    let form = RunForm {
        provider: provider.into(),
        harness: harness.to_string(),
        trials: "2".into(),
        ..form(server, model.name, &names.join(","))
    };
    let run = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.status, RunStatus::Completed, "{:?}", view.error);
    assert!(view.is_demo());
    let all = suite::load().unwrap();
    for suite in suites.iter().copied() {
        let mut expected = Vec::new();
        for task in all.chosen(suite, Profile::Quick) {
            for trial in 1..=2 {
                let turns = demo::chosen(model, task, trial).unwrap();
                let said: Vec<_> = turns.iter().map(|turn| turn.said()).collect();
                expected.push(grade(task, &said, false, python()).await.unwrap().score);
            }
        }
        let expected = expected.iter().sum::<f64>() * 100.0 / expected.len() as f64;
        let found = view.suites().into_iter().find(|view| view.suite == suite).unwrap();
        let score = found.score.value.unwrap();
        assert!(
            (score - expected).abs() < 1e-9,
            "{} {provider} {harness} {suite}: {score}, not {expected}",
            model.name
        );
    }
}

#[tokio::test]
async fn a_demo_run_scores_what_its_script_says() {
    let (home, server) = (home(), demo_server().await);
    for model in demo::MODELS {
        for provider in ["ollama", "openai_compat"] {
            let suites = [SuiteId::Reasonmath, SuiteId::Instructfollow];
            scores_as_scripted(&home, &server, &model, provider, HarnessId::Raw, &suites).await;
        }
    }
    assert!(home.engine.leaderboard(BoardQuery::default()).await.entries.is_empty(), "demo runs rank with real ones");
    let demo = home.engine.leaderboard(BoardQuery { source: Source::Demo, ..BoardQuery::default() }).await;
    assert_eq!(demo.entries.len(), demo::MODELS.len());
}

/// The demo's answers without its pace.
async fn hurried_demo() -> ScriptedServer {
    let suites = suite::load().unwrap();
    let listed = demo::MODELS.iter().map(|model| Listed { name: model.name.into(), about: String::new() }).collect();
    let answer = move |asked: &Asked| match demo::answer(&suites, asked) {
        Reply::Say(speech) => Reply::Say(speech.paced(0.0, 0.0)),
        other => other,
    };
    ScriptedServer::start("127.0.0.1:0".parse().unwrap(), listed, answer).await.unwrap()
}

#[tokio::test]
async fn all_suites_score_what_the_script_says_through_every_harness_over_either_wire() {
    let (home, server) = (home(), hurried_demo().await);
    for (n, harness) in HarnessId::ALL.iter().copied().enumerate() {
        for (k, model) in demo::MODELS.iter().enumerate() {
            let provider = ["ollama", "openai_compat"][(n + k) % 2];
            scores_as_scripted(&home, &server, model, provider, harness, &SuiteId::QUALITY).await;
        }
    }
}

#[tokio::test]
async fn the_speed_suite_measures_decode_and_prefill() {
    let (home, server) = (home(), demo_server().await);
    let run = home.engine.start(plan(&server, "demo-hasty", "speed")).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.status, RunStatus::Completed, "{:?}", view.error);
    let points = view.speed_points();
    assert!(points.iter().all(|point| point.client.n == 5 && point.client.median.is_some()), "{points:?}");
    let decode = view.scores().decode_tok_s.median.unwrap();
    // 400 tok/s by script; the margin is for a busy machine
    assert!((200.0..=420.0).contains(&decode), "{decode} tok/s");
    assert!(view.scores().speed.value.is_some());
}

#[tokio::test]
async fn every_timed_prompt_begins_differently() {
    let home = home();
    let starts = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = starts.clone();
    let server = ScriptedServer::local(move |asked| {
        seen.lock().unwrap().push(asked.last_user_text().chars().take(24).collect::<String>());
        let speech = Speech::of(&"word ".repeat(40)).within(asked.max_tokens.unwrap_or(40));
        Reply::Say(Speech { prompt_tokens: Some(asked.length() as u64 / 4), ..speech })
    })
    .await
    .unwrap();
    let run = home.engine.start(plan(&server, "scripted", "speed")).await.unwrap();
    home.engine.finished(&run).await.unwrap();

    let starts = starts.lock().unwrap();

    assert!(starts.len() > 10, "warm-up and timed trials");
    assert_eq!(starts.iter().collect::<BTreeSet<_>>().len(), starts.len(), "{starts:?}");
}

#[tokio::test]
async fn a_server_that_always_fails_gives_no_score_and_a_failed_run() {
    let home = home();
    let server = ScriptedServer::local(|_| Reply::Status(500, "{\"error\":\"out of coffee\"}".into())).await.unwrap();
    let run = home.engine.start(plan(&server, "scripted", "reasonmath")).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.status, RunStatus::Failed);
    assert_eq!(view.scores().quality.value, None);
    assert!(view.error.as_deref().unwrap().contains("out of coffee"), "{:?}", view.error);
}

#[tokio::test]
async fn q38_a_server_that_dies_is_not_a_wrong_answer() {
    let home = home();
    let count = Arc::new(std::sync::atomic::AtomicU32::new(0));
    let server = ScriptedServer::local(move |_| match count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
        0 => Reply::Say(Speech::of("one two three four five six seven eight nine ten")),
        _ => Reply::Status(500, "{\"error\":\"gone\"}".into()),
    })
    .await
    .unwrap();
    let full = RunForm { profile: "standard".into(), ..form(&server, "scripted", "reasonmath") };
    let run = home.engine.start(RunPlan::new(full).unwrap()).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.status, RunStatus::Failed);
    assert!(view.rows.iter().all(|row| row.mark() == Mark::NotJudged && row.score.is_none()));
    // five equal failures in a row stop the suite, with advice
    assert_eq!(view.rows.len(), 5);
    assert!(view.stopped[0].why.contains("5 trials in a row"), "{}", view.stopped[0].why);
    let suite = &view.suites()[0];
    assert_eq!(suite.score.value, None);
    assert_eq!(view.scores().reliability.value, Some(0.0));
}

#[tokio::test]
async fn empty_answers_are_wrong_only_if_tokens_were_counted() {
    for (tokens, status) in [(Some(0), RunStatus::Failed), (Some(7), RunStatus::Completed)] {
        let home = home();
        let server = ScriptedServer::local(move |asked| {
            // the warm-up asks for 32 tokens and gets words
            if asked.max_tokens == Some(32) {
                return Reply::Say(Speech::of("one two three four five six seven eight nine"));
            }
            Reply::Say(Speech { completion_tokens: tokens, ..Speech::of("") })
        })
        .await
        .unwrap();
        let run = home.engine.start(plan(&server, "scripted", "reasonmath")).await.unwrap();

        let view = home.engine.finished(&run).await.unwrap();

        assert_eq!(view.status, status, "{tokens:?}: {:?}", view.error);
        if tokens == Some(0) {
            assert!(
                view.rows
                    .iter()
                    .all(|row| (row.state, row.class) == (SampleState::ProtocolError, Some(SampleClass::Empty)))
            );
            assert_eq!(view.scores().quality.value, None);
        } else {
            assert!(view.rows.iter().all(|row| row.state == SampleState::Ok && row.score == Some(0.0)));
            assert_eq!(view.scores().quality.value, Some(0.0));
        }
    }
}

#[tokio::test]
async fn a_run_can_be_cancelled_between_two_bytes() {
    let home = home();
    let server = ScriptedServer::local(|asked| {
        let slow = if asked.max_tokens == Some(32) { 0.0 } else { 5.0 };
        Reply::Say(Speech::of(&"word ".repeat(400)).paced(0.0, slow))
    })
    .await
    .unwrap();
    let run = home.engine.start(plan(&server, "scripted", "reasonmath")).await.unwrap();
    let mut live = Box::pin(home.engine.follow(&run, 0));
    while let Some(next) = live.next().await {
        if matches!(&next, Live::Pulse(pulse) if pulse.phase == "answering" && pulse.task != "warm-up") {
            break;
        }
    }

    home.engine.cancel(&run).await.unwrap();
    let view = tokio::time::timeout(Duration::from_secs(5), home.engine.finished(&run)).await.unwrap().unwrap();

    assert_eq!(view.status, RunStatus::Cancelled);
    assert_eq!(view.rows.last().unwrap().state, SampleState::Cancelled);
    assert!(home.engine.cancel(&run).await.is_err(), "an ended run can't be cancelled");
}

#[tokio::test]
async fn runs_on_this_machine_wait_for_each_other() {
    let (home, server) = (home(), demo_server().await);
    let first = home.engine.start(plan(&server, "demo-hasty", "reasonmath")).await.unwrap();
    let other = RunForm {
        endpoint: server.url().replace("127.0.0.1", "localhost"),
        ..form(&server, "demo-hasty", "reasonmath")
    };
    let second = home.engine.start(RunPlan::new(other).unwrap()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;

    let waiting = home.engine.view(&second).await.unwrap();
    assert_eq!((waiting.status, waiting.position), (RunStatus::Queued, Some(1)));

    let (first, second) = (home.engine.finished(&first).await.unwrap(), home.engine.finished(&second).await.unwrap());
    assert_eq!((first.status, second.status), (RunStatus::Completed, RunStatus::Completed));
    assert!(second.started_at > first.ended_at);
}

#[tokio::test]
async fn a_run_is_the_same_in_memory_on_disk_and_in_the_stream() {
    let (home, server) = (home(), demo_server().await);
    let run = home.engine.start(plan(&server, "demo-thinker", "reasonmath")).await.unwrap();
    let mut followed = benchloop::domain::run::RunView::new(run.clone());
    let mut live = Box::pin(home.engine.follow(&run, 0));
    while let Some(next) = live.next().await {
        if let Live::Event(event) = next {
            // what pages get: texts cut
            followed.apply(&event.light());
        }
    }
    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(followed, view);
    let again = Engine::open(home.folder.path()).unwrap();
    assert_eq!(again.view(&run).await.unwrap(), view);
    let record: serde_json::Value = serde_json::from_str(&again.raw_record(&run).await.unwrap()).unwrap();
    assert_eq!(record["run_id"], run.as_str());
    assert_eq!(record["status"], "completed");
    assert_eq!(record["demo"], true);
    assert_eq!(again.runs().await[0], home.engine.runs().await[0]);
    let trial = again.trial(&run, SuiteId::Reasonmath, &view.rows[0].task, 1).await.unwrap();
    assert!(!trial.messages.is_empty() && !trial.sample.reasoning.is_empty());
}

#[tokio::test]
async fn an_unknown_model_names_those_that_are_offered() {
    let (home, server) = (home(), demo_server().await);
    let run = home.engine.start(plan(&server, "demo-nobody", "reasonmath")).await.unwrap();
    let view = home.engine.finished(&run).await.unwrap();
    assert_eq!(view.status, RunStatus::Failed);
    assert!(view.error.as_deref().unwrap().contains("demo-steady"), "{:?}", view.error);
}

#[tokio::test]
async fn b7_b16_a_silent_server_is_a_timeout_that_names_its_clock() {
    let home = home();
    let server = ScriptedServer::local(|asked| {
        let wait = if asked.max_tokens == Some(32) { 0.0 } else { 60_000.0 };
        Reply::Say(Speech::of("late").paced(wait, 0.0))
    })
    .await
    .unwrap();
    let clocks = Clocks { first_byte_s: 0.2, idle_s: 0.2, ..Clocks::default() };
    let form = RunForm { clocks: Some(clocks), provider: "ollama".into(), ..form(&server, "scripted", "reasonmath") };
    let run = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert!(view.rows.iter().all(|row| row.state == SampleState::Timeout), "{:?}", view.error);
    let why = view.rows[0].not_judged.as_deref().unwrap();
    assert!(why.contains("timeout"), "{why}");
}

#[tokio::test]
async fn discovery_ends_soon_and_offers_the_demo() {
    let (home, server) = (home(), demo_server().await);
    home.engine.offer_demo(benchloop::engine::client::BaseUrl::parse(&server.url()).unwrap());
    let begun = benchloop::engine::clock::now();

    let servers = home.engine.servers().await;

    assert!(benchloop::engine::clock::now().ms_since(begun) < 3000.0);
    let demo = servers.iter().find(|found| found.url == server.url()).unwrap();
    assert!(demo.demo);
    assert_eq!(demo.models.len(), demo::MODELS.len());
}

#[tokio::test]
async fn q24_a_server_that_still_loads_is_waited_for() {
    let home = home();
    let begun = benchloop::engine::clock::now();
    let server = ScriptedServer::local(move |asked| {
        if benchloop::engine::clock::now().ms_since(begun) < 700.0 {
            return Reply::Status(
                503,
                r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#.into(),
            );
        }
        Reply::Say(
            Speech::of("one two three four five six seven eight nine ten").within(asked.max_tokens.unwrap_or(99)),
        )
    })
    .await
    .unwrap();
    let form = RunForm { provider: "openai_compat".into(), ..form(&server, "scripted", "reasonmath") };
    let run = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.status, RunStatus::Completed, "{:?}", view.error);
    assert!(view.load_ms.is_some_and(|ms| ms >= 400.0), "loading is reported apart: {:?}", view.load_ms);
    assert!(view.rows.iter().all(|row| row.state == SampleState::Ok));
}

#[tokio::test]
async fn a_prompt_that_the_server_cut_is_no_depth() {
    let home = home();
    let server = ScriptedServer::local(|asked| {
        // a server with room for 600 tokens counts no more, whatever it is sent
        let sent = asked.length() as u64 / 4;
        let speech = Speech::of(&"word ".repeat(40)).within(asked.max_tokens.unwrap_or(40));
        Reply::Say(Speech { prompt_tokens: Some(sent.min(600)), ..speech })
    })
    .await
    .unwrap();
    let run = home.engine.start(plan(&server, "scripted", "speed")).await.unwrap();

    let view = home.engine.finished(&run).await.unwrap();

    assert_eq!(view.skipped.len(), 1, "{:?}", view.skipped);
    assert!(view.skipped[0].why.contains("600 prompt tokens where about 2,048"), "{}", view.skipped[0].why);
    assert!(
        view.speed_points()
            .iter()
            .all(|point| matches!(point.kind, benchloop::domain::speed::SpeedKind::Decode { .. }))
    );
    let suite = &view.suites()[0];
    assert_eq!((suite.done, suite.planned, suite.judged), (5, 5, 5), "the skipped depth leaves the plan");
}

#[tokio::test]
async fn loading_another_context_in_the_warm_up_is_no_drift() {
    use benchloop::domain::{
        event::{Happening, RunEvent},
        identity::Identity,
        run::RunView,
    };
    let read = |i, context| RunEvent {
        i,
        at: benchloop::engine::clock::utc(),
        what: Happening::IdentityRead {
            identity: Box::new(Identity { context: Some(context), ..Identity::default() }),
        },
    };
    let mut view = RunView::new("r".parse().unwrap());
    view.identity = Some(Identity { context: Some(4096), ..Identity::default() });

    view.apply(&read(0, 10_240));

    assert!(view.drift.is_empty());
    assert_eq!(view.identity.as_ref().and_then(|identity| identity.context), Some(10_240));
}

#[tokio::test]
async fn a_broken_record_is_made_again_from_the_journal() {
    let (home, server) = (home(), demo_server().await);
    let run = home.engine.start(plan(&server, "demo-hasty", "reasonmath")).await.unwrap();
    let before = home.engine.finished(&run).await.unwrap();
    std::fs::write(home.folder.path().join("runs").join(run.as_str()).join("run.json"), "{\"half\":").unwrap();

    let row = Engine::open(home.folder.path()).unwrap().runs().await.remove(0);

    assert_eq!(row.status, RunStatus::Completed, "{:?}", row.error);
    assert_eq!(row.quality, before.scores().quality);
}

#[tokio::test]
async fn a_demo_run_is_marked_before_its_turn_comes() {
    let (home, server) = (home(), demo_server().await);
    home.engine.offer_demo(benchloop::engine::client::BaseUrl::parse(&server.url()).unwrap());
    let first = home.engine.start(plan(&server, "demo-hasty", "reasonmath")).await.unwrap();
    let second = home.engine.start(plan(&server, "demo-nobody", "reasonmath")).await.unwrap();

    assert!(home.engine.view(&second).await.unwrap().is_demo());

    home.engine.finished(&first).await.unwrap();
    let failed = home.engine.finished(&second).await.unwrap();
    assert_eq!((failed.status, failed.is_demo()), (RunStatus::Failed, true));
}
