//! What answers look like, and what hostile ones try.

use super::*;

fn text(text: &str) -> Inline {
    Inline::Text(text.to_owned())
}

fn paragraph(said: &str) -> Block {
    Block::Paragraph(vec![text(said)])
}

/// Everything that would be read, in order, with line breaks as spaces.
fn shown(blocks: &[Block]) -> String {
    fn line(pieces: &[Inline], out: &mut String) {
        for piece in pieces {
            match piece {
                Inline::Text(text) | Inline::Code(text) => out.push_str(text),
                Inline::Strong(inside) | Inline::Emphasis(inside) | Inline::Struck(inside) => line(inside, out),
                Inline::Link { text, .. } => line(text, out),
                Inline::Break => out.push(' '),
            }
        }
    }
    let mut out = String::new();
    for block in blocks {
        match block {
            Block::Paragraph(pieces) | Block::Heading(_, pieces) => line(pieces, &mut out),
            Block::List { items, .. } => items.iter().for_each(|item| out.push_str(&shown(item))),
            Block::Quote(inside) => out.push_str(&shown(inside)),
            Block::Code { text, .. } => out.push_str(text),
            Block::Table(table) => {
                table.head.iter().chain(table.rows.iter().flatten()).for_each(|cell| line(cell, &mut out));
            }
            Block::Rule => {}
        }
        out.push(' ');
    }
    out
}

fn links(blocks: &[Block]) -> Vec<String> {
    fn line(pieces: &[Inline], out: &mut Vec<String>) {
        for piece in pieces {
            match piece {
                Inline::Strong(inside) | Inline::Emphasis(inside) | Inline::Struck(inside) => line(inside, out),
                Inline::Link { address, .. } => out.push(address.clone()),
                Inline::Text(_) | Inline::Code(_) | Inline::Break => {}
            }
        }
    }
    let mut out = Vec::new();
    for block in blocks {
        if let Block::Paragraph(pieces) = block {
            line(pieces, &mut out);
        }
    }
    out
}

#[test]
fn an_answer_reads_as_its_model_meant_it() {
    let answer = "## Steps\n\nFirst **read** the `config`, then:\n\n1. open it\n2. change *one* line\n   - keep a copy\n\n```toml\n[a]\n  b = 1\n```\n\n> Note\n> well\n\n---\nDone.";

    let blocks = blocks(answer);

    let nested = Block::List { start: None, items: vec![vec![paragraph("keep a copy")]] };
    let change = Block::Paragraph(vec![text("change "), Inline::Emphasis(vec![text("one")]), text(" line")]);
    assert_eq!(
        blocks,
        [
            Block::Heading(2, vec![text("Steps")]),
            Block::Paragraph(vec![
                text("First "),
                Inline::Strong(vec![text("read")]),
                text(" the "),
                Inline::Code("config".into()),
                text(", then:"),
            ]),
            Block::List { start: Some(1), items: vec![vec![paragraph("open it")], vec![change, nested]] },
            Block::Code { language: "toml".into(), text: "[a]\n  b = 1".into() },
            Block::Quote(vec![Block::Paragraph(vec![text("Note"), Inline::Break, text("well")])]),
            Block::Rule,
            paragraph("Done."),
        ]
    );
}

#[test]
fn a_table_has_as_many_cells_in_each_row_as_in_its_head() {
    let Some(Block::Table(table)) =
        blocks("| Name | tok/s |\n|:-----|------:|\n| a \\| b | 48.3 |\n| short |\n| x | y | z |\n\nafter")
            .into_iter()
            .next()
    else {
        panic!("no table")
    };

    assert_eq!(table.right, [false, true]);
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| shown(&[Block::Paragraph(cell.clone())]).trim().to_owned()).collect())
        .collect();
    assert_eq!(rows, [["a | b", "48.3"], ["short", ""], ["x", "y | z"]]);
}

#[test]
fn lists_go_on_over_blank_lines_and_end_with_them() {
    let blocks = blocks("- one\n\n- two\n\n  more of two\n\nafter\n\n3) third\n4) fourth");

    let Block::List { start: None, items } = &blocks[0] else { panic!("{blocks:?}") };
    assert_eq!(items[1], [paragraph("two"), paragraph("more of two")]);
    assert_eq!(blocks[1], paragraph("after"));
    assert!(matches!(&blocks[2], Block::List { start: Some(3), items } if items.len() == 2), "{blocks:?}");
}

#[test]
fn a_fence_in_a_list_holds_its_lines_however_they_are_indented() {
    let blocks = blocks("1. Run:\n   ```sh\nls\n\n# all\n   ```\n2. Look.");

    let Block::List { items, .. } = &blocks[0] else { panic!("{blocks:?}") };
    assert_eq!(items[0], [paragraph("Run:"), Block::Code { language: "sh".into(), text: "ls\n\n# all".into() }]);
    assert_eq!((items[1].as_slice(), blocks.len()), ([paragraph("Look.")].as_slice(), 1));
}

