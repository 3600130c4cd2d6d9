//! Bytes → frames: the lines of a JSON-lines body or the events of an event stream (WHATWG rules). Pure; nothing here
//! knows what the frames mean. Text is decoded per complete line only, so a character may be cut between two reads.

/// The most that is kept of one unfinished line or event, in bytes.
pub const LIMIT: usize = 16 * 1024 * 1024;

/// Why a body can't be cut into frames.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error("byte {byte:#04x} at offset {offset} of the answer is no valid UTF-8")]
    Utf8 { byte: u8, offset: usize },
    #[error("a single line or event of the answer is longer than 16 MB")]
    TooLong,
}

/// One line of JSON, or one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The event's name; empty for lines and for unnamed events.
    pub event: String,
    pub data: String,
}

/// How a body is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Lines,
    Events,
}

/// Cuts bytes into frames; fed with reads of any size.
#[derive(Debug)]
pub struct Frames {
    framing: Framing,
    /// The unfinished line.
    line: Vec<u8>,
    /// Where the unfinished line starts in the body.
    line_start: usize,
    /// Bytes taken so far.
    taken: usize,
    /// The last byte was a carriage return that ended a line; a line feed that follows belongs to it.
    after_cr: bool,
    event: String,
    data: Option<String>,
}

impl Frames {
    pub fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), line_start: 0, taken: 0, after_cr: false, event: String::new(), data: None }
    }

    /// Takes one read and adds the frames that it completes to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Frame>) -> Result<(), FrameError> {
        for &byte in bytes {
            self.taken += 1;
            let ends_line = match byte {
                b'\n' if self.after_cr => {
                    self.after_cr = false;
                    self.line_start = self.taken;
                    continue;
                }
                b'\n' => true,
                b'\r' => self.framing == Framing::Events,
                _ => false,
            };
            self.after_cr = ends_line && byte == b'\r';
            if ends_line {
                self.end_line(out)?;
                self.line_start = self.taken;
            } else {
                self.line.push(byte);
                if self.line.len() + self.data.as_ref().map_or(0, String::len) > LIMIT {
                    return Err(FrameError::TooLong);
                }
            }
        }
        Ok(())
    }

    /// The body has ended: gives the last line or event even if its end is missing.
    pub fn end(&mut self, out: &mut Vec<Frame>) -> Result<(), FrameError> {
        if !self.line.is_empty() {
            self.end_line(out)?;
        }
        self.dispatch(out);
        Ok(())
    }

    /// What came of an unfinished line.
    pub fn rest(self) -> Vec<u8> {
        self.line
    }

    fn end_line(&mut self, out: &mut Vec<Frame>) -> Result<(), FrameError> {
        let line = std::mem::take(&mut self.line);
        let mut start = self.line_start;
        let mut line = line.as_slice();
        if start == 0
            && let Some(rest) = line.strip_prefix(b"\xEF\xBB\xBF")
        {
            (line, start) = (rest, 3);
        }
        match self.framing {
            Framing::Lines => {
                let text = decode(line, start)?.trim();
                if !text.is_empty() {
                    out.push(Frame { event: String::new(), data: text.to_owned() });
                }
            }
            Framing::Events if line.is_empty() => self.dispatch(out),
            Framing::Events if line.starts_with(b":") => {}
            Framing::Events => self.field(decode(line, start)?),
        }
        Ok(())
    }

    fn field(&mut self, line: &str) {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            "event" => self.event = value.to_owned(),
            _ => {}
        }
    }

    fn dispatch(&mut self, out: &mut Vec<Frame>) {
        let event = std::mem::take(&mut self.event);
        if let Some(data) = self.data.take() {
            out.push(Frame { event, data });
        }
    }
}

fn decode(line: &[u8], start: usize) -> Result<&str, FrameError> {
    std::str::from_utf8(line).map_err(|error| {
        let at = error.valid_up_to();
        FrameError::Utf8 { byte: line.get(at).copied().unwrap_or_default(), offset: start + at }
    })
}
