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

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000_000_000, self.0 / 1_000_000 % 1_000_000)
    }
}
