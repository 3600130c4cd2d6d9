//! Final answers as models phrase them: every key of reasonmath in every dress, and a table of right and wrong ones.

use std::fmt::Write;

use benchloop::{
    domain::{id::SuiteId, verdict::Verdict},
    engine::{
        check::{Check, Judged},
        suite::{self, Suites, Task},
    },
};

fn suites() -> Suites {
    suite::load().unwrap()
}

fn judge(check: &Check, answer: &str) -> Verdict {
    check.judge(&Judged { answer, task_prompt: "How many?", ..Judged::default() })
}

/// Around the right answer `@`, and a wrong one `#`.
const RIGHT: &[&str] = &[
    "ANSWER: @",
    "**ANSWER: @**",
    "**ANSWER:** @",
    "__ANSWER:__ @",
    "Answer: @.",
    "answer:@",
    "> ANSWER: @",
    "- ANSWER: **@**",
    "ANSWER: `@`",
    "ANSWER: \\(@\\)",
    "ANSWER: $@$",
    "**ANSWER:** $@$",
    "ANSWER: \\[ @ \\]",
    "ANSWER: $\\boxed{@}$",
    "$\\boxed{\\text{ANSWER: } @}$",
    "ANSWER: <@>",
    "ANSWER: [@]",
    "ANSWER:\n@",
    "ANSWER:\n\n$$\n\\boxed{@}\n$$",
    "<b>ANSWER: @</b>",
    "ANSWER: @ ✅",
    "ANSWER: @ (checked twice, with 3 and 4)",
    "ANSWER: @\n\nLet me know if you want 3 more steps!",
    "First I thought of #, but that was wrong.\n\nANSWER: @",
    "ANSWER: @\nTo repeat it:\nANSWER: @",
];
const WRONG: &[&str] = &[
    "ANSWER: #",
    "ANSWER: # (not @)",
    "ANSWER: @\nNo, that is wrong.\nANSWER: #",
    "ANSWER: #\nANSWER: @",
    "It may be @. I am not sure.",
    "Someone would say @, and someone else #.",
    "\\boxed{@} and \\boxed{#}",
];
/// For tasks with one answer.
const WRONG_ONE: &[&str] = &[
    "ANSWER: @ or #",
    "ANSWER: # or @",
    "ANSWER: not @",
    "ANSWER: @ and #",
    "ANSWER: either @ or #",
    "ANSWER: #, not @",
];
const WRONG_NUMBER: &[&str] = &[
    "ANSWER: @1",
    "ANSWER: 1@",
    "ANSWER: @ to #",
    "ANSWER: @–#",
    "ANSWER: @ + 1",
    "ANSWER: more than @",
    "ANSWER: @ thousand",
    "ANSWER: @ = #",
    "ANSWER: @ is wrong",
];

/// The right answer of a task and a wrong one, as the last line asks for them.
fn answers(task: &Task) -> (String, String) {
    match task.check().unwrap() {
        Check::Number(key) => (key.expected.clone(), "8811".to_owned()),
        Check::Choice(key) => {
            let other = key.options.keys().find(|option| **option != key.expected).unwrap();
            (key.expected.clone(), other.clone())
        }
        Check::Values(fields) => {
            let pairs = fields.iter().map(|field| {
                let number = field.number.as_ref().map(|key| (key.expected.clone(), "8811".to_owned()));
                let choice = field.choice.as_ref().map(|key| {
                    let other = key.options.keys().find(|option| **option != key.expected).unwrap();
                    (key.expected.clone(), other.clone())
                });
                let (right, wrong) = number.or(choice).unwrap();
                (format!("{}={right}", field.key), format!("{}={wrong}", field.key))
            });
            let (right, wrong): (Vec<String>, Vec<String>) = pairs.unzip();
            (right.join("; "), wrong.join("; "))
        }
        _ => panic!("{} is no reasoning task", task.id),
    }
}

