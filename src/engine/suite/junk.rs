//! Answers that must earn nothing at any task: a grader that gives them points is broken.

use serde_json::{Map, Value};

use super::{Suites, Task, TaskKind};
use crate::{
    domain::transcript::ToolCall,
    engine::check::{Check, Said},
};

/// One worthless answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Junk {
    /// One of [`JUNK`].
    pub name: &'static str,
    /// What is said, turn by turn.
    pub turns: Vec<Said>,
}

impl Junk {
    /// What the last turn says.
    pub fn text(&self) -> &str {
        self.turns.last().map_or("", |turn| turn.text.as_str())
    }

    /// All that is said and called, as one text for a person.
    pub fn shown(&self) -> String {
        let turn = |turn: &Said| {
            let calls = turn.calls.iter().map(|call| format!("{}({})", call.name, call.arguments_raw));
            std::iter::once(format!("{:?}", turn.text)).chain(calls).collect::<Vec<_>>().join(" ")
        };
        self.turns.iter().map(turn).collect::<Vec<_>>().join(", then ")
    }
}

/// The kinds of junk, by the names `junk_ok` uses.
pub const JUNK: &[&str] = &[
    "empty",
    "whitespace",
    "punctuation",
    "refusal",
    "no_answer",
    "echo",
    "bare_marker",
    "bare_json",
    "other_task",
    "two_answers",
    "everything",
    "claim",
    "every_tool",
    "repeated",
    "stub",
];

/// Whether the task asks for something else than one answer: a text under rules, calls, or a program, which stays right
/// whatever stands beside it.
fn ruled(task: &Task) -> bool {
    matches!(task.check(), Some(Check::Constraints(_) | Check::Calls(_) | Check::World(_) | Check::Python(_)))
}

fn same(task: &Task, other: &Task) -> bool {
    (task.suite, task.id.as_str()) == (other.suite, other.id.as_str())
}

/// A turn that calls everything there is, with nothing.
fn every_tool(task: &Task) -> Said {
    let call = |name: &str| ToolCall {
        id: None,
        name: name.to_owned(),
        arguments: Some(Value::Object(Map::new())),
        arguments_raw: "{}".to_owned(),
    };
    Said { calls: task.tools.iter().map(|tool| call(&tool.name)).collect(), ..Said::default() }
}

/// Whether answers to both tasks are final answers of one form, so that one after the other is no answer.
fn contradict(task: &Task, other: &Task) -> bool {
    match (task.check(), other.check()) {
        (Some(Check::Fields(one)), Some(Check::Fields(other))) => one.shape == other.shape,
        (Some(Check::Fields(_)), _) | (_, Some(Check::Fields(_))) => false,
        // A text under rules is no final answer: there, it is only a longer text.
        _ => !ruled(task) && !ruled(other),
    }
}

/// All junk for a judged task; nothing for a timed one.
pub(super) fn of(suites: &Suites, task: &Task) -> Vec<Junk> {
    if matches!(task.kind, TaskKind::Timed(_)) {
        return Vec::new();
    }
    let mut junk = Vec::new();
    let mut add_turns = |name: &'static str, turns: Vec<Said>| {
        if !task.junk_ok.iter().any(|ok| ok == name) {
            junk.push(Junk { name, turns });
        }
    };
    if !task.tools.is_empty() {
        add_turns("every_tool", vec![every_tool(task)]);
        add_turns("every_tool", vec![every_tool(task), Said::text("Done.")]);
    }
    if let Some(Check::Calls(_)) = task.check()
        && let Some(example) = task.accept.first()
        && example.turns.iter().any(|turn| !turn.calls.is_empty())
    {
        // again and again, as a model does that is stuck in a loop
        add_turns("repeated", (0..5).flat_map(|_| example.said()).collect());
    }
    let judged: Vec<&Task> =
        suites.all().flat_map(|suite| &suite.tasks).filter(|other| !other.accept.is_empty()).collect();
    for other in judged.iter().filter(|other| !same(task, other)) {
        for example in other.accept.iter().filter(|example| example.turns.iter().any(|turn| !turn.calls.is_empty())) {
            add_turns("other_task", example.said());
        }
    }
    let mut add = |name: &'static str, text: String| add_turns(name, vec![Said::text(text)]);
    add("empty", String::new());
    add("whitespace", " \n\t\u{a0}\n ".to_owned());
    add("punctuation", "...\n```\n```\n**".to_owned());
    add("refusal", "I cannot help with that.".to_owned());
    add("refusal", "I'm sorry, but I can't assist with this request.".to_owned());
    add("no_answer", "(no answer)".to_owned());
    add("echo", task.prompt());
    add("echo", task.messages.last().map(|message| message.text.clone()).unwrap_or_default());
    add("bare_marker", "ANSWER:".to_owned());
    add("bare_marker", "**ANSWER:** <your answer>".to_owned());
    for json in ["{}", "[]", "null", "[{}]", "```json\n{}\n```", "{\"error\": null}"] {
        add("bare_json", json.to_owned());
    }
    if let Some(Check::Fields(fields)) = task.check() {
        fields.blanks().iter().for_each(|blank| add("bare_json", blank.to_string()));
    }
    if let Some(Check::Python(coding)) = task.check() {
        coding.given(&task.prompt()).iter().for_each(|code| add("echo", format!("```python\n{code}```")));
        coding.stubs().iter().for_each(|stub| add("stub", format!("```python\n{stub}```")));
    }
    add("claim", "Done! I have taken care of that for you. Is there anything else I can help you with?".to_owned());
    add("claim", "Sure, I will do that right away.".to_owned());
    add("claim", "Could you please give me more details about what you need?".to_owned());

    let own = task.accept.first().map_or("", |example| example.answer());
    // Two right answers to a question with one answer agree; two right texts one after the other are too much.
    if matches!(task.check(), Some(Check::Constraints(_)))
        && let [first, second, ..] = task.accept.as_slice()
    {
        add("two_answers", format!("{}\n\n{}", first.answer(), second.answer()));
        add("two_answers", format!("{}\n\n{}", second.answer(), first.answer()));
    }
    let mut everything = String::new();
    for other in judged {
        let is_own = same(task, other);
        for example in other.accept.iter().filter(|_| !(is_own && matches!(task.check(), Some(Check::Python(_))))) {
            everything.push_str(example.answer());
            everything.push_str("\n\n");
        }
        if is_own {
            continue;
        }
        for example in other.accept.iter().filter(|example| !example.answer().is_empty()) {
            add("other_task", example.answer().to_owned());
        }
        // Two final answers, in either order.
        if contradict(task, other)
            && let Some(theirs) = other.accept.first()
        {
            add("two_answers", format!("{own}\n\n{}", theirs.answer()));
            add("two_answers", format!("{}\n\n{own}", theirs.answer()));
        }
    }
    add("everything", everything);
    junk
}
