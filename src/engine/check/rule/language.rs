//! In which language a text is written: by its small words where several languages share letters, by its script
//! elsewhere. A few borrowed words change nothing; a text in two languages is in neither.

use serde::{Deserialize, Serialize};

use super::{Finding, Script, find::finding};
use crate::engine::check::text;

/// A language the rules can tell from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
    Russian,
    Greek,
    Japanese,
    Chinese,
    Korean,
}

const LATIN: [(Language, &str); 7] = [
    (
        Language::English,
        "the and of to is are was were be been it its this that these those with for from on at by as not have has had \
         you your we our they their he his she her i my me but or if when where what which who how there will would can \
         could should do does did than then into over under after before about each every all some no only also an in \
         a so up out very more most while until",
    ),
    (
        Language::German,
        "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind war \
         waren sein wird werden wurde hat haben hatte ich du er sie es wir ihr mein meine dein deine sein seine ihre \
         unser unsere mit von vom zu zum zur auf aus bei beim nach vor über unter durch für gegen ohne um an am im ins \
         als wie wenn weil dass daß ob was wer wo warum wann auch noch nur schon sehr mehr man sich mich mir dich dir \
         uns euch jede jeder jedes alle hier dort dann denn doch so bis kann können muss müssen soll gern gerne immer \
         heute morgen",
    ),
    (
        Language::French,
        "le la les un une des du de d l et ou mais ne pas est sont était être a ont avoir il elle ils elles on nous \
         vous je tu mon ma mes son sa ses notre votre leur leurs ce cette ces cet que qui quoi dont où quand comme \
         dans sur sous avec sans pour par en au aux à chez plus très bien aussi tout toute tous y se si c j n s qu \
         lui même chaque entre vers après avant depuis puis",
    ),
    (
        Language::Spanish,
        "el la los las un una unos unas y e o u pero no es son era fue ser está están estar hay ha han he de del al a \
         en con sin por para sobre entre hasta desde que quien qué quién cuando cuándo donde dónde como cómo porque si \
         sí yo tú él ella nosotros ellos ellas usted mi mis tu tus su sus nuestro nuestra me te se nos le les lo más \
         muy también ya todo toda todos todas cada este esta estos estas ese esa eso esto aquí allí antes después",
    ),
    (
        Language::Italian,
        "il lo la i gli le un uno una e o ma non è sono era essere ha hanno di del dello della dei degli delle a al \
         allo alla ai agli alle da dal dalla in nel nella nei nelle con su sul sulla per tra fra che chi cosa quando \
         dove come perché se io tu lui lei noi voi loro mio mia suo sua si ci ne più molto anche ogni questo questa \
         quello quella dopo prima",
    ),
    (
        Language::Portuguese,
        "o a os as um uma uns umas e ou mas não é são era foi ser está estão há de do da dos das em no na nos nas ao \
         aos à às com sem por pelo pela para sobre entre até desde que quem quando onde como porque se eu tu ele ela \
         nós eles elas você meu minha seu sua me te lhe mais muito também já todo toda cada este esta esse essa isso \
         isto antes depois",
    ),
    (
        Language::Dutch,
        "de het een en of maar niet geen is zijn was waren wordt worden heeft hebben had ik jij je hij zij ze wij we \
         jullie mijn jouw onze ons hun haar met van voor aan op in uit bij naar over onder door tegen zonder om te tot \
         als dat die deze dit wat wie waar wanneer waarom hoe ook nog al zeer meer er dan toen kan moet altijd elke \
         alle",
    ),
];

fn small_words(language: Language) -> Option<&'static str> {
    LATIN.iter().find(|(known, _)| *known == language).map(|(_, words)| *words)
}

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

/// Whether the text is written in the language.
pub(super) fn find(language: Language, text: &str) -> Finding {
    match small_words(language) {
        Some(own) => by_words(language, own, text),
        None => by_script(language, text),
    }
}

