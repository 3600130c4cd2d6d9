//! Text as a reader sees it: words, sentences, paragraphs, lines and list items in any script, and the loose reading
//! without decoration.

use unicode_segmentation::UnicodeSegmentation;

/// One line with single spaces: for comparing texts whatever their layout.
pub fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// With plain hyphens: some models write one that does not break, a minus or a dash between figures.
pub fn plain_hyphens(text: &str) -> String {
    text.replace(['\u{2010}', '\u{2011}', '\u{2212}', '\u{2013}'], "-")
}

/// Refuses a list of `a|b` with a form that has no word.
pub fn worded(forms: &[String]) -> Result<(), String> {
    match forms.iter().flat_map(|forms| forms.split('|')).find(|form| words(form).is_empty()) {
        Some(form) => Err(format!("{form:?} has no word in it")),
        None => Ok(()),
    }
}

/// Words by Unicode's rules: `don't` is one, `well-known` are two, punctuation is none.
pub fn words(text: &str) -> Vec<&str> {
    text.unicode_words().collect()
}

/// The two counts of words that people use: Unicode's, and whatever stands between spaces and holds a letter or digit
/// (`well-known` is one). They differ by hyphens, slashes and the like; a rule may be met in either.
pub fn word_counts(text: &str) -> [usize; 2] {
    let spaced = text
        .split(|c: char| c.is_whitespace() || matches!(c, '—' | '–'))
        .filter(|token| token.chars().any(char::is_alphanumeric))
        .count();
    [spaced, words(text).len()]
}

const ABBREVIATIONS: [&str; 23] = [
    "dr.", "mr.", "mrs.", "ms.", "prof.", "st.", "e.g.", "i.e.", "vs.", "approx.", "fig.", "nr.", "ca.", "bzw.",
    "z.b.", "sr.", "sra.", "dra.", "mme.", "mt.", "ft.", "jr.", "ee.",
];
/// Words that begin a sentence more often than they go on behind `U.S.`
const OPENERS: [&str; 24] = [
    "the", "a", "an", "it", "he", "she", "we", "they", "you", "i", "this", "that", "these", "there", "then", "but",
    "and", "in", "on", "at", "el", "la", "los", "las",
];
/// German words that make an ordinal of the number before them: `3. Mai`, `18. Jahrhundert`.
const AFTER_ORDINALS: [&str; 17] = [
    "januar",
    "februar",
    "märz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
    "jahrhundert",
    "jahrhunderts",
    "klasse",
    "stock",
    "platz",
];

