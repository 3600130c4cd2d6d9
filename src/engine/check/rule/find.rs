//! Whether a text meets a rule, and why: one function each, pure.

use super::{Case, Casing, Rule, Script, Size, Unit, combine, forms, language, sort};
use crate::engine::check::{answer::shorten, structure, table, text};

/// Whether a rule is met, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub met: bool,
    pub why: String,
}

pub(super) fn finding(met: bool, why: impl Into<String>) -> Finding {
    Finding { met, why: why.into() }
}

impl Rule {
    /// Whether the text meets the rule as it stands.
    pub(in crate::engine::check) fn find(&self, text: &str) -> Finding {
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
            Self::Json { at, is, keys, size, equals, rule } => {
                let asked = structure::Asked { at, is: *is, keys: keys.as_deref(), equals: equals.as_ref() };
                let found = structure::json(text, &asked, |count| size.is_none_or(|size| size.holds(count)));
                match rule {
                    Some(rule) if found.met => {
                        structure::text_at(text, at).map_or_else(not_met, |text| rule.find(&text))
                    }
                    _ => found,
                }
            }
            Self::Csv { header, rows } => structure::csv(text, header, rows.as_deref()),
            Self::Table { header, rows } => table::find(text, header, rows.as_deref()),
            Self::Column { header, rule } => combine::column(header, rule, text),
            Self::Labels { are } => combine::labels(are, text),
            Self::Field { label, rule } => combine::field(label, rule, text),
            Self::Inside { open, close, rule } => combine::inside(open, close, rule, text),
            Self::Pieces { by, rule } => combine::pieces(by, rule, text),
            Self::Some { of, rule, size } => combine::some(*of, rule, *size, text),
            Self::Only { of, at, rule } => combine::only(*of, at, rule, text),
            Self::All { rules } => combine::all(rules, text),
            Self::Any { rules } => combine::any(rules, text),
            Self::Not { rule } => combine::not(rule, text),
            Self::Sorted { of, by, falling } => sort::sorted(*of, *by, *falling, text),
            Self::Numbers { size, between } => sort::numbers(*size, *between, text),
            Self::Signs { among, size, case } => signs(among, *size, *case, text),
            Self::Language { is } => language::find(*is, text),
            Self::Shape { like } => combine::shape(like, text),
        }
    }

    /// Whether the loose reading meets the rule; here quotes around a copy and behind an end are
    /// forgiven, too, and a closing mark behind an end that names none.
    pub(in crate::engine::check) fn find_loosely(&self, loose: &str) -> Finding {
        match self {
            Self::Ends { with } => {
                let (trimmed, wanted) = (loose.trim_end().trim_end_matches(['"', '”', '\'']), text::loose(with));
                let bare = trimmed.trim_end_matches(['.', '!', '"', '”', '\'']);
                // an end that names its mark has it
                let named = wanted.ends_with(['.', '!', '?', '…', ':', ';']);
                finding(text::ends_with(trimmed, &wanted) || (!named && text::ends_with(bare, &wanted)), "")
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

fn not_met(why: String) -> Finding {
    finding(false, why)
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
    match combine::index(at, items.len()).and_then(|index| items.get(index)) {
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
pub(super) fn base(c: char) -> char {
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

fn signs(among: &str, size: Size, case: Case, text: &str) -> Finding {
    let folded = |text: &str| if case == Case::Exact { text.to_owned() } else { text.to_lowercase() };
    let among = folded(among);
    let count = folded(text).chars().filter(|c| among.contains(*c)).count();
    finding(size.holds(count), format!("{count} characters are among {among:?}, asked for {}", size.words()))
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

pub(super) fn bare(item: &str) -> String {
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
