// SPDX-License-Identifier: MIT OR Apache-2.0
//! A count of clock edges as a function of time.

use crate::Time;
use crate::clock::Clock;
use borsh::{BorshDeserialize, BorshSerialize};

/// Counts the edges of a clock while there is one. Never wraps; its user takes it modulo what it
/// needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) struct Ticks {
    clock: Option<Clock>,
    /// The count at edge number `edge`, or permanently if there is no clock.
    count: u64,
    edge: u64,
}

impl Ticks {
    /// A count that is `count` at `now`; the next edge of `clock` after that adds the first.
    pub fn starting(now: Time, clock: Option<Clock>, count: u64) -> Ticks {
        let edge = clock.map_or(0, |clock| clock.edges_until(now));
        Ticks { clock, count, edge }
    }

    /// The count at `t`, which is not before the start.
    pub fn at(&self, t: Time) -> u64 {
        match self.clock {
            Some(clock) => self.count + clock.edges_until(t).saturating_sub(self.edge),
            None => self.count,
        }
    }

    /// When the count becomes `count`: at the start if it has this value then, and never if no
    /// clock runs.
    pub fn when(&self, count: u64) -> Time {
        match self.clock {
            Some(clock) => clock.edge(self.edge + count.saturating_sub(self.count)),
            None => Time::NEVER,
        }
    }

    /// The clock that is counted.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Continues from the count at `now`, with `clock`.
    pub fn change_clock(&mut self, now: Time, clock: Option<Clock>) {
        if clock != self.clock {
            *self = Ticks::starting(now, clock, self.at(now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_are_inverse_across_a_change_of_clock() {
        let mut ticks =
            Ticks::starting(Time::from_units(10), Some(Clock::new(Time::ZERO, 1_000)), 5);
        assert_eq!(ticks.at(Time::from_units(10)), 5);
        assert_eq!(ticks.when(6), Time::from_ms(1));
        assert_eq!(ticks.at(Time::from_ms(3)), 8);
        ticks.change_clock(Time::from_us(3_500), None);
        assert_eq!((ticks.at(Time::from_s(9)), ticks.when(9)), (8, Time::NEVER));
        let late = Time::from_s(10);
        ticks.change_clock(late, Some(Clock::new(late, 2_000)));
        assert_eq!(ticks.when(10), late + Time::from_ms(1));
    }
}
