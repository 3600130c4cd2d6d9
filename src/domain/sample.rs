//! One model call and everything known of it: how it ended, what was said, what was measured and why a figure is absent.
//!
//! A sample ends in exactly one state. Only `ok` and `truncated` are judged; nothing else may become a 0 or a pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{id::closed_set, transcript::ToolCall};

closed_set! {
    /// How a model call ended.
    SampleState, "sample state" {
        /// The server ended the answer normally.
        Ok = "ok",
        /// The answer was cut, by its length or because it looped.
        Truncated = "truncated",
        /// No connection, a reset, TLS or name failure.
        TransportError = "transport_error",
        /// The server reported an error, by status or in the body.
        ProviderError = "provider_error",
        /// The server or model cannot do what was asked.
        RefusedCapability = "refused_capability",
        /// One of our clocks ran out.
        Timeout = "timeout",
        /// The user stopped it.
        Cancelled = "cancelled",
        /// The bytes are no valid answer.
        ProtocolError = "protocol_error",
    }
}

impl SampleState {
    /// Whether the answer may be judged.
    pub const fn is_judged(self) -> bool {
        matches!(self, Self::Ok | Self::Truncated)
    }

    /// Whether the sample counts for reliability: refused capabilities and cancelled calls say nothing about it.
    pub const fn counts_for_reliability(self) -> bool {
        !matches!(self, Self::RefusedCapability | Self::Cancelled)
    }
}

closed_set! {
    /// What kind of ending within a state.
    SampleClass, "sample class" {
        /// truncated: the token budget ran out.
        Length = "length",
        /// truncated: the answer repeated itself.
        Loop = "loop",
        /// protocol error: nothing at all came.
        Empty = "empty",
        /// provider error: the chat template refused the messages.
        Template = "template",
        /// provider error: too many requests.
        RateLimit = "rate_limit",
        /// provider error: the model is still loading.
        Loading = "loading",
        /// provider error: the model died.
        Crash = "crash",
        /// provider error: a key is needed or was refused.
        Key = "key",
        /// refused: the prompt does not fit the context.
        Context = "context",
        /// refused: the model is not the one asked for, or not there.
        Model = "model",
        /// refused: no tools.
        Tools = "tools",
        /// refused: no thinking.
        Thinking = "thinking",
        /// timeout: connecting.
        Connect = "connect",
        /// timeout: before the first byte of the answer.
        FirstByte = "first_byte",
        /// timeout: between two events.
        Idle = "idle",
        /// timeout: the whole sample.
        WholeSample = "sample",
    }
}

closed_set! {
    /// What a reader should know beside the state.
    Flag, "flag" {
        /// All content came in one read: nothing can be timed.
        Unstreamed = "unstreamed",
        /// Fewer than 8 chunks carried the answer: rates are rough.
        CoarseChunks = "coarse_chunks",
        /// The usage counters went down.
        UsageNotMonotonic = "usage_not_monotonic",
        /// The server counted far more tokens than were allowed; its count is not used.
        UsageImplausible = "usage_implausible",
        /// Client and server figures differ by more than 20 %.
        ClockDisagrees = "clock_disagrees",
        /// Part of the prompt came from the server's cache.
        CacheHit = "cache_hit",
        /// `<think>` was opened and not closed.
        UnclosedThink = "unclosed_think",
        /// The same text came as reasoning and as content.
        ReasoningEchoed = "reasoning_echoed",
        /// Thinking was to be off and reasoning was seen.
        ThinkingContaminated = "thinking_contaminated",
        /// Thinking was to be on and no reasoning was seen.
        ThinkingSilent = "thinking_silent",
        /// A tool call's arguments are no JSON object.
        MalformedArguments = "malformed_arguments",
        /// The server went on sending after its end marker.
        LateBytes = "late_bytes",
        /// Streaming was refused or switched off; the answer came in one piece.
        NonStream = "non_stream",
        /// The server did not close its stream after the last chunk.
        NotClosed = "not_closed",
        /// The server's prompt count says that the prompt was cut.
        PromptCut = "prompt_cut",
        /// The answer names another model than was asked for, and the server's list does not tell whether it is the same.
        ModelDiffers = "model_differs",
        /// Channel markers of the harmony format were left in the text; they were read, and the final channel is the answer.
        HarmonyMarkers = "harmony_markers",
    }
}

closed_set! {
    /// What went wrong, for programs.
    ErrorKind, "error kind" {
        Connect = "connect",
        Name = "name",
        Tls = "tls",
        Reset = "reset",
        Redirect = "redirect",
        Status = "status",
        ErrorBody = "error_body",
        NoEndMarker = "no_end_marker",
        InvalidUtf8 = "invalid_utf8",
        InvalidJson = "invalid_json",
        Html = "html",
        Empty = "empty",
        PromptCut = "prompt_cut",
        Timeout = "timeout",
        Cancelled = "cancelled",
    }
}

