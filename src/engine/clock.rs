//! The one clock. Everything that measures or stamps takes its time here. Imports: tokio's instant and chrono only.

use chrono::{DateTime, Utc};
use tokio::time::Instant;

/// A moment on the monotonic clock; means something only against another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(Instant);

impl Stamp {
    /// Milliseconds from `earlier` to this moment; 0 if `earlier` is later.
    pub fn ms_since(self, earlier: Self) -> f64 {
        self.0.saturating_duration_since(earlier.0).as_secs_f64() * 1000.0
    }

    /// The same moment for tokio's timers.
    pub fn instant(self) -> Instant {
        self.0
    }
}

/// This moment, for measuring.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the monotonic clock")]
pub fn now() -> Stamp {
    Stamp(Instant::now())
}

/// This moment, for records.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the wall clock")]
pub fn utc() -> DateTime<Utc> {
    Utc::now()
}