/// Sentences by Unicode's rules, except that a title, an abbreviation, an initial, an ordinal or a list number ends none,
/// nor does what stands in brackets or quotes inside of one, and a line that ends with a comma goes on in the next
/// (`Dear guest,`).
pub fn sentences(text: &str) -> Vec<String> {
    let text = &text.replace('…', "...");
    let mut sentences: Vec<String> = Vec::new();
    let mut open = false;
    let mut pieces = text.split_sentence_bounds().peekable();
    while let Some(piece) = pieces.next() {
        if open && let Some(last) = sentences.last_mut() {
            last.push_str(piece);
        } else {
            sentences.push(piece.to_owned());
        }
        let ends_line = piece.contains(['\n', '\r']);
        let goes_on = ends_line && piece.trim_end().ends_with(',');
        let last_word = piece.split_whitespace().next_back().unwrap_or("").to_lowercase();
        let bare = last_word.trim_start_matches(['(', '"', '“']);
        let initial = bare.chars().count() == 2 && bare.ends_with('.') && !bare.starts_with(['i', 'a']);
        let only_number = piece.trim().trim_end_matches(['.', ')']).chars().all(|c| c.is_ascii_digit());
        let blank = open && piece.trim().is_empty();
        let next = pieces.peek().copied().unwrap_or_default();
        let inside = !ends_line && is_inside(sentences.last().map_or("", String::as_str), next);
        open = goes_on
            || blank
            || inside
            || !ends_line && goes_on_behind(bare, next)
            || !ends_line && (ABBREVIATIONS.contains(&bare) || (initial && bare.starts_with(char::is_alphabetic)))
            || only_number && !piece.trim().is_empty() && !ends_line;
    }
    sentences
        .into_iter()
        .map(|sentence| sentence.trim().to_owned())
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

/// Whether a mark that ends sentences stands in brackets or quotes inside of one: `(what a sight!) hunting`.
fn is_inside(so_far: &str, next: &str) -> bool {
    let count = |signs: [char; 2]| so_far.matches(signs).count();
    if count(['(', '[']) > count([')', ']']) {
        return true;
    }
    let end = so_far.trim_end();
    if end.ends_with([')', ']']) {
        let opened = end.rfind(['(', '[']).unwrap_or(0);
        return end[..opened].contains(char::is_alphanumeric) && next.trim_start().starts_with(char::is_alphanumeric);
    }
    end.ends_with(['"', '”', '“', '»', '\'', '’']) && next.trim_start().starts_with(char::is_lowercase)
}

/// Whether a sentence goes on behind `U.S.`, or behind the number of an ordinal.
fn goes_on_behind(last: &str, next: &str) -> bool {
    let next = words(next).first().map(|word| word.to_lowercase()).unwrap_or_default();
    let letters = last.strip_suffix('.').unwrap_or_default();
    let acronym = letters.contains('.')
        && letters.split('.').all(|part| part.chars().count() == 1)
        && !matches!(last, "a.m." | "p.m.")
        || last == "uu.";
    let number = !letters.is_empty() && letters.len() <= 2 && letters.chars().all(|c| c.is_ascii_digit());
    (acronym && !next.is_empty() && !OPENERS.contains(&next.as_str()))
        || (number && AFTER_ORDINALS.contains(&next.as_str()))
}

/// The counts of sentences that people come to: a quotation that is a sentence of its own may be one with what follows
/// it (`"Good boy!" I say.`).
pub fn sentence_counts(text: &str) -> Vec<usize> {
    let sentences = sentences(text);
    let is_quote = |sentence: &String| {
        sentence.starts_with(['"', '“', '„', '«', '»']) && sentence.ends_with(['"', '”', '“', '»', '«'])
    };
    let joined = sentences.iter().rev().skip(1).filter(|sentence| is_quote(sentence)).count();
    let mut counts = vec![sentences.len()];
    counts.extend((joined > 0).then(|| sentences.len() - joined));
    counts
}

/// Whether the text starts with this, and not in the middle of a word.
pub fn starts_with(text: &str, with: &str) -> bool {
    let whole = |rest: &str| !with.ends_with(char::is_alphanumeric) || !rest.starts_with(char::is_alphanumeric);
    text.trim_start().strip_prefix(with).is_some_and(whole)
}

/// Whether the text ends with this, and not in the middle of a word.
pub fn ends_with(text: &str, with: &str) -> bool {
    let whole = |rest: &str| !with.starts_with(char::is_alphanumeric) || !rest.ends_with(char::is_alphanumeric);
    text.trim_end().strip_suffix(with).is_some_and(whole)
}

/// Lines with something on them, trimmed.
pub fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Blocks of lines with a blank line between them.
pub fn paragraphs(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    for line in text.lines() {
        match (line.trim().is_empty(), blocks.last_mut()) {
            (true, Some(last)) if !last.is_empty() => blocks.push(String::new()),
            (false, Some(last)) => {
                if !last.is_empty() {
                    last.push('\n');
                }
                last.push_str(line.trim());
            }
            _ => {}
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

/// What stands after a bullet sign (`-`, `*`, `+`, `•`, `–` and the like, then a space), line by line.
pub fn bullets(text: &str) -> Vec<&str> {
    lines(text).into_iter().filter_map(bullet).collect()
}

/// What stands after the bullet sign of one trimmed line.
pub fn bullet(line: &str) -> Option<&str> {
    let tail = line.strip_prefix(['-', '*', '+', '•', '–', '‣', '◦', '▪', '·', '●'])?;
    let item = tail.trim_start();
    (item.len() < tail.len() && !item.is_empty()).then_some(item)
}

/// What stands after `1.`, `2)` and so on, line by line, with the number.
pub fn numbered(text: &str) -> Vec<(u32, &str)> {
    lines(text).into_iter().filter_map(numbered_item).collect()
}

fn numbered_item(line: &str) -> Option<(u32, &str)> {
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    let number = line[..end].parse().ok()?;
    let tail = line[end..].strip_prefix(['.', ')'])?;
    let item = tail.trim_start();
    (item.len() < tail.len() && !item.is_empty()).then_some((number, item))
}

/// A line without its bullet sign or number.
pub fn without_marker(line: &str) -> &str {
    let line = line.trim();
    bullet(line).or_else(|| numbered_item(line).map(|(_, item)| item)).unwrap_or(line)
}

/// How often a phrase stands in the text as whole words, in order, whatever stands between words. Never inside a word;
/// a possessive (`Earth's`) is its word.
pub fn occurrences(text: &str, phrase: &str, exact_case: bool) -> usize {
    let (there, wanted) = (folded(text, exact_case), folded(phrase, exact_case));
    if wanted.is_empty() {
        return 0;
    }
    there.windows(wanted.len()).filter(|window| **window == wanted[..]).count()
}

/// Where a phrase first stands in the text, as the index of its first word.
pub fn position(text: &str, phrase: &str) -> Option<usize> {
    let (there, wanted) = (folded(text, false), folded(phrase, false));
    (!wanted.is_empty()).then(|| there.windows(wanted.len()).position(|window| *window == wanted[..]))?
}

fn folded(text: &str, exact_case: bool) -> Vec<String> {
    words(text)
        .into_iter()
        .map(|word| word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word))
        .map(|word| if exact_case { word.to_owned() } else { word.to_lowercase() })
        .collect()
}

/// The loose reading: without code fences, markdown emphasis and heading signs, a leading line like `Sure, here is the
/// list:`, surrounding blank lines and quotes around all of it.
pub fn loose(text: &str) -> String {
    without_quotes(&unwrapped(text).lines().map(without_emphasis).collect::<Vec<_>>().join("\n")).to_owned()
}

/// The text without what is put around it: code fences, a leading line like `Sure, here is the list:`, surrounding
/// blank lines and quotes around all of it. Its markdown stays.
pub fn unwrapped(text: &str) -> String {
    let unfenced: Vec<&str> = text.lines().filter(|line| !is_fence(line)).collect();
    let mut lines: Vec<&str> = unfenced.as_slice().trim_blank().to_vec();
    if lines.len() > 1 && lines.first().is_some_and(|line| is_announcement(line)) {
        lines.remove(0);
    }
    without_quotes(&lines.as_slice().trim_blank().join("\n")).to_owned()
}

/// The text inside one pair of quotes that holds all of it; the text itself where quotes are part of it.
fn without_quotes(text: &str) -> &str {
    const PAIRS: [(char, char); 7] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('„', '”'), ('«', '»'), ('»', '«'), ('「', '」')];
    let inner = |(open, close): &(char, char)| {
        let inner = text.trim().strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close])).then_some(inner)
    };
    PAIRS.iter().find_map(inner).unwrap_or(text)
}

