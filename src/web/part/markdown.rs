//! A model's answer, drawn from its blocks: elements and text, never HTML from the model. A link shows where it leads.

use leptos::prelude::*;

use crate::domain::markdown::{self, Block, Inline, Table};

/// A whole answer, or as much as has come.
pub fn markdown(text: &str) -> AnyView {
    view! { <div class="md">{blocks(&markdown::blocks(text))}</div> }.into_any()
}

fn blocks(blocks: &[Block]) -> Vec<AnyView> {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> AnyView {
    match block {
        Block::Paragraph(text) => view! { <p>{line(text)}</p> }.into_any(),
        // the page's own headings are above these
        Block::Heading(1 | 2, text) => view! { <h3>{line(text)}</h3> }.into_any(),
        Block::Heading(_, text) => view! { <h4>{line(text)}</h4> }.into_any(),
        Block::Quote(inside) => view! { <blockquote>{blocks(inside)}</blockquote> }.into_any(),
        Block::Rule => view! { <hr/> }.into_any(),
        Block::Code { language, text } => code(language, text),
        Block::Table(table) => self::table(table),
        Block::List { start, items } => {
            let items: Vec<AnyView> =
                items.iter().map(|item| view! { <li>{self::item(item)}</li> }.into_any()).collect();
            match start {
                None => view! { <ul>{items}</ul> }.into_any(),
                Some(start) => view! { <ol start=start.to_string()>{items}</ol> }.into_any(),
            }
        }
    }
}

/// An item of one paragraph is its text alone.
fn item(inside: &[Block]) -> Vec<AnyView> {
    match inside.split_first() {
        Some((Block::Paragraph(text), rest)) => {
            let mut views = line(text);
            views.extend(blocks(rest));
            views
        }
        _ => blocks(inside),
    }
}

fn code(language: &str, text: &str) -> AnyView {
    let label = if language.is_empty() { "code".to_owned() } else { language.to_owned() };
    view! {
        <div class="code-box">
            <div class="code-head">
                <span>{label.clone()}</span>
                <button class="btn quiet" type="button" data-copy="" aria-live="polite">"Copy"</button>
            </div>
            <pre class="code" tabindex="0" role="region" aria-label=label>{text.to_owned()}</pre>
        </div>
    }
    .into_any()
}

fn table(table: &Table) -> AnyView {
    let class = |column: usize| if table.right.get(column).copied().unwrap_or(false) { "num" } else { "" };
    let head: Vec<AnyView> = table
        .head
        .iter()
        .enumerate()
        .map(|(column, cell)| view! { <th scope="col" class=class(column)>{line(cell)}</th> }.into_any())
        .collect();
    let row = |row: &Vec<Vec<Inline>>| {
        let cells: Vec<AnyView> = row
            .iter()
            .enumerate()
            .map(|(column, cell)| view! { <td class=class(column)>{line(cell)}</td> }.into_any())
            .collect();
        view! { <tr>{cells}</tr> }.into_any()
    };
    let rows: Vec<AnyView> = table.rows.iter().map(row).collect();
    view! {
        <div class="wrap" tabindex="0" role="region" aria-label="Table in the answer">
            <table class="tbl"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>
        </div>
    }
    .into_any()
}

fn line(pieces: &[Inline]) -> Vec<AnyView> {
    pieces.iter().map(piece).collect()
}

fn piece(piece: &Inline) -> AnyView {
    match piece {
        Inline::Text(text) => text.clone().into_any(),
        Inline::Code(text) => view! { <code>{text.clone()}</code> }.into_any(),
        Inline::Strong(inside) => view! { <strong>{line(inside)}</strong> }.into_any(),
        Inline::Emphasis(inside) => view! { <em>{line(inside)}</em> }.into_any(),
        Inline::Struck(inside) => view! { <s>{line(inside)}</s> }.into_any(),
        Inline::Break => view! { <br/> }.into_any(),
        Inline::Link { text, address } => link(text, address),
    }
}

fn link(text: &[Inline], address: &str) -> AnyView {
    let is_bare = matches!(text, [Inline::Text(text)] if text == address);
    let target = markdown::host(address).filter(|_| !is_bare).map(|host| format!(" ({host})"));
    view! {
        <a href=address.to_owned() rel="noopener noreferrer nofollow" target="_blank">{line(text)}</a>
        {target.map(|target| view! { <small class="dim">{target}</small> })}
    }
    .into_any()
}
