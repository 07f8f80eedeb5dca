// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles that are known within bounds.

use std::ops::{Add, Mul};

/// Cycles: no less than `least`, no more than `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub most: u64,
}

impl Interval {
    /// None.
    pub const ZERO: Interval = Interval { least: 0, most: 0 };

    /// Exactly so many.
    pub fn exactly(cycles: u64) -> Interval {
        Interval { least: cycles, most: cycles }
    }

    /// At most so many.
    pub fn up_to(most: u64) -> Interval {
        Interval { least: 0, most }
    }

    /// Whether so many are within.
    pub fn contains(self, cycles: u64) -> bool {
        (self.least..=self.most).contains(&cycles)
    }

    /// If it is the one or the other.
    pub fn or(self, other: Interval) -> Interval {
        Interval { least: self.least.min(other.least), most: self.most.max(other.most) }
    }
}

impl Add for Interval {
    type Output = Interval;

    fn add(self, other: Interval) -> Interval {
        let most = self.most.saturating_add(other.most);
        Interval { least: self.least.saturating_add(other.least), most }
    }
}

impl Mul for Interval {
    type Output = Interval;

    fn mul(self, other: Interval) -> Interval {
        let most = self.most.saturating_mul(other.most);
        Interval { least: self.least.saturating_mul(other.least), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_add_up() {
        let (a, b) = (Interval { least: 2, most: 5 }, Interval { least: 1, most: 9 });
        assert_eq!(a + b, Interval { least: 3, most: 14 });
        assert_eq!(a.or(b), Interval { least: 1, most: 9 });
        assert_eq!(a * Interval::up_to(3), Interval { least: 0, most: 15 });
        assert!(a.contains(2) && a.contains(5) && !a.contains(1) && !a.contains(6));
    }
}
