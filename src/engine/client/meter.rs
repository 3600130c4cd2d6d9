//! The clock's readings → figures. Pure: it is told when a chunk with content arrived and in which read, and at the end
//! what the server counted; it answers with figures, a reason for every missing one, and flags. No figure is made up.

use std::collections::BTreeMap;

use crate::domain::{
    id::Wire,
    sample::{Flag, ServerTiming, Timing, Usage},
};

/// Tokens below which no rate is computed.
const ENOUGH_TOKENS: u64 = 8;
/// Chunks below which rates are rough.
const ENOUGH_CHUNKS: usize = 8;
/// Tokens per second that no single generation reaches; faster means that something held the answer back.
const IMPLAUSIBLE: f64 = 20_000.0;
/// Loading times above this are a real load, in milliseconds; servers report a little even when nothing was loaded.
const REAL_LOAD_MS: f64 = 50.0;
/// Uncached prompt tokens from which the two sides' prefill rates are compared.
const LONG_PROMPT: u64 = 256;
/// Share of the time to first token from which loading spoils a prefill rate.
const LOAD_SHARE: f64 = 0.1;
/// Share by which the client's and the server's decode rate may differ.
const AGREEMENT: f64 = 0.2;

/// Arrival times of the chunks that carried content, reasoning or calls.
#[derive(Debug, Default)]
pub struct Meter {
    chunks: Vec<Seen>,
}

#[derive(Debug, Clone, Copy)]
struct Seen {
    at: f64,
    read: u32,
}

/// What is known at the end beside arrival times.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    pub wire: Wire,
    pub usage: Usage,
    pub server: ServerTiming,
    pub load_ms: Option<f64>,
    pub connect_ms: Option<f64>,
    /// When the chunk with the answer's first character came.
    pub answer_at: Option<f64>,
    /// The answer came as one document.
    pub whole: bool,
    pub has_calls: bool,
    /// Why rates mean nothing: the answer did not end normally.
    pub unfinished: Option<&'a str>,
    /// Why the server sent no usage, where that is known.
    pub no_usage: Option<&'a str>,
}

/// Figures with the reasons for those that are absent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    pub timing: Timing,
    pub notes: BTreeMap<String, String>,
    pub flags: Vec<Flag>,
    pub chunks: u32,
}

type Figure = Result<f64, String>;

impl Meter {
    /// A chunk with content arrived `at` milliseconds after the request was written, in the `read`-th read.
    pub fn saw(&mut self, at: f64, read: u32) {
        self.chunks.push(Seen { at, read });
    }

    /// When the first chunk with content came.
    pub fn first(&self) -> Option<f64> {
        self.chunks.first().map(|seen| seen.at)
    }

    pub fn chunks(&self) -> u32 {
        u32::try_from(self.chunks.len()).unwrap_or(u32::MAX)
    }

