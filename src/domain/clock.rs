//! Time is an argument: everything that needs "now" is given a [`Clock`].

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment in whole seconds, written as RFC 3339 UTC with `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(i64);

impl Timestamp {
    /// From seconds since the Unix epoch, clamped to the years that RFC 3339 can write.
    #[must_use]
    pub fn from_unix_seconds(seconds: i64) -> Self {
        const YEAR_9999_END: i64 = 253_402_300_799;
        Self(seconds.clamp(0, YEAR_9999_END))
    }

    /// Seconds since the Unix epoch.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.0
    }

    /// This moment and `duration` later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self::from_unix_seconds(self.0.saturating_add(i64::try_from(duration.as_secs()).unwrap_or(i64::MAX)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        jiff::Timestamp::from_second(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH).fmt(f)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = jiff::Error;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse::<jiff::Timestamp>().map(|t| Self::from_unix_seconds(t.as_second()))
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.to_string()
    }
}

/// Where "now" comes from.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The machine's clock.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks the machine")]
    pub fn system() -> Self {
        Self::from_fn(|| Timestamp::from_unix_seconds(jiff::Timestamp::now().as_second()))
    }

    /// A clock that answers as `now` does.
    pub fn from_fn(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The present moment.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc_with_seconds() {
        let time = Timestamp::from_unix_seconds(1_767_614_400);
        assert_eq!(time.to_string(), "2026-01-05T12:00:00Z");
        assert_eq!(Timestamp::try_from(time.to_string()).unwrap(), time);
        assert_eq!(time.plus(Duration::from_secs(90)).to_string(), "2026-01-05T12:01:30Z");
    }
}
