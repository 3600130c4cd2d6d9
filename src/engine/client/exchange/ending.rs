//! How an exchange ends otherwise than by its end marker: deadlines, broken connections, the user, errors that the server
//! reports.

use super::{Clock, End, Exchange, GRACE_MS, Mode, Refusal};
use crate::{
    domain::sample::{ErrorKind, Flag, SampleClass, SampleState},
    engine::client::{
        error_body::{self, BodyError},
        error_class,
        frames::FrameError,
    },
};

impl Exchange {
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

    /// A page where an answer should be, or the body of a refusal.
    pub(super) fn page(&mut self) {
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
    pub(super) fn complain(&mut self, error: BodyError) {
        // before anything was generated it is a refusal, whatever the status of the response says
        if self.refusal.is_none() && self.meter.chunks() == 0 && !self.is_done() {
            let status = error.code.or(self.status).unwrap_or_default();
            self.refusal = Some(Refusal { status, error: error.clone() });
        }
        let (state, class) = error_class::classify(self.status.filter(|status| *status >= 400), &error);
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
        let foreign_host = error_class::HOST.iter().any(|words| error.says(words));
        let trust = "add the host of this address to the server's trusted hosts, or use the address it trusts";
        if let Some(hint) = class.and_then(hint).or(foreign_host.then_some(trust)) {
            message = format!("{message}; {hint}");
        }
        self.fail(state, class, kind, message);
    }

    pub(super) fn frame_error(&mut self, error: &FrameError) {
        let kind = match error {
            FrameError::Utf8 { .. } => ErrorKind::InvalidUtf8,
            FrameError::TooLong => ErrorKind::InvalidJson,
        };
        self.fail(SampleState::ProtocolError, None, kind, error.to_string());
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
