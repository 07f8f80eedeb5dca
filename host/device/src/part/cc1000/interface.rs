// SPDX-License-Identifier: MIT OR Apache-2.0
//! The configuration interface: PALE, PCLK and PDATA (data sheet of the CC1000, "Configuration Interface").
//!
//! PALE is low for seven bits of address and R/W, and high for eight bits of data, the most significant bits first. The radio
//! samples PDATA at falling edges of PCLK. In a read it drives PDATA from these edges on, for as long as it takes.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Its fastest clock: 10 MHz.
pub(super) const FASTEST: Time = Time::from_ns(100);
/// Bits of address and R/W.
const ADDRESS_BITS: u8 = 8;
/// Bits of an access.
const ACCESS_BITS: u64 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Phase {
    #[default]
    Idle,
    Address,
    Write(u8),
    Read(u8),
}

/// The wires as they are, and an access under way.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Interface {
    pale: bool,
    /// `None` if nothing drives it.
    pclk: Option<bool>,
    pdata: bool,
    phase: Phase,
    /// Bits of this phase so far.
    count: u8,
    shift: u8,
    /// The last falling edge of PCLK.
    clocked: Option<Time>,
}

impl Default for Interface {
    fn default() -> Interface {
        let (phase, count, shift, clocked) = (Phase::Idle, 0, 0, None);
        Interface { pale: true, pclk: None, pdata: false, phase, count, shift, clocked }
    }
}

/// What an edge asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Nothing,
    /// The value of this register, which [`Interface::answer`] takes.
    Read(u8),
    /// This register gets a value.
    Write(u8, u8),
    /// PDATA is driven to this level.
    Drive(bool),
    /// PDATA is left alone.
    Release,
    /// An access ends with too few bits of address, or of data.
    Short(u8),
    /// PALE is low after the address.
    NoData,
    /// PCLK is too fast: the bit is lost.
    Fast,
}

impl Interface {
    /// Bits that are to come before a write can take effect.
    pub fn bits_left(&self) -> u64 {
        let done = u64::from(self.count);
        match self.phase {
            Phase::Idle | Phase::Read(_) => ACCESS_BITS,
            Phase::Address => ACCESS_BITS - done,
            Phase::Write(_) => ACCESS_BITS - u64::from(ADDRESS_BITS) - done,
        }
    }

    fn enter(&mut self, phase: Phase) {
        (self.phase, self.count, self.shift) = (phase, 0, 0);
    }

    /// PALE has this level.
    pub fn pale(&mut self, high: bool) -> Asked {
        if std::mem::replace(&mut self.pale, high) == high {
            return Asked::Nothing;
        }
        let (phase, count) = (self.phase, self.count);
        match (high, phase) {
            (true, Phase::Address) => self.enter(Phase::Idle),
            (true, _) => return Asked::Nothing,
            (false, _) => self.enter(Phase::Address),
        }
        match phase {
            Phase::Read(_) => Asked::Release,
            Phase::Address | Phase::Write(_) if count > 0 => Asked::Short(count),
            _ => Asked::Nothing,
        }
    }

    /// PALE has this level while the part does not answer: the access that was under way is over.
    pub fn miss_pale(&mut self, high: bool) {
        self.pale = high;
        self.enter(Phase::Idle);
    }

    /// The same of PCLK.
    pub fn miss_pclk(&mut self, high: Option<bool>) {
        self.pclk = high;
        self.enter(Phase::Idle);
    }

    /// PDATA has this level.
    pub fn pdata(&mut self, high: bool) {
        self.pdata = high;
    }

    /// PCLK has this level, or none. Making the pin an output, at whichever level, is no clock yet.
    pub fn pclk(&mut self, now: Time, high: Option<bool>) -> Asked {
        let before = std::mem::replace(&mut self.pclk, high);
        match (before, high) {
            (Some(false), Some(true)) => return self.rise(),
            (Some(true), Some(false)) => {}
            _ => return Asked::Nothing,
        }
        if self.clocked.replace(now).is_some_and(|before| now - before < FASTEST) {
            return Asked::Fast;
        }
        self.fall()
    }

    fn rise(&mut self) -> Asked {
        if matches!(self.phase, Phase::Read(_)) && self.count == 8 {
            self.enter(Phase::Idle);
            return Asked::Release;
        }
        Asked::Nothing
    }

    fn fall(&mut self) -> Asked {
        if !self.pale && matches!(self.phase, Phase::Write(_) | Phase::Read(_)) {
            self.enter(Phase::Idle);
            return Asked::NoData;
        }
        if self.phase == Phase::Idle {
            return Asked::Nothing;
        }
        self.count += 1;
        if let Phase::Read(value) = self.phase {
            return Asked::Drive(value >> (8 - self.count) & 1 != 0);
        }
        self.shift = self.shift << 1 | u8::from(self.pdata);
        if self.count < 8 { Asked::Nothing } else { self.complete() }
    }

    /// Eight bits have come in.
    fn complete(&mut self) -> Asked {
        let shift = self.shift;
        match self.phase {
            Phase::Write(address) => {
                self.enter(Phase::Idle);
                Asked::Write(address, shift)
            }
            _ if shift & 1 != 0 => {
                self.enter(Phase::Write(shift >> 1));
                Asked::Nothing
            }
            _ => {
                self.enter(Phase::Read(0));
                Asked::Read(shift >> 1)
            }
        }
    }

    /// The value of the register that is read.
    pub fn answer(&mut self, value: u8) {
        self.phase = Phase::Read(value);
    }
}
