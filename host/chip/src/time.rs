// SPDX-License-Identifier: MIT OR Apache-2.0
//! Simulated time: an integer of 64 bits that counts tenths of a nanosecond since the world began.
//!
//! The unit is a compromise. It must be short against a cycle of the fastest clock, 96 MHz: that has 104
//! units, so edges of two clocks keep their order unless they coincide. It must be long enough for the life
//! of a battery: 64 bits hold 58 years, where picoseconds would end after 213 days. What is finer than the
//! unit is rounded down once, where a moment is computed from its beginning and a rational period
//! ([`Clock`](crate::Clock)) or a length of bits ([`BitTime`](crate::BitTime)), so that no error accumulates.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Rem, Sub};

/// Picoseconds in a unit.
const PS_PER_UNIT: u64 = 100;
const UNITS_PER_US: u64 = 10_000;
const UNITS_PER_S: u64 = 1_000_000 * UNITS_PER_US;

/// A moment, or a length of time, in units of 100 ps. Sums, differences and products stay within what 64
/// bits hold: at the ends they saturate.
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
    BorshSerialize,
    BorshDeserialize,
)]
pub struct Time(u64);

impl Time {
    /// The beginning.
    pub const ZERO: Time = Time(0);
    /// One unit, the shortest length there is: `t + Time::UNIT` is the first moment after `t`.
    pub const UNIT: Time = Time(1);
    /// Units in a second.
    pub const PER_S: u64 = UNITS_PER_S;
    /// Later than any moment that a run can reach.
    pub const NEVER: Time = Time(u64::MAX);

    /// `units` units.
    pub const fn from_units(units: u64) -> Time {
        Time(units)
    }

    /// `ps` picoseconds, rounded down to a unit.
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps / PS_PER_UNIT)
    }

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> Time {
        Time(ns.saturating_mul(UNITS_PER_US / 1_000))
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> Time {
        Time(us.saturating_mul(UNITS_PER_US))
    }

    /// `ms` milliseconds.
    pub const fn from_ms(ms: u64) -> Time {
        Time(ms.saturating_mul(1_000 * UNITS_PER_US))
    }

    /// `s` seconds.
    pub const fn from_s(s: u64) -> Time {
        Time(s.saturating_mul(UNITS_PER_S))
    }

    /// `days` days of 24 hours.
    pub const fn from_days(days: u64) -> Time {
        Time(days.saturating_mul(86_400 * UNITS_PER_S))
    }

    /// In units.
    pub const fn units(self) -> u64 {
        self.0
    }

    /// In picoseconds, which do not fit 64 bits after 213 days.
    pub const fn ps(self) -> u128 {
        self.0 as u128 * PS_PER_UNIT as u128
    }

    /// In whole nanoseconds, rounded down.
    pub const fn ns(self) -> u64 {
        self.0 / (UNITS_PER_US / 1_000)
    }

    /// In whole microseconds, rounded down.
    pub const fn us(self) -> u64 {
        self.0 / UNITS_PER_US
    }

    /// In microseconds, with its fraction.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / UNITS_PER_US as f64
    }

    /// In seconds, with its fraction.
    pub fn as_s(self) -> f64 {
        self.0 as f64 / UNITS_PER_S as f64
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

impl Mul<u64> for Time {
    type Output = Time;
    fn mul(self, factor: u64) -> Time {
        Time(self.0.saturating_mul(factor))
    }
}

impl Div<u64> for Time {
    type Output = Time;
    /// Rounded down to a unit.
    fn div(self, divisor: u64) -> Time {
        Time(self.0 / divisor)
    }
}

impl Div for Time {
    type Output = u64;
    /// How often `length` fits in.
    fn div(self, length: Time) -> u64 {
        self.0 / length.0
    }
}

impl Rem for Time {
    type Output = Time;
    /// What is left of the last `length`.
    fn rem(self, length: Time) -> Time {
        Time(self.0 % length.0)
    }
}

/// Units as written, and their lengths.
const WRITTEN: [(&str, Time); 9] = [
    ("", Time::from_s(1)),
    ("s", Time::from_s(1)),
    ("ms", Time::from_ms(1)),
    ("us", Time::from_us(1)),
    ("ns", Time::from_ns(1)),
    ("m", Time::from_s(60)),
    ("min", Time::from_s(60)),
    ("h", Time::from_s(3_600)),
    ("d", Time::from_days(1)),
];

/// What is written is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTime {
    /// It has another form.
    #[error(
        "`{0}` is not a time; write it like 1.5, 5s, 200ms, 30us, 1.5h, 365d; a number alone is seconds"
    )]
    Form(String),
    /// It is beyond 58 years.
    #[error("`{0}` is too long; a run has at most 21350d, which are 58 years")]
    TooLong(String),
}

