// SPDX-License-Identifier: MIT OR Apache-2.0
//! Clocks as rational sequences of edges. Edges are computed, never ticked.

use crate::{BitTime, Time};

/// A running clock: edge `n` lies at `start + n * period`, rounded down to the unit of [`Time`].
/// The period is a fraction in lowest terms, so that no error accumulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Clock {
    /// Time of edge 0.
    pub start: Time,
    /// Units of time of `edges` periods.
    units: u64,
    /// Periods that take `units`.
    edges: u64,
}

impl Clock {
    /// A clock of `hz` (at least 1) whose edge 0 is at `start`.
    pub const fn new(start: Time, hz: u64) -> Clock {
        Clock::reduced(start, Time::PER_S as u128, hz as u128)
    }

    /// A clock of `millihertz` (at least 1) whose edge 0 is at `start`.
    pub const fn from_millihertz(start: Time, millihertz: u64) -> Clock {
        Clock::reduced(start, Time::PER_S as u128 * 1_000, millihertz as u128)
    }

    /// The same source divided by `divider` (at least 1), its edge 0 in common.
    pub const fn divided(self, divider: u64) -> Clock {
        // The period is in lowest terms already, so only the divider can be reduced.
        let common = greatest_common_divisor(divider, self.edges);
        match self.units.checked_mul(divider / common) {
            Some(units) => Clock { start: self.start, units, edges: self.edges / common },
            None => {
                let units = self.units as u128 * divider as u128;
                Clock::reduced(self.start, units, self.edges as u128)
            }
        }
    }

    /// The clock that a phase-locked loop makes of this one: `numerator / denominator` times as
    /// fast, its edge 0 in common.
    pub const fn multiplied(self, numerator: u64, denominator: u64) -> Clock {
        let units = self.units as u128 * denominator as u128;
        Clock::reduced(self.start, units, self.edges as u128 * numerator as u128)
    }

    /// The same clock with its edge 0 at `start`.
    pub const fn starting(self, start: Time) -> Clock {
        Clock { start, ..self }
    }

    const fn reduced(start: Time, units: u128, edges: u128) -> Clock {
        let common = wide_common_divisor(units, edges);
        let (mut units, mut edges) = (units / common, edges / common);
        while units > u64::MAX as u128 || edges > u64::MAX as u128 {
            units >>= 1;
            edges >>= 1;
        }
        Clock { start, units: units as u64, edges: if edges == 0 { 1 } else { edges as u64 } }
    }

    /// Frequency in Hz, rounded down.
    pub const fn hz(&self) -> u64 {
        self.millihertz() / 1_000
    }

    /// Frequency in millihertz, rounded down.
    pub const fn millihertz(&self) -> u64 {
        let edges = self.edges as u128 * Time::PER_S as u128 * 1_000;
        (edges / self.units as u128) as u64
    }

    /// Length of `n` periods, rounded down.
    pub fn span(&self, n: u64) -> Time {
        match n.checked_mul(self.units) {
            Some(product) => Time::from_units(product / self.edges),
            None => {
                let units = n as u128 * self.units as u128 / self.edges as u128;
                Time::from_units(units.min(u64::MAX as u128) as u64)
            }
        }
    }

    /// `n` periods as the length of a bit on a serial line, which is finer than [`Clock::span`].
    pub fn bit_time(&self, n: u64) -> BitTime {
        let ps = Time::UNIT.ps() * self.units as u128 * n as u128 / self.edges as u128;
        BitTime::from_ps(ps.min(u64::MAX as u128) as u64)
    }

    /// Time of edge `n`.
    pub fn edge(&self, n: u64) -> Time {
        self.start + self.span(n)
    }

    /// Number of the first edge at or after `t` (0 before the start).
    pub fn edge_at_or_after(&self, t: Time) -> u64 {
        // edge(n) = floor(n * units / edges) >= elapsed  <=>  n * units >= elapsed * edges
        let elapsed = (t - self.start).units();
        match elapsed.checked_mul(self.edges) {
            Some(product) => product.div_ceil(self.units),
            None => (elapsed as u128 * self.edges as u128).div_ceil(self.units as u128) as u64,
        }
    }

    /// Number of the first edge strictly after `t`.
    pub fn edge_after(&self, t: Time) -> u64 {
        if t < self.start { 0 } else { self.edge_at_or_after(t + Time::UNIT) }
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
        assert_eq!(clock.edge(1), Time::from_ps(20_833));
        assert_eq!(clock.edge(3), Time::from_ps(62_500));
        assert_eq!(clock.edge(48_000_000 * 3_600), Time::from_s(3_600));
        let watch = Clock::new(Time::from_units(7), 32_768);
        assert_eq!(watch.edge(32_768), Time::from_units(7) + Time::from_s(1));
    }

    #[test]
    fn the_fastest_clock_keeps_its_edges_apart_and_a_year_exact() {
        let fastest = Clock::new(Time::from_units(7), 96_000_000);
        let year = Time::from_days(365);
        let edges = 96_000_000 * 86_400 * 365;
        assert_eq!(fastest.edge(edges), fastest.start + year);
        for n in (0..1_000).chain(edges..edges + 1_000) {
            let length = (fastest.edge(n + 1) - fastest.edge(n)).units();
            assert!((104..=105).contains(&length), "{n}: {length}");
            assert_eq!(fastest.edges_until(fastest.edge(n)), n);
            assert_eq!(fastest.divided(2).edge(n), fastest.edge(2 * n), "edges in common stay so");
        }
        let watch = Clock::new(Time::ZERO, 32_768);
        assert_eq!(watch.edge(32_768 * 86_400 * 365 * 50), year * 50);
    }

    #[test]
    fn a_bit_is_finer_than_a_span() {
        let clock = Clock::new(Time::ZERO, 96_000_000);
        assert_eq!((clock.span(4), clock.bit_time(4).ps()), (Time::from_ps(41_600), 41_666));
    }

    #[test]
    fn edge_numbers_and_times_are_inverse() {
        let clock = Clock::from_millihertz(Time::from_ps(1_000), 7_999_123);
        for n in [0, 1, 2, 3, 1_000, 123_456_789] {
            let t = clock.edge(n);
            assert_eq!(clock.edge_at_or_after(t), n);
            assert_eq!(clock.edge_after(t), n + 1);
            assert_eq!(clock.edges_until(t), n);
            assert_eq!(clock.edge_after(t - Time::UNIT), n);
        }
        assert_eq!(clock.edges_until(Time::from_units(5)), 0);
        assert_eq!(clock.nth_after(Time::from_units(5), 1), Time::from_ps(1_000));
    }

    #[test]
    fn dividing_and_multiplying_keep_edge_zero() {
        let reference = Clock::new(Time::from_units(500), 32_768);
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
            let clock = Clock::from_millihertz(Time::from_units(3), millihertz);
            let product = clock.units as u128 * divider as u128;
            let expected = Clock::reduced(clock.start, product, clock.edges as u128);
            assert_eq!(clock.divided(divider), expected);
            assert_eq!(greatest_common_divisor(expected.units, expected.edges), 1);
        }
        let slow = Clock::from_millihertz(Time::ZERO, 1);
        assert!(slow.divided(u64::MAX).span(1) > Time::NEVER / 2, "as slow as can be");
    }

    #[test]
    fn times_beyond_64_bits_of_product_are_exact() {
        let clock = Clock::from_millihertz(Time::ZERO, 48_000_000_001);
        let late = Time::from_s(86_400 * 30);
        let n = clock.edge_at_or_after(late);
        assert!(clock.edge(n) >= late && clock.edge(n - 1) < late);
    }
}
