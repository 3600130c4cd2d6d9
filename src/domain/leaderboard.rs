//! Ranking: one best run per model and harness, within one task set, with equal ranks where the figures can't tell.

use std::{cmp::Ordering, collections::BTreeMap};

use serde::{Deserialize, Serialize};

use super::{
    id::{SuiteId, Thinking, closed_set},
    record::RunRow,
    run::RunStatus,
    score::Figure,
};

closed_set! {
    /// What the board is sorted by.
    SortKey, "sort key" {
        Overall = "overall",
        Quality = "quality",
        Speed = "speed",
        Decode = "tok_s",
        Ttft = "ttft",
        Reliability = "reliability",
        Model = "model",
        Date = "date",
    }
}

closed_set! {
    /// Which run stands for its group.
    Pick, "pick" {
        Best = "best",
        Latest = "latest",
        Median = "median",
    }
}

closed_set! {
    /// Whose runs: real servers or the built-in demo. They never rank together.
    Source, "source" {
        Real = "real",
        Demo = "demo",
    }
}

/// The board's query, as it stands in the URL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoardQuery {
    pub sort: SortKey,
    pub ascending: bool,
    pub pick: Pick,
    pub source: Source,
    /// A task set's digest, whole or its beginning; empty: the one with most models.
    pub set: String,
    /// Part of a model's name.
    pub find: String,
}

impl Default for BoardQuery {
    fn default() -> Self {
        Self {
            sort: SortKey::Quality,
            ascending: false,
            pick: Pick::Best,
            source: Source::Real,
            set: String::new(),
            find: String::new(),
        }
    }
}

impl BoardQuery {
    /// Reads URL parameters; an unknown value falls back to its default, so that an old link still opens.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| get(name).unwrap_or_default();
        let sort = text("sort").parse().unwrap_or(SortKey::Quality);
        let ascending = match text("dir").as_str() {
            "asc" => true,
            "desc" => false,
            _ => sort.is_ascending(),
        };
        Self {
            sort,
            ascending,
            pick: text("pick").parse().unwrap_or(Pick::Best),
            source: text("source").parse().unwrap_or(Source::Real),
            set: text("set"),
            find: text("find").trim().to_owned(),
        }
    }

    /// The address of this board, without what is default.
    pub fn href(&self) -> String {
        let default = Self::default();
        let mut pairs = Vec::new();
        if self.sort != default.sort {
            pairs.push(format!("sort={}", self.sort));
        }
        if self.ascending != self.sort.is_ascending() {
            pairs.push(format!("dir={}", if self.ascending { "asc" } else { "desc" }));
        }
        if self.pick != default.pick {
            pairs.push(format!("pick={}", self.pick));
        }
        if self.source != default.source {
            pairs.push(format!("source={}", self.source));
        }
        if !self.set.is_empty() {
            pairs.push(format!("set={}", encoded(&self.set)));
        }
        if !self.find.is_empty() {
            pairs.push(format!("find={}", encoded(&self.find)));
        }
        if pairs.is_empty() { "/leaderboard".to_owned() } else { format!("/leaderboard?{}", pairs.join("&")) }
    }

    /// The address of the board sorted by `key`; a second click turns the order round.
    pub fn sorted_by(&self, key: SortKey) -> String {
        let ascending = if self.sort == key { !self.ascending } else { key.is_ascending() };
        Self { sort: key, ascending, ..self.clone() }.href()
    }
}

/// Percent-encodes what is not safe in a query value.
pub fn encoded(text: &str) -> String {
    let mut safe = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            safe.push(char::from(byte));
        } else {
            safe.push_str(&format!("%{byte:02X}"));
        }
    }
    safe
}

impl SortKey {
    /// Whether less is better, or the order is alphabetical.
    pub const fn is_ascending(self) -> bool {
        matches!(self, Self::Ttft | Self::Model)
    }

