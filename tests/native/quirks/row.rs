//! One quirk: what the server sends, when, and what must come of it.

use benchloop::{
    domain::{
        id::{Thinking, Wire},
        plan::Clocks,
        sample::{ErrorKind, Flag, Sample, SampleClass, SampleState, Timing, Usage},
    },
    engine::client::{Asked, Exchange, Secret},
};

pub use crate::support::wire::End;

/// Bytes that arrive in one read, `at` milliseconds after the request was written.
#[derive(Debug, Clone)]
pub struct Chunk {
    pub at: f64,
    pub bytes: Vec<u8>,
}

pub fn at(at: impl Into<f64>, bytes: impl AsRef<[u8]>) -> Chunk {
    Chunk { at: at.into(), bytes: bytes.as_ref().to_vec() }
}

/// `count` chunks, the first at `from`, one every `step` milliseconds.
pub fn every(from: f64, step: f64, count: u32, bytes: impl AsRef<[u8]>) -> Vec<Chunk> {
    (0..count).map(|i| at(from + step * f64::from(i), &bytes)).collect()
}

pub const DONE: &str = "data: [DONE]\n\n";

/// An OpenAI chunk whose delta is `delta`.
pub fn delta(delta: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":null}}]}}\n\n")
}

pub fn says(text: &str) -> String {
    delta(&format!("{{\"content\":{}}}", serde_json::Value::from(text)))
}

/// An OpenAI chunk that only tells why generating stopped.
pub fn stops(reason: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{}},\"finish_reason\":\"{reason}\"}}]}}\n\n")
}

/// An OpenAI chunk that only counts.
pub fn counts(prompt: u64, completion: u64) -> String {
    format!("data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":{prompt},\"completion_tokens\":{completion}}}}}\n\n")
}

/// An Ollama line with content.
pub fn line(text: &str) -> String {
    format!(
        "{{\"model\":\"m\",\"message\":{{\"role\":\"assistant\",\"content\":{}}},\"done\":false}}\n",
        serde_json::Value::from(text)
    )
}

/// Ollama's last line; `more` are further members with their leading comma.
pub fn done(reason: &str, more: &str) -> String {
    format!(
        "{{\"model\":\"m\",\"message\":{{\"role\":\"assistant\",\"content\":\"\"}},\"done\":true,\"done_reason\":\"{reason}\"{more}}}\n"
    )
}

#[derive(Debug, Clone)]
pub struct Row {
    pub name: &'static str,
    pub asked: Asked,
    pub status: u16,
    pub content_type: &'static str,
    pub chunks: Vec<Chunk>,
    pub end: End,
    pub cancel_at: Option<f64>,
    /// Clocks are part of the row, so real time must not be compressed.
    pub own_clocks: bool,
    pub expected: Expected,
}

/// A row on Ollama's wire.
pub fn ollama(name: &'static str, chunks: impl Into<Vec<Chunk>>, end: End, expected: Expected) -> Row {
    row(name, Wire::Ollama, "application/x-ndjson", chunks.into(), end, expected)
}

/// A row on the OpenAI wire.
pub fn openai(name: &'static str, chunks: impl Into<Vec<Chunk>>, end: End, expected: Expected) -> Row {
    row(name, Wire::OpenaiCompat, "text/event-stream", chunks.into(), end, expected)
}

fn row(
    name: &'static str,
    wire: Wire,
    content_type: &'static str,
    chunks: Vec<Chunk>,
    end: End,
    expected: Expected,
) -> Row {
    let mut chunks = chunks;
    chunks.sort_by(|a, b| a.at.total_cmp(&b.at));
    let asked = Asked {
        wire,
        clocks: Clocks::default(),
        max_tokens: 1024,
        thinking: Thinking::Auto,
        num_ctx: None,
        prompt_chars: 40,
        stream: true,
        stop_loops: true,
        key: None,
    };
    Row { name, asked, status: 200, content_type, chunks, end, cancel_at: None, own_clocks: false, expected }
}

