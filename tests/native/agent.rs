//! How trials in worlds are judged: junk earns nothing, only what was done counts, and the reasons say what went wrong.

use benchloop::{
    domain::{id::SuiteId, verdict::Verdict},
    engine::{
        check::Said,
        grade::grade,
        python::Python,
        suite::{self, ExampleCall, Suites, Task, Turn, parse_task},
    },
};
use serde_json::json;

fn suites() -> Suites {
    suite::load().unwrap()
}

fn tasks(suites: &Suites) -> &[Task] {
    &suites.suite(SuiteId::Agent).unwrap().tasks
}

async fn verdict(task: &Task, turns: &[Turn]) -> Verdict {
    let said: Vec<Said> = turns.iter().map(Turn::said).collect();
    grade(task, &said, false, &Python::unavailable()).await.unwrap()
}

fn text(text: &str) -> Turn {
    Turn { text: text.to_owned(), calls: Vec::new() }
}

/// A turn that calls every tool with nothing.
fn every_tool(task: &Task) -> Turn {
    let calls = task.tools.iter().map(|tool| ExampleCall { name: tool.name.clone(), arguments: json!({}) });
    Turn { text: String::new(), calls: calls.collect() }
}

#[tokio::test]
async fn who_does_nothing_earns_nothing_whatever_is_said() {
    let suites = suites();
    let everything: Vec<&str> =
        tasks(&suites).iter().flat_map(|task| &task.accept).map(|example| example.answer()).collect();
    let everything = everything.join("\n\n");
    for task in tasks(&suites) {
        let prompt = task.prompt();
        let own: Vec<&str> = task.accept.iter().map(|example| example.answer()).collect();
        let said = [
            "",
            "I'm sorry, but I can't help with that.",
            "Done!",
            "Done! I have taken care of everything you asked for.",
            "This is not possible.",
            prompt.as_str(),
            everything.as_str(),
        ];
        for said in said.iter().chain(&own) {
            for turns in [
                vec![text(said)],
                vec![every_tool(task), text(said)],
                vec![every_tool(task), every_tool(task), text(said)],
            ] {
                let verdict = verdict(task, &turns).await;
                assert_eq!(verdict.score, 0.0, "{}: {said:?} after {} turns: {verdict:#?}", task.id, turns.len());
            }
        }
    }
}

#[tokio::test]
async fn the_work_of_another_task_earns_nothing() {
    let suites = suites();
    for task in tasks(&suites) {
        for other in tasks(&suites).iter().filter(|other| other.id != task.id) {
            for example in &other.accept {
                let verdict = verdict(task, &example.turns).await;
                assert_eq!(verdict.score, 0.0, "{} for {}: {verdict:#?}", other.id, task.id);
            }
        }
    }
}

#[tokio::test]
async fn work_without_a_message_is_worth_something_and_no_pass() {
    let suites = suites();
    for task in tasks(&suites) {
        for example in &task.accept {
            let (last, work) = example.turns.split_last().unwrap();
            assert!(last.calls.is_empty(), "{}", task.id);
            let turns = [work, &[text("")]].concat();
            let verdict = verdict(task, &turns).await;
            assert!(!verdict.passed && verdict.score < 0.9, "{}: {verdict:#?}", task.id);
        }
    }
}

#[tokio::test]
async fn calls_of_the_last_turn_are_never_made() {
    let suites = suites();
    let task = suites.task(SuiteId::Agent, "broken-kettle").unwrap();
    let turns = &task.accept[0].turns[..2];
    let verdict = verdict(task, turns).await;
    assert_eq!(verdict.score, 0.0);
    let why = |name: &str| verdict.parts.iter().find(|part| part.name == name).unwrap().why.clone();
    assert!(why("the order is paid back").contains("is `delivered`, not `refunded`"), "{verdict:#?}");
    assert!(why("the order is paid back").contains("in the last turn, too late"), "{verdict:#?}");
    assert!(why("message").contains("no final message"), "{verdict:#?}");
}

