//! The task files: each proves its own grader, junk earns nothing, digests and verdicts are pinned.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::Path,
};

use benchloop::{
    domain::{
        id::{HarnessId, Profile, SuiteId},
        verdict::Verdict,
    },
    engine::{
        check::{Check, GRADER_VERSION, Judged, Said},
        harness,
        suite::{self, Suites, Task, TaskKind, Turn, parse_task},
    },
};

fn suites() -> Suites {
    suite::load().unwrap()
}

fn judged_tasks(suites: &Suites) -> Vec<(&Task, &Check)> {
    suites.all().flat_map(|suite| &suite.tasks).filter_map(|task| Some((task, task.check()?))).collect()
}

fn verdict(task: &Task, check: &Check, answer: &str) -> Verdict {
    check.judge(&Judged { answer, task_prompt: &task.prompt(), truncated: false, ..Judged::default() })
}

/// The verdict on an example, judged as a trial is.
fn verdict_on(task: &Task, check: &Check, turns: &[Turn]) -> Verdict {
    let said: Vec<Said> = turns.iter().map(Turn::said).collect();
    check.judge(&Judged {
        answer: said.last().map_or("", |turn| turn.text.as_str()),
        task_prompt: &task.prompt(),
        truncated: false,
        turns: &said,
        tools: &task.tools,
        simulation: task.simulation.as_ref(),
        turn_limit: task.turns,
    })
}

