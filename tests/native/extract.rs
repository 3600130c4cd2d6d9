//! The suite dataextract: what is judged is said in the prompt, and what is right stands in the text or is worked out
//! here.

use std::collections::{BTreeMap, BTreeSet};

use benchloop::{
    domain::id::{Profile, SuiteId},
    engine::{
        check::{
            Check, Judged,
            fields::{Fields, Leaf, Matcher, Tree},
            number,
        },
        suite::{self, Suites, Task, parse_task},
    },
};

fn tasks(suites: &Suites) -> Vec<(&Task, &Fields)> {
    let tasks = &suites.suite(SuiteId::Dataextract).unwrap().tasks;
    let fields = |task| match Task::check(task) {
        Some(Check::Fields(fields)) => (task, fields),
        _ => panic!("{} does not check fields", task.id),
    };
    tasks.iter().map(fields).collect()
}

/// Every key of the tree and every leaf with its path.
fn walk<'a>(path: &str, tree: &'a Tree, keys: &mut BTreeSet<&'a str>, leaves: &mut Vec<(String, &'a Leaf)>) {
    match tree {
        Tree::Leaf(leaf) => match &leaf.matcher {
            Matcher::Items(items) => items.items.iter().for_each(|item| walk(path, item, keys, leaves)),
            _ => leaves.push((path.to_owned(), leaf)),
        },
        Tree::Object(map) => {
            for (key, tree) in map {
                keys.insert(key);
                walk(&if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, tree, keys, leaves);
            }
        }
        Tree::Records(records) => {
            for (index, tree) in records.records.iter().enumerate() {
                walk(&format!("{path}[{index}]"), tree, keys, leaves);
            }
        }
    }
}

