//! One HTTP answer from its head to a sample, without sockets and without a clock: the shell tells it what arrived when,
//! in milliseconds since the request was written, and asks until when to wait. Never panics, whatever the bytes.
//!
//! Here is what one JSON value changes; `reading` cuts the body into values, `ending` holds deadlines and errors, `outcome`
//! makes the sample.

mod ending;
mod outcome;
mod reading;

use serde_json::Value;

use super::{
    Passing, Phase, Secret,
    calls::Calls,
    delta::{Arguments, Delta},
    error_body::{self, BodyError},
    frames::{Frames, Framing},
    harmony,
    meter::Meter,
    ollama, openai, repeat, think,
};
use crate::domain::{
    id::{Thinking, Wire},
    plan::Clocks,
    sample::{ErrorKind, Flag, SampleClass, SampleError, SampleState, ServerTiming, Usage},
};

/// How long usage and the end marker may follow the finish reason, and the rest of an error page its start.
pub const GRACE_MS: f64 = 2000.0;
/// The most that is kept of an error page, in bytes.
const PAGE_LIMIT: usize = 64 * 1024;

/// What the exchange must know of the request.
#[derive(Debug, Clone)]
pub struct Asked {
    pub wire: Wire,
    pub clocks: Clocks,
    pub max_tokens: u32,
    pub thinking: Thinking,
    pub num_ctx: Option<u32>,
    /// Characters of all messages, to notice a prompt that the server cut.
    pub prompt_chars: usize,
    /// Whether a stream was asked for.
    pub stream: bool,
    /// Whether an answer that repeats itself for ever is ended.
    pub stop_loops: bool,
    /// Replaced by `***` in everything that is quoted.
    pub key: Option<Secret>,
}

/// Which clock a deadline belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    FirstByte,
    Idle,
    WholeSample,
    /// The wait for what may follow the finish reason; running out is no failure.
    Grace,
}

/// A refusal of the request, for deciding what to leave out.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub status: u16,
    pub error: BodyError,
}

/// How the body is read.
#[derive(Debug)]
enum Mode {
    /// Nothing has come yet, or nothing that tells the form; holds what came.
    Sniff(Vec<u8>),
    Framed(Frames, Framing),
    /// One JSON document over several lines.
    Document(Vec<u8>),
    /// The body of a refusal, or a page where an answer should be.
    Page(Vec<u8>),
}

/// How it ended.
#[derive(Debug)]
enum End {
    Normal,
    /// The answer repeated itself and was ended here.
    Looped,
    Failed(SampleState, Option<SampleClass>, SampleError),
}

/// The state of one answer.
#[derive(Debug)]
pub struct Exchange {
    asked: Asked,
    status: Option<u16>,
    is_html: bool,
    is_document: bool,
    mode: Mode,
    /// The unfinished line that belongs to a document found line by line.
    rest: Vec<u8>,
    read: u32,
    content: String,
    /// Where each content delta ends in `content`, and when it came.
    content_at: Vec<(usize, f64)>,
    /// The content so far is inside an opening `<think>`.
    inside_thought: bool,
    reasoning: String,
    /// The same for `reasoning`.
    reasoning_at: Vec<(usize, f64)>,
    /// Prompt tokens that the server says it evaluated, those from its cache left out.
    evaluated: Option<u64>,
    /// Bytes of text when repetition was last looked for.
    looked_at: usize,
    calls: Calls,
    finish_reason: Option<String>,
    finished_at: Option<f64>,
    usage: Usage,
    server: ServerTiming,
    load_ms: Option<f64>,
    model: Option<String>,
    meter: Meter,
    whole: bool,
    flags: Vec<Flag>,
    frames_seen: u32,
    last_progress: Option<f64>,
    last_read: f64,
    /// The beginning of the body, as evidence.
    evidence: Vec<u8>,
    refusal: Option<Refusal>,
    passing: Vec<Passing>,
    end: Option<End>,
}

