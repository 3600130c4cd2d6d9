//! The worlds of agent tasks: what each tool does, what it refuses, and that no call breaks them or changes half of them.

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

/// Makes the start of a world.
type Make = fn() -> Value;

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

fn shop() -> Value {
    json!({ "kind": "orders", "state": {
        "today": "2026-05-04",
        "customers": { "C-1": { "name": "Ada Rohn", "email": "ada@rohn.example" } },
        "products": { "LP-1": { "name": "Lamp", "price": 20.0, "stock": 2 } },
        "orders": {
            "SO-8": { "customer": "C-1", "placed": "2026-05-01", "status": "open",
                "lines": [{ "sku": "LP-1", "quantity": 1, "price": 19.99 }] },
            "SO-9": { "customer": "C-1", "placed": "2026-04-01", "delivered": "2026-04-05", "status": "delivered",
                "lines": [{ "sku": "LP-1", "quantity": 3, "price": 0.1 }] },
        },
        "policies": { "returns": "14 days" },
    }})
}

fn diary() -> Value {
    json!({ "kind": "calendar", "state": {
        "people": { "p-1": { "name": "Ada Rohn" }, "p-2": { "name": "Bo Lund", "team": "Lab" } },
        "rooms": { "r-1": { "name": "Oak", "seats": 4 } },
        "events": {
            "ev-5": { "title": "A", "date": "2026-05-04", "start": "10:00", "end": "11:00", "attendees": ["p-1"], "room": "r-1" },
            "ev-6": { "title": "B", "date": "2026-05-04", "start": "10:30", "end": "12:00", "attendees": ["p-2"] },
        },
    }})
}

fn store() -> Value {
    json!({ "kind": "files", "state": {
        "today": "2026-05-04",
        "files": {
            "notes/a.txt": { "text": "one\ntwo", "owner": "you", "modified": "2026-01-01" },
            "b.txt": { "text": "", "owner": "Bo", "modified": "2026-01-02", "shared": true },
        },
    }})
}

fn depot() -> Value {
    json!({ "kind": "inventory", "state": {
        "warehouses": { "W-1": { "name": "Oak" }, "W-2": { "name": "Elm" } },
        "products": { "BX": { "name": "Box", "supplier": "Ost", "reorder_level": 10, "pack": 6, "price": 0.35 } },
        "stock": { "W-1": { "BX": { "on_hand": 9, "reserved": 4 } } },
        "purchase_orders": { "PO-3": { "sku": "BX", "quantity": 6, "warehouse": "W-1", "status": "received" } },
    }})
}

fn desk() -> Value {
    json!({ "kind": "tickets", "state": {
        "agents": { "a-1": { "name": "Ada Rohn", "team": "lab" }, "a-2": { "name": "Bo", "team": "hall" } },
        "tickets": {
            "T-1": { "subject": "Lamp", "body": "It flickers", "requester": "Ost", "opened": "2026-05-01",
                "status": "open", "priority": "low", "assignee": "a-1" },
            "T-2": { "subject": "Door", "body": "It squeaks", "requester": "Ost", "opened": "2026-05-02",
                "status": "closed", "priority": "low", "resolution": "solved" },
        },
    }})
}

/// A table row: the world, calls in order, and what the last result and then the state must be.
type Row = (Make, &'static [(&'static str, &'static str)], &'static str, &'static str, &'static str);