    pub const fn title(self) -> &'static str {
        match self {
            Self::Overall => "Overall",
            Self::Quality => "Quality",
            Self::Speed => "Speed score",
            Self::Decode => "Decode, tok/s",
            Self::Ttft => "TTFT",
            Self::Reliability => "Reliability",
            Self::Model => "Model",
            Self::Date => "Date",
        }
    }

    fn value(self, row: &RunRow) -> Option<f64> {
        match self {
            Self::Overall => row.overall.value,
            Self::Quality => row.quality.value,
            Self::Speed => row.speed.value,
            Self::Decode => row.decode_tok_s,
            Self::Ttft => row.ttft_ms,
            Self::Reliability => row.reliability.value,
            Self::Model => None,
            Self::Date => row.started_at.map(|at| at.timestamp_millis() as f64),
        }
    }

    /// The figure with its interval, for keys that have one.
    fn figure(self, row: &RunRow) -> Option<&Figure> {
        match self {
            Self::Overall => Some(&row.overall),
            Self::Quality => Some(&row.quality),
            Self::Reliability => Some(&row.reliability),
            _ => None,
        }
    }
}

/// A task set: runs with the same digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSet {
    pub digest: String,
    /// `speed, reasonmath · quick`.
    pub label: String,
    pub models: u32,
    pub runs: u32,
}

/// One line of the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// `None` where the sort key is absent or is no merit.
    pub rank: Option<u32>,
    /// Whether another entry has the same rank.
    pub tied: bool,
    pub row: RunRow,
    /// Runs of this model and harness in the set.
    pub runs: u32,
    /// Lowest and highest value of the sort key among them.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// The board as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Board {
    pub query: BoardQuery,
    pub sets: Vec<TaskSet>,
    /// Digest of the set shown; empty if there is none.
    pub set: String,
    pub entries: Vec<Entry>,
    /// Runs that don't rank, with the reason, counted.
    pub left_out: Vec<(String, u32)>,
    /// Runs of the other source.
    pub other_source: u32,
}

fn label(row: &RunRow) -> String {
    let suites: Vec<&str> = row.suites.iter().map(|suite| suite.suite.title()).collect();
    let profile = row.profile.map_or("standard", |profile| profile.as_str());
    format!("{} · {profile}", suites.join(", "))
}

/// Why a finished run of the right source does not rank; `None` if it does.
fn barred(row: &RunRow) -> Option<&'static str> {
    match row.status {
        RunStatus::Completed => {}
        RunStatus::Queued | RunStatus::Running => return Some("still running"),
        RunStatus::Failed => return Some("failed"),
        RunStatus::Cancelled => return Some("cancelled"),
        RunStatus::Interrupted => return Some("interrupted"),
        RunStatus::Unreadable => return Some("unreadable"),
    }
    if row.drifted {
        return Some("the model or server changed during the run");
    }
    if row.thinking_invalid {
        return Some("thinking was not as asked");
    }
    if row.digest.is_empty() {
        return Some("without a task digest");
    }
    None
}

