//! The task files: each proves its own grader, junk earns nothing, digests and verdicts are pinned.

use std::{collections::BTreeSet, fs, path::Path};

use super::support::python;
use benchloop::{
    domain::id::{HarnessId, Profile, SuiteId},
    engine::{
        check::Judged,
        harness,
        selftest::{FaultKind, Pins, Report, selftest},
        suite::{self, Source, Suites, Task, TaskKind, parse_task},
    },
};

fn suites() -> Suites {
    suite::load().unwrap()
}

/// Proves every suite in this tree, as `benchloop selftest` does.
async fn report(suites: &Suites) -> Report {
    let mut pins = Pins::read(&Source::BuiltIn, false);
    selftest(suites, None, &mut pins, python(), &mut |_| ()).await
}

#[tokio::test]
async fn b8_b18_every_task_proves_its_own_grader() {
    let report = report(&suites()).await;

    let faults: Vec<String> =
        report.faults.iter().map(|fault| format!("{} [{}] {}", fault.task, fault.kind, fault.why)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for proved in report.suites.iter().filter(|proved| proved.suite != SuiteId::Speed) {
        assert!(proved.accepts >= 2 * proved.tasks && proved.rejects >= 3 * proved.tasks, "{proved:?}");
        assert!(proved.junk >= 20 * proved.tasks, "{proved:?}");
    }
}

#[test]
fn a_near_miss_of_a_rule_is_near() {
    let suites = suites();
    for task in &suites.suite(SuiteId::Instructfollow).unwrap().tasks {
        let check = task.check().unwrap();
        for reject in &task.reject {
            let verdict =
                check.judge(&Judged { answer: reject.answer(), task_prompt: &task.prompt(), ..Judged::default() });
            let substance = verdict.parts.iter().find(|part| part.name == "substance").unwrap();
            assert_eq!(substance.score, 1.0, "{}: {} is no near miss: {}", task.id, reject.why, substance.why);
        }
    }
}

/// A copy of suites/ that a test may break.
fn scratch() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
            if path.is_dir() { copy(&path, &to.join(name)) } else { _ = fs::copy(&path, to.join(name)).unwrap() }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("suites"), folder.path());
    folder
}

/// The faults of one suite after a change of one file, as kind and reason.
async fn faults_after(file: &str, from: &str, to: &str) -> Vec<(FaultKind, String)> {
    let folder = scratch();
    let path = folder.path().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from:?}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    let source = Source::Folder(folder.path().to_owned());
    let suites = suite::load_from(&source).unwrap();
    let only = file.split('/').next().unwrap().parse().unwrap();
    let report = selftest(&suites, Some(only), &mut Pins::read(&source, false), python(), &mut |_| ()).await;
    let id = file.rsplit('/').next().unwrap().trim_end_matches(".toml");
    assert!(report.faults.iter().all(|fault| fault.task.ends_with(id)), "{:?}", report.faults);
    report.faults.into_iter().map(|fault| (fault.kind, fault.why)).collect()
}

#[tokio::test]
async fn a_broken_key_is_named() {
    let faults = faults_after("reasonmath/tasks/market-eggs.toml", "expected = \"24\"", "expected = \"25\"").await;

    let has = |kind| faults.iter().any(|(found, _)| *found == kind);
    assert!(has(FaultKind::Accept) && has(FaultKind::Digest) && has(FaultKind::Verdict), "{faults:?}");
}

#[tokio::test]
async fn a_broken_right_answer_is_named() {
    let faults = faults_after("reasonmath/tasks/market-eggs.toml", "ANSWER: 24", "ANSWER: 23").await;

    assert!(faults.iter().any(|(kind, why)| *kind == FaultKind::Accept && why.contains("accept 0")), "{faults:?}");
}

#[tokio::test]
async fn a_near_miss_that_passes_is_named() {
    let faults = faults_after(
        "instructfollow/tasks/acrostic-tide.toml",
        "Every gull calls out twice.\"\"\" }]\n\n[[reject]]\npart = \"without the\"",
        "Every gull calls out twice.\"\"\" }]\n\n[[reject]]\npart = \"four lines\"",
    )
    .await;

    assert!(faults.iter().any(|(kind, why)| *kind == FaultKind::Reject && why.contains("four lines")), "{faults:?}");
}

#[test]
fn every_tool_task_offers_a_choice_and_answers_right_calls() {
    let suites = suites();
    for task in &suites.suite(SuiteId::Toolcall).unwrap().tasks {
        assert!(task.tools.len() >= 12, "{} offers {} tools", task.id, task.tools.len());
        let turns = task.accept.iter().map(|example| example.turns.len()).max().unwrap_or(0);
        assert!(turns <= task.turns as usize, "{} has too few turns for its examples", task.id);
        let Some(simulation) = &task.simulation else { continue };
        for example in &task.accept {
            let mut running = simulation.start();
            for call in example.said().iter().flat_map(|turn| &turn.calls) {
                let result = running.call(&task.tools, call);
                assert!(!result.contains("\"error\""), "{}: {} gives {result}", task.id, call.arguments_raw);
            }
        }
    }
}

#[test]
fn ids_are_unique_and_tiers_are_mixed() {
    let suites = suites();
    let mut ids = BTreeSet::new();
    for task in suites.all().flat_map(|suite| &suite.tasks) {
        assert!(ids.insert(&task.id), "{} is there twice", task.id);
    }
    for id in [SuiteId::Reasonmath, SuiteId::Instructfollow, SuiteId::Toolcall, SuiteId::Agent] {
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
        (
            "quick = false",
            "quick = false\ntools_from = \"kitchen\"",
            "field tools_from: \"kitchen\" is no file in the suite's tools/ folder",
        ),
        (
            "[check.number]\nexpected = \"4\"",
            "[check.calls.answer]\nincludes = [\"four\"]",
            "field check.calls.tools: there are none",
        ),
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
