//! `endpoints.toml` block by block: each `[[endpoint]]` is read by itself, so that a broken one hides no other, and is
//! written back as it was found unless it changes. Pure; imports client types, toml.
//!
//! ```toml
//! [[endpoint]]
//! url = "http://192.168.1.5:8000"
//! key = "…"          # optional; sent to this origin only
//! label = "the box"  # optional
//! ```

use super::Endpoint;
use crate::engine::client::{BaseUrl, Secret};

const HEAD: &str = "[[endpoint]]";

/// The file's text in blocks.
#[derive(Debug, Default)]
pub struct Document {
    pub blocks: Vec<Block>,
}

/// Lines from one `[[endpoint]]` up to the next; the first block may be what stands before all of them.
#[derive(Debug)]
pub struct Block {
    /// Line in the file on which it begins, from 1.
    line: usize,
    text: String,
}

impl Document {
    /// Cuts the text into blocks; any text is a document.
    pub fn read(text: &str) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        for (at, line) in text.split_inclusive('\n').enumerate() {
            let begins = is_head(line);
            match blocks.last_mut() {
                Some(block) if !begins => block.text.push_str(line),
                _ => blocks.push(Block { line: at + 1, text: line.to_owned() }),
            }
        }
        Self { blocks }
    }

    /// The text to write; each block begins on a line of its own.
    pub fn text(&self) -> String {
        self.blocks.iter().fold(String::new(), |mut whole, block| {
            if !whole.is_empty() && !whole.ends_with('\n') {
                whole.push('\n');
            }
            whole + &block.text
        })
    }
}

fn is_head(line: &str) -> bool {
    let code = line.split('#').next().unwrap_or_default();
    code.chars().filter(|c| !c.is_whitespace()).eq(HEAD.chars())
}

impl Block {
    /// The block that says this.
    pub fn of(endpoint: &Endpoint) -> Self {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut text = format!("{HEAD}\nurl = {}\n", quoted(endpoint.base.as_str()));
        if let Some(key) = &endpoint.key {
            text.push_str(&format!("key = {}\n", quoted(key.reveal())));
        }
        if let Some(label) = &endpoint.label {
            text.push_str(&format!("label = {}\n", quoted(label)));
        }
        Self { line: 0, text }
    }

    /// The endpoint; `None` for blank lines and comments. An error has its line and holds no value of the file but the
    /// address, for the others may be keys.
    pub fn endpoint(&self) -> Result<Option<Endpoint>, (usize, String)> {
        let file: toml::Table = self.text.parse().map_err(|error: toml::de::Error| {
            let before = error.span().and_then(|span| self.text.get(..span.start)).unwrap_or_default();
            // an unclosed text is noticed on the next line; its own is the one to look at
            let line = self.line + before.trim_end_matches('\n').matches('\n').count();
            (line, "the entry is no valid TOML; write url = \"http://host:port\" with quotes".to_owned())
        })?;
        if file.is_empty() {
            return Ok(None);
        }
        let bad = |what: String| (self.line, what);
        let entry = file.get("endpoint").and_then(|list| list.get(0)).and_then(toml::Value::as_table);
        let Some(entry) = entry.filter(|_| file.len() == 1) else {
            return Err(bad(format!("it belongs to no entry; entries begin with {HEAD}")));
        };
        if let Some(name) = entry.keys().find(|name| !matches!(name.as_str(), "url" | "key" | "label")) {
            return Err(bad(format!("{name} is no field of an endpoint; there are url, key and label")));
        }
        let field = |name: &str| match entry.get(name) {
            None => Ok(None),
            Some(toml::Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(bad(format!("{name} must be text in quotes"))),
        };
        let (url, key, label) = (field("url")?, field("key")?, field("label")?);
        let base = BaseUrl::parse(url.unwrap_or_default()).map_err(|why| bad(why.to_string()))?;
        if key.is_some_and(|key| !super::is_header_text(key)) {
            return Err(bad("key holds characters that no HTTP header may hold".to_owned()));
        }
        Ok(Some(Endpoint { base, key: key.map(Secret::new), label: label.map(str::to_owned) }))
    }
}
