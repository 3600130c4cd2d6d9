//! Framing and transport: Q1 to Q14.

use benchloop::domain::sample::{
    ErrorKind,
    Flag::*,
    SampleClass::{Empty, FirstByte, Idle, WholeSample},
    SampleState::{Cancelled, ProtocolError, Timeout, TransportError},
};

use super::row::{
    Chunk, DONE, End::*, Row, at, counts, delta, done, every, fails, line, ok, ollama, openai, says, stops,
};

/// Ten tokens, one every 100 ms from 1,000 ms on, with usage 20 + 10.
fn ten(piece: &str) -> Vec<Chunk> {
    [every(1000.0, 100.0, 10, piece), vec![at(1900, stops("stop") + &counts(20, 10) + DONE)]].concat()
}

pub fn rows() -> Vec<Row> {
    let role = delta(r#"{"role":"assistant","content":""}"#);
    let crlf = says("a").replace('\n', "\r\n");
    let cr = says("a").replace('\n', "\r");
    let ten_a = || {
        ok(&"a".repeat(10)).finish("stop").usage(20, 10).times(1000., 1000., 1900.).gap(100.).decode(10.).prefill(20.)
    };
    let ollama_counts = r#","prompt_eval_count":20,"eval_count":10"#;
    let hi_line = line("Hi");
    vec![
        openai("a normal stream", ten(&says("a")), Close, ten_a()),
        ollama("a normal stream of lines",
            [every(1000.0, 100.0, 10, line("a")), vec![at(2000, done("stop", ollama_counts))]].concat(), Open, ten_a()),
        openai("Q1 no space after data:",
            [at(100, "data:{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":null}]}\n\ndata:[DONE]\n\n")], Close,
            ok("Hi").total(100.).flag(Unstreamed).note("ttft_ms", "one chunk").note("decode_tok_s", "one chunk")),
        openai("Q1 two spaces after data:, the second belongs to the data",
            [at(100, "data:  {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata:  [DONE]\n\n")], Close,
            ok("Hi").total(100.).flag(Unstreamed)),
        openai("Q2 comments and heartbeats",
            [at(50, ": OPENROUTER PROCESSING\n\n:\n\n"), at(60, "data: : OPENROUTER PROCESSING\n\n"), at(100, says("Hi")),
             at(120, ": ping - 2026-09-01 08:00:00\n\n"), at(200, says("!") + &stops("stop") + &counts(5, 2) + DONE)], Close,
            ok("Hi!").finish("stop").usage(5, 2).times(100., 100., 200.).gap(100.).prefill(50.).flag(CoarseChunks)
                .note("decode_tok_s", "8 tokens are needed, the server counted 2")),
        openai("Q3 heartbeats and empty deltas do not set the first token",
            [every(1000.0, 1000.0, 20, ":\n\n"), every(1500.0, 1000.0, 19, &role), vec![at(21000, says("Hi")), at(21100, says("!") + &counts(5, 2) + DONE)]].concat(), Close,
            ok("Hi!").usage(5, 2).times(21000., 21000., 21100.).gap(100.).prefill(5. / 21.).flag(CoarseChunks)),
        openai("Q3 heartbeats do not reset the idle clock",
            [vec![at(100, says("Hi"))], every(200.0, 100.0, 20, ":\n\n")].concat(), Open,
            fails(Timeout, ErrorKind::Timeout).class(Idle).kept("Hi").times(100., 100., 100.).says("--idle-timeout").says("0.5 s"))
            .clocks(5., 0.5, 9.),
        openai("Q3 empty deltas do not stop the first-byte clock",
            every(100.0, 100.0, 20, &role), Open,
            fails(Timeout, ErrorKind::Timeout).class(FirstByte).says("--first-byte-timeout")).clocks(0.7, 0.3, 9.),
        openai("Q4 CRLF line ends", ten(&crlf), Close, ten_a()),
        openai("Q4 CR line ends", ten(&cr), Close, ten_a()),
        ollama("Q4 CRLF after each line",
            [every(1000.0, 100.0, 10, line("a").replace('\n', "\r\n")), vec![at(2000, done("stop", ollama_counts))]].concat(), Close, ten_a()),
        openai("Q4 byte order mark, event, id, retry and data over two lines",
            [at(10, b"\xEF\xBB"), at(100, [b"\xBFevent: message\nid: 7\nretry: 3000\ndata: {\"choices\":\ndata: [{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\n".as_slice(), DONE.as_bytes()].concat())], Close,
            ok("Hi").total(100.).flag(Unstreamed)),
        ollama("Q4 byte order mark before the first line",
            [at(100, [b"\xEF\xBB\xBF".as_slice(), hi_line.as_bytes()].concat()), at(200, line("!")), at(300, done("stop", r#","prompt_eval_count":5,"eval_count":2"#))], Close,
            ok("Hi!").finish("stop").usage(5, 2).times(100., 100., 200.).gap(100.).prefill(50.).flag(CoarseChunks)),
        openai("Q4 events divided by single line ends",
            [at(100, says("Hi").trim_end().to_owned() + "\n" + says("!").trim_end() + "\ndata: [DONE]\n")], Close,
            ok("Hi!").total(100.).flag(Unstreamed).note("ttft_ms", "one read")),
        openai("Q5 finish reason, then heartbeats for ever",
            [vec![at(100, says("Hi")), at(200, says("!")), at(200, stops("stop"))], every(700.0, 500.0, 9, ": hb\n\n")].concat(), Open,
            ok("Hi!").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks).flag(NotClosed).note("decode_tok_s", "no usage"))
            .clocks(9., 9., 30.),
        openai("Q5 finish reason, then a reset",
            [at(100, says("Hi")), at(200, says("!") + &stops("stop"))], Reset,
            ok("Hi!").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks).flag(NotClosed)),
        openai("Q5 finish reason, then the end without [DONE]",
            [at(100, says("Hi")), at(200, says("!") + &stops("stop"))], Close,
            ok("Hi!").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks)),
        ollama("Q5 done, then an open connection",
            [at(100, line("Hi")), at(200, line("!")), at(300, done("stop", ""))], Open,
            ok("Hi!").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks)),
        openai("text after the end marker is left out and flagged",
            [at(100, says("Hi")), at(200, says("!") + DONE + &says("more"))], Close,
            ok("Hi!").times(100., 100., 200.).gap(100.).flag(CoarseChunks).flag(LateBytes)),
        openai("Q6 a clean end without an end marker",
            [at(100, says("The answer ")), at(200, says("is"))], Close,
            fails(ProtocolError, ErrorKind::NoEndMarker).kept("The answer is").times(100., 100., 200.).gap(100.).says("[DONE]")),
        ollama("Q6 lines end without done",
            [at(100, line("The answer ")), at(200, line("is"))], Close,
            fails(ProtocolError, ErrorKind::NoEndMarker).kept("The answer is").times(100., 100., 200.).gap(100.).says("done")),
        ollama("Q6 the end in the middle of a line",
            [at(100, line("The answer ")), at(200, &line("is")[..20])], Close,
            fails(ProtocolError, ErrorKind::NoEndMarker).kept("The answer ").times(100., 100., 100.)),
        openai("Q58 no chunk at all", [], Close, fails(ProtocolError, ErrorKind::Empty).class(Empty)),
        openai("Q58 only heartbeats and roles", [at(100, ":\n\n".to_owned() + &role)], Close, fails(ProtocolError, ErrorKind::NoEndMarker)),
        openai("an end marker after nothing", [at(100, role.clone() + &stops("stop") + DONE)], Close,
            fails(ProtocolError, ErrorKind::Empty).class(Empty).finish("stop")),
        openai("nothing said but tokens counted is a bad answer, not a fault",
            [at(100, role.clone() + &stops("stop") + &counts(5, 3) + DONE)], Close,
            ok("").finish("stop").usage(5, 3).note("ttft_ms", "nothing was generated")),
        openai("white space only is an answer", [at(100, says("\n")), at(200, says(" ") + &stops("stop") + DONE)], Close,
            ok("\n ").finish("stop").times(100., 100., 200.).gap(100.).flag(CoarseChunks)),
        openai("Q7 a stall in mid-body",
            [at(100, says("Hi"))], Open,
            fails(Timeout, ErrorKind::Timeout).class(Idle).kept("Hi").times(100., 100., 100.).says("0.4 s").says("--idle-timeout"))
            .clocks(5., 0.4, 9.),
        ollama("Q7 a stall in mid-line",
            [at(100, line("Hi")), at(200, "{\"model\":")], Open,
            fails(Timeout, ErrorKind::Timeout).class(Idle).kept("Hi").times(100., 100., 100.).says("--idle-timeout"))
            .clocks(5., 0.4, 9.),
        openai("Q7 silence after the head", [], Open,
            fails(Timeout, ErrorKind::Timeout).class(FirstByte).says("0.4 s").says("--first-byte-timeout")).clocks(0.4, 9., 9.),
        openai("Q7 the cap on a whole sample",
            [every(100.0, 100.0, 5, says("a")), vec![at(9000, says("b"))]].concat(), Open,
            fails(Timeout, ErrorKind::Timeout).class(WholeSample).kept("aaaaa").times(100., 100., 500.).gap(100.).says("--sample-timeout"))
            .clocks(5., 5., 2.5),
        openai("stopped by the user", [at(100, says("Hi")), at(9000, says("!"))], Open,
            fails(Cancelled, ErrorKind::Cancelled).kept("Hi").times(100., 100., 100.)).clocks(5., 5., 9.).cancel_at(1500.),
        ollama("Q8 a line cut between reads, the last without its end",
            [at(100, &hi_line[..16]), at(150, &hi_line[16..]), at(200, line("!")), at(300, done("stop", "").trim_end())], Close,
            ok("Hi!").finish("stop").times(150., 150., 200.).gap(50.).flag(CoarseChunks)),
        openai("Q8 an event cut between reads",
            [at(100, &says("Hi")[..30]), at(150, &says("Hi")[30..]), at(200, says("!") + "data: [DONE]")], Close,
            ok("Hi!").times(150., 150., 200.).gap(50.).flag(CoarseChunks)),
        ollama("Q9 a character cut between reads",
            [at(100, b"{\"message\":{\"content\":\"\xD1"), at(150, b"\x8C\"},\"done\":false}\n"), at(200, line("!")), at(300, done("stop", ""))], Close,
            ok("ь!").finish("stop").times(150., 150., 200.).gap(50.).flag(CoarseChunks)),
        openai("Q9 an emoji cut between reads",
            [at(100, b"data: {\"choices\":[{\"delta\":{\"content\":\"\xF0\x9F"), at(150, b"\x98\x80\"}}]}\n\n"), at(200, says("!") + DONE)], Close,
            ok("😀!").times(150., 150., 200.).gap(50.).flag(CoarseChunks)),
        openai("Q10 a byte that is no UTF-8",
            [at(100, b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xFFb\"}}]}\n\ndata: [DONE]\n\n")], Close,
            fails(ProtocolError, ErrorKind::InvalidUtf8).says("0xff").says("offset 40")),
        ollama("Q10 a byte that is no UTF-8 in the second line",
            [at(100, line("ok")), at(200, b"{\"message\":{\"content\":\"\xFF\"},\"done\":false}\n")], Close,
            fails(ProtocolError, ErrorKind::InvalidUtf8).kept("ok").times(100., 100., 100.).says("offset")),
        openai("Q11 the whole stream in one read",
            [at(4000, says("a").repeat(10) + &stops("stop") + &counts(20, 10) + DONE)], Close,
            ok("aaaaaaaaaa").finish("stop").usage(20, 10).total(4000.).flag(Unstreamed).note("ttft_ms", "one read").note("decode_tok_s", "one read").note("prefill_tok_s", "one read")),
        ollama("Q11 the whole answer in one line",
            [at(4000, line("a long answer")), at(4100, done("stop", ollama_counts))], Close,
            ok("a long answer").finish("stop").usage(20, 10).total(4000.).flag(Unstreamed).note("decode_tok_s", "one chunk")),
        openai("Q11 a burst over two reads is no stream either",
            [at(4000, says("a").repeat(100)), at(4001, says("a").repeat(100) + &stops("stop") + &counts(20, 200) + DONE)], Close,
            ok(&"a".repeat(200)).finish("stop").usage(20, 200).total(4001.).flag(Unstreamed).note("ttft_ms", "held it back")),
        openai("Q11 few tokens in one read are normal",
            [at(400, says("4") + &says("2") + &stops("stop") + &counts(20, 3) + DONE)], Close,
            ok("42").finish("stop").usage(20, 3).times(400., 400., 400.).gap(0.).prefill(50.).flag(CoarseChunks)),
        openai("Q14 a reset after two chunks",
            [at(100, says("The answer ")), at(200, says("is"))], Reset,
            fails(TransportError, ErrorKind::Reset).kept("The answer is").times(100., 100., 200.).gap(100.)),
        ollama("Q14 lines end with a reset",
            [at(100, line("The answer ")), at(200, line("is"))], Reset,
            fails(TransportError, ErrorKind::Reset).kept("The answer is").times(100., 100., 200.).gap(100.)),
        openai("a chunk that is no JSON",
            [at(100, says("Hi")), at(200, "data: {oops}\n\n")], Close,
            fails(ProtocolError, ErrorKind::InvalidJson).kept("Hi").times(100., 100., 100.).says("{oops}")),
    ]
}