#[tokio::test]
async fn half_the_changes_earn_half_of_what_rests_on_them() {
    let suites = suites();
    let task = suites.task(SuiteId::Agent, "hand-over-ticket").unwrap();
    let priority =
        ExampleCall { name: "set_priority".into(), arguments: json!({ "ticket_id": "T-314", "priority": "high" }) };
    let turns =
        [Turn { text: String::new(), calls: vec![priority] }, text("T-314 has high priority, Ines Okafor has it.")];
    let verdict = verdict(task, &turns).await;
    let scores: Vec<f64> = verdict.parts.iter().map(|part| part.score).collect();
    assert_eq!(scores, [1.0, 0.0, 0.5, 0.5, 1.0], "{verdict:#?}");
    assert!(verdict.parts[2].why.contains("counts for 1 of 2 required changes"), "{verdict:#?}");
}

#[tokio::test]
async fn turns_beyond_the_free_ones_cost_a_little() {
    let suites = suites();
    let task = suites.task(SuiteId::Agent, "broken-kettle").unwrap();
    let turns = &task.accept[0].turns;
    let look = turns[0].clone();
    let mut scores = Vec::new();
    for more in 0..=4 {
        let slow: Vec<Turn> = std::iter::repeat_n(look.clone(), more).chain(turns.iter().cloned()).collect();
        let verdict = verdict(task, &slow).await;
        assert!(verdict.passed);
        scores.push((verdict.score * 1000.0).round());
    }
    // 4 turns are free, 7 are allowed
    assert_eq!(scores, [1000.0, 1000.0, 967.0, 933.0, 900.0]);
}

#[tokio::test]
async fn reasons_name_calls_that_failed_and_what_else_changed() {
    let suites = suites();
    let task = suites.task(SuiteId::Agent, "elbows-uphill").unwrap();
    let verdict = verdict(task, &task.reject[0].turns).await;
    let why: Vec<&str> = verdict.parts.iter().map(|part| part.why.as_str()).collect();
    assert!(why[0].contains("is `84`, not `54`; the last call that failed was transfer_stock"), "{why:#?}");
    assert!(why.last().unwrap().contains("1 of 3 calls failed"), "{why:#?}");
}

#[test]
fn a_check_that_does_not_fit_its_world_says_what_to_do() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/agent/tasks/larger-boots.toml");
    let good = std::fs::read_to_string(path).unwrap();
    let limit = "[limits]\nanswer_tokens = 512\nturns = 13";
    for (from, to, expected) in [
        ("kind = \"orders\"", "kind = \"zoo\"", "unknown variant `zoo`"),
        (
            "tools = [\"find_customers\"",
            "tools = [\"find_client\"",
            "world.tools[0]: \"find_client\" is no tool of this world",
        ),
        (
            "sku = \"BT-42\", quantity = 1, price = 89.9",
            "sku = \"BT-42\", price = 89.9",
            "world.state.orders.SO-880: missing field `quantity`",
        ),
        (
            "arguments = { sku = \"LC-1\" }",
            "arguments = { article = \"LC-1\" }",
            "place_order has no argument \"article\"",
        ),
        (
            "tool = \"place_order\"",
            "tool = \"lose_order\"",
            "forbidden[0].tool: \"lose_order\" is no tool of this task",
        ),
        ("equals = 89.9", "equals = 89.9\nabsent = true", "state[0].equals: say one of equals"),
        ("at = \"/orders/SO-880/refunded\"", "at = \"orders\"", "state[0].at: \"orders\" is no JSON pointer"),
        ("name = \"no laces are ordered\"", "name = \"message\"", "is empty, taken or there twice"),
        ("numbers = [\"89.90\"", "numbers = [\"eighty\"", "message.numbers: \"eighty\" is no number"),
        ("may_change = [\"/products/BT-43/stock\"]", "may_change = [\"\"]", "may_change: \"\" is no JSON pointer"),
        (limit, "[limits]\nanswer_tokens = 512\nturns = 9", "turns: is 9; use 1 to below the limit of 9"),
        ("[check.world]\n", "[check.world]\ncolour = 1\n", "unknown field `colour`"),
    ] {
        assert!(good.contains(from), "{from}");
        let error = parse_task(SuiteId::Agent, "agent/tasks/larger-boots.toml", &good.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{to}\n{error}");
    }
}
