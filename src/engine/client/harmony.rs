//! Text in the harmony format that a server did not take apart: `<|channel|>analysis<|message|>…` or, with its markers
//! dropped, `analysis…assistantfinal…`. The final channel is the answer, all others are thought; calls written here are
//! text like any other and are not made. Works on the joined text, so a marker may be cut anywhere.

use super::think::Split;

const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
const FINAL: &str = "<|channel|>final<|message|>";
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", CHANNEL];
const BARE_START: &str = "analysis";
const BARE_FINAL: &str = "assistantfinal";

/// Divides text in this format; `None` if it is not in this format. `cut`: the answer was cut by its length, so that the
/// final channel may be missing.
pub fn split(text: &str, cut: bool) -> Option<Split> {
    let start = text.trim_start();
    if start.starts_with(CHANNEL) || start.starts_with("<|start|>") || has_final(text) {
        return Some(marked(text));
    }
    let after = start.strip_prefix(BARE_START)?;
    match after.rfind(BARE_FINAL) {
        Some(at) => Some(bare(text, text.len() - after.len(), text.len() - after.len() + at)),
        None if cut && after.starts_with(char::is_uppercase) => {
            let (reasoning, answer_at) = (after.trim().to_owned(), text.len());
            Some(Split { reasoning, answer_at, answer_to: answer_at, unclosed: false })
        }
        None => None,
    }
}

/// Whether a final channel is opened, and not in quotation marks.
pub fn has_final(text: &str) -> bool {
    text.match_indices(FINAL).any(|(at, _)| !text[..at].ends_with(['`', '"', '\'', '“', '‘', '«']))
}

fn marked(text: &str) -> Split {
    let mut thoughts = Vec::new();
    let mut answer = None;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(inside) = rest.strip_prefix(CHANNEL) {
            let header = inside.find(MESSAGE);
            let name = inside[..header.unwrap_or(inside.len())].trim();
            let body_at = at + CHANNEL.len() + header.map_or(inside.len(), |header| header + MESSAGE.len());
            let body = &text[body_at..];
            let length = end_of(body);
            match name.split(|c: char| c.is_whitespace() || c == '<').next() {
                Some("final") => answer = Some((body_at, body_at + length)),
                _ if name.contains("to=") => thoughts.push(format!("{name}: {}", body[..length].trim())),
                _ => thoughts.push(body[..length].trim().to_owned()),
            }
            at = body_at + length;
        } else if let Some(inside) = rest.strip_prefix("<|start|>") {
            // the role; without a channel what follows it is the answer
            let role = inside.find(['<', '\n']).unwrap_or(inside.len());
            at += "<|start|>".len() + role;
            if let Some(body) = text[at..].strip_prefix(MESSAGE) {
                let body_at = at + MESSAGE.len();
                at = body_at + end_of(body);
                answer = Some((body_at, at));
            }
        } else if let Some(end) = ENDS.iter().find(|end| rest.starts_with(**end)) {
            at += end.len();
        } else {
            let length = end_of(rest);
            thoughts.push(rest[..length].trim().to_owned());
            at += length.max(1);
        }
    }
    thoughts.retain(|thought| !thought.is_empty());
    let (from, to) = answer.unwrap_or((text.len(), text.len()));
    let answer_at = to - text[from..to].trim_start().len();
    Split { reasoning: thoughts.join("\n"), answer_at, answer_to: to, unclosed: false }
}

/// Where the text before the next marker ends.
fn end_of(text: &str) -> usize {
    ENDS.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len())
}

fn bare(text: &str, from: usize, to: usize) -> Split {
    let answer = text[to + BARE_FINAL.len()..].trim_start();
    Split {
        reasoning: text[from..to].trim().to_owned(),
        answer_at: text.len() - answer.len(),
        answer_to: text.len(),
        unclosed: false,
    }
}

/// A tool's name without the markers that some servers leave in it; `None` if there are none.
pub fn tool_name(name: &str) -> Option<&str> {
    name.split_once("<|").map(|(name, _)| name.trim())
}

/// Whether the text so far has opened a channel and not yet the final one; for the live view only.
pub fn is_open(text: &str) -> bool {
    text.trim_start().starts_with(CHANNEL) && !has_final(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q80_the_final_channel_is_the_answer() {
        for (text, cut, expected) in [
            (
                "<|channel|>analysis<|message|>six times seven<|end|><|start|>assistant<|channel|>final<|message|>42<|return|>",
                false,
                Some(("six times seven", "42")),
            ),
            ("<|channel|>final<|message|>42", false, Some(("", "42"))),
            (
                "six times seven<|end|><|start|>assistant<|channel|>final<|message|>42",
                false,
                Some(("six times seven", "42")),
            ),
            ("<|start|>assistant<|message|>42<|end|>", false, Some(("", "42"))),
            ("<|channel|>analysis<|message|>six tim", true, Some(("six tim", ""))),
            ("<|channel|>anal", true, Some(("", ""))),
            (
                "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\":1}<|call|>",
                false,
                Some(("commentary to=functions.f <|constrain|>json: {\"a\":1}", "")),
            ),
            (
                "<|channel|>final<|message|>41<|end|><|start|>assistant<|channel|>final<|message|> 42\n",
                false,
                Some(("", "42\n")),
            ),
            ("analysisSix times seven.assistantfinal42", false, Some(("Six times seven.", "42"))),
            ("analysisWe need six times", true, Some(("We need six times", ""))),
            ("analysisResult = 6", false, None),
            ("analysis shows six", true, None),
            ("The marker `<|channel|>final<|message|>` opens it", false, None),
            ("42", false, None),
            ("", true, None),
        ] {
            let split = split(text, cut);
            let found = split.as_ref().map(|s| (s.reasoning.as_str(), &text[s.answer_at..s.answer_to]));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn markers_come_off_a_tools_name() {
        assert_eq!(tool_name("get_tide<|channel|>commentary"), Some("get_tide"));
        assert_eq!(tool_name("get_tide"), None);
    }
}
