// SPDX-License-Identifier: MIT OR Apache-2.0
//! What motes do next, in the order of time.

use lichen_chip::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A time for each mote, and the earliest of them. Entries that a later one has replaced stay in the heap
/// until they come up.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda {
    times: Vec<Time>,
    heap: BinaryHeap<Reverse<(Time, usize)>>,
}

impl Agenda {
    /// Sets the time of mote `index`, which may be the next new one.
    pub(super) fn set(&mut self, index: usize, time: Time) {
        if index >= self.times.len() {
            self.times.resize(index + 1, Time::NEVER);
        }
        if self.times[index] != time {
            self.times[index] = time;
            if time != Time::NEVER {
                self.heap.push(Reverse((time, index)));
            }
        }
    }

    /// The earliest time; [`Time::NEVER`] if there is none.
    pub(super) fn first(&mut self) -> Time {
        self.first_entry().map_or(Time::NEVER, |(time, _)| time)
    }

    /// The earliest time, and the first of the motes that have it.
    pub(super) fn first_entry(&mut self) -> Option<(Time, usize)> {
        while let Some(Reverse((time, index))) = self.heap.peek() {
            if self.times[*index] == *time {
                return Some((*time, *index));
            }
            self.heap.pop();
        }
        None
    }

    /// Takes the motes out whose time is not after `until`, in the order of their numbers. Each must be
    /// set again.
    pub(super) fn take(&mut self, until: Time) -> Vec<usize> {
        let mut due = Vec::new();
        while self.first() <= until {
            let Some(Reverse((_, index))) = self.heap.pop() else { break };
            self.times[index] = Time::NEVER;
            due.push(index);
        }
        due.sort_unstable();
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_time_of_each_mote_counts() {
        let mut agenda = Agenda::default();
        for (index, time) in [(0, 5), (1, 3), (2, 9), (1, 7), (2, 1), (2, 2)] {
            agenda.set(index, Time::from_units(time));
        }
        assert_eq!(agenda.first(), Time::from_units(2));
        assert_eq!(agenda.take(Time::from_units(6)), [0, 2]);
        assert_eq!(agenda.first(), Time::from_units(7));
        agenda.set(0, Time::from_units(7));
        agenda.set(1, Time::NEVER);
        assert_eq!(agenda.take(Time::from_units(7)), [0]);
        assert_eq!(agenda.first(), Time::NEVER);
        assert!(agenda.take(Time::NEVER - Time::UNIT).is_empty());
    }
}