impl Row {
    pub fn status(mut self, status: u16, content_type: &'static str) -> Self {
        (self.status, self.content_type) = (status, content_type);
        self
    }

    /// First-byte, idle and sample clock in seconds.
    pub fn clocks(mut self, first_byte_s: f64, idle_s: f64, sample_s: f64) -> Self {
        self.asked.clocks = Clocks { first_byte_s, idle_s, sample_s, ..Clocks::default() };
        self.own_clocks = true;
        self
    }

    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.asked.max_tokens = max_tokens;
        self
    }

    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.asked.thinking = thinking;
        self
    }

    pub fn prompt(mut self, chars: usize, num_ctx: u32) -> Self {
        (self.asked.prompt_chars, self.asked.num_ctx) = (chars, Some(num_ctx));
        self
    }

    pub fn key(mut self, key: &str) -> Self {
        self.asked.key = Some(Secret::new(key));
        self
    }

    pub fn cancel_at(mut self, at: f64) -> Self {
        self.cancel_at = Some(at);
        self
    }

    /// Plays the row on a virtual clock.
    pub fn play(&self) -> Sample {
        let mut exchange = Exchange::new(self.asked.clone());
        exchange.head(0.0, self.status, self.content_type);
        let wait = |exchange: &mut Exchange, until: f64| {
            while let Some((deadline, _)) = exchange.deadline()
                && deadline <= until
            {
                exchange.expire(deadline);
            }
        };
        for chunk in self.chunks.iter().filter(|chunk| self.cancel_at.is_none_or(|cancel| chunk.at < cancel)) {
            wait(&mut exchange, chunk.at);
            exchange.bytes(chunk.at, &chunk.bytes);
        }
        let last = self.chunks.last().map_or(0.0, |chunk| chunk.at);
        match (self.cancel_at, self.end) {
            (Some(cancel), _) => exchange.cancel(cancel),
            (None, End::Close) => exchange.eof(last),
            (None, End::Reset) => exchange.broken(last, ErrorKind::Reset, "connection reset by peer"),
            (None, End::Open) => wait(&mut exchange, f64::MAX),
        }
        assert!(exchange.is_done(), "{}: still waiting", self.name);
        exchange.finish(Some(3.0))
    }

    /// What is wrong on a virtual clock, if anything.
    pub fn check_virtual(&self) -> Option<String> {
        let sample = self.play();
        let mut wrong = self.expected.compare(&sample);
        self.expected.compare_timing(&sample, &mut wrong);
        self.report(&wrong, &sample)
    }

    pub fn report(&self, wrong: &[String], sample: &Sample) -> Option<String> {
        (!wrong.is_empty()).then(|| {
            format!(
                "- {}\n    {}\n    error: {:?}\n    notes: {:?}",
                self.name,
                wrong.join("\n    "),
                sample.error,
                sample.notes
            )
        })
    }
}

/// The sample that must come; what is not said must be absent.
#[derive(Debug, Clone)]
pub struct Expected {
    state: SampleState,
    class: Option<SampleClass>,
    kind: Option<ErrorKind>,
    answer: String,
    reasoning: String,
    calls: Vec<(Option<String>, String, String)>,
    finish: Option<String>,
    usage: Usage,
    flags: Vec<Flag>,
    timing: Timing,
    says: Vec<&'static str>,
    says_not: Vec<&'static str>,
    notes: Vec<(&'static str, &'static str)>,
}

fn expected(state: SampleState) -> Expected {
    Expected {
        state,
        class: None,
        kind: None,
        answer: String::new(),
        reasoning: String::new(),
        calls: Vec::new(),
        finish: None,
        usage: Usage::default(),
        flags: Vec::new(),
        timing: Timing { connect_ms: Some(3.0), ..Timing::default() },
        says: Vec::new(),
        says_not: Vec::new(),
        notes: Vec::new(),
    }
}

/// A normal end with this answer.
pub fn ok(answer: &str) -> Expected {
    Expected { answer: answer.to_owned(), ..expected(SampleState::Ok) }
}

