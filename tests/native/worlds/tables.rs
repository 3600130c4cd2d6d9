//! Five small worlds, and what calls in them give back.

use serde_json::{Value, json};

/// Makes the start of a world.
pub type Make = fn() -> Value;

pub fn shop() -> Value {
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

pub fn diary() -> Value {
    json!({ "kind": "calendar", "state": {
        "people": { "p-1": { "name": "Ada Rohn" }, "p-2": { "name": "Bo Lund", "team": "Lab" } },
        "rooms": { "r-1": { "name": "Oak", "seats": 4 } },
        "events": {
            "ev-5": { "title": "A", "date": "2026-05-04", "start": "10:00", "end": "11:00", "attendees": ["p-1"], "room": "r-1" },
            "ev-6": { "title": "B", "date": "2026-05-04", "start": "10:30", "end": "12:00", "attendees": ["p-2"] },
        },
    }})
}

pub fn store() -> Value {
    json!({ "kind": "files", "state": {
        "today": "2026-05-04",
        "files": {
            "notes/a.txt": { "text": "one\ntwo", "owner": "you", "modified": "2026-01-01" },
            "b.txt": { "text": "", "owner": "Bo", "modified": "2026-01-02", "shared": true },
        },
    }})
}

pub fn depot() -> Value {
    json!({ "kind": "inventory", "state": {
        "warehouses": { "W-1": { "name": "Oak" }, "W-2": { "name": "Elm" } },
        "products": { "BX": { "name": "Box", "supplier": "Ost", "reorder_level": 10, "pack": 6, "price": 0.35 } },
        "stock": { "W-1": { "BX": { "on_hand": 9, "reserved": 4 } } },
        "purchase_orders": { "PO-3": { "sku": "BX", "quantity": 6, "warehouse": "W-1", "status": "received" } },
    }})
}

pub fn desk() -> Value {
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
pub type Row = (Make, &'static [(&'static str, &'static str)], &'static str, &'static str, &'static str);

/// Calls that work: the result at a pointer of `{"result", "state"}`.
pub const WORKS: &[Row] = &[
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
pub const FAILS: &[(Make, &str, &str, &str)] = &[
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
