use serde_json::{Value, json};

use super::*;
use crate::{
    domain::{
        transcript::{Note, NoteKind},
        verdict::Verdict,
    },
    engine::check::{Check, Judged, Said},
};

fn tools() -> Vec<Tool> {
    let tool = |name: &str, parameters: Value| Tool { name: name.into(), description: String::new(), parameters };
    vec![
        tool(
            "reserve_table",
            json!({
                "type": "object",
                "required": ["guests", "time"],
                "properties": {
                    "guests": { "type": "integer" },
                    "time": { "type": "string" },
                    "place": { "type": "string", "enum": ["inside", "terrace"], "default": "inside" },
                    "note": { "type": "string" },
                },
            }),
        ),
        tool("opening_hours", json!({ "type": "object", "properties": { "day": { "type": "string" } } })),
        tool("menu", json!({ "type": "object", "properties": {} })),
    ]
}

fn check(toml: &str) -> Check {
    let check = Check::Calls(toml::from_str(toml).unwrap());
    check.validate(&tools()).unwrap();
    check
}

fn table() -> Check {
    check(
        "[[expect]]\nname = \"the table\"\ntool = \"reserve_table\"\n\
         arguments = { guests = { number = 4 }, time = { time = \"19:30\" } }",
    )
}

fn call(name: &str, arguments: Value) -> ToolCall {
    let arguments_raw = arguments.to_string();
    ToolCall { id: None, name: name.into(), arguments: Some(arguments), arguments_raw }
}

fn turn(text: &str, calls: Vec<ToolCall>) -> Said {
    Said { text: text.into(), calls, notes: Vec::new() }
}

fn judge(check: &Check, turns: &[Said]) -> Verdict {
    let answer = turns.last().map_or("", |turn| turn.text.as_str());
    let tools = tools();
    check.judge(&Judged { answer, task_prompt: "A table, please.", turns, tools: &tools, ..Judged::default() })
}

fn of_arguments(arguments: Value) -> Verdict {
    judge(&table(), &[turn("", vec![call("reserve_table", arguments)])])
}

fn score(verdict: &Verdict, part: &str) -> f64 {
    verdict.parts.iter().find(|p| p.name == part).unwrap().score
}

#[test]
fn a_right_call_is_right_however_its_values_are_written() {
    for arguments in [
        json!({ "guests": 4, "time": "19:30" }),
        json!({ "guests": 4.0, "time": "7:30 pm" }),
        json!({ "guests": 4, "time": "19:30:00", "place": "inside" }),
        json!({ "guests": 4, "time": "19:30", "note": null }),
        json!({ "guests": 4, "time": "19:30", "note": "" }),
    ] {
        let verdict = of_arguments(arguments.clone());
        assert!(verdict.passed && verdict.score == 1.0, "{arguments}: {verdict:#?}");
    }
}

#[test]
fn b10_a_wrong_or_wrongly_typed_value_is_never_right() {
    for arguments in [
        json!({ "guests": "4", "time": "19:30" }),
        json!({ "guests": true, "time": "19:30" }),
        json!({ "guests": 4, "time": "9:30" }),
        json!({ "guests": 4, "time": "not 19:30 but later" }),
        json!({ "guests": 4 }),
        json!({ "guests": 4, "time": "19:30", "note": "by the window" }),
        json!({ "guests": 4, "time": "19:30", "place": "terrace" }),
        json!({ "guests": 4, "time": "19:30", "colour": "red" }),
    ] {
        let verdict = of_arguments(arguments.clone());
        assert!(!verdict.passed && verdict.score < 0.8, "{arguments}: {verdict:#?}");
        assert!(verdict.score > 0.0, "{arguments} has something right");
    }
}

#[test]
fn nothing_right_but_the_tool_earns_nothing() {
    for arguments in [json!({}), json!({ "guests": 5, "time": "20:30" }), json!({ "place": "inside" })] {
        assert_eq!(of_arguments(arguments).score, 0.0);
    }
    let malformed = ToolCall { arguments: None, arguments_raw: "{guests".into(), ..call("reserve_table", json!({})) };
    let verdict = judge(&table(), &[turn("", vec![malformed])]);
    assert_eq!(verdict.score, 0.0);
    assert!(verdict.why().contains("no JSON object"), "{}", verdict.why());
}

#[test]
fn every_call_too_many_costs() {
    let right = || call("reserve_table", json!({ "guests": 4, "time": "19:30" }));
    let scores: Vec<f64> = (0..5)
        .map(|n| judge(&table(), &[turn("", vec![right()]), turn("", vec![call("menu", json!({})); n])]).score)
        .collect();
    assert_eq!(scores[0], 1.0);
    assert!(scores.windows(2).all(|pair| pair[1] <= pair[0]) && scores[1] < 0.9, "{scores:?}");
    assert_eq!(scores[4], 0.0, "whoever calls everything has chosen nothing");
    let free = check(
        "free = [\"menu\"]\n[[expect]]\nname = \"the table\"\ntool = \"reserve_table\"\narguments = { guests = { number = 4 } }",
    );
    let verdict = judge(
        &free,
        &[turn("", vec![call("menu", json!({})), call("reserve_table", json!({ "guests": 4, "time": "" }))])],
    );
    assert_eq!(score(&verdict, NO_OTHER_CALLS), 1.0);
}

