//! Whether and how long to wait before a busy or loading server is asked again. Pure: no sleeping, no clock; the waits lie
//! outside the times of the sample that follows. Imports: domain, chrono.

use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::{error_class, exchange::Refusal};
use crate::domain::sample::SampleClass;

/// Pauses after a server that limits requests and does not say for how long, in seconds; the last one repeats.
const LIMITED_S: [f64; 4] = [10.0, 20.0, 40.0, 60.0];
/// First pause for a server that is loading; doubled each time up to the longest, in seconds.
const LOADING_S: (f64, f64) = (0.5, 10.0);
/// The shortest pause, whatever a server asks for, in seconds.
const SHORTEST_S: f64 = 0.25;
/// The most requests that are sent again for one sample.
const MOST: u32 = 40;

/// How much waiting for a busy server one sample is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patience {
    /// The longest single pause, in seconds.
    pub pause_s: f64,
    /// All pauses of one sample together, in seconds; 0: never ask again.
    pub total_s: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { pause_s: 60.0, total_s: 300.0 }
    }
}

impl Patience {
    /// Takes the first answer as it is.
    pub const NONE: Self = Self { pause_s: 0.0, total_s: 0.0 };
    /// For a server that has used up a sample's patience and has not answered since, in seconds.
    const WEARY_S: f64 = 10.0;

    /// What is left for a server that was waited for in vain.
    pub fn weary(self) -> Self {
        Self { total_s: self.total_s.min(Self::WEARY_S), ..self }
    }
}

/// The waits of one sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Waits {
    patience: Patience,
    /// Pauses made.
    pub count: u32,
    /// Their sum, in seconds.
    pub waited_s: f64,
    /// The last refusal's status and class, for the record.
    last: Option<(u16, Option<SampleClass>)>,
    /// Pauses as long as the server asked for.
    asked: u32,
}

impl Waits {
    pub fn new(patience: Patience) -> Self {
        Self { patience, count: 0, waited_s: 0.0, last: None, asked: 0 }
    }

    /// The pause before the request is sent again; `None` if it is not to be sent again. `retry_after` is the header's value,
    /// `now` the server's date, or ours where it tells none.
    pub fn next(&mut self, refusal: &Refusal, retry_after: Option<&str>, now: DateTime<Utc>) -> Option<Duration> {
        let class = busy(refusal)?;
        let left = self.patience.total_s - self.waited_s;
        if left <= 0.0 || self.count >= MOST {
            return None;
        }
        let asked = retry_after.and_then(|value| seconds(value, now));
        let own = if class == Some(SampleClass::RateLimit) {
            let at = usize::try_from(self.count).unwrap_or(usize::MAX).min(LIMITED_S.len() - 1);
            LIMITED_S[at]
        } else {
            (LOADING_S.0 * 2_f64.powi(self.count.min(16).cast_signed())).min(LOADING_S.1)
        };
        let pause = asked.unwrap_or(own).max(SHORTEST_S).min(self.patience.pause_s).min(left);
        self.count += 1;
        self.waited_s += pause;
        self.asked += u32::from(asked.is_some());
        self.last = Some((refusal.error.code.unwrap_or(refusal.status), class));
        Duration::try_from_secs_f64(pause).ok()
    }

    /// Why the last pause was made, if the server said so.
    pub fn class(&self) -> Option<SampleClass> {
        self.last?.1
    }

    /// Whether the patience ran out.
    pub fn are_over(&self) -> bool {
        self.count > 0 && (self.waited_s >= self.patience.total_s || self.count >= MOST)
    }

    /// What was done, for the sample's record; `None` if nothing was.
    pub fn sentence(&self) -> Option<String> {
        let (status, class) = self.last?;
        let why = class.map(|class| format!(" ({class})")).unwrap_or_default();
        let times = if self.count == 1 { "once more".to_owned() } else { format!("{} times more", self.count) };
        let asked = if self.asked == self.count { ", as the server asked" } else { "" };
        Some(format!("the server answered {status}{why}; asked {times} after {:.1} s of waiting{asked}", self.waited_s))
    }
}

/// Whether a refusal means "later", and its class; `None` if asking again would not help.
fn busy(refusal: &Refusal) -> Option<Option<SampleClass>> {
    let (_, class) = error_class::classify(Some(refusal.status), &refusal.error);
    let status = refusal.error.code.unwrap_or(refusal.status);
    match class {
        // a spent account does not fill up by waiting
        Some(SampleClass::RateLimit) => (!refusal.error.says("insufficient_quota")).then_some(class),
        Some(SampleClass::Loading) => Some(class),
        Some(_) => None,
        None => (status == 503).then_some(None),
    }
}

