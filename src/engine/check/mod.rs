//! Checks judge an answer: pure functions from text to a [`Verdict`], the same on every machine. No check panics,
//! whatever the text.
//!
//! Imports: domain, `engine::{python, sim}`, chrono, jsonschema, unicode-segmentation, serde_json. A closed set: the task file names a
//! check, and an unknown name, rule or relation is an error when the file is loaded. To add one: a variant here, its
//! `validate`, `part_names` and `judge`, and a higher [`GRADER_VERSION`].

pub mod answer;
mod base;
pub mod calls;
pub mod choice;
pub mod constraint;
pub mod fields;
pub mod key;
mod latex;
pub mod number;
mod outline;
mod prose;
pub mod python;
pub mod rational;
mod rule;
mod spelled;
mod structure;
mod table;
pub mod text;
mod units;
pub mod values;
pub mod world;

use serde::{Deserialize, Serialize};

use self::{
    answer::{Settled, settle},
    calls::Calls,
    choice::ChoiceKey,
    constraint::Constraints,
    fields::Fields,
    key::NumberKey,
    python::Coding,
    values::Field,
    world::WorldCheck,
};
use super::{python::Outcome, sim::Simulation};
use crate::domain::{
    transcript::{Note, Tool, ToolCall},
    verdict::{Part, PartKind, Verdict},
};

/// Raised with every change that can change a verdict; part of every digest.
pub const GRADER_VERSION: u32 = 2;

/// The part that says whether the answer stands where it was asked for.
pub const ANSWER_LINE: &str = "answer_line";
/// The part of a check with one answer.
pub const ANSWER: &str = "answer";

/// How an answer is judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// One number after `ANSWER:`.
    Number(NumberKey),
    /// One of several named options after `ANSWER:`.
    Choice(ChoiceKey),
    /// Several `key=value` after `ANSWER:`, each its own part.
    Values(Vec<Field>),
    /// Rules that a program can verify.
    Constraints(Constraints),
    /// JSON whose fields are judged one by one.
    Fields(Fields),
    /// Tools that must be called, or must not.
    Calls(Calls),
    /// The state, the changes and the message that a trial leaves in a world.
    World(Box<WorldCheck>),
    /// A program in Python, run in the sandbox.
    Python(Coding),
}

/// One turn of the model, as the harness read it; thinking is never in it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub notes: Vec<Note>,
}

impl Said {
    /// A turn without calls.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Judged<'a> {
    /// The last turn's text, as the harness read it; thinking is never in it.
    pub answer: &'a str,
    /// All that was asked, to know an echo.
    pub task_prompt: &'a str,
    /// What was said last before the model spoke; often the whole prompt.
    pub last_message: &'a str,
    /// Whether the answer was cut.
    pub truncated: bool,
    /// Every turn in order, the last one too.
    pub turns: &'a [Said],
    /// The tools the task offers.
    pub tools: &'a [Tool],
    /// What the tools do, for checks that play the calls again.
    pub simulation: Option<&'a Simulation>,
    /// How often the model was allowed to speak.
    pub turn_limit: u32,
    /// What running the answer came to, or why there was nothing to run, for checks that run it.
    pub ran: Option<Result<&'a Outcome, &'a str>>,
}

impl Check {
    /// The verdict. Pure: the same text gives the same verdict.
    pub fn judge(&self, judged: &Judged) -> Verdict {
        if let Some(why) = nothing_said(judged) {
            return self.nothing(&format!("{why}{}", calls::unread(judged)));
        }
        match self {
            Self::Number(key) => {
                let settled = settle(judged, |text| key.read(text), |a, b| key.same(a, b));
                one(settled, |reading| (key.compare(reading), reading.shown.clone()))
            }
            Self::Choice(key) => {
                let settled = settle(judged, |text| key.read(text), |a, b| a == b);
                one(settled, |reading| (key.compare(reading), reading.clone()))
            }
            Self::Values(fields) => values::judge(fields, judged),
            Self::Constraints(constraints) => constraints.judge(judged),
            Self::Fields(fields) => fields.judge(judged),
            Self::Calls(calls) => calls.judge(judged),
            Self::World(world) => world.judge(judged),
            Self::Python(coding) => coding.judge(judged),
        }
    }

