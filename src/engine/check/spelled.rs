//! Small numbers in words: `seven`, `forty-two`, `minus seven`.
//!
//! Imports: nothing.

const ONES: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/// Words that make another number of what stands before them.
const MORE: [&str; 14] = [
    "hundred", "thousand", "million", "billion", "dozen", "half", "third", "thirds", "quarter", "quarters", "tenths",
    "point", "percent", "over",
];

/// The whole number from -99 to 99 that lower-case words begin with, where nothing after it makes it another one.
pub(super) fn read(words: &[String]) -> Option<i128> {
    let (negative, words) = match words.split_first() {
        Some((first, rest)) if ["minus", "negative"].contains(&first.as_str()) => (true, rest),
        _ => (false, words),
    };
    let one = |word: Option<&String>| ONES.iter().position(|one| Some(*one) == word.map(String::as_str));
    let first = words.first()?;
    let (value, rest) = match TENS.iter().position(|ten| ten == first) {
        Some(ten) => match one(words.get(1)).filter(|one| (1..10).contains(one)) {
            Some(one) => (20 + 10 * ten + one, &words[2..]),
            None => (20 + 10 * ten, &words[1..]),
        },
        None => (one(Some(first))?, &words[1..]),
    };
    let more =
        |word: &String| MORE.contains(&word.as_str()) || ONES.contains(&word.as_str()) || TENS.contains(&word.as_str());
    // `seven eggs are left`, but not `one of the trains` or a whole sentence.
    if rest.len() > 3 || rest.first().is_some_and(|word| word == "of") || rest.iter().any(more) {
        return None;
    }
    let value = i128::try_from(value).ok()?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_whole() {
        for (text, expected) in [
            ("seven", Some(7)),
            ("twenty four eggs", Some(24)),
            ("minus seven degrees", Some(-7)),
            ("ninety", Some(90)),
            ("forty two thousand", None),
            ("seven and a half", None),
            ("seven eight", None),
            ("one of them", None),
            ("eggs", None),
            ("", None),
        ] {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            assert_eq!(read(&words), expected, "{text}");
        }
    }
}