/// Calls that work: the result at a pointer of `{"result", "state"}`.
const WORKS: &[Row] = &[
    (shop, &[("find_customers", r#"{"query":"ROHN"}"#)], "/result/customers/0/customer_id", r#""C-1""#, ""),
    (shop, &[("list_orders", r#"{"customer_id":"C-1"}"#)], "/result/total", "2", ""),
    (shop, &[("get_order", r#"{"order_id":"SO-9"}"#)], "/result/total", "0.3", ""),
    (shop, &[("get_product", r#"{"sku":"LP-1"}"#)], "/result/stock", "2", ""),
    (shop, &[("get_policy", "{}")], "/result/topics", r#"["returns"]"#, ""),
    (shop, &[("get_policy", r#"{"topic":"Returns"}"#)], "/result/policy", r#""14 days""#, ""),
    (
        shop,
        &[("cancel_order", r#"{"order_id":"SO-8"}"#)],
        "/state/orders/SO-8/status",
        r#""cancelled""#,
        "cancel_order",
    ),
    (
        shop,
        &[("refund_order", r#"{"order_id":"SO-9","amount":0.1}"#)],
        "/state/orders/SO-9/status",
        r#""partly_refunded""#,
        "refund_order",
    ),
    (
        shop,
        &[
            ("refund_order", r#"{"order_id":"SO-9","amount":0.1}"#),
            ("refund_order", r#"{"order_id":"SO-9","amount":0.2}"#),
        ],
        "/state/orders/SO-9",
        r#"{"address":"","customer":"C-1","delivered":"2026-04-05","lines":[{"price":0.1,"quantity":3,"sku":"LP-1"}],"placed":"2026-04-01","refunded":0.3,"status":"refunded"}"#,
        "refund_order refund_order",
    ),
    (
        shop,
        &[("change_address", r#"{"order_id":"SO-8","address":"Elm 4"}"#)],
        "/state/orders/SO-8/address",
        r#""Elm 4""#,
        "change_address",
    ),
    (
        shop,
        &[("place_order", r#"{"customer_id":"C-1","sku":"LP-1","quantity":2}"#)],
        "/state/products/LP-1/stock",
        "0",
        "place_order",
    ),
    (
        shop,
        &[("place_order", r#"{"customer_id":"C-1","sku":"LP-1","quantity":1}"#)],
        "/result/order_id",
        r#""SO-10""#,
        "place_order",
    ),
    (diary, &[("find_people", r#"{"query":"lab"}"#)], "/result/people/0/person_id", r#""p-2""#, ""),
    (
        diary,
        &[("list_events", r#"{"date":"2026-05-04","person_id":"p-2"}"#)],
        "/result/events/0/event_id",
        r#""ev-6""#,
        "",
    ),
    (diary, &[("get_event", r#"{"event_id":"ev-5"}"#)], "/result/room", r#""r-1""#, ""),
    (
        diary,
        &[("find_free_slots", r#"{"date":"2026-05-04","person_ids":["p-1","p-2"],"minutes":60}"#)],
        "/result/free",
        r#"[{"end":"10:00","start":"09:00"},{"end":"17:00","start":"12:00"}]"#,
        "",
    ),
    (
        diary,
        &[("find_free_rooms", r#"{"date":"2026-05-04","start":"11:00","end":"12:00"}"#)],
        "/result/rooms/0/room_id",
        r#""r-1""#,
        "",
    ),
    (
        diary,
        &[("find_free_rooms", r#"{"date":"2026-05-04","start":"10:59","end":"12:00"}"#)],
        "/result/rooms",
        "[]",
        "",
    ),
    (
        diary,
        &[(
            "create_event",
            r#"{"title":"C","date":"2026-05-04","start":"11:30","end":"12:30","attendees":["p-2"],"room_id":"r-1"}"#,
        )],
        "/result",
        r#"{"conflicts":["p-2 is in ev-6 (10:30 to 12:00)"],"event_id":"ev-7"}"#,
        "create_event",
    ),
    (
        diary,
        &[("move_event", r#"{"event_id":"ev-5","date":"2026-05-05","start":"08:00","end":"08:30"}"#)],
        "/state/events/ev-5/room",
        r#""r-1""#,
        "move_event",
    ),
    (diary, &[("cancel_event", r#"{"event_id":"ev-6"}"#)], "/result/cancelled", "true", "cancel_event"),
    (
        diary,
        &[("add_attendee", r#"{"event_id":"ev-6","person_id":"p-1"}"#)],
        "/state/events/ev-6/attendees",
        r#"["p-2","p-1"]"#,
        "add_attendee",
    ),
    (store, &[("list_files", "{}")], "/result/total", "2", ""),
    (store, &[("list_files", r#"{"folder":"./notes/"}"#)], "/result/files/0/path", r#""notes/a.txt""#, ""),
    (store, &[("get_file_info", r#"{"path":"/b.txt"}"#)], "/result/shared", "true", ""),
    (store, &[("read_file", r#"{"path":"notes/a.txt"}"#)], "/result/text", r#""one\ntwo""#, ""),
    (store, &[("search_files", r#"{"text":"TW"}"#)], "/result/files/0/lines", r#"["two"]"#, ""),
    (
        store,
        &[("write_file", r#"{"path":"c.txt","text":" x\n"}"#)],
        "/state/files/c.txt/text",
        r#"" x\n""#,
        "write_file",
    ),
    (
        store,
        &[("write_file", r#"{"path":"b.txt","text":"y","overwrite":true}"#)],
        "/state/files/b.txt/modified",
        r#""2026-05-04""#,
        "write_file",
    ),
    (
        store,
        &[("append_to_file", r#"{"path":"notes/a.txt","line":"three"}"#)],
        "/state/files/notes~1a.txt/text",
        r#""one\ntwo\nthree\n""#,
        "append_to_file",
    ),
    (
        store,
        &[("move_file", r#"{"path":"b.txt","to":"notes/b.txt"}"#)],
        "/state/files/notes~1b.txt/shared",
        "true",
        "move_file",
    ),
    (store, &[("copy_file", r#"{"path":"b.txt","to":"d.txt"}"#)], "/state/files/d.txt/owner", r#""you""#, "copy_file"),
    (store, &[("delete_file", r#"{"path":"b.txt"}"#)], "/result/deleted", "true", "delete_file"),
    (depot, &[("list_warehouses", "{}")], "/result/warehouses/1/warehouse_id", r#""W-2""#, ""),
    (depot, &[("find_products", r#"{"name":"box"}"#)], "/result/products/0/sku", r#""BX""#, ""),
    (depot, &[("get_product", r#"{"sku":"BX"}"#)], "/result/pack", "6", ""),
    (depot, &[("get_stock", r#"{"sku":"BX","warehouse_id":"W-1"}"#)], "/result/free", "5", ""),
    (depot, &[("list_low_stock", r#"{"warehouse_id":"W-1"}"#)], "/result/products/0/on_hand", "9", ""),
    (
        depot,
        &[("transfer_stock", r#"{"sku":"BX","from_warehouse_id":"W-1","to_warehouse_id":"W-2","quantity":5}"#)],
        "/state/stock",
        r#"{"W-1":{"BX":{"on_hand":4,"reserved":4}},"W-2":{"BX":{"on_hand":5,"reserved":0}}}"#,
        "transfer_stock",
    ),
    (
        depot,
        &[("create_purchase_order", r#"{"sku":"BX","quantity":12,"warehouse_id":"W-2"}"#)],
        "/result",
        r#"{"cost":4.2,"purchase_order_id":"PO-4","status":"open"}"#,
        "create_purchase_order",
    ),
    (depot, &[("list_purchase_orders", r#"{"warehouse_id":"W-2"}"#)], "/result/total", "0", ""),
    (
        depot,
        &[
            ("create_purchase_order", r#"{"sku":"BX","quantity":6,"warehouse_id":"W-2"}"#),
            ("cancel_purchase_order", r#"{"purchase_order_id":"PO-4"}"#),
        ],
        "/state/purchase_orders/PO-4/status",
        r#""cancelled""#,
        "create_purchase_order cancel_purchase_order",
    ),
    (desk, &[("list_tickets", r#"{"status":"closed"}"#)], "/result/tickets/0/ticket_id", r#""T-2""#, ""),
    (desk, &[("search_tickets", r#"{"text":"ost"}"#)], "/result/total", "2", ""),
    (desk, &[("get_ticket", r#"{"ticket_id":"T-1"}"#)], "/result/body", r#""It flickers""#, ""),
    (desk, &[("list_agents", r#"{"team":"Lab"}"#)], "/result/agents/0/open_tickets", "1", ""),
    (
        desk,
        &[("assign_ticket", r#"{"ticket_id":"T-1","agent_id":"a-2"}"#)],
        "/state/tickets/T-1/assignee",
        r#""a-2""#,
        "assign_ticket",
    ),
    (
        desk,
        &[("set_priority", r#"{"ticket_id":"T-1","priority":"urgent"}"#)],
        "/state/tickets/T-1/priority",
        r#""urgent""#,
        "set_priority",
    ),
    (desk, &[("set_priority", r#"{"ticket_id":"T-1","priority":"low"}"#)], "/result/priority", r#""low""#, ""),
    (
        desk,
        &[("add_comment", r#"{"ticket_id":"T-2","text":"x","public":false}"#)],
        "/state/tickets/T-2/comments/0/public",
        "false",
        "add_comment",
    ),
    (
        desk,
        &[("close_ticket", r#"{"ticket_id":"T-1","resolution":"rejected"}"#)],
        "/state/tickets/T-1/status",
        r#""closed""#,
        "close_ticket",
    ),
    (desk, &[("reopen_ticket", r#"{"ticket_id":"T-2"}"#)], "/state/tickets/T-2/resolution", "null", "reopen_ticket"),
];

/// Calls that fail: what the error says.
const FAILS: &[(Make, &str, &str, &str)] = &[
    (shop, "get_order", "{}", "\"order_id\" is a required property"),
    (shop, "get_order", r#"{"order_id":8}"#, "order_id: 8 is not of type \"string\""),
    (shop, "get_order", r#"{"order_id":"SO-8","colour":1}"#, "'colour' was unexpected"),
    (shop, "get_order", "[]", "is not of type \"object\""),
    (shop, "get_order", r#"{"order_id":"8"}"#, "there is no order \"8\"; list_orders shows the ids"),
    (shop, "list_orders", r#"{"customer_id":"C-1","page":2}"#, "there is no page 2; the list has 1"),
    (shop, "get_policy", r#"{"topic":"love"}"#, "the topics are [\"returns\"]"),
    (shop, "cancel_order", r#"{"order_id":"SO-9"}"#, "only open orders can be cancelled"),
    (shop, "refund_order", r#"{"order_id":"SO-8","amount":1}"#, "nothing was charged yet"),
    (shop, "refund_order", r#"{"order_id":"SO-9","amount":0.31}"#, "more than the 0.3 that can still be paid back"),
    (shop, "refund_order", r#"{"order_id":"SO-9","amount":0.125}"#, "at most two decimals"),
    (shop, "refund_order", r#"{"order_id":"SO-9","amount":"0.1"}"#, "amount: \"0.1\" is not of type \"number\""),
    (
        shop,
        "refund_order",
        r#"{"order_id":"SO-9","amount":-1}"#,
        "amount: -1 is less than or equal to the minimum of 0",
    ),
    (shop, "change_address", r#"{"order_id":"SO-9","address":"x"}"#, "can't be changed any more"),
    (shop, "place_order", r#"{"customer_id":"C-1","sku":"LP-1","quantity":3}"#, "only 2 of LP-1 are in stock"),
    (shop, "open_door", "{}", "there is no tool named open_door; there are find_customers"),
    (diary, "list_events", r#"{"date":"4 May"}"#, "write it like 2026-03-09"),
    (diary, "list_events", r#"{"date":"2026-02-30"}"#, "is no date"),
    (diary, "find_free_rooms", r#"{"date":"2026-05-04","start":"9:00","end":"10:00"}"#, "write it like 09:30"),
    (diary, "find_free_rooms", r#"{"date":"2026-05-04","start":"10:00","end":"10:00"}"#, "is not after"),
    (
        diary,
        "move_event",
        r#"{"event_id":"ev-6","date":"2026-05-04","start":"10:00","end":"11:00","room_id":"r-1"}"#,
        "the room r-1 is taken by ev-5 from 10:00 to 11:00",
    ),
    (
        diary,
        "create_event",
        r#"{"title":"x","date":"2026-05-04","start":"10:00","end":"11:00","attendees":[]}"#,
        "attendees",
    ),
    (
        diary,
        "create_event",
        r#"{"title":"x","date":"2026-05-04","start":"10:00","end":"11:00","attendees":["Ada"]}"#,
        "there is no person \"Ada\"",
    ),
    (diary, "add_attendee", r#"{"event_id":"ev-5","person_id":"p-1"}"#, "attends ev-5 already"),
    (store, "write_file", r#"{"path":"b.txt","text":"x"}"#, "set overwrite to true"),
    (store, "write_file", r#"{"path":"a/../b.txt","text":"x"}"#, "is no path of a file"),
    (store, "move_file", r#"{"path":"b.txt","to":"notes"}"#, "notes is a folder"),
    (store, "copy_file", r#"{"path":"b.txt","to":"notes/a.txt"}"#, "exists already"),
    (store, "list_files", r#"{"folder":"x"}"#, "there is no folder"),
    (store, "delete_file", r#"{"path":"x"}"#, "there is no file"),
    (
        depot,
        "transfer_stock",
        r#"{"sku":"BX","from_warehouse_id":"W-1","to_warehouse_id":"W-2","quantity":6}"#,
        "only 5 free pieces of BX (4 are reserved)",
    ),
    (
        depot,
        "transfer_stock",
        r#"{"sku":"BX","from_warehouse_id":"W-1","to_warehouse_id":"W-1","quantity":1}"#,
        "are the same",
    ),
    (
        depot,
        "transfer_stock",
        r#"{"sku":"BX","from_warehouse_id":"W-1","to_warehouse_id":"W-2","quantity":1.5}"#,
        "is not of type \"integer\"",
    ),
    (
        depot,
        "create_purchase_order",
        r#"{"sku":"BX","quantity":7,"warehouse_id":"W-1"}"#,
        "in packs of 6; 7 is no multiple",
    ),
    (depot, "cancel_purchase_order", r#"{"purchase_order_id":"PO-3"}"#, "only open ones"),
    (
        desk,
        "assign_ticket",
        r#"{"ticket_id":"T-2","agent_id":"a-1"}"#,
        "ticket T-2 is closed; reopen_ticket opens it again",
    ),
    (desk, "set_priority", r#"{"ticket_id":"T-1","priority":"extreme"}"#, "priority: \"extreme\" is not one of"),
    (desk, "reopen_ticket", r#"{"ticket_id":"T-1"}"#, "is open already"),
];

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
