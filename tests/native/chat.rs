//! A chat through the engine and through `/api/chat/generate`, against the scripted server.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use benchloop::{
    domain::{
        chat::{ChatForm, ChatLine, Said},
        id::{Thinking, Wire},
        run::RunStatus,
        sample::{Sample, SampleState},
        transcript::Role,
    },
    engine::{Engine, EngineErrorKind},
    server::{
        api,
        script::{Reply, ScriptedServer, Speech},
    },
};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::support::home::{home, plan};

fn form(server: &ScriptedServer) -> ChatForm {
    ChatForm {
        model: "scripted".into(),
        endpoint: server.url(),
        provider: None,
        system: "Be brief.".into(),
        turns: vec![Said { role: Role::User, text: "Hi".into() }],
        temperature: Some(0.5),
        max_tokens: Some(500),
        seed: Some(3),
        thinking: Thinking::Auto,
        force: false,
    }
}

/// The pieces of the answer, those of the thought, and the sample at the end.
async fn whole(engine: &Engine, form: ChatForm) -> (String, String, Sample) {
    let mut lines = std::pin::pin!(engine.chat(form).await.unwrap());
    let (mut answer, mut thought, mut done) = (String::new(), String::new(), None);
    while let Some(line) = lines.next().await {
        assert!(done.is_none(), "nothing follows the end");
        match line {
            ChatLine::Answer { text } => answer.push_str(&text),
            ChatLine::Reasoning { text } => thought.push_str(&text),
            ChatLine::Note { .. } => {}
            ChatLine::Done { sample } => done = Some(*sample),
        }
    }
    (answer, thought, done.unwrap())
}

const LONG: &str = "The tide comes in twice a day, and the harbour fills from the east before the boats can leave.";

#[tokio::test]
async fn an_answer_comes_in_pieces_and_ends_with_its_figures_on_both_wires() {
    let speech = Speech::of(LONG).after_thinking("Tides follow the moon.").paced(60.0, 100.0);
    let server = ScriptedServer::local(move |asked| {
        assert_eq!(asked.messages[0], (Role::System, "Be brief.".to_owned()));
        assert_eq!((asked.max_tokens, asked.seed), (Some(500), Some(3)));
        Reply::Say(speech.clone())
    })
    .await
    .unwrap();
    let home = home();
    for provider in [None, Some(Wire::Ollama), Some(Wire::OpenaiCompat)] {
        let (answer, thought, sample) = whole(&home.engine, ChatForm { provider, ..form(&server) }).await;

        assert_eq!((sample.state, answer.as_str(), sample.answer.as_str()), (SampleState::Ok, LONG, LONG));
        assert_eq!((thought.as_str(), sample.reasoning.as_str()), ("Tides follow the moon.", "Tides follow the moon."));
        let (ttft, ttfo) = (sample.timing.ttft_ms.unwrap(), sample.timing.ttfo_ms.unwrap());
        assert!(ttft >= 60.0 && ttfo > ttft, "{ttft} {ttfo}");
        assert!(sample.timing.decode_tok_s.is_some_and(|rate| (20.0..=110.0).contains(&rate)), "{:?}", sample.timing);
    }
}

#[tokio::test]
async fn when_the_listener_goes_away_the_generation_ends() {
    let speech = Speech::of(&LONG.repeat(20)).paced(5.0, 50.0);
    let all = speech.pieces.len();
    let server = ScriptedServer::local(move |_| Reply::Say(speech.clone())).await.unwrap();
    let home = home();
    let mut lines = Box::pin(home.engine.chat(form(&server)).await.unwrap());
    while !matches!(lines.next().await, Some(ChatLine::Answer { .. })) {}

    drop(lines);
    tokio::time::sleep(Duration::from_millis(400)).await;
    let soon_after = server.written()[0].pieces.len();
    tokio::time::sleep(Duration::from_millis(400)).await;

    assert_eq!(server.written()[0].pieces.len(), soon_after, "the server went on");
    assert!(soon_after < all / 2, "{soon_after} of {all}");
}

