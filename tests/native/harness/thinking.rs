//! Thoughts on their way through the client and a harness: Q74, Q75, Q76, Q78, Q83.

use benchloop::{
    domain::{
        id::HarnessId::{self, *},
        sample::SampleState,
        transcript::NoteKind::{self, InThought},
    },
    engine::harness,
};

use super::{TAGGED, called, kinds, tools};
use crate::quirks::row::{Chunk, DONE, End::Close, at, counts, delta, ok, openai, says, stops};

const CALL: &str = r#"<tool_call>{"name":"f","arguments":{}}</tool_call>"#;
const THOUGHT_CALL: &str = r#"<tool_call>{"name":"g","arguments":{}}</tool_call>"#;

/// What a harness reads of an answer that comes in these chunks: its state, text, calls and notes.
fn read(harness: HarnessId, chunks: &[String], max_tokens: u32) -> (SampleState, String, Vec<String>, Vec<NoteKind>) {
    let chunks: Vec<Chunk> =
        chunks.iter().enumerate().map(|(index, bytes)| at(100.0 * (index + 1) as f64, bytes)).collect();
    let sample = openai("thoughts", chunks, Close, ok("")).max_tokens(max_tokens).play();
    let parsed = harness::parse(harness, &sample, &tools());
    let kinds = kinds(&parsed);
    (sample.state, parsed.text, called(&parsed.calls), kinds)
}

fn done(reason: &str) -> String {
    stops(reason) + DONE
}

#[test]
fn q74_whatever_the_field_the_answer_is_the_content() {
    for field in ["reasoning_content", "reasoning", "thinking"] {
        let thought = delta(&format!("{{\"{field}\":\"I weigh it.\"}}"));
        for harness in TAGGED {
            let read = read(harness, &[thought.clone(), says("It is 4."), done("stop")], 1024);
            assert_eq!(read, (SampleState::Ok, "It is 4.".into(), vec![], vec![]), "{harness} {field}");
        }
    }
}

#[test]
fn q75_typed_parts_hold_thoughts_and_calls_apart() {
    let parts = serde_json::json!({"content": [
        {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT_CALL}]},
        {"type": "text", "text": CALL},
    ]});
    for harness in [Hermes, Pi] {
        let read = read(harness, &[delta(&parts.to_string()), done("stop")], 1024);
        assert_eq!(read, (SampleState::Ok, String::new(), vec!["f({})".into()], vec![InThought]), "{harness}");
    }
}

#[test]
fn q76_a_thought_that_was_cut_has_neither_answer_nor_call() {
    let begun = format!("<think>Let me see, {THOUGHT_CALL} might");
    for harness in [Hermes, Pi] {
        let read = read(harness, &[says(&begun), done("length")], 1024);
        assert_eq!(read, (SampleState::Truncated, String::new(), vec![], vec![InThought]), "{harness}");
    }
}

#[test]
fn q78_tags_may_be_cut_anywhere() {
    let whole = format!("<think>hm {THOUGHT_CALL}</think>Now {CALL} wait.");
    for harness in [Hermes, Pi] {
        for step in 1..12 {
            let chars: Vec<char> = whole.chars().collect();
            let mut chunks: Vec<String> =
                chars.chunks(step).map(|part| says(&part.iter().collect::<String>())).collect();
            chunks.push(done("stop"));
            let read = read(harness, &chunks, 4096);
            assert_eq!(read, (SampleState::Ok, "Now  wait.".into(), vec!["f({})".into()], vec![InThought]), "{step}");
        }
    }
}

#[test]
fn q83_an_answer_at_its_limit_was_cut_whatever_the_server_says() {
    for harness in TAGGED {
        let chunks = [says("It is"), stops("stop") + &counts(9, 32) + DONE];
        let (state, text, ..) = read(harness, &chunks, 32);
        assert_eq!((state, text.as_str()), (SampleState::Truncated, "It is"), "{harness}");
    }
}