fn compare(a: Option<f64>, b: Option<f64>, ascending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => {
            if ascending {
                a.total_cmp(&b)
            } else {
                b.total_cmp(&a)
            }
        }
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Model, harness, thinking mode and budget: what one line of the board stands for.
type GroupKey = (String, String, Option<Thinking>, Option<u32>);

fn pick_of(mut rows: Vec<RunRow>, pick: Pick, key: SortKey) -> Option<RunRow> {
    let merit = if matches!(key, SortKey::Model | SortKey::Date) { SortKey::Quality } else { key };
    match pick {
        Pick::Latest => rows.sort_by(|a, b| b.id.cmp(&a.id)),
        Pick::Best | Pick::Median => {
            rows.sort_by(|a, b| {
                compare(merit.value(a), merit.value(b), merit.is_ascending()).then_with(|| b.id.cmp(&a.id))
            });
        }
    }
    let known = rows.iter().filter(|row| merit.value(row).is_some()).count();
    let index = if pick == Pick::Median && known > 0 { known / 2 } else { 0 };
    (index < rows.len()).then(|| rows.swap_remove(index))
}

/// Ranks the runs by the query. Total and stable: equal values stand in the order of their run ids.
pub fn rank(rows: Vec<RunRow>, query: BoardQuery) -> Board {
    let demo = query.source == Source::Demo;
    let (mine, others): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.demo == demo);
    let mut left_out: BTreeMap<String, u32> = BTreeMap::new();
    let mut sets: BTreeMap<String, Vec<RunRow>> = BTreeMap::new();
    for row in mine {
        match barred(&row) {
            Some(why) => *left_out.entry(why.to_owned()).or_default() += 1,
            None => sets.entry(row.digest.clone()).or_default().push(row),
        }
    }
    let mut listed: Vec<TaskSet> = sets
        .iter()
        .map(|(digest, rows)| {
            let mut models: Vec<&str> = rows.iter().map(|row| row.model.as_str()).collect();
            models.sort_unstable();
            models.dedup();
            TaskSet {
                digest: digest.clone(),
                label: rows.first().map(label).unwrap_or_default(),
                models: models.len() as u32,
                runs: rows.len() as u32,
            }
        })
        .collect();
    listed.sort_by(|a, b| b.models.cmp(&a.models).then(b.runs.cmp(&a.runs)).then(a.digest.cmp(&b.digest)));
    let asked = listed.iter().find(|set| !query.set.is_empty() && set.digest.starts_with(&query.set));
    let set = asked.or(listed.first()).map(|set| set.digest.clone()).unwrap_or_default();
    let shown = sets.remove(&set).unwrap_or_default();

    let mut groups: BTreeMap<GroupKey, Vec<RunRow>> = BTreeMap::new();
    for row in shown {
        let harness = row.harness.map_or("raw", |harness| harness.as_str()).to_owned();
        groups.entry((row.model.clone(), harness, row.thinking, row.thinking_budget)).or_default().push(row);
    }
    let mut entries: Vec<Entry> = groups
        .into_values()
        .filter_map(|rows| {
            let values: Vec<f64> = rows.iter().filter_map(|row| query.sort.value(row)).collect();
            let runs = rows.len() as u32;
            Some(Entry {
                rank: None,
                tied: false,
                row: pick_of(rows, query.pick, query.sort)?,
                runs,
                low: values.iter().copied().reduce(f64::min),
                high: values.iter().copied().reduce(f64::max),
            })
        })
        .collect();
    entries.sort_by(|a, b| {
        let order = if query.sort == SortKey::Model {
            let order = a.row.model.cmp(&b.row.model);
            if query.ascending { order } else { order.reverse() }
        } else {
            compare(query.sort.value(&a.row), query.sort.value(&b.row), query.ascending)
        };
        order.then_with(|| a.row.id.cmp(&b.row.id))
    });
    assign_ranks(&mut entries, query.sort);
    // a search shows fewer lines; their ranks stay those of the whole board
    let wanted = query.find.to_lowercase();
    entries.retain(|entry| entry.row.model.to_lowercase().contains(&wanted));
    Board {
        sets: listed,
        set,
        entries,
        left_out: left_out.into_iter().collect(),
        other_source: others.len() as u32,
        query,
    }
}

/// Ranks from best to worst whatever the shown order. An entry shares the rank of the leader of its group while its
/// interval reaches the leader's value; figures without interval share a rank only when equal.
fn assign_ranks(entries: &mut [Entry], key: SortKey) {
    if matches!(key, SortKey::Model | SortKey::Date) {
        return;
    }
    let mut order: Vec<usize> = (0..entries.len()).filter(|i| key.value(&entries[*i].row).is_some()).collect();
    order.sort_by(|a, b| {
        compare(key.value(&entries[*a].row), key.value(&entries[*b].row), key.is_ascending()).then(a.cmp(b))
    });
    let mut leader: Option<(usize, u32)> = None;
    for (place, index) in order.iter().enumerate() {
        let shares = leader.is_some_and(|(first, _)| {
            let (first, this) = (&entries[first].row, &entries[*index].row);
            match (key.value(first), key.figure(this).and_then(|figure| figure.high)) {
                (Some(best), Some(high)) => high >= best,
                _ => key.value(first) == key.value(this),
            }
        });
        if !shares {
            leader = Some((*index, place as u32 + 1));
        }
        entries[*index].rank = leader.map(|(_, rank)| rank);
    }
    let ranks: Vec<Option<u32>> = entries.iter().map(|entry| entry.rank).collect();
    for entry in entries.iter_mut() {
        entry.tied = entry.rank.is_some() && ranks.iter().filter(|rank| **rank == entry.rank).count() > 1;
    }
}

