//! One HTTP answer from its head to a sample, without sockets and without a clock: the shell tells it what arrived when,
//! in milliseconds since the request was written, and asks until when to wait. Never panics, whatever the bytes.

use serde_json::Value;

use super::{
    Passing, Phase, Secret,
    calls::Calls,
    delta::{Arguments, Delta},
    error_body::{self, BodyError},
    frames::{Frame, FrameError, Frames, Framing, LIMIT},
    meter::Meter,
    ollama, openai,
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
pub(super) enum End {
    Normal,
    Failed(SampleState, Option<SampleClass>, SampleError),
}

/// The state of one answer.
#[derive(Debug)]
pub struct Exchange {
    pub(super) asked: Asked,
    pub(super) status: Option<u16>,
    is_html: bool,
    is_document: bool,
    mode: Mode,
    /// The unfinished line that belongs to a document found line by line.
    rest: Vec<u8>,
    read: u32,
    pub(super) content: String,
    /// Where each content delta ends in `content`, and when it came.
    pub(super) content_at: Vec<(usize, f64)>,
    /// The content so far is inside an opening `<think>`.
    inside_thought: bool,
    pub(super) reasoning: String,
    pub(super) calls: Calls,
    pub(super) finish_reason: Option<String>,
    finished_at: Option<f64>,
    pub(super) usage: Usage,
    pub(super) server: ServerTiming,
    pub(super) load_ms: Option<f64>,
    pub(super) model: Option<String>,
    pub(super) meter: Meter,
    pub(super) whole: bool,
    pub(super) flags: Vec<Flag>,
    frames_seen: u32,
    last_progress: Option<f64>,
    last_read: f64,
    /// The beginning of the body, as evidence.
    evidence: Vec<u8>,
    refusal: Option<Refusal>,
    passing: Vec<Passing>,
    pub(super) end: Option<End>,
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

    /// Tells the form of the body by its first visible byte; `None` if there is none yet.
    fn form(&self, held: &[u8]) -> Option<Mode> {
        let bom: &[u8] = b"\xEF\xBB\xBF";
        if held.len() < bom.len() && bom.starts_with(held) {
            return None;
        }
        let text = held.strip_prefix(bom).unwrap_or(held);
        let first = *text.iter().find(|byte| !byte.is_ascii_whitespace())?;
        let framing = match (self.asked.wire, first) {
            (_, b'<') => return Some(Mode::Page(Vec::new())),
            (_, b'{' | b'[') => Framing::Lines,
            _ if self.is_html => return Some(Mode::Page(Vec::new())),
            (Wire::Ollama, b'd' | b'e' | b':') | (Wire::OpenaiCompat, _) => Framing::Events,
            (Wire::Ollama, _) => Framing::Lines,
        };
        Some(Mode::Framed(Frames::new(framing), framing))
    }

    fn body(&mut self, at: f64, bytes: &[u8]) {
        match &mut self.mode {
            Mode::Sniff(_) => {}
            Mode::Page(page) => {
                let room = PAGE_LIMIT.saturating_sub(page.len()).min(bytes.len());
                page.extend_from_slice(bytes.get(..room).unwrap_or_default());
            }
            Mode::Document(document) => {
                document.extend_from_slice(bytes);
                self.last_progress = Some(at);
                if document.len() > LIMIT {
                    self.frame_error(&FrameError::TooLong);
                }
            }
            Mode::Framed(frames, _) => {
                let mut out = Vec::new();
                let result = frames.push(bytes, &mut out);
                self.frames(at, &out);
                if let Mode::Document(document) = &mut self.mode {
                    document.append(&mut self.rest);
                }
                if let Err(error) = result {
                    self.frame_error(&error);
                }
            }
        }
    }

    fn frames(&mut self, at: f64, frames: &[Frame]) {
        for (index, frame) in frames.iter().enumerate() {
            if self.is_done() {
                let says_more = |frame: &Frame| frame.data.trim() != "[DONE]" && !frame.data.trim().is_empty();
                if matches!(self.end, Some(End::Normal)) && frames.iter().skip(index).any(says_more) {
                    self.flag(Flag::LateBytes);
                }
                return;
            }
            if let Mode::Document(document) = &mut self.mode {
                document.extend_from_slice(frame.data.as_bytes());
                document.push(b'\n');
            } else {
                self.frame(at, frame);
            }
        }
    }

    fn frame(&mut self, at: f64, frame: &Frame) {
        let data = frame.data.trim();
        if data.is_empty() || data.starts_with(':') {
            return; // a heartbeat, bare or wrapped
        }
        if data == "[DONE]" {
            self.end = Some(End::Normal);
            return;
        }
        self.frames_seen += 1;
        if frame.event == "error" {
            let error = error_body::of_body(data);
            return self.complain(error);
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => self.value(at, &value),
            Err(_) if frame.data.contains('\n') => {
                // events that are divided by single line ends only
                let lines = frame.data.lines().map(|line| Frame { event: String::new(), data: line.to_owned() });
                let lines: Vec<_> = lines.collect();
                self.frames(at, &lines);
            }
            Err(error)
                if error.is_eof() && self.frames_seen == 1 && matches!(self.mode, Mode::Framed(_, Framing::Lines)) =>
            {
                let mut document = data.as_bytes().to_vec();
                document.push(b'\n');
                self.last_progress = Some(at);
                if let Mode::Framed(frames, _) = std::mem::replace(&mut self.mode, Mode::Document(document)) {
                    self.rest = frames.rest();
                }
            }
            Err(error) => {
                let quoted = self.quote(data);
                self.fail(
                    SampleState::ProtocolError,
                    None,
                    ErrorKind::InvalidJson,
                    format!("a chunk of the answer is no JSON ({error}): {quoted}"),
                );
            }
        }
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
            let from = if was_inside { self.content.len().saturating_sub(text.len() + 16) } else { 0 };
            let tail = self.content.as_bytes().get(from..).unwrap_or_default();
            self.inside_thought = match was_inside {
                true => !String::from_utf8_lossy(tail).contains("</think"),
                false => super::think::is_open(&self.content),
            };
        }
        let phase = if has_content && !self.inside_thought { Phase::Answering } else { Phase::Thinking };
        let ttft_ms = self.meter.first();
        self.passing.push(Passing { phase, chunks: self.meter.chunks(), text, at_ms: at, ttft_ms });
    }

    /// What a chunk says beside generated text.
    fn fact(&mut self, at: f64, delta: Delta) {
        match delta {
            Delta::Usage(usage) => self.count(usage),
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
    fn count(&mut self, new: Usage) {
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

    /// The body ended where it should.
    pub fn eof(&mut self, at: f64) {
        if self.is_done() {
            return;
        }
        match &mut self.mode {
            Mode::Framed(frames, _) => {
                let mut out = Vec::new();
                let result = frames.end(&mut out);
                // a tail that is no JSON was cut off: that is a missing end, not bad JSON
                out.retain(|frame| {
                    frame.data.trim() == "[DONE]"
                        || serde_json::from_str::<Value>(&frame.data).is_ok()
                        || frame.data.contains('\n')
                });
                self.frames(at, &out);
                if let Err(error) = result {
                    self.frame_error(&error);
                }
            }
            Mode::Document(document) => {
                let document = std::mem::take(document);
                self.document(at, &document);
            }
            Mode::Page(_) => self.page(),
            Mode::Sniff(_) => {}
        }
        if self.is_done() {
            return;
        }
        if self.finished_at.is_some() {
            self.end = Some(End::Normal);
        } else if self.frames_seen == 0 && self.evidence.iter().all(u8::is_ascii_whitespace) {
            self.fail(
                SampleState::ProtocolError,
                Some(SampleClass::Empty),
                ErrorKind::Empty,
                "the server's answer has no body at all; its log may say why".to_owned(),
            );
        } else {
            let marker = match self.asked.wire {
                Wire::Ollama => "\"done\":true",
                Wire::OpenaiCompat => "finish_reason and [DONE]",
            };
            let begin = String::from_utf8_lossy(&self.evidence).into_owned();
            let begin = self.quote(&begin);
            self.fail(
                SampleState::ProtocolError,
                None,
                ErrorKind::NoEndMarker,
                format!("the answer ended without {marker}: what came is a part at most; it begins: {begin}"),
            );
        }
    }

    fn document(&mut self, at: f64, document: &[u8]) {
        let text = match std::str::from_utf8(document) {
            Ok(text) => text,
            Err(error) => {
                let offset = error.valid_up_to();
                let byte = document.get(offset).copied().unwrap_or_default();
                return self.frame_error(&FrameError::Utf8 { byte, offset });
            }
        };
        match serde_json::from_str::<Value>(text) {
            Ok(value) => {
                self.whole = true;
                self.value(at, &value);
            }
            Err(error) => {
                let quoted = self.quote(text);
                let why = format!("the answer is no whole JSON document ({error}): {quoted}");
                self.fail(SampleState::ProtocolError, None, ErrorKind::InvalidJson, why);
            }
        }
    }

    /// The connection broke. After the finish reason nothing is missing.
    pub fn broken(&mut self, _at: f64, kind: ErrorKind, message: &str) {
        if self.is_done() {
            return;
        }
        if matches!(self.mode, Mode::Page(_)) && self.status.is_some_and(|status| status >= 400) {
            self.page();
        } else if self.finished_at.is_some() {
            self.flag(Flag::NotClosed);
            self.end = Some(End::Normal);
        } else {
            let message = self.quote(message);
            self.fail(SampleState::TransportError, None, kind, message);
        }
    }

    /// Until when to wait, in milliseconds since the request was written, and for which clock; `None` once it is done.
    pub fn deadline(&self) -> Option<(f64, Clock)> {
        if self.is_done() {
            return None;
        }
        let clocks = &self.asked.clocks;
        let own = if let Some(finished) = self.finished_at {
            (finished + GRACE_MS, Clock::Grace)
        } else if matches!(self.mode, Mode::Page(_)) {
            (self.last_read + GRACE_MS, Clock::Grace)
        } else if let Some(progress) = self.last_progress {
            (progress + clocks.idle_s * 1000.0, Clock::Idle)
        } else {
            (clocks.first_byte_s * 1000.0, Clock::FirstByte)
        };
        let whole = (clocks.sample_s * 1000.0, Clock::WholeSample);
        Some(if whole.0 < own.0 { whole } else { own })
    }

    /// Time passed; ends the exchange if its deadline is over.
    pub fn expire(&mut self, at: f64) {
        let Some((_, clock)) = self.deadline().filter(|(deadline, _)| at >= *deadline) else { return };
        let clocks = self.asked.clocks;
        let (class, what, limit, setting) = match clock {
            _ if matches!(self.mode, Mode::Page(_)) => return self.page(),
            _ if self.finished_at.is_some() => {
                self.flag(Flag::NotClosed);
                self.end = Some(End::Normal);
                return;
            }
            Clock::Grace | Clock::FirstByte => {
                (SampleClass::FirstByte, "nothing was generated for", clocks.first_byte_s, "--first-byte-timeout")
            }
            Clock::Idle => (SampleClass::Idle, "nothing more was generated for", clocks.idle_s, "--idle-timeout"),
            Clock::WholeSample => {
                (SampleClass::WholeSample, "the answer was not finished after", clocks.sample_s, "--sample-timeout")
            }
        };
        let since = if class == SampleClass::Idle { self.last_progress.unwrap_or(0.0) } else { 0.0 };
        let waited = (at - since) / 1000.0;
        let message = format!("{what} {waited:.1} s; the {class} clock allows {limit} s ({setting} raises it)");
        self.fail(SampleState::Timeout, Some(class), ErrorKind::Timeout, message);
    }

    /// The user stopped it.
    pub fn cancel(&mut self, at: f64) {
        if !self.is_done() {
            let message = format!("stopped by the user after {:.1} s", at / 1000.0);
            self.fail(SampleState::Cancelled, None, ErrorKind::Cancelled, message);
        }
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

    /// A page where an answer should be, or the body of a refusal.
    fn page(&mut self) {
        let Mode::Page(page) = &self.mode else { return };
        let text = String::from_utf8_lossy(page).into_owned();
        match self.status {
            Some(status) if status >= 400 => {
                let error = error_body::of_body(&text);
                self.refusal = Some(Refusal { status, error: error.clone() });
                self.complain(error);
            }
            _ => {
                let quoted = self.quote(&text);
                let why =
                    format!("the answer is a web page, not a model's answer; is the address right? it says: {quoted}");
                self.fail(SampleState::ProtocolError, None, ErrorKind::Html, why);
            }
        }
    }

    /// The server reported an error, by status or inside the body.
    fn complain(&mut self, error: BodyError) {
        let (state, class) = error_body::classify(self.status.filter(|status| *status >= 400), &error);
        let in_body = self.status.is_none_or(|status| status < 400);
        let kind = if in_body { ErrorKind::ErrorBody } else { ErrorKind::Status };
        let mut message = match (in_body, self.status) {
            (false, Some(status)) => format!("the server answered {status}"),
            _ => "the server reported an error".to_owned(),
        };
        let quoted = self.quote(&error.message);
        if !quoted.is_empty() {
            message = format!("{message}: {quoted}");
        }
        if let Some(prompt) = error.prompt_tokens {
            message.push_str(&format!(" (n_prompt_tokens {prompt}"));
            message.push_str(&error.n_ctx.map_or_else(|| ")".to_owned(), |n| format!(", n_ctx {n})")));
        }
        if let Some(hint) = class.and_then(hint) {
            message = format!("{message}; {hint}");
        }
        self.fail(state, class, kind, message);
    }

    fn frame_error(&mut self, error: &FrameError) {
        let kind = match error {
            FrameError::Utf8 { .. } => ErrorKind::InvalidUtf8,
            FrameError::TooLong => ErrorKind::InvalidJson,
        };
        self.fail(SampleState::ProtocolError, None, kind, error.to_string());
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

/// What to do about a class of error.
fn hint(class: SampleClass) -> Option<&'static str> {
    match class {
        SampleClass::Key => Some("give this server's API key"),
        SampleClass::Loading => Some("wait until the model is loaded"),
        SampleClass::Model => Some("choose one of the models that the server lists"),
        SampleClass::Context => Some("load the model with a longer context or ask for less"),
        SampleClass::Tools => Some("choose a harness that writes tools into the prompt"),
        _ => None,
    }
}
