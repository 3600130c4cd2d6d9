//! What happens between client and server beside the bytes of one answer: retries, adaptations, redirects, keys.

use std::time::Duration;

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{ErrorKind, Flag, Sample, SampleClass, SampleState},
        transcript::{Message, Role},
    },
    engine::client::{ChatRequest, Client, Passing, Phase, Secret, Target},
};
use tokio::io::AsyncWriteExt as _;
use tokio_util::sync::CancellationToken;

use super::{
    row::{DONE, counts, delta, done, line, says, stops},
    sockets::{question, target},
};
use crate::support::wire::{End, Script, WireServer, head};

const SSE: &str = "text/event-stream";
const JSON: &str = "application/json";

fn good() -> Script {
    Script::answer(200, SSE, &(says("Hi") + &stops("stop") + &counts(5, 2) + DONE))
}

fn refusal(message: &str) -> Script {
    Script::answer(
        400,
        JSON,
        &format!("{{\"error\":{{\"message\":\"{message}\",\"type\":\"invalid_request_error\"}}}}"),
    )
}

async fn ask_with(client: &Client, target: &Target, request: &ChatRequest) -> Sample {
    client.chat(target, request, &Clocks::default(), &CancellationToken::new(), &mut |_| {}).await
}

async fn ask(server: &WireServer, request: &ChatRequest) -> Sample {
    ask_with(&Client::default(), &target(&server.url(), Wire::OpenaiCompat), request).await
}

#[tokio::test]
async fn q13_a_connection_lost_before_any_byte_is_tried_once_more_and_recorded() {
    let lost = Script { pieces: vec![(400.0, Vec::new())], end: End::Reset };
    let server = WireServer::start(vec![lost, good()]).await;

    let sample = ask(&server, &question(9)).await;

    assert_eq!((sample.state, sample.answer.as_str(), sample.requests), (SampleState::Ok, "Hi", 2));
    assert_eq!(sample.adaptations, ["the connection was lost before any byte of an answer; sent once more"]);
    assert!(sample.timing.ttft_ms.unwrap() < 400.0, "the time of the lost request counts: {:?}", sample.timing);
}

#[tokio::test]
async fn q13_a_server_that_closes_twice_is_not_asked_a_third_time() {
    let closes = Script { pieces: Vec::new(), end: End::Close };
    let server = WireServer::start(vec![closes]).await;

    let sample = ask(&server, &question(9)).await;

    assert_eq!((sample.state, sample.requests, server.requests().len()), (SampleState::TransportError, 2, 2));
    assert_eq!(sample.error.unwrap().kind, ErrorKind::Reset);
}