    /// Computes every figure or says why it is absent.
    pub fn finish(&self, facts: &Facts) -> Figures {
        let mut figures = Figures { chunks: self.chunks(), ..Figures::default() };
        let held_back = self.held_back(facts);
        if held_back.is_some() && !facts.whole {
            figures.flags.push(Flag::Unstreamed);
        } else if facts.unfinished.is_none() && (2..ENOUGH_CHUNKS).contains(&self.chunks.len()) {
            figures.flags.push(Flag::CoarseChunks);
        }
        let held_back = held_back.as_deref();
        let ttft = self.ttft(held_back);
        let decode = self.decode(facts, held_back);
        if mostly_cached(&facts.usage) {
            figures.flags.push(Flag::CacheHit);
        }
        let prefill = prefill(facts, &ttft);
        if disagree(&ttft, &decode, &prefill, facts) {
            figures.flags.push(Flag::ClockDisagrees);
        }
        let notes = &mut figures.notes;
        let mut keep = |name: &str, figure: Figure| figure.map_err(|why| notes.insert(name.to_owned(), why)).ok();
        let calls_come_in_lumps = || Err("tool calls are sent in lumps: there is no time between tokens".to_owned());
        figures.timing = Timing {
            connect_ms: keep("connect_ms", facts.connect_ms.ok_or_else(|| "no connection was opened".to_owned())),
            load_ms: keep("load_ms", load(facts)),
            ttft_ms: keep("ttft_ms", ttft.clone()),
            ttfo_ms: keep("ttfo_ms", ttfo(facts, held_back)),
            total_ms: keep("total_ms", self.chunks.last().map(|seen| seen.at).ok_or_else(nothing)),
            prefill_tok_s: keep("prefill_tok_s", prefill),
            tpot_ms: keep(
                "tpot_ms",
                if facts.has_calls { calls_come_in_lumps() } else { decode.clone().map(|rate| 1000.0 / rate) },
            ),
            decode_tok_s: keep("decode_tok_s", decode),
            inter_chunk_ms: keep(
                "inter_chunk_ms",
                if facts.has_calls { calls_come_in_lumps() } else { self.gap(held_back) },
            ),
        };
        for (name, value) in [
            ("prompt_tokens", facts.usage.prompt_tokens),
            ("completion_tokens", facts.usage.completion_tokens),
            ("reasoning_tokens", facts.usage.reasoning_tokens),
            ("cached_tokens", facts.usage.cached_tokens),
        ] {
            if value.is_none() {
                figures.notes.insert(name.to_owned(), no_count(facts, name));
            }
        }
        figures
    }

    /// Why arrival times say nothing of the generation; `None` if they do.
    fn held_back(&self, facts: &Facts) -> Option<String> {
        let (first, last) = (self.chunks.first()?, self.chunks.last()?);
        if facts.whole {
            return Some("the answer came in one piece, not streamed".to_owned());
        }
        let tokens = facts.usage.completion_tokens;
        if facts.unfinished.is_some() || tokens.is_some_and(|n| n < ENOUGH_TOKENS) {
            return None;
        }
        if self.chunks.len() == 1 {
            return Some("the whole answer came in one chunk: the server or a proxy held it back".to_owned());
        }
        if first.read == last.read {
            return Some("the whole answer came in one read: the server or a proxy held it back".to_owned());
        }
        let span = last.at - first.at;
        let rate = (tokens? - 1) as f64 / span.max(1e-6) * 1000.0;
        (rate > IMPLAUSIBLE)
            .then(|| format!("the whole answer came within {span:.1} ms: the server or a proxy held it back"))
    }

    fn ttft(&self, held_back: Option<&str>) -> Figure {
        match held_back {
            Some(why) => Err(why.to_owned()),
            None => self.first().ok_or_else(nothing),
        }
    }

    /// Tokens per second between the first and the last generated token.
    fn decode(&self, facts: &Facts, held_back: Option<&str>) -> Figure {
        if let Some(why) = facts.unfinished.or(held_back) {
            return Err(why.to_owned());
        }
        let (Some(first), Some(last)) = (self.chunks.first(), self.chunks.last()) else { return Err(nothing()) };
        let Some(tokens) = facts.usage.completion_tokens else { return Err(no_count(facts, "completion_tokens")) };
        if tokens < ENOUGH_TOKENS {
            return Err(format!("{ENOUGH_TOKENS} tokens are needed, the server counted {tokens}"));
        }
        Ok((tokens - 1) as f64 / (last.at - first.at).max(1e-6) * 1000.0)
    }

    /// The median time between neighbouring chunks.
    fn gap(&self, held_back: Option<&str>) -> Figure {
        if let Some(why) = held_back {
            return Err(why.to_owned());
        }
        let mut gaps: Vec<_> = self.chunks.iter().zip(self.chunks.iter().skip(1)).map(|(a, b)| b.at - a.at).collect();
        gaps.sort_by(f64::total_cmp);
        let middle = gaps.len() / 2;
        match (gaps.get(middle), middle.checked_sub(1).and_then(|below| gaps.get(below))) {
            (Some(upper), Some(lower)) if gaps.len().is_multiple_of(2) => Ok((upper + lower) / 2.0),
            (Some(median), _) => Ok(*median),
            _ if self.chunks.is_empty() => Err(nothing()),
            _ => Err("there was only one chunk".to_owned()),
        }
    }
}

