// SPDX-License-Identifier: MIT OR Apache-2.0
//! Length of a bit on a serial line.

use crate::Time;

const PS_PER_S: u64 = 1_000_000_000_000;

/// Length of one bit on a serial line, in picoseconds. That is finer than [`Time`]: a character has many
/// bits, and a rate is read back from the length of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct BitTime(u64);

impl BitTime {
    /// No time at all, which no line has.
    pub const ZERO: BitTime = BitTime(0);

    /// `ps` picoseconds.
    pub const fn from_ps(ps: u64) -> BitTime {
        BitTime(ps)
    }

    /// `ns` nanoseconds.
    pub const fn from_ns(ns: u64) -> BitTime {
        BitTime(ns.saturating_mul(1_000))
    }

    /// `us` microseconds.
    pub const fn from_us(us: u64) -> BitTime {
        BitTime(us.saturating_mul(1_000_000))
    }

    /// Of a line with `hz` (at least 1) bits a second, rounded down.
    pub const fn from_hz(hz: u64) -> BitTime {
        BitTime(PS_PER_S / hz)
    }

    /// In picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// Bits a second, rounded.
    pub const fn hz(self) -> u64 {
        let ps = if self.0 == 0 { 1 } else { self.0 };
        (PS_PER_S + ps / 2) / ps
    }

    /// Length of `count` bits, rounded down once.
    pub const fn bits(self, count: u64) -> Time {
        Time::from_ps(self.0.saturating_mul(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_do_not_drift() {
        let bit = BitTime::from_hz(115_200);
        assert_eq!((bit.ps(), bit.hz()), (8_680_555, 115_200));
        // Ten bits that were each rounded down to a unit of time would end after 86.805 us.
        assert_eq!(bit.bits(10), Time::from_ps(86_805_500));
        assert_eq!(BitTime::from_ps(41_666).bits(3), Time::from_ps(124_900));
        assert_eq!(BitTime::ZERO.bits(8), Time::ZERO);
    }
}
