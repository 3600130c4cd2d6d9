//! Days as people write them. A form in which day and month could be swapped is no date.
//!
//! Imports: chrono, `check::text`.

use chrono::NaiveDate;

use crate::engine::check::text;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A day written as 2026-03-04, with all digits.
pub(super) fn iso(text: &str) -> Option<NaiveDate> {
    let digits = text.len() == 10 && text.bytes().filter(u8::is_ascii_digit).count() == 8;
    if digits { NaiveDate::parse_from_str(text, "%Y-%m-%d").ok() } else { None }
}

/// Whether a text is this day; with `only_iso` in no other form.
pub(super) fn is(wanted: &str, only_iso: bool, found: &str) -> bool {
    let found = &text::plain_hyphens(found.trim());
    let found = if only_iso { iso(found) } else { read(found) };
    found.is_some() && found == iso(wanted)
}

/// A day in any form that says which number is the month.
pub(super) fn read(text: &str) -> Option<NaiveDate> {
    let lower = text.trim().to_lowercase();
    let day = lower.strip_suffix("t00:00:00z").or_else(|| lower.strip_suffix("t00:00:00")).unwrap_or(&lower);
    let words: Vec<&str> = day.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [one] => numeric(one),
        _ => spelled(&words),
    }
}

/// 2026-03-04, 2026/3/4, 20260304, 4.3.2026, and 13/3/2026 or 3/13/2026 where one number is no month.
fn numeric(text: &str) -> Option<NaiveDate> {
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return NaiveDate::parse_from_str(text, "%Y%m%d").ok();
    }
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let pieces: Vec<&str> = text.split(separator).collect();
    let [a, b, c] = pieces.as_slice() else { return spelled(&pieces) };
    let (Some(first), Some(second), Some(third)) = (number(a), number(b), number(c)) else {
        return spelled(&pieces);
    };
    match (a.len(), c.len(), separator) {
        (4, ..) => day(first, second, third),
        (_, 4, '.') => day(third, second, first),
        (_, 4, _) if first > 12 || first == second => day(third, second, first),
        (_, 4, _) if second > 12 => day(third, first, second),
        _ => None,
    }
}

/// One month by name, one year of four digits and one day, in any order.
fn spelled(words: &[&str]) -> Option<NaiveDate> {
    let (mut year, mut month, mut of_month) = (None, None, None);
    for word in words {
        let word = word.trim_end_matches('.');
        if *word == *"of" || *word == *"the" || WEEKDAYS.iter().any(|name| abbreviates(word, name)) {
            continue;
        }
        let place = if let Some(index) = MONTHS.iter().position(|name| abbreviates(word, name)) {
            month.replace(u32::try_from(index).ok()? + 1)
        } else if word.len() == 4 {
            year.replace(number(word)?)
        } else {
            let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
            of_month.replace(number(digits)?)
        };
        if place.is_some() {
            return None;
        }
    }
    day(year?, month?, of_month?)
}

fn abbreviates(word: &str, name: &str) -> bool {
    word == name || word.len() >= 3 && word.len() <= 4 && name.starts_with(word)
}

fn number(text: &str) -> Option<u32> {
    (text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn day(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_every_clear_form() {
        for text in [
            "2026-03-04",
            "2026/03/04",
            "20260304",
            "2026-03-04T00:00:00",
            "04.03.2026",
            "4.3.2026",
            "4 March 2026",
            "March 4, 2026",
            "Mar 4th, 2026",
            "4-Mar-2026",
            "Wednesday, 4 March 2026",
            "the 4th of March 2026",
        ] {
            assert!(is("2026-03-04", false, text), "{text}");
        }
        assert!(is("2026-03-14", false, "14/03/2026") && is("2026-03-14", false, "3/14/2026"));
        assert!(is("2026-05-09", false, "9 May 2026") && is("2026-09-09", false, "9 Sept. 2026"));
    }

    #[test]
    fn what_could_be_two_days_is_none() {
        for text in ["04/03/2026", "03-04-2026", "4.3.26", "March 2026", "2026", "", "2026-02-30", "4 Marchember 2026"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(!is("2026-03-04", true, "4 March 2026") && !is("2026-03-04", true, "2026-3-4"));
        assert!(is("2026-03-04", true, " 2026-03-04 ") && is("2026-03-04", true, "2026\u{2011}03\u{2011}04"));
    }
}