#[test]
fn a_tool_that_was_ruled_out_takes_everything() {
    let check = check(
        "never = [\"menu\"]\n[[expect]]\nname = \"the table\"\ntool = \"reserve_table\"\narguments = { guests = { number = 4 }, time = { any = true } }\n[answer]\nincludes = [\"reserved\"]",
    );
    let right = || call("reserve_table", json!({ "guests": 4, "time": "20:00" }));
    assert!(judge(&check, &[turn("", vec![right()]), turn("It is reserved.", Vec::new())]).passed);
    let verdict = judge(&check, &[turn("", vec![right()]), turn("It is reserved.", vec![call("menu", json!({}))])]);
    assert_eq!(verdict.score, 0.0);
    assert!(verdict.why().contains("menu") && verdict.why().contains("ruled out"), "{}", verdict.why());
}

#[test]
fn words_instead_of_calls_earn_nothing_and_the_reason_names_what_could_not_be_read() {
    let mut said = turn("I have reserved a table for 4 at 19:30.", Vec::new());
    said.notes.push(Note { kind: NoteKind::ParseError, text: "{\"name\": \"reserve_table\", \"argum".into() });
    let verdict = judge(&table(), &[said.clone()]);
    assert_eq!(verdict.score, 0.0);
    assert!(
        verdict.why().contains("reserve_table was not called") && verdict.why().contains("argum"),
        "{}",
        verdict.why()
    );
    said.text.clear();
    assert!(judge(&table(), &[said]).why().contains("argum"));
}

#[test]
fn b10_calls_count_in_any_turn_and_order_only_where_it_matters() {
    let body = "[[expect]]\nname = \"hours\"\ntool = \"opening_hours\"\narguments = { day = { text = [\"Sunday\"] } }\n\
                [[expect]]\nname = \"the table\"\ntool = \"reserve_table\"\narguments = { guests = { number = 4 } }";
    let hours = || call("opening_hours", json!({ "day": "sunday" }));
    let table = || call("reserve_table", json!({ "guests": 4, "time": "" }));
    for turns in [
        vec![turn("", vec![hours(), table()])],
        vec![turn("", vec![table()]), turn("", vec![hours()]), turn("Done.", Vec::new())],
    ] {
        assert_eq!(judge(&check(body), &turns).score, 1.0);
    }
    let ordered = check(&format!("order = \"written\"\n{body}"));
    assert!(judge(&ordered, &[turn("", vec![hours()]), turn("", vec![table()])]).passed);
    let backwards = judge(&ordered, &[turn("", vec![table()]), turn("", vec![hours()])]);
    assert_eq!(score(&backwards, IN_ORDER), 0.0);
    let together = [turn("", vec![hours(), table()])];
    assert!(judge(&ordered, &together).passed);
    let after = check(&format!("order = \"after_results\"\n{body}"));
    assert!(judge(&after, &[turn("", vec![hours()]), turn("", vec![table()])]).passed);
    assert_eq!(score(&judge(&after, &together), IN_ORDER), 0.0, "a result is not there before its turn is over");
    let half = judge(&ordered, &[turn("", vec![table()])]);
    assert!(half.score <= 0.5, "leaving something out breaks no rule, but earns nothing either: {half:#?}");
}

#[test]
fn of_several_right_ways_the_best_counts() {
    let check = check(
        "[[one_of]]\n[[one_of.expect]]\nname = \"menu first\"\ntool = \"menu\"\n\
         [[one_of]]\n[[one_of.expect]]\nname = \"hours first\"\ntool = \"opening_hours\"\narguments = { day = { text = [\"Sunday\"] } }",
    );
    assert!(judge(&check, &[turn("", vec![call("menu", json!({}))])]).passed);
    assert!(judge(&check, &[turn("", vec![call("opening_hours", json!({ "day": "Sunday" }))])]).passed);
    let both =
        judge(&check, &[turn("", vec![call("menu", json!({})), call("opening_hours", json!({ "day": "Sunday" }))])]);
    assert!(!both.passed && both.score < 1.0);
}

#[test]
fn a_value_that_no_call_gave_is_a_guess() {
    let check = check(
        "[[expect]]\nname = \"hours\"\ntool = \"opening_hours\"\narguments = { day = { text = [\"Sunday\"] } }\n\
         [answer]\ntimes = [\"18:00\"]\nnumbers = [\"1250\"]",
    );
    let hours = || turn("", vec![call("opening_hours", json!({ "day": "Sunday" }))]);
    for text in ["Open until 6 pm; room for 1,250.", "**18:00**, 1250 seats", "18:00h, and 1 250 people"] {
        assert!(judge(&check, &[hours(), turn(text, Vec::new())]).passed, "{text}");
        assert_eq!(judge(&check, &[turn(text, Vec::new())]).score, 0.0);
    }
    for text in ["", "Open until 8 pm; 1250.", "18:00, 12500", "I will look."] {
        let verdict = judge(&check, &[hours(), turn(text, Vec::new())]);
        assert_eq!(score(&verdict, "answer"), 0.0, "{text}");
    }
}

