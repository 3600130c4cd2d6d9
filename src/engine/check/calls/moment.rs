//! Dates and times of day as people and models write them, read whole or not at all. Pure.
//!
//! Imports: std, chrono.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

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

/// A calendar date: `2026-03-14`, `2026/3/14`, `14.03.2026`, `14 March 2026`, `March 14th, 2026`, with a weekday in front
/// or not. `03/04/2026` could be two dates and is none; `03/14/2026` is one.
pub fn date(text: &str) -> Option<NaiveDate> {
    let lower = text.trim().to_lowercase();
    let parts: Vec<&str> = lower
        .split(|c: char| matches!(c, '-' | '/' | '.' | ',') || c.is_whitespace())
        .filter(|p| !p.is_empty())
        .collect();
    let parts = match parts.split_first() {
        Some((first, rest)) if is_weekday(first) => rest,
        _ => &parts[..],
    };
    let [a, b, c] = parts else { return None };
    if let (Some(year), Some(month), Some(day)) = (year(a), number(b, 2), number(c, 2)) {
        return NaiveDate::from_ymd_opt(year, month, day);
    }
    let year = year(c)?;
    if let (Some(month), Some(day)) = (month(a), day(b)) {
        return NaiveDate::from_ymd_opt(year, month, day);
    }
    if let (Some(day), Some(month)) = (day(a), month(b)) {
        return NaiveDate::from_ymd_opt(year, month, day);
    }
    let (a, b) = (number(a, 2)?, number(b, 2)?);
    let day_first = NaiveDate::from_ymd_opt(year, b, a);
    if lower.contains('.') {
        return day_first;
    }
    let month_first = NaiveDate::from_ymd_opt(year, a, b);
    match (day_first, month_first) {
        (Some(one), Some(other)) if one != other => None,
        (one, other) => one.or(other),
    }
}

/// A time of day: `19:30`, `19:30:00`, `7:30 pm`, `7 p.m.`, `19h30`, `19.30`, `noon`. A bare number is none.
pub fn time(text: &str) -> Option<NaiveTime> {
    let lower = text.trim().to_lowercase().replace(['\u{a0}', '\u{202f}'], " ");
    match lower.as_str() {
        "noon" | "midday" => return NaiveTime::from_hms_opt(12, 0, 0),
        "midnight" => return NaiveTime::from_hms_opt(0, 0, 0),
        _ => {}
    }
    let half = ["a.m.", "a.m", "am", "p.m.", "p.m", "pm"].into_iter().find_map(|sign| {
        let digits = lower.strip_suffix(sign)?.trim_end();
        Some((digits, sign.starts_with('p')))
    });
    let digits = half.map_or(lower.as_str(), |(digits, _)| digits);
    let parts: Vec<&str> = digits.strip_prefix('t').unwrap_or(digits).split([':', 'h', '.']).collect();
    let mut read = parts.iter().map(|part| if part.is_empty() { Some(0) } else { number(part, 2) });
    let hour = read.next()??;
    let minute = read.next();
    let second = read.next();
    if read.next().is_some() || parts[0].is_empty() || (minute.is_none() && half.is_none()) {
        return None;
    }
    let (minute, second) = (minute.unwrap_or(Some(0))?, second.unwrap_or(Some(0))?);
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some((_, after_noon)) => hour % 12 + if after_noon { 12 } else { 0 },
        None => hour,
    };
    NaiveTime::from_hms_opt(hour, minute, second)
}

/// A date and a time with `T` or a space between them, without an offset: `2026-03-14T19:30`, `2026-03-14 19:30:00`.
pub fn moment(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim();
    let at = text.find(['T', 't', ' ']).filter(|at| *at == 10)?;
    Some(date(&text[..at])?.and_time(time(&text[at + 1..])?))
}

/// Every time of day in a running text; needs minutes, or `am` and `pm`.
pub fn times(text: &str) -> Vec<NaiveTime> {
    let dressed =
        |c: char| matches!(c, '*' | '_' | '`' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '“' | '”' | '!' | '?');
    let tokens: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '–' | '—'))
        .map(|token| token.trim_matches(dressed))
        .filter(|token| !token.is_empty())
        .collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let closing = |c: char| dressed(c) || matches!(c, '.' | ':');
        let bare = token.trim_end_matches(closing);
        let next = tokens.get(index + 1).map_or("", |next| next.trim_end_matches(closing));
        let half = next.to_lowercase();
        let joined =
            half.starts_with("am") || half.starts_with("pm") || half.starts_with("a.m") || half.starts_with("p.m");
        let read = if joined { time(&format!("{bare} {next}")) } else { None };
        // a decimal number is no time of day in running text
        let plain = || if bare.contains([':', 'h', 'm']) { time(token).or_else(|| time(bare)) } else { None };
        found.extend(read.or_else(plain));
    }
    found
}

fn is_weekday(word: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| word.starts_with(day))
}

fn number(text: &str, digits: usize) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= digits && text.chars().all(|c| c.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

fn year(text: &str) -> Option<i32> {
    if text.len() == 4 { i32::try_from(number(text, 4)?).ok() } else { None }
}

/// `14`, `14th`.
fn day(text: &str) -> Option<u32> {
    let bare = ["st", "nd", "rd", "th"].into_iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    number(bare, 2)
}

fn month(text: &str) -> Option<u32> {
    let found = MONTHS.iter().position(|month| *month == text || (text.len() >= 3 && month.starts_with(text)))?;
    u32::try_from(found + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_one_date_however_it_is_written() {
        for text in [
            "2026-03-14",
            " 2026/3/14 ",
            "14.03.2026",
            "14 March 2026",
            "March 14, 2026",
            "Mar 14th, 2026",
            "Saturday, March 14, 2026",
            "03/14/2026",
        ] {
            assert_eq!(date(text), NaiveDate::from_ymd_opt(2026, 3, 14), "{text}");
        }
        for text in
            ["", "tomorrow", "03/04/2026", "2026-02-30", "2026-03", "14 March", "2026-03-14T10:00", "1414 Ma 20"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn a_time_is_one_time_however_it_is_written() {
        for text in ["19:30", "19:30:00", "7:30 pm", "7:30PM", "07:30 p.m.", "19h30", "19.30", "T19:30"] {
            assert_eq!(time(text), NaiveTime::from_hms_opt(19, 30, 0), "{text}");
        }
        assert_eq!(time("12 am"), NaiveTime::from_hms_opt(0, 0, 0));
        assert_eq!(time("noon"), time("12pm"));
        for text in
            ["", "19", "9:30 in the evening", "25:00", "13:30 pm", "119:30", "soon", "pm", ":30", "1:2:3:4", "é"]
        {
            assert_eq!(time(text), None, "{text}");
        }
        assert_ne!(time("9:30"), time("19:30"));
    }

    #[test]
    fn a_moment_has_both_and_no_offset() {
        let wanted = moment("2026-03-14T19:30");
        assert!(wanted.is_some());
        assert_eq!(moment("2026-03-14 19:30:00"), wanted);
        for text in ["2026-03-14", "2026-03-14T19:30Z", "2026-03-14T19:30+01:00", "19:30", "ééééé T"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn times_are_found_in_running_text() {
        let found = times("It leaves at **18:42**, not at 6 pm (or 7:05 p.m.). It costs 12.30 and takes 9:10–9:20.");
        let wanted: Vec<_> = ["18:42", "18:00", "19:05", "9:10", "9:20"].into_iter().filter_map(time).collect();
        assert_eq!(found, wanted);
    }
}
