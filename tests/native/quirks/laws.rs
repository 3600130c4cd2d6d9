//! What holds for every answer, however it comes: one state, no time without its stamp, evidence for every failure; and
//! nothing that a server says breaks the reading of errors or of what a server is. `PROPTEST_CASES` sets how many cases.

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{ErrorKind, Flag, Sample, SampleClass, SampleState},
    },
    engine::{
        client::{Asked, Exchange, Secret},
        fingerprint::{Question, Replies, Reply, recognise},
    },
};
use proptest::prelude::*;
use serde_json::Value;

use super::{
    cuts::piece,
    row::{End, Row},
    rows,
};

/// As many cases as `PROPTEST_CASES` says, else `cases`.
pub fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Words that decoders look for, so that random JSON means something to them.
const NAMES: [&str; 44] = [
    "error",
    "message",
    "content",
    "choices",
    "delta",
    "index",
    "finish_reason",
    "usage",
    "prompt_tokens",
    "completion_tokens",
    "completion_tokens_details",
    "reasoning_tokens",
    "prompt_tokens_details",
    "cached_tokens",
    "timings",
    "prompt_n",
    "cache_n",
    "predicted_n",
    "predicted_ms",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "id",
    "reasoning_content",
    "thinking",
    "reasoning_details",
    "type",
    "text",
    "done",
    "done_reason",
    "eval_count",
    "prompt_eval_count",
    "load_duration",
    "code",
    "status",
    "param",
    "detail",
    "loc",
    "msg",
    "object",
    "data",
    "models",
    "digest",
];
const WORDS: [&str; 16] = [
    "",
    "stop",
    "length",
    "error",
    "tool_calls",
    "<think>",
    "</think>",
    "42",
    "<|channel|>final<|message|>",
    "thinking",
    "does not support tools",
    "maximum context length",
    "Loading model",
    "null",
    "{\"a\":1}",
    "list",
];

/// Any JSON, up to four levels deep, mostly of names that mean something.
fn json() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        Just(Value::from(0)),
        Just(Value::from(-1)),
        Just(Value::from(7)),
        Just(Value::from(503)),
        Just(Value::from(u64::MAX)),
        Just(Value::from(1e300)),
        any::<i64>().prop_map(Value::from),
    ];
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        3 => number,
        4 => proptest::sample::select(WORDS.to_vec()).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let name = prop_oneof![
            9 => proptest::sample::select(NAMES.to_vec()).prop_map(str::to_owned),
            1 => any::<String>(),
        ];
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            3 => proptest::collection::btree_map(name, inner, 0..7)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A piece of a body: what servers send, random JSON in either framing, or any bytes.
fn any_piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => piece(),
        2 => json().prop_map(|value| format!("data: {value}\n\n").into_bytes()),
        2 => json().prop_map(|value| format!("{value}\n").into_bytes()),
    ]
}

/// Something that happens to a request.
#[derive(Debug, Clone)]
enum Step {
    Bytes(Vec<u8>),
    /// The deadline passes.
    Late,
    Eof,
    Broken,
    Cancel,
}

fn steps() -> impl Strategy<Value = Vec<(u16, Step)>> {
    let step = prop_oneof![
        12 => any_piece().prop_map(Step::Bytes),
        1 => Just(Step::Late),
        1 => Just(Step::Eof),
        1 => Just(Step::Broken),
        1 => Just(Step::Cancel),
    ];
    proptest::collection::vec((0..400_u16, step), 0..14)
}

fn asked(wire: Wire, thinking: Thinking, max_tokens: u32) -> Asked {
    Asked {
        wire,
        clocks: Clocks { connect_s: 1.0, first_byte_s: 2.0, idle_s: 1.0, sample_s: 4.0 },
        max_tokens,
        thinking,
        num_ctx: Some(64),
        prompt_chars: 1000,
        stream: true,
        stop_loops: true,
        key: Some(Secret::new("sk-secret-1")),
    }
}

fn wire() -> impl Strategy<Value = Wire> {
    proptest::sample::select(vec![Wire::Ollama, Wire::OpenaiCompat])
}

