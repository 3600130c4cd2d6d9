//! Any text can be read, and what a harness renders it reads again.

use benchloop::{
    domain::id::HarnessId,
    engine::{
        harness::{self, Rendered},
        suite::{ExampleCall, Turn},
    },
};
use proptest::prelude::*;
use serde_json::Value;

use super::{sample, tools};

/// Texts that are likely to confuse a reader of tags and JSON.
fn confusing() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "<tool_call>",
        "<tool_call>{\"name\":\"f\"}</tool_call>",
        "<function_call>{\"name\":\"f\"}</function_call>",
        "```\n<tool_call>{\"name\":\"g\"}</tool_call>\n",
        "</tool_call>",
        "<function_call>",
        "</function_call >",
        "<Tool_Call a=\"",
        "<think>",
        "</think>",
        "<thinking>",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "`",
        "```",
        "```json\n",
        ",",
        ":",
        "\\",
        "\n",
        " ",
        "name",
        "\"name\":\"f\"",
        "\"arguments\":{",
        "{\"name\":\"f\",\"arguments\":{}}",
        "True",
        "1e999",
        "-",
        "é",
        "日",
        "\u{0}",
        "\u{feff}",
        "“",
        "<",
        ">",
        "/",
        "f",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

fn json() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        confusing().prop_map(Value::from),
    ];
    plain.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,6}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn turn() -> impl Strategy<Value = Turn> {
    // tags and code marks in an example's own text would be read as what they are
    let text = "[^<`]{0,40}".prop_map(|text| text.trim().to_owned());
    let arguments = prop::collection::btree_map("[a-z_]{1,6}", json(), 0..4);
    let call = ("[a-z_.]{1,8}", arguments)
        .prop_map(|(name, fields)| ExampleCall { name, arguments: Value::Object(fields.into_iter().collect()) });
    (text, prop::collection::vec(call, 0..4)).prop_map(|(text, calls)| Turn { text, calls })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_text_is_unreadable(text in prop_oneof![any::<String>(), confusing()], reasoning in confusing()) {
        for harness in HarnessId::ALL {
            let mut sample = sample(&text);
            sample.reasoning.clone_from(&reasoning);
            for tools in [tools(), Vec::new()] {
                let parsed = harness::parse(*harness, &sample, &tools);
                let all_named = parsed.calls.iter().all(|call| {
                    !call.name.trim().is_empty() && call.arguments.as_ref().is_some_and(Value::is_object)
                });
                prop_assert!(all_named, "{harness}: {:?}", parsed.calls);
                let results = vec!["{}".to_owned(); parsed.calls.len()];
                let replied = harness::reply(*harness, &sample, &parsed, &results);
                prop_assert_eq!(replied.len(), if *harness == HarnessId::Raw { 1 } else { 2 });
            }
        }
    }

    #[test]
    fn what_is_rendered_is_read_again(turn in turn()) {
        for harness in HarnessId::ALL {
            let Rendered { content, calls } = harness::render(*harness, &turn);
            let mut sample = sample(&content);
            sample.tool_calls = calls;
            let parsed = harness::parse(*harness, &sample, &tools());

            prop_assert_eq!(parsed.text.trim(), turn.text.as_str(), "{}", harness);
            let read: Vec<(&str, &Value)> =
                parsed.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_ref().unwrap())).collect();
            let wanted: Vec<(&str, &Value)> =
                turn.calls.iter().map(|call| (call.name.as_str(), &call.arguments)).collect();
            prop_assert_eq!(read, wanted, "{}: {}", harness, content);
            prop_assert!(parsed.notes.is_empty(), "{}: {:?}", harness, parsed.notes);
        }
    }
}