/// Values that do not stand in the text as they are, from the text's own data.
fn worked_out() -> BTreeMap<(&'static str, &'static str), serde_json::Value> {
    let errors = ["payments", "payments", "search", "payments"];
    let count = |name| errors.iter().filter(|error| **error == name).count();
    let late = |hours: u32, minutes: u32| {
        let minutes = (hours * 60 + minutes + 20) % (24 * 60);
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    };
    let values: Vec<(&str, &str, serde_json::Value)> = vec![
        ("recipe-card", "keeps_days", 4.into()),
        ("freight-list", "[0].length_cm", (12 * 10).into()),
        ("freight-list", "[5].length_cm", (5 * 10).into()),
        ("bakery-receipt", "items", ["rye", "poppy", "plum"].len().into()),
        ("parcel-log", "failed_attempts", ["Tue 11:52"].len().into()),
        ("rental-ad", "floor", 2.into()),
        ("course-form", "name", "Tunde Oyelaran".into()),
        ("order-mails", "total_kg", (15 + 5).into()),
        ("gateway-log", "errors.payments", count("payments").into()),
        ("gateway-log", "errors.search", count("search").into()),
        ("supplier-letter", "seller_vat", "SE556041908801".into()),
        ("voice-message", "chairs", 6.into()),
        ("voice-message", "time", "18:30".into()),
        ("voice-message", "vegetarians", 2.into()),
        ("annual-report", "hectares", (612 + 38 + 17 - 5).into()),
        ("annual-report", "next_meeting", "2026-04-18 15:00".into()),
        ("cv-of-an-engineer", "jobs[0].from", "2024-04".into()),
        ("cv-of-an-engineer", "jobs[1].from", "2021-01".into()),
        ("cv-of-an-engineer", "jobs[1].to", "2024-02".into()),
        ("cv-of-an-engineer", "jobs[2].from", "2014-10".into()),
        ("cv-of-an-engineer", "jobs[2].to", "2020-12".into()),
        ("scanned-invoice", "number", "2026-0713".into()),
        ("scanned-invoice", "seller", "Gärtnerei Fuhrmann & Tochter".into()),
        ("scanned-invoice", "lines[0].pos", 1.into()),
        ("scanned-invoice", "lines[0].quantity", 12.into()),
        ("scanned-invoice", "lines[0].price", 14.5.into()),
        ("scanned-invoice", "lines[0].amount", (12.0 * 14.5).into()),
        ("scanned-invoice", "lines[1].quantity", 80.into()),
        ("scanned-invoice", "lines[1].price", 2.35.into()),
        ("scanned-invoice", "lines[1].amount", (80.0 * 2.35).into()),
        ("scanned-invoice", "lines[2].quantity", 15.into()),
        ("scanned-invoice", "lines[2].price", 6.9.into()),
        ("scanned-invoice", "lines[2].amount", (15.0 * 6.9).into()),
        ("scanned-invoice", "lines[3].price", 35.into()),
        ("scanned-invoice", "net", (174.0 + 188.0 + 103.5 + 35.0).into()),
        ("scanned-invoice", "vat", ((500.5_f64 * 19.0).round() / 100.0).into()),
        ("scanned-invoice", "total", (500.5 + 95.1).into()),
        ("ferry-timetable", "[3].departs", late(22, 50).into()),
        ("ferry-timetable", "[3].stops[0].time", late(23, 25).into()),
        ("ferry-timetable", "[3].stops[1].time", late(24, 10).into()),
        ("freight-list", "[1].length_cm", (36.0 * 2.54).into()),
        ("freight-list", "[2].weight_kg", (0.65 * 1000.0).into()),
        ("freight-list", "[3].weight_kg", (1.1 * 1000.0).into()),
        ("freight-list", "[4].weight_kg", (4500.0 / 1000.0).into()),
        ("freight-list", "[4].length_cm", (350 / 10).into()),
    ];
    values.into_iter().map(|(task, path, value)| ((task, path), value)).collect()
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether the value of a leaf can be read off the text.
fn stands_in(text: &str, leaf: &Leaf) -> bool {
    let has = |value: &serde_json::Value| {
        let texts = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
        texts.iter().filter_map(|text| text.as_str()).any(|one| squeeze(text).contains(&squeeze(one)))
    };
    let numbers: Vec<f64> = number::all(text).iter().map(|(_, number)| number.value.as_f64()).collect();
    match &leaf.matcher {
        Matcher::Text(leaf) => has(&leaf.text),
        Matcher::Number(leaf) => {
            let wanted = leaf.number.as_f64().unwrap();
            let digits = leaf.number.to_string();
            let token = text.split(|c: char| !c.is_ascii_digit()).any(|token| token == digits);
            token || numbers.iter().any(|number| (number - wanted).abs() < 1e-9)
        }
        Matcher::Digits(leaf) => {
            let digits: String = text.chars().filter(|c| !" -/()+".contains(*c)).collect();
            digits.contains(leaf.digits.as_str().unwrap())
        }
        // Year and day as numbers; the month is there by name or number.
        Matcher::Date(leaf) => {
            let (year, day) = (&leaf.date[..4], leaf.date[8..].trim_start_matches('0'));
            let token = |wanted: &str| {
                text.split(|c: char| !c.is_ascii_digit()).any(|token| token.trim_start_matches('0') == wanted)
            };
            (token(year) || token(&year[2..])) && (token(day) || text.contains("the tenth") || text.contains("O2.O6"))
        }
        Matcher::Bool(_) | Matcher::Null(_) | Matcher::Missing(_) | Matcher::Items(_) => true,
        Matcher::Money(leaf) => numbers.iter().any(|number| Ok(*number) == leaf.money.parse()),
        Matcher::Quantity(leaf) => squeeze(text).contains(&leaf.quantity),
    }
}

#[test]
fn every_right_value_stands_in_the_text_or_is_worked_out_here() {
    let suites = suite::load().unwrap();
    let mut worked_out = worked_out();
    let mut missing = Vec::new();
    for (task, fields) in tasks(&suites) {
        let (mut keys, mut leaves) = (BTreeSet::new(), Vec::new());
        walk("", &fields.expect, &mut keys, &mut leaves);
        for (path, leaf) in leaves {
            let known = worked_out.keys().find(|(id, at)| (*id, *at) == (task.id.as_str(), path.as_str())).copied();
            if let Some(key) = known {
                let value = worked_out.remove(&key).unwrap();
                let right = match &leaf.matcher {
                    Matcher::Number(leaf) => (leaf.number.as_f64().unwrap() - value.as_f64().unwrap()).abs() < 1e-9,
                    Matcher::Text(leaf) => leaf.text.as_array().map_or(leaf.text == value, |texts| texts[0] == value),
                    _ => false,
                };
                assert!(right, "{} {path}: worked out {value}, the task has {leaf:?}", task.id);
            } else if !stands_in(&task.prompt(), leaf) {
                missing.push(format!("{} {path}: {leaf:?}", task.id));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(worked_out.is_empty(), "no such leaves: {worked_out:?}");
}

#[test]
fn every_key_that_is_judged_is_named_in_the_prompt() {
    let suites = suite::load().unwrap();
    for (task, fields) in tasks(&suites) {
        let (mut keys, mut leaves) = (BTreeSet::new(), Vec::new());
        walk("", &fields.expect, &mut keys, &mut leaves);
        let prompt = task.prompt();
        for key in keys {
            // The components of the log are the log's own words.
            let named = prompt.contains(&format!("\"{key}\"")) || task.id == "gateway-log" && prompt.contains(key);
            assert!(named, "{}: the prompt does not name {key:?}", task.id);
        }
        let iso = leaves.iter().any(|(_, leaf)| matches!(&leaf.matcher, Matcher::Date(date) if date.iso));
        assert!(!iso || prompt.contains("YYYY-MM-DD"), "{}: the prompt does not name the form of dates", task.id);
        assert!(prompt.contains("code fence"), "{}: the prompt does not say that a fence is fine", task.id);
    }
}

#[test]
fn near_misses_are_near() {
    let suites = suite::load().unwrap();
    for (task, fields) in tasks(&suites) {
        let check = Check::Fields(fields.clone());
        let prompt = task.prompt();
        let score = |answer| check.judge(&Judged { answer, task_prompt: &prompt, ..Judged::default() }).score;
        let near = task.reject.iter().filter(|reject| score(reject.answer()) >= 0.5).count();
        assert!(near >= 3, "{}: {near} near misses earn half or more", task.id);
    }
}

#[test]
fn the_suite_has_every_tier_in_both_profiles() {
    let suites = suite::load().unwrap();
    let count =
        |profile, tier| suites.chosen(SuiteId::Dataextract, profile).iter().filter(|task| task.tier == tier).count();
    for tier in 1..=3 {
        assert!(count(Profile::Standard, tier) >= 7, "tier {tier}");
        assert!(count(Profile::Quick, tier) >= 1, "quick tier {tier}");
    }
    assert_eq!(suites.chosen(SuiteId::Dataextract, Profile::Quick).len(), 5);
}

#[test]
fn a_wrong_expectation_is_refused_with_its_file_and_its_place() {
    let file = "dataextract/tasks/bakery-receipt.toml";
    let text =
        std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("suites").join(file)).unwrap();
    assert!(parse_task(SuiteId::Dataextract, file, &text).is_ok());
    for (from, to, expected) in [
        ("{ number = 29.4 }", "{ numbre = 29.4 }", "total: a matcher has exactly one of: text, number"),
        ("{ number = 29.4 }", "{ number = 29.4, unit = \"EUR\" }", "total: number: unknown field `unit`"),
        ("{ number = 29.4 }", "29.4", "no matcher"),
        ("iso = true", "iso = true, date = \"x\"", "duplicate key"),
        ("2026-05-09\", iso", "09.05.2026\", iso", "field check.fields.expect.date: \"09.05.2026\" is no date"),
        ("shape = \"object\"", "shape = \"list\"", "field check.fields.expect: is no { records"),
        ("part = \"items\"", "part = \"lines\"", "is no part; known: change, date, items"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = parse_task(SuiteId::Dataextract, file, &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains(file), "{to}\n{error}");
    }
}
