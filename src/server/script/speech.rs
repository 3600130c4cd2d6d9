//! What is said and when, in no wire's terms. Pure.

use serde_json::Value;

/// What a piece is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Thought,
    Answer,
}

/// One token's worth of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub kind: Kind,
    pub text: String,
}

/// Why an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    Stop,
    Length,
}

/// A whole answer on an absolute schedule: piece `k` is written `first_ms + k · every_ms` after the request was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Speech {
    pub pieces: Vec<Piece>,
    /// Tool calls, written in one piece after the text.
    pub calls: Vec<(String, Value)>,
    pub first_ms: f64,
    pub every_ms: f64,
    pub finish: Finish,
    /// `None`: the server counts nothing.
    pub prompt_tokens: Option<u64>,
    /// Tokens the server claims to have generated; `None`: one per piece.
    pub completion_tokens: Option<u64>,
}

/// Cuts text into pieces about as long as tokens: words with the space before them.
pub fn pieces_of(kind: Kind, text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for c in text.chars() {
        let starts = match pieces.last() {
            None => true,
            Some(last) => {
                let ends_in_space = last.text.ends_with(char::is_whitespace);
                (c.is_whitespace() && !ends_in_space) || last.text.trim_start().chars().count() >= 7
            }
        };
        match pieces.last_mut() {
            Some(last) if !starts => last.text.push(c),
            _ => pieces.push(Piece { kind, text: c.to_string() }),
        }
    }
    pieces
}

impl Speech {
    /// An answer without delay.
    pub fn of(text: &str) -> Self {
        Self {
            pieces: pieces_of(Kind::Answer, text),
            calls: Vec::new(),
            first_ms: 0.0,
            every_ms: 0.0,
            finish: Finish::Stop,
            prompt_tokens: Some(10),
            completion_tokens: None,
        }
    }

    /// Puts a thought before the answer.
    pub fn after_thinking(mut self, thought: &str) -> Self {
        let mut pieces = pieces_of(Kind::Thought, thought);
        pieces.append(&mut self.pieces);
        self.pieces = pieces;
        self
    }

    /// First piece after `first_ms`, then `tok_s` pieces a second.
    pub fn paced(mut self, first_ms: f64, tok_s: f64) -> Self {
        self.first_ms = first_ms;
        self.every_ms = if tok_s > 0.0 { 1000.0 / tok_s } else { 0.0 };
        self
    }

    /// Stops after `most` pieces, as a token budget does.
    pub fn within(mut self, most: u64) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        if self.pieces.len() > most {
            self.pieces.truncate(most);
            self.calls.clear();
            self.finish = Finish::Length;
        }
        self
    }

    pub fn tokens(&self) -> u64 {
        self.completion_tokens.unwrap_or((self.pieces.len() + self.calls.len()) as u64)
    }

    /// When piece `k` is due, in milliseconds after the request.
    pub fn due_ms(&self, k: usize) -> f64 {
        self.first_ms + self.every_ms * k as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_to_the_text() {
        for text in [
            "",
            "one",
            "The answer is 42.\n\nANSWER: 42",
            "ein  Überraschungsmoment",
            "数学の答えは四十二です。終わり",
            "\n\n x",
        ] {
            let joined: String = pieces_of(Kind::Answer, text).iter().map(|piece| piece.text.as_str()).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn a_budget_cuts_and_says_so() {
        let speech = Speech::of("one two three four").within(2);
        assert_eq!((speech.pieces.len(), speech.finish), (2, Finish::Length));
    }
}
