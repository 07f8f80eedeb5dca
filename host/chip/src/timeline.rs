// SPDX-License-Identifier: MIT OR Apache-2.0
//! The times of the processor's clock edges.

use crate::Time;
use crate::clock::Clock;
use lichen_isa::Cycle;

/// The times of the processor's clock edges since its clock last changed.
///
/// Edges before that change are no longer needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Timeline {
    clock: Clock,
    /// A cycle, and the number of the clock's edge that it is.
    cycle: Cycle,
    edge: u64,
}

impl Timeline {
    /// A processor whose next edge is `cycle`, the first edge of `clock` at or after `t`.
    pub fn starting(clock: Clock, cycle: Cycle, t: Time) -> Timeline {
        Timeline { clock, cycle, edge: clock.edge_at_or_after(t) }
    }

    /// The processor's clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The time of `cycle`.
    pub fn time(&self, cycle: Cycle) -> Time {
        self.clock.edge(self.edge + (cycle - self.cycle))
    }

    /// The time of `cycle`; never, if it never comes.
    pub fn time_or_never(&self, cycle: Cycle) -> Time {
        if cycle == Cycle::NEVER { Time::NEVER } else { self.time(cycle) }
    }

    /// The first cycle at or after `t`.
    pub fn cycle_at_or_after(&self, t: Time) -> Cycle {
        if t == Time::NEVER {
            return Cycle::NEVER;
        }
        self.cycle + self.clock.edge_at_or_after(t).saturating_sub(self.edge)
    }

    /// The last cycle at or before `t`.
    pub fn cycle_until(&self, t: Time) -> Cycle {
        self.cycle + self.clock.edges_until(t).saturating_sub(self.edge)
    }
}
