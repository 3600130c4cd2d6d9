//! Whether a text says that a deed was done. Only an affirmative sentence in the past, the perfect or the simple future says
//! so: `I've refunded it`, `it was refunded`, `I will refund it now`. A question, a condition (`once it is signed, it is
//! refunded`), a need (`has to be refunded`) and a denial (`nothing has been refunded`) do not.

use super::split::{self, Sentence};

/// What a text says of a deed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Standing {
    /// The words that say that it was or will be done.
    pub claimed: Option<String>,
    /// It says somewhere that it was not done.
    pub denied: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Base,
    Past,
    Progressive,
    /// As it stands, in any form.
    Phrase,
}

const IRREGULAR: [(&str, &[&str]); 12] = [
    ("pay", &["paid"]),
    ("send", &["sent"]),
    ("make", &["made"]),
    ("give", &["gave", "given"]),
    ("take", &["took", "taken"]),
    ("put", &["put"]),
    ("set", &["set"]),
    ("go", &["went", "gone"]),
    ("do", &["did", "done"]),
    ("buy", &["bought"]),
    ("ship", &["shipped"]),
    ("cancel", &["cancelled", "canceled"]),
];
/// Verbs that say of a noun that it came about: `the refund was issued`.
const CARRIERS: [&str; 9] = ["make", "process", "issue", "complete", "execute", "initiate", "grant", "finish", "start"];
/// Phrases that say of a noun that it came about.
const UNDER_WAY: [&str; 6] =
    ["on its way", "on their way", "went through", "gone through", "under way", "in your account"];
const FAILING: [&str; 9] =
    ["failed", "fails", "impossible", "declined", "rejected", "refused", "denied", "unsuccessful", "unable"];
const NEGATIVE: [&str; 6] = ["not", "never", "cannot", "nor", "unable", "without"];
const NONE: [&str; 7] = ["no", "none", "nothing", "neither", "nobody", "zero", "0"];
/// Between a verb and what rules it.
const BETWEEN: [&str; 37] = [
    "been",
    "be",
    "being",
    "yet",
    "have",
    "has",
    "had",
    "is",
    "are",
    "was",
    "were",
    "am",
    "actually",
    "currently",
    "already",
    "fully",
    "even",
    "just",
    "ever",
    "simply",
    "now",
    "to",
    "able",
    "going",
    "gladly",
    "also",
    "then",
    "immediately",
    "therefore",
    "i",
    "we",
    "only",
    "still",
    "successfully",
    "happily",
    "go",
    "ahead",
];
/// What is not said with these is not claimed: `I can't confirm that it was refunded`.
const SAYING: [&str; 8] = ["say", "confirm", "claim", "promise", "think", "believe", "tell", "know"];
const OPEN: [&str; 15] = [
    "can", "could", "would", "should", "must", "may", "might", "want", "like", "need", "needs", "ought", "possible",
    "happy", "that",
];
const CONDITIONS: [&str; 11] =
    ["if", "once", "when", "whenever", "until", "till", "unless", "before", "after", "provided", "assuming"];
const ASKING: [&str; 12] =
    ["which", "what", "when", "where", "who", "do", "does", "would", "could", "should", "shall", "can"];

fn ed(verb: &str) -> Vec<String> {
    if let Some((_, forms)) = IRREGULAR.iter().find(|(base, _)| *base == verb) {
        return forms.iter().map(|form| (*form).to_owned()).collect();
    }
    let doubled = verb.chars().next_back().map_or(String::new(), |last| format!("{verb}{last}ed"));
    let stem = verb.strip_suffix('y').map_or(String::new(), |stem| format!("{stem}ied"));
    let short = if verb.ends_with('e') { format!("{verb}d") } else { format!("{verb}ed") };
    vec![short, doubled, stem]
}

fn ing(verb: &str) -> Vec<String> {
    let doubled = verb.chars().next_back().map_or(String::new(), |last| format!("{verb}{last}ing"));
    vec![format!("{}ing", verb.strip_suffix('e').unwrap_or(verb)), format!("{verb}ing"), doubled]
}

/// In which form the words at this place are the deed, if they are.
fn form(deed: &[String], clause: &[String], at: usize) -> Option<Form> {
    let (verb, rest) = deed.split_first()?;
    if rest.len() > 1 {
        return clause[at..].starts_with(deed).then_some(Form::Phrase);
    }
    let word = &clause[at];
    let form = if ed(verb).contains(word) {
        Form::Past
    } else if ing(verb).contains(word) {
        Form::Progressive
    } else if word == verb || word.strip_suffix('s') == Some(verb) {
        Form::Base
    } else {
        return None;
    };
    // `pay back` may have words inside: pay you back
    let near = &clause[at + 1..clause.len().min(at + 7)];
    rest.iter().all(|word| near.contains(word)).then_some(form)
}

fn negates(word: &str) -> bool {
    NEGATIVE.contains(&word) || word.ends_with("n't")
}

fn conditional(words: &[&str]) -> bool {
    words.iter().any(|word| CONDITIONS.contains(word)) || words.windows(3).any(|three| three == ["as", "soon", "as"])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Claimed,
    Denied,
    Open,
}

