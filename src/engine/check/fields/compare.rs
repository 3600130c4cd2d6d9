//! Walks the expected tree and a value side by side: every expected leaf gets its worth, and what is too much is listed.

use serde_json::Value;

use super::{
    leaf::{Leaf, short, shown},
    tree::{Records, Tree, at, join},
};

/// What came of one expected leaf.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub path: String,
    /// 0 to 1.
    pub score: f64,
    /// Whether a guess could have hit it.
    pub hollow: bool,
    /// The value that was there.
    pub found: Option<String>,
    pub why: String,
}

/// All that came of one value.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Comparison {
    /// In the order of the tree's leaves.
    pub leaves: Vec<Found>,
    /// Paths of keys that nobody asked for.
    pub extra_keys: Vec<String>,
    /// Records that match none that was asked for.
    pub extra_records: Vec<String>,
}

impl Comparison {
    /// Compares a value with a tree; `None` is a key that is not there.
    pub(super) fn tree(&mut self, path: &str, tree: &Tree, value: Option<&Value>) {
        match tree {
            Tree::Leaf(leaf) => {
                let (score, why) = match leaf.compare(value) {
                    Ok(1.0) => (1.0, "is right".to_owned()),
                    Ok(part) => (part, format!("is right in part: {}", value.map(shown).unwrap_or_default())),
                    Err(why) => (0.0, why),
                };
                let found = value.map(Value::to_string);
                let why = format!("{path} {why}");
                self.leaves.push(Found { path: path.to_owned(), score, hollow: leaf.is_hollow(), found, why });
            }
            Tree::Object(keys) => match value {
                Some(Value::Object(map)) => {
                    self.extra_keys
                        .extend(map.keys().filter(|key| !keys.contains_key(*key)).map(|key| join(path, key)));
                    keys.iter().for_each(|(key, tree)| self.tree(&join(path, key), tree, map.get(key)));
                }
                _ => self.lost(path, tree, &not_there(path, value, "an object")),
            },
            Tree::Records(records) => match value {
                Some(Value::Array(found)) => self.records(path, records, found),
                _ => self.lost(path, tree, &not_there(path, value, "a list")),
            },
        }
    }

    fn records(&mut self, path: &str, records: &Records, found: &[Value]) {
        let pairs = match &records.key {
            Some(key) => by_key(records, key, found),
            None => by_worth(records, found),
        };
        for (index, (record, pair)) in records.records.iter().zip(&pairs).enumerate() {
            let path = at(path, index);
            match pair.and_then(|pair| found.get(pair)) {
                Some(value) => self.tree(&path, record, Some(value)),
                None => self.lost(&path, record, &format!("{path} is missing: {}", name(records, record))),
            }
        }
        for (index, value) in found.iter().enumerate().filter(|(index, _)| !pairs.contains(&Some(*index))) {
            self.extra_records.push(format!("{} {}", at(path, index), short(value)));
        }
    }

    /// Every leaf below is lost for one reason, even one that wants a missing key.
    fn lost(&mut self, path: &str, tree: &Tree, why: &str) {
        for (below, leaf) in tree.leaves() {
            let path = match (path, below.as_str()) {
                (path, "") => path.to_owned(),
                (path, below) if below.starts_with('[') => format!("{path}{below}"),
                (path, below) => join(path, below),
            };
            self.leaves.push(Found { path, score: 0.0, hollow: leaf.is_hollow(), found: None, why: why.to_owned() });
        }
    }
}

fn not_there(path: &str, value: Option<&Value>, wanted: &str) -> String {
    let path = if path.is_empty() { "the JSON" } else { path };
    match value {
        None => format!("{path} is missing, wanted {wanted}"),
        Some(value) => format!("{path} is {}, wanted {wanted}", shown(value)),
    }
}

/// What a record is called in a reason.
fn name(records: &Records, record: &Tree) -> String {
    let key = records.key.as_deref();
    match (key, record) {
        (Some(key), Tree::Object(keys)) => match keys.get(key) {
            Some(Tree::Leaf(leaf)) => format!("no record whose {key} is {}", leaf.wanted()),
            _ => "no such record".to_owned(),
        },
        _ => "no record has these values".to_owned(),
    }
}

/// How much of a record a value has right: the sum over its leaves; nothing unless one of them is more than a guess.
fn worth(record: &Tree, value: &Value) -> f64 {
    let mut comparison = Comparison::default();
    comparison.tree("", record, Some(value));
    let proven = comparison.leaves.iter().any(|leaf| !leaf.hollow && leaf.score > 0.0);
    if proven { comparison.leaves.iter().map(|leaf| leaf.score).sum() } else { 0.0 }
}

/// For each expected record, the value with its key; of several the one that has most right.
fn by_key(records: &Records, key: &str, found: &[Value]) -> Vec<Option<usize>> {
    let mut taken = vec![false; found.len()];
    let mut pairs = Vec::new();
    for record in &records.records {
        let Tree::Object(keys) = record else { continue };
        let Some(Tree::Leaf(leaf)) = keys.get(key) else { continue };
        let same = |index: &usize| !taken[*index] && found[*index].get(key).is_some_and(|value| names(leaf, value));
        let best = (0..found.len())
            .filter(same)
            .map(|index| (index, worth(record, &found[index])))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
            .map(|(index, _)| index);
        if let Some(index) = best {
            taken[index] = true;
        }
        pairs.push(best);
    }
    pairs
}

/// Whether a key's value names this record; a number written as text names it, too, and only its own leaf is wrong.
fn names(leaf: &Leaf, value: &Value) -> bool {
    let other_kind = match value {
        Value::String(text) => text.trim().parse().ok().map(Value::Number),
        Value::Number(number) => Some(Value::String(number.to_string())),
        _ => None,
    };
    [Some(value), other_kind.as_ref()].into_iter().flatten().any(|value| leaf.compare(Some(value)).is_ok())
}

/// The pairing with the most right leaves in all.
fn by_worth(records: &Records, found: &[Value]) -> Vec<Option<usize>> {
    let wanted = records.records.len();
    let sets = 1_usize << wanted;
    // best[set]: the most that the values so far earn with exactly these records taken, and who took them.
    let mut best: Vec<Option<(f64, Vec<Option<usize>>)>> = vec![None; sets];
    best[0] = Some((0.0, vec![None; wanted]));
    for (index, value) in found.iter().enumerate() {
        let worths: Vec<f64> = records.records.iter().map(|record| worth(record, value)).collect();
        for set in (0..sets).rev() {
            let Some((sum, pairs)) = best[set].clone() else { continue };
            for (record, worth) in
                worths.iter().enumerate().filter(|(record, worth)| set & (1 << record) == 0 && **worth > 0.0)
            {
                let (next, sum) = (set | (1 << record), sum + worth);
                if best[next].as_ref().is_none_or(|(known, _)| sum > *known) {
                    let mut pairs = pairs.clone();
                    pairs[record] = Some(index);
                    best[next] = Some((sum, pairs));
                }
            }
        }
    }
    let most = best.into_iter().flatten().reduce(|best, next| if next.0 > best.0 { next } else { best });
    most.map_or_else(|| vec![None; wanted], |(_, pairs)| pairs)
}
