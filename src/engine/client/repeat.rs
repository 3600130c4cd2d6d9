//! Notices that a model repeats itself for ever. Pure.

/// Bytes of new text between two looks.
pub const EVERY: usize = 256;
/// Longest passage that counts as one repetition, in bytes.
const LONGEST: usize = 600;
/// Repetitions in a row that make a loop.
const TIMES: usize = 6;
/// Bytes that must be nothing but repetition.
const LEAST: usize = 1500;

/// Whether the text ends in the same passage again and again: at least six times and for at least 1,500 bytes, each
/// passage at most 600 bytes long. A list whose numbers go up is no repetition.
pub fn loops(text: &str) -> bool {
    let bytes = text.as_bytes();
    (1..=LONGEST).any(|period| {
        let length = LEAST.max(period * TIMES);
        let Some(start) = bytes.len().checked_sub(length) else { return false };
        let tail = &bytes[start..];
        tail.iter().rev().zip(tail.iter().rev().skip(period)).all(|(last, before)| last == before)
    })
}

#[cfg(test)]
mod tests {
    use super::loops;

    #[test]
    fn a_line_said_for_ever_is_a_loop() {
        for line in [
            "a",
            "I cannot say.\n",
            "<|im_end|>\n<|im_start|>user\nWrite two sentences.",
            "über Wasser ",
            &"x y z ".repeat(60),
        ] {
            assert!(loops(&format!("It begins well. {}", line.repeat(3600 / line.len() + 8))), "{line}");
        }
    }

    #[test]
    fn long_and_alike_is_no_loop() {
        let list: String = (1..400).map(|n| format!("{n}. item number {n}\n")).collect();
        assert!(!loops(&list));
        assert!(!loops(&"ab".repeat(600)), "1,200 bytes are too few");
        assert!(!loops(&format!("{}end.", "again ".repeat(600))));
        assert!(!loops(""));
    }
}
