//! The outline of a text: headings with what stands below them, bullets with bullets below them.

use super::text::{bullet, without_emphasis};

/// The title of a markdown heading line: one to six `#`, a space, and text.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let title = line.trim_start_matches('#');
    let signs = line.len() - title.len();
    let titled = (1..=6).contains(&signs) && title.starts_with([' ', '\t']) && !title.trim().is_empty();
    titled.then(|| title.trim().trim_end_matches('#').trim_end())
}

/// The titles of all headings, in order, without emphasis.
pub fn headings(text: &str) -> Vec<String> {
    text.lines().filter_map(heading).map(without_emphasis).collect()
}

/// What stands below each heading up to the next one of any level; empty where nothing does. What stands above the
/// first heading is in none.
pub fn sections(text: &str) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        if heading(line).is_some() {
            sections.push(String::new());
        } else if let Some(last) = sections.last_mut() {
            last.push_str(line);
            last.push('\n');
        }
    }
    sections.iter().map(|section| section.trim_matches(['\n', '\r']).to_owned()).collect()
}

/// Columns of white space before the text of a line; a tab reaches to the next multiple of four.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).fold(0, |at, c| if c == '\t' { at / 4 * 4 + 4 } else { at + 1 })
}

/// How far in the outermost bullets stand.
fn margin(text: &str) -> Option<usize> {
    text.lines().filter(|line| bullet(line.trim()).is_some()).map(indent).min()
}

/// Whether a line stands below a bullet at this margin, not beside it.
fn is_inner(line: &str, margin: usize) -> bool {
    indent(line) >= margin + 2
}

/// The outermost bullets without their signs, each followed by the lines that are indented below it, as they stand.
pub fn top_bullets(text: &str) -> Vec<String> {
    let Some(margin) = margin(text) else { return Vec::new() };
    let mut items: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if is_inner(line, margin) {
            if open && let Some(last) = items.last_mut() {
                last.push('\n');
                last.push_str(line);
            }
        } else if let Some(item) = bullet(line.trim()) {
            items.push(item.to_owned());
            open = true;
        } else {
            open = false;
        }
    }
    items
}

/// The bullets that are indented by two columns or more against the outermost, without their signs. In the text of one
/// outermost bullet, all bullets are.
pub fn sub_bullets(text: &str) -> Vec<&str> {
    let first_is_bullet = text.lines().find(|line| !line.trim().is_empty()).is_some_and(|l| bullet(l.trim()).is_some());
    let margin = if first_is_bullet { margin(text).unwrap_or(0) } else { 0 };
    text.lines().filter(|line| is_inner(line, margin)).filter_map(|line| bullet(line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_signs_a_space_and_text() {
        assert_eq!(headings("# One\n#two\n## **Three** ##\n#######Four\n### \n- # five"), ["One", "Three"]);
        assert_eq!(sections("before\n# A\nx\n\ny\n## B\n# C\nz"), ["x\n\ny", "", "z"]);
        assert!(sections("no heading").is_empty());
    }

    #[test]
    fn inner_bullets_belong_to_the_outer_one_above() {
        let text = "- a\n  - b\n  - c\n\n- d\n\t* e\nplain\n  - f";
        assert_eq!(top_bullets(text), ["a\n  - b\n  - c", "d\n\t* e"]);
        assert_eq!(sub_bullets(text), ["b", "c", "e", "f"]);
        assert_eq!(sub_bullets("a\n  - b\n  - c"), ["b", "c"]);
        assert_eq!(top_bullets("  - a\n  - b"), ["a", "b"], "a list that is indented as a whole is flat");
        assert!(sub_bullets("  - a\n   - b").is_empty(), "one column is no level");
        assert!(top_bullets("text").is_empty());
    }
}
