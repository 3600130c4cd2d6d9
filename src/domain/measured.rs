//! What is known of a model from its runs: the best quality and how many there are. Imports: record, score.

use serde::{Deserialize, Serialize};

use super::{id::RunId, record::RunRow, run::RunStatus, score::Figure};

/// The runs of one model, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub model: String,
    pub demo: bool,
    /// Completed runs.
    pub runs: u32,
    /// The best run's quality; absent where none has one.
    pub quality: Figure,
    /// The best run; the newest where none has a quality.
    pub best: RunId,
}

/// One entry per model that has a completed run; `rows` are newest first.
pub fn measured(rows: &[RunRow]) -> Vec<Measured> {
    let mut found: Vec<Measured> = Vec::new();
    for row in rows.iter().filter(|row| row.status == RunStatus::Completed && !row.drifted) {
        match found.iter_mut().find(|known| known.model == row.model && known.demo == row.demo) {
            Some(known) => {
                known.runs += 1;
                if row.quality.value.unwrap_or(-1.0) > known.quality.value.unwrap_or(-1.0) {
                    (known.quality, known.best) = (row.quality.clone(), row.id.clone());
                }
            }
            None => found.push(Measured {
                model: row.model.clone(),
                demo: row.demo,
                runs: 1,
                quality: row.quality.clone(),
                best: row.id.clone(),
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::run::RunView;

    #[test]
    fn the_best_of_a_models_runs_is_named_and_a_demo_stays_apart() {
        let row = |id: &str, quality: Option<f64>, demo: bool, status: RunStatus| RunRow {
            model: "m".into(),
            demo,
            status,
            quality: quality.map_or_else(|| Figure::absent("none"), |value| Figure::new(value, None, 1)),
            ..RunRow::of(&RunView::new(id.parse().unwrap()))
        };
        let rows = [
            row("c", Some(60.0), false, RunStatus::Completed),
            row("b", Some(80.0), false, RunStatus::Completed),
            row("a", Some(99.0), false, RunStatus::Failed),
            row("d", None, true, RunStatus::Completed),
        ];

        let found = measured(&rows);

        assert_eq!(found.len(), 2);
        assert_eq!((found[0].runs, found[0].quality.value, found[0].best.as_str()), (2, Some(80.0), "b"));
        assert_eq!((found[1].runs, found[1].quality.value), (1, None));
    }
}
