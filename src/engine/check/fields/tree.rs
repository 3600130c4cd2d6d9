//! The expected JSON as a task file writes it: a tree of tables whose leaves are matchers.
//!
//! A table with anything but tables in it is a matcher (`{ text = "…" }`, `{ records = [...] }`); a table of tables is an
//! object. So keys may have any name, `text` and `date` too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::leaf::{self, Leaf};

/// One place of the expected JSON and all below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum Tree {
    Leaf(Leaf),
    Object(BTreeMap<String, Tree>),
    Records(Records),
}

/// A list of objects, in any order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    pub records: Vec<Tree>,
    /// The key whose value tells one record from another; without it, records are matched so that most leaves are right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// Records that are matched without a key: all ways to pair them are weighed.
const MOST_UNKEYED: usize = 8;

impl TryFrom<Value> for Tree {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let Value::Object(table) = value else {
            return Err(format!("{value} is no matcher; write it as {{ text = … }}, {{ number = … }} or the like"));
        };
        if table.is_empty() {
            return Err("a table in [check.fields.expect] is empty; give it keys or a matcher".to_owned());
        }
        let plain = |name: &&str| table.get(*name).is_some_and(|value| !value.is_object());
        let named = leaf::NAMES.iter().chain([&"records"]).any(plain);
        if !named && table.values().any(Value::is_object) {
            return Self::object(table);
        }
        if table.get("records").is_some_and(Value::is_array) {
            let records = serde_json::from_value(Value::Object(table)).map_err(|error| error.to_string())?;
            return Ok(Self::Records(records));
        }
        Leaf::try_from(table).map(Self::Leaf)
    }
}

impl Tree {
    fn object(table: Map<String, Value>) -> Result<Self, String> {
        let read = |(key, value): (String, Value)| match Self::try_from(value) {
            Ok(tree) => Ok((key, tree)),
            Err(why) => Err(format!("{key}: {why}")),
        };
        table.into_iter().map(read).collect::<Result<_, _>>().map(Self::Object)
    }

    /// All leaves with their paths, in the order of their keys.
    pub(super) fn leaves(&self) -> Vec<(String, &Leaf)> {
        let mut leaves = Vec::new();
        self.collect("", &mut leaves);
        leaves
    }

    fn collect<'a>(&'a self, path: &str, leaves: &mut Vec<(String, &'a Leaf)>) {
        match self {
            Self::Leaf(leaf) => leaves.push((path.to_owned(), leaf)),
            Self::Object(keys) => keys.iter().for_each(|(key, tree)| tree.collect(&join(path, key), leaves)),
            Self::Records(records) => {
                records.records.iter().enumerate().for_each(|(index, tree)| tree.collect(&at(path, index), leaves));
            }
        }
    }

    /// How many keys are asked for, on all levels.
    pub(super) fn keys(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Object(keys) => keys.values().map(|tree| 1 + tree.keys()).sum(),
            Self::Records(records) => records.records.iter().map(Self::keys).sum(),
        }
    }

    /// How many records are asked for, on all levels.
    pub(super) fn records(&self) -> usize {
        match self {
            Self::Leaf(_) => 0,
            Self::Object(keys) => keys.values().map(Self::records).sum(),
            Self::Records(records) => records.records.iter().map(|tree| 1 + tree.records()).sum(),
        }
    }

    pub(super) fn has_records(&self) -> bool {
        self.records() > 0
    }

    /// Whether the tree can be compared with; else the field and what is wrong with it.
    pub(super) fn validate(&self, path: &str) -> Result<(), (String, String)> {
        let fault = |why: String| Err((path.to_owned(), why));
        match self {
            Self::Leaf(leaf) => leaf.validate().or_else(fault),
            Self::Object(keys) => keys.iter().try_for_each(|(key, tree)| tree.validate(&join(path, key))),
            Self::Records(Records { records, key }) => {
                if records.is_empty() {
                    return fault("has no records; for an empty list, write { items = [] }".to_owned());
                }
                if key.is_none() && records.len() > MOST_UNKEYED {
                    return fault(format!("has {} records; name their key to match more than 8", records.len()));
                }
                for (index, record) in records.iter().enumerate() {
                    let Self::Object(keys) = record else {
                        return fault(format!("record {index} is no table of keys"));
                    };
                    if let Some(key) = key
                        && !matches!(keys.get(key), Some(Self::Leaf(_)))
                    {
                        return fault(format!("record {index} has no leaf {key:?}, which is the key"));
                    }
                    record.validate(&at(path, index))?;
                }
                Ok(())
            }
        }
    }
}

/// The path of a key below a path.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// The path of an entry of a list.
pub(super) fn at(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}
