//! Plain text tables for the terminal: columns as wide as their content, numbers to the right.

/// Lays rows out under a head. Columns whose name ends in `>` align right.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let columns = head.len();
    let right: Vec<bool> = head.iter().map(|name| name.ends_with('>')).collect();
    let head: Vec<String> = head.iter().map(|name| name.trim_end_matches('>').to_owned()).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).chain(head.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().enumerate().take(columns).map(|(column, cell)| {
            let room = widths[column].saturating_sub(cell.chars().count());
            if right[column] { format!("{}{cell}", " ".repeat(room)) } else { format!("{cell}{}", " ".repeat(room)) }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&head)];
    lines.extend(rows.iter().map(|row| line(row)));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_line_up() {
        let rows = vec![vec!["a".to_owned(), "1.0".to_owned()], vec!["long".to_owned(), "12.5".to_owned()]];
        assert_eq!(super::table(&["Name", "tok/s>"], &rows), "Name  tok/s\na       1.0\nlong   12.5");
    }
}
