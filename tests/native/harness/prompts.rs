//! What each harness sends: the first prompt, and the messages after a turn with calls.

use std::collections::BTreeSet;

use benchloop::{
    domain::{
        id::HarnessId::{self, *},
        transcript::Role,
    },
    engine::{harness, suite},
};
use serde_json::{Value, json};

use super::{TAGGED, native, roles, sample, task, tools, written};

#[test]
fn tools_are_lines_of_one_system_message_and_never_native() {
    for (harness, tag) in [(Hermes, "<tool_call>"), (Qwen, "<function_call>"), (Pi, "<tool_call>")] {
        let prepared = harness::prepare(harness, &task(true));

        let (system, user) = (&prepared.messages[0], &prepared.messages[1]);
        assert_eq!((system.role, user.role, prepared.messages.len()), (Role::System, Role::User, 2));
        assert!(prepared.tools.is_empty() && system.text.contains(tag), "{harness}");
        let line =
            "\n{\"name\":\"f\",\"description\":\"Größe\",\"parameters\":{\"type\":\"object\"}}\n{\"name\":\"g\",";
        assert!(system.text.contains(line), "{}", system.text);
        assert!(system.text.ends_with("\n\nBe brief.") && !system.text.contains("{tools}"), "{}", system.text);
        assert_eq!(system.text.contains("</think>"), harness == Pi);
    }
}

#[test]
fn raw_changes_nothing_and_hermes_and_qwen_nothing_without_tools() {
    for (harness, with_tools) in [(Raw, true), (Raw, false), (Hermes, false), (Qwen, false)] {
        let task = task(with_tools);
        let prepared = harness::prepare(harness, &task);
        assert_eq!((prepared.messages, prepared.tools), (task.messages, task.tools), "{harness}");
    }
}

#[test]
fn pi_asks_for_thoughts_in_every_task() {
    let prepared = harness::prepare(Pi, &task(false));

    assert!(
        prepared.messages[0].text.contains("<think></think>") && prepared.messages[0].text.ends_with("\n\nBe brief.")
    );
    assert!(!prepared.messages[0].text.contains("tool"), "{}", prepared.messages[0].text);
}

#[test]
fn a_prompt_tells_which_harness_wrote_it() {
    for (harness, with_tools, expected) in [
        (Raw, true, Raw),
        (Hermes, true, Hermes),
        (Qwen, true, Qwen),
        (Pi, true, Pi),
        (Pi, false, Pi),
        (Hermes, false, Raw),
        (Qwen, false, Raw),
    ] {
        let prepared = harness::prepare(harness, &task(with_tools));
        let prompt: String = prepared.messages.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(harness::asked_by(&prompt), expected, "{harness}");
    }
}

#[test]
fn the_four_harnesses_have_four_run_digests() {
    let suites = suite::load().unwrap();
    let tasks: Vec<_> = suites.all().flat_map(|suite| &suite.tasks).collect();
    let digests: BTreeSet<String> = HarnessId::ALL.iter().map(|harness| suites.run_digest(&tasks, *harness)).collect();
    assert_eq!(digests.len(), 4);
}

#[test]
fn no_role_speaks_twice_in_a_row() {
    for harness in TAGGED {
        let roles = roles(harness, 3);
        assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "{harness}: {roles:?}");
        assert!(!roles.contains(&Role::Tool), "{harness}");
    }
}

#[test]
fn the_models_own_words_and_all_results_go_back_as_text() {
    for (harness, response) in [(Hermes, "tool_response"), (Qwen, "function_response"), (Pi, "tool_response")] {
        let calls =
            written(harness, r#"{"name": "f", "arguments": {"x": "1"}}"#) + "\n" + &written(harness, r#"{"name":"g"}"#);
        let sample = sample(&format!("Now.\n<think>hm</think>{calls}"));
        let parsed = harness::parse(harness, &sample, &tools());

        let messages = harness::reply(harness, &sample, &parsed, &["{\"a\":1}".into(), "not \"JSON\"".into()]);

        let [said, results] = messages.as_slice() else { panic!("{messages:?}") };
        assert_eq!((said.role, said.text.as_str()), (Role::Assistant, format!("Now.\n{calls}").as_str()), "{harness}");
        assert!(said.calls.is_empty());
        let expected = format!(
            "<{response}>\n{{\"name\": \"f\", \"content\": {{\"a\":1}}}}\n</{response}>\n<{response}>\n{{\"name\": \"g\", \
             \"content\": \"not \\\"JSON\\\"\"}}\n</{response}>"
        );
        assert_eq!((results.role, results.text.as_str()), (Role::User, expected.as_str()), "{harness}");
    }
}

#[test]
fn a_call_that_the_server_took_out_of_the_text_goes_back_in_tags() {
    for harness in TAGGED {
        let mut sample = sample("Looking.");
        sample.tool_calls = vec![native("f", &json!({"x": "1"}))];
        let parsed = harness::parse(harness, &sample, &tools());
        let messages = harness::reply(harness, &sample, &parsed, &["{}".into()]);

        let block = messages[0].text.strip_prefix("Looking.\n").unwrap();
        let again = harness::parse(harness, &super::sample(block), &tools());
        assert_eq!(super::called(&again.calls), [r#"f({"x":"1"})"#]);
        assert!(again.notes.is_empty(), "{:?}", again.notes);
    }
}

#[test]
fn raw_keeps_the_native_shapes() {
    let mut sample = sample("Looking.");
    sample.tool_calls = vec![native("f", &json!({})), native("g", &Value::Null)];
    let parsed = harness::parse(Raw, &sample, &tools());
    let messages = harness::reply(Raw, &sample, &parsed, &["1".into(), "2".into()]);
    let roles: Vec<_> = messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::Assistant, Role::Tool, Role::Tool]);
    assert_eq!((messages[0].calls.len(), messages[2].tool.as_deref()), (2, Some("g")));
}
