//! Judges a program: what each case gave against what it should give. The program has run before, in the sandbox; in
//! here is nothing but comparison.
//!
//! Imports: domain, `engine::python`.

mod blocks;

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Deserializer, Serialize, de};

use super::Judged;
use crate::{
    domain::verdict::{Part, PartKind, Verdict},
    engine::python::{
        self, CaseEnd, Held, Job, Limits, Outcome, Raised, Start, Stop, literal,
        value::{Compare, Rule, Value},
    },
};

/// The part that says whether the program stood in a fenced block.
pub const CODE_BLOCK: &str = "code_block";
/// Cases that a task has at least.
const FEWEST_CASES: usize = 6;

/// A program that must define a name, and calls of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coding {
    /// The function or class that the prompt asks for.
    pub entry: String,
    pub cases: Vec<Case>,
}

/// One call and what it should come to; exactly one of `expect`, `raises` and `holds` is there.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name of its part.
    pub name: String,
    /// Statements before the call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<String>,
    /// One expression.
    pub call: String,
    /// A Python literal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub compare: Compare,
    /// Distance within which numbers are the same, absolute or relative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub close: Option<f64>,
    /// What the call prints is its value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stdout: bool,
    /// Names of exception classes, one of which it must raise.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "one_or_more")]
    pub raises: Vec<String>,
    /// An expression over `result`, and over the set-up's names as `given.name`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holds: Option<String>,
}

/// Reads one class name or a list of them.
fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct Names;
    impl<'de> de::Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("the name of an exception class, or a list of names")
        }

        fn visit_str<E: de::Error>(self, name: &str) -> Result<Vec<String>, E> {
            Ok(vec![name.to_owned()])
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut names = Vec::new();
            while let Some(name) = list.next_element()? {
                names.push(name);
            }
            Ok(names)
        }
    }
    from.deserialize_any(Names)
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Whether Python takes it for a name; ASCII only.
fn is_identifier(name: &str) -> bool {
    const KEYWORDS: [&str; 35] = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && !KEYWORDS.contains(&name)
}

/// Whether a name stands in a text as a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(joins) && !text[at + word.len()..].starts_with(joins))
}

impl Coding {
    /// What to run for an answer; else why there is nothing to run.
    pub fn job(&self, judged: &Judged, limits: Limits) -> Result<Job, String> {
        if let Some(why) = super::nothing_said(judged) {
            return Err(why.to_owned());
        }
        let pieces = blocks::find(judged.answer, judged.truncated);
        // a program cannot define a name that it does not spell
        if !has_word(judged.answer, &self.entry) {
            return Err(format!("no code that defines {}", self.entry));
        }
        if pieces.blocks.is_empty() && pieces.is_cut_inside {
            return Err("no answer within the budget: the code is cut".to_owned());
        }
        let cases = self.cases.iter().map(|case| python::Case {
            setup: case.setup.clone(),
            call: case.call.clone(),
            stdout: case.stdout,
            holds: case.holds.clone(),
        });
        Ok(Job {
            blocks: pieces.blocks,
            whole: Some(pieces.whole),
            entry: self.entry.clone(),
            cases: cases.collect(),
            limits,
        })
    }

    /// The verdict on an answer: `judged.ran` is what the sandbox made of it, or why there was nothing to run.
    pub fn judge(&self, judged: &Judged) -> Verdict {
        let outcome = match judged.ran {
            Some(Ok(outcome)) => outcome,
            Some(Err(why)) => return self.verdict(None, |_| (0.0, None, why.to_owned())),
            None => return self.verdict(None, |_| (0.0, None, "the answer was not run".to_owned())),
        };
        let pieces = blocks::find(judged.answer, judged.truncated).blocks.len();
        let in_block = (!outcome.chosen.is_empty()).then(|| outcome.chosen.iter().all(|n| *n < pieces));
        let start = match &outcome.start {
            Start::Defined => {
                return self.verdict(in_block, |n| {
                    outcome.cases.get(n).map_or((0.0, None, "was not run".to_owned()), |end| self.cases[n].judge(end))
                });
            }
            Start::NoProgram => no_program(outcome, pieces),
            Start::Missing => format!("the code does not define {}", self.entry),
            Start::Raised(raised) if raised.class == "SystemExit" => {
                "the code called exit when it was loaded".to_owned()
            }
            Start::Raised(raised) => format!("loading the code raised {}", said(raised)),
            Start::Stopped(stop) => format!("the code {}", stopped(stop)),
        };
        self.verdict(in_block, |_| (0.0, None, start.clone()))
    }