/// The value of a Retry-After header in seconds from now: a number, or a date in any of the three HTTP forms.
fn seconds(value: &str, now: DateTime<Utc>) -> Option<f64> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return (seconds.is_finite() && seconds >= 0.0).then_some(seconds);
    }
    let date = date(value)?;
    Some((date - now).num_milliseconds().max(0) as f64 / 1000.0)
}

/// A date as HTTP writes it.
pub fn date(value: &str) -> Option<DateTime<Utc>> {
    let value = value.trim();
    let modern = DateTime::parse_from_rfc2822(value).ok().map(|date| date.to_utc());
    modern.or_else(|| {
        let old = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];
        old.iter().find_map(|form| NaiveDateTime::parse_from_str(value, form).ok()).map(|date| date.and_utc())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::client::error_body;

    fn refusal(status: u16, body: &str) -> Refusal {
        Refusal { status, error: error_body::of_body(body) }
    }

    fn now() -> DateTime<Utc> {
        date("Wed, 02 Sep 2026 08:00:00 GMT").unwrap()
    }

    /// All pauses, in seconds, if the server never stops refusing.
    fn pauses(patience: Patience, refusal: &Refusal, retry_after: Option<&str>) -> Vec<f64> {
        let mut waits = Waits::new(patience);
        std::iter::from_fn(|| waits.next(refusal, retry_after, now())).map(|pause| pause.as_secs_f64()).collect()
    }

    #[test]
    fn q25_retry_after_is_read_as_seconds_and_as_any_date() {
        for (value, expected) in [
            ("3", Some(3.0)),
            (" 0 ", Some(0.0)),
            ("1.5", Some(1.5)),
            ("Wed, 02 Sep 2026 08:00:03 GMT", Some(3.0)),
            ("Wednesday, 02-Sep-26 08:00:03 GMT", Some(3.0)),
            ("Wed Sep  2 08:00:03 2026", Some(3.0)),
            ("Wed, 02 Sep 2026 07:00:00 GMT", Some(0.0)),
            ("-5", None),
            ("soon", None),
            ("NaN", None),
            ("", None),
        ] {
            assert_eq!(seconds(value, now()), expected, "{value:?}");
        }
    }

    #[test]
    fn q25_waits_are_bounded_one_by_one_and_together() {
        let limited = refusal(429, "slow down");
        let p = Patience::default();
        assert_eq!(pauses(p, &limited, None), [10.0, 20.0, 40.0, 60.0, 60.0, 60.0, 50.0]);
        assert_eq!(pauses(p, &limited, Some("3600")), [60.0; 5]);
        assert_eq!(pauses(p, &limited, Some("0")), [0.25; 40]);
        assert_eq!(pauses(p.weary(), &limited, None), [10.0]);
        assert_eq!(pauses(Patience::NONE, &limited, Some("1")), [] as [f64; 0]);
    }

    #[test]
    fn q24_a_loading_server_is_asked_soon_and_then_less_often() {
        let loading = pauses(Patience::default(), &refusal(503, r#"{"error":"Loading model"}"#), None);
        assert_eq!(loading[..6], [0.5, 1.0, 2.0, 4.0, 8.0, 10.0]);
        assert!((loading.iter().sum::<f64>() - 300.0).abs() < 1e-9, "{loading:?}");
    }

    #[test]
    fn only_what_waiting_helps_is_waited_for() {
        for (status, body, waits) in [
            (429, "", true),
            (503, "", true),
            (503, r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#, true),
            (500, r#"{"error":{"message":"Model is loading"}}"#, true),
            (200, r#"{"error":{"code":429,"message":"slow down"}}"#, true),
            (429, r#"{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}"#, false),
            (500, r#"{"error":"out of coffee"}"#, false),
            (502, "Bad Gateway", false),
            (503, r#"{"error":"cudaMalloc failed: out of memory"}"#, false),
            (400, r#"{"error":"m does not support tools"}"#, false),
        ] {
            let refusal = refusal(status, body);
            let pause = Waits::new(Patience::default()).next(&refusal, None, now());
            assert_eq!(pause.is_some(), waits, "{status} {body}");
        }
    }

    #[test]
    fn the_record_says_how_often_and_how_long() {
        let mut waits = Waits::new(Patience::default());
        assert_eq!(waits.sentence(), None);
        waits.next(&refusal(429, ""), Some("3"), now());
        let once = "the server answered 429 (rate_limit); asked once more after 3.0 s of waiting, as the server asked";
        assert_eq!(waits.sentence().as_deref(), Some(once));
        waits.next(&refusal(503, ""), None, now());
        let twice = "the server answered 503; asked 2 times more after 4.0 s of waiting";
        assert_eq!(waits.sentence().as_deref(), Some(twice));
    }
}
