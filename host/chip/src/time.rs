// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulated time: picoseconds since the world began, in 64 bits (213 days).

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// A moment, or a length of time, in picoseconds.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Time(pub u64);

impl Time {
    /// The beginning.
    pub const ZERO: Time = Time(0);
    /// Later than any moment that a run can reach.
    pub const NEVER: Time = Time(u64::MAX);

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Time {
        Time(ns.saturating_mul(1_000))
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Time {
        Time(us.saturating_mul(1_000_000))
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Time {
        Time(ms.saturating_mul(1_000_000_000))
    }

    /// `s` seconds.
    pub const fn from_s(s: u64) -> Time {
        Time(s.saturating_mul(1_000_000_000_000))
    }

    /// In microseconds, with its fraction.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// In seconds, with its fraction.
    pub fn as_s(self) -> f64 {
        self.0 as f64 / 1e12
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        *self = *self + other;
    }
}

impl Sub for Time {
    type Output = Time;
    /// Time from `earlier` to `self`; zero if `earlier` is later.
    fn sub(self, earlier: Time) -> Time {
        Time(self.0.saturating_sub(earlier.0))
    }
}

/// Units of [`Time`] as written, and their lengths in picoseconds.
const UNITS: [(&str, u64); 8] = [
    ("", 1_000_000_000_000),
    ("s", 1_000_000_000_000),
    ("ms", 1_000_000_000),
    ("us", 1_000_000),
    ("ns", 1_000),
    ("m", 60_000_000_000_000),
    ("min", 60_000_000_000_000),
    ("h", 3_600_000_000_000_000),
];

/// What is written is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// It has another form.
    #[error(
        "`{0}` is not a time; write it like 1.5, 5s, 200ms, 30us, 1.5h; a number alone is seconds"
    )]
    Form(String),
    /// It is beyond 213 days.
    #[error("`{0}` is too long; a run has at most 213 days")]
    TooLong(String),
}

impl std::str::FromStr for Time {
    type Err = NoTime;

    /// Reads `1.5`, `5s`, `200ms`, `30us`, `1.5h`, exactly; a number alone is seconds. Fractions of a
    /// picosecond are cut off.
    fn from_str(text: &str) -> Result<Time, NoTime> {
        let wrong = || NoTime::Form(text.to_string());
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[number.len()..];
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !is_number(&digits) || fraction.len() > 12 {
            return Err(wrong());
        }
        let too_long = || NoTime::TooLong(text.to_string());
        let digits: u128 = digits.parse().map_err(|_| too_long())?;
        let picoseconds = digits.checked_mul(u128::from(*unit)).ok_or_else(too_long)?
            / 10u128.pow(fraction.len() as u32);
        let picoseconds = u64::try_from(picoseconds).ok().filter(|time| *time < u64::MAX);
        picoseconds.map(Time).ok_or_else(too_long)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000_000_000, self.0 / 1_000_000 % 1_000_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly() {
        let cases = [
            ("5s", Time::from_s(5)),
            ("5", Time::from_s(5)),
            (".5", Time::from_ms(500)),
            ("200ms", Time::from_ms(200)),
            ("30us", Time::from_us(30)),
            ("7ns", Time::from_ns(7)),
            ("1.5h", Time::from_s(5400)),
            ("2m", Time::from_s(120)),
            ("2min", Time::from_s(120)),
            ("0.000000000001", Time(1)),
            ("0s", Time::ZERO),
        ];
        for (text, time) in cases {
            assert_eq!(text.parse(), Ok(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "s", ".", "5 s", "-1s", "+1s", "5x", "1.2.3s", "1e3s", "1.0000000000001"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime::Form(text.to_string())), "{text}");
        }
        for text in ["9999999h", "99999999999999999999", "20000000"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime::TooLong(text.to_string())), "{text}");
        }
    }
}
