//! From a job to its outcome: runs the cases, starts over behind a case that ended the interpreter, asks for properties.
//! Imports: the sandbox's own parts.

use super::{
    Case, Job, Property, Python, PythonError, Raised,
    frame::{End, Ran},
    protocol::{self, At, Line, Loaded, Reading},
    value::Value,
};

/// Interpreters that one answer may use up.
const INTERPRETERS: u32 = 3;

/// What an answer came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Pieces that are no programs, and why.
    pub broken: Vec<(usize, Raised)>,
    /// The pieces that make up the program, by number; the whole answer has the number after the last piece.
    pub chosen: Vec<usize>,
    pub start: Start,
    /// One for each case; all [`CaseEnd::NotRun`] unless the start is [`Start::Defined`].
    pub cases: Vec<CaseEnd>,
    /// Fuel of all interpreters together.
    pub fuel_used: u64,
}

/// How loading an answer ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// No piece compiles, nor the whole.
    NoProgram,
    /// The program does not define the name.
    Missing,
    Raised(Raised),
    Stopped(Stop),
    Defined,
}

/// How one case ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseEnd {
    Gave(Value),
    /// A value, and whether the case's property holds for it.
    Holds(Value, Held),
    Raised(Raised),
    /// The set-up before the call raised.
    SetUp(Raised),
    Stopped(Stop),
    /// Cases before it used up all interpreters, or the program could not be loaded.
    NotRun,
}

/// What became of a property.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    Yes,
    No,
    /// It cannot be evaluated for this value.
    Raised(Raised),
}

/// What ended an interpreter before its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    OutOfFuel,
    OutOfMemory,
    StackOverflow,
    TooMuchOutput,
    Exit(i32),
    /// Something other than the driver wrote among the results.
    Forged,
    /// The interpreter broke off; the text is for people.
    Broke(String),
}

impl Stop {
    fn of(ran: &Ran) -> Self {
        match &ran.end {
            End::OutOfFuel => Self::OutOfFuel,
            End::StackOverflow => Self::StackOverflow,
            End::TooMuchOutput => Self::TooMuchOutput,
            End::Trap(_) | End::Exit(_) if ran.memory_refused => Self::OutOfMemory,
            End::Exit(code) => Self::Exit(*code),
            End::Trap(trap) => Self::Broke(trap.clone()),
            End::Finished => Self::Forged,
        }
    }
}

/// Where a job stands between interpreters.
struct Progress {
    outcome: Outcome,
    /// Cases still to run, by number.
    left: Vec<usize>,
    /// Pieces that may be programs, by number.
    blocks: Vec<usize>,
    is_done: bool,
}

pub(super) async fn of(python: &Python, job: &Job) -> Result<Outcome, PythonError> {
    let outcome = Outcome {
        broken: Vec::new(),
        chosen: Vec::new(),
        start: Start::NoProgram,
        cases: vec![CaseEnd::NotRun; job.cases.len()],
        fuel_used: 0,
    };
    let left = (0..job.cases.len()).collect();
    let mut progress = Progress { outcome, left, blocks: (0..job.blocks.len()).collect(), is_done: false };
    for _ in 0..INTERPRETERS {
        let blocks: Vec<(usize, &str)> = progress.blocks.iter().map(|n| (*n, job.blocks[*n].as_str())).collect();
        let whole = job.whole.as_deref().map(|whole| (job.blocks.len(), whole));
        let cases: Vec<&Case> = progress.left.iter().map(|n| &job.cases[*n]).collect();
        let input = protocol::judge(&blocks, whole, &job.entry, &cases);
        let ran = python.interpret(input, job.limits).await?;
        progress.outcome.fuel_used += ran.fuel_used;
        progress.take(&ran);
        if progress.is_done {
            break;
        }
    }
    let mut outcome = progress.outcome;
    properties(python, job, &mut outcome).await?;
    Ok(outcome)
}

