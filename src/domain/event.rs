//! What happens during a run, as a list of facts. The journal on disk, the live page and the stored record are all made
//! from these; [`super::run::RunView::apply`] is the one fold over them.
//!
//! On the wire an event is one flat JSON object `{"i": 12, "at": "…", "type": "trial_finished", …}`.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
use serde_json::Value;

use super::{
    card::CapabilityCard,
    id::{RunId, SuiteId, Wire, closed_set},
    identity::Identity,
    machine::Machine,
    plan::RunPlan,
    sample::Sample,
    speed::SpeedKind,
    transcript::{Message, Note, Tool, ToolCall},
    unit,
    verdict::Verdict,
};

/// One task as the run will do it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedTask {
    pub suite: SuiteId,
    pub task: String,
    pub title: String,
    /// 1 easy to 3 hard.
    pub tier: u8,
    pub trials: u32,
    /// How many tools the task offers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tools: u32,
    /// What is timed, for tasks of the speed suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<SpeedKind>,
    /// SHA-256 of what can change this task's score.
    pub digest: String,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One attempt at a task: what was asked, what came, how it was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    pub suite: SuiteId,
    pub task: String,
    /// Counted from 1.
    pub trial: u32,
    pub seed: Option<u64>,
    pub max_tokens: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<Tool>,
    /// The turns before the last one; empty for a task of one turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// The last turn, or the one that failed: its state is the trial's.
    pub sample: Sample,
    /// The calls that the harness read from the last turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// How the harness read the last turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    pub verdict: Option<Verdict>,
    /// Why there is no verdict.
    pub verdict_absent: Option<String>,
    /// Seconds from the start of the trial to its verdict.
    pub took_s: f64,
}

/// A turn after which the trial went on: what the model said, the calls read from it, what they gave back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub sample: Sample,
    /// The calls, as the harness read them; never empty.
    pub calls: Vec<ToolCall>,
    /// What each call gave back, in the order of the calls.
    pub results: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// One turn of a trial: what the model said, the calls, what they gave back and what there is to remark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spoken<'a> {
    pub sample: &'a Sample,
    pub calls: &'a [ToolCall],
    /// One for each call; empty for the last turn, after which nothing was called.
    pub results: &'a [String],
    pub notes: &'a [Note],
}

/// Characters of an answer that travel with a row; the whole text is in the journal.
pub const ROW_TEXT: usize = 200;

impl Trial {
    /// How often the model spoke.
    pub fn turn_count(&self) -> u32 {
        self.steps.len() as u32 + 1
    }

    /// Every call of the model, in order.
    pub fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.steps.iter().map(|step| &step.sample).chain([&self.sample])
    }

    /// The turns in order, as a conversation shows them.
    pub fn spoken(&self) -> impl Iterator<Item = Spoken<'_>> {
        let steps = self.steps.iter().map(|step| Spoken {
            sample: &step.sample,
            calls: &step.calls,
            results: &step.results,
            notes: &step.notes,
        });
        // a turn that failed was not read; what the server gave is all there is
        let calls = if self.calls.is_empty() { &self.sample.tool_calls } else { &self.calls };
        steps.chain([Spoken { sample: &self.sample, calls, results: &[], notes: &self.notes }])
    }

    /// Everything there is to say about how the harness read the turns.
    pub fn all_notes(&self) -> impl Iterator<Item = &Note> {
        self.steps.iter().flat_map(|step| &step.notes).chain(&self.notes)
    }

    /// The same trial with texts cut to what a row shows.
    pub fn light(mut self) -> Self {
        self.messages.clear();
        self.tools.clear();
        for step in &mut self.steps {
            step.sample.answer.clear();
            step.sample.reasoning.clear();
            step.results.clear();
        }
        let calls = self.steps.iter_mut().flat_map(|step| &mut step.calls).chain(&mut self.calls);
        for call in calls {
            call.arguments = None;
            call.arguments_raw = unit::cut(&call.arguments_raw, ROW_TEXT);
        }
        for note in self.steps.iter_mut().flat_map(|step| &mut step.notes).chain(&mut self.notes) {
            note.text = unit::cut(&note.text, ROW_TEXT);
        }
        self.sample.answer = unit::cut(&self.sample.answer, ROW_TEXT);
        self.sample.reasoning = unit::cut(&self.sample.reasoning, ROW_TEXT);
        for call in &mut self.sample.tool_calls {
            call.arguments = None;
            call.arguments_raw = unit::cut(&call.arguments_raw, ROW_TEXT);
        }
        self
    }
}

/// The call before the first timed one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WarmUp {
    pub sample: Sample,
    /// Characters of text per token, which sizes the prompts of the speed suite; `None` without usage.
    pub chars_per_token: Option<f64>,
}

closed_set! {
    /// How a run ended.
    Ending, "ending" {
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
    }
}