/// The suites a board has columns for: those of the shown set.
pub fn suites_of(board: &Board) -> Vec<SuiteId> {
    board.entries.first().map(|entry| entry.row.suites.iter().map(|suite| suite.suite).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::run::RunView;

    fn row(id: &str, model: &str, quality: f64, demo: bool) -> RunRow {
        RunRow {
            status: RunStatus::Completed,
            model: model.into(),
            digest: "sha256:aa".into(),
            demo,
            quality: Figure::new(quality, Some((quality - 5.0, quality + 5.0)), 16),
            ..RunRow::of(&RunView::new(id.parse().unwrap()))
        }
    }

    #[test]
    fn demo_runs_never_rank_with_real_ones() {
        let board = rank(vec![row("1", "a", 90.0, true), row("2", "b", 50.0, false)], BoardQuery::default());
        assert_eq!(board.entries.len(), 1);
        assert_eq!(board.entries[0].row.model, "b");
        assert_eq!(board.other_source, 1);
    }

    #[test]
    fn intervals_that_reach_the_leader_share_its_rank() {
        let rows = vec![row("1", "a", 80.0, false), row("2", "b", 77.0, false), row("3", "c", 60.0, false)];
        let board = rank(rows, BoardQuery::default());
        let ranks: Vec<_> = board.entries.iter().map(|entry| (entry.rank, entry.tied)).collect();
        assert_eq!(ranks, [(Some(1), true), (Some(1), true), (Some(3), false)]);
    }

    #[test]
    fn one_line_per_model_with_its_number_of_runs() {
        let rows = vec![row("1", "a", 80.0, false), row("2", "a", 70.0, false)];
        let board = rank(rows, BoardQuery::default());
        assert_eq!((board.entries.len(), board.entries[0].runs), (1, 2));
        assert_eq!((board.entries[0].low, board.entries[0].high), (Some(70.0), Some(80.0)));
    }

    #[test]
    fn a_search_keeps_the_ranks_of_the_whole_board() {
        let rows = vec![row("1", "large", 90.0, false), row("2", "small", 50.0, false)];
        let board = rank(rows, BoardQuery { find: "SMALL".into(), ..BoardQuery::default() });
        assert_eq!((board.entries.len(), board.entries[0].rank), (1, Some(2)));
    }

    #[test]
    fn another_thinking_budget_is_another_line() {
        let budget = |id, n| RunRow { thinking_budget: Some(n), ..row(id, "a", 80.0, false) };
        let board = rank(vec![budget("1", 0), budget("2", 20_000)], BoardQuery::default());
        assert_eq!(board.entries.len(), 2);
    }

    #[test]
    fn a_run_that_drifted_is_left_out_with_the_reason() {
        let drifted = RunRow { drifted: true, ..row("1", "a", 80.0, false) };
        let board = rank(vec![drifted], BoardQuery::default());
        assert!(board.entries.is_empty());
        assert_eq!(board.left_out, [("the model or server changed during the run".to_owned(), 1)]);
    }

    #[test]
    fn other_task_sets_are_named_and_not_mixed_in() {
        let other = RunRow { digest: "sha256:bb".into(), ..row("3", "c", 99.0, false) };
        let board = rank(vec![row("1", "a", 80.0, false), row("2", "b", 70.0, false), other], BoardQuery::default());
        assert_eq!(board.entries.len(), 2);
        assert_eq!(board.sets.len(), 2);
    }

    #[test]
    fn the_query_survives_its_own_address() {
        let query = BoardQuery { sort: SortKey::Ttft, ascending: true, find: "qwen 3".into(), ..BoardQuery::default() };
        assert_eq!(query.href(), "/leaderboard?sort=ttft&find=qwen%203");
        assert_eq!(query.sorted_by(SortKey::Ttft), "/leaderboard?sort=ttft&dir=desc&find=qwen%203");
    }
}
