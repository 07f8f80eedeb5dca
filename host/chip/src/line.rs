// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a receiver of asynchronous serial characters sees of its line.

use crate::{Frame, Time};
use std::collections::VecDeque;

/// The level of a line over time, as far as it is known.
///
/// A character from outside makes its edges known up to its stop bit; levels come one by one.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Line {
    /// Level before the first of `edges`.
    initial: bool,
    edges: VecDeque<(Time, bool)>,
    /// A line that nothing drives reads low; until it has been high once, low means nothing.
    driven: bool,
}

impl Line {
    /// An idle line.
    pub fn new() -> Line {
        Line { initial: true, edges: VecDeque::new(), driven: false }
    }

    /// The pad changed its level.
    pub fn level(&mut self, now: Time, high: bool) {
        self.driven |= high;
        if self.driven {
            self.change(now, high);
        }
    }

    /// A character begins.
    pub fn frame(&mut self, now: Time, frame: &Frame) {
        self.driven = true;
        self.change(now, false);
        let mut begun = 0;
        let mut bit = |high| {
            begun += 1;
            self.change(now + frame.bit_time.bits(begun), high);
        };
        (0..frame.data_bits).for_each(|n| bit(frame.data >> n & 1 != 0));
        frame.parity.into_iter().for_each(&mut bit);
        bit(true);
    }

    /// Overrides the known levels of the line from `at` on.
    fn change(&mut self, at: Time, high: bool) {
        while self.edges.back().is_some_and(|(time, _)| *time >= at) {
            self.edges.pop_back();
        }
        if self.at(at) != high {
            self.edges.push_back((at, high));
        }
    }

    /// Level at `t`.
    pub fn at(&self, t: Time) -> bool {
        let before = self.edges.iter().rev().find(|(time, _)| *time <= t);
        before.map_or(self.initial, |(_, high)| *high)
    }

    /// First falling edge at or after `t`.
    pub fn falls(&self, t: Time) -> Option<Time> {
        self.edges.iter().find(|(time, high)| *time >= t && !high).map(|(time, _)| *time)
    }

    /// Forgets what lies before `t`.
    pub fn forget(&mut self, t: Time) {
        while self.edges.front().is_some_and(|(time, _)| *time < t) {
            self.initial = self.edges.pop_front().is_none_or(|(_, high)| high);
        }
    }
}
