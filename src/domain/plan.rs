//! What a run will do. A form becomes a plan once, at the edge; inside, nothing is checked again.

use serde::{Deserialize, Serialize};

use super::id::{HarnessId, Profile, SuiteId, Thinking, UnknownName, Wire};

/// Four clocks, each adjustable, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Opening a connection.
    pub connect_s: f64,
    /// Request written to first byte of the answer; covers loading and prefill, so it is long.
    pub first_byte_s: f64,
    /// Between two events with content.
    pub idle_s: f64,
    /// The whole sample.
    pub sample_s: f64,
}

impl Default for Clocks {
    fn default() -> Self {
        Self { connect_s: 10.0, first_byte_s: 600.0, idle_s: 120.0, sample_s: 900.0 }
    }
}

impl Clocks {
    /// The first clock that is no time above 0 and up to a day, by its field; `None` if all can be used.
    pub fn unusable(&self) -> Option<(&'static str, f64)> {
        let all = [
            ("connect_timeout", self.connect_s),
            ("first_byte_timeout", self.first_byte_s),
            ("idle_timeout", self.idle_s),
            ("sample_timeout", self.sample_s),
        ];
        all.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0 && *value <= 86_400.0))
    }
}

/// The values a person or program asked for, unchecked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunForm {
    pub model: String,
    pub endpoint: String,
    /// Empty or `auto`: found by asking the server.
    pub provider: String,
    /// Empty: raw.
    pub harness: String,
    pub suites: Vec<String>,
    pub profile: String,
    pub trials: String,
    pub thinking: String,
    pub thinking_budget: String,
    pub num_ctx: String,
    pub clocks: Option<Clocks>,
    /// Start without a look at the server.
    #[serde(default)]
    pub skip_preflight: bool,
}