/// What happened. Its name becomes the event's `type`; see [`RunEvent`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Happening {
    /// The plan was accepted; first event of every run.
    Queued {
        run: RunId,
        plan: Box<RunPlan>,
        version: String,
        /// The plan names the built-in demo server.
        #[serde(default)]
        demo: bool,
    },
    /// Another run holds the server; this one is at `position` (1 = next).
    Waiting {
        position: u32,
    },
    /// The server's turn has come.
    Started {
        wire: Wire,
        identity: Box<Identity>,
        machine: Box<Machine>,
        tasks: Vec<PlannedTask>,
        digest: String,
    },
    WarmedUp(Box<WarmUp>),
    /// What the look before the first task found; it comes before `started` if it found no server to use.
    Preflight {
        card: Box<CapabilityCard>,
    },
    SuiteStarted {
        suite: SuiteId,
    },
    TrialStarted {
        suite: SuiteId,
        task: String,
        trial: u32,
    },
    TrialFinished(Box<Trial>),
    /// A task that can't be done here, for example a depth the context can't hold. It leaves the plan.
    TaskSkipped {
        suite: SuiteId,
        task: String,
        why: String,
    },
    /// A suite that was given up, with advice. Its other tasks stay planned and unjudged.
    SuiteStopped {
        suite: SuiteId,
        why: String,
    },
    SuiteFinished {
        suite: SuiteId,
    },
    /// The model and server, read again after the last task.
    IdentityRead {
        identity: Box<Identity>,
    },
    Finished {
        ending: Ending,
        why: Option<String>,
    },
}

/// A numbered fact. Numbers start at 0 and have no gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct RunEvent {
    pub i: u64,
    pub at: DateTime<Utc>,
    pub what: Happening,
}

impl RunEvent {
    /// The event as it travels to pages: texts cut to what rows show.
    pub fn light(mut self) -> Self {
        match self.what {
            Happening::TrialFinished(trial) => self.what = Happening::TrialFinished(Box::new(trial.light())),
            Happening::WarmedUp(mut warm_up) => {
                warm_up.sample.answer = unit::cut(&warm_up.sample.answer, ROW_TEXT);
                warm_up.sample.reasoning = unit::cut(&warm_up.sample.reasoning, ROW_TEXT);
                self.what = Happening::WarmedUp(warm_up);
            }
            other => self.what = other,
        }
        self
    }

    /// Whether this is the last event of a run.
    pub fn is_end(&self) -> bool {
        matches!(self.what, Happening::Finished { .. })
    }
}

impl Serialize for RunEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // {"trial_started": {"suite": …}} becomes {"type": "trial_started", "suite": …}: serde could tag it so by itself,
        // but reading that back takes a tenth of all the code that a browser has to load
        let value = serde_json::to_value(&self.what).map_err(S::Error::custom)?;
        let named = value.as_object().and_then(|named| named.iter().next());
        let (name, fields) = named.ok_or_else(|| S::Error::custom("a happening has a name"))?;
        let mut fields = fields.as_object().cloned().unwrap_or_default();
        fields.insert("type".into(), name.as_str().into());
        fields.insert("i".into(), self.i.into());
        fields.insert("at".into(), serde_json::to_value(self.at).map_err(S::Error::custom)?);
        fields.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RunEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut value = Value::deserialize(deserializer)?;
        let fields = value.as_object_mut().ok_or_else(|| D::Error::custom("an event is a JSON object"))?;
        let i =
            fields.remove("i").and_then(|i| i.as_u64()).ok_or_else(|| D::Error::custom("an event has a number `i`"))?;
        let at = fields.remove("at").ok_or_else(|| D::Error::custom("an event has a time `at`"))?;
        let at = serde_json::from_value(at).map_err(D::Error::custom)?;
        let name = fields.remove("type").and_then(|name| Some(name.as_str()?.to_owned()));
        let name = name.ok_or_else(|| D::Error::custom("an event has a `type`"))?;
        let named = Value::Object([(name, value)].into_iter().collect());
        Ok(Self { i, at, what: serde_json::from_value(named).map_err(D::Error::custom)? })
    }
}

/// What passes by while an answer is written: shown, never stored, without a number.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Pulse {
    pub suite: Option<SuiteId>,
    pub task: String,
    pub trial: u32,
    /// `connecting`, `waiting`, `thinking`, `answering`.
    pub phase: String,
    /// Chunks with content so far; a chunk is about a token.
    pub chunks: u32,
    /// Chunks per second over the last two seconds; `None` before there are enough.
    pub chunks_s: Option<f64>,
    /// The last characters of what is being written.
    pub tail: String,
    pub ttft_ms: Option<f64>,
    pub elapsed_ms: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_flat_object_and_survives_the_trip() {
        let event = RunEvent {
            i: 3,
            at: DateTime::from_timestamp(1_772_360_000, 5_000_000).unwrap(),
            what: Happening::TrialStarted { suite: SuiteId::Speed, task: "decode-64".into(), trial: 2 },
        };

        let json = serde_json::to_value(&event).unwrap();

        assert_eq!(json["i"], 3);
        assert_eq!(json["type"], "trial_started");
        assert_eq!(json["suite"], "speed");
        assert_eq!(serde_json::from_value::<RunEvent>(json).unwrap(), event);
    }

    #[test]
    fn an_event_without_a_number_is_refused() {
        assert!(
            serde_json::from_str::<RunEvent>(r#"{"at":"2026-01-01T00:00:00Z","type":"waiting","position":1}"#).is_err()
        );
        assert!(serde_json::from_str::<RunEvent>("[]").is_err());
    }
}
