//! How true is the clock? Measures the scripted server through the real client and compares with the server's own write
//! stamps: TTFT difference (median and p95) and decode rate (worst deviation), per wire and pace.
//!
//! Run with `make bench` on an otherwise idle machine. Exit code 1 if a figure is outside its limit.

use std::{net::SocketAddr, process::ExitCode};

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{Sample, SampleState},
        stats,
        transcript::Message,
    },
    engine::{
        client::{BaseUrl, ChatRequest, Client, Target},
        http,
    },
    server::script::{Kind, Listed, Piece, Reply, ScriptedServer, Speech, Written},
};
use tokio_util::sync::CancellationToken;

/// Largest allowed difference of TTFT, median and p95, in milliseconds.
const TTFT_LIMITS: (f64, f64) = (1.0, 3.0);
/// Largest allowed deviation of a decode rate, as a share.
const DECODE_LIMIT: f64 = 0.005;

/// One line of the report: a pace, how many tokens and how often.
struct Case {
    name: &'static str,
    tok_s: f64,
    tokens: usize,
    thoughts: usize,
    trials: usize,
}

const CASES: [Case; 4] = [
    Case { name: "20 tok/s", tok_s: 20.0, tokens: 100, thoughts: 0, trials: 4 },
    Case { name: "100 tok/s", tok_s: 100.0, tokens: 300, thoughts: 0, trials: 8 },
    Case { name: "500 tok/s", tok_s: 500.0, tokens: 600, thoughts: 0, trials: 16 },
    Case { name: "40 thoughts, 1 answer", tok_s: 100.0, tokens: 1, thoughts: 40, trials: 16 },
];

fn speech(case: &Case) -> Speech {
    let piece = |kind| Piece { kind, text: "word ".to_owned() };
    let mut speech = Speech::of("").paced(60.0, case.tok_s);
    speech.pieces =
        (0..case.thoughts).map(|_| piece(Kind::Thought)).chain((0..case.tokens).map(|_| piece(Kind::Answer))).collect();
    speech
}

/// Client and server figures of one call.
struct Pair {
    ttft_difference_ms: f64,
    decode_deviation: f64,
}

fn compare(sample: &Sample, written: &Written) -> Result<Pair, String> {
    if sample.state != SampleState::Ok {
        return Err(format!("the call ended as {}: {:?}", sample.state, sample.error));
    }
    let (Some(asked), Some(first), Some(last)) = (written.asked, written.pieces.first(), written.pieces.last()) else {
        return Err("the server wrote nothing".to_owned());
    };
    let ttft = sample.timing.ttft_ms.ok_or("the client has no TTFT")?;
    let decode =
        sample.timing.decode_tok_s.ok_or_else(|| format!("the client has no decode rate: {:?}", sample.notes))?;
    let served = (written.pieces.len() - 1) as f64 * 1000.0 / last.ms_since(*first);
    Ok(Pair { ttft_difference_ms: ttft - first.ms_since(asked), decode_deviation: decode / served - 1.0 })
}

async fn measure(wire: Wire, case: &'static Case) -> Result<Vec<Pair>, String> {
    let listed = Listed { name: "paced".to_owned(), about: String::new() };
    let server =
        ScriptedServer::start(SocketAddr::from(([127, 0, 0, 1], 0)), vec![listed], move |_| Reply::Say(speech(case)))
            .await
            .map_err(|error| error.to_string())?;
    let base = BaseUrl::parse(&server.url()).map_err(|error| error.to_string())?;
    let target = Target { base, wire, key: None };
    let request = ChatRequest {
        model: "paced".to_owned(),
        messages: vec![Message::user("go")],
        tools: Vec::new(),
        max_tokens: 4096,
        temperature: Some(0.0),
        seed: Some(7),
        thinking: Thinking::Auto,
        num_ctx: None,
        stream: true,
        stop_loops: false,
        json: false,
    };
    let client = Client::default();
    let mut pairs = Vec::new();
    for trial in 0..=case.trials {
        let sample = client.chat(&target, &request, &Clocks::default(), &CancellationToken::new(), &mut |_| ()).await;
        let written = server.written();
        let pair = compare(&sample, written.last().ok_or("the server was not asked")?)?;
        // the first call warms up
        if trial > 0 {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

#[tokio::main]
async fn main() -> ExitCode {
    http::install_tls();
    println!(
        "{:<14} {:<22} {:>3}  {:>16} {:>16}  {:>20}",
        "wire", "pace", "n", "TTFT median, ms", "TTFT p95, ms", "decode, worst dev."
    );
    let mut true_clock = true;
    for wire in Wire::ALL {
        for case in &CASES {
            let pairs = match measure(*wire, case).await {
                Ok(pairs) => pairs,
                Err(why) => {
                    println!("{wire:<14} {:<22} failed: {why}", case.name);
                    true_clock = false;
                    continue;
                }
            };
            let away: Vec<f64> = pairs.iter().map(|pair| pair.ttft_difference_ms.abs()).collect();
            let worst = pairs.iter().map(|pair| pair.decode_deviation.abs()).fold(0.0, f64::max);
            let median = stats::median(&away).unwrap_or(f64::INFINITY);
            let p95 = stats::percentile(&away, 0.95).unwrap_or(f64::INFINITY);
            let within = median <= TTFT_LIMITS.0 && p95 <= TTFT_LIMITS.1 && worst <= DECODE_LIMIT;
            true_clock &= within;
            println!(
                "{wire:<14} {:<22} {:>3}  {median:>16.3} {p95:>16.3}  {:>18.3} %  {}",
                case.name,
                pairs.len(),
                worst * 100.0,
                if within { "within limits" } else { "OUTSIDE" }
            );
        }
    }
    println!("limits: TTFT median {} ms, p95 {} ms; decode {} %", TTFT_LIMITS.0, TTFT_LIMITS.1, DECODE_LIMIT * 100.0);
    if true_clock { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
