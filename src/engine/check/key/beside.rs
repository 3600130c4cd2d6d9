//! What stands in brackets beside an answer: a remark (`the shortest`, `7 × 4`), the same once more (`≈ 0.433`), or a
//! second answer (`or 26`, `maybe Ivo`). Pure. Imports: `check::{answer, number, text}`.

use crate::engine::check::{answer::brackets, number, text};

/// Words by which a text says that something else may be the answer.
const DOUBTS: [&str; 14] = [
    "or",
    "alternatively",
    "alternately",
    "maybe",
    "possibly",
    "perhaps",
    "probably",
    "might",
    "could",
    "else",
    "otherwise",
    "unless",
    "unsure",
    "guess",
];
/// What says that the same follows once more.
const AGAIN: [&str; 13] = [
    "=",
    "≈",
    "≡",
    "~",
    "i.e.",
    "ie",
    "that is",
    "approx.",
    "approximately",
    "about",
    "equals",
    "roughly",
    "rounded to",
];

/// What a text in brackets is.
#[derive(Debug, Clone, PartialEq)]
pub enum Beside {
    Remark,
    /// The same once more: without its introduction.
    Again(String),
    /// A second answer: without its introduction.
    Doubt(String),
}

/// What each text in brackets is.
pub fn all(candidate: &str) -> Vec<Beside> {
    brackets(candidate).into_iter().map(one).collect()
}

fn one(inner: &str) -> Beside {
    let lower = inner.to_lowercase();
    let words = text::words(&lower);
    // `if rounded down` makes another answer of the number before it
    let conditional = words.contains(&"if") && !number::all(inner).is_empty();
    if conditional || words.iter().any(|word| DOUBTS.contains(word)) {
        return Beside::Doubt(without_doubts(inner));
    }
    let start = inner.trim_start();
    for lead in AGAIN {
        let whole = !lead.ends_with(char::is_alphabetic)
            || !start.get(lead.len()..).is_some_and(|tail| tail.starts_with(char::is_alphanumeric));
        if start.get(..lead.len()).is_some_and(|head| head.eq_ignore_ascii_case(lead)) && whole {
            return Beside::Again(start[lead.len()..].trim_start_matches([' ', ',', ':']).to_owned());
        }
    }
    Beside::Remark
}

/// The text from its first word on that is no word of doubt, up to a condition.
fn without_doubts(inner: &str) -> String {
    let pieces = inner.split_whitespace();
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let skipped = |word: &&str| {
        let word = plain(word);
        DOUBTS.contains(&word.as_str())
            || ["it", "be", "is", "though", "also", "but", "even", "may"].contains(&word.as_str())
    };
    let kept = pieces
        .skip_while(skipped)
        .take_while(|word| !["if", "unless", "when", "because"].contains(&plain(word).as_str()));
    kept.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_is_told_from_a_second_answer() {
        let (again, doubt) = (|text: &str| Beside::Again(text.into()), |text: &str| Beside::Doubt(text.into()));
        for (text, expected) in [
            ("24 (alternatively 26)", doubt("26")),
            ("24 (possibly 26 if she sells 44)", doubt("26")),
            ("528.77 (528.76 if rounded down)", doubt("528.76")),
            ("4 (though it might be 3)", doubt("3")),
            ("Petra (or Ivo)", doubt("Ivo")),
            ("Petra [maybe Ivo]", doubt("Ivo")),
            ("13/30 (≈ 0.433)", again("0.433")),
            ("14/45 (i.e. 0.311)", again("0.311")),
            ("24 (approx. 24)", again("24")),
            ("Petra (the shortest)", Beside::Remark),
            ("Petra (not Ivo)", Beside::Remark),
            ("28 (7 × 4)", Beside::Remark),
            ("24 (4 boxes of 6)", Beside::Remark),
            ("24 (as asked if I read it right)", Beside::Remark),
            ("14:35 (2:35 pm)", Beside::Remark),
        ] {
            assert_eq!(all(text), [expected], "{text}");
        }
    }
}