    fn verdict(&self, in_block: Option<bool>, judge: impl Fn(usize) -> (f64, Option<String>, String)) -> Verdict {
        let cases = self.cases.iter().enumerate().map(|(n, case)| {
            let (score, answer, why) = judge(n);
            Part { name: case.name.clone(), kind: PartKind::Correctness, weight: 1.0, score, answer, why }
        });
        let why = match in_block {
            Some(true) => "the code stands in a fenced block",
            Some(false) => "the code stands in no fenced block",
            None => "there is no code",
        };
        let score = f64::from(u8::from(in_block == Some(true)));
        let format = Part {
            name: CODE_BLOCK.to_owned(),
            kind: PartKind::Format,
            weight: 1.0,
            score,
            answer: None,
            why: why.to_owned(),
        };
        Verdict::of(cases.chain([format]).collect())
    }

    pub fn part_names(&self) -> Vec<String> {
        self.cases.iter().map(|case| case.name.clone()).chain([CODE_BLOCK.to_owned()]).collect()
    }

    /// The blocks of code in a prompt, which are no answer.
    pub fn given(&self, prompt: &str) -> Vec<String> {
        blocks::find(prompt, false).blocks
    }

    /// Programs that define the name and do nothing.
    pub fn stubs(&self) -> Vec<String> {
        let entry = &self.entry;
        let bodies = ["pass", "return []", "return 0", "return ''", "raise NotImplementedError"];
        let functions = bodies.map(|body| format!("def {entry}(*args, **more):\n    {body}\n"));
        functions.into_iter().chain([format!("class {entry}:\n    pass\n")]).collect()
    }

    /// The field that is wrong, and why.
    pub fn validate(&self) -> Result<(), (String, String)> {
        if !is_identifier(&self.entry) {
            return Err(("entry".to_owned(), format!("{:?} is no Python name", self.entry)));
        }
        if self.cases.len() < FEWEST_CASES {
            return Err(("cases".to_owned(), format!("has {}; write at least {FEWEST_CASES}", self.cases.len())));
        }
        let (mut names, mut wanted) = (BTreeSet::new(), BTreeSet::new());
        let mut has_more_than_truth = false;
        for (n, case) in self.cases.iter().enumerate() {
            let at = |field: &str| format!("cases[{n}].{field}");
            if case.name.trim().is_empty() || case.name == CODE_BLOCK || !names.insert(&case.name) {
                return Err((at("name"), "is empty or there twice; give each case its own name".to_owned()));
            }
            let value = case.validate().map_err(|(field, why)| (at(field), why))?;
            has_more_than_truth |=
                case.holds.is_some() || value.as_ref().is_some_and(|value| !matches!(value, Value::Bool(_)));
            wanted.insert((value.map(|value| value.to_string()), &case.raises, &case.holds));
        }
        if wanted.len() < 2 || !has_more_than_truth {
            let why = "all cases expect the same, or only True and False, which a guess can meet; add other values";
            return Err(("cases".to_owned(), why.to_owned()));
        }
        Ok(())
    }
}

fn no_program(outcome: &Outcome, pieces: usize) -> String {
    let fault = outcome.broken.iter().rfind(|(n, _)| *n < pieces);
    match fault {
        Some((_, raised)) => format!("the code does not compile: {}", said(raised)),
        None => "no code block, and the text as a whole is no program".to_owned(),
    }
}

impl Case {
    /// Also gives the expected value, if the case has one.
    fn validate(&self) -> Result<Option<Value>, (&'static str, String)> {
        if self.call.trim().is_empty() || self.call.contains('\n') {
            return Err(("call", "write one expression in one line".to_owned()));
        }
        if let Some(close) = self.close
            && !(close.is_finite() && close > 0.0)
        {
            return Err(("close", format!("is {close}; use a number above 0")));
        }
        let named = [self.expect.is_some(), !self.raises.is_empty(), self.holds.is_some()];
        if named.iter().filter(|is_there| **is_there).count() != 1 {
            return Err(("expect", "write exactly one of expect, raises and holds".to_owned()));
        }
        if self.expect.is_none() && (self.compare != Compare::Exact || self.close.is_some()) {
            return Err(("compare", "compare and close belong to expect".to_owned()));
        }
        if !self.raises.iter().all(|class| is_identifier(class)) {
            return Err(("raises", "name exception classes as Python writes them".to_owned()));
        }
        if !self.raises.is_empty() && self.stdout {
            return Err(("stdout", "a call that raises gives nothing to compare".to_owned()));
        }
        if let Some(holds) = &self.holds
            && !has_word(holds, "result")
        {
            return Err(("holds", "says nothing about `result`".to_owned()));
        }
        let Some(expect) = &self.expect else { return Ok(None) };
        let value = literal::read(expect).map_err(|why| ("expect", why))?;
        if self.stdout && !matches!(value, Value::Str(_)) {
            return Err(("expect", "what is printed is text; write a text literal".to_owned()));
        }
        Ok(Some(value))
    }

