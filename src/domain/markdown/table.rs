//! Tables: a head, a line of dashes, rows.

use super::{Block, Inline, Table, inline};

/// The most cells of a row.
const WIDEST: usize = 64;

fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        match c {
            '|' if escaped => {
                cell.pop();
                cell.push('|');
            }
            '|' => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    if !cell.trim().is_empty() || !line.ends_with('|') {
        cells.push(cell);
    }
    cells
}

/// Alignment of the columns if the line is the one of dashes.
fn dashes(line: &str) -> Option<Vec<bool>> {
    let could_be = line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    if !could_be {
        return None;
    }
    let column = |cell: &String| {
        let cell = cell.trim();
        let bare = cell.trim_start_matches(':').trim_end_matches(':');
        (!bare.is_empty() && bare.chars().all(|c| c == '-')).then(|| cell.ends_with(':') && !cell.starts_with(':'))
    };
    cells(line).iter().map(column).collect()
}

/// Whether the first two lines are a table's head.
pub(super) fn starts(lines: &[&str]) -> bool {
    let [head, below, ..] = lines else { return false };
    head.contains('|')
        && dashes(below).is_some_and(|columns| columns.len() <= WIDEST && columns.len() == cells(head).len())
}

/// Reads a table and how many lines it takes.
pub(super) fn read(lines: &[&str]) -> Option<(Block, usize)> {
    if !starts(lines) {
        return None;
    }
    let right = dashes(lines[1])?;
    let row = |line: &str| -> Vec<Vec<Inline>> {
        let mut row = cells(line);
        // what has no column is kept in the last one
        if row.len() > right.len() {
            let rest = row.split_off(right.len() - 1);
            row.push(rest.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join(" | "));
        }
        row.resize(right.len(), String::new());
        row.iter().map(|cell| inline(cell.trim())).collect()
    };
    let rows: Vec<_> = lines[2..].iter().take_while(|line| line.contains('|')).map(|line| row(line)).collect();
    let taken = rows.len() + 2;
    Some((Block::Table(Table { head: row(lines[0]), rows, right: right.clone() }), taken))
}
