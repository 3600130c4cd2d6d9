//! Thinking, in all the places where servers put it: Q60, Q74 to Q78.

use benchloop::domain::{
    id::Thinking,
    sample::{ErrorKind, Flag::*, SampleState::ProtocolError},
};

use super::row::{DONE, End::*, Row, at, counts, cut, delta, done, fails, line, ok, ollama, openai, says, stops};

pub fn rows() -> Vec<Row> {
    let stop = || stops("stop") + DONE;
    let hm_42 = || ok("42").reasoning("hm").finish("stop").times(100., 200., 200.).gap(100.).flag(CoarseChunks);
    let named = |name: &str| {
        [at(100, delta(&format!("{{\"{name}\":\"hm\",\"content\":null}}"))), at(200, says("42") + &stop())]
    };
    let thinks = "{\"message\":{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"hm\"},\"done\":false}\n";
    vec![
        openai("Q74 reasoning_content", named("reasoning_content"), Close, hm_42()),
        openai("Q74 reasoning", named("reasoning"), Close, hm_42()),
        openai("Q74 thinking", named("thinking"), Close, hm_42()),
        openai(
            "Q74 reasoning_details",
            [
                at(100, delta(r#"{"reasoning_details":[{"type":"reasoning.text","text":"hm"}]}"#)),
                at(200, says("42") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q74 the same reasoning under two names",
            [
                at(100, delta(r#"{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}"#)),
                at(200, says("42") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        ollama(
            "Q60 Q74 thinking lines",
            [at(100, thinks), at(200, line("42")), at(300, done("stop", ""))],
            Close,
            hm_42(),
        ),
        openai(
            "Q75 content as typed parts",
            [
                at(100, delta(r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}"#)),
                at(
                    200,
                    delta(r#"{"content":[{"type":"text","text":"42"},{"type":"image_url","image_url":{}}]}"#) + &stop(),
                ),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q75 a summary part is reasoning",
            [
                at(100, delta(r#"{"content":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}]}"#)),
                at(200, says("42") + &stop()),
            ],
            Close,
            hm_42(),
        ),
        openai(
            "Q75 both parts in one chunk",
            [
                at(
                    100,
                    delta(
                        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"4"}]}"#,
                    ),
                ),
                at(200, says("2") + &stop()),
            ],
            Close,
            ok("42").reasoning("hm").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "content of a type that nobody knows",
            [at(100, delta(r#"{"content":17,"reasoning":{},"tool_calls":"x"}"#)), at(200, says("42") + &stop())],
            Close,
            ok("42").finish("stop").total(200.).flag(Unstreamed),
        ),
        openai(
            "Q76 cut inside a thought",
            [at(100, says("<think>Let me see, ")), at(200, says("the answer might be 7") + &stops("length") + DONE)],
            Close,
            cut("")
                .reasoning("Let me see, the answer might be 7")
                .finish("length")
                .no_answer_times(100., 200.)
                .gap(100.)
                .flag(UnclosedThink)
                .flag(CoarseChunks)
                .note("ttfo_ms", "no answer text"),
        ),
        ollama(
            "Q76 cut inside a thought on the other wire",
            [at(100, line("<think>Let me ")), at(200, line("see")), at(300, done("length", ""))],
            Close,
            cut("")
                .reasoning("Let me see")
                .finish("length")
                .no_answer_times(100., 200.)
                .gap(100.)
                .flag(UnclosedThink)
                .flag(CoarseChunks),
        ),
        openai(
            "Q76 the thought comes twice",
            [at(100, delta(r#"{"reasoning_content":"maybe 7"}"#)), at(200, says("maybe 7") + &stops("length") + DONE)],
            Close,
            cut("")
                .reasoning("maybe 7")
                .finish("length")
                .no_answer_times(100., 200.)
                .gap(100.)
                .flag(ReasoningEchoed)
                .flag(CoarseChunks),
        ),
        openai(
            "reasoning that equals a finished answer is an answer",
            [at(100, delta(r#"{"reasoning_content":"7"}"#)), at(200, says("7") + &stop())],
            Close,
            ok("7").reasoning("7").finish("stop").times(100., 200., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "reasoning only is an empty answer",
            [at(100, delta(r#"{"reasoning":"h"}"#)), at(200, delta(r#"{"reasoning":"m"}"#) + &stop())],
            Close,
            ok("").reasoning("hm").finish("stop").no_answer_times(100., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "a thought inside the content",
            [at(100, says("<think>h")), at(150, says("m</think>")), at(200, says("\n\n42") + &stop())],
            Close,
            ok("42").reasoning("hm").finish("stop").times(100., 200., 200.).gap(50.).flag(CoarseChunks),
        ),
        openai(
            "Q78 a tag cut between deltas",
            [at(100, says("hm\n</think")), at(150, says(">{")), at(200, says("}") + &stop())],
            Close,
            ok("{}").reasoning("hm").finish("stop").times(100., 150., 200.).gap(50.).flag(CoarseChunks),
        ),
        openai(
            "a tag inside the answer stays there",
            [at(100, says("Use ")), at(200, says("<think>x</think>") + &stop())],
            Close,
            ok("Use <think>x</think>").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai("Q60 thinking off, yet it thinks", named("reasoning"), Close, hm_42().flag(ThinkingContaminated))
            .thinking(Thinking::Off),
        openai(
            "thinking off with empty tags is off",
            [at(100, says("<think>\n\n</think>")), at(200, says("\n\n42") + &stop())],
            Close,
            ok("42").finish("stop").times(100., 200., 200.).gap(100.).flag(CoarseChunks),
        )
        .thinking(Thinking::Off),
        openai(
            "Q60 thinking on, yet it does not",
            [at(100, says("4")), at(200, says("2") + &stops("stop") + &counts(5, 2) + DONE)],
            Close,
            ok("42")
                .finish("stop")
                .usage(5, 2)
                .times(100., 100., 200.)
                .gap(100.)
                .prefill(50.)
                .flag(CoarseChunks)
                .flag(ThinkingSilent),
        )
        .thinking(Thinking::On),
        openai(
            "a failed sample says nothing of the thinking arm",
            [at(100, says("4"))],
            Close,
            fails(ProtocolError, ErrorKind::NoEndMarker).kept("4").times(100., 100., 100.),
        )
        .thinking(Thinking::On),
        ollama(
            "Q60 thinking off, yet it thinks, on the other wire",
            [at(100, thinks), at(200, line("42")), at(300, done("stop", ""))],
            Close,
            hm_42().flag(ThinkingContaminated),
        )
        .thinking(Thinking::Off),
        ollama(
            "Q60 thinking off, yet the content thinks",
            [at(100, line("<think>hm</think>")), at(200, line("42")), at(300, done("stop", ""))],
            Close,
            hm_42().flag(ThinkingContaminated),
        )
        .thinking(Thinking::Off),
        ollama(
            "Q60 thinking on, yet it does not, on the other wire",
            [at(100, line("4")), at(200, line("2")), at(300, done("stop", ""))],
            Close,
            ok("42").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks).flag(ThinkingSilent),
        )
        .thinking(Thinking::On),
        ollama(
            "B13 thinking on and seen is a valid arm",
            [at(100, thinks), at(200, line("42")), at(300, done("stop", ""))],
            Close,
            hm_42(),
        )
        .thinking(Thinking::On),
        openai(
            "B13 thinking that is only counted was there",
            [
                at(100, says("4")),
                at(200, says("2") + &stops("stop") + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":7,\"completion_tokens_details\":{\"reasoning_tokens\":5}}}\n\n" + DONE),
            ],
            Close,
            ok("42").finish("stop").usage(5, 7).reasoned(5).times(100., 100., 200.).gap(100.).prefill(50.).flag(CoarseChunks),
        )
        .thinking(Thinking::On),
        ollama(
            "Q74 reasoning under the other wire's name",
            [at(100, thinks.replace("thinking", "reasoning_content")), at(200, line("42")), at(300, done("stop", ""))],
            Close,
            hm_42(),
        ),
        ollama(
            "Q75 content as typed parts on the other wire",
            [
                at(100, "{\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"}]},\"done\":false}\n"),
                at(200, "{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"42\"}]},\"done\":false}\n"),
                at(300, done("stop", "")),
            ],
            Close,
            hm_42(),
        ),
        ollama(
            "Q76 the thought comes twice on the other wire",
            [at(100, thinks), at(200, line("hm")), at(300, done("length", ""))],
            Close,
            cut("").reasoning("hm").finish("length").no_answer_times(100., 200.).gap(100.).flag(ReasoningEchoed).flag(CoarseChunks),
        ),
        ollama(
            "Q78 a tag cut between lines",
            [at(100, line("hm\n</think")), at(150, line(">{")), at(200, line("}")), at(300, done("stop", ""))],
            Close,
            ok("{}").reasoning("hm").finish("stop").times(100., 150., 200.).gap(50.).flag(CoarseChunks),
        ),
        openai(
            "Q78 an opening tag cut between deltas",
            [at(100, says("<thi")), at(150, says("nk>hm</t")), at(200, says("hink>42") + &stop())],
            Close,
            ok("42").reasoning("hm").finish("stop").times(100., 200., 200.).gap(50.).flag(CoarseChunks),
        ),
        openai(
            "Q81 an answer stopped inside its thought is no answer",
            [at(100, says("<think>six ")), at(200, says("times") + &stop())],
            Close,
            ok("").reasoning("six times").finish("stop").no_answer_times(100., 200.).gap(100.).flag(UnclosedThink).flag(CoarseChunks),
        ),
    ]
}