impl Exchange {
    pub fn new(asked: Asked) -> Self {
        Self {
            asked,
            status: None,
            is_html: false,
            is_document: false,
            mode: Mode::Sniff(Vec::new()),
            rest: Vec::new(),
            read: 0,
            content: String::new(),
            content_at: Vec::new(),
            inside_thought: false,
            reasoning: String::new(),
            reasoning_at: Vec::new(),
            evaluated: None,
            looked_at: 0,
            calls: Calls::default(),
            finish_reason: None,
            finished_at: None,
            usage: Usage::default(),
            server: ServerTiming::default(),
            load_ms: None,
            model: None,
            meter: Meter::default(),
            whole: false,
            flags: Vec::new(),
            frames_seen: 0,
            last_progress: None,
            last_read: 0.0,
            evidence: Vec::new(),
            refusal: None,
            passing: Vec::new(),
            end: None,
        }
    }

    /// The status line and headers came.
    pub fn head(&mut self, at: f64, status: u16, content_type: &str) {
        let kind = content_type.to_ascii_lowercase();
        self.status = Some(status);
        self.last_read = at;
        self.is_html = kind.contains("text/html");
        self.is_document = kind.contains("application/json") || !self.asked.stream;
        match status {
            300..400 => self.fail(
                SampleState::TransportError,
                None,
                ErrorKind::Redirect,
                format!("the server answered {status}, a redirect; redirects are not followed: give the final address"),
            ),
            400.. => self.mode = Mode::Page(Vec::new()),
            _ => {}
        }
    }

    /// Bytes of the body came, as one read.
    pub fn bytes(&mut self, at: f64, bytes: &[u8]) {
        if self.is_done() || bytes.is_empty() {
            return;
        }
        self.read = self.read.saturating_add(1);
        self.last_read = at;
        let room = PAGE_LIMIT.saturating_sub(self.evidence.len()).min(bytes.len());
        self.evidence.extend_from_slice(bytes.get(..room).unwrap_or_default());
        if let Mode::Sniff(held) = &mut self.mode {
            held.extend_from_slice(bytes);
            let held = std::mem::take(held);
            match self.form(&held) {
                Some(mode) => self.mode = mode,
                None if held.len() > PAGE_LIMIT => self.mode = Mode::Page(Vec::new()),
                None => {
                    self.mode = Mode::Sniff(held);
                    return;
                }
            }
            return self.body(at, &held);
        }
        self.body(at, bytes);
    }

    fn value(&mut self, at: f64, value: &Value) {
        if let Value::Array(items) = value {
            for item in items.iter().filter(|item| item.is_object()) {
                self.value(at, item);
            }
            return;
        }
        let deltas = match self.asked.wire {
            Wire::Ollama => ollama::read(value),
            Wire::OpenaiCompat => openai::read(value),
        };
        let (mut said, mut has_content, mut generated) = (String::new(), false, false);
        for delta in deltas {
            match delta {
                Delta::Content(text) => {
                    self.content.push_str(&text);
                    self.content_at.push((self.content.len(), at));
                    said.push_str(&text);
                    (has_content, generated) = (true, true);
                }
                Delta::Reasoning(text) => {
                    self.reasoning.push_str(&text);
                    self.reasoning_at.push((self.reasoning.len(), at));
                    said.push_str(&text);
                    generated = true;
                }
                Delta::Call(part) => {
                    generated |= part.name.is_some() || part.arguments != Arguments::Absent;
                    self.calls.push(part);
                }
                other => self.fact(at, other),
            }
        }
        if generated {
            self.generated(at, said, has_content);
        }
    }

    /// A chunk carried something that was generated.
    fn generated(&mut self, at: f64, text: String, has_content: bool) {
        if self.finished_at.is_some_and(|finished| finished < at) {
            self.flag(Flag::LateBytes);
        }
        self.meter.saw(at, self.read);
        self.last_progress = Some(at);
        let was_inside = self.inside_thought;
        if has_content && (was_inside || self.content.len() < 4096) {
            let from = if was_inside { self.content.len().saturating_sub(text.len() + 32) } else { 0 };
            let tail = self.content.as_bytes().get(from..).unwrap_or_default();
            self.inside_thought = match was_inside {
                true => {
                    let tail = String::from_utf8_lossy(tail);
                    !tail.contains("</think") && !harmony::has_final(&tail)
                }
                false => think::is_open(&self.content) || harmony::is_open(&self.content),
            };
        }
        let phase = if has_content && !self.inside_thought { Phase::Answering } else { Phase::Thinking };
        let ttft_ms = self.meter.first();
        self.passing.push(Passing { phase, chunks: self.meter.chunks(), text, at_ms: at, ttft_ms });
        self.look_for_loop(has_content);
    }

