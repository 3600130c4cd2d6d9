//! What goes between this process and the worker: JSON values, each after its length. Imports: serde, serde_json.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// Bytes that one frame may have; far above every answer and its results.
const LONGEST: u32 = 32 << 20;

/// One program to run in a fresh interpreter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What the driver reads.
    pub input: String,
    pub limits: Limits,
}

/// What one interpreter may use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// WebAssembly instructions, about: the same on every machine.
    pub fuel: u64,
    pub memory_bytes: u64,
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { fuel: 20_000_000_000, memory_bytes: 256 << 20, output_bytes: 1 << 20 }
    }
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The module is compiled; requests may come.
    Ready { compiled_ms: f64 },
    /// The answer to one request.
    Ran(Ran),
    /// The worker cannot work; it ends.
    Broken(String),
}

/// How one interpreter ended and what it wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    pub end: End,
    pub output: String,
    /// The last of what went to the error stream, for people.
    pub complaint: String,
    pub fuel_used: u64,
    pub memory_peak_bytes: u64,
    /// Memory was asked for above the limit and refused.
    pub memory_refused: bool,
}

/// How an interpreter ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// The driver came to its end.
    Finished,
    /// The program asked the system to end the process.
    Exit(i32),
    OutOfFuel,
    StackOverflow,
    TooMuchOutput,
    /// The interpreter broke off, for example after running out of memory.
    Trap(String),
}

/// Writes one frame and flushes it.
pub fn write(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(value)?;
    let length = u32::try_from(text.len()).ok().filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| io::Error::other(format!("a frame of {} bytes is too long", text.len())))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&text)?;
    to.flush()
}

/// Reads one frame; `None` where the other side has closed.
pub fn read<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let length = u32::from_le_bytes(length);
    if length > LONGEST {
        return Err(io::Error::other(format!("a frame of {length} bytes is too long")));
    }
    let mut text = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut text)?;
    Ok(Some(serde_json::from_slice(&text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_until_the_other_side_closes() {
        let request = Request { input: "('é\n',)".to_owned(), limits: Limits::default() };
        let mut bytes = Vec::new();
        write(&mut bytes, &request).unwrap();
        let mut from = bytes.as_slice();
        assert_eq!(read::<Request>(&mut from).unwrap(), Some(request));
        assert_eq!(read::<Request>(&mut from).unwrap(), None);
    }

    #[test]
    fn a_length_beyond_all_reason_is_refused_unread() {
        let mut from: &[u8] = &[0xff, 0xff, 0xff, 0xff, b'{'];
        assert!(read::<Request>(&mut from).is_err());
    }
}
