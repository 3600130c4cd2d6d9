//! Whether a text says that something was not, can't or won't be done, in any of the ways people say so.

use super::{
    deed::Standing,
    split::{sentences, words},
};

/// Words that say so in any place.
const UNDONE: &str = "not|no|none|nothing|never|neither|nor|cannot|zero|unable|impossible|refuse|refused|decline|declined|reject|\
    rejected|denied|deny|unchanged|untouched|ineligible|expired|passed|past|over|ended|closed|outside|beyond|exceeded|exceeds|\
    unavailable|insufficient|unfortunately|regret|regrettably|unsupported|unknown|lack|lacks|stopped|non|too late|too long ago|\
    out of stock|out of the question|out of reach|sold out|as it is|as it was|as they are|where they are|keep it|only accept|only accepts|\
    only take|only within|only possible|can only|only have|only control|sorry|failed";
/// Phrases with such words that say something else.
const IDLE: &str = "can't wait|cannot wait|can not wait|no problem|no problems|no worries|not to worry|don't worry|not only|\
    no doubt|nothing else|not a problem|why not|no trouble|no matter|no longer locked|not locked|do not hesitate|don't hesitate|\
    over the phone|over to|leave it at that";

fn holds(said: &[String], phrase: &[String]) -> Option<usize> {
    (!phrase.is_empty()).then(|| said.windows(phrase.len()).position(|window| window == phrase))?
}

/// Whether it says so; `standing` is what the text says of the deed in question.
pub fn declines(text: &str, standing: &Standing) -> bool {
    let mut said: Vec<String> = sentences(text)
        .iter()
        .flat_map(|sentence| {
            let mut words: Vec<String> = sentence.words().into_iter().map(str::to_owned).collect();
            words.push("|".to_owned());
            words
        })
        .collect();
    for idle in IDLE.split('|').map(words) {
        while let Some(at) = holds(&said, &idle) {
            said.drain(at..at + idle.len());
        }
    }
    standing.denied
        || said.iter().any(|word| word.ends_with("n't"))
        || UNDONE.split('|').any(|phrase| holds(&said, &words(phrase)).is_some())
}
