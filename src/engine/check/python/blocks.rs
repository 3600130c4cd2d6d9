//! Finds the pieces of an answer that may be programs: its fenced blocks, as Markdown has them and as models write
//! them. Imports: std only.

/// What an answer has that may be a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// The fenced blocks in order, without their fences.
    pub blocks: Vec<String>,
    /// The answer as a whole, without fences around it.
    pub whole: String,
    /// The answer was cut inside of a block, which is none of the above.
    pub is_cut_inside: bool,
}

/// An opening or closing line.
struct Fence<'a> {
    mark: char,
    length: usize,
    indent: usize,
    info: &'a str,
}

impl<'a> Fence<'a> {
    /// Reads a line as a fence; list marks and quote signs may stand before it.
    fn read(line: &'a str) -> Option<Self> {
        let mut rest = line;
        loop {
            let trimmed = rest.trim_start_matches([' ', '\t', '>']);
            let number = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
            let after =
                number.strip_prefix(". ").or(number.strip_prefix(") ")).filter(|_| number.len() < trimmed.len());
            let after =
                after.or(trimmed.strip_prefix("- ")).or(trimmed.strip_prefix("* ")).or(trimmed.strip_prefix("+ "));
            match after {
                Some(after) => rest = after,
                None => {
                    rest = trimmed;
                    break;
                }
            }
        }
        let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = rest.trim_start_matches(mark);
        let length = rest.len() - info.len();
        // three marks and more text with marks in it are inline code
        (length >= 3 && !(mark == '`' && info.contains('`'))).then(|| Self {
            mark,
            length,
            indent: line.len() - rest.len(),
            info: info.trim(),
        })
    }

    fn closes(&self, open: &Self) -> bool {
        self.info.is_empty() && self.mark == open.mark && self.length >= open.length && self.indent <= open.indent + 3
    }

    /// Whether it starts a Python block even inside of another: a forgotten end, or Markdown around all.
    fn starts_python(&self, open: &Self) -> bool {
        let language = self.info.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        matches!(language.to_ascii_lowercase().as_str(), "py" | "python" | "python3" | "py3")
            && self.indent <= open.indent + 3
    }
}

/// The pieces of an answer. A last fence without its end runs to the end of the answer, unless the answer was cut.
pub fn find(answer: &str, truncated: bool) -> Pieces {
    let (mut blocks, mut open): (Vec<String>, Option<(Fence, Vec<&str>)>) = (Vec::new(), None);
    for line in answer.lines() {
        match (&mut open, Fence::read(line)) {
            (Some((fence, lines)), Some(found)) if found.closes(fence) => {
                blocks.push(block(fence, lines));
                open = None;
            }
            (Some((fence, lines)), Some(found)) if found.starts_python(fence) => {
                blocks.push(block(fence, lines));
                open = Some((found, Vec::new()));
            }
            (Some((_, lines)), _) => lines.push(line),
            (None, Some(fence)) => open = Some((fence, Vec::new())),
            (None, None) => {}
        }
    }
    let is_cut_inside = truncated && open.is_some();
    if let Some((fence, lines)) = &open
        && !truncated
    {
        blocks.push(block(fence, lines));
    }
    blocks.retain(|block| !block.trim().is_empty());
    Pieces { blocks, whole: format!("{}\n", answer.trim_end()), is_cut_inside }
}

/// The text of a block: quote signs and shared indentation off.
fn block(fence: &Fence, lines: &[&str]) -> String {
    let quoted =
        fence.indent > 0 && lines.iter().all(|line| line.trim_start().starts_with('>') || line.trim().is_empty());
    let unquote = |line: &&'_ str| -> String {
        let line = if quoted { line.trim_start().trim_start_matches('>') } else { line };
        line.to_owned()
    };
    let lines: Vec<String> = lines.iter().map(unquote).collect();
    let indent = |line: &String| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut text = String::new();
    for line in &lines {
        text.push_str(line.get(shared..).unwrap_or_default());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(answer: &str) -> Vec<String> {
        find(answer, false).blocks
    }

    #[test]
    fn fences_are_found_as_models_write_them() {
        for answer in [
            "```python\nx = 1\n```",
            "Sure!\n\n```py\nx = 1\n```\nDone.",
            "```\nx = 1\n```",
            "~~~python3\nx = 1\n~~~",
            "````python\nx = 1\n````",
            "1. First\n\n   ```python\n   x = 1\n   ```",
            "- ```python\n  x = 1\n  ```",
            "1. ```Python\nx = 1\n   ```",
            "> ```python\n> x = 1\n> ```",
            "```python title=\"a.py\"\nx = 1\n```",
            "```{.python}\nx = 1\n```",
            "```python\r\nx = 1\r\n```\r\n",
            "```python\nx = 1\n",
            "\t```python\n\tx = 1\n\t```",
        ] {
            assert_eq!(blocks(answer), ["x = 1\n"], "{answer}");
        }
    }

    #[test]
    fn a_block_inside_markdown_and_a_forgotten_end_are_blocks() {
        assert_eq!(blocks("```markdown\nHere:\n```python\nx = 1\n```\nDone.\n```"), ["Here:\n", "x = 1\n"]);
        assert_eq!(blocks("```python\nx = 1\n```python\ny = 2\n```"), ["x = 1\n", "y = 2\n"]);
    }

    #[test]
    fn fences_inside_of_code_do_not_end_it() {
        let code = "def f():\n    \"\"\"\n    ```\n    text\n    ```\n    \"\"\"\n";
        assert_eq!(blocks(&format!("```python\n{code}```")), [code]);
        assert_eq!(blocks("~~~python\na = '''\n```\n'''\n~~~"), ["a = '''\n```\n'''\n"]);
    }

    #[test]
    fn inline_code_and_empty_blocks_are_none() {
        assert!(blocks("Use ```f(x)``` or\n```f(x)```.\n```\n```").is_empty());
    }

    #[test]
    fn a_cut_block_is_no_block_but_those_before_it_are() {
        let pieces = find("```python\nx = 1\n```\nand\n```python\ny = ", true);
        assert_eq!((pieces.blocks.as_slice(), pieces.is_cut_inside), (["x = 1\n".to_owned()].as_slice(), true));
        assert!(!find("```python\nx = 1\n```\nand so", true).is_cut_inside);
    }
}
