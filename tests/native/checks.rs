//! Checks on whole answers: what is found, what is not guessed, and that no text breaks them.

use benchloop::{
    domain::{
        id::SuiteId,
        transcript::{Tool, ToolCall},
        verdict::Verdict,
    },
    engine::{
        check::{Check, Judged, Said, key::NumberKey},
        suite::{self, Suites},
    },
};
use proptest::prelude::*;
use serde_json::{Map, Value};

fn number(expected: &str) -> Check {
    Check::Number(NumberKey {
        expected: expected.into(),
        tolerance: "0".into(),
        units: Vec::new(),
        percent: false,
        base: None,
        places: None,
        others: Vec::new(),
    })
}

fn judge(check: &Check, answer: &str) -> Verdict {
    check.judge(&Judged { answer, task_prompt: "How many?", truncated: false, ..Judged::default() })
}

#[test]
fn a_missing_answer_line_costs_a_tenth_and_no_more() {
    for answer in [
        "So the answer is 42.",
        "Adding up gives \\boxed{42}.",
        "First 12, then 30.\n\nIn total there are **42** apples.",
        "I add both.\n12 + 30 = 42",
        "42",
        "42 apples.",
        "The final answer: 42",
    ] {
        let verdict = judge(&number("42"), answer);
        assert!(verdict.passed && (verdict.score - 0.9).abs() < 1e-9, "{answer:?}: {verdict:?}");
    }
}

#[test]
fn an_answer_line_earns_everything_in_any_dress() {
    for answer in [
        "ANSWER: 42",
        "12 + 30\n\n**ANSWER: 42**\n\n",
        "answer: 42.",
        "**Answer:** $\\boxed{42}$",
        "ANSWER: 42 (12 and 30)",
        "I first thought 41.\nANSWER: 42",
        "ANSWER: 42\nLet me repeat that:\nANSWER: 42.0",
    ] {
        assert_eq!(judge(&number("42"), answer).score, 1.0, "{answer:?}");
    }
}

#[test]
fn the_last_number_does_not_win() {
    for answer in [
        "We have 12 apples and 30 pears.\nThat makes some fruit.\nThere were 42",
        "I count 12, 30 and 42.",
        "12\n30\n42",
        "The answer is 41. Or is it? The answer is 42.",
        "\\boxed{41} or \\boxed{42}",
        "ANSWER: 41\nANSWER: 42",
        "ANSWER: 42\nANSWER: 41",
        "The answer is not 42.",
        "ANSWER: 1000042",
        "ANSWER: forty-two thousand",
    ] {
        let verdict = judge(&number("42"), answer);
        assert_eq!(verdict.score, 0.0, "{answer:?}: {verdict:?}");
    }
    let verdict = judge(&number("42"), "ANSWER: 41\nANSWER: 42");
    assert!(verdict.why().contains("two different final answers"), "{}", verdict.why());
}

#[test]
fn a_cut_answer_is_not_completed_by_guessing() {
    let judge = |answer| number("12").judge(&Judged { answer, task_prompt: "", truncated: true, ..Judged::default() });
    for answer in ["", "ANSWER: 12", "We get 5 + 7 = 12", "There are **12**"] {
        let verdict = judge(answer);
        assert!(verdict.score == 0.0 && verdict.why().contains("within the budget"), "{answer:?}: {verdict:?}");
    }
    assert!(judge("ANSWER: 12\n\nLet me also explain wh").passed);
}

#[test]
fn an_echo_is_no_answer() {
    let prompt = "Copy: 42\nANSWER: <number>";
    let verdict = number("42").judge(&Judged {
        answer: " Copy: 42  ANSWER: <number>.\n",
        task_prompt: prompt,
        truncated: false,
        ..Judged::default()
    });
    assert!(verdict.score == 0.0 && verdict.why().contains("repeats the task"), "{verdict:?}");
}

fn suites() -> Suites {
    suite::load().unwrap()
}

#[test]
fn decoration_costs_only_the_format() {
    let suites = suites();
    let task = suites.task(SuiteId::Instructfollow, "contact-as-json").unwrap();
    let check = task.check().unwrap();
    let bare = judge(check, task.accept[0].answer());
    let fenced = judge(check, task.accept[1].answer());
    assert_eq!(bare.score, 1.0);
    assert!(fenced.passed && (fenced.score - 0.9).abs() < 1e-9, "{fenced:?}");
}