#[tokio::test]
async fn q14_an_answer_that_breaks_off_is_never_asked_for_again() {
    let body = head(200, SSE) + &says("a") + &says("b");
    let server = WireServer::start(vec![Script { pieces: vec![(0.0, body.into_bytes())], end: End::Reset }]).await;

    let sample = ask(&server, &question(9)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;

    assert_eq!((sample.state, server.requests().len()), (SampleState::TransportError, 1));
}

#[tokio::test]
async fn q15_localhost_is_tried_on_ipv4_first_and_connecting_is_not_in_ttft() {
    let pieces = vec![
        (0.0, head(200, SSE).into_bytes()),
        (150.0, (says("Hi") + &stops("stop") + &counts(5, 2) + DONE).into_bytes()),
    ];
    let server = WireServer::start(vec![Script { pieces, end: End::Close }]).await;
    let target = target(&format!("http://localhost:{}/v1", server.port), Wire::OpenaiCompat);

    let sample = ask_with(&Client::default(), &target, &question(9)).await;

    assert_eq!(sample.state, SampleState::Ok, "{:?}", sample.error);
    assert!(sample.timing.connect_ms.unwrap() < 1000.0, "{:?}", sample.timing);
    assert!((145.0..1000.0).contains(&sample.timing.ttft_ms.unwrap()), "{:?}", sample.timing);
    assert!(
        server.requests()[0].head.contains(&format!("host: localhost:{}", server.port)),
        "{}",
        server.requests()[0].head
    );
}

#[tokio::test]
async fn q28_a_refused_field_is_left_out_told_and_remembered() {
    let server = WireServer::choosing(|_, request| match request.json().get("stream_options") {
        Some(_) => refusal("Unknown parameter: stream_options"),
        None => Script::answer(200, SSE, &(says("Hi") + &stops("stop") + DONE)),
    })
    .await;
    let (client, target) = (Client::default(), target(&server.url(), Wire::OpenaiCompat));

    let first = ask_with(&client, &target, &question(9)).await;
    let second = ask_with(&client.clone(), &target, &question(9)).await;

    let told = ["stream_options not applied: refused with status 400; sent without it"];
    assert_eq!(
        (first.answer.as_str(), first.requests, first.adaptations.as_slice()),
        ("Hi", 2, told.map(String::from).as_slice())
    );
    assert_eq!(
        (second.answer.as_str(), second.requests, second.adaptations.as_slice()),
        ("Hi", 1, told.map(String::from).as_slice())
    );
    assert!(first.notes["completion_tokens"].contains("refused stream_options"), "{:?}", first.notes);
    assert_eq!(server.requests()[1].json()["max_tokens"], 1024, "only the named field is left out");
}

#[tokio::test]
async fn q30_max_tokens_and_temperature_are_adapted_by_name() {
    let server = WireServer::choosing(|_, request| {
        let body = request.json();
        if body.get("max_tokens").is_some() {
            refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        } else if body.get("temperature").is_some() {
            refusal("temperature: only the default is supported")
        } else {
            good()
        }
    })
    .await;

    let sample = ask(&server, &question(9)).await;

    let last = server.requests()[2].json();
    assert_eq!((sample.state, sample.requests), (SampleState::Ok, 3));
    assert_eq!((last["max_completion_tokens"].as_u64(), last["seed"].as_u64()), (Some(1024), Some(7)));
    assert_eq!(
        sample.adaptations,
        [
            "max_tokens not applied: refused with status 400; sent as max_completion_tokens",
            "temperature not applied: refused with status 400; sent without it"
        ]
    );
}

/// How a server says that its template knows no system messages: status, content type, body.
const NO_SYSTEM: [(Wire, u16, &str, &str); 6] = [
    (Wire::OpenaiCompat, 400, JSON, r#"{"error":{"message":"System role not supported","type":"BadRequestError"}}"#),
    (
        Wire::OpenaiCompat,
        500,
        JSON,
        r#"{"error":{"code":500,"message":"Conversation roles must alternate user/assistant/user/assistant/..."}}"#,
    ),
    (
        Wire::OpenaiCompat,
        200,
        SSE,
        "event: error\ndata: {\"error\":\"Error rendering prompt with jinja template: System role not supported\"}\n\n",
    ),
    (Wire::OpenaiCompat, 422, JSON, r#"{"detail":[{"msg":"Only user and assistant roles are supported!"}]}"#),
    (Wire::Ollama, 500, JSON, r#"{"error":"template: :3:14: executing: system role is not supported by this model"}"#),
    (Wire::Ollama, 200, "application/x-ndjson", "{\"error\":\"this model does not support system messages\"}\n"),
];

#[tokio::test]
async fn q33_system_messages_that_a_template_refuses_are_folded_told_and_remembered() {
    for (wire, status, kind, body) in NO_SYSTEM {
        let server = WireServer::choosing(move |_, request| {
            let messages = request.json()["messages"].as_array().cloned().unwrap_or_default();
            let good = match wire {
                Wire::OpenaiCompat => good(),
                Wire::Ollama => Script::answer(200, "application/x-ndjson", &(line("Hi") + &done("stop", ""))),
            };
            if messages.iter().any(|message| message["role"] == "system") {
                Script::answer(status, kind, body)
            } else {
                good
            }
        })
        .await;
        let (client, target) = (Client::default(), target(&server.url(), wire));
        let with_system = ChatRequest {
            messages: vec![Message::new(Role::System, "Be brief."), Message::user("Why?")],
            ..question(9)
        };

        let first = ask_with(&client, &target, &with_system).await;
        let second = ask_with(&client, &target, &with_system).await;
        let without = ask_with(&client, &target, &question(9)).await;

        let told = ["system messages: folded into the first user message, the server's template refuses them"];
        assert_eq!((first.answer.as_str(), first.requests), ("Hi", 2), "{body}: {:?}", first.error);
        assert_eq!((second.requests, without.requests), (1, 1), "{body}");
        assert_eq!(
            (first.adaptations, second.adaptations),
            (told.map(String::from).into(), told.map(String::from).into())
        );
        assert!(without.adaptations.is_empty(), "what was not sent was not folded");
        let messages = &server.requests()[1].json()["messages"];
        assert_eq!(*messages, serde_json::json!([{"role": "user", "content": "Be brief.\n\nWhy?"}]), "{body}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_everything_is_asked_without_each_field_once() {
    let server = WireServer::choosing(|_, request| {
        let body = request.json();
        let fields =
            ["stream_options", "chat_template_kwargs", "reasoning_effort", "max_tokens", "seed", "temperature"];
        refusal(fields.iter().find(|field| body.get(**field).is_some()).unwrap_or(&"x"))
    })
    .await;

    let sample = ask(&server, &ChatRequest { thinking: Thinking::Off, ..question(9) }).await;

    assert_eq!((sample.state, sample.requests, sample.adaptations.len()), (SampleState::ProviderError, 7, 6));
}

#[tokio::test]
async fn q37_thinking_goes_from_template_arguments_to_effort_to_nothing() {
    let server = WireServer::choosing(|_, request| {
        let body = request.json();
        let sent = ["chat_template_kwargs", "reasoning_effort"].into_iter().find(|field| body.get(*field).is_some());
        sent.map_or_else(good, |field| refusal(&format!("extra field {field}")))
    })
    .await;

    let sample = ask(&server, &ChatRequest { thinking: Thinking::Off, ..question(9) }).await;

    let asked: Vec<_> = server.requests().iter().map(|request| request.json()).collect();
    assert_eq!(asked[0]["chat_template_kwargs"]["enable_thinking"], false);
    assert_eq!(asked[1]["reasoning_effort"], "none");
    assert_eq!(sample.state, SampleState::Ok);
    assert_eq!(
        sample.adaptations,
        [
            "chat_template_kwargs not applied: refused with status 400; sent as reasoning_effort",
            "reasoning_effort not applied: refused with status 400; sent without it"
        ]
    );
}

#[tokio::test]
async fn q37_a_model_that_cannot_think_is_asked_without() {
    let answer = "{\"message\":{\"content\":\"Hi\"},\"done\":true,\"done_reason\":\"stop\",\"eval_count\":2}\n";
    let server = WireServer::choosing(move |_, request| match request.json().get("think") {
        Some(_) => Script::answer(400, JSON, r#"{"error":"\"m\" does not support thinking"}"#),
        None => Script::answer(200, "application/x-ndjson", answer),
    })
    .await;
    let target = target(&server.url(), Wire::Ollama);

    let sample = ask_with(&Client::default(), &target, &ChatRequest { thinking: Thinking::On, ..question(9) }).await;

    assert_eq!((sample.state, sample.answer.as_str()), (SampleState::Ok, "Hi"));
    assert_eq!(sample.adaptations, ["think not applied: refused with status 400; sent without it"]);
    assert!(sample.has(Flag::ThinkingSilent));
}

#[tokio::test]
async fn a_server_that_cannot_stream_is_asked_for_one_piece_without_times() {
    let whole = r#"{"choices":[{"message":{"content":"42"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":9}}"#;
    let server = WireServer::choosing(move |_, request| match request.json()["stream"].as_bool() {
        Some(true) => refusal("streaming is not supported"),
        _ => Script::answer(200, JSON, whole),
    })
    .await;

    let sample = ask(&server, &question(9)).await;

    assert_eq!((sample.state, sample.answer.as_str(), sample.has(Flag::NonStream)), (SampleState::Ok, "42", true));
    assert_eq!((sample.timing.ttft_ms, sample.timing.decode_tok_s), (None, None));
    assert!(sample.timing.total_ms.is_some() && sample.notes["ttft_ms"].contains("one piece"));
    assert_eq!(sample.adaptations, ["stream not applied: refused with status 400; asked for the answer in one piece"]);
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_the_key_stays_home() {
    let stranger = WireServer::start(vec![good()]).await;
    let moved =
        format!("HTTP/1.1 307 X\r\nLocation: {}/v1/chat/completions\r\nContent-Length: 0\r\n\r\n", stranger.url());
    let server = WireServer::start(vec![Script::now(moved)]).await;
    let target = Target { key: Some(Secret::new("sk-secret")), ..target(&server.url(), Wire::OpenaiCompat) };

    let sample = ask_with(&Client::default(), &target, &question(9)).await;

    assert_eq!(sample.error.unwrap().kind, ErrorKind::Redirect);
    assert!(server.requests()[0].head.contains("authorization: Bearer sk-secret"));
    assert!(stranger.requests().is_empty());
    assert_eq!(format!("{target:?}").matches("sk-secret").count(), 0);
}

#[tokio::test]
async fn a_cancelled_call_closes_its_connection() {
    let pieces = vec![(0.0, (head(200, SSE) + &says("a")).into_bytes())];
    let server = WireServer::start(vec![Script { pieces, end: End::Open }]).await;
    let cancel = CancellationToken::new();
    let mut seen = Vec::new();

    let stop = cancel.clone();
    let mut note = |passing: Passing| {
        if passing.phase == Phase::Answering {
            stop.cancel();
        }
        seen.push(passing.phase);
    };
    let target = target(&server.url(), Wire::OpenaiCompat);
    let sample = Client::default().chat(&target, &question(9), &Clocks::default(), &cancel, &mut note).await;
    tokio::time::sleep(Duration::from_millis(100)).await;

    assert_eq!((sample.state, sample.answer.as_str(), server.left()), (SampleState::Cancelled, "a", 1));
    assert_eq!(seen, [Phase::Connecting, Phase::Waiting, Phase::Answering]);
}

#[tokio::test]
async fn a_server_that_accepts_and_never_answers_runs_into_the_first_byte_clock() {
    let server = WireServer::start(vec![Script { pieces: Vec::new(), end: End::Open }]).await;
    let clocks = Clocks { connect_s: 5.0, first_byte_s: 0.3, ..Clocks::default() };
    let target = target(&server.url(), Wire::OpenaiCompat);

    let sample = Client::default().chat(&target, &question(9), &clocks, &CancellationToken::new(), &mut |_| {}).await;

    assert_eq!((sample.state, sample.class), (SampleState::Timeout, Some(SampleClass::FirstByte)));
    assert!(sample.error.unwrap().message.contains("--first-byte-timeout"));
    assert!(sample.timing.connect_ms.is_some());
}

#[tokio::test]
async fn failures_to_connect_say_which_kind() {
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let plain_port = plain.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut stream, _) = plain.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
    });
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for (url, kind) in [
        (format!("http://127.0.0.1:{nobody}"), ErrorKind::Connect),
        ("http://no-such-host.invalid".to_owned(), ErrorKind::Name),
        (format!("https://127.0.0.1:{plain_port}"), ErrorKind::Tls),
    ] {
        let sample = ask_with(&Client::default(), &target(&url, Wire::OpenaiCompat), &question(9)).await;
        let error = sample.error.unwrap();
        assert_eq!((sample.state, error.kind), (SampleState::TransportError, kind), "{url}: {}", error.message);
        assert_eq!(sample.notes.len(), 13, "every absent figure has its reason");
    }
}

#[tokio::test]
async fn many_transfer_chunks_in_one_write_are_one_read() {
    let mut answer =
        "HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n".to_owned();
    for piece in (0..200).map(|_| says("a")).chain([stops("stop"), counts(5, 200), DONE.to_owned()]) {
        answer += &format!("{:x}\r\n{piece}\r\n", piece.len());
    }
    answer += "0\r\n\r\n";
    let mut timings = Vec::new();
    // a machine that is busy with other tests may deliver one write in several reads, far apart
    for _ in 0..5 {
        let server = WireServer::start(vec![Script::now(answer.clone())]).await;

        let sample = ask(&server, &question(9)).await;

        assert_eq!((sample.state, sample.answer.len(), sample.chunks), (SampleState::Ok, 200, 200));
        if sample.has(Flag::Unstreamed) && sample.timing.decode_tok_s.is_none() {
            return;
        }
        timings.push(sample.timing);
    }
    panic!("never read in one piece: {timings:?}");
}

#[tokio::test]
async fn a_body_that_ends_before_its_declared_length_is_a_broken_connection() {
    let answer = format!("HTTP/1.1 200 X\r\nContent-Type: {SSE}\r\nContent-Length: 9999\r\n\r\n{}", says("a"));
    let server = WireServer::start(vec![Script::now(answer)]).await;

    let sample = ask(&server, &question(9)).await;

    assert_eq!((sample.state, sample.answer.as_str(), sample.requests), (SampleState::TransportError, "a", 1));
}

#[tokio::test]
async fn b7_the_only_limit_is_the_configured_one() {
    let slow = (0..3).flat_map(|_| [(300.0, delta(r#"{"content":"a"}"#).into_bytes())]);
    let mut pieces = vec![(700.0, head(200, SSE).into_bytes())];
    pieces.extend(slow);
    pieces.push((0.0, (stops("stop") + DONE).into_bytes()));
    let server = WireServer::start(vec![Script { pieces, end: End::Close }]).await;
    // the connect clock is shorter than the wait for the first byte and must not reach into it
    let clocks = Clocks { connect_s: 0.3, first_byte_s: 5.0, idle_s: 2.0, sample_s: 9.0 };
    let target = target(&server.url(), Wire::OpenaiCompat);

    let sample = Client::default().chat(&target, &question(9), &clocks, &CancellationToken::new(), &mut |_| {}).await;

    assert_eq!((sample.state, sample.answer.as_str()), (SampleState::Ok, "aaa"), "{:?}", sample.error);
}