impl Progress {
    fn take(&mut self, ran: &Ran) {
        let reading = match protocol::read(&ran.output) {
            Ok(reading) => reading,
            Err(_) => return self.nothing(Stop::Forged),
        };
        for broken in &reading.broken {
            self.breaks(broken.clone());
        }
        if let Some(chosen) = &reading.chosen {
            self.outcome.chosen = chosen.clone();
        }
        let is_whole = ran.end == End::Finished && reading.at == At::End;
        if !is_whole && reading.at == At::End {
            // what runs after the last case is no part of any
            return self.nothing(Stop::of(ran));
        }
        match &reading.loaded {
            Some(Loaded::Defined) => self.outcome.start = Start::Defined,
            Some(Loaded::Missing) => self.outcome.start = Start::Missing,
            Some(Loaded::Raised(raised)) => self.outcome.start = Start::Raised(raised.clone()),
            None => {}
        }
        self.take_cases(&reading);
        if is_whole {
            self.is_done = true;
            return;
        }
        let stop = Stop::of(ran);
        match reading.at {
            At::Compiling(n) => {
                // text that breaks the compiler is no program
                let raised = Raised {
                    class: "SyntaxError".to_owned(),
                    message: "too much for the compiler".to_owned(),
                    bases: Vec::new(),
                };
                self.is_done = !self.blocks.contains(&n);
                self.blocks.retain(|other| *other != n);
                self.breaks((n, raised));
            }
            At::Case(_) if !self.left.is_empty() => {
                let n = self.left.remove(0);
                self.outcome.cases[n] = CaseEnd::Stopped(stop);
                self.is_done = self.left.is_empty();
            }
            At::Start | At::Loading | At::Case(_) | At::Between | At::End => self.nothing(stop),
        }
    }

    fn breaks(&mut self, broken: (usize, Raised)) {
        if !self.outcome.broken.iter().any(|(n, _)| *n == broken.0) {
            self.outcome.broken.push(broken);
        }
    }

    fn take_cases(&mut self, reading: &Reading) {
        let ended = reading.cases.len().min(self.left.len());
        for (n, line) in self.left.drain(..ended).zip(&reading.cases) {
            self.outcome.cases[n] = match line.clone() {
                Line::Gave(value) => CaseEnd::Gave(value),
                Line::Raised(raised) => CaseEnd::Raised(raised),
                Line::SetUp(raised) => CaseEnd::SetUp(raised),
            };
        }
    }

    /// Nothing of the answer counts.
    fn nothing(&mut self, stop: Stop) {
        self.outcome.start = Start::Stopped(stop);
        self.outcome.cases.fill(CaseEnd::NotRun);
        self.is_done = true;
    }
}

/// Asks for the properties of all values that cases gave, in an interpreter that never saw the answer.
async fn properties(python: &Python, job: &Job, outcome: &mut Outcome) -> Result<(), PythonError> {
    let mut asked = Vec::new();
    for (n, case) in job.cases.iter().enumerate() {
        let (Some(holds), CaseEnd::Gave(value)) = (&case.holds, &outcome.cases[n]) else { continue };
        let property = Property { setup: case.setup.clone(), holds: holds.clone() };
        asked.push((n, property, value.clone(), value.source()));
    }
    let questions: Vec<(&Property, String)> =
        asked.iter().filter_map(|(_, property, _, source)| Some((property, source.clone()?))).collect();
    let mut answers = Vec::new();
    if !questions.is_empty() {
        let ran = python.interpret(protocol::hold(&questions), job.limits).await?;
        outcome.fuel_used += ran.fuel_used;
        match protocol::read(&ran.output) {
            // fewer than asked where a value was too much for its property; those do not hold
            Ok(reading) => answers = reading.cases,
            Err(forged) => return Err(PythonError::Gone(forged.to_string())),
        }
    }
    let mut answers = answers.into_iter();
    for (n, _, value, source) in asked {
        let answer = source.and_then(|_| answers.next());
        outcome.cases[n] = match answer {
            Some(Line::Gave(Value::Bool(true))) => CaseEnd::Holds(value, Held::Yes),
            Some(Line::Raised(raised)) => CaseEnd::Holds(value, Held::Raised(raised)),
            _ => CaseEnd::Holds(value, Held::No),
        };
    }
    Ok(())
}
