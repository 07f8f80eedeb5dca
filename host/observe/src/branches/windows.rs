// SPDX-License-Identifier: MIT OR Apache-2.0
//! Addresses and sleep, in windows of time.

use lichen_chip::Time;
use std::collections::HashMap;

/// What happened in a window of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Time asleep.
    pub asleep: Time,
    /// Instructions executed.
    pub instructions: u64,
    /// Distinct addresses of instructions.
    pub code: u64,
    /// Distinct bytes of RAM that instructions read or wrote.
    pub data: u64,
}

/// Windows of equal length, and the one in which each address was used last.
pub(super) struct Windows {
    length: Time,
    start: Time,
    now: Time,
    asleep: Time,
    all: Vec<Window>,
    code: HashMap<u32, usize>,
    data: HashMap<u32, usize>,
}

impl Windows {
    /// Windows from `start` on, until when the processor has slept for `asleep`.
    pub fn new(length: Time, start: Time, asleep: Time) -> Windows {
        Windows {
            length: length.max(Time::UNIT),
            start,
            now: start,
            asleep,
            all: Vec::new(),
            code: HashMap::new(),
            data: HashMap::new(),
        }
    }

    pub fn all(&self) -> &[Window] {
        &self.all
    }

    pub fn addresses(&self) -> (usize, usize) {
        (self.code.len(), self.data.len())
    }

    /// Time has passed until `now`, and the processor has slept for `asleep` in all. What it has slept in this time
    /// came first, since a step ends with what woke it.
    pub fn pass(&mut self, now: Time, asleep: Time) {
        let mut from = self.now;
        let until = (from + (asleep - self.asleep)).min(now);
        (self.now, self.asleep) = (now, asleep);
        // An instruction belongs to the window in which it ends, the last moment included.
        let last = self.index((now - Time::UNIT).max(self.start));
        if self.all.len() <= last {
            self.all.resize(last + 1, Window::default());
        }
        while from < until {
            let index = self.index(from);
            let end = (self.start + self.length * (index as u64 + 1)).min(until);
            self.all[index].asleep += end - from;
            from = end;
        }
    }

    /// The window that `time` is in.
    fn index(&self, time: Time) -> usize {
        ((time - self.start) / self.length) as usize
    }

    /// The instruction at `address` has been executed.
    pub fn execute(&mut self, address: u32) {
        let present = self.all.len() - 1;
        let window = &mut self.all[present];
        window.instructions += 1;
        window.code += u64::from(self.code.insert(address, present) != Some(present));
    }

    /// The byte at `address` has been read or written.
    pub fn access(&mut self, address: u32) {
        let present = self.all.len() - 1;
        let is_new = self.data.insert(address, present) != Some(present);
        self.all[present].data += u64::from(is_new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleep_is_divided_at_the_bounds_of_windows() {
        let mut windows =
            Windows::new(Time::from_units(10), Time::from_units(100), Time::from_units(50));
        windows.pass(Time::from_units(104), Time::from_units(50));
        windows.pass(Time::from_units(127), Time::from_units(70));
        let asleep: Vec<u64> = windows.all().iter().map(|window| window.asleep.units()).collect();
        assert_eq!(asleep, [6, 10, 4]);
        windows.pass(Time::from_units(130), Time::from_units(73));
        assert_eq!((windows.all().len(), windows.all()[2].asleep), (3, Time::from_units(7)));
    }

    #[test]
    fn an_address_counts_once_in_each_window() {
        let mut windows = Windows::new(Time::from_units(10), Time::ZERO, Time::ZERO);
        for (now, address) in [(1, 7), (2, 8), (10, 7), (11, 7), (12, 7)] {
            windows.pass(Time::from_units(now), Time::ZERO);
            windows.execute(address);
            windows.access(address + 100);
        }
        let counts = windows.all().iter().map(|it| (it.instructions, it.code, it.data));
        assert_eq!(counts.collect::<Vec<_>>(), [(3, 2, 2), (2, 1, 1)]);
        assert_eq!(windows.addresses(), (2, 2));
    }
}
