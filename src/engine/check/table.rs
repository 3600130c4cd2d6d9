//! Markdown tables: a header row, a row of dashes and the rows below, with `|` between cells.

use super::{answer::shorten, rule::Finding};

/// The one table of a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    pub header: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Each row as one line.
    pub fn joined_rows(&self) -> Vec<String> {
        self.rows.iter().map(|row| row.join(" | ")).collect()
    }

    /// The cells of one column, from the top; `None` if no header cell is this.
    pub fn column(&self, header: &str) -> Option<Vec<&str>> {
        let at = self.header.iter().position(|cell| cell == header)?;
        Some(self.rows.iter().map(|row| row.get(at).map_or("", String::as_str)).collect())
    }
}

/// Reads the table of a text, or says why there is none: a second table and a row with cells too many or too few
/// make it none. Text around the table is allowed.
pub(super) fn read(text: &str) -> Result<Table, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut tables = lines.iter().enumerate().filter(|(at, line)| *at > 0 && is_divider(line) && is_row(lines[at - 1]));
    let Some((divider, _)) = tables.next() else {
        return Err("there is no table with a header and a row of dashes".to_owned());
    };
    if tables.next().is_some() {
        return Err("there is more than one table".to_owned());
    }
    let header = cells(lines[divider - 1]);
    let rows: Vec<Vec<String>> = lines[divider + 1..].iter().take_while(|l| is_row(l)).map(|l| cells(l)).collect();
    let dashes = cells(lines[divider]).len();
    if dashes != header.len() {
        return Err(format!("the row of dashes has {dashes} cells, the header {}", header.len()));
    }
    match rows.iter().zip(1_u32..).find(|(row, _)| row.len() != header.len()) {
        Some((row, n)) => Err(format!("row {n} has {} cells, the header {}", row.len(), header.len())),
        None => Ok(Table { header, rows }),
    }
}

fn is_row(line: &str) -> bool {
    line.contains('|')
}

fn is_divider(line: &str) -> bool {
    let dashes = |cell: &String| {
        let bare = cell.trim_start_matches(':').trim_end_matches(':');
        !bare.is_empty() && bare.chars().all(|c| c == '-')
    };
    is_row(line) && cells(line).iter().all(dashes)
}

/// The cells of one line, trimmed; `\|` is no border.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let inner = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in inner.chars() {
        match (c, cells.last_mut()) {
            ('|', _) if !escaped => cells.push(String::new()),
            (_, Some(cell)) => {
                if c == '|' {
                    cell.pop();
                }
                cell.push(c);
            }
            _ => {}
        }
        escaped = c == '\\';
    }
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) && line.ends_with('|') {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Whether the text has one table with this header and, where they are given, these rows in this order.
pub(super) fn find(text: &str, header: &[String], rows: Option<&[Vec<String>]>) -> Finding {
    let not = |why: String| Finding { met: false, why };
    let table = match read(text) {
        Ok(table) => table,
        Err(why) => return not(why),
    };
    if table.header != header {
        return not(format!("the header is {}", shorten(&table.header.join(" | "))));
    }
    if let Some(rows) = rows {
        if let Some(index) = table.rows.iter().zip(rows).position(|(found, wanted)| found != wanted) {
            return not(format!("row {} is {}", index + 1, shorten(&table.rows[index].join(" | "))));
        }
        if table.rows.len() != rows.len() {
            return not(format!("{} rows below the header, asked for {}", table.rows.len(), rows.len()));
        }
    }
    Finding { met: true, why: format!("a table with {} rows, as asked for", table.rows.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_header_dashes_and_rows_of_equal_length() {
        let table = read("Here:\n\n| a | b |\n|:--|--:|\n| 1 | x \\| y |\n| 2 | |\n\nDone | or not").unwrap();
        assert_eq!(table.header, ["a", "b"]);
        assert_eq!(table.joined_rows(), ["1 | x | y", "2 | "]);
        assert_eq!(table.column("b").unwrap(), ["x | y", ""]);
        assert_eq!(table.column("c"), None);
        assert_eq!(read("a | b\n-- | --\n1 | 2").unwrap().rows, [["1", "2"]]);
    }

    #[test]
    fn what_is_no_table_says_why() {
        for (text, why) in [
            ("| a | b |\n| 1 | 2 |", "no table"),
            ("", "no table"),
            ("|---|", "no table"),
            ("a\n---\nb", "no table"),
            ("| a | b |\n|---|---|\n| 1 |", "row 1 has 1 cells"),
            ("| a | b |\n|---|\n| 1 | 2 |", "the row of dashes has 1"),
            ("| a |\n|---|\n| 1 |\n\n| a |\n|---|", "more than one"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text:?}: {error}");
        }
    }
}
