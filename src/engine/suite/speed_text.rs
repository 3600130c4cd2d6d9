//! Prompts of timed tasks. Each starts with a nonce, so that no server finds it in a cache; the rest is our own prose.

use std::fmt::Write;

/// Prose for prompts that are only read: paragraphs with a blank line between them.
const FILLER: &str = include_str!("../../../suites/speed/filler.txt");
/// What is asked after the filler.
const PREFILL_QUESTION: &str = "Question: in one short sentence, what is the text above about?";

/// What the digest of a timed task covers beside its numbers: every word that a prompt is made of.
pub(super) fn digest_text() -> String {
    format!("{}\n{}", decode_prompt("nonce", 256), prefill_prompt("nonce", 4096, 4.0))
}

/// A short prompt that makes any model write on past `tokens` tokens.
pub fn decode_prompt(nonce: &str, tokens: u32) -> String {
    // Fewer tokens than words would be odd in any language; half as many again leaves room for short tokens.
    let words = (u64::from(tokens) * 3 / 2).max(200);
    format!(
        "[{nonce}] Write one long, continuous account of a sea voyage along an unknown coast: the ship, the crew, the \
         weather, the harbours, what was found and what went wrong. Write flowing prose in full sentences, at least \
         {words} words, without headings, lists or summaries. Begin with the first sentence of the account at once, and \
         do not stop, conclude or ask anything before you have written all {words} words; if you reach the end of one \
         day, go on with the next."
    )
}

/// A prompt of about `depth_tokens` tokens, sized by the characters per token that the model was seen to have. A value
/// that is no rate above 0.5 is taken for 4.
pub fn prefill_prompt(nonce: &str, depth_tokens: u32, chars_per_token: f64) -> String {
    let rate = if chars_per_token.is_finite() && chars_per_token > 0.5 { chars_per_token.min(20.0) } else { 4.0 };
    let wanted = (f64::from(depth_tokens) * rate) as usize;
    let mut prompt = format!("[{nonce}] Read the notes below, then answer the question at their end.\n\n");
    let room = wanted.saturating_sub(prompt.chars().count() + PREFILL_QUESTION.chars().count() + 2);
    let mut filler = String::new();
    let mut length = 0;
    let paragraphs: Vec<&str> = FILLER.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).collect();
    for (number, paragraph) in (1_u32..).zip(paragraphs.iter().cycle()) {
        if length >= room || paragraphs.is_empty() {
            break;
        }
        let before = filler.len();
        // The number keeps a paragraph from being the same the second time round. Writing to a string cannot fail.
        let _ = write!(filler, "Note {number}. {paragraph}\n\n");
        length += filler[before..].chars().count();
    }
    // Cut at the last word that fits.
    let cut: String = filler.chars().take(room).collect();
    let end = if cut.len() < filler.len() { cut.rfind(char::is_whitespace).unwrap_or(cut.len()) } else { cut.len() };
    prompt.push_str(cut[..end].trim_end());
    prompt.push_str("\n\n");
    prompt.push_str(PREFILL_QUESTION);
    prompt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_starts_with_its_nonce() {
        assert!(decode_prompt("k7", 64).starts_with("[k7]"));
        assert!(prefill_prompt("k7", 512, 4.0).starts_with("[k7]"));
    }

    #[test]
    fn a_prefill_prompt_has_the_length_asked_for() {
        for (depth, rate) in [(512, 4.0), (2048, 4.3), (8192, 4.4), (8192, 2.0)] {
            let length = prefill_prompt("k7", depth, rate).chars().count() as f64;
            let wanted = f64::from(depth) * rate;
            assert!((length - wanted).abs() < 40.0, "{depth} tokens at {rate}: {length} characters, wanted {wanted}");
        }
    }

    #[test]
    fn no_paragraph_comes_twice_in_the_same_words() {
        let prompt = prefill_prompt("k7", 8192, 4.4);
        let mut paragraphs: Vec<&str> = prompt.split("\n\n").collect();
        let count = paragraphs.len();
        paragraphs.sort_unstable();
        paragraphs.dedup();
        assert_eq!(paragraphs.len(), count);
    }

    #[test]
    fn a_rate_that_was_not_measured_is_taken_for_four() {
        for rate in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            assert_eq!(prefill_prompt("k7", 512, rate), prefill_prompt("k7", 512, 4.0));
        }
        assert!(prefill_prompt("k7", 1, 4.0).ends_with(PREFILL_QUESTION));
    }
}
