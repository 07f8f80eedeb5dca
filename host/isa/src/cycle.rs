// SPDX-License-Identifier: MIT OR Apache-2.0
//! A count of clock edges of one core.

use borsh::{BorshDeserialize, BorshSerialize};
use std::ops::{Add, AddAssign, Sub};

/// A count of clock edges of one core since power-up.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    BorshSerialize,
    BorshDeserialize,
)]
pub struct Cycle(pub u64);

impl Cycle {
    /// Later than any cycle that a run can reach.
    pub const NEVER: Cycle = Cycle(u64::MAX);
}

impl Add<u64> for Cycle {
    type Output = Cycle;
    fn add(self, cycles: u64) -> Cycle {
        Cycle(self.0.saturating_add(cycles))
    }
}

impl AddAssign<u64> for Cycle {
    fn add_assign(&mut self, cycles: u64) {
        *self = *self + cycles;
    }
}

impl Sub for Cycle {
    type Output = u64;
    /// Cycles from `earlier` to `self`; 0 if `earlier` is later.
    fn sub(self, earlier: Cycle) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
