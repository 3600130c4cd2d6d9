//! Servers that fail or say nothing of worth: none of them earns a point, and the states and reasons are right. Every built
//! quality suite, every built harness.

use benchloop::{
    domain::{
        id::{HarnessId, Profile, SuiteId},
        plan::{RunForm, RunPlan},
        run::{RunStatus, RunView},
        sample::{SampleClass, SampleState},
    },
    engine::suite,
    server::script::{Asked, Reply, ScriptedServer, Speech},
};

use crate::support::home::{form, home};

/// Runs all quality suites (quick) against a server that answers so; the warm-up gets plain words.
async fn run(harness: HarnessId, answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> RunView {
    let server = ScriptedServer::local(move |asked| {
        if asked.max_tokens == Some(32) {
            return Reply::Say(Speech::of("one two three four five six seven eight nine"));
        }
        answer(asked)
    })
    .await
    .unwrap();
    let home = home();
    let suites: Vec<&str> = quality().map(SuiteId::as_str).collect();
    let form = RunForm { harness: harness.to_string(), ..form(&server, "scripted", &suites.join(",")) };
    let run = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();
    home.engine.finished(&run).await.unwrap()
}

fn quality() -> impl Iterator<Item = SuiteId> {
    SuiteId::QUALITY.into_iter().filter(|suite| suite.is_built())
}

fn harnesses() -> impl Iterator<Item = HarnessId> {
    HarnessId::ALL.iter().copied().filter(|harness| harness.is_built())
}

/// Whether a task says that this kind of junk is no junk there.
fn declares(suite: SuiteId, task: &str, junk: &str) -> bool {
    let suites = suite::load().unwrap();
    suites.task(suite, task).is_some_and(|task| task.junk_ok.iter().any(|ok| ok == junk))
}

/// Every trial was judged, and only what a task declares earned points.
fn assert_worthless(view: &RunView, junk: &str) {
    assert_eq!(view.status, RunStatus::Completed, "{junk}: {:?}", view.error);
    let planned: usize = quality().map(|suite| suite::load().unwrap().chosen(suite, Profile::Quick).len()).sum();
    assert_eq!(view.rows.len(), planned, "{junk}: {:?}", view.stopped);
    for row in view.rows.iter().filter(|row| !declares(row.suite, &row.task, junk)) {
        assert_eq!(row.state, SampleState::Ok, "{}/{}", row.suite, row.task);
        assert_eq!(row.score, Some(0.0), "{junk} earns at {}/{}: {:#?}", row.suite, row.task, row.parts);
        assert!(!row.why.is_empty(), "{}/{}", row.suite, row.task);
    }
}

#[tokio::test]
async fn a_server_of_errors_has_no_quality_and_a_failed_run() {
    let view = run(HarnessId::Raw, |_| Reply::Status(500, "{\"error\":\"out of coffee\"}".into())).await;

    assert_eq!(view.status, RunStatus::Failed);
    assert_eq!(view.scores().quality.value, None);
    assert!(view.rows.iter().all(|row| row.state == SampleState::ProviderError && row.score.is_none()));
    assert!(view.rows.iter().all(|row| row.why.contains("out of coffee")), "{:?}", view.rows[0].why);
    assert!(view.suites().iter().all(|suite| suite.score.value.is_none() && suite.judged == 0));
}

#[tokio::test]
async fn empty_answers_without_a_token_have_no_quality_and_a_failed_run() {
    let view = run(HarnessId::Raw, |_| Reply::Say(Speech { completion_tokens: Some(0), ..Speech::of("") })).await;

    assert_eq!(view.status, RunStatus::Failed);
    assert_eq!(view.scores().quality.value, None);
    let empty = (SampleState::ProtocolError, Some(SampleClass::Empty));
    assert!(view.rows.iter().all(|row| (row.state, row.class) == empty && row.score.is_none()));
}

#[tokio::test]
async fn empty_answers_with_tokens_earn_nothing() {
    for harness in harnesses() {
        let view = run(harness, |_| Reply::Say(Speech { completion_tokens: Some(7), ..Speech::of("") })).await;
        assert_worthless(&view, "empty");
    }
}

#[tokio::test]
async fn an_echo_earns_nothing() {
    for harness in harnesses() {
        let view = run(harness, |asked| Reply::Say(Speech::of(asked.last_user_text()))).await;
        assert_worthless(&view, "echo");
    }
}

#[tokio::test]
async fn a_refusal_earns_nothing() {
    for harness in harnesses() {
        let view = run(harness, |_| Reply::Say(Speech::of("I cannot help with that."))).await;
        assert_worthless(&view, "refusal");
    }
}

#[tokio::test]
async fn a_line_repeated_for_ever_ends_each_sample_and_the_run_goes_on() {
    let view =
        run(HarnessId::Raw, |_| Reply::Say(Speech::of(&"I will now think about the task.\n".repeat(3000)))).await;

    assert_eq!(view.status, RunStatus::Completed, "{:?}", view.error);
    let looped = (SampleState::Truncated, Some(SampleClass::Loop));
    assert!(view.rows.iter().all(|row| (row.state, row.class) == looped && row.score == Some(0.0)));
}