#[test]
fn every_key_is_right_in_every_dress_and_wrong_beside_another() {
    let suites = suites();
    let mut faults = String::new();
    for task in &suites.suite(SuiteId::Reasonmath).unwrap().tasks {
        let check = task.check().unwrap();
        let (right, wrong) = answers(task);
        let one = !matches!(check, Check::Values(_));
        let number = matches!(check, Check::Number(_));
        let rejected = WRONG
            .iter()
            .chain(WRONG_ONE.iter().filter(|_| one))
            .chain(WRONG_NUMBER.iter().filter(|_| number))
            .map(|dress| (dress, false));
        for (dress, expected) in RIGHT.iter().map(|dress| (dress, true)).chain(rejected) {
            let answer = dress.replace('@', &right).replace('#', &wrong);
            let verdict = judge(check, &answer);
            if verdict.passed != expected {
                let _ = writeln!(faults, "{} {answer:?}, which is {expected}: {}", task.id, verdict.why());
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
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
    (
        "market-eggs",
        true,
        &[
            "$\\text{ANSWER: } 24$",
            "$ANSWER: 24$ eggs",
            "$\\textbf{ANSWER:}\\ 24$",
            "ANSWER: 24 (i.e. two dozen)",
            "ANSWER: 24 (or two dozen)",
            "ANSWER: 24 eggs (4 boxes of 6)",
            "ANSWER: 24 (= 70 − 46)",
            "ANSWER: 24 (could also be written as 2 dozen)",
            "ANSWER: 24 (not 26)",
            "ANSWER: 24 (26 is not possible)",
            "ANSWER: 24 (70 if none had been sold)",
            "ANSWER: 24 (see step 2)",
            "ANSWER: 24 [1]",
            "ANSWER: 24_10",
            "ANSWER: 24, i.e. 2 dozen eggs",
            "ANSWER: 24 (probably)",
        ],
    ),
    (
        "market-eggs",
        false,
        &[
            "ANSWER: 24 (alternatively 26)",
            "ANSWER: 24 (maybe 26)",
            "ANSWER: 24 (possibly 26 if she sells 44)",
            "ANSWER: 24 (or rather 26)",
            "ANSWER: 24 [or 26]",
            "ANSWER: 24 (or twenty-six)",
            "ANSWER: 24 (26)",
            "ANSWER: 24 (26 is possible, too)",
            "ANSWER: 24 (but 26 if rounded up)",
            "ANSWER: 24 (maybe 25 or 26)",
            "ANSWER: 24, possibly 26",
            "ANSWER: 24. It might be 26, though.",
            "ANSWER: 24, which could also be 26",
            "ANSWER: 24, i.e. 26",
            "ANSWER: 24 (≈ 26)",
            "ANSWER: 24_7",
            "ANSWER: 24 (in base 7)",
            "ANSWER: 24 eggs (= 26 eggs)",
        ],
    ),
    ("two-printers", true, &["ANSWER: 28 (7 × 4)", "ANSWER: 28 (10 + 18)", "ANSWER: 28 min (= 0.4667 h)"]),
    ("stronger-brine", false, &["ANSWER: 4 (though it might be 3)", "ANSWER: 4 (or 3)"]),
    (
        "loan-balance",
        true,
        &["ANSWER: $1,666.09 (about $1,700)", "ANSWER: $1,666.09 (≈ 1,666)", "$ANSWER: 1666.09$", "ANSWER: 1666.09 $"],
    ),
    (
        "loan-balance",
        false,
        &[
            "ANSWER: $1,666.09 (or $1,666.10)",
            "ANSWER: $1,666.09 or $1,666.10",
            "ANSWER: $1,666.09 (alternatively $1,665.90)",
            "ANSWER: $1,666.09 = $1,666.1 = $1,667",
        ],
    ),
    ("bicycle-discounts", true, &["ANSWER: 528.768 (or 528.77 rounded to cents)", "ANSWER: $528.77 (528.768)"]),
    ("bicycle-discounts", false, &["ANSWER: 528.77 (528.76 if rounded down)", "ANSWER: $528.77 (or $528.76)"]),
    (
        "same-colour-marbles",
        true,
        &[
            "ANSWER: $0.3\\overline{1}$",
            "ANSWER: 0.3\\bar{1}",
            "ANSWER: 0.3\\dot{1}",
            "ANSWER: 0.3(1)",
            "ANSWER: 0.311\u{305}",
            "ANSWER: 0,3(1)",
            "ANSWER: 14/45 = 0.3(1)",
            "ANSWER: 14/45 = 0.31",
            "ANSWER: 14/45 = 0.3111…",
            "ANSWER: 14/45 (≈ 31 %)",
            "ANSWER: 14/45 (0.311)",
            "ANSWER: 0.31111",
            "ANSWER: 31.1(1) %",
        ],
    ),
    (
        "same-colour-marbles",
        false,
        &[
            "ANSWER: 0.3112",
            "ANSWER: 0.3110",
            "ANSWER: 0.(31)",
            "ANSWER: 14/45 = 0.32",
            "ANSWER: 14/45 (≈ 0.38)",
            "ANSWER: 14/45 (0.38)",
            "ANSWER: 14/45, i.e. 0.28",
            "ANSWER: 14/45 = 0.3112",
            "ANSWER: 14/45 = 32 %",
        ],
    ),
    (
        "ribbon-left",
        true,
        &[
            "ANSWER: 13/30 (≈ 0.433)",
            "ANSWER: 13/30 = 0.4333…",
            "ANSWER: 13/30 (about 43 %)",
            "ANSWER: 13/30 = 0.4\\overline{3}",
            "ANSWER: 13/30 (could also be written as 0.433)",
        ],
    ),
    ("ribbon-left", false, &["ANSWER: 13/30 = 0.5", "ANSWER: 13/30 (= 0.57)", "ANSWER: 13/30 ≈ 0.44"]),
    (
        "base-seven-crates",
        true,
        &[
            "ANSWER: (10521)_7",
            "ANSWER: (10521)₇",
            "ANSWER: [10521]_7",
            "ANSWER: $(10521)_{7}$ lamps",
            "ANSWER: $10521_{\\text{base }7}$",
            "ANSWER: $10521_{\\text{seven}}$",
            "ANSWER: base 7: 10521",
            "ANSWER: 10521 in base seven",
            "ANSWER: 10521 lamps (in base 7)",
            "ANSWER: 10521 (base 7) = 2661 (base 10)",
            "ANSWER: 10521₇ (2661 in base 10)",
            "ANSWER: 10521 (2661 in decimal)",
        ],
    ),
    (
        "base-seven-crates",
        false,
        &[
            "ANSWER: 10521_10",
            "ANSWER: 10521 base 10",
            "ANSWER: 10521 (decimal)",
            "ANSWER: (10521)_8",
            "ANSWER: base 10: 10521",
            "ANSWER: 10521 lamps in base ten",
            "ANSWER: 2661 (base 10)",
        ],
    ),
    ("cycling-pupils", true, &["ANSWER: 35 (0.35)", "ANSWER: 35 % (14/40)", "ANSWER: 35% (= 7/20)"]),
    ("cycling-pupils", false, &["ANSWER: 35‰", "ANSWER: 35 percentage points", "ANSWER: 35 %-points"]),
    ("turnout-in-velm", true, &["ANSWER: points=6 percentage points; percent=12.5 % (relative)"]),
    (
        "turnout-in-velm",
        false,
        &["ANSWER: points=6; percent=12.5 percentage points", "ANSWER: points=6; percent=12.5 pp"],
    ),
    ("oldest-office", true, &["ANSWER: 27 staff (Gant)", "ANSWER: 27 staff (and 60 parking spaces)"]),
    ("oldest-office", false, &["ANSWER: 27 parking spaces", "ANSWER: 27 floors"]),
    (
        "two-trains",
        true,
        &["ANSWER: minutes=120 after 9:00; km=160 from Arl", "ANSWER: minutes=120 (11:00); km=160 (from Arl)"],
    ),
    (
        "two-trains",
        false,
        &[
            "ANSWER: minutes=120; km=160 from Borr",
            "ANSWER: minutes=120; km=160 km (from Borr)",
            "ANSWER: minutes=120 min after 9:30; km=160",
        ],
    ),
    (
        "shortest-friend",
        true,
        &[
            "ANSWER: Petra (the shortest)",
            "ANSWER: Petra (not Ivo)",
            "ANSWER: Petra (Ivo is taller)",
            "ANSWER: Petra - the shortest",
            "ANSWER: Petra (shorter than Ivo or Mara)",
        ],
    ),
    (
        "shortest-friend",
        false,
        &[
            "ANSWER: Petra (or Ivo)",
            "ANSWER: Petra (maybe Ivo)",
            "ANSWER: Petra (Ivo)",
            "ANSWER: Petra (Ivo is possible, too)",
            "ANSWER: Petra. It could be Ivo as well.",
            "ANSWER: Petra-Maria",
            "ANSWER: Anna-Petra",
        ],
    ),
    ("rosa-and-jan", true, &["ANSWER: grandmother (Karla's mother)", "ANSWER: Rosa is Jan's grandmother"]),
    (
        "rosa-and-jan",
        false,
        &[
            "ANSWER: step-grandmother",
            "ANSWER: step grandmother",
            "ANSWER: grandmother-in-law",
            "ANSWER: great-grandmother",
            "ANSWER: great grandmother",
            "ANSWER: grandmother (or aunt)",
        ],
    ),
    ("five-boxes", true, &["ANSWER: the red box", "ANSWER: red-coloured", "ANSWER: red (not white)"]),
    ("five-boxes", false, &["ANSWER: dark red", "ANSWER: light-red", "ANSWER: red (or white)"]),
    ("bench-of-seven", false, &["ANSWER: left=Dirk (or Greta); middle=Alma; right=Elsa"]),
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