    /// The parts a verdict of this check has, which `reject` examples name.
    pub fn part_names(&self) -> Vec<String> {
        match self {
            Self::Number(_) | Self::Choice(_) => vec![ANSWER.to_owned(), ANSWER_LINE.to_owned()],
            Self::Values(fields) => {
                fields.iter().map(|field| field.key.clone()).chain([ANSWER_LINE.to_owned()]).collect()
            }
            Self::Constraints(constraints) => constraints.part_names(),
            Self::Fields(fields) => fields.part_names(),
            Self::Calls(calls) => calls.part_names(),
            Self::World(world) => world.part_names(),
            Self::Python(coding) => coding.part_names(),
        }
    }

    /// Whether the check can work at all, with the tools of its task; else the field and what is wrong with it.
    pub fn validate(&self, tools: &[Tool]) -> Result<(), (String, String)> {
        match self {
            Self::Number(key) => key.validate().map_err(|(field, why)| (format!("number.{field}"), why)),
            Self::Choice(key) => key.validate().map_err(|(field, why)| (format!("choice.{field}"), why)),
            Self::Values(fields) => values::validate(fields),
            Self::Constraints(constraints) => constraints.validate(),
            Self::Fields(fields) => fields.validate(),
            Self::Calls(calls) => calls.validate().and_then(|()| calls.validate_tools(tools)),
            Self::World(world) => world.validate(),
            Self::Python(coding) => coding.validate().map_err(|(field, why)| (format!("python.{field}"), why)),
        }
    }

    /// A verdict of 0 in every part, for one reason.
    fn nothing(&self, why: &str) -> Verdict {
        let kind = |name: &str| match name {
            ANSWER_LINE | constraint::AS_WRITTEN | fields::ONLY_JSON | world::TURNS | python::CODE_BLOCK => {
                PartKind::Format
            }
            _ => PartKind::Correctness,
        };
        let parts = self.part_names().into_iter().map(|name| {
            let kind = kind(&name);
            Part { name, kind, weight: 1.0, score: 0.0, answer: None, why: why.to_owned() }
        });
        Verdict::of(parts.collect())
    }
}

/// Why there is nothing to judge, if there is not.
fn nothing_said(judged: &Judged) -> Option<&'static str> {
    if judged.turns.iter().any(|turn| !turn.calls.is_empty()) {
        return None;
    }
    let answer = judged.answer.trim();
    if !answer.chars().any(char::is_alphanumeric) {
        return Some(if judged.truncated { "no answer within the budget" } else { "the answer is empty" });
    }
    [judged.task_prompt, judged.last_message]
        .into_iter()
        .any(|asked| repeats(answer, asked.trim()))
        .then_some("the answer repeats the task and adds nothing")
}

/// Whether an answer is what was asked, and nothing more.
fn repeats(answer: &str, asked: &str) -> bool {
    // long prompts are compared only where the answer begins like one
    asked.split_whitespace().next().is_some_and(|first| answer.starts_with(first))
        && text::squeeze(answer)
            .strip_prefix(text::squeeze(asked).as_str())
            .is_some_and(|rest| !rest.chars().any(char::is_alphanumeric))
}

/// The verdict of a check with one answer.
fn one<R>(settled: Settled<R>, compare: impl Fn(&R) -> ((bool, String), String)) -> Verdict {
    let (score, answer, why) = match &settled.reading {
        Ok(reading) => {
            let ((right, why), shown) = compare(reading);
            (f64::from(u8::from(right)), Some(shown), why)
        }
        Err(why) => (0.0, None, why.clone()),
    };
    let part = Part { name: ANSWER.to_owned(), kind: PartKind::Correctness, weight: 1.0, score, answer, why };
    Verdict::of(vec![part, settled.line_part()])
}
