// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clocks as rational sequences of edges. Edges are computed, never ticked.

use crate::Time;

const PICOSECONDS_PER_SECOND: u64 = 1_000_000_000_000;

/// A running clock: edge `n` lies at `start + n * period`, rounded down to the picosecond. The
/// period is a fraction in lowest terms, so that no error accumulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Clock {
    /// Time of edge 0.
    pub start: Time,
    /// Picoseconds of `edges` periods.
    picoseconds: u64,
    /// Periods that take `picoseconds`.
    edges: u64,
}

impl Clock {
    /// A clock of `hz` (at least 1) whose edge 0 is at `start`.
    pub const fn new(start: Time, hz: u64) -> Clock {
        Clock::reduced(start, PICOSECONDS_PER_SECOND as u128, hz as u128)
    }

    /// A clock of `millihertz` (at least 1) whose edge 0 is at `start`.
    pub const fn from_millihertz(start: Time, millihertz: u64) -> Clock {
        Clock::reduced(start, PICOSECONDS_PER_SECOND as u128 * 1_000, millihertz as u128)
    }

    /// The same source divided by `divider` (at least 1), its edge 0 in common.
    pub const fn divided(self, divider: u64) -> Clock {
        // The period is in lowest terms already, so only the divider can be reduced.
        let common = greatest_common_divisor(divider, self.edges);
        match self.picoseconds.checked_mul(divider / common) {
            Some(picoseconds) => {
                Clock { start: self.start, picoseconds, edges: self.edges / common }
            }
            None => {
                let picoseconds = self.picoseconds as u128 * divider as u128;
                Clock::reduced(self.start, picoseconds, self.edges as u128)
            }
        }
    }

    /// The clock that a phase-locked loop makes of this one: `numerator / denominator` times as
    /// fast, its edge 0 in common.
    pub const fn multiplied(self, numerator: u64, denominator: u64) -> Clock {
        let picoseconds = self.picoseconds as u128 * denominator as u128;
        Clock::reduced(self.start, picoseconds, self.edges as u128 * numerator as u128)
    }

    /// The same clock with its edge 0 at `start`.
    pub const fn starting(self, start: Time) -> Clock {
        Clock { start, ..self }
    }

    const fn reduced(start: Time, picoseconds: u128, edges: u128) -> Clock {
        let common = wide_common_divisor(picoseconds, edges);
        let (mut picoseconds, mut edges) = (picoseconds / common, edges / common);
        while picoseconds > u64::MAX as u128 || edges > u64::MAX as u128 {
            picoseconds >>= 1;
            edges >>= 1;
        }
        Clock {
            start,
            picoseconds: picoseconds as u64,
            edges: if edges == 0 { 1 } else { edges as u64 },
        }
    }

    /// Frequency in Hz, rounded down.
    pub const fn hz(&self) -> u64 {
        self.millihertz() / 1_000
    }

    /// Frequency in millihertz, rounded down.
    pub const fn millihertz(&self) -> u64 {
        let edges = self.edges as u128 * PICOSECONDS_PER_SECOND as u128 * 1_000;
        (edges / self.picoseconds as u128) as u64
    }

    /// Length of `n` periods, rounded down.
    pub fn span(&self, n: u64) -> Time {
        match n.checked_mul(self.picoseconds) {
            Some(product) => Time(product / self.edges),
            None => {
                let picoseconds = n as u128 * self.picoseconds as u128 / self.edges as u128;
                Time(picoseconds.min(u64::MAX as u128) as u64)
            }
        }
    }

    /// Time of edge `n`.
    pub fn edge(&self, n: u64) -> Time {
        self.start + self.span(n)
    }

    /// Number of the first edge at or after `t` (0 before the start).
    pub fn edge_at_or_after(&self, t: Time) -> u64 {
        // edge(n) = floor(n * picoseconds / edges) >= elapsed  <=>  n * picoseconds >= elapsed * edges
        let elapsed = (t - self.start).0;
        match elapsed.checked_mul(self.edges) {
            Some(product) => product.div_ceil(self.picoseconds),
            None => {
                (elapsed as u128 * self.edges as u128).div_ceil(self.picoseconds as u128) as u64
            }
        }
    }

