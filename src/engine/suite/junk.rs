//! Answers that must earn nothing at any task: a grader that gives them points is broken.

use super::{Suites, Task, TaskKind};
use crate::engine::check::Check;

/// One worthless answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Junk {
    /// One of [`JUNK`].
    pub name: &'static str,
    pub text: String,
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
];

/// Whether the task asks for a text under rules, not for one answer.
fn ruled(task: &Task) -> bool {
    matches!(task.check(), Some(Check::Constraints(_)))
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
    let mut add = |name: &'static str, text: String| {
        if !task.junk_ok.iter().any(|ok| ok == name) {
            junk.push(Junk { name, text });
        }
    };
    add("empty", String::new());
    add("whitespace", " \n\t\u{a0}\n ".to_owned());
    add("punctuation", "...\n```\n```\n**".to_owned());
    add("refusal", "I cannot help with that.".to_owned());
    add("refusal", "I'm sorry, but I can't assist with this request.".to_owned());
    add("no_answer", "(no answer)".to_owned());
    add("echo", task.prompt());
    add("bare_marker", "ANSWER:".to_owned());
    add("bare_marker", "**ANSWER:** <your answer>".to_owned());
    for json in ["{}", "[]", "null", "[{}]", "```json\n{}\n```", "{\"error\": null}"] {
        add("bare_json", json.to_owned());
    }
    if let Some(Check::Fields(fields)) = task.check() {
        fields.blanks().iter().for_each(|blank| add("bare_json", blank.to_string()));
    }

    let own = task.accept.first().map_or("", |example| example.answer());
    let judged = suites.all().flat_map(|suite| &suite.tasks).filter(|other| !other.accept.is_empty());
    // Two right answers to a question with one answer agree; two right texts one after the other are too much.
    if ruled(task)
        && let [first, second, ..] = task.accept.as_slice()
    {
        add("two_answers", format!("{}\n\n{}", first.answer(), second.answer()));
        add("two_answers", format!("{}\n\n{}", second.answer(), first.answer()));
    }
    let mut everything = String::new();
    for other in judged {
        for example in &other.accept {
            everything.push_str(example.answer());
            everything.push_str("\n\n");
        }
        if (other.suite, other.id.as_str()) == (task.suite, task.id.as_str()) {
            continue;
        }
        for example in &other.accept {
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