/// A refused plan: which field and why.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error("model: say which model to run; the Models page shows what each server offers")]
    NoModel,
    #[error("endpoint: say where the model server listens, for example http://127.0.0.1:11434")]
    NoEndpoint,
    #[error("suites: choose at least one of {0}")]
    NoSuite(String),
    #[error("suites: {0} is not built yet; choose among {1}")]
    SuiteNotBuilt(SuiteId, String),
    #[error("harness: {0} is not built yet; choose raw")]
    HarnessNotBuilt(HarnessId),
    #[error("{field}: {why}")]
    Unknown { field: &'static str, why: UnknownName },
    #[error("{field}: {value:?} is no whole number from {low} to {high}")]
    OutOfRange { field: &'static str, value: String, low: u64, high: u64 },
    #[error("{field}: longer than {limit} characters; give the name that the server lists")]
    TooLong { field: &'static str, limit: usize },
    #[error("{field}: {value} seconds is no time above 0")]
    BadClock { field: &'static str, value: f64 },
}

impl PlanError {
    /// The form field the refusal belongs to.
    pub fn field(&self) -> &'static str {
        match self {
            Self::NoModel => "model",
            Self::NoEndpoint => "endpoint",
            Self::NoSuite(_) | Self::SuiteNotBuilt(..) => "suites",
            Self::HarnessNotBuilt(_) => "harness",
            Self::Unknown { field, .. }
            | Self::OutOfRange { field, .. }
            | Self::TooLong { field, .. }
            | Self::BadClock { field, .. } => field,
        }
    }
}

/// Everything that decides what a run does; recorded whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    pub model: String,
    pub endpoint: String,
    /// `None`: found by asking the server; the run records what was found.
    pub provider: Option<Wire>,
    pub harness: HarnessId,
    pub suites: Vec<SuiteId>,
    pub profile: Profile,
    /// Attempts at each quality task, 1 to 9, with seeds 7, 8, 9 …
    pub trials: u32,
    pub thinking: Thinking,
    /// Tokens on top of each task's answer budget; 0 when thinking is off.
    pub thinking_budget: u32,
    pub temperature: f64,
    /// Seed of the first trial.
    pub seed: u64,
    /// Context length asked of an Ollama server, in tokens.
    pub num_ctx: u32,
    pub parallel: u32,
    pub clocks: Clocks,
    /// Look at the server first, and start nothing that can't end well.
    #[serde(default = "yes")]
    pub preflight: bool,
}

const fn yes() -> bool {
    true
}

/// Characters a model's name may have; names of GGUF paths are shorter.
const LONGEST_NAME: usize = 300;
/// Tokens of thinking allowed on top of the answer, unless told otherwise.
pub const THINKING_BUDGET: u32 = 4096;
/// Context asked of an Ollama server, unless told otherwise.
pub const NUM_CTX: u32 = 10_240;
/// Seed of the first trial.
pub const SEED: u64 = 7;
/// Timed trials of each speed task, at least.
pub const SPEED_TRIALS: u32 = 5;

fn number(field: &'static str, value: &str, low: u64, high: u64, default: u64) -> Result<u64, PlanError> {
    let value = value.trim();
    if value.is_empty() {
        return Ok(default);
    }
    match value.parse::<u64>() {
        Ok(n) if (low..=high).contains(&n) => Ok(n),
        _ => Err(PlanError::OutOfRange { field, value: value.to_owned(), low, high }),
    }
}

fn named<T: std::str::FromStr<Err = UnknownName>>(
    field: &'static str,
    value: &str,
    default: T,
) -> Result<T, PlanError> {
    let value = value.trim();
    if value.is_empty() {
        return Ok(default);
    }
    value.parse().map_err(|why| PlanError::Unknown { field, why })
}

/// The suites that can be chosen, as a list for messages.
fn built() -> String {
    let names: Vec<_> = SuiteId::ALL.iter().filter(|suite| suite.is_built()).map(|suite| suite.as_str()).collect();
    names.join(", ")
}

impl RunPlan {
    /// Refuses a blank model or endpoint, an empty or unknown suite list, trials outside 1 to 9, clocks of 0.
    pub fn new(form: RunForm) -> Result<Self, PlanError> {
        let model = form.model.trim().to_owned();
        if model.is_empty() {
            return Err(PlanError::NoModel);
        }
        if model.chars().count() > LONGEST_NAME {
            return Err(PlanError::TooLong { field: "model", limit: LONGEST_NAME });
        }
        let endpoint = form.endpoint.trim().to_owned();
        if endpoint.chars().count() > LONGEST_NAME * 4 {
            return Err(PlanError::TooLong { field: "endpoint", limit: LONGEST_NAME * 4 });
        }
        if endpoint.is_empty() {
            return Err(PlanError::NoEndpoint);
        }
        let provider = Wire::named(&form.provider).map_err(|why| PlanError::Unknown { field: "provider", why })?;
        let harness = named("harness", &form.harness, HarnessId::Raw)?;
        if !harness.is_built() {
            return Err(PlanError::HarnessNotBuilt(harness));
        }
        let suites = Self::suites(&form.suites)?;
        let thinking = named("thinking", &form.thinking, Thinking::Auto)?;
        let budget = number("thinking_budget", &form.thinking_budget, 0, 1_000_000, u64::from(THINKING_BUDGET))?;
        let clocks = form.clocks.unwrap_or_default();
        if let Some((field, value)) = clocks.unusable() {
            return Err(PlanError::BadClock { field, value });
        }
        Ok(Self {
            model,
            endpoint,
            provider,
            harness,
            suites,
            profile: named("profile", &form.profile, Profile::Standard)?,
            trials: number("trials", &form.trials, 1, 9, 1)? as u32,
            thinking,
            thinking_budget: if thinking == Thinking::Off { 0 } else { budget as u32 },
            temperature: 0.0,
            seed: SEED,
            num_ctx: number("num_ctx", &form.num_ctx, 256, 10_000_000, u64::from(NUM_CTX))? as u32,
            parallel: 1,
            clocks,
            preflight: !form.skip_preflight,
        })
    }

    fn suites(names: &[String]) -> Result<Vec<SuiteId>, PlanError> {
        let mut suites = Vec::new();
        let names = names.iter().flat_map(|name| name.split(',')).map(str::trim).filter(|name| !name.is_empty());
        for name in names {
            let suite: SuiteId = name.parse().map_err(|why| PlanError::Unknown { field: "suites", why })?;
            if !suite.is_built() {
                return Err(PlanError::SuiteNotBuilt(suite, built()));
            }
            if !suites.contains(&suite) {
                suites.push(suite);
            }
        }
        if suites.is_empty() {
            return Err(PlanError::NoSuite(built()));
        }
        suites.sort_unstable();
        Ok(suites)
    }

    /// Timed trials of each speed task.
    pub fn speed_trials(&self) -> u32 {
        self.trials.max(SPEED_TRIALS)
    }

    /// The seed of a trial, counted from 1.
    pub fn seed_of(&self, trial: u32) -> u64 {
        self.seed + u64::from(trial.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> RunForm {
        RunForm {
            model: "m".into(),
            endpoint: "http://127.0.0.1:1".into(),
            suites: vec!["reasonmath".into(), "speed,reasonmath".into()],
            ..RunForm::default()
        }
    }

    #[test]
    fn suites_run_in_their_fixed_order_and_once() {
        let plan = RunPlan::new(form()).unwrap();
        assert_eq!(plan.suites, [SuiteId::Speed, SuiteId::Reasonmath]);
    }

    #[test]
    fn b11_zero_trials_are_refused() {
        for trials in ["0", "-1", "10", "two", "1.5"] {
            let error = RunPlan::new(RunForm { trials: trials.into(), ..form() }).unwrap_err();
            assert_eq!(error.field(), "trials", "{trials}");
        }
    }

    #[test]
    fn thinking_off_has_no_thinking_budget() {
        let plan = RunPlan::new(RunForm { thinking: "off".into(), ..form() }).unwrap();
        assert_eq!(plan.thinking_budget, 0);
    }

    #[test]
    fn a_clock_of_zero_is_refused() {
        let clocks = Clocks { idle_s: 0.0, ..Clocks::default() };
        let error = RunPlan::new(RunForm { clocks: Some(clocks), ..form() }).unwrap_err();
        assert_eq!(error.field(), "idle_timeout");
    }
}