/// An answer cut by its length.
pub fn cut(answer: &str) -> Expected {
    Expected { answer: answer.to_owned(), class: Some(SampleClass::Length), ..expected(SampleState::Truncated) }
}

/// No answer that may be judged.
pub fn fails(state: SampleState, kind: ErrorKind) -> Expected {
    Expected { kind: Some(kind), ..expected(state) }
}

impl Expected {
    pub fn class(mut self, class: SampleClass) -> Self {
        self.class = Some(class);
        self
    }
    /// Partial text that is kept for display.
    pub fn kept(mut self, text: &str) -> Self {
        self.answer = text.to_owned();
        self
    }
    pub fn reasoning(mut self, text: &str) -> Self {
        self.reasoning = text.to_owned();
        self
    }
    /// One more call; arguments as they were sent.
    pub fn call(mut self, id: &str, name: &str, raw: &str) -> Self {
        self.calls.push(((!id.is_empty()).then(|| id.to_owned()), name.to_owned(), raw.to_owned()));
        self
    }
    pub fn finish(mut self, reason: &str) -> Self {
        self.finish = Some(reason.to_owned());
        self
    }
    pub fn usage(mut self, prompt: u64, completion: u64) -> Self {
        (self.usage.prompt_tokens, self.usage.completion_tokens) = (Some(prompt), Some(completion));
        self
    }
    /// Only the prompt was counted, or only its count is used.
    pub fn prompt(mut self, tokens: u64) -> Self {
        self.usage.prompt_tokens = Some(tokens);
        self
    }
    /// Only the answer was counted.
    pub fn completion(mut self, tokens: u64) -> Self {
        self.usage.completion_tokens = Some(tokens);
        self
    }
    pub fn cached(mut self, tokens: u64) -> Self {
        self.usage.cached_tokens = Some(tokens);
        self
    }
    pub fn reasoned(mut self, tokens: u64) -> Self {
        self.usage.reasoning_tokens = Some(tokens);
        self
    }
    pub fn flag(mut self, flag: Flag) -> Self {
        self.flags.push(flag);
        self
    }
    /// First token, first answer character, last content, in milliseconds.
    pub fn times(mut self, ttft: f64, ttfo: f64, total: f64) -> Self {
        (self.timing.ttft_ms, self.timing.ttfo_ms, self.timing.total_ms) = (Some(ttft), Some(ttfo), Some(total));
        self
    }
    /// The same without an answer character.
    pub fn no_answer_times(mut self, ttft: f64, total: f64) -> Self {
        (self.timing.ttft_ms, self.timing.total_ms) = (Some(ttft), Some(total));
        self
    }
    pub fn total(mut self, total: f64) -> Self {
        self.timing.total_ms = Some(total);
        self
    }
    pub fn gap(mut self, ms: f64) -> Self {
        self.timing.inter_chunk_ms = Some(ms);
        self
    }
    pub fn prefill(mut self, rate: f64) -> Self {
        self.timing.prefill_tok_s = Some(rate);
        self
    }
    /// Decode rate; the time per token follows from it.
    pub fn decode(mut self, rate: f64) -> Self {
        (self.timing.decode_tok_s, self.timing.tpot_ms) = (Some(rate), Some(1000.0 / rate));
        self
    }
    /// Decode rate where chunks say nothing of single tokens.
    pub fn decode_only(mut self, rate: f64) -> Self {
        self.timing.decode_tok_s = Some(rate);
        self
    }
    pub fn load(mut self, ms: f64) -> Self {
        self.timing.load_ms = Some(ms);
        self
    }
    /// The error's message holds this.
    pub fn says(mut self, text: &'static str) -> Self {
        self.says.push(text);
        self
    }
    pub fn says_not(mut self, text: &'static str) -> Self {
        self.says_not.push(text);
        self
    }
    /// The reason for this missing field holds this.
    pub fn note(mut self, field: &'static str, text: &'static str) -> Self {
        self.notes.push((field, text));
        self
    }

