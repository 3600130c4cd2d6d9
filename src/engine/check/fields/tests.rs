use serde_json::{Value, json};

use super::*;

fn fields(expect: Value) -> Fields {
    let shape = if expect.get("records").is_some_and(Value::is_array) { "list" } else { "object" };
    let fields: Fields = serde_json::from_value(json!({ "shape": shape, "expect": expect })).unwrap();
    fields.validate().unwrap();
    fields
}

fn judge(fields: &Fields, answer: &str) -> Verdict {
    fields.judge(&Judged { answer, task_prompt: "Say it as {\"name\": \"…\"}", ..Judged::default() })
}

fn person() -> Fields {
    fields(json!({ "name": { "text": "Ines Duarte" }, "age": { "number": 41 }, "paid": { "bool": false } }))
}

#[track_caller]
fn earns(fields: &Fields, answer: &str, score: f64) {
    let verdict = judge(fields, answer);
    assert!((verdict.score - score).abs() < 1e-9, "{answer}: wanted {score}, {verdict:#?}");
}

const RIGHT: &str = r#"{"name": "Ines Duarte", "age": 41, "paid": false}"#;

#[test]
fn json_alone_or_in_one_fence_earns_everything() {
    for answer in [
        RIGHT.to_owned(),
        format!("```json\n{RIGHT}\n```"),
        format!("\n\n~~~\n{RIGHT}\n~~~\n"),
        format!("\u{feff}{RIGHT}\n"),
        r#"{"paid":false,"age":41.0,"name":" ines  DUARTE."}"#.to_owned(),
    ] {
        earns(&person(), &answer, 1.0);
    }
}

#[test]
fn what_stands_around_the_json_costs_the_format_alone() {
    for answer in [
        format!("Here it is: {RIGHT}"),
        format!("Sure!\n```json\n{RIGHT}\n```\nHer {{age}} is in line [1]."),
        format!("`{RIGHT}`"),
        format!("{{\"result\": {RIGHT}}}"),
        format!("[{RIGHT}]"),
        "{'name': 'Ines Duarte', 'age': 41, 'paid': False,}".to_owned(),
        "{\n// the person\nname: \"Ines Duarte\", age: 41, paid: false}".to_owned(),
    ] {
        earns(&person(), &answer, 0.9);
        assert!(judge(&person(), &answer).passed, "{answer}");
    }
}

#[test]
fn a_fence_in_any_dress_costs_nothing() {
    for answer in [
        format!("```json\n{RIGHT}\n```"),
        format!("``` json\n{RIGHT}\n```\n"),
        format!("````json\n{RIGHT}\n````"),
        format!("~~~\n{RIGHT}\n~~~"),
        format!("```json\n{RIGHT}```"),
        format!("```json {RIGHT} ```"),
        format!("```json\n{RIGHT}"),
        format!("\n  {RIGHT}\n"),
    ] {
        earns(&person(), &answer, 1.0);
    }
}

#[test]
fn candidates_that_agree_are_one_answer() {
    for answer in [
        format!("{RIGHT}\n\n{RIGHT}"),
        format!("First the person: {{\"name\": \"Ines Duarte\"}}. All of it: {RIGHT}"),
        format!("You asked for {{\"name\": \"…\"}}.\n{RIGHT}"),
        format!("Lines [1, 2] say so.\n{RIGHT}"),
        format!("{{}} is empty, so: {RIGHT}"),
        format!("A first idea is {{\"name\": \"D. Ines\"}}.\n```json\n{RIGHT}\n```"),
        format!("{{\"name\": \"Ines\", \"age\": 14, \"paid\": false}}\n\nWait, the age is 41. Corrected:\n\n{RIGHT}"),
        format!("```json\n{{\"name\": \"x\"}}\n```\nFinal answer:\n```json\n{RIGHT}\n```"),
        format!("[{{\"line\": 1}}, {{\"line\": 2}}]\n{RIGHT}"),
        format!("```python\nprint({{\"name\": \"Ines Duarte\"}})\n```\nprints {RIGHT}"),
        format!("```json\n{{\"name\": \"I. Duarte\"}}\n```\nCorrected: {RIGHT}"),
        format!("```json\n{RIGHT}\n```\nActually, {{\"fence\": 1}} would be no answer."),
    ] {
        earns(&person(), &answer, 0.9);
    }
}

#[test]
fn two_different_final_answers_are_no_answer() {
    let other = RIGHT.replace("41", "14");
    for answer in [
        format!("{RIGHT}\n\n{other}"),
        format!("{other}\n\n{RIGHT}"),
        format!("```json\n{RIGHT}\n```\nor\n```json\n{other}\n```"),
        format!("{RIGHT}\n{{\"order\": \"A-1\"}}"),
    ] {
        let verdict = judge(&person(), &answer);
        assert!(verdict.score == 0.0 && verdict.why().contains("two different final answers"), "{answer}: {verdict:?}");
    }
}