/// One word in ten at least must be a small word of the language, no other language may know more of the words, and none
/// may have more than a third as many that are not this language's.
fn by_words(language: Language, own: &str, text: &str) -> Finding {
    let latin = share(text, &[Script::Latin]);
    if latin < 90 {
        return finding(false, format!("{latin} % of the letters are Latin, too few for {language:?}"));
    }
    let words: Vec<String> = text::words(text)
        .into_iter()
        .map(str::to_lowercase)
        .flat_map(|word| word.split(['\'', '’']).map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| !word.is_empty())
        .collect();
    let hits_of = |list: &str| words.iter().filter(|word| has(list, word)).count();
    let (hits, of) = (hits_of(own), words.len());
    if hits == 0 || hits * 10 < of {
        return finding(false, format!("{hits} of {of} words are small words of {language:?}: too few"));
    }
    let others = || LATIN.iter().filter(|(other, _)| *other != language);
    if let Some((other, _)) = others().find(|(_, list)| hits_of(list) > hits) {
        return finding(false, format!("more words are small words of {other:?} than of {language:?}"));
    }
    let foreign = |list: &str| words.iter().filter(|word| has(list, word) && !has(own, word)).count();
    let rival = others().map(|(other, list)| (foreign(list), *other)).max_by_key(|(count, _)| *count);
    let (most, rival) = rival.unwrap_or((0, language));
    match most * 3 <= hits {
        true => finding(true, format!("is {language:?}: {hits} of {of} words are its small words")),
        false => finding(false, format!("has {most} small words of {rival:?} beside {hits} of {language:?}")),
    }
}

fn by_script(language: Language, text: &str) -> Finding {
    let of = |scripts: &[Script]| share(text, scripts);
    let foreign = |letters: &str| text.to_lowercase().contains(|c| letters.contains(c));
    let met = match language {
        Language::Russian => of(&[Script::Cyrillic]) >= 80 && !foreign("ґєіїўјљњћђ"),
        Language::Greek => of(&[Script::Greek]) >= 80,
        Language::Japanese => of(&[Script::Kana]) >= 15 && of(&[Script::Kana, Script::Han]) >= 80,
        Language::Chinese => of(&[Script::Han]) >= 80 && of(&[Script::Kana]) < 5,
        Language::Korean => of(&[Script::Hangul]) >= 80,
        _ => false,
    };
    finding(met, format!("the letters are {}those of {language:?}", if met { "" } else { "not " }))
}

/// Percent of the letters that are of one of these scripts, 0 for a text without letters.
fn share(text: &str, scripts: &[Script]) -> usize {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    let own = letters().filter(|c| scripts.iter().any(|script| script.has(*c))).count();
    own * 100 / letters().count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [(Language, &str); 14] = [
        (Language::English, "The ferry leaves at nine, and nobody waits for those who are late."),
        (Language::English, "Don't forget your umbrella; it's going to rain in München."),
        (Language::German, "Die Fähre fährt um neun, und niemand wartet auf die, die zu spät kommen."),
        (Language::German, "Im Garten blüht der alte Apfelbaum."),
        (Language::French, "Le bateau part à neuf heures et n'attend pas ceux qui sont en retard."),
        (Language::Spanish, "El barco sale a las nueve y no espera a los que llegan tarde."),
        (Language::Spanish, "Mañana compraré pan y queso en la tienda del barrio."),
        (Language::Italian, "Il traghetto parte alle nove e non aspetta chi è in ritardo."),
        (Language::Portuguese, "O barco sai às nove e não espera por quem chega tarde."),
        (Language::Dutch, "De boot vertrekt om negen uur en wacht niet op wie te laat is."),
        (Language::Russian, "Паром отходит в девять и никого не ждёт."),
        (Language::Japanese, "フェリーは九時に出て、遅れる人を待ちません。"),
        (Language::Chinese, "渡轮九点开，不等迟到的人。"),
        (Language::Korean, "배는 아홉 시에 떠나고 늦는 사람을 기다리지 않습니다."),
    ];

    #[test]
    fn every_text_is_in_its_language_and_no_other() {
        for (language, text) in TEXTS {
            for (other, _) in TEXTS {
                let found = super::find(other, text);
                assert_eq!(found.met, other == language, "{other:?} on {text:?}: {}", found.why);
            }
        }
    }

    #[test]
    fn a_text_in_two_languages_is_in_neither() {
        let (english, german) = (TEXTS[0].1, TEXTS[2].1);
        let mixed = format!("{english} {german}");
        assert!(!super::find(Language::English, &mixed).met && !super::find(Language::German, &mixed).met);
        for text in ["", "123", "Oslo Bergen Tromsø", "…"] {
            assert!(!super::find(Language::English, text).met, "{text}");
        }
        assert!(!super::find(Language::Russian, "Пором відходить о дев'ятій і нікого не чекає.").met);
    }
}