    /// The same, where server times are fixed and the client's are compressed.
    pub fn without_clock_comparison(mut self) -> Self {
        self.flags.retain(|flag| *flag != Flag::ClockDisagrees);
        self
    }

    /// Differences in everything but timing.
    pub fn compare(&self, sample: &Sample) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut same = |what: &str, expected: String, actual: String| {
            if expected != actual {
                wrong.push(format!("{what}: expected {expected}, got {actual}"));
            }
        };
        let debug = |value: &dyn std::fmt::Debug| format!("{value:?}");
        same("state", debug(&self.state), debug(&sample.state));
        same("class", debug(&self.class), debug(&sample.class));
        same("kind", debug(&self.kind), debug(&sample.error.as_ref().map(|error| error.kind)));
        same("answer", debug(&self.answer), debug(&sample.answer));
        same("reasoning", debug(&self.reasoning), debug(&sample.reasoning));
        let calls =
            sample.tool_calls.iter().map(|call| (call.id.clone(), call.name.clone(), call.arguments_raw.clone()));
        same("calls", debug(&self.calls), debug(&calls.collect::<Vec<_>>()));
        same("finish", debug(&self.finish), debug(&sample.finish_reason));
        same("usage", debug(&self.usage), debug(&sample.usage));
        let sorted = |flags: &[Flag]| {
            let mut flags = flags.to_vec();
            flags.sort();
            flags
        };
        same("flags", debug(&sorted(&self.flags)), debug(&sorted(&sample.flags)));
        let message = sample.error.as_ref().map_or("", |error| error.message.as_str());
        wrong.extend(
            self.says.iter().filter(|text| !message.contains(**text)).map(|text| format!("message lacks {text:?}")),
        );
        wrong.extend(
            self.says_not.iter().filter(|text| message.contains(**text)).map(|text| format!("message holds {text:?}")),
        );
        wrong
    }

    /// Differences in figures and their notes.
    pub fn compare_timing(&self, sample: &Sample, wrong: &mut Vec<String>) {
        let (e, t, u) = (&self.timing, &sample.timing, &sample.usage);
        for (name, expected, actual) in [
            ("connect_ms", e.connect_ms, t.connect_ms),
            ("load_ms", e.load_ms, t.load_ms),
            ("ttft_ms", e.ttft_ms, t.ttft_ms),
            ("ttfo_ms", e.ttfo_ms, t.ttfo_ms),
            ("total_ms", e.total_ms, t.total_ms),
            ("decode_tok_s", e.decode_tok_s, t.decode_tok_s),
            ("prefill_tok_s", e.prefill_tok_s, t.prefill_tok_s),
            ("tpot_ms", e.tpot_ms, t.tpot_ms),
            ("inter_chunk_ms", e.inter_chunk_ms, t.inter_chunk_ms),
        ] {
            let close = match (expected, actual) {
                (None, None) => true,
                (Some(a), Some(b)) => (a - b).abs() < 0.01,
                _ => false,
            };
            if !close {
                wrong.push(format!("{name}: expected {expected:?}, got {actual:?}"));
            }
            if actual.is_none() != sample.notes.contains_key(name) {
                wrong.push(format!("{name} is {actual:?}, its note is {:?}", sample.notes.get(name)));
            }
        }
        for (name, value) in [
            ("prompt_tokens", u.prompt_tokens),
            ("completion_tokens", u.completion_tokens),
            ("reasoning_tokens", u.reasoning_tokens),
            ("cached_tokens", u.cached_tokens),
        ] {
            if value.is_none() != sample.notes.contains_key(name) {
                wrong.push(format!("{name} is {value:?}, its note is {:?}", sample.notes.get(name)));
            }
        }
        for (field, text) in &self.notes {
            if !sample.notes.get(*field).is_some_and(|note| note.contains(text)) {
                wrong.push(format!("the note of {field} lacks {text:?}"));
            }
        }
    }
}
