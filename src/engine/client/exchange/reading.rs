//! The body of an answer → JSON values: which form it has, its frames, its end. The form is told by what comes, because
//! servers mislabel it.

use serde_json::Value;

use super::{End, Exchange, Mode, PAGE_LIMIT};
use crate::{
    domain::{
        id::Wire,
        sample::{ErrorKind, Flag, SampleClass, SampleState},
    },
    engine::client::{
        error_body,
        frames::{Frame, FrameError, Frames, Framing, LIMIT},
    },
};

impl Exchange {
    /// Tells the form of the body by its first visible byte; `None` if there is none yet.
    pub(super) fn form(&self, held: &[u8]) -> Option<Mode> {
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

    pub(super) fn body(&mut self, at: f64, bytes: &[u8]) {
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
}
