// SPDX-License-Identifier: MIT OR Apache-2.0
//! Address recognition (data sheet of the CC2420, "Address Recognition"; IEEE 802.15.4-2003, 7.5.6.2).

use super::ram::{self, Ram};
use super::registers::{BCN_ACCEPT, PAN_COORDINATOR, RESERVED_FRAME_MODE, Registers};

/// Bytes of the control field.
const CONTROL: usize = 2;
/// Bytes before the addresses: control field and sequence number.
const BEFORE_ADDRESSES: usize = 3;
const BROADCAST: u16 = 0xFFFF;
const INTRA_PAN: u16 = 1 << 6;

/// Types of frames; from 4 on they are reserved.
const BEACON: u16 = 0;
const ACKNOWLEDGMENT: u16 = 2;

/// Modes of addresses.
const NONE: u16 = 0;
const RESERVED: u16 = 1;
const SHORT: u16 = 2;

/// What is known of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It takes so many bytes after the length to know.
    Needs(usize),
    Accepted,
    Rejected,
}

use Verdict::*;

/// Judges a frame of `length` bytes by those that are there.
pub(super) fn judge(bytes: &[u8], length: usize, registers: &Registers, ram: &Ram) -> Verdict {
    let verdict = Header { bytes, registers, ram }.judge();
    match verdict {
        // It ends before its addresses do.
        Needs(needed) if needed > length => Rejected,
        verdict => verdict,
    }
}

struct Header<'a> {
    bytes: &'a [u8],
    registers: &'a Registers,
    ram: &'a Ram,
}

impl Header<'_> {
    fn judge(&self) -> Verdict {
        let Some(control) = self.word(0) else { return Needs(CONTROL) };
        let (kind, destination, source) = (control & 7, control >> 10 & 3, control >> 14);
        match kind {
            4.. if self.registers.is_set(RESERVED_FRAME_MODE) => return Accepted,
            4.. => return Rejected,
            ACKNOWLEDGMENT => return Accepted,
            _ if destination == RESERVED || source == RESERVED => return Rejected,
            _ => {}
        }
        if destination != NONE {
            let verdict = self.destination(destination);
            if verdict != Accepted {
                return verdict;
            }
        }
        match (kind, destination, source) {
            (BEACON, _, NONE) => Rejected,
            (BEACON, ..) => self.beacon(control, destination),
            (_, NONE, SHORT..) => self.for_coordinator(),
            _ => Accepted,
        }
    }

    fn destination(&self, mode: u16) -> Verdict {
        let at = BEFORE_ADDRESSES;
        let Some(pan) = self.word(at) else { return Needs(at + 2) };
        if pan != BROADCAST && pan != self.ram.word(ram::PANID) {
            return Rejected;
        }
        let at = at + 2;
        let is_own = if mode == SHORT {
            let Some(address) = self.word(at) else { return Needs(at + 2) };
            address == BROADCAST || address == self.ram.word(ram::SHORTADR)
        } else {
            let Some(address) = self.bytes.get(at..at + 8) else { return Needs(at + 8) };
            address == self.ram.array::<8>(ram::IEEEADR)
        };
        if is_own { Accepted } else { Rejected }
    }

    /// A beacon, whose source must be in the own network.
    fn beacon(&self, control: u16, destination: u16) -> Verdict {
        if self.registers.is_set(BCN_ACCEPT) {
            return Accepted;
        }
        let after = match destination {
            NONE => BEFORE_ADDRESSES,
            SHORT => BEFORE_ADDRESSES + 2 + 2,
            _ => BEFORE_ADDRESSES + 2 + 8,
        };
        let is_named_once = destination != NONE && control & INTRA_PAN != 0;
        self.source_pan(if is_named_once { BEFORE_ADDRESSES } else { after })
    }

    /// A frame without a destination is for the coordinator of its network.
    fn for_coordinator(&self) -> Verdict {
        match self.registers.is_set(PAN_COORDINATOR) {
            true => self.source_pan(BEFORE_ADDRESSES),
            false => Rejected,
        }
    }

    fn source_pan(&self, at: usize) -> Verdict {
        let Some(pan) = self.word(at) else { return Needs(at + 2) };
        if pan == self.ram.word(ram::PANID) { Accepted } else { Rejected }
    }

    fn word(&self, at: usize) -> Option<u16> {
        let bytes = self.bytes.get(at..at + 2)?;
        Some(u16::from_le_bytes([bytes[0], bytes[1]]))
    }
}
