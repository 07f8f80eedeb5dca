// SPDX-License-Identifier: MIT OR Apache-2.0
//! A pin that is sampled with the I/O clock before its edges count.

use crate::atmega128::peripheral::Due;
use std::collections::VecDeque;

/// Cycles from an edge on a pin to its effect, up to which it may be one less (data sheet, "External Clock
/// Source": 2.5 to 3.5 cycles).
const DELAY: u64 = 3;

/// Cycles for which the noise canceler of an input capture unit wants a level to last.
pub(super) const CANCELER: u64 = 4;

/// The first of some cycles at which something is due.
#[inline]
pub(super) fn first_of<const N: usize>(cycles: [Option<u64>; N]) -> Due {
    let first = cycles.into_iter().fold(u64::MAX, |first, due| first.min(due.unwrap_or(u64::MAX)));
    if first == u64::MAX { Due::Never } else { Due::Cycle(first) }
}

/// Levels on their way through a synchronizer.
#[derive(Clone, Debug, Default, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Sampled {
    /// When each becomes effective.
    levels: VecDeque<(u64, bool)>,
    seen: bool,
}

impl Sampled {
    /// The pin has this level from `cycle` on. A level must last for `filter` cycles.
    pub fn push(&mut self, cycle: u64, high: bool, filter: u64) {
        let effective = cycle + DELAY + filter;
        // What did not last until it was sampled is not seen.
        while self.levels.back().is_some_and(|(at, _)| *at > cycle + DELAY || *at == effective) {
            self.levels.pop_back();
        }
        if self.levels.back().map_or(self.seen, |(_, last)| *last) != high {
            self.levels.push_back((effective, high));
        }
    }

    /// The same without a filter, if somebody looks at the edges; else only the level counts.
    pub fn push_if(&mut self, looked_at: bool, cycle: u64, high: bool) {
        if looked_at {
            self.push(cycle, high, 0);
        } else {
            self.set(high);
        }
    }

    /// The level that is known without delay: after a reset, or a change of the input.
    pub fn set(&mut self, high: bool) {
        self.levels.clear();
        self.seen = high;
    }

    /// When the next level becomes effective.
    pub fn due(&self) -> Option<u64> {
        self.levels.front().map(|(at, _)| *at)
    }

    /// The edge that becomes effective by `cycle`.
    pub fn fire(&mut self, cycle: u64) -> Option<bool> {
        self.levels.front().filter(|(at, _)| *at <= cycle)?;
        let (_, high) = self.levels.pop_front()?;
        self.seen = high;
        Some(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_come_three_cycles_later_and_short_pulses_not_at_all() {
        let mut pin = Sampled::default();
        pin.push(10, true, 0);
        pin.push(12, false, 0);
        assert_eq!((pin.due(), pin.fire(12)), (Some(13), None));
        assert_eq!((pin.fire(13), pin.fire(15)), (Some(true), Some(false)));
        pin.push(20, true, 0);
        pin.push(20, false, 0);
        assert_eq!(pin.due(), None);
    }

    #[test]
    fn the_noise_canceler_drops_what_lasts_less_than_four_cycles() {
        let mut pin = Sampled::default();
        pin.push(10, true, CANCELER);
        pin.push(13, false, CANCELER);
        assert_eq!(pin.due(), None);
        pin.push(20, true, CANCELER);
        pin.push(24, false, CANCELER);
        assert_eq!((pin.fire(27), pin.fire(31)), (Some(true), Some(false)));
    }
}