impl std::str::FromStr for Time {
    type Err = NoTime;

    /// Reads `1.5`, `5s`, `200ms`, `30us`, `1.5h`, `365d`, exactly; a number alone is seconds. Fractions of
    /// 100 ps are cut off.
    fn from_str(text: &str) -> Result<Time, NoTime> {
        let wrong = || NoTime::Form(text.to_string());
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &text[number.len()..];
        let (_, unit) = WRITTEN.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !is_number(&digits) || fraction.len() > 12 {
            return Err(wrong());
        }
        let too_long = || NoTime::TooLong(text.to_string());
        let digits: u128 = digits.parse().map_err(|_| too_long())?;
        let units = digits.checked_mul(u128::from(unit.0)).ok_or_else(too_long)?
            / 10u128.pow(fraction.len() as u32);
        let units = u64::try_from(units).ok().filter(|units| *units < u64::MAX);
        units.map(Time).ok_or_else(too_long)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.us();
        write!(f, "{}.{:06}", us / 1_000_000, us % 1_000_000)
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
            ("365d", Time::from_s(31_536_000)),
            ("0.5d", Time::from_s(43_200)),
            ("21350d", Time::from_days(21_350)),
            ("0.0000000001", Time::UNIT),
            ("0.000000000199", Time::UNIT),
            ("0s", Time::ZERO),
        ];
        for (text, time) in cases {
            assert_eq!(text.parse(), Ok(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in
            ["", "s", ".", "5 s", "-1s", "+1s", "5x", "1y", "1.2.3s", "1e3s", "1.0000000000001"]
        {
            assert_eq!(text.parse::<Time>(), Err(NoTime::Form(text.to_string())), "{text}");
        }
        for text in ["9999999h", "99999999999999999999", "2000000000", "21351d"] {
            assert_eq!(text.parse::<Time>(), Err(NoTime::TooLong(text.to_string())), "{text}");
        }
    }

    #[test]
    fn lengths_are_shown_in_their_units() {
        let time = Time::from_ps(1_234_567_899);
        assert_eq!(time, Time::from_units(12_345_678));
        assert_eq!((time.ps(), time.ns(), time.us()), (1_234_567_800, 1_234_567, 1_234));
        assert_eq!(time.to_string(), "0.001234");
        assert_eq!(Time::from_days(365).ps(), 31_536_000_000_000_000_000, "more than 64 bits hold");
        assert_eq!(Time::from_days(365).to_string(), "31536000.000000");
    }

    #[test]
    fn arithmetic_saturates() {
        let second = Time::from_s(1);
        assert_eq!((second / 4, second / Time::from_ms(300)), (Time::from_ms(250), 3));
        assert_eq!(second % Time::from_ms(300), Time::from_ms(100));
        assert_eq!((Time::NEVER + Time::UNIT, Time::NEVER * 2), (Time::NEVER, Time::NEVER));
        assert_eq!(Time::ZERO - Time::UNIT, Time::ZERO);
    }
}
