//! Clocks as rational sequences of edges. Edges are computed, never ticked.

use crate::Time;

const PICOSECONDS_PER_SECOND: u128 = 1_000_000_000_000;

/// A running clock: edge `n` lies at `start + n * divider / hz`, rounded down to the picosecond, so
/// that no error accumulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time of edge 0.
    pub start: Time,
    /// Frequency of the source in millihertz.
    pub millihertz: u64,
    /// Edges of the source for one of this clock; at least 1.
    pub divider: u64,
}

impl Clock {
    /// A clock of `hz` whose edge 0 is at `start`.
    pub const fn new(start: Time, hz: u64) -> Clock {
        Clock { start, millihertz: hz * 1_000, divider: 1 }
    }

    /// The same source divided by `divider` more, its edge 0 in common.
    pub const fn divided(self, divider: u64) -> Clock {
        Clock { divider: self.divider * divider, ..self }
    }

    /// Frequency in Hz, rounded down.
    pub const fn hz(&self) -> u64 {
        self.millihertz / 1_000 / self.divider
    }

    /// Time of edge `n`.
    pub fn edge(&self, n: u64) -> Time {
        let picoseconds = n as u128 * self.divider as u128 * PICOSECONDS_PER_SECOND * 1_000
            / self.millihertz as u128;
        Time(self.start.0.saturating_add(picoseconds.min(u64::MAX as u128) as u64))
    }

    /// Number of the first edge at or after `t` (0 before the start).
    pub fn edge_at_or_after(&self, t: Time) -> u64 {
        let elapsed = (t - self.start).0 as u128;
        let unit = self.divider as u128 * PICOSECONDS_PER_SECOND * 1_000;
        // edge(n) = floor(n * unit / mHz) >= elapsed  <=>  n * unit >= elapsed * mHz
        (elapsed * self.millihertz as u128).div_ceil(unit) as u64
    }

    /// Number of the first edge strictly after `t`.
    pub fn edge_after(&self, t: Time) -> u64 {
        if t < self.start { 0 } else { self.edge_at_or_after(Time(t.0 + 1)) }
    }

    /// Time of the `n`th edge strictly after `t`; `n` of 1 is the next one.
    pub fn nth_after(&self, t: Time, n: u64) -> Time {
        self.edge(self.edge_after(t) + n - 1)
    }
}
