//! The rules themselves: a closed set, one arm each. Relations are `exactly`, `at_least`, `at_most` and `between`
//! (both ends included); any other word is an error when the file is loaded.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{answer::shorten, structure, text};

/// Whether a rule is met, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub met: bool,
    pub why: String,
}

fn finding(met: bool, why: impl Into<String>) -> Finding {
    Finding { met, why: why.into() }
}

/// How many there must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    Exactly(u32),
    AtLeast(u32),
    AtMost(u32),
    /// Both ends included.
    Between(u32, u32),
}

impl Size {
    fn holds(self, count: usize) -> bool {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        match self {
            Self::Exactly(n) => count == n,
            Self::AtLeast(n) => count >= n,
            Self::AtMost(n) => count <= n,
            Self::Between(low, high) => (low..=high).contains(&count),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Exactly(n) => format!("exactly {n}"),
            Self::AtLeast(n) => format!("at least {n}"),
            Self::AtMost(n) => format!("at most {n}"),
            Self::Between(low, high) => format!("{low} to {high}"),
        }
    }
}

/// What is counted or taken one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    Words,
    Sentences,
    /// Blocks with a blank line between them.
    Paragraphs,
    /// Lines with text on them.
    Lines,
    /// Lines that start with a bullet sign.
    Bullets,
    /// Lines that start with 1. or 1), numbered from 1 without a gap.
    Numbered,
    Characters,
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Sentences => "sentences",
            Self::Paragraphs => "paragraphs",
            Self::Lines => "lines",
            Self::Bullets => "bullets",
            Self::Numbered => "numbered items",
            Self::Characters => "characters",
        }
    }

    fn items(self, text: &str) -> Vec<String> {
        let own = |items: Vec<&str>| items.into_iter().map(str::to_owned).collect();
        match self {
            Self::Words => own(text::words(text)),
            Self::Sentences => text::sentences(text),
            Self::Paragraphs => text::paragraphs(text),
            Self::Lines => own(text::lines(text)),
            Self::Bullets => own(text::bullets(text)),
            Self::Numbered => {
                let items = text::numbered(text);
                let in_order = items.iter().zip(1_u32..).all(|((number, _), expected)| *number == expected);
                if in_order { items.into_iter().map(|(_, item)| item.to_owned()).collect() } else { Vec::new() }
            }
            Self::Characters => text.trim().chars().map(String::from).collect(),
        }
    }

    /// Every count that a fair reader may come to.
    fn counts(self, text: &str) -> Vec<usize> {
        match self {
            Self::Words => text::word_counts(text).to_vec(),
            _ => vec![self.items(text).len()],
        }
    }
}

/// Whether case matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    #[default]
    Any,
    Exact,
}

/// How letters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Casing {
    Lower,
    Upper,
    /// Every word starts with a capital.
    Title,
}

/// A script, by the blocks its letters stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Han,
    Kana,
    Hangul,
}

impl Script {
    fn has(self, c: char) -> bool {
        match self {
            Self::Latin => matches!(c, 'a'..='z' | 'A'..='Z' | '\u{aa}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}'),
            Self::Greek => matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}'),
            Self::Cyrillic => matches!(c, '\u{400}'..='\u{52f}'),
            Self::Arabic => matches!(c, '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}'),
            Self::Han => matches!(c, '\u{3400}'..='\u{9fff}'),
            Self::Kana => matches!(c, '\u{3040}'..='\u{30ff}'),
            Self::Hangul => matches!(c, '\u{ac00}'..='\u{d7af}' | '\u{1100}'..='\u{11ff}'),
        }
    }
}

/// What JSON value is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Text,
    Number,
    Boolean,
    List,
    Object,
    Null,
}