/// Why a sample has no answer, with evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SampleError {
    pub kind: ErrorKind,
    /// What failed, on what, what to do; holds the first 300 characters of what the server said.
    pub message: String,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
}

/// Tokens as the server counted them. `None` where it said nothing: null is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub prompt_tokens: Option<u64>,
    /// Includes reasoning tokens.
    pub completion_tokens: Option<u64>,
    pub reasoning_tokens: Option<u64>,
    /// The part of the prompt that came from a cache.
    pub cached_tokens: Option<u64>,
}

/// Times measured by this client on one monotonic clock, stamped when bytes arrive.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Timing {
    /// Opening the connection; in no other figure.
    pub connect_ms: Option<f64>,
    /// Loading the model, as the server reports it.
    pub load_ms: Option<f64>,
    /// Request written to first generated token of any kind: content, reasoning or tool call.
    pub ttft_ms: Option<f64>,
    /// Request written to first character of the answer.
    pub ttfo_ms: Option<f64>,
    /// Request written to last event with content.
    pub total_ms: Option<f64>,
    /// (n − 1) / (last − first generated token), n from usage, reasoning included.
    pub decode_tok_s: Option<f64>,
    /// Uncached prompt tokens / TTFT.
    pub prefill_tok_s: Option<f64>,
    /// Time per output token: (last − first) / (n − 1).
    pub tpot_ms: Option<f64>,
    /// Median gap between chunks with content; a chunk is not a token.
    pub inter_chunk_ms: Option<f64>,
}

/// The server's own figures, for comparison.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct ServerTiming {
    pub prefill_tok_s: Option<f64>,
    pub decode_tok_s: Option<f64>,
    pub prompt_ms: Option<f64>,
    pub decode_ms: Option<f64>,
}

/// One model call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub state: SampleState,
    pub class: Option<SampleClass>,
    /// The answer; thinking is never in it.
    pub answer: String,
    pub reasoning: String,
    pub tool_calls: Vec<ToolCall>,
    pub finish_reason: Option<String>,
    pub usage: Usage,
    pub timing: Timing,
    /// Field name → why it is null.
    pub notes: BTreeMap<String, String>,
    pub flags: Vec<Flag>,
    /// How many requests were sent for this sample, retries included.
    pub requests: u32,
    /// Milliseconds of pauses before the last request because the server was busy or loading; in no time of the sample.
    /// `None` if there were none.
    #[serde(default)]
    pub waited_ms: Option<f64>,
    /// Why the last of these pauses was made, if the server said so: `loading` or `rate_limit`.
    #[serde(default)]
    pub waited_for: Option<SampleClass>,
    /// What was dropped or changed to please the server.
    pub adaptations: Vec<String>,
    pub error: Option<SampleError>,
    /// The server's own figures.
    #[serde(default)]
    pub server_timing: ServerTiming,
    /// How many chunks carried content, reasoning or tool calls.
    #[serde(default)]
    pub chunks: u32,
    /// The model's name in the answer, if the server repeats it.
    #[serde(default)]
    pub model: Option<String>,
}

impl Sample {
    /// A sample without answer: `state` with its evidence, every figure null.
    pub fn failed(state: SampleState, class: Option<SampleClass>, error: SampleError) -> Self {
        Self {
            state,
            class,
            answer: String::new(),
            reasoning: String::new(),
            tool_calls: Vec::new(),
            finish_reason: None,
            usage: Usage::default(),
            timing: Timing::default(),
            notes: BTreeMap::new(),
            flags: Vec::new(),
            requests: 1,
            waited_ms: None,
            waited_for: None,
            adaptations: Vec::new(),
            error: Some(error),
            server_timing: ServerTiming::default(),
            chunks: 0,
            model: None,
        }
    }

    /// A whole answer that was not measured, for judging what was written down.
    pub fn written(answer: String, reasoning: String, tool_calls: Vec<ToolCall>) -> Self {
        let error = SampleError { kind: ErrorKind::ErrorBody, message: String::new(), status: None };
        let sample = Self::failed(SampleState::Ok, None, error);
        Self { answer, reasoning, tool_calls, error: None, requests: 0, ..sample }
    }

    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Adds a flag once.
    pub fn flag(&mut self, flag: Flag) {
        if !self.has(flag) {
            self.flags.push(flag);
        }
    }

    /// What a person reads of a sample that was not judged: the state and its evidence.
    pub fn why_not_judged(&self) -> Option<String> {
        if self.state.is_judged() {
            return None;
        }
        let evidence = self.error.as_ref().map_or("no evidence kept", |error| error.message.as_str());
        Some(format!("{}: {evidence}", self.state))
    }
}