/// Plays the steps and, if nothing ended it, the deadlines; gives the sample and the times at which bytes came.
fn play(mut exchange: Exchange, steps: &[(u16, Step)]) -> (Sample, Vec<f64>) {
    let (mut at, mut stamps) = (0.0, Vec::new());
    for (pause, step) in steps {
        at += f64::from(*pause);
        if exchange.is_done() {
            break;
        }
        match step {
            Step::Bytes(bytes) => {
                stamps.push(at);
                exchange.bytes(at, bytes);
            }
            Step::Late => {
                if let Some((deadline, _)) = exchange.deadline() {
                    at = at.max(deadline);
                    exchange.expire(at);
                }
            }
            Step::Eof => exchange.eof(at),
            Step::Broken => exchange.broken(at, ErrorKind::Reset, "the connection was reset"),
            Step::Cancel => exchange.cancel(at),
        }
    }
    while let Some((deadline, _)) = exchange.deadline() {
        exchange.expire(deadline);
    }
    (exchange.finish(Some(1.0)), stamps)
}

/// What every sample keeps to, whatever was sent.
fn keeps_the_rules(sample: &Sample, stamps: &[f64]) -> Result<(), TestCaseError> {
    let (timing, usage) = (sample.timing, sample.usage);
    // one state, with evidence if it is not judged
    prop_assert_eq!(sample.error.is_none(), sample.state.is_judged());
    if let Some(error) = &sample.error {
        prop_assert!(error.message.len() > 10, "{}", error.message);
        prop_assert!(!error.message.contains("sk-secret-1"));
        // B16: a clock is blamed only with the time that passed and its limit
        let says_times = error.message.contains(" s; the ") && error.message.contains("clock allows");
        prop_assert_eq!(sample.state == SampleState::Timeout, says_times, "{}", error.message);
    }
    prop_assert_eq!(
        sample.state == SampleState::Truncated,
        matches!(sample.class, Some(SampleClass::Length | SampleClass::Loop))
    );
    // every absent figure has its reason and every present one none
    for group in [serde_json::to_value(timing).unwrap(), serde_json::to_value(usage).unwrap()] {
        for (name, value) in group.as_object().unwrap() {
            prop_assert_eq!(value.is_null(), sample.notes.contains_key(name), "{}", name);
            prop_assert!(
                value.is_null() || value.as_f64().is_some_and(|n| n.is_finite() && n >= 0.0),
                "{} {}",
                name,
                value
            );
        }
    }
    // no time without its stamp
    let is_stamp = |time: f64| stamps.contains(&time);
    for time in [timing.ttft_ms, timing.ttfo_ms, timing.total_ms].into_iter().flatten() {
        prop_assert!(is_stamp(time), "{} is none of {:?}", time, stamps);
    }
    prop_assert_eq!(timing.total_ms.is_some(), sample.chunks > 0);
    if let Some(ttft) = timing.ttft_ms {
        let total = timing.total_ms.unwrap();
        prop_assert!(ttft <= total && timing.ttfo_ms.is_none_or(|ttfo| ttft <= ttfo && ttfo <= total));
    }
    prop_assert!(timing.ttfo_ms.is_none() || !sample.answer.is_empty());
    if let Some(rate) = timing.decode_tok_s {
        let (ttft, total, n) = (timing.ttft_ms.unwrap(), timing.total_ms.unwrap(), usage.completion_tokens.unwrap());
        prop_assert!(sample.state.is_judged() && sample.chunks >= 2 && n >= 8 && total > ttft);
        prop_assert!((rate - (n - 1) as f64 / (total - ttft) * 1000.0).abs() < 1e-6 * rate);
    }
    prop_assert!(timing.tpot_ms.is_none() || timing.decode_tok_s.is_some() && sample.tool_calls.is_empty());
    prop_assert!(timing.prefill_tok_s.is_none() || timing.ttft_ms.is_some() && usage.prompt_tokens.is_some());
    prop_assert!(timing.inter_chunk_ms.is_none() || sample.chunks >= 2);
    let mut flags = sample.flags.clone();
    flags.sort();
    flags.dedup();
    prop_assert_eq!(flags.len(), sample.flags.len(), "a flag comes twice: {:?}", sample.flags);
    // what was not judged shows nothing that looks measured
    if !sample.state.is_judged() {
        prop_assert!(timing.decode_tok_s.is_none() && timing.prefill_tok_s.is_none() && timing.tpot_ms.is_none());
        prop_assert!(!sample.has(Flag::ThinkingContaminated) && !sample.has(Flag::ThinkingSilent));
    }
    Ok(())
}

#[test]
fn every_row_keeps_the_rules_and_survives_single_bytes() {
    for row in rows() {
        let stamps: Vec<f64> = row.chunks.iter().map(|chunk| chunk.at).collect();
        if let Err(why) = keeps_the_rules(&row.play(), &stamps) {
            panic!("{}: {why}", row.name);
        }
        let bytes: Vec<u8> = row.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
        let every: Vec<usize> = (0..bytes.len()).collect();
        let (whole, single) = (super::cuts::play_cut(&row, &[]), super::cuts::play_cut(&row, &every));
        assert_eq!(super::cuts::substance(&whole), super::cuts::substance(&single), "{}", row.name);
    }
}