/// One rule. In lists of words, `tide|tides` are forms of one word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Rule {
    /// So many words, sentences … in the whole text.
    Count { of: Unit, size: Size },
    /// Every line, sentence … meets a rule of its own; there must be one.
    Each { of: Unit, rule: Box<Rule> },
    /// One line, sentence …, counted from 1, or from the end with -1, meets a rule.
    Item { of: Unit, at: i32, rule: Box<Rule> },
    /// So many of these words or phrases stand in the text as whole words; all of them unless `size` says otherwise.
    Includes {
        words: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<Size>,
        #[serde(default)]
        case: Case,
    },
    /// None of these words or phrases stands in the text as whole words.
    Excludes {
        words: Vec<String>,
        #[serde(default)]
        case: Case,
    },
    /// A word or phrase stands there so often, as whole words.
    Repeats {
        word: String,
        size: Size,
        #[serde(default)]
        case: Case,
    },
    /// These words or phrases first appear in this order.
    Order { words: Vec<String> },
    /// None of these letters, in either case, with or without accent.
    LacksLetters { letters: String },
    /// All letters are written so.
    Casing { style: Casing },
    /// The text starts with exactly this, as whole words.
    Starts { with: String },
    /// The text ends with exactly this, as whole words.
    Ends { with: String },
    /// The text is exactly this.
    Copy { text: String },
    /// The lines, list items … are these, in this order; in any case, closing punctuation apart.
    Items { of: Unit, are: Vec<String> },
    /// All lines, items … differ, in any case.
    Distinct { of: Unit },
    /// The first letters of the lines, words … spell this.
    Initials { of: Unit, spell: String },
    /// So many percent of all letters are of this script.
    Letters { script: Script, percent: Size },
    /// The text is one JSON value; the place named by a JSON pointer ("" is the whole) is as described.
    Json {
        at: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        is: Option<Kind>,
        /// Exactly these keys.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        keys: Option<Vec<String>>,
        /// Entries of a list or object.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<Size>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        equals: Option<Value>,
    },
    /// The text is comma-separated values with this first row, and these rows in this order if they are given.
    Csv {
        header: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rows: Option<Vec<Vec<String>>>,
    },
}

