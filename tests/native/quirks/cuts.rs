//! For every way to cut the bytes into reads the sample is the same, and no bytes at all break the client.

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{ErrorKind, Sample},
    },
    engine::client::{Asked, Exchange},
};
use proptest::prelude::*;

use super::{
    Row,
    row::{DONE, End, counts, delta, done, line, says, stops},
    rows,
};

/// What may not depend on how the bytes were cut.
pub fn substance(sample: &Sample) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        (sample.state, sample.class, sample.error.as_ref().map(|error| error.kind)),
        (sample.answer.clone(), sample.reasoning.clone(), sample.tool_calls.clone()),
        (sample.finish_reason.clone(), sample.usage, sample.chunks, sample.model.clone(), sample.server_timing),
    )
}

/// Plays all bytes of a row in pieces that end at `cuts`, one read each, one per millisecond.
pub fn play_cut(row: &Row, cuts: &[usize]) -> Sample {
    let bytes: Vec<u8> = row.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).chain([0, bytes.len()]).collect();
    cuts.sort_unstable();
    let mut exchange = Exchange::new(row.asked.clone());
    exchange.head(0.0, row.status, row.content_type);
    let mut at = 0.0;
    for piece in cuts.windows(2) {
        at += 1.0;
        exchange.bytes(at, &bytes[piece[0]..piece[1]]);
    }
    match row.end {
        End::Reset => exchange.broken(at, ErrorKind::Reset, "reset"),
        End::Close | End::Open => exchange.eof(at),
    }
    exchange.finish(None)
}

fn asked(wire: Wire) -> Asked {
    Asked {
        wire,
        clocks: Clocks::default(),
        max_tokens: 64,
        thinking: Thinking::Off,
        num_ctx: Some(64),
        prompt_chars: 1000,
        stream: true,
        stop_loops: true,
        key: None,
    }
}

pub fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known = vec![
        says("a"),
        says("<think>"),
        says("</think>"),
        stops("length"),
        counts(34, 9),
        delta(r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]}"#),
        delta(r#"{"tool_calls":[null,7,{"function":null},{"index":-1,"id":3}],"content":[1,{"type":"text"}]}"#),
        line("a"),
        line("<think>"),
        done("stop", r#","eval_count":1e300,"eval_duration":-1,"prompt_eval_count":34"#),
        "{\"error\":".to_owned(),
        "{\"error\":{\"code\":99999999999,\"n_ctx\":-1}}\n".to_owned(),
        "data: {\"choices\":[{\"message\":{\"content\":null}}]}\n\n".to_owned(),
        "data: {\"timings\":{\"predicted_ms\":0,\"predicted_n\":18446744073709551615,\"cache_n\":18446744073709551615,\"prompt_n\":9}}\n\n".to_owned(),
        DONE.to_owned(),
        "event: error\n".to_owned(),
        "<".to_owned(),
        "\r".to_owned(),
        "\n".to_owned(),
        "[[{}]]\n".to_owned(),
        "{\n".to_owned(),
    ];
    prop_oneof![
        4 => proptest::sample::select(known).prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #![proptest_config(super::laws::config(1500))]

    #[test]
    fn every_way_to_cut_the_bytes_gives_the_same_sample(
        row in proptest::sample::select(rows()),
        cuts in proptest::collection::vec(any::<usize>(), 0..40),
    ) {
        prop_assert_eq!(substance(&play_cut(&row, &cuts)), substance(&play_cut(&row, &[])), "{}", row.name);
    }

    #[test]
    fn no_bytes_break_the_client_and_every_absent_figure_has_its_reason(
        pieces in proptest::collection::vec(piece(), 0..12),
        is_ollama in any::<bool>(),
        status in proptest::sample::select(vec![200_u16, 200, 200, 302, 400, 503]),
        kind in proptest::sample::select(vec!["text/event-stream", "application/json", "text/html", ""]),
        end in 0..4,
    ) {
        let mut exchange = Exchange::new(asked(if is_ollama { Wire::Ollama } else { Wire::OpenaiCompat }));
        exchange.head(0.0, status, kind);
        for (index, piece) in pieces.iter().enumerate() {
            exchange.bytes(10.0 * index as f64, piece);
        }
        match end {
            0 => exchange.eof(500.0),
            1 => exchange.broken(500.0, ErrorKind::Reset, "reset"),
            2 => exchange.cancel(500.0),
            _ => while let Some((deadline, _)) = exchange.deadline() { exchange.expire(deadline) },
        }
        prop_assert!(exchange.is_done() && exchange.deadline().is_none());
        let sample = exchange.finish(Some(1.0));
        prop_assert_eq!(sample.error.is_none(), sample.state.is_judged());
        let timing = serde_json::to_value(sample.timing).unwrap();
        let usage = serde_json::to_value(sample.usage).unwrap();
        for (name, value) in timing.as_object().unwrap().iter().chain(usage.as_object().unwrap()) {
            prop_assert_eq!(value.is_null(), sample.notes.contains_key(name), "{}", name);
        }
    }
}
