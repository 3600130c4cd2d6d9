//! Digests: SHA-256 of canonical JSON (keys sorted, no spaces) over everything that can change a score. Title, tier,
//! quick, accept and reject change no score and are not in it.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Task, TaskKind, speed_text};
use crate::{
    domain::{
        id::HarnessId,
        transcript::{Message, Tool},
    },
    engine::{check::GRADER_VERSION, sim::Simulation},
};

/// What a task asks and what it gives to work with.
pub(super) struct Asked<'a> {
    pub messages: &'a [Message],
    pub tools: &'a [Tool],
    pub simulation: Option<&'a Simulation>,
    pub answer_tokens: u32,
    pub turns: u32,
}

/// The digest of one task, the harness apart.
pub(super) fn task(asked: &Asked, kind: &TaskKind) -> String {
    let kind = match kind {
        TaskKind::Judged(check) => json!({ "check": check }),
        TaskKind::Timed(speed) => json!({ "speed": speed, "text": speed_text::digest_text() }),
    };
    of(&json!({
        "messages": asked.messages,
        "tools": asked.tools,
        "simulation": asked.simulation,
        "limits": { "answer_tokens": asked.answer_tokens, "turns": asked.turns },
        "kind": kind,
        "grader_version": GRADER_VERSION,
    }))
}

/// The digest of a suite: of its tasks by id, whatever their order.
pub(super) fn suite(tasks: &[Task]) -> String {
    of(&by_name(tasks.iter()))
}

/// The digest of a run: its tasks, and the harness with its version and text.
pub(super) fn run(tasks: &[&Task], harness: HarnessId, version: u32, instructions: &str) -> String {
    of(&json!({
        "tasks": by_name(tasks.iter().copied()),
        "harness": { "id": harness, "version": version, "text": instructions },
        "grader_version": GRADER_VERSION,
    }))
}

fn by_name<'a>(tasks: impl Iterator<Item = &'a Task>) -> Value {
    let named = tasks.map(|task| (format!("{}/{}", task.suite, task.id), Value::from(task.digest.as_str())));
    Value::Object(named.collect())
}

fn of(value: &Value) -> String {
    let mut text = String::new();
    canonical(value, &mut text);
    let hash = Sha256::digest(text.as_bytes());
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// Writes JSON with sorted keys and no spaces, whatever order the map keeps.
fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                canonical(item, out);
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_is_not_in_the_digest() {
        let a: Value = serde_json::from_str(r#"{"b":[1,{"y":1,"x":"é\""}],"a":null}"#).unwrap();
        let mut text = String::new();
        canonical(&a, &mut text);
        assert_eq!(text, r#"{"a":null,"b":[1,{"x":"é\"","y":1}]}"#);
    }

    #[test]
    fn a_longer_answer_budget_is_another_task() {
        let kind = TaskKind::Timed(crate::domain::speed::SpeedKind::Decode { tokens: 64 });
        let of = |answer_tokens| {
            task(&Asked { messages: &[], tools: &[], simulation: None, answer_tokens, turns: 1 }, &kind)
        };
        assert_ne!(of(64), of(65));
        assert_eq!(of(64), of(64));
    }
}
