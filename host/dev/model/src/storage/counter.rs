// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counters (`lichen/counter.h`): numbers that never repeat.

use super::{Given, Medium};
use crate::error;

/// How many numbers are there at least when `counter_reserve` has returned 0.
const RESERVED: u32 = 4_096 / 2;

/// Calls on a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CounterCall {
    /// `counter_take`, so many times, or until there are none.
    Take(u32),
    /// `counter_reserve`.
    Reserve,
    /// `counter_restart`.
    Restart,
}

/// A counter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counter {
    /// All numbers that were taken are below this one.
    next: u32,
    /// So many can be taken.
    surely: u32,
    /// More may be there: something was reserved since the start.
    is_open: bool,
    /// It was not erased to its end: it may have to be restarted.
    is_doubtful: bool,
}

impl Counter {
    /// All states in which it may be after a call that returned this.
    pub fn follow(&self, call: CounterCall, given: Given<'_>, medium: Medium) -> Vec<Counter> {
        let mut counter = self.clone();
        let agrees = match (call, given.result) {
            (CounterCall::Take(count), result) => counter.take(count, result, given),
            (CounterCall::Reserve, error::NONE) => {
                counter.surely = counter.surely.max(RESERVED);
                counter.is_open = true;
                true
            }
            // A page that is worn is skipped.
            (CounterCall::Reserve, error::IO) => {
                medium.fails || medium.worn_pages() + usize::from(medium.rotten) > 1
            }
            (CounterCall::Reserve, error::CORRUPT) => {
                !self.is_open && (medium.rotten || self.is_doubtful)
            }
            (CounterCall::Restart, error::NONE) => {
                counter = Counter::default();
                true
            }
            (CounterCall::Restart, error::IO) => {
                counter = Counter { is_doubtful: true, ..Counter::default() };
                medium.fails
            }
            _ => false,
        };
        agrees.then_some(counter).into_iter().collect()
    }

    /// Each number is larger than all before, and those that are reserved are there.
    fn take(&mut self, count: u32, result: i32, given: Given<'_>) -> bool {
        let number =
            |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| given.bytes[at + byte]));
        let (taken, first, last) = (given.value, number(0), number(4));
        let ends = match result {
            error::NONE => taken == count,
            error::EMPTY => taken < count && taken >= self.surely,
            _ => false,
        };
        if taken == 0 {
            return ends;
        }
        let grow = first >= self.next && last >= first && last - first >= taken - 1;
        self.next = last.saturating_add(1);
        self.surely = self.surely.saturating_sub(taken);
        ends && grow && self.is_open
    }

    /// When power comes back there are none until they are reserved.
    pub fn cut(&self) -> Vec<Counter> {
        vec![Counter { surely: 0, is_open: false, ..self.clone() }]
    }

    /// The same, if it was cut within a call.
    pub fn cut_within(&self, call: CounterCall) -> Vec<Counter> {
        match call {
            CounterCall::Restart => vec![Counter { is_doubtful: true, ..Counter::default() }],
            _ => self.cut(),
        }
    }
}
