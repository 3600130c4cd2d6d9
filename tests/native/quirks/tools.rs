//! Tool calls: Q61 to Q73.

use benchloop::domain::sample::{ErrorKind, Flag::*, SampleClass::Empty, SampleState::ProtocolError};

use super::row::{
    DONE, End::*, Expected, Row, at, counts, cut, delta, done, fails, line, ok, ollama, openai, says, stops,
};

pub fn rows() -> Vec<Row> {
    let call = |inner: &str| delta(&format!("{{\"tool_calls\":[{inner}]}}"));
    let stop = |reason: &str| stops(reason) + DONE;
    // one chunk at 100 ms, one at 200 ms
    let called = |reason: &str| -> Expected { ok("").finish(reason).no_answer_times(100., 200.).flag(CoarseChunks) };
    vec![
        openai(
            "arguments in fragments",
            [
                at(
                    100,
                    call(r#"{"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\""}}"#),
                ),
                at(200, call(r#"{"index":0,"function":{"arguments":":1}"}}"#) + &stop("tool_calls")),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{\"a\":1}").note("tpot_ms", "lumps"),
        ),
        openai(
            "Q65 calls without index",
            [
                at(100, call(r#"{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}"#)),
                at(
                    200,
                    call(r#"{"id":"c2","type":"function","function":{"name":"g","arguments":"{}"}}"#)
                        + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{}").call("c2", "g", "{}"),
        ),
        openai(
            "Q65 neither index nor id",
            [
                at(100, call(r#"{"function":{"name":"f","arguments":"{\"a\":"}}"#)),
                at(
                    200,
                    call(r#"{"function":{"arguments":"1}"}},{"function":{"name":"f","arguments":"{}"}}"#)
                        + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("", "f", "{\"a\":1}").call("", "f", "{}"),
        ),
        openai(
            "Q66 index 0 for all calls",
            [
                at(100, call(r#"{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}"#)),
                at(
                    200,
                    call(r#"{"index":0,"id":"c2","function":{"name":"f","arguments":"{\"a\":2}"}}"#)
                        + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{\"a\":1}").call("c2", "f", "{\"a\":2}"),
        ),
        openai(
            "Q66 index 0 for all calls and no ids",
            [
                at(100, call(r#"{"index":0,"function":{"name":"f","arguments":"{\"a\":1}"}}"#)),
                at(200, call(r#"{"index":0,"function":{"name":"g","arguments":"{\"a\":2}"}}"#) + &stop("tool_calls")),
            ],
            Close,
            called("tool_calls").call("", "f", "{\"a\":1}").call("", "g", "{\"a\":2}"),
        ),
        openai(
            "id and name repeated on each fragment",
            [
                at(100, call(r#"{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\""}}"#)),
                at(
                    200,
                    call(r#"{"index":0,"id":"c1","function":{"name":"f","arguments":":1}"}}"#) + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{\"a\":1}"),
        ),
        openai(
            "two calls in turns",
            [
                at(
                    100,
                    call(
                        r#"{"index":0,"id":"c1","function":{"name":"f","arguments":"{"}},{"index":1,"id":"c2","function":{"name":"g","arguments":"{"}}"#,
                    ),
                ),
                at(
                    200,
                    call(r#"{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"}"}}"#)
                        + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{}").call("c2", "g", "{}"),
        ),
        openai(
            "Q67 Q73 no arguments in three spellings",
            [
                at(
                    100,
                    delta(
                        r#"{"content":null,"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}},{"index":1,"id":"b","function":{"name":"f","arguments":null}}]}"#,
                    ),
                ),
                at(
                    200,
                    call(r#"{"index":2,"id":"c","function":{"name":"f","arguments":"null"}}"#) + &stop("tool_calls"),
                ),
            ],
            Close,
            called("tool_calls").call("a", "f", "").call("b", "f", "").call("c", "f", "null"),
        ),
        openai(
            "Q67 malformed arguments stay malformed",
            [
                at(100, call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}"#)),
                at(200, call(r#"{"index":0,"function":{"arguments":"oops"}}"#) + &stop("tool_calls")),
            ],
            Close,
            called("tool_calls").call("a", "f", "{\"a\":oops").flag(MalformedArguments),
        ),
        openai(
            "Q68 finish reason stop beside a call",
            [
                at(100, call(r#"{"index":0,"id":"a","function":{"name":"f"}}"#)),
                at(200, call(r#"{"index":0,"function":{"arguments":"{}"}}"#) + &stop("stop")),
            ],
            Close,
            called("stop").call("a", "f", "{}"),
        ),
        openai(
            "Q61 arguments as an object on the OpenAI wire",
            [
                at(100, call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":{"a":1}}}"#)),
                at(200, call(r#"{"index":1,"id":"b","function":{"name":"f","arguments":{}}}"#) + &stop("tool_calls")),
            ],
            Close,
            called("tool_calls").call("a", "f", "{\"a\":1}").call("b", "f", "{}"),
        ),
        ollama(
            "Q61 arguments as an object, twice the same call",
            [
                at(
                    100,
                    "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"done\":false}\n",
                ),
                at(
                    200,
                    "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"index\":0,\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]},\"done\":false}\n",
                ),
                at(300, done("stop", "")),
            ],
            Close,
            called("stop").call("", "f", "{\"a\":1}").call("", "f", "{\"a\":1}"),
        ),
        openai(
            "the older function_call",
            [
                at(100, delta(r#"{"function_call":{"name":"f","arguments":"{\"a\":"}}"#)),
                at(200, delta(r#"{"function_call":{"arguments":"1}"}}"#) + &stop("function_call")),
            ],
            Close,
            called("function_call").call("", "f", "{\"a\":1}"),
        ),
        openai(
            "Q69 a call written as text is text",
            [
                at(100, says("<tool_call>{\"name\":\"f\",")),
                at(200, says("\"arguments\":{}}</tool_call>") + &stop("stop")),
            ],
            Close,
            ok("<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>")
                .finish("stop")
                .times(100., 100., 200.)
                .gap(100.)
                .flag(CoarseChunks),
        ),
        ollama(
            "Q66 index 0 for all calls on the other wire",
            [
                at(100, calls_line(r#"{"function":{"index":0,"name":"f","arguments":{"a":1}}},{"function":{"index":0,"name":"f","arguments":{"a":2}}}"#)),
                at(200, calls_line(r#"{"id":"c3","function":{"index":0,"name":"g","arguments":{}}}"#)),
                at(300, done("stop", "")),
            ],
            Close,
            called("stop").call("", "f", "{\"a\":1}").call("", "f", "{\"a\":2}").call("c3", "g", "{}"),
        ),
        openai(
            "Q66 index 0 for all calls, arguments in fragments",
            [
                at(100, call(r#"{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}"#) + &call(r#"{"index":0,"function":{"arguments":"1}"}}"#)),
                at(200, call(r#"{"index":0,"id":"c2","function":{"name":"f","arguments":""}}"#) + &call(r#"{"index":0,"function":{"arguments":"{\"a\":2}"}}"#) + &stop("tool_calls")),
            ],
            Close,
            called("tool_calls").call("c1", "f", "{\"a\":1}").call("c2", "f", "{\"a\":2}"),
        ),
        openai(
            "Q65 Q66 Q73 calls in a whole document",
            [at(200, r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","index":0,"function":{"name":"f","arguments":"{}"}},{"id":"b","index":0,"function":{"name":"g","arguments":""}}]},"finish_reason":"stop"}]}"#)],
            Close,
            ok("").finish("stop").total(200.).call("a", "f", "{}").call("b", "g", "").flag(NonStream),
        )
        .status(200, "application/json"),
        ollama(
            "Q67 no arguments in four spellings on the other wire",
            [
                at(100, calls_line(r#"{"function":{"name":"f","arguments":""}},{"function":{"name":"f","arguments":null}}"#)),
                at(200, calls_line(r#"{"function":{"name":"f","arguments":"null"}},{"function":{"name":"f"}}"#)),
                at(300, done("stop", "")),
            ],
            Close,
            called("stop").call("", "f", "").call("", "f", "").call("", "f", "null").call("", "f", ""),
        ),
        ollama(
            "Q67 malformed arguments stay malformed on the other wire",
            [
                at(100, calls_line(r#"{"function":{"name":"f","arguments":"{\"a\":oops"}}"#)),
                at(200, calls_line(r#"{"function":{"name":"f","arguments":[1]}}"#)),
                at(300, done("stop", "")),
            ],
            Close,
            called("stop").call("", "f", "{\"a\":oops").call("", "f", "[1]").flag(MalformedArguments),
        ),
        openai(
            "Q68 a finish reason in the singular",
            [
                at(100, call(r#"{"index":0,"id":"a","function":{"name":"f"}}"#)),
                at(200, call(r#"{"index":0,"function":{"arguments":"{}"}}"#) + &stop("tool_call")),
            ],
            Close,
            called("tool_call").call("a", "f", "{}"),
        ),
        openai(
            "Q68 a finish reason that promises calls and there are none",
            [at(100, says("No ")), at(200, says("call") + &stop("tool_calls"))],
            Close,
            ok("No call").finish("tool_calls").times(100., 100., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "Q68 a promise of calls and nothing at all",
            [at(100, stop("tool_calls"))],
            Close,
            fails(ProtocolError, ErrorKind::Empty).class(Empty).finish("tool_calls"),
        ),
        openai(
            "Q68 calls cut by the budget are cut, whatever the finish reason",
            [
                at(100, call(r#"{"index":0,"id":"a","function":{"name":"f"}}"#)),
                at(200, call(r#"{"index":0,"function":{"arguments":"{\"a\":"}}"#) + &stops("tool_calls") + &counts(5, 7) + DONE),
            ],
            Close,
            cut("").finish("tool_calls").usage(5, 7).no_answer_times(100., 200.).prefill(50.).call("a", "f", "{\"a\":").flag(MalformedArguments).flag(CoarseChunks),
        )
        .max_tokens(7),
        openai(
            "Q69 a call written into the reasoning is no call",
            [at(100, delta(r#"{"reasoning_content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}"#)), at(200, says("Done.") + &stop("stop"))],
            Close,
            ok("Done.").reasoning("<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>").finish("stop").times(100., 200., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "Q69 a call written as text and not closed is text",
            [at(100, says("<tool_call>")), at(200, says("{\"name\":\"f\",\"arguments\":{}}") + &stop("stop"))],
            Close,
            ok("<tool_call>{\"name\":\"f\",\"arguments\":{}}").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks),
        ),
        ollama(
            "Q69 a call written as text is text on the other wire",
            [at(100, line("<tool_call>")), at(200, line("{\"name\":\"f\"}</tool_call>")), at(300, done("stop", ""))],
            Close,
            ok("<tool_call>{\"name\":\"f\"}</tool_call>").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks),
        ),
        openai(
            "Q71 arguments held back to the end",
            [
                at(3200, call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":""}}"#)),
                at(81_900, call(r#"{"index":0,"function":{"arguments":"{\"a\":1}"}}"#) + &stops("tool_calls") + &counts(20, 101) + DONE),
            ],
            Close,
            called("tool_calls").usage(20, 101).call("a", "f", "{\"a\":1}").no_answer_times(3200., 81_900.).decode_only(100. / 78.7).prefill(6.25)
                .note("tpot_ms", "lumps").note("inter_chunk_ms", "lumps"),
        ),
        openai(
            "Q71 everything held back to the end has no times",
            [
                at(100, delta(r#"{"role":"assistant","content":null}"#)),
                at(81_900, call(r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#) + &stops("tool_calls") + &counts(20, 101) + DONE),
            ],
            Close,
            ok("").finish("tool_calls").usage(20, 101).call("a", "f", "{}").total(81_900.).flag(Unstreamed).note("ttft_ms", "one chunk").note("decode_tok_s", "one chunk"),
        ),
        ollama(
            "Q71 a call in one lump on the other wire",
            [
                at(81_900, calls_line(r#"{"function":{"name":"f","arguments":{}}}"#)),
                at(82_000, done("stop", r#","prompt_eval_count":20,"eval_count":101"#)),
            ],
            Close,
            ok("").finish("stop").usage(20, 101).call("", "f", "{}").total(81_900.).flag(Unstreamed).note("ttft_ms", "one chunk"),
        ),
        ollama(
            "Q73 content null beside calls and beside thinking",
            [
                at(100, "{\"message\":{\"content\":null,\"thinking\":\"hm\"},\"done\":false}\n"),
                at(200, "{\"message\":{\"content\":null,\"thinking\":null,\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{}}}]},\"done\":false}\n"),
                at(300, done("stop", "")),
            ],
            Close,
            called("stop").reasoning("hm").call("", "f", "{}"),
        ),
    ]
}

/// An Ollama line with these calls.
fn calls_line(calls: &str) -> String {
    format!("{{\"message\":{{\"content\":\"\",\"tool_calls\":[{calls}]}},\"done\":false}}\n")
}
