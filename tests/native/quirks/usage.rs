//! Counters and clocks: Q39 to Q55, B1, B3.

use benchloop::domain::sample::{Flag::*, SampleClass::Loop};

use super::row::{
    Chunk, DONE, End::*, Row, at, counts, cut, delta, done, every, line, ok, ollama, openai, says, stops,
};

/// Ten chunks `a`, one every 100 ms from 1,000 ms on, then `last` at 1,900 ms.
fn ten(last: String) -> Vec<Chunk> {
    [every(1000.0, 100.0, 10, says("a")), vec![at(1900, last)]].concat()
}

fn ten_lines(last: String) -> Vec<Chunk> {
    [every(1000.0, 100.0, 10, line("a")), vec![at(1950, last)]].concat()
}

pub fn rows() -> Vec<Row> {
    let aaa = || ok("aaaaaaaaaa").times(1000., 1000., 1900.).gap(100.);
    let piece =
        |usage: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"a\"}}}}],\"usage\":{usage}}}\n\n");
    let counting = |i: u32, n: u32| {
        at(1000.0 + 100.0 * f64::from(i), piece(&format!("{{\"prompt_tokens\":20,\"completion_tokens\":{n}}}")))
    };
    let reasons = |text: &str| delta(&format!("{{\"reasoning_content\":\"{text}\"}}"));
    vec![
        openai("Q39 usage after the finish reason", [ten(stops("stop")), vec![at(2500, counts(20, 10) + DONE)]].concat(), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("Q40 usage and content on the finish chunk",
            [every(1000.0, 100.0, 9, says("a")), vec![at(1900, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":10}}\n\n".to_owned() + DONE)]].concat(), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("Q40 llama.cpp's timings count where usage is silent",
            ten("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"timings\":{\"cache_n\":2,\"prompt_n\":18,\"prompt_ms\":900.0,\"predicted_n\":10,\"predicted_ms\":1000.0,\"predicted_per_second\":10.5}}\n\n".to_owned() + DONE), Close,
            aaa().finish("stop").usage(20, 10).cached(2).decode(10.).prefill(18.)),
        openai("Q41 usage: null on each chunk", [every(1000.0, 100.0, 10, piece("null")), vec![at(1900, stops("stop") + DONE)]].concat(), Close,
            aaa().finish("stop").note("completion_tokens", "no usage").note("prefill_tok_s", "no usage")),
        openai("Q41 usage, then null", ten(stops("stop") + &counts(20, 10) + "data: {\"choices\":[],\"usage\":null}\n\n" + DONE), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("Q42 cumulative usage on each chunk", [(0..10).map(|i| counting(i, i + 1)).collect(), vec![at(1900, stops("stop") + DONE)]].concat(), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("Q42 usage that goes down", [(0..10).map(|i| counting(i, if i == 9 { 9 } else { 20 })).collect(), vec![at(1900, stops("stop") + DONE)]].concat(), Close,
            aaa().finish("stop").usage(20, 9).decode(8. / 0.9).prefill(20.).flag(UsageNotMonotonic)),
        openai("Q44 no usage at all", ten(stops("stop") + DONE), Close, aaa().finish("stop").note("decode_tok_s", "no usage").note("tpot_ms", "no usage")),
        ollama("Q44 no counts on the last line", ten_lines(done("stop", "")), Close, aaa().finish("stop").note("decode_tok_s", "no usage")),
        openai("counts in odd types",
            ten(stops("stop") + "data: {\"choices\":null,\"usage\":{\"prompt_tokens\":20.0,\"completion_tokens\":\"10\",\"completion_tokens_details\":null,\"prompt_tokens_details\":7}}\n\n" + DONE), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("Q45 the first chunk has only the role",
            [vec![at(100, delta(r#"{"role":"assistant","content":""}"#))], every(2000.0, 100.0, 10, says("a")), vec![at(2950, stops("stop") + &counts(20, 10) + DONE)]].concat(), Close,
            ok("aaaaaaaaaa").finish("stop").usage(20, 10).times(2000., 2000., 2900.).gap(100.).decode(10.).prefill(10.)),
        openai("Q46 B3 a chunk is not a token", ten(stops("stop") + &counts(20, 50) + DONE), Close,
            aaa().finish("stop").usage(20, 50).decode(49. / 0.9).prefill(20.)),
        ollama("Q46 a line is not a token either", ten_lines(done("stop", r#","prompt_eval_count":20,"eval_count":50"#)), Close,
            aaa().finish("stop").usage(20, 50).decode(49. / 0.9).prefill(20.)),
        openai("fewer than 8 chunks give rough rates",
            [every(1000.0, 100.0, 3, says("aaaa")), vec![at(1200, stops("stop") + &counts(20, 12) + DONE)]].concat(), Close,
            ok("aaaaaaaaaaaa").finish("stop").usage(20, 12).times(1000., 1000., 1200.).gap(100.).decode(55.).prefill(20.).flag(CoarseChunks)),
        openai("Q48 reasoning streams before content",
            [every(500.0, 100.0, 101, reasons("r")), vec![at(10700, says("42") + &stops("stop") + &counts(20, 200) + DONE)]].concat(), Close,
            ok("42").reasoning(&"r".repeat(101)).finish("stop").usage(20, 200).times(500., 10700., 10700.).gap(100.).decode(199. / 10.2).prefill(40.)),
        openai("B1 the decode window spans the reasoning",
            [every(1000.0, 100.0, 40, reasons("r")), vec![at(5000, says("42") + &stops("stop") + &counts(20, 200) + DONE)]].concat(), Close,
            ok("42").reasoning(&"r".repeat(40)).finish("stop").usage(20, 200).times(1000., 5000., 5000.).gap(100.).decode(199. / 4.).prefill(20.)),
        ollama("B1 on the other wire",
            [every(1000.0, 100.0, 40, "{\"message\":{\"content\":\"\",\"thinking\":\"r\"},\"done\":false}\n"), vec![at(5000, line("42")), at(5100, done("stop", r#","prompt_eval_count":20,"eval_count":200"#))]].concat(), Close,
            ok("42").reasoning(&"r".repeat(40)).finish("stop").usage(20, 200).times(1000., 5000., 5000.).gap(100.).decode(199. / 4.).prefill(20.)),
        openai("Q49 completion tokens already include reasoning",
            [every(1000.0, 100.0, 5, reasons("r")), every(1500.0, 100.0, 5, says("a")), vec![at(1900, stops("stop") + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":10,\"completion_tokens_details\":{\"reasoning_tokens\":5}}}\n\n" + DONE)]].concat(), Close,
            ok("aaaaa").reasoning("rrrrr").finish("stop").usage(20, 10).reasoned(5).times(1000., 1500., 1900.).gap(100.).decode(10.).prefill(20.)),
        ollama("Q50 cached prompt tokens are not evaluated again", ten_lines(done("stop", r#","prompt_eval_count":40,"prompt_eval_cached_count":18,"eval_count":10"#)), Close,
            aaa().finish("stop").usage(40, 10).cached(18).decode(10.).prefill(22.)),
        ollama("Q51 a prompt time that covers the last batch only",
            ten_lines(done("stop", r#","prompt_eval_count":20,"prompt_eval_duration":23500000,"eval_count":10"#)), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.).flag(ClockDisagrees)),
        openai("Q52 a prompt from the cache has no prefill rate",
            ten("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":75,\"completion_tokens\":10},\"timings\":{\"cache_n\":74,\"prompt_n\":1,\"prompt_ms\":12.0}}\n\n".to_owned() + DONE), Close,
            aaa().finish("stop").usage(75, 10).cached(74).decode(10.).flag(CacheHit).note("prefill_tok_s", "cache")),
        ollama("Q54 a cold load leaves prefill unknown",
            ten_lines(done("stop", r#","load_duration":800000000,"prompt_eval_count":20,"eval_count":10"#)), Close,
            aaa().finish("stop").usage(20, 10).load(800.).decode(10.).note("prefill_tok_s", "loading for 800 ms")),
        ollama("Q54 a loaded model reports a little load too",
            ten_lines(done("stop", r#","load_duration":21000000,"prompt_eval_count":20,"eval_count":10"#)), Close,
            aaa().finish("stop").usage(20, 10).load(21.).decode(10.).prefill(20.)),
        openai("Q55 the end is the last content, not the end marker",
            [ten(String::new()), vec![at(2400, stops("stop")), at(3000, counts(20, 10)), at(3500, DONE)]].concat(), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        ollama("client and server clocks that disagree", ten_lines(done("stop", r#","prompt_eval_count":20,"eval_count":10,"eval_duration":500000000"#)), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.).flag(ClockDisagrees)),
        ollama("client and server clocks that agree", ten_lines(done("stop", r#","prompt_eval_count":20,"eval_count":10,"eval_duration":1000000000"#)), Close,
            aaa().finish("stop").usage(20, 10).decode(10.).prefill(20.)),
        openai("an answer cut by its length", ten(stops("length") + &counts(20, 10) + DONE), Close,
            cut("aaaaaaaaaa").finish("length").usage(20, 10).times(1000., 1000., 1900.).gap(100.).decode(10.).prefill(20.)),
        openai("a whole document where a stream was asked for",
            [at(2000, "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"42\",\"reasoning_content\":\"hm\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":10}}")], Close,
            ok("42").reasoning("hm").finish("stop").usage(20, 10).total(2000.).flag(NonStream).note("ttft_ms", "one piece").note("decode_tok_s", "one piece"))
            .status(200, "application/json"),
        openai("a whole document over several lines and reads",
            [at(1000, "{\n  \"choices\": [{\n    \"message\": {\"content\": \"4"), at(2000, "2\"},\n    \"finish_reason\": \"stop\"}]\n}\n")], Close,
            ok("42").finish("stop").total(2000.).flag(NonStream)).status(200, "application/json"),
        ollama("a whole document on the other wire",
            [at(2000, "{\"message\":{\"content\":\"42\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":20,\"eval_count\":10}")], Close,
            ok("42").finish("stop").usage(20, 10).total(2000.).flag(NonStream)).status(200, "application/json"),
        openai("a count beyond anything that was allowed is not used",
            ten(stops("stop") + &counts(20, 1_000_000_000) + DONE), Close,
            aaa().finish("stop").prompt(20).prefill(20.).flag(UsageImplausible).note("completion_tokens", "leaves it out").note("decode_tok_s", "leaves it out")),
        openai("Q63 a line for ever is ended as a loop", every(1000.0, 10.0, 300, says("over and over ")), Open,
            cut(&"over and over ".repeat(114)).class(Loop).times(1000., 1000., 2130.).gap(10.).note("completion_tokens", "repeated itself").note("decode_tok_s", "repeated itself")),
        ollama("Q63 a thought for ever is ended as well", every(1000.0, 10.0, 300, line("").replace(r#""content":"""#, r#""content":"","thinking":"round and round ""#)), Open,
            cut("").reasoning(&"round and round ".repeat(96)).class(Loop).no_answer_times(1000., 1950.).gap(10.)),
    ]
}
