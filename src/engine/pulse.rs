//! Turns passing chunks into at most four pulses a second for the live page and the terminal. Imports: domain, journal.

use std::collections::VecDeque;

use super::{
    client::{Passing, Phase},
    journal::Journal,
};
use crate::domain::{event::Pulse, id::SuiteId};

/// Milliseconds between two pulses.
const EVERY_MS: f64 = 250.0;
/// Milliseconds over which the running rate is taken.
const WINDOW_MS: f64 = 2000.0;
/// Characters of text that are shown.
const TAIL: usize = 600;

/// Collects what passes by during one sample.
pub struct Pulses {
    journal: Journal,
    pulse: Pulse,
    recent: VecDeque<(f64, u32)>,
    told_ms: Option<f64>,
}

impl Pulses {
    pub fn new(journal: Journal, suite: Option<SuiteId>, task: &str, trial: u32) -> Self {
        let pulse = Pulse { suite, task: task.to_owned(), trial, ..Pulse::default() };
        Self { journal, pulse, recent: VecDeque::new(), told_ms: None }
    }

    /// Takes one passing chunk; tells it if the last telling is long enough ago or the phase changed.
    pub fn saw(&mut self, passing: Passing) {
        let phase = match passing.phase {
            Phase::Connecting => "connecting",
            Phase::Waiting => "waiting",
            Phase::Thinking => "thinking",
            Phase::Answering => "answering",
        };
        let turned = self.pulse.phase != phase;
        if turned && phase == "answering" {
            self.pulse.tail.clear();
        }
        self.pulse.phase = phase.to_owned();
        self.pulse.chunks = passing.chunks;
        self.pulse.ttft_ms = passing.ttft_ms;
        self.pulse.elapsed_ms = passing.at_ms;
        self.pulse.tail.push_str(&passing.text);
        let length = self.pulse.tail.chars().count();
        if length > TAIL {
            self.pulse.tail = self.pulse.tail.chars().skip(length - TAIL).collect();
        }
        self.recent.push_back((passing.at_ms, passing.chunks));
        while self.recent.front().is_some_and(|(at, _)| passing.at_ms - at > WINDOW_MS) {
            self.recent.pop_front();
        }
        if turned || self.told_ms.is_none_or(|told| passing.at_ms - told >= EVERY_MS) {
            self.told_ms = Some(passing.at_ms);
            self.pulse.chunks_s = self.rate();
            self.journal.pulse(self.pulse.clone());
        }
    }

    /// Chunks per second over the window; `None` before a quarter second and eight chunks.
    fn rate(&self) -> Option<f64> {
        let ((first, before), (last, now)) = (self.recent.front()?, self.recent.back()?);
        let (span, chunks) = (last - first, now.saturating_sub(*before));
        (span >= 250.0 && chunks >= 8).then(|| f64::from(chunks) * 1000.0 / span)
    }
}