#[test]
fn every_right_answer_passes() {
    let suites = suites();
    let mut faults = String::new();
    for (task, check) in judged_tasks(&suites) {
        for (index, example) in task.accept.iter().enumerate() {
            let verdict = verdict_on(task, check, &example.turns);
            if !verdict.passed || verdict.score < 0.9 {
                let _ = writeln!(faults, "{}/{} accept {index}: {:#?}", task.suite, task.id, verdict);
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn every_task_has_a_right_answer_that_earns_everything() {
    let suites = suites();
    for (task, check) in judged_tasks(&suites) {
        let best = task.accept.iter().map(|e| verdict_on(task, check, &e.turns).score).fold(0.0, f64::max);
        assert_eq!(best, 1.0, "{}/{}", task.suite, task.id);
    }
}

#[test]
fn every_near_miss_loses_the_part_it_names() {
    let suites = suites();
    let mut faults = String::new();
    for (task, check) in judged_tasks(&suites) {
        for reject in &task.reject {
            let verdict = verdict_on(task, check, &reject.turns);
            let lost = verdict.parts.iter().any(|part| part.name == reject.part && part.score < 1.0);
            if !lost || verdict.score >= 1.0 {
                let _ = writeln!(faults, "{}/{} {:?}: {verdict:#?}", task.suite, task.id, reject.why);
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn a_near_miss_of_a_rule_loses_that_rule_alone_or_few_more() {
    let suites = suites();
    for (task, check) in judged_tasks(&suites).into_iter().filter(|(task, _)| task.suite == SuiteId::Instructfollow) {
        for reject in &task.reject {
            let verdict = verdict_on(task, check, &reject.turns);
            assert!(verdict.score < 1.0 && !verdict.passed, "{}/{}: {}", task.suite, task.id, reject.why);
            let substance = verdict.parts.iter().find(|part| part.name == "substance").unwrap();
            assert_eq!(substance.score, 1.0, "{}: {} is no near miss: {}", task.id, reject.why, substance.why);
        }
    }
}

#[test]
fn junk_earns_nothing_anywhere() {
    let suites = suites();
    let mut faults = String::new();
    for (task, check) in judged_tasks(&suites) {
        let junk = suites.junk(task);
        assert!(junk.len() > 20, "{} has too little junk", task.id);
        for junk in junk {
            let verdict = verdict(task, check, &junk.text);
            if verdict.score > 0.0 {
                let start: String = junk.text.chars().take(200).collect();
                let _ = writeln!(faults, "{}/{} {}: {start:?} earns {:#?}", task.suite, task.id, junk.name, verdict);
            }
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn ids_are_unique_and_tiers_are_mixed() {
    let suites = suites();
    let mut ids = BTreeSet::new();
    for task in suites.all().flat_map(|suite| &suite.tasks) {
        assert!(ids.insert(&task.id), "{} is there twice", task.id);
    }
    for id in [SuiteId::Reasonmath, SuiteId::Instructfollow, SuiteId::Agent] {
        let quick = suites.chosen(id, Profile::Quick);
        let tiers: Vec<u8> = quick.iter().map(|task| task.tier).collect();
        assert_eq!(BTreeSet::from_iter(&tiers), BTreeSet::from_iter(&[1, 2, 3]), "{id} quick");
        for tier in 1..=3 {
            let count = suites.chosen(id, Profile::Standard).iter().filter(|task| task.tier == tier).count();
            assert!(count >= 4, "{id} has {count} tasks of tier {tier}");
        }
    }
    assert_eq!(suites.chosen(SuiteId::Speed, Profile::Quick).len(), 2);
    assert_eq!(suites.chosen(SuiteId::Speed, Profile::Standard).len(), 6);
}

#[test]
fn the_run_digest_ignores_order_and_feels_a_missing_task() {
    let suites = suites();
    let tasks = suites.chosen(SuiteId::Reasonmath, Profile::Standard);
    let backwards: Vec<&Task> = tasks.iter().rev().copied().collect();
    let all = suites.run_digest(&tasks, HarnessId::Raw);
    assert!(all.starts_with("sha256:") && all.len() == 71, "{all}");
    assert_eq!(suites.run_digest(&backwards, HarnessId::Raw), all);
    assert_ne!(suites.run_digest(&tasks[1..], HarnessId::Raw), all);
    assert_ne!(suites.run_digest(&tasks, HarnessId::Pi), all);
}

#[test]
fn raw_sends_a_task_as_it_is_and_says_an_example_as_it_is() {
    let suites = suites();
    let task = suites.task(SuiteId::Reasonmath, "market-eggs").unwrap();
    let prepared = harness::prepare(HarnessId::Raw, task);
    assert_eq!((prepared.messages, prepared.tools), (task.messages.clone(), task.tools.clone()));
    let rendered = harness::render(HarnessId::Raw, &task.accept[0].turns[0]);
    assert_eq!(rendered.content, task.accept[0].answer());
}

/// Compares `key: value` lines with a text file. `UPDATE=1` writes it anew, but never another value for a known key.
#[track_caller]
fn pinned(name: &str, found: &str, advice: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native/snapshots").join(name);
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeMap<&str, &str> = wanted.lines().filter_map(|line| line.split_once(": ")).collect();
    let changed: Vec<String> = found
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(key, now)| Some((key, known.get(key).filter(|was| **was != now)?, now)))
        .map(|(key, was, now)| format!("{key}\n  was {was}\n  now {now}"))
        .collect();
    assert!(changed.is_empty(), "{advice}\n{}", changed.join("\n"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, found).unwrap();
    } else {
        assert!(found == wanted, "{name} has lines too many or too few: run the tests once with UPDATE=1");
    }
}

/// A short stable name for an answer (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn a_grader_that_changes_its_mind_has_a_new_version() {
    let suites = suites();
    let mut found = String::new();
    for (task, check) in judged_tasks(&suites) {
        let accepts = task.accept.iter().enumerate().map(|(n, e)| (format!("accept {n}"), &e.turns));
        let rejects = task.reject.iter().enumerate().map(|(n, r)| (format!("reject {n}"), &r.turns));
        for (name, turns) in accepts.chain(rejects) {
            let verdict = verdict_on(task, check, turns);
            let answer = match turns.as_slice() {
                [only] if only.calls.is_empty() => only.text.clone(),
                several => format!("{several:?}"),
            };
            let parts: Vec<String> = verdict.parts.iter().map(|part| format!("{:.3}", part.score)).collect();
            let (id, print, score) = (&task.id, fingerprint(&answer), verdict.score);
            // The digest is that of the task and the grader version: with either, the line is another one.
            let digest = &task.digest["sha256:".len()..][..8];
            let _ =
                writeln!(found, "{}/{id} {digest} {name} {print:016x}: {score:.4} = {}", task.suite, parts.join(" "));
        }
    }
    pinned(
        "verdicts.txt",
        &found,
        "the same answer to the same task is judged differently: raise GRADER_VERSION in src/engine/check/mod.rs, then \
         run the tests once with UPDATE=1",
    );
}

#[test]
fn a_task_that_changes_has_a_new_version() {
    let suites = suites();
    let mut found = String::new();
    for suite in suites.all() {
        for task in &suite.tasks {
            let _ = writeln!(
                found,
                "{}/{} version {}, grader {GRADER_VERSION}: {}",
                suite.id, task.id, task.version, task.digest
            );
        }
    }
    pinned(
        "digests.txt",
        &found,
        "tasks changed under their old version, so that results no longer compare with older ones: raise `version` in \
         the task file, then run the tests once with UPDATE=1",
    );
}

const GOOD: &str = r#"
id = "sum"
version = 1
title = "A sum"
tier = 1
quick = false
[[messages]]
role = "user"
text = "What is 2 + 2? End with a line `ANSWER: <number>`."
[check.number]
expected = "4"
[[accept]]
turns = [{ text = "ANSWER: 4" }]
[[accept]]
turns = [{ text = "It is four.\nANSWER: 4" }]
[[reject]]
part = "answer"
why = "too many"
turns = [{ text = "ANSWER: 5" }]
[[reject]]
part = "answer"
why = "too few"
turns = [{ text = "ANSWER: 3" }]
[[reject]]
part = "answer_line"
why = "no last line"
turns = [{ text = "The answer is 4." }]
"#;

#[test]
fn a_broken_task_file_says_what_to_do() {
    assert!(parse_task(SuiteId::Reasonmath, "reasonmath/tasks/sum.toml", GOOD).is_ok());
    let constraint = "[check.constraints]\nneeds = [{ count = { of = \"words\", size.at_least = 1 } }]\n[[check.constraints.rules]]\nname = \"r\"\n";
    for (from, to, expected) in [
        ("tier = 1", "tier = 1\ncolour = 2", "line 6: unknown field `colour`"),
        ("tier = 1", "tier = 4", "field tier: is 4; use 1, 2 or 3"),
        ("version = 1", "version = 0", "field version: starts at 1"),
        ("id = \"sum\"", "id = \"total\"", "field id: is \"total\", but the file is named \"sum\""),
        ("title = \"A sum\"", "", "missing field `title`"),
        ("role = \"user\"", "role = \"system\"", "field messages: the last message must be the user's"),
        ("expected = \"4\"", "expected = \"four\"", "field check.number.expected: \"four\" is no number"),
        ("expected = \"4\"", "expected = \"4\"\nfuzzy = true", "unknown field `fuzzy`"),
        ("[check.number]\nexpected = \"4\"", "[check.guess]\nx = 1", "unknown variant `guess`"),
        ("[check.number]\nexpected = \"4\"", "", "field check: is missing"),
        (
            "[check.number]\nexpected = \"4\"",
            "[speed]\nmeasure = \"decode\"\ntokens = 64",
            "only the speed suite is timed",
        ),
        ("\n[[accept]]\nturns = [{ text = \"ANSWER: 4\" }]", "", "field accept: has 1 different right answers"),
        ("It is four.\\nANSWER: 4", "ANSWER: 4", "field accept: has 1 different right answers"),
        (
            "part = \"answer_line\"",
            "part = \"line\"",
            "field reject[2].part: \"line\" is no part; known: answer, answer_line",
        ),
        ("why = \"no last line\"", "why = \"\"", "field reject[2].why: is empty"),
        ("quick = false", "quick = false\njunk_ok = [\"noise\"]", "field junk_ok: \"noise\" is no kind of junk"),
        (
            "[check.number]\nexpected = \"4\"",
            "[limits]\nanswer_tokens = 1\n[check.number]\nexpected = \"4\"",
            "answer_tokens: is 1",
        ),
        (
            "[check.number]\nexpected = \"4\"",
            &format!("{constraint}rule.rhymes.with = \"sea\""),
            "unknown variant `rhymes`",
        ),
        (
            "[check.number]\nexpected = \"4\"",
            &format!("{constraint}rule.count = {{ of = \"words\", size.less_than = 101 }}"),
            "unknown variant `less_than`",
        ),
        (
            "[check.number]\nexpected = \"4\"",
            "[check.constraints]\nneeds = []\n[[check.constraints.rules]]\nname = \"r\"\nrule.casing.style = \"lower\"",
            "field check.constraints.needs: is empty",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        let error = parse_task(SuiteId::Reasonmath, "reasonmath/tasks/sum.toml", &text).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("suites/reasonmath/tasks/sum.toml"), "{to}\n{error}");
    }
}

#[test]
fn timed_tasks_have_no_prompt_of_their_own() {
    let suites = suites();
    for task in &suites.suite(SuiteId::Speed).unwrap().tasks {
        assert!(matches!(task.kind, TaskKind::Timed(_)) && task.messages.is_empty() && task.accept.is_empty());
    }
}

#[test]
fn what_the_model_must_not_see_changes_no_digest() {
    let task = |text: &str| parse_task(SuiteId::Reasonmath, "sum.toml", text).unwrap().digest;
    let base = task(GOOD);
    assert_eq!(
        task(&GOOD.replace("A sum", "Two and two").replace("tier = 1", "tier = 2").replace("too many", "x")),
        base
    );
    assert_ne!(task(&GOOD.replace("2 + 2", "2 + 3")), base);
    assert_ne!(task(&GOOD.replace("expected = \"4\"", "expected = \"5\"")), base);
}