impl Rule {
    /// What is wrong with the rule itself.
    pub(super) fn validate(&self) -> Result<(), String> {
        let some =
            |words: &[String]| match words.iter().any(|word| forms(word).all(|form| text::words(form).is_empty())) {
                true => Err("a word is empty or has no letters".to_owned()),
                false if words.is_empty() => Err("the list of words is empty".to_owned()),
                false => Ok(()),
            };
        let sized = |size: &Size| match size {
            Size::Between(low, high) if low > high => Err(format!("between {low} and {high} is nothing")),
            _ => Ok(()),
        };
        match self {
            Self::Count { size, .. } | Self::Letters { percent: size, .. } => sized(size),
            Self::Each { rule, .. } => rule.validate(),
            Self::Item { at: 0, .. } => Err("items are counted from 1, or from the end with -1".to_owned()),
            Self::Item { rule, .. } => rule.validate(),
            Self::Includes { words, size, .. } => some(words).and(size.as_ref().map_or(Ok(()), sized)),
            Self::Excludes { words, .. } | Self::Order { words } => some(words),
            Self::Repeats { word, size, .. } => some(std::slice::from_ref(word)).and(sized(size)),
            Self::LacksLetters { letters: text }
            | Self::Starts { with: text }
            | Self::Ends { with: text }
            | Self::Copy { text }
            | Self::Initials { spell: text, .. }
                if text.trim().is_empty() =>
            {
                Err("its text is empty".to_owned())
            }
            Self::Items { are, .. } if are.is_empty() => Err("the list is empty".to_owned()),
            Self::Csv { header, .. } if header.is_empty() => Err("the header is empty".to_owned()),
            Self::Json { is: None, keys: None, size: None, equals: None, .. } => {
                Err("say is, keys, size or equals".to_owned())
            }
            Self::Json { at, .. } if !at.is_empty() && !at.starts_with('/') => {
                Err("a JSON pointer is empty or starts with /".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Whether the text meets the rule as it stands.
    pub(super) fn find(&self, text: &str) -> Finding {
        match self {
            Self::Count { of, size } => count(*of, *size, text),
            Self::Each { of, rule } => each(*of, rule, text),
            Self::Item { of, at, rule } => item(*of, *at, rule, text),
            Self::Includes { words, size, case } => includes(words, *size, *case, text),
            Self::Excludes { words, case } => match words.iter().find(|word| said(text, word, *case) > 0) {
                Some(word) => finding(false, format!("says {word:?}")),
                None => finding(true, "none of the excluded words is there"),
            },
            Self::Repeats { word, size, case } => {
                let times = said(text, word, *case);
                finding(size.holds(times), format!("{word:?} stands there {times} times, asked for {}", size.words()))
            }
            Self::Order { words } => order(words, text),
            Self::LacksLetters { letters } => match text.chars().find(|c| letters.to_lowercase().contains(base(*c))) {
                Some(c) => finding(false, format!("has the letter {c:?}")),
                None => finding(true, format!("has none of {letters:?}")),
            },
            Self::Casing { style } => casing(*style, text),
            Self::Starts { with } => {
                finding(text::starts_with(text, with), format!("starts with {}", shorten(&head(text.trim_start()))))
            }
            Self::Ends { with } => {
                finding(text::ends_with(text, with), format!("ends with {}", shorten(&tail(text.trim_end()))))
            }
            Self::Copy { text: wanted } => copy(wanted, text),
            Self::Items { of, are } => items(*of, are, text),
            Self::Distinct { of } => distinct(*of, text),
            Self::Initials { of, spell } => initials(*of, spell, text),
            Self::Letters { script, percent } => letters(*script, *percent, text),
            Self::Json { at, is, keys, size, equals } => {
                let asked = structure::Asked { at, is: *is, keys: keys.as_deref(), equals: equals.as_ref() };
                structure::json(text, &asked, |count| size.is_none_or(|size| size.holds(count)))
            }
            Self::Csv { header, rows } => structure::csv(text, header, rows.as_deref()),
        }
    }

    /// Whether the loose reading meets the rule; here a closing full stop and quotes around a copy are forgiven, too.
    pub(super) fn find_loosely(&self, loose: &str) -> Finding {
        match self {
            Self::Ends { with } => {
                let trimmed = loose.trim_end().trim_end_matches(['.', '!', '"', '”', '\'']);
                let wanted = text::loose(with);
                finding(text::ends_with(trimmed, wanted.trim_end_matches(['.', '!'])), "")
            }
            Self::Starts { with } => {
                finding(text::starts_with(loose.trim_start().trim_start_matches(['"', '“']), with), "")
            }
            Self::Copy { text: wanted } => {
                let trimmed = loose.trim().trim_matches(['"', '“', '”']);
                finding(trimmed == text::loose(wanted).trim(), "")
            }
            _ => self.find(loose),
        }
    }
}

fn forms(word: &str) -> impl Iterator<Item = &str> {
    word.split('|')
}

fn said(text: &str, word: &str, case: Case) -> usize {
    forms(word).map(|form| text::occurrences(text, form, case == Case::Exact)).sum()
}

fn head(text: &str) -> String {
    text.chars().take(30).collect()
}

fn tail(text: &str) -> String {
    let count = text.chars().count();
    text.chars().skip(count.saturating_sub(30)).collect()
}

fn count(of: Unit, size: Size, text: &str) -> Finding {
    let counts = of.counts(text);
    let met = counts.iter().copied().find(|count| size.holds(*count));
    let shown = met.or(counts.first().copied()).unwrap_or(0);
    finding(met.is_some(), format!("{shown} {}, asked for {}", of.name(), size.words()))
}

fn each(of: Unit, rule: &Rule, text: &str) -> Finding {
    let items = of.items(text);
    if items.is_empty() {
        return finding(false, format!("there are no {}", of.name()));
    }
    let broken = items.iter().zip(1_u32..).map(|(item, n)| (n, rule.find(item))).find(|(_, finding)| !finding.met);
    match broken {
        Some((n, broken)) => finding(false, format!("number {n} of the {}: {}", of.name(), broken.why)),
        None => finding(true, format!("all {} {} meet the rule", items.len(), of.name())),
    }
}

fn item(of: Unit, at: i32, rule: &Rule, text: &str) -> Finding {
    let items = of.items(text);
    let place = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    let index = if at > 0 { place.checked_sub(1) } else { items.len().checked_sub(place) };
    match index.and_then(|index| items.get(index)) {
        Some(item) => rule.find(item),
        None => finding(false, format!("there are only {} {}", items.len(), of.name())),
    }
}

fn includes(words: &[String], size: Option<Size>, case: Case, text: &str) -> Finding {
    let size = size.unwrap_or(Size::AtLeast(u32::try_from(words.len()).unwrap_or(u32::MAX)));
    let (there, missing): (Vec<&String>, Vec<&String>) = words.iter().partition(|word| said(text, word, case) > 0);
    let met = size.holds(there.len());
    let missing = missing.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", ");
    let of = words.len();
    match met {
        true => finding(true, format!("{} of {of} words are there", there.len())),
        false => finding(
            false,
            format!("{} of {of} words are there, asked for {}; missing: {missing}", there.len(), size.words()),
        ),
    }
}

fn order(words: &[String], text: &str) -> Finding {
    let mut last = None;
    for word in words {
        let Some(at) = forms(word).filter_map(|form| text::position(text, form)).min() else {
            return finding(false, format!("{word:?} is missing"));
        };
        if last.is_some_and(|last| at <= last) {
            return finding(false, format!("{word:?} comes too early"));
        }
        last = Some(at);
    }
    finding(true, "all come in the order asked for")
}

/// A letter in lower case without its accent, for the accents of Western European languages.
fn base(c: char) -> char {
    match c.to_lowercase().next().unwrap_or(c) {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

fn casing(style: Casing, text: &str) -> Finding {
    let wrong = match style {
        Casing::Lower => text.chars().find(|c| c.is_uppercase()).map(String::from),
        Casing::Upper => text.chars().find(|c| c.is_lowercase()).map(String::from),
        Casing::Title => {
            text::words(text).into_iter().find(|word| word.starts_with(char::is_lowercase)).map(str::to_owned)
        }
    };
    match wrong {
        Some(wrong) => finding(false, format!("{wrong:?} is in the wrong case")),
        None if text.chars().any(char::is_alphabetic) => finding(true, "all letters are in the case asked for"),
        None => finding(false, "there are no letters"),
    }
}

fn copy(wanted: &str, text: &str) -> Finding {
    let (wanted, text) = (wanted.trim(), text.trim());
    if wanted == text {
        return finding(true, "is the text, character by character");
    }
    let same = wanted.chars().zip(text.chars()).take_while(|(a, b)| a == b).count();
    let from = |text: &str| shorten(&text.chars().skip(same).take(20).collect::<String>());
    finding(false, format!("after {same} characters has {}, the text has {}", from(text), from(wanted)))
}

fn bare(item: &str) -> String {
    let item = text::without_marker(item).to_lowercase();
    text::squeeze(item.trim_end_matches(['.', ',', ';', '!', ' ']))
}

fn items(of: Unit, are: &[String], text: &str) -> Finding {
    let found: Vec<String> = of.items(text).iter().map(|item| bare(item)).collect();
    let wanted: Vec<String> = are.iter().map(|item| bare(item)).collect();
    if found == wanted {
        return finding(true, format!("the {} are the right ones, in order", of.name()));
    }
    let (n, w, f) = (found.len(), wanted.len(), found.iter().zip(&wanted).position(|(found, wanted)| found != wanted));
    match f {
        Some(index) => {
            finding(false, format!("number {} of the {} is {}", index + 1, of.name(), shorten(&found[index])))
        }
        None => finding(false, format!("{n} {} instead of {w}", of.name())),
    }
}

fn distinct(of: Unit, text: &str) -> Finding {
    let mut items: Vec<String> = of.items(text).iter().map(|item| bare(item)).collect();
    items.sort_unstable();
    match items.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => finding(false, format!("{} stands there twice", shorten(&pair[0]))),
        None => finding(!items.is_empty(), format!("{} different {}", items.len(), of.name())),
    }
}

fn initials(of: Unit, spell: &str, text: &str) -> Finding {
    let first = |item: &String| text::without_marker(item).chars().find(|c| c.is_alphabetic());
    let letters: String = of.items(text).iter().filter_map(first).flat_map(char::to_uppercase).collect();
    finding(
        letters == spell.to_uppercase(),
        format!("the first letters of the {} spell {}", of.name(), shorten(&letters)),
    )
}

fn letters(script: Script, percent: Size, text: &str) -> Finding {
    let all = text.chars().filter(|c| c.is_alphabetic()).count();
    let own = text.chars().filter(|c| c.is_alphabetic() && script.has(*c)).count();
    if all == 0 {
        return finding(false, "there are no letters");
    }
    let share = own * 100 / all;
    finding(percent.holds(share), format!("{share} % of the letters are {script:?}, asked for {}", percent.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(toml: &str) -> Rule {
        #[derive(Deserialize)]
        struct Holder {
            rule: Rule,
        }
        toml::from_str::<Holder>(&format!("rule.{toml}")).unwrap().rule
    }

    #[track_caller]
    fn agree(toml: &str, met: &[&str], not: &[&str]) {
        let rule = rule(toml);
        rule.validate().unwrap();
        for text in met {
            let finding = rule.find(text);
            assert!(finding.met, "{toml} on {text:?}: {}", finding.why);
        }
        for text in not {
            let finding = rule.find(text);
            assert!(!finding.met, "{toml} on {text:?}: {}", finding.why);
        }
    }

    #[test]
    fn fewer_than_101_words_ends_at_100() {
        let words = |n: usize| vec!["word"; n].join(" ");
        agree("count = { of = \"words\", size.at_most = 100 }", &[&words(100), &words(1)], &[&words(101)]);
    }

    #[test]
    fn counts_hold_at_both_ends() {
        agree("count = { of = \"words\", size.between = [2, 3] }", &["a b", "a b c", "a b-c"], &["a", "a b c d"]);
        agree("count = { of = \"bullets\", size.exactly = 2 }", &["- a\n- b", "• a\n• b"], &["- a", "a\nb"]);
        agree("count = { of = \"numbered\", size.exactly = 2 }", &["1. a\n2. b"], &["1. a\n3. b", "1. a"]);
    }

    #[test]
    fn items_are_judged_one_by_one() {
        agree(
            "each = { of = \"lines\", rule.count = { of = \"words\", size.exactly = 2 } }",
            &["a b\n\nc d"],
            &["a b\nc", ""],
        );
        agree("item = { of = \"lines\", at = -1, rule.starts.with = \"End\" }", &["x\nEnd."], &["End\nx", ""]);
    }

    #[test]
    fn words_are_whole_words_with_forms() {
        agree("includes.words = [\"tide|tides\", \"moon\"]", &["Tides follow the Moon."], &["tidemark moon", "tide"]);
        agree("includes = { words = [\"a\", \"b\", \"c\"], size.at_least = 2 }", &["a c"], &["a a"]);
        agree("excludes = { words = [\"very\"] }", &["every day"], &["Very well"]);
        agree("repeats = { word = \"rain\", size.exactly = 2 }", &["Rain, rain!"], &["rain rainy", "rain rain rain"]);
        agree("order.words = [\"salt\", \"oil\"]", &["salt, then oil"], &["oil, salt", "salt"]);
    }

    #[test]
    fn letters_and_case_are_those_of_the_whole_text() {
        agree("lacks_letters.letters = \"e\"", &["A dog ran by"], &["Else", "café"]);
        agree("casing.style = \"lower\"", &["all small, 1!"], &["Not", "123"]);
        agree("casing.style = \"upper\"", &["LOUD ÄÖ"], &["LOUd"]);
        agree("letters = { script = \"cyrillic\", percent.at_least = 90 }", &["Привет, мир"], &["Privet", "12"]);
        agree(
            "initials = { of = \"lines\", spell = \"sea\" }",
            &["So\n- every\nAll"],
            &["So\nAll\nEvery", "So\nEvery"],
        );
    }

    #[test]
    fn starts_and_ends_are_whole_words() {
        agree("starts.with = \"No\"", &["No, it is not", "No"], &["Nothing", "no", "Oh No"]);
        agree("ends.with = \"well.\"", &["Travel well."], &["farewell.", "well"]);
        assert!(rule("ends.with = \"well.\"").find_loosely("Travel well").met);
        assert!(!rule("ends.with = \"well.\"").find_loosely("farewell").met);
    }

    #[test]
    fn a_copy_is_exact() {
        agree("copy.text = \"Ab  c;\"", &["Ab  c;", "\nAb  c; \n"], &["Ab c;", "ab  c;", "Ab  c"]);
        let loose = rule("copy.text = \"Ab c\"").find_loosely("\"Ab c\"");
        assert!(loose.met);
    }

    #[test]
    fn lists_are_these_items_in_this_order() {
        agree(
            "items = { of = \"lines\", are = [\"Ant\", \"Bee\"] }",
            &["ant\nbee.", "1. Ant\n2. Bee"],
            &["Bee\nAnt", "Ant"],
        );
        agree("distinct.of = \"lines\"", &["a\nb"], &["a\nA.", ""]);
    }

    #[test]
    fn json_and_csv_are_read_not_searched() {
        agree(
            "json = { at = \"\", keys = [\"a\", \"b\"] }",
            &["{\"b\":1,\"a\":[]}"],
            &["{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}", "see {\"a\":1,\"b\":2}", "[1]", ""],
        );
        agree(
            "json = { at = \"/a\", is = \"list\", size.exactly = 2 }",
            &["{\"a\":[1,2]}"],
            &["{\"a\":[1]}", "{\"a\":\"x\"}"],
        );
        agree("json = { at = \"/a\", equals = 3 }", &["{\"a\":3}", "{\"a\":3.0}"], &["{\"a\":\"3\"}", "{\"a\":true}"]);
        agree(
            "csv = { header = [\"name\", \"n\"], rows = [[\"x, y\", \"2\"]] }",
            &["name,n\n\"x, y\",2", "name, n\r\n\"x, y\", 2\n"],
            &["name,n\nx, y,2", "n,name\n2,\"x, y\"", "name,n", "name,n\n\"x, y\",2\nz,3"],
        );
    }

    #[test]
    fn an_unknown_relation_or_rule_is_no_rule() {
        for text in [
            "rule.count = { of = \"words\", size.less_than = 101 }",
            "rule.count = { of = \"syllables\", size.at_most = 3 }",
            "rule.count = { of = \"words\", size.at_most = 3, extra = 1 }",
            "rule.rhymes = { with = \"sea\" }",
        ] {
            #[derive(Deserialize, Debug)]
            struct Holder {
                #[expect(dead_code, reason = "only its parsing is of interest")]
                rule: Rule,
            }
            let error = toml::from_str::<Holder>(text).unwrap_err().to_string();
            assert!(error.contains("unknown variant") || error.contains("unexpected keys"), "{text}: {error}");
        }
    }

    #[test]
    fn a_rule_that_can_never_work_is_refused() {
        for text in [
            "count = { of = \"words\", size.between = [3, 2] }",
            "item = { of = \"lines\", at = 0, rule.starts.with = \"x\" }",
            "includes.words = []",
            "includes.words = [\"!\"]",
            "starts.with = \" \"",
            "json.at = \"\"",
        ] {
            assert!(rule(text).validate().is_err(), "{text}");
        }
    }
}
