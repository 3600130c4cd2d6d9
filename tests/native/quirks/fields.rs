//! What is sent, and what a server may refuse of it: Q22, Q29 to Q31, Q34, Q37, Q81. A field may go; what is measured may
//! not.

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{Flag, Sample, SampleClass, SampleState},
        transcript::Tool,
    },
    engine::client::{ChatRequest, Client, Target},
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{
    row::{DONE, counts, delta, done, line, says, stops},
    sockets::{question, target},
};
use crate::support::wire::{Script, WireServer};

const JSON: &str = "application/json";

fn good(wire: Wire) -> Script {
    match wire {
        Wire::OpenaiCompat => {
            Script::answer(200, "text/event-stream", &(says("Hi") + &stops("stop") + &counts(5, 2) + DONE))
        }
        Wire::Ollama => Script::answer(200, "application/x-ndjson", &(line("Hi") + &done("stop", ""))),
    }
}

fn tool() -> Tool {
    Tool { name: "f".into(), description: "d".into(), parameters: json!({"type": "object"}) }
}

/// Everything that a request can hold.
fn full() -> ChatRequest {
    ChatRequest { tools: vec![tool()], thinking: Thinking::On, num_ctx: Some(4096), ..question(9) }
}

async fn ask(client: &Client, target: &Target, request: &ChatRequest) -> Sample {
    client.chat(target, request, &Clocks::default(), &CancellationToken::new(), &mut |_| {}).await
}

