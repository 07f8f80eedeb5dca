// SPDX-License-Identifier: MIT OR Apache-2.0
//! A counter as a function of time: nothing is incremented.

use crate::Time;
use crate::clock::Clock;

/// A counter that wraps between zero and its top. Ticks are numbered from the one at which it was
/// set to `base`, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Counter {
    /// Largest value the counter can hold.
    pub max: u32,
    /// Value at which it wraps. A counter beyond it first continues to the largest value.
    pub top: u32,
    /// Whether it counts down.
    pub down: bool,
    base: u32,
    /// Its ticks, edge 0 being the moment of `base`; `None` if it is stopped.
    clock: Option<Clock>,
}

impl Counter {
    /// A stopped counter with value 0.
    pub fn new(max: u32) -> Counter {
        Counter { max, top: max, down: false, base: 0, clock: None }
    }

    /// Whether it counts.
    pub fn is_running(&self) -> bool {
        self.clock.is_some()
    }

    /// Ticks since it was set.
    pub fn ticks(&self, now: Time) -> u64 {
        self.clock.map_or(0, |clock| clock.edges_until(now))
    }

    /// When tick `n` is.
    pub fn time_of(&self, n: u64) -> Time {
        self.clock.map_or(Time::NEVER, |clock| clock.edge(n))
    }

    /// Value at `now`.
    pub fn value(&self, now: Time) -> u32 {
        self.value_at(self.ticks(now))
    }

    /// Ticks up to the first wrap.
    fn lead(&self) -> u64 {
        let last = if self.base <= self.top { self.top } else { self.max };
        let left = if self.down { self.base } else { last - self.base };
        left as u64 + 1
    }

    fn period(&self) -> u64 {
        self.top as u64 + 1
    }

    /// Value from tick `n` on.
    pub fn value_at(&self, n: u64) -> u32 {
        let lead = self.lead();
        if n < lead {
            return if self.down { self.base - n as u32 } else { self.base + n as u32 };
        }
        let position = ((n - lead) % self.period()) as u32;
        if self.down { self.top - position } else { position }
    }

    /// Whether tick `n` wraps.
    pub fn wraps_at(&self, n: u64) -> bool {
        n.checked_sub(self.lead()).is_some_and(|since| since % self.period() == 0)
    }

    /// First tick after tick `n` that wraps.
    pub fn next_wrap(&self, n: u64) -> u64 {
        let lead = self.lead();
        if n < lead { lead } else { lead + ((n - lead) / self.period() + 1) * self.period() }
    }

    /// First tick at or after tick `n` at which the value is `value`, if there is one.
    pub fn next_match(&self, n: u64, value: u32) -> Option<u64> {
        let before_wrap =
            if self.down { self.base.checked_sub(value) } else { value.checked_sub(self.base) };
        let lead = self.lead();
        if let Some(tick) = before_wrap.map(u64::from).filter(|tick| *tick < lead && *tick >= n) {
            return Some(tick);
        }
        if value > self.top {
            return None;
        }
        let position = if self.down { self.top - value } else { value } as u64;
        let first = lead + position;
        let periods = n.saturating_sub(first).div_ceil(self.period());
        Some(first + periods * self.period())
    }

    /// Takes a new value at `now`; ticks stay where they are.
    pub fn set(&mut self, now: Time, value: u32) {
        self.settle(now);
        self.base = value & self.max;
    }

    /// Takes its value at `now` as the base, so that top and direction may change.
    pub fn settle(&mut self, now: Time) {
        let n = self.ticks(now);
        self.base = self.value_at(n);
        self.clock = self.clock.map(|clock| clock.starting(clock.edge(n)));
    }

    /// Continues from its present value with `clock`, whose edge 0 is now; stops if `None`.
    pub fn run(&mut self, now: Time, clock: Option<Clock>) {
        self.settle(now);
        self.clock = clock;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counter(top: u32, base: u32, down: bool) -> Counter {
        let clock = Some(Clock::new(Time::ZERO, 1_000_000));
        Counter { max: 0xFF, top, down, base, clock }
    }

    /// The values that a hardware counter would take.
    fn ticked(counter: &Counter, ticks: usize) -> Vec<(u32, bool)> {
        let mut value = counter.base;
        let step = |_| {
            let now = value;
            let end = if counter.down { 0 } else { counter.top };
            let wraps = now == end || (!counter.down && now == counter.max);
            let restart = if counter.down { counter.top } else { 0 };
            let next = if counter.down { now.wrapping_sub(1) } else { now + 1 };
            value = if wraps { restart } else { next };
            (now, wraps)
        };
        (0..ticks).map(step).collect()
    }

    #[test]
    fn values_and_wraps_are_those_of_a_counter_that_ticks() {
        for (top, base, down) in [
            (9, 0, false),
            (9, 4, false),
            (9, 250, false),
            (9, 4, true),
            (9, 20, true),
            (0, 0, false),
        ] {
            let counter = counter(top, base, down);
            let ticked = ticked(&counter, 600);
            for n in 0..599 {
                assert_eq!(counter.value_at(n), ticked[n as usize].0, "{counter:?} {n}");
                assert_eq!(counter.wraps_at(n + 1), ticked[n as usize].1, "{counter:?} {n}");
            }
        }
    }

    #[test]
    fn matches_are_where_the_value_is() {
        for (top, base, down) in [(9, 4, false), (9, 250, false), (9, 4, true), (9, 20, true)] {
            let counter = counter(top, base, down);
            for value in [0, 3, 4, 9, 15, 252] {
                let ticks: Vec<u64> = (0..60).filter(|n| counter.value_at(*n) == value).collect();
                let mut found = Vec::new();
                let mut from = 0;
                while let Some(n) = counter.next_match(from, value).filter(|n| *n < 60) {
                    found.push(n);
                    from = n + 1;
                }
                assert_eq!(found, ticks, "{counter:?} {value}");
            }
        }
    }

    #[test]
    fn settling_changes_nothing() {
        let mut counter = counter(9, 250, false);
        let now = Time::from_us(13);
        let values: Vec<u32> = (13..50).map(|us| counter.value(Time::from_us(us))).collect();
        counter.settle(now + Time::from_units(500));
        let settled: Vec<u32> = (13..50).map(|us| counter.value(Time::from_us(us))).collect();
        assert_eq!(values, settled);
    }
}
