//! The worlds of agent tasks: what each tool does, what it refuses, and that no call breaks them or changes half of them.

mod tables;

use std::sync::LazyLock;

use benchloop::{
    domain::{id::SuiteId, transcript::ToolCall},
    engine::{
        sim::{
            Running, Simulation,
            world::{World, WorldStart, all_tools},
        },
        suite::{self, Task},
    },
};
use proptest::prelude::*;
use serde_json::{Value, json};

use self::tables::{FAILS, Make, WORKS, depot, desk, diary, shop, store};

fn start(value: Value) -> WorldStart {
    let start: WorldStart = serde_json::from_value(value).unwrap();
    start.validate(&start.tools()).unwrap();
    start
}

/// Makes the calls one after the other; the last result.
fn play(world: &mut World, calls: &[(&str, Value)]) -> Value {
    let results = calls.iter().map(|(tool, arguments)| serde_json::from_str(&world.call(tool, arguments)).unwrap());
    results.last().unwrap()
}

#[test]
fn every_tool_does_what_it_says() {
    let mut used = Vec::new();
    for (world, calls, pointer, expected, effects) in WORKS {
        let mut world = start(world()).begin();
        let calls: Vec<(&str, Value)> =
            calls.iter().map(|(tool, arguments)| (*tool, serde_json::from_str(arguments).unwrap())).collect();
        let result = play(&mut world, &calls);
        let both = json!({ "result": result, "state": world.state() });
        let expected: Value = serde_json::from_str(expected).unwrap();
        assert_eq!(both.pointer(pointer).unwrap_or(&Value::Null), &expected, "{calls:?}\n{both:#}");
        let tools: Vec<&str> = world.effects().iter().map(|effect| effect.tool.as_str()).collect();
        assert_eq!(tools.join(" "), *effects, "{calls:?}");
        used.extend(calls.into_iter().map(|(tool, _)| tool));
    }
    for world in [shop, diary, store, depot, desk] {
        for tool in all_tools(start(world()).kind) {
            assert!(used.contains(&tool.name.as_str()), "{} is never called", tool.name);
        }
    }
}

#[test]
fn a_call_that_fails_says_why_and_changes_nothing() {
    for (world, tool, arguments, expected) in FAILS {
        let mut world = start(world()).begin();
        let before = world.clone();
        let result = play(&mut world, &[(tool, serde_json::from_str(arguments).unwrap())]);
        let error = result["error"].as_str().unwrap_or_default();
        assert!(error.contains(expected), "{tool} {arguments}: {result}");
        assert_eq!((world.state(), world.effects()), (before.state(), before.effects()));
    }
}

#[test]
fn a_fault_comes_once_and_waits_for_valid_arguments() {
    let mut value = shop();
    value["faults"] = json!([{ "tool": "cancel_order", "on_call": 1, "error": "busy, try again" }]);
    let mut world = start(value).begin();
    let mut cancel = |arguments: Value| play(&mut world, &[("cancel_order", arguments)]);
    assert!(cancel(json!({}))["error"].as_str().unwrap().contains("required"));
    assert_eq!(cancel(json!({ "order_id": "SO-8" }))["error"], "busy, try again");
    assert_eq!(cancel(json!({ "order_id": "SO-8" }))["status"], "cancelled");
}

#[test]
fn a_tool_that_is_not_offered_does_not_work() {
    let mut value = desk();
    value["tools"] = json!(["get_ticket"]);
    let mut world = start(value).begin();
    let result = play(&mut world, &[("close_ticket", json!({ "ticket_id": "T-1", "resolution": "solved" }))]);
    assert_eq!(result["error"], "there is no tool named close_ticket; there are get_ticket");
}

#[test]
fn a_broken_world_names_the_entry() {
    let cases: [(Make, &str, Value, &str, &str); 12] = [
        (shop, "/tools", json!(["fly"]), "world.tools[0]", "\"fly\" is no tool of this world"),
        (shop, "/tools", json!(["get_order", "get_order"]), "world.tools[1]", "there twice"),
        (shop, "/faults", json!([{ "tool": "fly", "on_call": 1, "error": "x" }]), "world.faults[0].tool", "is no tool"),
        (
            shop,
            "/faults",
            json!([{ "tool": "get_order", "on_call": 0, "error": "x" }]),
            "world.faults[0].on_call",
            "from 1",
        ),
        (shop, "/state/colour", json!(1), "world.state.colour", "unknown field `colour`"),
        (shop, "/state/orders/SO-8/status", json!("lost"), "world.state.orders.SO-8", "unknown variant `lost`"),
        (shop, "/state/orders/SO-8/customer", json!("C-2"), "world.state.orders.SO-8.customer", "is no customer"),
        (diary, "/state/events/ev-5/start", json!("10"), "world.state.events.ev-5", "is no time of day"),
        (diary, "/state/events/ev-5/attendees", json!(["p-9"]), "world.state.events.ev-5", "there is no person"),
        (
            store,
            "/state/files/ ",
            json!({ "text": "", "owner": "", "modified": "" }),
            "world.state.files. ",
            "is no path",
        ),
        (depot, "/state/stock/W-1/BX/reserved", json!(10), "world.state.stock.W-1.BX", "reserved"),
        (desk, "/state/tickets/T-2/resolution", Value::Null, "world.state.tickets.T-2.resolution", "closed tickets"),
    ];
    for (world, place, value, field, why) in cases {
        let mut whole = world();
        let (parent, key) = place.rsplit_once('/').unwrap();
        whole.pointer_mut(parent).unwrap()[key] = value;
        let start: WorldStart = serde_json::from_value(whole).unwrap();
        let (found, said) = start.validate(&start.tools()).unwrap_err();
        assert!(found == field && said.contains(why), "{place}: {found}: {said}");
    }
}