#[test]
fn a_cut_or_broken_json_is_no_answer_and_its_pieces_are_none() {
    for (answer, why) in [
        (r#"{"name": "Ines Duarte", "age": 41, "paid": fal"#, "cut"),
        (r#"{"name": "Ines Duarte", "age": 41, "paid": false"#, "cut"),
        (r#"{"note" "x", "person": {"name": "Ines Duarte", "age": 41, "paid": false}}"#, "a colon is missing"),
        (r#"{"name": "Ines Duarte", "age": 41, "age": 14, "paid": false}"#, "two different values"),
        ("Ines Duarte is 41 and has not paid.", "no JSON"),
        ("[41, false]", "no JSON"),
    ] {
        let verdict = judge(&person(), answer);
        assert!(verdict.score == 0.0 && verdict.why().contains(why), "{answer}: {verdict:?}");
    }
    let list =
        fields(json!({ "records": [{ "name": { "text": "Ines" } }, { "name": { "text": "Bo" } }], "key": "name" }));
    assert_eq!(judge(&list, r#"[{"name": "Ines"}, {"name": "Bo"}"#).score, 0.0);
}

#[test]
fn reasons_name_the_path_what_was_found_and_what_was_wanted() {
    let verdict = judge(&person(), r#"{"name": "Ines Duarte", "age": "41", "paid": "false"}"#);
    let whys: Vec<&str> = verdict.parts.iter().map(|part| part.why.as_str()).collect();
    assert!(whys.contains(&"age is \"41\" (text), wanted the number 41"), "{whys:?}");
    assert!(whys.contains(&"paid is \"false\" (text), wanted false"), "{whys:?}");
}

#[test]
fn a_guess_counts_only_beside_something_right() {
    for answer in [
        r#"{"name": null, "age": null, "paid": false}"#,
        r#"{"paid": false}"#,
        r#"{"name": "", "age": 0, "paid": false}"#,
        "{}",
        "[]",
        "null",
    ] {
        earns(&person(), answer, 0.0);
    }
    let verdict = judge(&person(), r#"{"name": "Ines Duarte", "age": 0, "paid": false}"#);
    assert!((verdict.score - (0.9 * 0.75 + 0.1)).abs() < 1e-9, "{verdict:?}");
}

#[test]
fn extra_keys_cost_their_share_of_the_expected_ones() {
    let two = r#"{"name": "Ines Duarte", "age": 41, "paid": false, "city": "Porto", "note": null}"#;
    let verdict = judge(&person(), two);
    let part = verdict.parts.iter().find(|part| part.name == NO_EXTRA_KEYS).unwrap();
    assert!((part.score - 1.0 / 3.0).abs() < 1e-9 && part.why.contains("city"), "{part:?}");
    assert!(!verdict.passed);
}

#[test]
fn null_missing_and_false_are_three_things() {
    let three = fields(json!({
        "id": { "text": "K7" }, "middle": { "null": true }, "note": { "missing": true },
        "fax": { "null": true, "missing_ok": true },
    }));
    earns(&three, r#"{"id": "K7", "middle": null, "fax": null}"#, 1.0);
    earns(&three, r#"{"id": "K7", "middle": null}"#, 1.0);
    for (answer, lost) in [
        (r#"{"id": "K7"}"#, "middle"),
        (r#"{"id": "K7", "middle": "null"}"#, "middle"),
        (r#"{"id": "K7", "middle": ""}"#, "middle"),
        (r#"{"id": "K7", "middle": null, "note": null}"#, "note"),
        (r#"{"id": "K7", "middle": null, "fax": "none"}"#, "fax"),
    ] {
        let verdict = judge(&three, answer);
        let wrong: Vec<&str> = verdict.parts.iter().filter(|p| p.score < 1.0).map(|p| p.name.as_str()).collect();
        assert_eq!(wrong, [lost], "{answer}");
    }
}

#[test]
fn each_matcher_takes_its_forms_and_no_others() {
    let cases = [
        (json!({ "text": ["Rua 1", "Street 1"] }), json!("street  1"), true),
        (json!({ "text": "Rua 1" }), json!("Rua 12"), false),
        (json!({ "text": "it's 3-4" }), json!("it’s 3–4"), true),
        (json!({ "text": "Ab", "case": "exact" }), json!("ab"), false),
        (json!({ "text": "7" }), json!(7), false),
        (json!({ "number": 1234.5 }), json!(1234.50), true),
        (json!({ "number": 1234.5 }), json!("1234.5"), false),
        (json!({ "number": 1234.5, "lenient": true }), json!("1,234.50"), true),
        (json!({ "number": 1234.5, "lenient": true }), json!("1,234.50 kg"), false),
        (json!({ "number": 30 }), json!(30.0), true),
        (json!({ "number": 1 }), json!(true), false),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!("1.234,50 €"), true),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!("EUR 1,234.50"), true),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!("€1,234.50"), true),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!(1234.5), false),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!("1,234.50"), false),
        (json!({ "money": "1234.50", "currency": "EUR", "bare": true }), json!(1234.5), true),
        (json!({ "money": "1234.50", "currency": "EUR", "bare": true }), json!("1,234.50"), true),
        (json!({ "money": "1234.50", "currency": "EUR" }), json!("$1,234.50"), false),
        (json!({ "money": "1234.50", "currency": "CHF" }), json!("Fr. 1'234.50"), true),
        (json!({ "quantity": "2.5 kg", "units": ["kilograms"] }), json!("2.50 Kilograms"), true),
        (json!({ "quantity": "2.5 kg" }), json!("2,5kg"), true),
        (json!({ "quantity": "2.5 kg" }), json!("2.5"), false),
        (json!({ "quantity": "2.5 kg" }), json!("2.5 g"), false),
        (json!({ "date": "2026-03-04" }), json!("March 4, 2026"), true),
        (json!({ "date": "2026-03-04", "iso": true }), json!("March 4, 2026"), false),
        (json!({ "digits": "4930123456" }), json!("+49 (30) 123-456"), true),
        (json!({ "digits": "4930123456" }), json!("phone 4930123456"), false),
        (json!({ "bool": true }), json!("true"), false),
        (json!({ "items": [{ "text": "a" }, { "number": 2 }] }), json!([2, "a"]), true),
        (json!({ "items": [{ "text": "a" }, { "number": 2 }], "order": true }), json!([2, "a"]), false),
        (json!({ "items": [] }), json!([]), true),
        (json!({ "items": [] }), json!(null), false),
    ];
    for (matcher, value, right) in cases {
        let fields = fields(json!({ "id": { "text": "K7" }, "x": matcher }));
        let verdict = judge(&fields, &json!({ "id": "K7", "x": value }).to_string());
        assert_eq!(verdict.passed, right, "{matcher} {value}: {verdict:#?}");
    }
}

#[test]
fn a_list_of_values_earns_what_it_has_of_it() {
    let tags = fields(json!({ "tags": { "items": [{ "text": "a" }, { "text": "b" }, { "text": "c" }] } }));
    let score = |answer: Value| judge(&tags, &json!({ "tags": answer }).to_string()).parts[0].score;
    for (answer, wanted) in [
        (json!(["c", "a", "b"]), 1.0),
        (json!(["a", "b"]), 2.0 / 3.0),
        (json!(["a", "b", "c", "d"]), 0.75),
        (json!(["a", "a", "a"]), 1.0 / 3.0),
        (json!("a, b, c"), 0.0),
    ] {
        assert!((score(answer.clone()) - wanted).abs() < 1e-9, "{answer}");
    }
}

fn crew(key: Option<&str>) -> Fields {
    let mut expect = json!({ "records": [
        { "name": { "text": "Ines" }, "hours": { "number": 7 }, "away": { "bool": false } },
        { "name": { "text": "Bo" }, "hours": { "number": 5 }, "away": { "bool": false } },
    ] });
    if let Some(key) = key {
        expect["key"] = json!(key);
    }
    fields(expect)
}

#[test]
fn records_are_matched_in_any_order_and_each_once() {
    let right = r#"[{"name": "Bo", "hours": 5, "away": false}, {"name": "Ines", "hours": 7, "away": false}]"#;
    for crew in [crew(Some("name")), crew(None)] {
        earns(&crew, right, 1.0);
        earns(&crew, &format!("{{\"crew\": {right}}}"), 0.9);
        earns(&crew, &right[1..right.len() - 1].replace("}, {", "}\n{"), 0.9);
        let missing = judge(&crew, r#"[{"name": "Ines", "hours": 7, "away": false}]"#);
        // 3 of 6 leaves and both parts for what is too much.
        assert!((missing.score - (0.9 * 5.0 / 8.0 + 0.1)).abs() < 1e-9, "{missing:#?}");
        let extra = right.replace("}]", r#"}, {"name": "Zoe", "hours": 1, "away": false}]"#);
        let verdict = judge(&crew, &extra);
        let part = verdict.parts.iter().find(|part| part.name == NO_EXTRA_RECORDS).unwrap();
        assert!((part.score - 0.5).abs() < 1e-9 && part.why.contains("Zoe"), "{part:?}");
        assert!(!verdict.passed);
        let twice = right.replace("}]", r#"}, {"name": "Bo", "hours": 5, "away": false}]"#);
        assert!(!judge(&crew, &twice).passed);
    }
}

#[test]
fn a_key_of_the_wrong_kind_loses_its_own_leaf_alone() {
    let shelf = fields(json!({ "records": [{ "no": { "number": 12 }, "book": { "text": "Reef" } }], "key": "no" }));
    let verdict = judge(&shelf, r#"[{"no": "12", "book": "Reef"}]"#);
    let wrong: Vec<&str> = verdict.parts.iter().filter(|p| p.score < 1.0).map(|p| p.name.as_str()).collect();
    assert_eq!(wrong, ["[0].no"]);
}

#[test]
fn deep_and_long_answers_are_judged_in_time() {
    let deep = |inner: &str| format!("{}{inner}{}", "{\"a\": ".repeat(60), "}".repeat(60));
    for answer in [
        format!("{} {}", deep("1"), deep("2")),
        "{\"a\": [".repeat(20_000),
        "[1, {\"a\": 'x".repeat(5_000),
        format!("[{}]", "{\"name\": \"Bo\", \"hours\": 5},".repeat(2_000)),
    ] {
        for fields in [person(), crew(None), crew(Some("name"))] {
            assert!(judge(&fields, &answer).score < 0.7);
        }
    }
}

#[test]
fn without_a_key_records_are_paired_for_the_most_right_values() {
    let answer = r#"[{"name": "Ines", "hours": 5, "away": false}, {"name": "Ines", "hours": 7, "away": false}]"#;
    let verdict = judge(&crew(None), answer);
    let wrong: Vec<&str> = verdict.parts.iter().filter(|p| p.score < 1.0).map(|p| p.name.as_str()).collect();
    assert_eq!(wrong, ["[1].name"]);
    // A guess alone pairs nothing.
    let verdict = judge(&crew(None), r#"[{"name": "Ines", "hours": 7, "away": false}, {"away": false}]"#);
    assert_eq!(verdict.parts.iter().filter(|p| p.name.starts_with("[1]") && p.score > 0.0).count(), 0);
}

#[test]
fn nested_records_have_paths_of_their_own() {
    let fields = fields(json!({
        "shop": { "name": { "text": "Lind" } },
        "orders": { "records": [{ "no": { "text": "A1" }, "lines": { "records": [{ "sku": { "text": "x" } }] } }], "key": "no" },
    }));
    assert_eq!(
        fields.part_names(),
        ["orders[0].lines[0].sku", "orders[0].no", "shop.name", NO_EXTRA_KEYS, NO_EXTRA_RECORDS, ONLY_JSON]
    );
    for answer in [
        r#"{"shop": {"name": "Lind"}, "orders": [{"no": "A1", "lines": [{"sku": "x"}]}]}"#,
        r#"{"shop": {"name": "Lind"}, "orders": [{"no": "A2"}]}"#,
        r#"{"shop": "Lind", "orders": {"no": "A1"}}"#,
        r#"{"shop": null}"#,
    ] {
        let names: Vec<String> = judge(&fields, answer).parts.into_iter().map(|part| part.name).collect();
        assert_eq!(names, fields.part_names(), "{answer}");
    }
}

#[test]
fn a_wrong_expectation_says_what_to_do() {
    for (expect, wanted) in [
        (json!({ "a": { "txt": "x" } }), "a matcher has exactly one of: text, number"),
        (json!({ "a": { "text": "x", "lenient": true } }), "unknown field `lenient`"),
        (json!({ "a": { "number": "7" } }), "number"),
        (json!({ "a": { "b": { "c": 7 } } }), "b: a matcher has exactly one of"),
        (json!({ "a": {} }), "is empty"),
    ] {
        let error = serde_json::from_value::<Fields>(json!({ "shape": "object", "expect": expect })).unwrap_err();
        assert!(error.to_string().contains(wanted), "{expect}: {error}");
    }
    for (shape, expect, wanted) in [
        ("object", json!({ "a": { "null": true } }), "a guess could hit every leaf"),
        ("list", json!({ "a": { "text": "x" } }), "is no { records"),
        ("object", json!({ "a": { "date": "4.3.2026" } }), "is no date"),
        ("object", json!({ "a": { "money": "12", "currency": "XXX" } }), "no known currency"),
        ("object", json!({ "a": { "quantity": "12" } }), "no number with a unit"),
        ("object", json!({ "a": { "digits": "+49" } }), "digits only"),
        ("list", json!({ "records": [{ "a": { "text": "x" } }], "key": "b" }), "has no leaf \"b\""),
    ] {
        let fields: Fields = serde_json::from_value(json!({ "shape": shape, "expect": expect })).unwrap();
        let (field, why) = fields.validate().unwrap_err();
        assert!(field.starts_with("fields.expect") && why.contains(wanted), "{expect}: {field} {why}");
    }
}