#[tokio::test]
async fn q29_q31_q81_only_known_fields_are_sent() {
    for (wire, fields) in [
        (Wire::Ollama, "messages model options stream think tools"),
        (
            Wire::OpenaiCompat,
            "chat_template_kwargs max_tokens messages model seed stream stream_options temperature tools",
        ),
    ] {
        let server = WireServer::start(vec![good(wire)]).await;
        ask(&Client::default(), &target(&server.url(), wire), &full()).await;

        let body = server.requests()[0].json();
        let sent: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
        let mut sent = sent.clone();
        sent.sort_unstable();
        assert_eq!(sent.join(" "), fields, "no response_format, no stop, no top_k, no keep_alive");
        if wire == Wire::Ollama {
            let options: Vec<&str> = body["options"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(options.len(), 4, "{options:?}");
        }
    }
}

#[tokio::test]
async fn q22_the_server_is_called_by_its_own_name_and_no_origin_is_sent() {
    let server = WireServer::start(vec![good(Wire::OpenaiCompat)]).await;
    ask(&Client::default(), &target(&server.url(), Wire::OpenaiCompat), &question(9)).await;

    let head = server.requests()[0].head.to_lowercase();

    assert!(head.contains(&format!("host: 127.0.0.1:{}", server.port)), "{head}");
    for name in ["origin:", "referer:", "cookie:", "sec-fetch-site:"] {
        assert!(!head.contains(name), "{head}");
    }
}

#[tokio::test]
async fn q29_each_field_that_a_server_may_not_know_is_left_out_on_both_wires() {
    for (wire, field, told) in [
        (Wire::OpenaiCompat, "seed", "seed not applied: refused with status 422; sent without it"),
        (Wire::OpenaiCompat, "temperature", "temperature not applied: refused with status 422; sent without it"),
        (
            Wire::OpenaiCompat,
            "chat_template_kwargs",
            "chat_template_kwargs not applied: refused with status 422; sent as reasoning_effort",
        ),
        (Wire::OpenaiCompat, "stream_options", "stream_options not applied: refused with status 422; sent without it"),
        (Wire::Ollama, "seed", "seed not applied: refused with status 422; sent without it"),
        (Wire::Ollama, "temperature", "temperature not applied: refused with status 422; sent without it"),
        (Wire::Ollama, "num_ctx", "num_ctx not applied: refused with status 422; sent without it"),
        (Wire::Ollama, "think", "think not applied: refused with status 422; sent without it"),
    ] {
        let server = WireServer::choosing(move |_, request| {
            let body = request.json();
            if body.get(field).is_none() && body["options"].get(field).is_none() {
                return good(wire);
            }
            let detail = json!({"detail": [{"loc": ["body", field], "msg": "Extra inputs are not permitted"}]});
            Script::answer(422, JSON, &detail.to_string())
        })
        .await;
        let (client, target) = (Client::default(), target(&server.url(), wire));

        let first = ask(&client, &target, &full()).await;
        let second = ask(&client, &target, &full()).await;

        assert_eq!((first.answer.as_str(), first.requests, second.requests), ("Hi", 2, 1), "{wire} {field}");
        assert_eq!((first.adaptations, second.adaptations), (vec![told.to_owned()], vec![told.to_owned()]));
        let (before, after) = (server.requests()[0].json(), server.requests()[1].json());
        assert_eq!(before["messages"], after["messages"]);
        assert_eq!(before["tools"], after["tools"]);
        let other = Client::default();
        ask(&other, &target, &ChatRequest { model: "other".into(), ..full() }).await;
        assert_eq!(server.requests().len(), 5, "another client or model has to find out itself");
    }
}

#[tokio::test]
async fn q34_q35_tools_are_never_dropped_to_please_a_server() {
    for (wire, status, message) in [
        (Wire::Ollama, 400, "demo:1b does not support tools"),
        (
            Wire::OpenaiCompat,
            400,
            "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
        ),
        (Wire::OpenaiCompat, 500, "tools param requires --jinja flag"),
        (Wire::OpenaiCompat, 400, "Unknown parameter: 'tools'."),
        (Wire::OpenaiCompat, 422, "body.tools: Extra inputs are not permitted"),
    ] {
        let body = json!({"error": {"message": message}}).to_string();
        let server = WireServer::start(vec![Script::answer(status, JSON, &body), good(wire)]).await;

        let sample = ask(&Client::default(), &target(&server.url(), wire), &full()).await;

        assert_eq!(
            (sample.state, sample.class),
            (SampleState::RefusedCapability, Some(SampleClass::Tools)),
            "{message}"
        );
        assert_eq!((sample.requests, sample.adaptations.len(), server.requests().len()), (1, 0, 1), "{message}");
    }
}

#[tokio::test]
async fn q32_the_budget_is_never_cut_to_please_a_server() {
    let body = r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9000 tokens. Please reduce max_tokens.","param":"max_tokens"}}"#;
    let server = WireServer::start(vec![Script::answer(400, JSON, body), good(Wire::OpenaiCompat)]).await;

    let sample = ask(&Client::default(), &target(&server.url(), Wire::OpenaiCompat), &question(9)).await;

    assert_eq!((sample.state, sample.class), (SampleState::RefusedCapability, Some(SampleClass::Context)));
    assert_eq!(sample.requests, 1);
}

#[tokio::test]
async fn tools_that_cannot_be_streamed_are_asked_for_in_one_piece() {
    let whole = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":9}}"#;
    let server = WireServer::choosing(move |_, request| match request.json()["stream"].as_bool() {
        Some(true) => Script::answer(
            500,
            JSON,
            r#"{"error":{"code":500,"message":"Cannot use tools with stream","type":"server_error"}}"#,
        ),
        _ => Script::answer(200, JSON, whole),
    })
    .await;

    let sample = ask(&Client::default(), &target(&server.url(), Wire::OpenaiCompat), &full()).await;

    assert_eq!((sample.state, sample.tool_calls.len(), sample.requests), (SampleState::Ok, 1, 2));
    assert!(sample.has(Flag::NonStream) && sample.timing.decode_tok_s.is_none());
    assert_eq!(sample.adaptations, ["stream not applied: refused with status 500; asked for the answer in one piece"]);
    assert_eq!(server.requests()[1].json()["tools"], server.requests()[0].json()["tools"]);
}

#[tokio::test]
async fn q37_thinking_that_was_refused_marks_the_arm_as_silent() {
    for (wire, field) in [(Wire::Ollama, "think"), (Wire::OpenaiCompat, "chat_template_kwargs")] {
        let server = WireServer::choosing(move |_, request| {
            let body = request.json();
            let asks =
                ["think", "chat_template_kwargs", "reasoning_effort"].iter().any(|name| body.get(*name).is_some());
            let refusal = r#"{"error":{"message":"\"m\" does not support thinking"}}"#;
            if asks { Script::answer(400, JSON, refusal) } else { good(wire) }
        })
        .await;

        let sample = ask(&Client::default(), &target(&server.url(), wire), &full()).await;

        assert_eq!((sample.state, sample.answer.as_str()), (SampleState::Ok, "Hi"), "{wire}: {:?}", sample.error);
        assert!(sample.has(Flag::ThinkingSilent), "B13: an arm that never thought is labelled");
        assert!(sample.adaptations[0].starts_with(&format!("{field} not applied")), "{:?}", sample.adaptations);
    }
}

#[tokio::test]
async fn a_refusal_inside_a_good_status_is_understood_before_the_first_token_only() {
    let refusal = "data: {\"error\":{\"code\":400,\"message\":\"unknown field seed\"}}\n\n";
    for (before, requests, state) in [("", 2, SampleState::Ok), ("a", 1, SampleState::ProviderError)] {
        let begin = if before.is_empty() { delta(r#"{"role":"assistant"}"#) } else { says(before) };
        let bad = Script::answer(200, "text/event-stream", &(begin + refusal));
        let server = WireServer::start(vec![bad, good(Wire::OpenaiCompat)]).await;

        let sample = ask(&Client::default(), &target(&server.url(), Wire::OpenaiCompat), &question(9)).await;

        assert_eq!((sample.state, sample.requests), (state, requests), "{:?}", sample.error);
    }
}
