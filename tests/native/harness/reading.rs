//! What each harness reads: content in; calls, text and notes out.

use benchloop::{
    domain::{
        id::HarnessId::{self, *},
        transcript::NoteKind::{self, *},
    },
    engine::harness,
};
use serde_json::json;

use super::{TAGGED, called, kinds, native, sample, tools};

/// `TAG` in a row stands for the harness's own tag.
fn tagged(harness: HarnessId, text: &str) -> String {
    text.replace("TAG", if harness == Qwen { "function_call" } else { "tool_call" })
}

/// Content, calls, text, and each note's kind with a part of its words.
type Row = (&'static str, &'static [&'static str], &'static str, &'static [(NoteKind, &'static str)]);

const F: &str = r#"f({"x":1})"#;
const G: &str = r#"g({})"#;

const ROWS: &[Row] = &[
    ("Just text.", &[], "Just text.", &[]),
    ("", &[], "", &[]),
    // plain
    (r#"<TAG>{"name":"f","arguments":{"x":1}}</TAG>"#, &[F], "", &[]),
    ("Hm.\n<TAG>\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n</TAG>\nWait.", &[F], "Hm.\n\nWait.", &[]),
    (r#"<TAG>{"name":"f","arguments":{"x":1}}</TAG> and <TAG>{"name":"g","arguments":{}}</TAG>"#, &[F, G], "and", &[]),
    (
        r#"<TAG>{"name":"f","arguments":{"x":{"y":[1,{"z":null}]}}}</TAG>"#,
        &[r#"f({"x":{"y":[1,{"z":null}]}})"#],
        "",
        &[],
    ),
    (r#"<TAG>{"name":"g"}</TAG>"#, &[G], "", &[]),
    (r#"<TAG>{"name":"g","arguments":null}</TAG>"#, &[G], "", &[]),
    (r#"<TAG>{"name":"nobody","arguments":{}}</TAG>"#, &["nobody({})"], "", &[]),
    (r#"<TAG>{"name":"f","arguments":{"x":"</TAG>"}}</TAG>"#, &[r#"f({"x":"</TAG>"})"#], "", &[]),
    (r#"<TAG>{"name":"f","arguments":{"x":"<think>"}}</TAG>b"#, &[r#"f({"x":"<think>"})"#], "b", &[]),
    (r#"<TAG id="1" x>{"name":"f","arguments":{"x":1}}</TAG >"#, &[F], "", &[]),
    // repairs
    (r#"<TAG>{"name":"f","arguments":{"x":1}}"#, &[F], "", &[(Repaired, "not closed")]),
    (r#"<TAG>{"name":"f","arguments":{"x":1}}  Let me wait."#, &[F], "Let me wait.", &[(Repaired, "not closed")]),
    (
        r#"<TAG>{"name":"f","arguments":{"x":1}}<TAG>{"name":"g","arguments":{}}</TAG>"#,
        &[F, G],
        "",
        &[(Repaired, "not closed")],
    ),
    (
        r#"<TAG>[{"name":"f","arguments":{"x":1}},{"name":"g","arguments":{}}]</TAG>"#,
        &[F, G],
        "",
        &[(Repaired, "a list of 2"), (Repaired, "read g in spite of a list of 2")],
    ),
    (
        "<TAG>{\"name\":\"f\",\"arguments\":{\"x\":1}}\n{\"name\":\"g\",\"arguments\":{}}</TAG>",
        &[F, G],
        "",
        &[(Repaired, "2 objects in one tag"), (Repaired, "2 objects in one tag")],
    ),
    (
        r#"<TAG>{"name":"f","arguments":{"x":1}}, {"name":"g","arguments":{}}</TAG>"#,
        &[F, G],
        "",
        &[(Repaired, "2 objects"), (Repaired, "2 objects")],
    ),
    (
        "<TAG>\n```json\n{\"name\":\"f\",\"arguments\":{\"x\":1}}\n```\n</TAG>",
        &[F],
        "",
        &[(Repaired, "a code fence inside the tag")],
    ),
    (r#"<TAG>{"name":"f","arguments":{"x":1,},}</TAG>"#, &[F], "", &[(Repaired, "a trailing comma")]),
    (r#"<TAG>{'name':'f','arguments':{'x':1}}</TAG>"#, &[F], "", &[(Repaired, "single quotes")]),
    (
        r#"<TAG>{"name":"f","arguments":{"x":True,"y":None}}</TAG>"#,
        &[r#"f({"x":true,"y":null})"#],
        "",
        &[(Repaired, "Python's")],
    ),
    (r#"<TAG>{"name":"f","arguments":"{\"x\":1}"}</TAG>"#, &[F], "", &[(Repaired, "given as JSON text")]),
    (
        r#"<TAG>{"name":"f","arguments":"{'x':1}"}</TAG>"#,
        &[F],
        "",
        &[(Repaired, "given as JSON text, strings in single")],
    ),
    (r#"<TAG>{"name":"f","args":{"x":1}}</TAG>"#, &[F], "", &[(Repaired, "args for arguments")]),
    (
        r#"<TAG>{"function":"f","parameters":{"x":1}}</TAG>"#,
        &[F],
        "",
        &[(Repaired, "function for name, parameters for")],
    ),
    (r#"<TAG>{"tool":"f","arguments":{"x":1}}</TAG>"#, &[F], "", &[(Repaired, "tool for name")]),
    (r#"<TAG>{"name":"f","args":{"x":2},"arguments":{"x":1}}</TAG>"#, &[F], "", &[]),
    (r#"<TAG>{"name":"g","args":{"x":2},"arguments":{}}</TAG>"#, &[G], "", &[]),
    (
        r#"<TAG>{"type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}</TAG>"#,
        &[F],
        "",
        &[(Repaired, "inside a function object")],
    ),
    (
        "I call:\n```xml\n<TAG>{\"name\":\"f\",\"arguments\":{\"x\":1}}</TAG>\n```\nDone.",
        &[F],
        "I call:\n\nDone.",
        &[(Repaired, "code marks")],
    ),
    (r#"`<TAG>{"name":"f","arguments":{"x":1}}</TAG>`"#, &[F], "", &[(Repaired, "code marks")]),
    // reported
    (
        r#"<TAG>{"name":"f","arguments":{"x":1}</TAG>x"#,
        &[],
        "x",
        &[(ParseError, r#"{"name":"f","arguments":{"x":1}</TAG>"#)],
    ),
    (r#"<TAG>{"name":"f","arguments":{"x":1}}}</TAG>"#, &[], "", &[(ParseError, "more than JSON")]),
    (r#"<TAG>{"name":"f","argum"#, &[], "", &[(ParseError, "a string is not closed")]),
    ("<TAG>f(x=1)</TAG>", &[], "", &[(ParseError, "no JSON object")]),
    ("<TAG></TAG>", &[], "", &[(ParseError, "holds nothing")]),
    ("<TAG>[]</TAG>", &[], "", &[(ParseError, "the list is empty")]),
    ("<TAG>[7]</TAG>", &[], "", &[(ParseError, "a number is no object")]),
    (r#"<TAG>{"arguments":{"x":1}}</TAG>"#, &[], "", &[(ParseError, "has no name")]),
    (r#"<TAG>{"name":" ","arguments":{}}</TAG>"#, &[], "", &[(ParseError, "name is empty")]),
    (r#"<TAG>{"name":7}</TAG>"#, &[], "", &[(ParseError, "name is a number")]),
    (r#"<TAG>{"name":"f","arguments":[1]}</TAG>"#, &[], "", &[(ParseError, "arguments are a list, not an object")]),
    (r#"<TAG>{"name":"f","args":5}</TAG>"#, &[], "", &[(ParseError, "args are a number")]),
    (r#"<TAG>{"name":"f","arguments":"x=1"}</TAG>"#, &[], "", &[(ParseError, "text that is no JSON")]),
    (r#"<TAG>{"name":"f","arguments":"[1]"}</TAG>"#, &[], "", &[(ParseError, "a list given as text")]),
    (
        r#"<TAG>[{"name":"f","arguments":{"x":1}},{"arguments":{}}]</TAG>"#,
        &[F],
        "",
        &[(Repaired, "a list of 2"), (ParseError, "has no name")],
    ),
    (r#"<TAG>{"name":"f"</TAG><TAG>{"name":"g"}</TAG>"#, &[G], "", &[(ParseError, "a comma or } should stand at: </")]),
    ("So </TAG> there.", &[], "So  there.", &[(ParseError, "closes nothing")]),
    ("Use the `<TAG>` tag.", &[], "Use the `<TAG>` tag.", &[]),
    // thoughts
    (
        r#"<think>I do <TAG>{"name":"g"}</TAG></think><TAG>{"name":"f","arguments":{"x":1}}</TAG>"#,
        &[F],
        "",
        &[(InThought, "does not count")],
    ),
    (r#"So. <think>now <TAG>{"name":"g"}</TAG> and"#, &[], "So.", &[(InThought, r#"{"name":"g"}"#)]),
    ("<THINK>a</think>b<think>c</think>d", &[], "bd", &[]),
    // bare JSON
    (
        r#"I call {"name": "f", "parameters": {"x": 1}}"#,
        &[],
        r#"I call {"name": "f", "parameters": {"x": 1}}"#,
        &[(OtherForm, "f as bare JSON")],
    ),
    (r#"{"name": "Ada", "parameters": {}}"#, &[], r#"{"name": "Ada", "parameters": {}}"#, &[]),
];

#[test]
fn every_row_gives_its_calls_text_and_notes_under_each_tagged_harness() {
    for harness in TAGGED {
        for (content, calls, text, notes) in ROWS {
            let (content, text) = (tagged(harness, content), tagged(harness, text));
            let parsed = harness::parse(harness, &sample(&content), &tools());

            let calls: Vec<String> = calls.iter().map(|call| tagged(harness, call)).collect();
            assert_eq!((called(&parsed.calls), parsed.text.as_str()), (calls, text.as_str()), "{harness}: {content}");
            let wanted: Vec<NoteKind> = notes.iter().map(|(kind, _)| *kind).collect();
            assert_eq!(kinds(&parsed), wanted, "{harness}: {content}\n{:?}", parsed.notes);
            for (note, (_, words)) in parsed.notes.iter().zip(*notes) {
                assert!(note.text.contains(&tagged(harness, words)), "{harness}: {content}\n{}", note.text);
            }
        }
    }
}

#[test]
fn tags_are_read_in_any_case() {
    for harness in TAGGED {
        let content = tagged(harness, "<TAG>").to_uppercase() + r#"{"name":"f","arguments":{"x":1}}"# + "</Tool_Call>";
        let content = if harness == Qwen { content.replace("Tool_Call", "Function_Call") } else { content };
        let parsed = harness::parse(harness, &sample(&content), &tools());
        assert_eq!((called(&parsed.calls), parsed.notes.len()), (vec![F.to_owned()], 0), "{content}");
    }
}

#[test]
fn the_other_familys_tag_is_told_and_not_executed() {
    for (harness, other, readers) in
        [(Hermes, "function_call", "qwen"), (Pi, "function_call", "qwen"), (Qwen, "tool_call", "hermes and pi")]
    {
        let content = format!("<{other}>{{\"name\":\"f\",\"arguments\":{{}}}}</{other}>");
        let parsed = harness::parse(harness, &sample(&content), &tools());

        assert_eq!((parsed.calls.len(), parsed.text.as_str(), kinds(&parsed)), (0, content.as_str(), vec![OtherForm]));
        let note = &parsed.notes[0].text;
        assert!(note.contains(other) && note.contains(readers), "{note}");
    }
}

#[test]
fn q69_a_call_in_the_servers_reasoning_does_not_count() {
    for harness in HarnessId::ALL {
        let mut sample = sample("No.");
        sample.reasoning = r#"maybe <tool_call>{"name":"f","arguments":{}}</tool_call>"#.into();
        let parsed = harness::parse(*harness, &sample, &tools());
        assert_eq!(
            (parsed.calls.len(), parsed.text.as_str(), kinds(&parsed)),
            (0, "No.", vec![InThought]),
            "{harness}"
        );
    }
}

#[test]
fn a_native_call_counts_once_whether_or_not_the_text_has_it_too() {
    for harness in TAGGED {
        let in_text = super::written(harness, r#"{"name":"f","arguments":{"x":1}}"#);
        let f = || native("f", &json!({"x": 1}));
        for (content, natives, calls, notes) in [
            ("", vec![f()], vec![F], vec![ServerParsed]),
            (in_text.as_str(), vec![f()], vec![F], vec![]),
            (in_text.as_str(), vec![f(), f()], vec![F, F], vec![ServerParsed]),
            (in_text.as_str(), vec![f(), native("g", &json!({}))], vec![F, G], vec![ServerParsed]),
            ("", vec![native("f", &json!([1]))], vec![], vec![ParseError]),
            ("", vec![native("", &json!({}))], vec![], vec![ParseError]),
        ] {
            let mut sample = sample(content);
            sample.tool_calls = natives;
            let parsed = harness::parse(harness, &sample, &tools());
            let calls: Vec<String> = calls.into_iter().map(str::to_owned).collect();
            assert_eq!((called(&parsed.calls), kinds(&parsed)), (calls, notes), "{harness}: {content}");
        }
    }
}

#[test]
fn q69_raw_rescues_no_call_and_names_who_would_have_read_it() {
    for (content, words) in [
        (r#"<tool_call>{"name":"f","arguments":{}}</tool_call>"#, "hermes and pi"),
        (r#"<function_call>{"name":"f","arguments":{}}</function_call>"#, "qwen"),
        (r#"<tool_call>{"name":"f","arguments":{}"#, "hermes and pi would have tried"),
        ("```json\n{\"name\": \"f\", \"arguments\": {\"x\": 1}}\n```", "bare JSON"),
    ] {
        let parsed = harness::parse(Raw, &sample(content), &tools());

        assert_eq!((parsed.calls.len(), parsed.text.as_str(), kinds(&parsed)), (0, content, vec![NoNativeCall]));
        assert!(parsed.notes[0].text.contains(words), "{}", parsed.notes[0].text);

        let parsed = harness::parse(Raw, &sample(content), &[]);
        assert!(parsed.notes.is_empty(), "without tools nothing was to be called");
    }
    let mut both = sample(r#"<tool_call>{"name":"f","arguments":{"x":1}}</tool_call>"#);
    both.tool_calls = vec![native("f", &json!({"x": 1}))];
    assert!(harness::parse(Raw, &both, &tools()).notes.is_empty(), "the server read what it left in the text");
}

#[test]
fn without_tools_only_pi_reads_thoughts() {
    let content = r#"a <think>b</think> <tool_call>{"name":"f"}</tool_call>"#;
    for harness in [Raw, Hermes, Qwen] {
        assert_eq!(harness::parse(harness, &sample(content), &[]).text, content, "{harness}");
    }
    let parsed = harness::parse(Pi, &sample(content), &[]);
    assert_eq!(parsed.text, r#"a  <tool_call>{"name":"f"}</tool_call>"#);
    assert!(parsed.calls.is_empty() && parsed.notes.is_empty());
}
