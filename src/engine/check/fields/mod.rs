//! Fields of JSON, each judged on its own: what a text says, as an object or list with the keys that the prompt states.
//!
//! Every expected leaf is a correctness part named by its path (`total`, `items[2].price`); extra keys and extra records
//! are parts, too; the format part [`ONLY_JSON`] asks that nothing but the JSON is said. What a guess could hit (true,
//! null, 0, 1, a missing key, an empty list, a text from a closed set) counts only where something else is right.
//!
//! Imports: domain, chrono, serde_json.

mod amount;
mod compare;
mod date;
mod find;
mod forms;
mod leaf;
mod lenient;
mod settle;
#[cfg(test)]
mod tests;
mod tree;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::{compare::Comparison, find::Candidate};
pub use self::{
    leaf::{Leaf, Matcher},
    tree::{Records, Tree},
};
use super::Judged;
use crate::domain::verdict::{Part, PartKind, Verdict};

/// The format part: the answer is the JSON and nothing else, a code fence apart.
pub const ONLY_JSON: &str = "only_json";
/// The part for keys that nobody asked for.
pub const NO_EXTRA_KEYS: &str = "no_extra_keys";
/// The part for records that are not in the text.
pub const NO_EXTRA_RECORDS: &str = "no_extra_records";

/// What the JSON must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    /// What stands at the top.
    pub shape: Shape,
    /// What keys cost that nobody asked for.
    #[serde(default)]
    pub extra: Extra,
    /// The expected JSON with a matcher at each leaf; for a list, `records`.
    pub expect: Tree,
}

/// What stands at the top of the JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    Object,
    /// A list of objects.
    List,
}

/// What keys cost that nobody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extra {
    /// The part [`NO_EXTRA_KEYS`] loses their share of the expected keys.
    #[default]
    Cost,
    /// Nothing: the prompt leaves room for more.
    Free,
}

impl Fields {
    pub(super) fn part_names(&self) -> Vec<String> {
        let leaves = self.expect.leaves().into_iter().map(|(path, _)| path);
        leaves.chain(self.extra_parts().map(str::to_owned)).chain([ONLY_JSON.to_owned()]).collect()
    }

    /// The names of the parts for what is too much.
    fn extra_parts(&self) -> impl Iterator<Item = &'static str> {
        let keys = (self.extra == Extra::Cost).then_some(NO_EXTRA_KEYS);
        keys.into_iter().chain(self.expect.has_records().then_some(NO_EXTRA_RECORDS))
    }

    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        let expect = |why: &str| Err(("fields.expect".to_owned(), why.to_owned()));
        match (&self.expect, self.shape) {
            (Tree::Object(_), Shape::Object) | (Tree::Records(_), Shape::List) => {}
            (_, Shape::Object) => return expect("is no table of keys; for shape = \"object\", write one"),
            (_, Shape::List) => return expect("is no { records = [...] }; for shape = \"list\", write one"),
        }
        self.expect.validate("expect").map_err(|(field, why)| (format!("fields.{field}"), why))?;
        if self.expect.leaves().iter().all(|(_, leaf)| leaf.is_hollow()) {
            return expect("a guess could hit every leaf; ask for at least one text, number or date from the text");
        }
        Ok(())
    }

    /// The verdict on an answer: its JSON is found, compared leaf by leaf, and weighed.
    pub(super) fn judge(&self, judged: &Judged) -> Verdict {
        let own: Vec<&str> = match &self.expect {
            Tree::Object(keys) => keys.keys().map(String::as_str).collect(),
            Tree::Records(_) | Tree::Leaf(_) => Vec::new(),
        };
        match find::find(judged.answer, judged.task_prompt, self.shape, &own) {
            Ok(candidate) => self.weigh(&candidate),
            Err(why) => {
                let why = if judged.truncated { format!("no answer within the budget: {why}") } else { why };
                let part =
                    |name: String, kind| Part { name, kind, weight: 1.0, score: 0.0, answer: None, why: why.clone() };
                let names = self.part_names().into_iter();
                Verdict::of(names.map(|name| part(name.clone(), kind_of(&name))).collect())
            }
        }
    }

    fn weigh(&self, candidate: &Candidate) -> Verdict {
        let mut comparison = Comparison::default();
        comparison.tree("", &self.expect, Some(&candidate.value));
        let proven = comparison.leaves.iter().any(|leaf| !leaf.hollow && leaf.score > 0.0);
        let mut parts: Vec<Part> = comparison
            .leaves
            .iter()
            .map(|leaf| {
                let counts = proven || leaf.score == 0.0;
                let (score, why) = match counts {
                    true => (leaf.score, leaf.why.clone()),
                    false => (0.0, format!("counts for nothing without a right value from the text: {}", leaf.why)),
                };
                part(&leaf.path, score, leaf.found.clone(), why)
            })
            .collect();
        for name in self.extra_parts() {
            let (too_many, asked) = match name {
                NO_EXTRA_KEYS => (&comparison.extra_keys, self.expect.keys()),
                _ => (&comparison.extra_records, self.expect.records()),
            };
            let what = if name == NO_EXTRA_KEYS { "keys" } else { "records" };
            let share = 1.0 - too_many.len() as f64 / asked.max(1) as f64;
            let (score, why) = match (proven, too_many.first()) {
                (false, _) => (0.0, format!("no extra {what} count for nothing without a right value")),
                (true, None) => (1.0, format!("there are no extra {what}")),
                (true, Some(first)) => (
                    share.max(0.0),
                    format!("{} {what} too many, first {first}, which nobody asked for", too_many.len()),
                ),
            };
            parts.push(part(name, score, None, why));
        }
        let score = f64::from(u8::from(candidate.flaw.is_none()));
        let why = candidate.flaw.unwrap_or("the answer is the JSON and nothing else").to_owned();
        parts.push(part(ONLY_JSON, score, None, why));
        Verdict::of(parts)
    }

    /// JSON in the right shape that says nothing: every value null, or the empty value of its kind.
    pub fn blanks(&self) -> Vec<Value> {
        [Blank::Null, Blank::Empty, Blank::Other].map(|blank| self.expect.blank(blank)).to_vec()
    }
}

/// What a skeleton is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blank {
    /// `null` everywhere.
    Null,
    /// `""`, `0`, `false`, `[]`.
    Empty,
    /// `"N/A"`, `1`, `true`, `[]`.
    Other,
}

impl Tree {
    fn blank(&self, blank: Blank) -> Value {
        match self {
            Self::Leaf(leaf) => leaf.blank(blank),
            Self::Object(keys) => {
                let filled = keys.iter().map(|(key, tree)| (key.clone(), tree.blank(blank)));
                Value::Object(filled.collect::<Map<_, _>>())
            }
            Self::Records(records) => {
                let first = records.records.first().map(|tree| tree.blank(blank));
                Value::Array(first.into_iter().collect())
            }
        }
    }
}

/// Which kind a part of this check is.
pub(super) fn kind_of(name: &str) -> PartKind {
    if name == ONLY_JSON { PartKind::Format } else { PartKind::Correctness }
}

fn part(name: &str, score: f64, answer: Option<String>, why: String) -> Part {
    Part { name: name.to_owned(), kind: kind_of(name), weight: 1.0, score, answer, why }
}
