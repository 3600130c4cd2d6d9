//! The end of an exchange → the sample: which state it ends in, what is thought and what is answer, and the figures.

use super::{End, Exchange};
use crate::{
    domain::{
        id::{Thinking, Wire},
        sample::{ErrorKind, Flag, Sample, SampleClass, SampleError, SampleState},
    },
    engine::client::{harmony, meter, think},
};

/// Why an answer that was ended for its repetition has no counts.
const LOOPED: &str = "the answer repeated itself and was ended before the server counted";

type Ending = (SampleState, Option<SampleClass>, Option<SampleError>);

impl Exchange {
    /// The sample; `connect_ms` is what opening the connection took.
    pub fn finish(self, connect_ms: Option<f64>) -> Sample {
        self.finish_noting(connect_ms, None)
    }

    /// The same, with the reason for missing usage where the client knows it.
    pub(in crate::engine::client) fn finish_noting(
        mut self,
        connect_ms: Option<f64>,
        no_usage: Option<&str>,
    ) -> Sample {
        let no_usage = if matches!(self.end, Some(End::Looped)) { Some(LOOPED) } else { no_usage };
        let (mut state, mut class, mut error) = self.ending();
        let mut flags = std::mem::take(&mut self.flags);
        let mut reasoning = std::mem::take(&mut self.reasoning);
        let cut = state == SampleState::Truncated;
        // a server that cannot tell the channels apart may put all of them into the reasoning
        let hidden = self.content.trim().is_empty().then(|| harmony::split(&reasoning, false)).flatten();
        let marked = harmony::split(&self.content, cut);
        if hidden.is_some() || marked.is_some() {
            flags.push(Flag::HarmonyMarkers);
        }
        let (split, said, times) = match hidden {
            Some(split) => (split, std::mem::take(&mut reasoning), &self.reasoning_at),
            None => (marked.unwrap_or_else(|| think::split(&self.content)), self.content.clone(), &self.content_at),
        };
        let mut answer = said.get(split.answer_at..split.answer_to).unwrap_or_default().to_owned();
        let mut answer_at = (!answer.is_empty()).then(|| when(times, split.answer_at)).flatten();
        if split.unclosed {
            flags.push(Flag::UnclosedThink);
        }
        let echoes = !answer.trim().is_empty() && answer.trim() == reasoning.trim();
        if echoes && state == SampleState::Truncated {
            flags.push(Flag::ReasoningEchoed);
            answer.clear();
            answer_at = None;
        }
        if !split.reasoning.is_empty() && reasoning.trim() != split.reasoning {
            if !reasoning.is_empty() {
                reasoning.push('\n');
            }
            reasoning.push_str(&split.reasoning);
        }
        if state.is_judged() && self.prompt_was_cut() {
            flags.push(Flag::PromptCut);
            (state, class) = (SampleState::RefusedCapability, Some(SampleClass::Context));
            error = Some(self.cut_prompt());
        }
        let has_calls = !self.calls.is_empty();
        if state.is_judged() {
            flags.extend(self.thinking_flag(&reasoning));
        }
        if self.usage.cached_tokens.is_none() {
            let cached = self.usage.prompt_tokens.zip(self.evaluated).map(|(all, fresh)| all.saturating_sub(fresh));
            self.usage.cached_tokens = cached.filter(|cached| *cached > 0);
        }
        let unfinished = (!state.is_judged()).then(|| format!("the sample ended as {state}"));
        let figures = self.meter.finish(&meter::Facts {
            wire: self.asked.wire,
            usage: self.usage,
            server: self.server,
            load_ms: self.load_ms,
            connect_ms,
            answer_at,
            whole: self.whole,
            has_calls,
            unfinished: unfinished.as_deref(),
            no_usage,
        });
        flags.extend(figures.flags);
        if self.whole && state.is_judged() {
            flags.push(Flag::NonStream);
        }
        let (mut tool_calls, malformed) = self.calls.finish();
        for call in &mut tool_calls {
            if let Some(name) = harmony::tool_name(&call.name).map(str::to_owned) {
                call.name = name;
                if !flags.contains(&Flag::HarmonyMarkers) {
                    flags.push(Flag::HarmonyMarkers);
                }
            }
        }
        if malformed {
            flags.push(Flag::MalformedArguments);
        }
        Sample {
            state,
            class,
            answer,
            reasoning,
            tool_calls,
            finish_reason: self.finish_reason,
            usage: self.usage,
            timing: figures.timing,
            notes: figures.notes,
            flags,
            requests: 1,
            waited_ms: None,
            waited_for: None,
            adaptations: Vec::new(),
            error,
            server_timing: self.server,
            chunks: figures.chunks,
            model: self.model,
        }
    }

