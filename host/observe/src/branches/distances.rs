// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many instructions lie between events: their distribution.

use std::collections::BTreeMap;

/// Numbers of instructions before an event, and how often each occurred. Those after the last event are left
/// out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distances {
    since: u64,
    counts: BTreeMap<u64, u64>,
}

impl Distances {
    /// Another instruction that is not the event.
    pub(super) fn pass(&mut self) {
        self.since += 1;
    }

    /// The event.
    pub(super) fn end(&mut self) {
        let distance = std::mem::take(&mut self.since);
        *self.counts.entry(distance).or_default() += 1;
    }

    /// Numbers of instructions, and how often each occurred, in ascending order.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().map(|(distance, count)| (*distance, *count))
    }

    /// How many events there were.
    pub fn events(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Their mean; `None` without an event.
    pub fn mean(&self) -> Option<f64> {
        let events = self.events();
        let sum: u64 = self.counts().map(|(distance, count)| distance * count).sum();
        (events > 0).then(|| sum as f64 / events as f64)
    }

    /// The least number that half of the events do not exceed; `None` without an event.
    pub fn median(&self) -> Option<u64> {
        let half = self.events().div_ceil(2);
        let mut passed = 0;
        self.counts().find_map(|(distance, count)| {
            passed += count;
            (passed >= half).then_some(distance)
        })
    }

    /// How often numbers within these bounds occurred: the first, and the last one.
    pub fn between(&self, first: u64, last: u64) -> u64 {
        self.counts.range(first..=last).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_between_events_are_distributed() {
        let mut distances = Distances::default();
        for distance in [3, 0, 3, 10] {
            (0..distance).for_each(|_| distances.pass());
            distances.end();
        }
        distances.pass();
        assert_eq!(distances.counts().collect::<Vec<_>>(), [(0, 1), (3, 2), (10, 1)]);
        assert_eq!(
            (distances.events(), distances.mean(), distances.median()),
            (4, Some(4.0), Some(3))
        );
        assert_eq!((distances.between(0, 3), distances.between(4, 100)), (3, 1));
    }

    #[test]
    fn without_an_event_there_is_no_mean() {
        let distances = Distances::default();
        assert_eq!((distances.events(), distances.mean(), distances.median()), (0, None, None));
    }
}