/// What one clause says of the deed at one place.
fn said(sentence: &Sentence, index: usize, at: usize, form: Form) -> Said {
    let clause = &sentence.clauses[index];
    let word = |at: usize| clause[at].as_str();
    // back over helping words to what rules the verb
    let mut back = at;
    let (mut passed, mut ruled) = (Vec::new(), None);
    while back > 0 {
        back -= 1;
        let before = word(back);
        let ends = !BETWEEN.contains(&before)
            && !before.ends_with("'ve")
            && !before.ends_with("'m")
            && !before.ends_with("'re");
        if ends || OPEN.contains(&before) {
            ruled = Some(before);
            break;
        }
        passed.push(before);
    }
    let after: Vec<&str> = sentence.clauses[index][at + 1..]
        .iter()
        .chain(sentence.clauses[index + 1..].iter().flatten())
        .map(String::as_str)
        .collect();
    let none_before = |near: usize| (at.saturating_sub(near)..at).any(|at| NONE.contains(&word(at)));
    let opens_with_none = clause.iter().take(4.min(at)).any(|word| NONE.contains(&word.as_str()));
    let will = ruled.is_some_and(|ruled| ruled == "will" || ruled == "shall" || ruled.ends_with("'ll"))
        || passed.contains(&"going")
        || ruled == Some("me") && back > 0 && word(back - 1) == "let";
    if ruled.is_some_and(|ruled| negates(ruled) || NONE.contains(&ruled) || ["refuse", "decline"].contains(&ruled))
        || opens_with_none
        || none_before(5)
        || (form != Form::Base && after.iter().take(2).any(|word| NONE.contains(word)))
        || clause.iter().any(|word| FAILING.contains(&word.as_str()))
        || (form == Form::Phrase && clause[..at].iter().any(|word| negates(word)))
        || (form == Form::Base && !will && clause[at..].iter().take(5).any(|word| negates(word) && word != "without"))
    {
        return Said::Denied;
    }
    let own: Vec<&str> = clause[..at].iter().map(String::as_str).collect();
    let asked = sentence.asks && (index + 1 == sentence.clauses.len() || ASKING.contains(&word(0)));
    let unsaid = own
        .iter()
        .enumerate()
        .any(|(at, word)| SAYING.contains(word) && own[at.saturating_sub(2)..at].iter().any(|word| negates(word)));
    if asked || unsaid || conditional(&own) {
        return Said::Open;
    }
    let elsewhere = conditional(&sentence.words());
    let future = if elsewhere { Said::Open } else { Said::Claimed };
    if ruled.is_some_and(|ruled| OPEN.contains(&ruled) || ruled.ends_with("'d"))
        || (passed.contains(&"to") && !passed.contains(&"going"))
    {
        return Said::Open;
    }
    match form {
        Form::Base if will => future,
        Form::Progressive if passed.iter().any(|word| ["am", "are", "is", "being"].contains(word)) => future,
        Form::Progressive if ruled.is_none() && passed.is_empty() => Said::Open,
        Form::Progressive if clause[..at].iter().any(|word| word == "i'm" || word == "we're") && back + 2 >= at => {
            future
        }
        Form::Base | Form::Progressive => Said::Open,
        Form::Phrase => future,
        Form::Past if will => future,
        // infinitives, and what stands before a noun: `the cancelled booking`
        Form::Past if passed.contains(&"be") => Said::Open,
        Form::Past
            if passed.is_empty()
                && ruled.is_some_and(|ruled| ["the", "a", "an", "your", "any", "or"].contains(&ruled)) =>
        {
            Said::Open
        }
        // `it is refunded`, where a condition or `only` stands in the sentence
        Form::Past if passed.iter().any(|word| ["is", "are"].contains(word)) => {
            if elsewhere || passed.contains(&"only") || after.contains(&"only") { Said::Open } else { Said::Claimed }
        }
        Form::Past => Said::Claimed,
    }
}

/// What a text says of deeds, each written as `refund|pay back`. A form of three words or more is read as it stands.
pub fn standing(text: &str, deeds: &[String]) -> Standing {
    let deeds: Vec<Vec<String>> = deeds.iter().flat_map(|deed| deed.split('|')).map(split::words).collect();
    let carriers: Vec<Vec<String>> = CARRIERS.iter().map(|verb| vec![(*verb).to_owned()]).collect();
    let under_way: Vec<Vec<String>> = UNDER_WAY.iter().map(|phrase| split::words(phrase)).collect();
    let mut found = Standing::default();
    for sentence in split::sentences(text) {
        for (index, clause) in sentence.clauses.iter().enumerate() {
            let named = (0..clause.len()).any(|at| deeds.iter().any(|deed| form(deed, clause, at).is_some()));
            for at in 0..clause.len() {
                let own = deeds.iter().find_map(|deed| form(deed, clause, at));
                let carried = || {
                    let carrier =
                        carriers.iter().find_map(|verb| form(verb, clause, at)).filter(|form| *form != Form::Base);
                    carrier.or_else(|| under_way.iter().find_map(|phrase| form(phrase, clause, at)))
                };
                let Some(form) = own.or_else(|| if named { carried() } else { None }) else { continue };
                match said(&sentence, index, at, form) {
                    Said::Claimed if found.claimed.is_none() => found.claimed = Some(clause.join(" ")),
                    Said::Denied => found.denied = true,
                    Said::Claimed | Said::Open => {}
                }
            }
        }
    }
    found
}