#[test]
fn marks_that_mark_nothing_stay_text() {
    for said in [
        "2 * 3 * 4 = 24",
        "snake_case_name and __init",
        "a ** b",
        "5 > 3",
        "#hashtag",
        "`open",
        "**open",
        "[not a link]",
        "[a](b c d)",
        "In 1990. it was",
        "x[i](y)",
        r"\(a^2\) and \[b\]",
    ] {
        assert_eq!(shown(&blocks(said)).trim(), said, "{:?}", blocks(said));
    }
    assert_eq!(inline(r"\*no\*"), [text("*no*")]);
    assert_eq!(inline("***both***"), [Inline::Strong(vec![Inline::Emphasis(vec![text("both")])])]);
    assert_eq!(inline("**a *b**"), [Inline::Strong(vec![text("a *b")])]);
    assert_eq!(inline("``a ` b``"), [Inline::Code("a ` b".into())]);
}

#[test]
fn html_is_text() {
    for said in [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b>bold</b> claim",
        "<style>*{display:none}</style>",
        "<a href=\"javascript:alert(1)\">x</a>",
        "&lt;i&gt;",
    ] {
        assert_eq!(blocks(said), [paragraph(said)]);
    }
}

#[test]
fn only_web_addresses_with_a_host_are_links() {
    for said in [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:x)",
        "[x](//evil.example)",
        "[x](/fn/runs/cancel)",
        "[x](https:evil.example)",
        "[x](https://)",
        "[x](https:\\\\evil.example)",
        "[x](file:///etc/passwd)",
        "![x](javascript:alert(1))",
        "<javascript:alert(1)>",
    ] {
        assert_eq!(links(&blocks(said)), Vec::<String>::new(), "{said}");
    }
    for (said, address) in [
        ("[x](https://a.example/b_(c)?d=*e*)", "https://a.example/b_(c)?d=*e*"),
        ("[x](<http://a.example> \"title\")", "http://a.example"),
        ("See https://a.example/b.", "https://a.example/b"),
        ("(see http://a.example/x_y_z)", "http://a.example/x_y_z"),
        ("<https://a.example/>", "https://a.example/"),
        ("**[x](https://a.example)**", "https://a.example"),
    ] {
        assert_eq!(links(&blocks(said)), [address], "{said}");
    }
}

#[test]
fn the_host_that_is_shown_is_the_one_that_is_reached() {
    for (address, expected) in [
        ("https://bank.example@evil.example/x", Some("evil.example")),
        ("https://Bank.Example:443/@x", Some("bank.example:443")),
        ("http://[::1]:80/", Some("[::1]:80")),
        ("https://bank.example\\@evil.example", None),
        ("https://a.example/ b", None),
        ("ftp://a.example", None),
        ("http://a\u{1}b", None),
        ("java\tscript://a", None),
    ] {
        assert_eq!(host(address).as_deref(), expected, "{address}");
    }
}

#[test]
fn an_open_fence_reaches_to_the_end() {
    let fence = Block::Code { language: "rust".into(), text: "fn main() {}\n\n# no heading".into() };
    assert_eq!(blocks("```rust\nfn main() {}\n\n# no heading\n"), [fence]);
    assert_eq!(blocks("````\n```\n````"), [Block::Code { language: String::new(), text: "```".into() }]);
}

#[test]
fn hostile_depth_and_length_take_no_stack_and_little_time() {
    let n = 10_000;
    let quotes = format!("{}deep", "> ".repeat(n));
    let blocks_of_quotes = blocks(&quotes);
    assert!(shown(&blocks_of_quotes).contains("deep"));
    for hostile in [
        quotes,
        (0..n).map(|depth| format!("{}- x\n", " ".repeat(depth.min(400)))).collect(),
        format!("{}x", "- ".repeat(n)),
        "[".repeat(n),
        "[a](".repeat(n),
        "[](https://a)".repeat(n),
        "*a ".repeat(n),
        "_a *b ".repeat(n),
        "a* ".repeat(n),
        "**".repeat(n),
        (1..300).map(|length| format!("{} ", "`".repeat(length))).collect(),
        "http://$".repeat(n),
        "https://a.b/)))".repeat(n),
        "|a|\n|-|\n".repeat(n),
        "1. \n".repeat(n),
        "- a\n\n\n".repeat(n),
        "```\n".repeat(n),
        format!("|{}\n|{}", "a|".repeat(n), "-|".repeat(n)),
        "\\".repeat(n),
        "é".repeat(n),
    ] {
        let blocks = blocks(&hostile);
        assert!(!blocks.is_empty(), "{}", &hostile[..hostile.floor_char_boundary(40)]);
    }
}

#[test]
fn no_prefix_of_an_answer_panics_or_loses_a_letter() {
    let answer = "# Títle\n\nSome **bold *and* `code`** [li(n)k](https://a.example/é) ~~gone~~\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- ü\n  1. x\n\n> q\n\n```py\nprint('ö')\n```\n";
    for (at, _) in answer.char_indices() {
        let shown = shown(&blocks(&answer[..at]));
        for letter in answer[..at].chars().filter(|c| c.is_alphabetic() && !c.is_ascii()) {
            // the letter inside the address is shown with the address, or not at all once it is one
            assert!(letter == 'é' || shown.contains(letter), "{letter} of {:?} in {shown:?}", &answer[..at]);
        }
    }
}