#[test]
fn where_nothing_is_to_be_called_a_call_takes_all() {
    let check = check(
        "[answer]\nname = \"asks for the day\"\nincludes = [\"day|date\"]\nexcludes = [\"I've booked\"]\nasks = true",
    );
    for text in ["For which day?", "Please tell me the **date**.", "I need one more thing:\n- date"] {
        assert!(judge(&check, &[turn(text, Vec::new())]).passed, "{text}");
        let called = judge(&check, &[turn(text, vec![call("menu", json!({}))])]);
        assert_eq!((called.score, called.passed), (0.0, false), "{text}");
    }
    for text in ["I've booked it. Is the day right?", "I cannot help with that.", "How can I help?", "Any day is fine."]
    {
        assert_eq!(judge(&check, &[turn(text, Vec::new())]).score, 0.0, "{text}");
    }
    let mut tried = turn("For which day? <tool_call>{\"name\": \"menu\"}", Vec::new());
    tried.notes.push(Note { kind: NoteKind::ParseError, text: "<tool_call>{\"name\": \"menu\"}".into() });
    assert_eq!(judge(&check, &[tried]).score, 0.0);
    assert_eq!(
        judge(&check, &[turn(&"Which day? ".repeat(200), Vec::new())]).score,
        0.0,
        "a heap of words is no answer"
    );
}

#[test]
fn lists_and_objects_are_compared_whole() {
    let matcher =
        |toml: &str| toml::from_str::<std::collections::BTreeMap<String, Matcher>>(toml).unwrap().remove("m").unwrap();
    for (toml, value, right) in [
        ("m = { set = [{ text = [\"a\"] }, { text = [\"b\"] }] }", json!(["B", "a"]), true),
        ("m = { set = [{ text = [\"a\"] }, { text = [\"b\"] }] }", json!(["a", "a"]), false),
        ("m = { set = [{ text = [\"a\", \"b\"] }, { text = [\"a\"] }] }", json!(["a", "b"]), true),
        ("m = { items = [{ number = 1 }, { number = 2 }] }", json!([1, 2]), true),
        ("m = { items = [{ number = 1 }, { number = 2 }] }", json!([2, 1]), false),
        ("m = { items = [{ number = 1 }] }", json!(1), false),
        ("m = { object = { a = { bool = false } } }", json!({ "a": false, "b": null }), true),
        ("m = { object = { a = { bool = false } } }", json!({ "a": false, "b": 1 }), false),
        ("m = { object = { a = { bool = false } } }", json!({ "a": "false" }), false),
        ("m = { either = [{ number = 500 }, { text = [\"half\"] }] }", json!("Half"), true),
        ("m = { text = [\"Paris\"] }", json!("Not Paris, use London"), false),
        ("m = { text = [\"Paris\"] }", json!(" paris. "), true),
        ("m = { exact = [\"Paris\"] }", json!("paris"), false),
        ("m = { words = [\"key|keys\", \"front desk\"] }", json!("The keys: front desk."), true),
        ("m = { words = [\"key\"] }", json!("monkey"), false),
        ("m = { date = \"2026-03-14\" }", json!("14 March 2026"), true),
        ("m = { date = \"2026-03-14\" }", json!("2026-03-15"), false),
        ("m = { any = true }", json!(" "), false),
        ("m = { absent = true }", json!("x"), false),
        ("m = { maybe = { number = 2 } }", json!(3), false),
    ] {
        assert_eq!(matcher(toml).find(Some(&value)).is_ok(), right, "{toml} {value}");
    }
    assert!(matcher("m = { maybe = { number = 2 } }").find(None).is_ok());
    assert!(matcher("m = { any = true }").find(None).is_err());
}

#[test]
fn a_check_that_cannot_work_says_why() {
    let expect =
        |arguments: &str| format!("[[expect]]\nname = \"t\"\ntool = \"reserve_table\"\narguments = {{ {arguments} }}");
    for (toml, why) in [
        (String::new(), "answer: is missing"),
        ("[answer]\nasks = true".to_owned(), "alone is junk"),
        ("[answer]\nincludes = [\"…\"]".to_owned(), "has no word in it"),
        (expect("guests = { number = 4 }").replace("reserve_table", "dance"), "\"dance\" is no tool"),
        (expect("seats = { number = 4 }"), "declares no argument seats"),
        (expect("time = { time = \"half past\" }"), "write HH:MM"),
        (expect("time = { any = false }"), "true or not written"),
        (expect("time = { text = [] }"), "the list is empty"),
        (format!("free = [\"sing\"]\n{}", expect("")), "\"sing\" is no tool"),
        (format!("never = [\"reserve_table\"]\n{}", expect("")), "is expected, too"),
        (expect("").replace("\"t\"", "\"no_other_calls\""), "taken"),
    ] {
        let (field, found) = Check::Calls(toml::from_str(&toml).unwrap()).validate(&tools()).unwrap_err();
        assert!(format!("{field}: {found}").contains(why), "{toml}\n{field}: {found}");
    }
}