trait TrimBlank {
    fn trim_blank(&self) -> &Self;
}

impl TrimBlank for [&str] {
    fn trim_blank(&self) -> &Self {
        let blank = |line: &&str| line.trim().is_empty();
        let start = self.iter().position(|line| !blank(line)).unwrap_or(self.len());
        let end = self.iter().rposition(|line| !blank(line)).map_or(start, |last| last + 1);
        &self[start..end]
    }
}

/// Whether a line opens or closes a block of code: three signs or more, and at most the name of a language.
pub fn is_fence(line: &str) -> bool {
    let line = line.trim();
    ['`', '~'].iter().any(|sign| {
        let language = line.trim_start_matches(*sign);
        let named = language.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '#'));
        line.len() - language.len() >= 3 && named
    })
}

/// Whether a first line only announces what follows: `Sure, here is the list:`, `Certainly!`, `Answer:`.
fn is_announcement(line: &str) -> bool {
    const OPENINGS: [&str; 13] = [
        "here",
        "below",
        "the following",
        "hier",
        "im folgenden",
        "aquí",
        "a continuación",
        "voici",
        "ecco",
        "claro que sí",
        "desde luego",
        "bien sûr",
        "selbstverständlich",
    ];
    const AGREED: [&str; 13] = [
        "sure",
        "certainly",
        "of course",
        "absolutely",
        "okay",
        "ok",
        "gladly",
        "klar",
        "gern",
        "gerne",
        "natürlich",
        "claro",
        "por supuesto",
    ];
    const LABELS: [&str; 7] = ["answer", "response", "output", "result", "reply", "antwort", "respuesta"];
    let plain = without_emphasis(line).trim().to_lowercase();
    let plain = plain.trim_start_matches(['¡', '¿']);
    let opens = |opening: &&str| {
        plain.strip_prefix(*opening).is_some_and(|tail| !tail.starts_with(|c: char| c.is_alphanumeric() && c != 's'))
    };
    match plain.strip_suffix([':', '：']) {
        Some(label) => LABELS.contains(&label.trim_end()) || OPENINGS.iter().chain(&AGREED).any(opens),
        None => plain.strip_suffix(['!', '.', ',']).is_some_and(|agreed| AGREED.contains(&agreed)),
    }
}