    fn ending(&mut self) -> Ending {
        let failed = |state, class, kind, message: &str, status| {
            (state, class, Some(SampleError { kind, message: message.to_owned(), status }))
        };
        match self.end.take() {
            Some(End::Failed(state, class, error)) => return (state, class, Some(error)),
            None => {
                let why = "the answer was left before its end";
                return failed(SampleState::ProtocolError, None, ErrorKind::NoEndMarker, why, self.status);
            }
            Some(End::Looped) => return (SampleState::Truncated, Some(SampleClass::Loop), None),
            Some(End::Normal) => {}
        }
        let reason = self.finish_reason.as_deref().unwrap_or_default().to_ascii_lowercase();
        if matches!(reason.as_str(), "error" | "abort") {
            let why = format!("the server ended the answer with finish_reason {reason:?}; its log may say why");
            return failed(SampleState::ProviderError, None, ErrorKind::ErrorBody, &why, self.status);
        }
        let tokens = self.usage.completion_tokens.unwrap_or(0);
        let says_nothing = self.content.is_empty() && self.reasoning.is_empty() && self.calls.is_empty();
        if says_nothing && tokens == 0 {
            let why = "the answer holds no text, no reasoning, no tool call and no token; the server's log may say why";
            return failed(SampleState::ProtocolError, Some(SampleClass::Empty), ErrorKind::Empty, why, self.status);
        }
        let ran_out = self.asked.max_tokens > 0 && tokens >= u64::from(self.asked.max_tokens);
        if ran_out || matches!(reason.as_str(), "length" | "max_tokens" | "model_length") {
            return (SampleState::Truncated, Some(SampleClass::Length), None);
        }
        (SampleState::Ok, None, None)
    }

    /// An Ollama server halves a prompt that does not fit and says so only by its count.
    fn prompt_was_cut(&self) -> bool {
        let (Some(counted), Some(num_ctx)) = (self.usage.prompt_tokens, self.asked.num_ctx) else { return false };
        let half = u64::from(num_ctx) / 2 + 2;
        let asked = self.asked.prompt_chars as f64 / 6.0;
        self.asked.wire == Wire::Ollama && counted.abs_diff(half) <= 8 && asked > counted as f64 * 1.2
    }

    fn cut_prompt(&self) -> SampleError {
        let counted = self.usage.prompt_tokens.unwrap_or(0);
        let num_ctx = self.asked.num_ctx.unwrap_or(0);
        let message = format!(
            "the server counted {counted} prompt tokens for {} characters, about half of num_ctx {num_ctx}: it cut the \
             prompt; ask for a longer context",
            self.asked.prompt_chars
        );
        SampleError { kind: ErrorKind::PromptCut, message, status: self.status }
    }

    /// Whether the model thought although it should not, or did not although it should.
    fn thinking_flag(&self, reasoning: &str) -> Option<Flag> {
        let thought = !reasoning.trim().is_empty() || self.usage.reasoning_tokens.is_some_and(|n| n > 0);
        match self.asked.thinking {
            Thinking::Off if thought => Some(Flag::ThinkingContaminated),
            Thinking::On if !thought => Some(Flag::ThinkingSilent),
            _ => None,
        }
    }
}

/// When the text at this byte came.
fn when(times: &[(usize, f64)], byte: usize) -> Option<f64> {
    times.iter().find(|(end, _)| *end > byte).map(|(_, at)| *at)
}