    /// Score, what was given, and why.
    fn judge(&self, end: &CaseEnd) -> (f64, Option<String>, String) {
        let call = cut(&self.call);
        let gave = if self.stdout { "printed" } else { "gave" };
        let failed = |why: String| (0.0, None, format!("{call} {why}"));
        match end {
            CaseEnd::Gave(value) => {
                let shown = cut(&value.to_string());
                let (is_right, wanted) = match &self.expect {
                    Some(expect) => {
                        let wanted = literal::read(expect).unwrap_or(Value::TooLarge);
                        (self.rule().same(value, &wanted), cut(&wanted.to_string()))
                    }
                    None => (false, format!("an exception, {}", self.raises.join(" or "))),
                };
                let unless = if is_right { String::new() } else { format!(", not {wanted}") };
                let why = format!("{call} {gave} {shown}{unless}");
                (f64::from(u8::from(is_right)), Some(shown), why)
            }
            CaseEnd::Holds(value, held) => {
                let shown = cut(&value.to_string());
                let holds = cut(self.holds.as_deref().unwrap_or_default());
                let (score, why) = match held {
                    Held::Yes => (1.0, format!("{call} {gave} {shown}, as asked: {holds}")),
                    Held::No => (0.0, format!("{call} {gave} {shown}, but this does not hold: {holds}")),
                    Held::Raised(raised) => {
                        (0.0, format!("{call} {gave} {shown}, for which `{holds}` raised {}", said(raised)))
                    }
                };
                (score, Some(shown), why)
            }
            CaseEnd::Raised(raised) => {
                if self.raises.iter().any(|class| raised.is(class)) {
                    return (1.0, Some(raised.class.clone()), format!("{call} raised {}", raised.class));
                }
                let wanted =
                    if self.raises.is_empty() { String::new() } else { format!(", not {}", self.raises.join(" or ")) };
                let why = match raised.class.as_str() {
                    "MemoryError" => "needs more than 256 MiB".to_owned(),
                    "SystemExit" => "called exit".to_owned(),
                    _ => format!("raised {}{wanted}", said(raised)),
                };
                (0.0, Some(raised.class.clone()), format!("{call} {why}"))
            }
            CaseEnd::SetUp(raised) => failed(format!("was not called, for its set-up raised {}", said(raised))),
            CaseEnd::Stopped(stop) => failed(stopped(stop)),
            CaseEnd::NotRun => failed("was not run: other cases ended the interpreter three times".to_owned()),
        }
    }

    fn rule(&self) -> Rule {
        Rule { compare: self.compare, close: self.close }
    }
}

/// At most 120 characters of a text, with a sign where it was cut.
fn cut(text: &str) -> String {
    const LONGEST: usize = 120;
    if text.chars().nth(LONGEST).is_none() {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(LONGEST - 1).collect::<String>())
}

/// An exception in a few words.
fn said(raised: &Raised) -> String {
    let class = if raised.class.is_empty() { "an exception without a name" } else { raised.class.as_str() };
    match raised.message.as_str() {
        "" => cut(class),
        message => format!("{}: {}", cut(class), cut(message)),
    }
}

fn stopped(stop: &Stop) -> String {
    match stop {
        Stop::OutOfFuel => "ran out of fuel (a loop without end?)".to_owned(),
        Stop::OutOfMemory => "needs more than 256 MiB".to_owned(),
        Stop::StackOverflow => "recursed too deep for the interpreter".to_owned(),
        Stop::TooMuchOutput => "gave more than 1 MiB".to_owned(),
        Stop::Exit(_) => "called exit".to_owned(),
        Stop::Forged => "wrote into the results itself".to_owned(),
        Stop::Broke(why) => format!("broke the interpreter: {}", cut(why)),
    }
}