/// Ids, texts and numbers that stand in a state, and some that don't.
fn words(value: &Value, out: &mut Vec<Value>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| {
            out.push(key.as_str().into());
            words(value, out);
        }),
        Value::Array(items) => items.iter().for_each(|item| words(item, out)),
        plain => out.push(plain.clone()),
    }
}

/// Arguments a tool may get: each property left out, taken from the state, or nonsense.
fn arguments(schema: &Value, pool: &[Value], picks: &[usize]) -> Value {
    const ODD: [&str; 12] = [
        "",
        " ",
        "é\u{301}\n",
        "../x",
        "2026-02-30",
        "24:00",
        "true",
        "0",
        "SO-99999999999999999999",
        "x/y",
        "~",
        "10:00",
    ];
    let mut picks = picks.iter().copied().cycle();
    let mut pick = move || picks.next().unwrap_or(0);
    let properties = schema["properties"].as_object().into_iter().flatten();
    let mut made = serde_json::Map::new();
    for (name, property) in properties {
        let known = |choice: usize| pool.get(choice % pool.len().max(1)).cloned().unwrap_or(Value::Null);
        let value = match (pick() % 9, property["type"].as_str(), property["enum"].as_array()) {
            (0, ..) if !schema["required"].as_array().unwrap().contains(&json!(name)) => continue,
            (1, ..) => known(pick()),
            (2, ..) => json!(ODD[pick() % ODD.len()]),
            (3, ..) => json!(pick() as f64 * 1e300),
            (4, ..) => json!([known(pick()), null]),
            (_, _, Some(words)) => words[pick() % words.len()].clone(),
            (_, Some("integer"), _) => json!(pick() % 50 + 1),
            (_, Some("number"), _) => json!((pick() % 9000) as f64 / 100.0),
            (_, Some("boolean"), _) => json!(pick() % 2 == 0),
            (_, Some("array"), _) => json!([known(pick()), known(pick())]),
            _ => known(pick()),
        };
        made.insert(name.clone(), value);
    }
    Value::Object(made)
}

static TASKS: LazyLock<Vec<Task>> =
    LazyLock::new(|| suite::load().unwrap().suite(SuiteId::Agent).unwrap().tasks.clone());

fn world<'a>(running: &'a Running<'_>) -> &'a World {
    match running {
        Running::World(world) => world,
        Running::Replies(_) => panic!("no world"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_call_breaks_a_world_and_the_same_calls_leave_the_same_state(
        task in 0_usize..100,
        calls in prop::collection::vec((any::<usize>(), prop::collection::vec(any::<usize>(), 1..12)), 1..25),
    ) {
        let task = &TASKS[task % TASKS.len()];
        let simulation = task.simulation.as_ref().unwrap();
        let Simulation::World(begin) = simulation else { panic!("{} has no world", task.id) };
        let mut pool = Vec::new();
        words(&begin.state, &mut pool);
        let tools = all_tools(begin.kind);
        let mut running = simulation.start();
        let mut made = Vec::new();
        for (tool, picks) in calls {
            let tool = &tools[tool % tools.len()];
            let arguments = arguments(&tool.parameters, &pool, &picks);
            let before = world(&running).clone();
            let arguments_raw = arguments.to_string();
            let call = ToolCall { id: None, name: tool.name.clone(), arguments: Some(arguments), arguments_raw };
            let result = running.call(&task.tools, &call);
            let read: Value = serde_json::from_str(&result).unwrap();
            let after = world(&running);
            let changed = after.state() != before.state();
            prop_assert!(!(changed && read.get("error").is_some()), "{call:?} failed and changed the state");
            prop_assert_eq!(after.effects().len() - before.effects().len(), usize::from(changed));
            made.push((call, result));
        }
        let mut again = simulation.start();
        for (call, result) in &made {
            prop_assert_eq!(&again.call(&task.tools, call), result);
        }
        prop_assert_eq!(world(&again), world(&running));
    }

    #[test]
    fn no_json_at_all_breaks_a_world(text in ".{0,60}", tool in any::<usize>(), kind in 0_usize..5) {
        let mut world = start([shop, diary, store, depot, desk][kind]()).begin();
        let tools = all_tools(start([shop, diary, store, depot, desk][kind]()).kind);
        let before = world.state();
        for value in [json!(text), json!([text]), json!({ text.as_str(): text }), serde_json::from_str(&text).unwrap_or(Value::Null)] {
            world.call(&tools[tool % tools.len()].name, &value);
            world.call(&text, &value);
        }
        prop_assert_eq!(world.state(), before);
    }
}