    /// Ends an answer that has begun to repeat itself for ever.
    fn look_for_loop(&mut self, has_content: bool) {
        let length = self.content.len() + self.reasoning.len();
        if !self.asked.stop_loops || self.end.is_some() || length < self.looked_at + repeat::EVERY {
            return;
        }
        self.looked_at = length;
        if repeat::loops(if has_content { &self.content } else { &self.reasoning }) {
            self.end = Some(End::Looped);
        }
    }

    /// What a chunk says beside generated text.
    fn fact(&mut self, at: f64, delta: Delta) {
        match delta {
            Delta::Usage(usage) => self.count(usage),
            Delta::Evaluated(tokens) => self.evaluated = Some(tokens),
            Delta::Server(server) => {
                let known = self.server;
                self.server = ServerTiming {
                    prefill_tok_s: server.prefill_tok_s.or(known.prefill_tok_s),
                    decode_tok_s: server.decode_tok_s.or(known.decode_tok_s),
                    prompt_ms: server.prompt_ms.or(known.prompt_ms),
                    decode_ms: server.decode_ms.or(known.decode_ms),
                };
            }
            Delta::LoadMs(ms) => self.load_ms = Some(ms),
            Delta::Finish(reason) => {
                self.finish_reason = Some(reason);
                self.finished_at.get_or_insert(at);
            }
            Delta::Whole => {
                self.whole = true;
                self.finished_at.get_or_insert(at);
            }
            Delta::Done => {
                self.whole |= self.is_document && self.meter.chunks() == 0;
                self.end = Some(End::Normal);
            }
            Delta::Model(model) => self.model = Some(model),
            Delta::Error(error) => self.complain(error),
            Delta::Content(_) | Delta::Reasoning(_) | Delta::Call(_) => {}
        }
    }

    /// The last count that was mentioned holds; counts only grow.
    fn count(&mut self, mut new: Usage) {
        // servers may overshoot a budget by a little; beyond that the count is no count
        let most = u64::from(self.asked.max_tokens) * 4 + 256;
        if self.asked.max_tokens > 0 && new.completion_tokens.is_some_and(|counted| counted > most) {
            self.flag(Flag::UsageImplausible);
            new.completion_tokens = None;
        }
        let shrank = |old: Option<u64>, new: Option<u64>| old.zip(new).is_some_and(|(old, new)| new < old);
        if shrank(self.usage.completion_tokens, new.completion_tokens)
            || shrank(self.usage.prompt_tokens, new.prompt_tokens)
        {
            self.flag(Flag::UsageNotMonotonic);
        }
        self.usage = Usage {
            prompt_tokens: new.prompt_tokens.or(self.usage.prompt_tokens),
            completion_tokens: new.completion_tokens.or(self.usage.completion_tokens),
            reasoning_tokens: new.reasoning_tokens.or(self.usage.reasoning_tokens),
            cached_tokens: new.cached_tokens.or(self.usage.cached_tokens),
        };
    }

    /// Whether nothing that may still come can change the sample.
    pub fn is_done(&self) -> bool {
        self.end.is_some()
    }

    /// The server's refusal, if it was one.
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// What was generated since the last call, for the live view.
    pub fn take_passing(&mut self) -> Vec<Passing> {
        std::mem::take(&mut self.passing)
    }

    fn fail(&mut self, state: SampleState, class: Option<SampleClass>, kind: ErrorKind, message: String) {
        let keeps_error = matches!(self.end, Some(End::Failed(..)));
        if !keeps_error {
            self.end = Some(End::Failed(state, class, SampleError { kind, message, status: self.status }));
        }
    }

    fn flag(&mut self, flag: Flag) {
        if !self.flags.contains(&flag) {
            self.flags.push(flag);
        }
    }

    fn quote(&self, text: &str) -> String {
        error_body::quote(text, self.asked.key.as_ref().map(Secret::reveal))
    }
}
