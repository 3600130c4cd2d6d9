//! Checks on whole answers: what is found, what is not guessed, and that no text breaks them.

use std::fmt::Write;

use benchloop::{
    domain::{id::SuiteId, verdict::Verdict},
    engine::{
        check::{Check, Judged, key::NumberKey},
        suite::{self, Suites},
    },
};
use proptest::prelude::*;

fn number(expected: &str) -> Check {
    Check::Number(NumberKey { expected: expected.into(), tolerance: "0".into(), units: Vec::new(), percent: false })
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

/// Right and wrong final answers to tasks of reasonmath, as models phrase them.
const PHRASED: &[(&str, bool, &[&str])] = &[
    (
        "market-eggs",
        true,
        &[
            "**ANSWER:** $\\boxed{24 \\text{ eggs}}$",
            "ANSWER: \\(24\\) eggs",
            "ANSWER: <24>",
            "ANSWER: [24 eggs]",
            "ANSWER: twenty-four eggs",
            "ANSWER: 24. Check: 24 + 46 = 70, which matches.",
            "ANSWER: 24, not 70",
            "ANSWER: 24 eggs not counting broken ones",
            "ANSWER: 70 collected − 46 sold = 24 eggs",
            "ANSWER: 2 dozen",
            "ANSWER:\n\n\\[\n\\boxed{24}\n\\]",
            "ANSWER:\n- 24 eggs",
            "ANSWER: 24<|im_end|>",
            "| ANSWER: 24 |",
            "\\textbf{ANSWER: 24}",
            "The result is 70 after five days. Selling 46, the final answer is 24.",
            "The answer is 24 eggs.\n\nHere is why: 14 a day make 70 in 5 days, and 46 of them are sold on the market.",
        ],
    ),
    (
        "market-eggs",
        false,
        &[
            "ANSWER: 24 eggs per day",
            "ANSWER: 24 eggs/day",
            "ANSWER: 24 dozen",
            "ANSWER: 24 kg",
            "ANSWER: 24 or 32",
            "ANSWER: 24 (or 32 if the first day counts)",
            "ANSWER: > 24",
            "ANSWER: 24+",
            "ANSWER: 24–26",
            "ANSWER: half of 24",
            "ANSWER: up to 24",
            "ANSWER: 24 is wrong",
            "ANSWER: 24? No, wait, that is not right.",
            "ANSWER: 2 4",
            "ANSWER: [number of eggs]",
            "\\boxed{24}\n\nOn second thought: \\boxed{32}",
            "I will now compute 24.\n\nThe hens lay for 5 days.",
        ],
    ),
    (
        "hut-thermometer",
        true,
        &[
            "ANSWER: −7 °C",
            "ANSWER: – 7 °C",
            "ANSWER: (-7) °C",
            "ANSWER: $-7^{\\circ}\\mathrm{C}$",
            "ANSWER: 7 degrees below zero",
            "ANSWER: negative seven degrees Celsius",
            "ANSWER: The temperature is minus 7 degrees.",
        ],
    ),
    (
        "hut-thermometer",
        false,
        &["ANSWER: 7 or -7", "ANSWER: -7 °F", "ANSWER: -7 degrees Fahrenheit", "ANSWER: -7 to -3"],
    ),
    (
        "leaking-tank",
        true,
        &[
            "ANSWER: 0.5 h = 30 min",
            "ANSWER: 30 minutes or 0.5 hours",
            "ANSWER: 30 min 0 s",
            "ANSWER: $t = 30$ minutes",
        ],
    ),
    ("leaking-tank", false, &["ANSWER: 30 min 20 s", "ANSWER: 0.5 hours", "ANSWER: 30 minutes and 14 minutes"]),
    (
        "ride-to-the-pass",
        true,
        &["ANSWER: 14.4 km / h", "ANSWER: 14,4 km/h", "ANSWER: \\(14.4\\,\\frac{\\text{km}}{\\text{h}}\\)"],
    ),
    ("ride-to-the-pass", false, &["ANSWER: 14.4 km", "ANSWER: 14.4 km/s", "ANSWER: 14.4 km per day"]),
    (
        "path-around-the-bed",
        true,
        &["ANSWER: A = 315 − 216 = 99 m^2", "ANSWER: $99\\ \\text{m}^{2}$", "ANSWER: 99 m<sup>2</sup>"],
    ),
    ("path-around-the-bed", false, &["ANSWER: 99 m", "ANSWER: 99 m³", "ANSWER: 99²", "ANSWER: 99 cm²"]),
    (
        "francs-to-euros",
        true,
        &[
            "ANSWER: 2 568.70 EUR",
            "ANSWER: 2.568,70 €",
            "ANSWER: 2'568.70 euros",
            "ANSWER: 2568 euros and 70 cents",
            "**ANSWER:** $2{,}568.70$ €",
        ],
    ),
    ("francs-to-euros", false, &["ANSWER: $2,568.70", "ANSWER: 2,568.70 CHF", "ANSWER: 2568 euros and 7 cents"]),
    (
        "chip-energy",
        true,
        &[
            "ANSWER: 5.184×10³ J",
            "ANSWER: 5.184E+03",
            "ANSWER: 5184 J = 5.184 kJ",
            "ANSWER: $5.184 \\cdot 10^{3}\\ \\mathrm{J}$",
        ],
    ),
    (
        "chip-energy",
        false,
        &["ANSWER: 5184 kJ", "ANSWER: 5184 W", "ANSWER: 5184 J per second", "ANSWER: 5.184 × 10^-3 J"],
    ),
    ("cycling-pupils", true, &["ANSWER: 0.35 = 35%", "ANSWER: 0.35 or 35 %", "ANSWER: 14 out of 40, or 35 per cent"]),
    ("cycling-pupils", false, &["ANSWER: 0.35", "ANSWER: 0.35 or 65 %", "ANSWER: less than 35%"]),
    (
        "same-colour-marbles",
        true,
        &["ANSWER: 14/45 or 0.3111", "ANSWER: \\(\\tfrac{28}{90}\\)", "ANSWER: $\\frac{14}{45}$ of all draws"],
    ),
    ("same-colour-marbles", false, &["ANSWER: 14:45", "ANSWER: 14/45 or 2/9", "ANSWER: 1 - 14/45"]),
    ("base-seven-crates", true, &["ANSWER: 10521₇", "ANSWER: $10521_{7}$", "ANSWER: 13456_7 - 2635_7 = 10521_7"]),
    ("stamp-rows", true, &["ANSWER: n ≡ 5274 (mod 17017)", "ANSWER: $n \\equiv 5274 \\pmod{17017}$"]),
    (
        "shortest-friend",
        true,
        &["ANSWER: <Petra>", "ANSWER: Petra, not Ivo", "ANSWER: Petra. She is shorter than Ivo.", "ANSWER: [Petra]"],
    ),
    (
        "shortest-friend",
        false,
        &["ANSWER: Ivo, not Petra", "ANSWER: Everyone but Petra", "ANSWER: Petra? No, Jonas.", "ANSWER: Petra. Ivo."],
    ),
    (
        "two-trains",
        true,
        &[
            "ANSWER: minutes=120\nANSWER: km=160",
            "ANSWER: {\"minutes\": 120, \"km\": 160}",
            "ANSWER: minutes=120 (that is, minutes=120 min); km=160",
            "ANSWER: minutes=120; km=160. They meet at 11:00.",
            "ANSWER: $\\text{minutes}=120;\\ \\text{km}=160$",
        ],
    ),
    (
        "two-trains",
        false,
        &[
            "ANSWER: minutes=120; km=160\nANSWER: minutes=90; km=160",
            "ANSWER: minutes=120; km=160\nANSWER: 11:00",
            "ANSWER: minutes=120; km=160 miles",
            "ANSWER: minutes=120 or 90; km=160",
        ],
    ),
];

#[test]
fn final_answers_are_judged_however_they_are_phrased() {
    let suites = suites();
    let mut faults = String::new();
    for (id, right, answers) in PHRASED {
        let task = suites.task(SuiteId::Reasonmath, id).unwrap();
        for answer in *answers {
            let verdict = judge(task.check().unwrap(), answer);
            if verdict.passed != *right {
                let _ = writeln!(faults, "{id} {answer:?}, which is {right}: {}", verdict.why());
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
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
        }
    });
}
