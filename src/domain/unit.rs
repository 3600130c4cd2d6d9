//! How figures are written for people: one place, so that the CLI and every page agree. JSON carries plain numbers
//! whose field names end in their unit (`_ms`, `_tok_s`, `_gb`).

/// What stands for a figure that was not measured.
pub const ABSENT: &str = "–";

fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|v| v.is_finite())
}

/// Groups the digits of a whole number by thousands: `12,345`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(c);
    }
    grouped
}

/// One decimal below 100, none above: `48.3`, `212`, `3,120`.
pub fn rate(tok_s: Option<f64>) -> String {
    match finite(tok_s) {
        None => ABSENT.to_owned(),
        Some(v) if v < 99.95 => format!("{v:.1}"),
        Some(v) => count(v.round() as u64),
    }
}

/// A rate with its unit: `48.3 tok/s`.
pub fn tok_s(value: Option<f64>) -> String {
    if finite(value).is_some() { format!("{} tok/s", rate(value)) } else { ABSENT.to_owned() }
}

/// Milliseconds as a person reads them: `0.42 ms`, `31 ms`, `2.6 s`, `131 s`.
pub fn ms(value: Option<f64>) -> String {
    match finite(value) {
        None => ABSENT.to_owned(),
        Some(v) if v < 9.95 => format!("{v:.2} ms"),
        Some(v) if v < 999.5 => format!("{v:.0} ms"),
        Some(v) if v < 99_950.0 => format!("{:.1} s", v / 1000.0),
        Some(v) => format!("{:.0} s", v / 1000.0),
    }
}

/// Seconds as a clock: `0:07`, `11:46`, `1:02:03`.
pub fn clock(seconds: f64) -> String {
    let total = if seconds.is_finite() { seconds.max(0.0).round() as u64 } else { 0 };
    let (h, m, s) = (total / 3600, total / 60 % 60, total % 60);
    if h > 0 { format!("{h}:{m:02}:{s:02}") } else { format!("{m}:{s:02}") }
}

/// Seconds in words, rounded to what matters: `about 40 s`, `about 19 min`, `about 2 h 10 min`.
pub fn about(seconds: f64) -> String {
    let s = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
    if s < 90.0 {
        format!("about {:.0} s", (s / 5.0).ceil().max(1.0) * 5.0)
    } else if s < 5400.0 {
        format!("about {:.0} min", s / 60.0)
    } else {
        let minutes = (s / 60.0).round() as u64;
        format!("about {} h {:02} min", minutes / 60, minutes % 60)
    }
}

/// A score from 0 to 100 with one decimal, or a dash.
pub fn score(value: Option<f64>) -> String {
    finite(value).map_or_else(|| ABSENT.to_owned(), |v| format!("{v:.1}"))
}

/// Gigabytes (10^9 bytes) with one decimal.
pub fn gb(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// A count with its noun: `1 model`, `3 models`.
pub fn many(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", count(n as u64)) }
}

/// Cuts a text to `limit` characters and says so with an ellipsis.
pub fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(limit).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_the_same_everywhere() {
        assert_eq!(tok_s(Some(48.31)), "48.3 tok/s");
        assert_eq!(tok_s(Some(212.4)), "212 tok/s");
        assert_eq!(rate(Some(3120.0)), "3,120");
        assert_eq!(ms(Some(0.418)), "0.42 ms");
        assert_eq!(ms(Some(31.2)), "31 ms");
        assert_eq!(ms(Some(2620.0)), "2.6 s");
        assert_eq!(clock(706.0), "11:46");
        assert_eq!(about(1140.0), "about 19 min");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn what_was_not_measured_is_a_dash_and_never_zero() {
        for value in [None, Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(tok_s(value), ABSENT);
            assert_eq!(ms(value), ABSENT);
            assert_eq!(score(value), ABSENT);
        }
    }
}