#[test]
fn named_values_are_found_in_every_layout() {
    let suites = suites();
    let check = suites.task(SuiteId::Reasonmath, "two-trains").unwrap().check().unwrap();
    for (answer, score) in [
        ("ANSWER: minutes=120; km=160", 1.0),
        ("**ANSWER: minutes=120; km=160**", 1.0),
        ("ANSWER: Minutes = 120, KM = 160", 1.0),
        ("ANSWER: km=160 km; minutes=120 minutes", 1.0),
        ("ANSWER: `minutes=120; km=160`", 1.0),
        ("ANSWER:\nminutes=120\nkm=160", 0.9),
        ("They meet late.\n\n- **minutes**: 120\n- **km**: 160", 0.9),
        ("\\boxed{minutes=120; km=160}", 0.9),
        ("ANSWER: minutes=120; km=150", 0.55),
        ("ANSWER: minutes=120", 0.55),
        ("ANSWER: 120; 160", 0.0),
        ("ANSWER: minutes=120; minutes=90; km=160", 0.55),
        ("ANSWER: minutes=90; km=150\nANSWER: minutes=120; km=160", 0.0),
        ("minutes=120 at first, later km=160, then minutes=90", 0.0),
    ] {
        let verdict = judge(check, answer);
        assert!((verdict.score - score).abs() < 1e-9, "{answer:?}: {verdict:#?}");
    }
}

#[test]
fn leaving_words_out_is_no_achievement_of_its_own() {
    let suites = suites();
    let task = suites.task(SuiteId::Instructfollow, "quiet-verse").unwrap();
    let verdict = judge(task.check().unwrap(), "nothing here says the forbidden word\nor any other\nreally");
    assert_eq!(verdict.score, 0.0);
    assert!(verdict.parts.iter().any(|part| part.why.contains("counts for nothing")), "{verdict:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_breaks_a_check(noise in any::<String>(), truncated in any::<bool>()) {
        every_check_stands(&noise, truncated);
    }

    #[test]
    fn no_near_answer_breaks_a_check(
        text in r"(ANSWER|answer|\*\*|:|=|;|\\boxed\{|\\frac\{|\}|\{|\$|minutes|km|day|is|not|or|[0-9]{1,25}|[,./ '%^×−-]|½|é|İ|\u{202f}|\n|```|e[0-9]|Ana){0,40}",
        truncated in any::<bool>(),
    ) {
        every_check_stands(&text, truncated);
    }

    #[test]
    fn no_near_json_breaks_a_check(
        text in r#"(\{|\}|\[|\]|,|:|"|'|“|\\|\\u[0-9a-f]{0,4}|"(name|date|total|lines|title|items)":|null|True|-?[0-9]{1,20}|e9|//|/\*|#|```json|\n|é| |corrected){0,60}"#,
        truncated in any::<bool>(),
    ) {
        every_check_stands(&text, truncated);
    }
}

fn every_check_stands(text: &str, truncated: bool) {
    thread_local! {
        static SUITES: Suites = suites();
    }
    SUITES.with(|suites| {
        for task in suites.all().flat_map(|suite| &suite.tasks) {
            let Some(check) = task.check() else { continue };
            for answer in [text.to_owned(), format!("ANSWER: {text}"), format!("{text}\nANSWER:{text}")] {
                let verdict = check.judge(&Judged {
                    answer: &answer,
                    task_prompt: &task.prompt(),
                    truncated,
                    ..Judged::default()
                });
                assert!((0.0..=1.0).contains(&verdict.score), "{}", verdict.score);
            }
            if task.tools.is_empty() {
                continue;
            }
            let calls = || task.tools.iter().flat_map(|tool| noisy_calls(tool, text)).collect();
            let turns = [calls(), Vec::new()].map(|calls| Said { text: text.to_owned(), calls, notes: Vec::new() });
            let tools = task.tools.as_slice();
            let verdict = check.judge(&Judged { answer: text, truncated, turns: &turns, tools, ..Judged::default() });
            assert!((0.0..=1.0).contains(&verdict.score), "{}", verdict.score);
        }
    });
}

/// A call whose every argument is this text, and one whose arguments are nothing but this text.
fn noisy_calls(tool: &Tool, text: &str) -> [ToolCall; 2] {
    let keys = tool.parameters.get("properties").and_then(Value::as_object).into_iter().flat_map(|all| all.keys());
    let arguments: Map<String, Value> = keys.map(|key| (key.clone(), Value::from(text))).collect();
    [Value::Object(arguments).to_string(), text.to_owned()].map(|raw| ToolCall::from_text(None, tool.name.clone(), raw))
}