fn nothing() -> String {
    "nothing was generated".to_owned()
}

fn load(facts: &Facts) -> Figure {
    facts.load_ms.ok_or_else(|| match facts.wire {
        Wire::Ollama => "the server did not report it".to_owned(),
        Wire::OpenaiCompat => "this protocol does not report it".to_owned(),
    })
}

fn ttfo(facts: &Facts, held_back: Option<&str>) -> Figure {
    match (held_back, facts.answer_at) {
        (_, None) => Err("there was no answer text".to_owned()),
        (Some(why), _) => Err(why.to_owned()),
        (None, Some(at)) => Ok(at),
    }
}

fn prefill(facts: &Facts, ttft: &Figure) -> Figure {
    if let Some(why) = facts.unfinished {
        return Err(why.to_owned());
    }
    let ttft = ttft.clone()?;
    let Some(prompt) = facts.usage.prompt_tokens else { return Err(no_count(facts, "prompt_tokens")) };
    let cached = facts.usage.cached_tokens.unwrap_or(0);
    // a loaded model reports some load time as well; it matters where it is a part of what was waited for
    if let Some(load) = facts.load_ms.filter(|load| *load > REAL_LOAD_MS && *load > LOAD_SHARE * ttft) {
        return Err(format!("the model was loading for {load:.0} ms of the time to first token"));
    }
    if mostly_cached(&facts.usage) {
        return Err(format!("{cached} of {prompt} prompt tokens came from the server's cache"));
    }
    let fresh = prompt.saturating_sub(cached);
    if fresh == 0 || ttft <= 0.0 {
        return Err("the server counted no prompt tokens".to_owned());
    }
    Ok(fresh as f64 / ttft * 1000.0)
}

fn mostly_cached(usage: &Usage) -> bool {
    let prompt = usage.prompt_tokens.unwrap_or(0);
    usage.cached_tokens.is_some_and(|cached| cached > 0 && cached.saturating_mul(2) >= prompt)
}

/// Whether the server's own figures contradict the client's clock.
fn disagree(ttft: &Figure, decode: &Figure, prefill: &Figure, facts: &Facts) -> bool {
    let decode = decode.as_ref().ok().zip(facts.server.decode_tok_s);
    let rates = decode.is_some_and(|(client, server)| (client - server).abs() > AGREEMENT * server);
    // short prompts are timed with the first token's own time, which the server leaves out
    let cached = facts.usage.cached_tokens.unwrap_or(0);
    let long = facts.usage.prompt_tokens.is_some_and(|prompt| prompt.saturating_sub(cached) >= LONG_PROMPT);
    let reading = prefill.as_ref().ok().filter(|_| long).zip(facts.server.prefill_tok_s);
    let reads = reading.is_some_and(|(client, server)| (client - server).abs() > AGREEMENT * server);
    // an old server reports the last batch only: a prompt time far below what was waited for
    let waited = ttft.as_ref().ok().filter(|ttft| **ttft > 500.0).zip(facts.server.prompt_ms);
    let prompt = waited.is_some_and(|(ttft, prompt)| prompt + facts.load_ms.unwrap_or(0.0) < 0.5 * ttft);
    rates || reads || (prompt && facts.wire == Wire::Ollama)
}

fn no_count(facts: &Facts, name: &str) -> String {
    let usage = facts.usage;
    let says_something = usage.prompt_tokens.is_some() || usage.completion_tokens.is_some();
    match (facts.no_usage, says_something, name) {
        (_, true, "reasoning_tokens") => "the server does not count them apart".to_owned(),
        (_, true, "cached_tokens") => "the server does not report its cache".to_owned(),
        (_, true, _) => "the server's usage leaves it out".to_owned(),
        (Some(why), false, _) => why.to_owned(),
        (None, false, _) => "the server sent no usage".to_owned(),
    }
}