#[test]
fn the_rules_notice_a_time_that_was_made_up() {
    let row: Row = rows().into_iter().find(|row| row.name == "a normal stream" && row.end == End::Close).unwrap();
    let stamps: Vec<f64> = row.chunks.iter().map(|chunk| chunk.at).collect();
    let mut sample = row.play();
    assert!(keeps_the_rules(&sample, &stamps).is_ok());
    sample.timing.ttft_ms = Some(999.5);
    assert!(keeps_the_rules(&sample, &stamps).is_err());
    let mut sample = row.play();
    sample.usage.completion_tokens = None;
    assert!(keeps_the_rules(&sample, &stamps).is_err());
}

/// Everything that is asked to recognise a server.
const QUESTIONS: [Question; 15] = [
    Question::Models,
    Question::Tags,
    Question::OllamaVersion,
    Question::Props,
    Question::Running,
    Question::StudioModels,
    Question::StudioInstances,
    Question::VllmVersion,
    Question::SglangModel,
    Question::SglangServer,
    Question::TgiInfo,
    Question::KoboldVersion,
    Question::LiteLlmState,
    Question::LocalAiSystem,
    Question::Root,
];

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn a_sample_ends_in_one_state_and_no_time_is_made_up(
        wire in wire(),
        steps in steps(),
        thinking in proptest::sample::select(vec![Thinking::Auto, Thinking::On, Thinking::Off]),
        max_tokens in proptest::sample::select(vec![0, 8, 64, 4096]),
        status in proptest::sample::select(vec![200_u16, 200, 200, 200, 204, 302, 400, 429, 503, 599]),
        kind in proptest::sample::select(vec!["text/event-stream", "application/json", "text/html", "application/x-ndjson", ""]),
    ) {
        let mut exchange = Exchange::new(asked(wire, thinking, max_tokens));
        exchange.head(0.0, status, kind);
        let (sample, stamps) = play(exchange, &steps);
        keeps_the_rules(&sample, &stamps)?;
    }

    #[test]
    fn no_error_body_breaks_the_client(
        wire in wire(),
        status in 400_u16..=599,
        body in prop_oneof![
            json().prop_map(|value| value.to_string().into_bytes()),
            json().prop_map(|value| serde_json::json!({"error": value}).to_string().into_bytes()),
            proptest::collection::vec(any::<u8>(), 0..300),
            ".{0,200}".prop_map(String::into_bytes),
            "(<[a-z/!?]{0,8}>?|sk-secret-1|[a-zäß <>&\n]{0,9}){0,40}".prop_map(String::into_bytes),
        ],
    ) {
        let mut exchange = Exchange::new(asked(wire, Thinking::Auto, 64));
        exchange.head(0.0, status, "application/json");
        exchange.bytes(1.0, &body);
        exchange.eof(2.0);
        let refusal = exchange.refusal().cloned();
        let sample = exchange.finish(Some(1.0));
        keeps_the_rules(&sample, &[1.0])?;
        prop_assert!(matches!(sample.state, SampleState::ProviderError | SampleState::RefusedCapability));
        prop_assert_eq!(refusal.map(|refusal| refusal.status), Some(status));
        let error = sample.error.unwrap();
        prop_assert_eq!(error.status, Some(status));
        prop_assert!(error.message.chars().count() < 700, "{}", error.message);
    }

    #[test]
    fn no_replies_break_the_recognition_of_a_server(
        replies in proptest::collection::vec(
            proptest::option::of((proptest::sample::select(vec![200_u16, 401, 404, 503]), proptest::option::of(json()), any::<String>(), any::<String>())),
            QUESTIONS.len(),
        ),
    ) {
        let answers = QUESTIONS.into_iter().zip(replies).filter_map(|(question, reply)| {
            let (status, json, text, markup) = reply?;
            let headers = [("server".to_owned(), text.clone()), ("content-type".to_owned(), markup.clone())].into();
            Some((question, Reply { status, headers, json, text, markup }))
        });
        let replies = Replies { answers: answers.collect(), ..Replies::default() };
        let server = recognise("http://x", &replies);
        prop_assert!(!server.name.is_empty());
        prop_assert!(server.models.iter().all(|model| !model.name.trim().is_empty()));
    }
}
