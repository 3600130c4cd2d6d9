//! Servers that say "later": Q24 to Q26. What is waited for, what is recorded, and what is never asked again.

use std::time::Duration;

use benchloop::{
    domain::{
        id::Wire,
        plan::Clocks,
        sample::{ErrorKind, Sample, SampleClass, SampleState},
    },
    engine::{
        client::{Client, Patience},
        clock,
    },
};
use tokio_util::sync::CancellationToken;

use super::{
    row::{DONE, counts, done, line, says, stops},
    sockets::{question, target},
};
use crate::support::wire::{End, Script, WireServer, head, head_with};

const SSE: &str = "text/event-stream";
const JSON: &str = "application/json";
const LOADING: &str = r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#;

fn good() -> Script {
    Script::answer(200, SSE, &(says("Hi") + &stops("stop") + &counts(5, 2) + DONE))
}

fn limited(header: &str) -> Script {
    Script::now(head_with(429, JSON, header) + r#"{"error":{"message":"slow down"}}"#)
}

async fn ask(client: &Client, server: &WireServer, wire: Wire) -> Sample {
    let target = target(&server.url(), wire);
    client.chat(&target, &question(9), &Clocks::default(), &CancellationToken::new(), &mut |_| {}).await
}

#[tokio::test]
async fn q25_retry_after_in_seconds_is_honoured_outside_the_times_and_told() {
    let server = WireServer::start(vec![limited("Retry-After: 1"), good()]).await;
    let begun = clock::now();

    let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

    let took = clock::now().ms_since(begun);
    assert_eq!((sample.state, sample.answer.as_str(), sample.requests), (SampleState::Ok, "Hi", 2));
    assert_eq!((sample.waited_ms, sample.waited_for), (Some(1000.0), Some(SampleClass::RateLimit)));
    assert!(took >= 1000.0 && sample.timing.total_ms.unwrap() < took - 900.0, "{took} ms, {:?}", sample.timing);
    assert_eq!(
        sample.adaptations,
        ["the server answered 429 (rate_limit); asked once more after 1.0 s of waiting, as the server asked"]
    );
}

#[tokio::test]
async fn q25_retry_after_as_a_date_is_read_by_the_servers_own_clock() {
    // the server's clock is years off; only the difference counts
    let dates = "Date: Wed, 02 Sep 2020 08:00:00 GMT\r\nRetry-After: Wed, 02 Sep 2020 08:00:01 GMT";
    let server = WireServer::start(vec![limited(dates), good()]).await;

    let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

    assert_eq!((sample.state, sample.requests, sample.waited_ms), (SampleState::Ok, 2, Some(1000.0)));
}

#[tokio::test]
async fn q25_patience_has_an_end_that_is_no_zero_and_is_shorter_the_next_time() {
    let server = WireServer::start(vec![limited("Retry-After: 3600")]).await;
    let client = Client::default().with_patience(Patience { pause_s: 0.3, total_s: 0.7 });

    let first = ask(&client, &server, Wire::OpenaiCompat).await;

    assert_eq!(
        (first.state, first.class, first.requests),
        (SampleState::ProviderError, Some(SampleClass::RateLimit), 4)
    );
    assert!((first.waited_ms.unwrap() - 700.0).abs() < 1e-6, "{:?}", first.waited_ms);
    assert_eq!(
        (first.error.as_ref().unwrap().kind, first.error.as_ref().unwrap().status),
        (ErrorKind::Status, Some(429))
    );
    assert!(first.adaptations[0].contains("asked 3 times more after 0.7 s"), "{:?}", first.adaptations);
    assert!(first.timing.ttft_ms.is_none() && first.timing.total_ms.is_none());
}

#[tokio::test]
async fn q24_a_loading_server_is_asked_again_until_it_is_ready() {
    for (wire, status, body) in [
        (Wire::OpenaiCompat, 503, LOADING),
        (Wire::OpenaiCompat, 500, LOADING),
        (Wire::OpenaiCompat, 200, "data: {\"error\":{\"code\":503,\"message\":\"Loading model\"}}\n\n"),
        (Wire::OpenaiCompat, 503, "Service Unavailable"),
        (Wire::Ollama, 503, r#"{"error":"model is loading"}"#),
    ] {
        let loading = Script::answer(status, if status == 200 { SSE } else { JSON }, body);
        let ready = match wire {
            Wire::OpenaiCompat => good(),
            Wire::Ollama => Script::answer(200, "application/x-ndjson", &(line("Hi") + &done("stop", ""))),
        };
        let server = WireServer::start(vec![loading.clone(), loading, ready]).await;

        let sample = ask(&Client::default(), &server, wire).await;

        assert_eq!((sample.state, sample.answer.as_str(), sample.requests), (SampleState::Ok, "Hi", 3), "{body}");
        assert_eq!(sample.waited_ms, Some(1500.0), "{body}");
        assert!(sample.timing.total_ms.unwrap() < 1400.0, "the pauses are in the times: {:?}", sample.timing);
        assert!(sample.adaptations[0].contains("asked 2 times more after 1.5 s"), "{:?}", sample.adaptations);
    }
}

#[tokio::test]
async fn a_busy_server_is_never_asked_again_once_something_was_generated() {
    let broken = says("The ") + "data: {\"error\":{\"code\":429,\"message\":\"slow down\"}}\n\n";
    let server = WireServer::start(vec![Script::answer(200, SSE, &broken), good()]).await;

    let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

    assert_eq!((sample.state, sample.answer.as_str()), (SampleState::ProviderError, "The "));
    assert_eq!((sample.requests, sample.waited_ms, server.requests().len()), (1, None, 1));
}

#[tokio::test]
async fn what_waiting_does_not_help_is_not_waited_for() {
    for (status, body) in [
        (500, r#"{"error":"out of coffee"}"#),
        (502, "Bad Gateway"),
        (401, "Unauthorized"),
        (404, r#"{"error":"model 'm' not found"}"#),
        (429, r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#),
        (503, r#"{"error":"cudaMalloc failed: out of memory"}"#),
    ] {
        let server = WireServer::start(vec![Script::answer(status, JSON, body), good()]).await;

        let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

        assert_eq!((sample.requests, sample.waited_ms), (1, None), "{status} {body}");
        assert!(!sample.state.is_judged() && sample.adaptations.is_empty(), "{status} {body}");
    }
}

#[tokio::test]
async fn a_pause_ends_with_the_users_stop() {
    let server = WireServer::start(vec![limited("Retry-After: 30"), good()]).await;
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        stop.cancel();
    });
    let begun = clock::now();

    let target = target(&server.url(), Wire::OpenaiCompat);
    let sample = Client::default().chat(&target, &question(9), &Clocks::default(), &cancel, &mut |_| {}).await;

    assert!(clock::now().ms_since(begun) < 5000.0);
    assert_eq!((sample.state, sample.requests, server.requests().len()), (SampleState::Cancelled, 1, 1));
    assert_eq!(sample.error.unwrap().kind, ErrorKind::Cancelled);
}

#[tokio::test]
async fn a_lost_connection_a_refused_field_and_a_busy_server_in_one_sample_are_all_told() {
    let server = WireServer::choosing(|number, request| match number {
        0 => Script { pieces: Vec::new(), end: End::Close },
        1 => limited("Retry-After: 0"),
        _ if request.json().get("seed").is_some() => Script::answer(400, JSON, r#"{"error":"unknown field seed"}"#),
        _ => good(),
    })
    .await;

    let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

    assert_eq!((sample.state, sample.requests), (SampleState::Ok, 4));
    assert_eq!(
        sample.adaptations,
        [
            "seed not applied: refused with status 400; sent without it",
            "the connection was lost before any byte of an answer; sent once more",
            "the server answered 429 (rate_limit); asked once more after 0.2 s of waiting, as the server asked",
        ]
    );
}

#[tokio::test]
async fn headers_that_came_are_an_answer_and_its_loss_is_not_asked_again() {
    let server =
        WireServer::start(vec![Script { pieces: vec![(0.0, head(200, SSE).into_bytes())], end: End::Reset }, good()])
            .await;

    let sample = ask(&Client::default(), &server, Wire::OpenaiCompat).await;

    assert_eq!((sample.state, sample.requests, server.requests().len()), (SampleState::TransportError, 1, 1));
}