/// One line without `**`, `__`, backticks, heading signs, and single `*` or `_` that hug a word. A bullet sign stays.
pub fn without_emphasis(line: &str) -> String {
    let heading = line.trim_start().trim_start_matches('#');
    let line =
        if heading.len() < line.trim_start().len() && heading.starts_with(' ') { heading.trim_start() } else { line };
    let plain = line.replace("**", "").replace("__", "").replace('`', "");
    let chars: Vec<char> = plain.chars().collect();
    let at = |index: Option<usize>| index.and_then(|index| chars.get(index)).copied();
    let keeps = |(index, c): &(usize, &char)| {
        if !matches!(c, '*' | '_') {
            return true;
        }
        let before = at(index.checked_sub(1));
        let after = at(Some(index + 1));
        let opens = before.is_none_or(|b| !b.is_alphanumeric()) && after.is_some_and(|a| !a.is_whitespace());
        let closes = before.is_some_and(|b| !b.is_whitespace()) && after.is_none_or(|a| !a.is_alphanumeric());
        !(opens || closes)
    };
    chars.iter().enumerate().filter(keeps).map(|(_, c)| *c).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accented_and_apostrophed_words_are_one_word() {
        assert_eq!(words("Élodie doesn't naïvely café-hop."), ["Élodie", "doesn't", "naïvely", "café", "hop"]);
        assert_eq!(word_counts("a well-known café — open 9-5"), [5, 7]);
    }

    #[test]
    fn titles_and_decimals_end_no_sentence() {
        let text = "Dr. Weiss paid 3.50 for it. \"Really?\" asked J. Brown at 5 p.m. sharp. Yes!";
        assert_eq!(sentences(text).len(), 3, "{:?}", sentences(text));
        assert_eq!(sentences("1. First thing.\n2. Second thing.").len(), 2);
        assert_eq!(sentences("One\n\nTwo").len(), 2);
        assert_eq!(sentences("Dear guest,\n\nit is open. Come in!").len(), 2);
        assert_eq!(sentences("Das kostet ca. 20 Euro, z. B. Montags. Gut.").len(), 2);
        assert_eq!(sentences("  … !").len(), 0);
    }

    #[test]
    fn what_stands_inside_of_a_sentence_ends_none() {
        for (text, counts) in [
            ("The dog (what a sight!) hunting for a ball runs. It barks.", &[2][..]),
            ("He left (at last!) Rex with us. Good.", &[2]),
            ("He left. (At last!) Then he came back.", &[3]),
            ("He (Really? Yes!) came. Fine.", &[2]),
            ("\"What a dog!\" cried the boy. It ran.", &[2]),
            ("\"Good boy!\" I say to it. It runs.", &[3, 2]),
            ("„Achtung!“, rief er. Dann kam er.", &[2]),
            ("Am 3. Oktober regnet es. Im 18. Jahrhundert auch.", &[2]),
            ("Es waren 3. Dann kamen mehr.", &[2]),
            ("The U.S. Geological Survey measures it. It rains.", &[2]),
            ("It happened in the U.S. The rain fell.", &[2]),
            ("En EE. UU. Ana duerme. Luego sale.", &[2]),
            ("Mt. Everest is high. So is K2.", &[2]),
            ("It rains… Then it stops… The end.", &[3]),
            ("It rains... and rains. Done.", &[2]),
        ] {
            assert_eq!(sentence_counts(text), counts, "{text}: {:?}", sentences(text));
        }
    }

    #[test]
    fn a_fence_has_three_signs_or_more() {
        for line in ["```", "```json", "``` json", "````", "~~~", "~~~python", "  ```  "] {
            assert!(is_fence(line), "{line}");
        }
        for line in ["``", "`a`", "```a b c```", "text ```", "~~x~~"] {
            assert!(!is_fence(line), "{line}");
        }
    }

    #[test]
    fn paragraphs_need_a_blank_line() {
        assert_eq!(paragraphs("a\nb\n \n\nc\n"), ["a\nb", "c"]);
        assert!(paragraphs("\n \n").is_empty());
    }

    #[test]
    fn list_items_are_found_with_any_sign() {
        assert_eq!(bullets("- a\n• b\n* c\n*d*\n-\n -5"), ["a", "b", "c"]);
        assert_eq!(numbered("1. a\n2) b\n3 c\n4.5 d"), [(1, "a"), (2, "b")]);
    }

    #[test]
    fn words_inside_words_do_not_count() {
        assert_eq!(occurrences("The cat concatenates; Cat!", "cat", false), 2);
        assert_eq!(occurrences("The cat concatenates; Cat!", "cat", true), 1);
        assert_eq!(occurrences("high - tide, High Tide", "high tide", false), 2);
        assert_eq!(occurrences("The Earth's moon, earthen", "earth", false), 1);
        assert_eq!(occurrences("x", "", false), 0);
    }

    #[test]
    fn unwrapped_text_keeps_its_markdown() {
        assert_eq!(unwrapped("Here it is:\n```markdown\n## A\n- **b**\n```\n"), "## A\n- **b**");
    }

    #[test]
    fn quotes_around_all_of_a_text_are_no_part_of_it() {
        for quoted in ["\"a, b\"", "“a, b”", "„a, b“", "«a, b»", "「a, b」", "**\"a, b\"**"] {
            assert_eq!(loose(quoted), "a, b", "{quoted}");
        }
        for own in ["\"a\", \"b\"", "\"a\" and b", "\"", "“a” or “b”"] {
            assert_eq!(loose(own), own);
        }
    }

    #[test]
    fn the_loose_reading_takes_off_what_models_put_around() {
        let text = "Sure, here's the list:\n\n```text\n**One** and *two*\n* item `x`\nsnake_case 2 * 3\n```\n\n";
        assert_eq!(loose(text), "One and two\n* item x\nsnake_case 2 * 3");
        assert_eq!(loose("Here we go again."), "Here we go again.");
        assert_eq!(loose("Sure:"), "Sure:");
        assert_eq!(loose("Certainly!\n\nOne.\nTwo."), "One.\nTwo.");
        assert_eq!(loose("**Antwort:**\nEins."), "Eins.");
        assert_eq!(loose("¡Claro! Aquí tienes las frases:\n\nUno."), "Uno.");
        assert_eq!(loose("Answer one:\nTwo."), "Answer one:\nTwo.");
        assert_eq!(loose(""), "");
    }
}