#[tokio::test]
async fn a_chat_beside_a_measured_run_is_refused_unless_it_is_forced_and_moves_nothing() {
    let server = ScriptedServer::local(|_| Reply::Say(Speech::of(LONG).paced(40.0, 100.0))).await.unwrap();
    let home = home();
    let run = home.engine.start(plan(&server, "scripted", "instructfollow")).await.unwrap();

    let Err(refusal) = home.engine.chat(form(&server)).await else { panic!("it was let in") };
    assert_eq!(refusal.kind(), EngineErrorKind::Conflict);
    assert!(refusal.to_string().contains(&run.to_string()), "{refusal}");
    let (answer, _, _) = whole(&home.engine, ChatForm { force: true, ..form(&server) }).await;
    assert_eq!(answer, LONG);

    assert_eq!(home.engine.finished(&run).await.unwrap().status, RunStatus::Completed);
    assert!(home.engine.chat(form(&server)).await.is_ok(), "the run is over");
}

#[tokio::test]
async fn a_server_that_fails_ends_the_chat_with_its_words() {
    let server = ScriptedServer::local(|_| Reply::Status(500, r#"{"error":"out of memory"}"#.into())).await.unwrap();
    let home = home();

    let (answer, _, sample) = whole(&home.engine, form(&server)).await;

    assert_eq!((sample.state, answer.as_str()), (SampleState::ProviderError, ""));
    assert!(sample.error.unwrap().message.contains("out of memory"));
}

async fn generate(engine: &Engine, body: Value) -> (u16, Value) {
    let request = Request::post("/api/chat/generate").body(Body::from(body.to_string())).unwrap();
    let response = api::router(engine).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1_000_000).await.unwrap();
    (status, serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn the_old_route_answers_whole_with_nulls_where_nothing_was_measured() {
    let server = ScriptedServer::saying("Yes.").await.unwrap();
    let home = home();

    for provider in ["ollama", "openai", "vmlx"] {
        let body = json!({"model": "scripted", "endpoint": server.url(), "provider": provider, "prompt": "Hi", "system": null});
        let (status, answer) = generate(&home.engine, body).await;

        assert_eq!(status, 200, "{answer}");
        assert_eq!(answer["message"], json!({"role": "assistant", "content": "Yes."}));
        let metrics = &answer["metrics"];
        assert_eq!(metrics["tokensPerSecond"], 0.0, "too few tokens for a rate");
        assert!(metrics["absent"]["tokensPerSecond"].is_string(), "{metrics}");
        assert_eq!(
            (&metrics["promptTokens"], &metrics["model"], &metrics["harness"]),
            (&json!(10), &json!("scripted"), &json!("raw"))
        );
    }
}

#[tokio::test]
async fn the_old_route_refuses_and_fails_with_the_status_that_says_whose_fault_it_is() {
    let server = ScriptedServer::local(|_| Reply::Status(500, r#"{"error":"no"}"#.into())).await.unwrap();
    let home = home();
    let whole = json!({"model": "scripted", "endpoint": server.url(), "prompt": "Hi"});
    let with = |field: &str, value: Value| {
        let mut body = whole.clone();
        body[field] = value;
        body
    };
    for (body, expected) in [
        (with("model", json!(" ")), 400),
        (with("prompt", Value::Null), 400),
        (with("endpoint", json!("ftp://x")), 400),
        (with("model", json!(7)), 422),
        (with("provider", json!("x")), 422),
        (json!([1]), 422),
        (whole.clone(), 502),
        (with("endpoint", json!("http://127.0.0.1:9")), 502),
    ] {
        let (status, answer) = generate(&home.engine, body.clone()).await;
        assert_eq!(status, expected, "{body}: {answer}");
        assert!(answer["detail"].is_string() || answer["detail"][0]["msg"].is_string(), "{answer}");
    }
}
