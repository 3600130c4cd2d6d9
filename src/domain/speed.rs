//! The speed suite's figures: per point a median with its spread, client and server side by side.

use serde::{Deserialize, Serialize};

use super::{run::Row, stats};

/// What a speed task times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "measure", rename_all = "snake_case", deny_unknown_fields)]
pub enum SpeedKind {
    /// Writing: up to `tokens` of output after a short prompt.
    Decode { tokens: u32 },
    /// Reading: a prompt of about `depth` tokens.
    Prefill { depth: u32 },
}

impl SpeedKind {
    pub fn label(self) -> String {
        match self {
            Self::Decode { tokens } => format!("decode, {tokens} tokens"),
            Self::Prefill { depth } => {
                format!("prefill, depth {}", super::unit::count(u64::from(depth)))
            }
        }
    }
}

/// Median with spread over the timed trials of one point.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Spread {
    pub n: u32,
    pub median: Option<f64>,
    pub mad: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
}

impl Spread {
    pub fn of(values: &[f64]) -> Self {
        Self {
            n: values.len() as u32,
            median: stats::median(values),
            // one value has no spread
            mad: stats::mad(values).filter(|_| values.len() > 1),
            min: values.iter().copied().reduce(f64::min),
            max: values.iter().copied().reduce(f64::max),
        }
    }

    /// `median ± MAD (min to max)`, in the unit of `show`; a single value alone; a dash for none.
    pub fn words(&self, show: impl Fn(Option<f64>) -> String) -> String {
        if self.mad.is_none() {
            return show(self.median);
        }
        format!("{} ± {} ({} to {})", show(self.median), show(self.mad), show(self.min), show(self.max))
    }
}

/// One line of the speed table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpeedPoint {
    pub task: String,
    pub kind: SpeedKind,
    /// tok/s by this client's clock.
    pub client: Spread,
    /// tok/s as the server says, where it does.
    pub server: Spread,
    pub ttft_ms: Spread,
    pub tpot_ms: Spread,
    /// Median of the prompt tokens the server counted.
    pub prompt_tokens: Option<f64>,
    /// Median of the tokens it generated.
    pub completion_tokens: Option<f64>,
    /// Why the client figure is absent, if it is.
    pub why: Option<String>,
    /// Single trials, for the dots.
    pub trials: Vec<f64>,
}

/// Generated tokens a decode trial needs before it counts for the headline.
pub const HEADLINE_TOKENS: u64 = 32;

/// Takes the rows of one speed task together.
pub fn point(task: &str, kind: SpeedKind, rows: &[&Row]) -> SpeedPoint {
    let judged: Vec<&&Row> = rows.iter().filter(|row| row.state.is_judged()).collect();
    let collect =
        |pick: &dyn Fn(&Row) -> Option<f64>| -> Vec<f64> { judged.iter().filter_map(|row| pick(row)).collect() };
    let field = match kind {
        SpeedKind::Decode { .. } => "decode_tok_s",
        SpeedKind::Prefill { .. } => "prefill_tok_s",
    };
    let client = collect(&|row| match kind {
        SpeedKind::Decode { .. } => row.timing.decode_tok_s,
        SpeedKind::Prefill { .. } => row.timing.prefill_tok_s,
    });
    let server = collect(&|row| match kind {
        SpeedKind::Decode { .. } => row.server_timing.decode_tok_s,
        SpeedKind::Prefill { .. } => row.server_timing.prefill_tok_s,
    });
    let why = if client.is_empty() {
        let note = judged.iter().find_map(|row| row.notes.get(field).cloned());
        Some(
            note.or_else(|| rows.iter().find_map(|row| row.not_judged.clone()))
                .unwrap_or_else(|| "not measured".to_owned()),
        )
    } else {
        None
    };
    SpeedPoint {
        task: task.to_owned(),
        kind,
        server: Spread::of(&server),
        ttft_ms: Spread::of(&collect(&|row| row.timing.ttft_ms)),
        tpot_ms: Spread::of(&collect(&|row| row.timing.tpot_ms)),
        prompt_tokens: stats::median(&collect(&|row| row.usage.prompt_tokens.map(|n| n as f64))),
        completion_tokens: stats::median(&collect(&|row| row.usage.completion_tokens.map(|n| n as f64))),
        why,
        client: Spread::of(&client),
        trials: client,
    }
}

/// Decode speed of the run: all depth-0 trials that generated at least [`HEADLINE_TOKENS`].
pub fn headline<'a>(rows: impl Iterator<Item = (&'a Row, SpeedKind)>) -> Vec<f64> {
    rows.filter(|(row, kind)| matches!(kind, SpeedKind::Decode { .. }) && row.state.is_judged())
        .filter(|(row, _)| row.usage.completion_tokens.is_some_and(|n| n >= HEADLINE_TOKENS))
        .filter_map(|(row, _)| row.timing.decode_tok_s)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_names_its_parts() {
        let spread = Spread::of(&[70.9, 71.8, 72.6]);
        assert_eq!(spread.words(super::super::unit::rate), "71.8 ± 0.8 (70.9 to 72.6)");
        assert_eq!(Spread::of(&[2.9]).words(super::super::unit::rate), "2.9");
        assert_eq!(Spread::of(&[]).words(super::super::unit::rate), "–");
    }
}
