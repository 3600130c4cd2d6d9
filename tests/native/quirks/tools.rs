//! Tool calls: Q61 to Q73.

use benchloop::domain::sample::Flag::*;

use super::row::{DONE, End::*, Expected, Row, at, delta, done, ok, ollama, openai, stops};

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
                at(100, super::row::says("<tool_call>{\"name\":\"f\",")),
                at(200, super::row::says("\"arguments\":{}}</tool_call>") + &stop("stop")),
            ],
            Close,
            ok("<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>")
                .finish("stop")
                .times(100., 100., 200.)
                .gap(100.)
                .flag(CoarseChunks),
        ),
    ]
}