    /// Number of the first edge strictly after `t`.
    pub fn edge_after(&self, t: Time) -> u64 {
        if t < self.start { 0 } else { self.edge_at_or_after(Time(t.0.saturating_add(1))) }
    }

    /// Number of the last edge at or before `t`, which is how many edges have followed edge 0; 0
    /// before the start.
    pub fn edges_until(&self, t: Time) -> u64 {
        self.edge_after(t).saturating_sub(1)
    }

    /// Time of the `n`th edge strictly after `t`; `n` of 1 is the next one.
    pub fn nth_after(&self, t: Time, n: u64) -> Time {
        if t == Time::NEVER { t } else { self.edge(self.edge_after(t) + n - 1) }
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The same for products, whose divisions are slow on most machines.
const fn wide_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > u64::MAX as u128 || a > u64::MAX as u128 {
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
    greatest_common_divisor(a as u64, b as u64) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_a_period_that_is_no_whole_number_do_not_drift() {
        let clock = Clock::new(Time::ZERO, 48_000_000);
        assert_eq!(clock.edge(1), Time(20_833));
        assert_eq!(clock.edge(3), Time(62_500));
        assert_eq!(clock.edge(48_000_000 * 3_600), Time::from_s(3_600));
        let watch = Clock::new(Time(7), 32_768);
        assert_eq!(watch.edge(32_768), Time(7) + Time::from_s(1));
    }

    #[test]
    fn edge_numbers_and_times_are_inverse() {
        let clock = Clock::from_millihertz(Time(1_000), 7_999_123);
        for n in [0, 1, 2, 3, 1_000, 123_456_789] {
            let t = clock.edge(n);
            assert_eq!(clock.edge_at_or_after(t), n);
            assert_eq!(clock.edge_after(t), n + 1);
            assert_eq!(clock.edges_until(t), n);
            assert_eq!(clock.edge_after(Time(t.0 - 1)), n);
        }
        assert_eq!(clock.edges_until(Time(5)), 0);
        assert_eq!(clock.nth_after(Time(5), 1), Time(1_000));
    }

    #[test]
    fn dividing_and_multiplying_keep_edge_zero() {
        let reference = Clock::new(Time(500), 32_768);
        assert_eq!(reference.multiplied(1_465, 1).hz(), 48_005_120);
        assert_eq!(reference.multiplied(1_465, 1).divided(1_465), reference);
        assert_eq!(reference.divided(32).hz(), 1_024);
        assert_eq!(reference.divided(32).edge(1), reference.edge(32));
    }

    #[test]
    fn a_divided_period_is_in_lowest_terms() {
        for (millihertz, divider) in
            [(7_999_123, 1), (48_000_000_000, 48), (32_768_000, 1_000), (31_250_001, 65_535)]
        {
            let clock = Clock::from_millihertz(Time(3), millihertz);
            let product = clock.picoseconds as u128 * divider as u128;
            let expected = Clock::reduced(clock.start, product, clock.edges as u128);
            assert_eq!(clock.divided(divider), expected);
            assert_eq!(greatest_common_divisor(expected.picoseconds, expected.edges), 1);
        }
        let slow = Clock::from_millihertz(Time::ZERO, 1);
        assert!(slow.divided(u64::MAX).span(1) > Time(u64::MAX / 2), "as slow as can be");
    }

    #[test]
    fn times_beyond_64_bits_of_product_are_exact() {
        let clock = Clock::from_millihertz(Time::ZERO, 48_000_000_001);
        let late = Time::from_s(86_400 * 30);
        let n = clock.edge_at_or_after(late);
        assert!(clock.edge(n) >= late && clock.edge(n - 1) < late);
    }
}
