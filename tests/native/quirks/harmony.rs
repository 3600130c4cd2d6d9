//! Harmony markers that a server leaves in the text: Q80.

use benchloop::domain::sample::Flag::*;

use super::row::{DONE, End::*, Expected, Row, at, cut, delta, done, line, ok, ollama, openai, says, stops};

pub fn rows() -> Vec<Row> {
    let stop = || stops("stop") + DONE;
    let marked = |answer: &str| -> Expected { ok(answer).flag(HarmonyMarkers).flag(CoarseChunks) };
    let hm_42 = || marked("42").reasoning("hm").finish("stop").times(100., 300., 300.).gap(100.);
    let reasons = |text: &str| delta(&format!("{{\"reasoning_content\":\"{text}\"}}"));
    vec![
        openai(
            "Q80 channels inside the content",
            [
                at(100, says("<|channel|>analysis<|message|>h")),
                at(200, says("m<|end|><|start|>assistant<|channel|>final<|mess")),
                at(300, says("age|>42<|return|>") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        ollama(
            "Q80 channels inside the content on the other wire",
            [
                at(100, line("<|channel|>analysis<|message|>h")),
                at(200, line("m<|end|><|start|>assistant<|channel|>final<|message|>")),
                at(300, line("42")),
                at(400, done("stop", "")),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q80 the first header was part of the prompt",
            [
                at(100, says("h")),
                at(200, says("m<|end|><|start|>assistant<|channel|>final<|message|>")),
                at(300, says("42") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q80 the markers were dropped and their words kept",
            [at(100, says("analysis")), at(200, says("hm.assistant")), at(300, says("final42") + &stop())],
            Close,
            hm_42().reasoning("hm."),
        ),
        openai(
            "Q80 the final channel inside the reasoning field",
            [
                at(100, reasons("<|channel|>analysis<|message|>h")),
                at(200, reasons("m<|end|><|start|>assistant<|channel|>final<|message|>")),
                at(300, reasons("42") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q80 cut inside the analysis",
            [at(100, says("<|channel|>analysis<|message|>six ")), at(200, says("times") + &stops("length") + DONE)],
            Close,
            cut("")
                .reasoning("six times")
                .finish("length")
                .no_answer_times(100., 200.)
                .gap(100.)
                .flag(HarmonyMarkers)
                .flag(CoarseChunks),
        ),
        openai(
            "Q80 a call left in the commentary is no call",
            [
                at(100, says("<|channel|>commentary to=functions.f <|constrain|>json<|message|>")),
                at(200, says("{}<|call|>") + &stop()),
            ],
            Close,
            marked("")
                .reasoning("commentary to=functions.f <|constrain|>json: {}")
                .finish("stop")
                .no_answer_times(100., 200.)
                .gap(100.),
        ),
        openai(
            "Q80 a marker inside a tool's name",
            [
                at(
                    100,
                    delta(
                        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f<|channel|>commentary","arguments":""}}]}"#,
                    ),
                ),
                at(200, delta(r#"{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}"#) + &stop()),
            ],
            Close,
            marked("").finish("stop").no_answer_times(100., 200.).call("a", "f", "{}"),
        ),
        openai(
            "an answer about the markers keeps them",
            [at(100, says("It opens with ")), at(200, says("`<|channel|>final<|message|>`.") + &stop())],
            Close,
            ok("It opens with `<|channel|>final<|message|>`.")
                .finish("stop")
                .times(100., 100., 200.)
                .gap(100.)
                .flag(CoarseChunks),
        ),
    ]
}
