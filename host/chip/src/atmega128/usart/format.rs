// SPDX-License-Identifier: MIT OR Apache-2.0
//! The form and the speed of characters, as the registers select them.

use crate::{BitTime, Frame};

/// UCSRnA.
pub(super) const RXC: u8 = 1 << 7;
pub(super) const TXC: u8 = 1 << 6;
pub(super) const UDRE: u8 = 1 << 5;
pub(super) const FE: u8 = 1 << 4;
pub(super) const DOR: u8 = 1 << 3;
pub(super) const UPE: u8 = 1 << 2;
pub(super) const U2X: u8 = 1 << 1;
pub(super) const MPCM: u8 = 1;

/// UCSRnB.
pub(super) const RXCIE: u8 = 1 << 7;
pub(super) const TXCIE: u8 = 1 << 6;
pub(super) const UDRIE: u8 = 1 << 5;
pub(super) const RXEN: u8 = 1 << 4;
pub(super) const TXEN: u8 = 1 << 3;
pub(super) const UCSZ2: u8 = 1 << 2;
pub(super) const RXB8: u8 = 1 << 1;
pub(super) const TXB8: u8 = 1;

/// UCSRnC.
pub(super) const UMSEL: u8 = 1 << 6;

/// Parity (UPMn1:0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parity {
    None,
    Even,
    Odd,
}

impl Parity {
    /// The parity bit of a character, if there is one.
    pub fn of(self, data: u16) -> Option<bool> {
        let odd = data.count_ones() % 2 != 0;
        match self {
            Parity::None => None,
            Parity::Even => Some(odd),
            Parity::Odd => Some(!odd),
        }
    }
}

/// The registers that select it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Format {
    /// UBRRn.
    pub divider: u16,
    pub double_speed: bool,
    /// UCSRnC, and UCSZn2.
    pub control: u8,
    pub nine: bool,
    /// Cycle at which the baud rate generator began to count.
    pub zero: u64,
}

impl Format {
    /// After a reset: 8 bits, 1 stop bit.
    pub fn new() -> Format {
        Format { divider: 0, double_speed: false, control: 0x06, nine: false, zero: 0 }
    }

    /// Data bits; reserved sizes count as 8.
    pub fn data_bits(&self) -> u8 {
        match (self.nine, self.control >> 1 & 3) {
            (true, 3) => 9,
            (false, size) => 5 + size,
            (true, _) => 8,
        }
    }

    /// Whether the number of data bits is reserved.
    pub fn is_reserved(&self) -> bool {
        self.nine && self.control >> 1 & 3 != 3 || self.control >> 4 & 3 == 1
    }

    pub fn parity(&self) -> Parity {
        match self.control >> 4 & 3 {
            2 => Parity::Even,
            3 => Parity::Odd,
            _ => Parity::None,
        }
    }

    /// Stop bits of the transmitter; the receiver looks at the first only.
    pub fn stop_bits(&self) -> u8 {
        1 + (self.control >> 3 & 1)
    }

    pub fn is_synchronous(&self) -> bool {
        self.control & UMSEL != 0
    }

    /// Cycles between two samples of the receiver.
    pub fn sample(&self) -> u64 {
        u64::from(self.divider) + 1
    }

    /// Samples in a bit; in synchronous operation there is one, and a bit takes two of the generator's
    /// periods.
    pub fn samples_per_bit(&self) -> u64 {
        match (self.is_synchronous(), self.double_speed) {
            (true, _) => 2,
            (false, true) => 8,
            (false, false) => 16,
        }
    }

    /// The samples that decide over a bit.
    pub fn deciding_samples(&self) -> [u64; 3] {
        match self.samples_per_bit() {
            2 => [1, 1, 1],
            8 => [3, 4, 5],
            _ => [7, 8, 9],
        }
    }

    /// Cycles in a bit.
    pub fn bit(&self) -> u64 {
        self.sample() * self.samples_per_bit()
    }

    /// Bits of a whole character.
    pub fn bits(&self) -> u64 {
        let parity = u64::from(self.parity() != Parity::None);
        1 + u64::from(self.data_bits()) + parity + u64::from(self.stop_bits())
    }

    /// The first edge of the transmitter's clock, which runs freely, after a cycle.
    pub fn next_bit(&self, cycle: u64) -> u64 {
        let bits = cycle.saturating_sub(self.zero) / self.bit() + 1;
        self.zero + bits * self.bit()
    }

    /// A character on the wire.
    pub fn frame(&self, data: u16, bit_time: BitTime) -> Frame {
        let data_bits = self.data_bits();
        let data = data & ((1 << data_bits) - 1);
        let parity = self.parity().of(data);
        Frame { data, data_bits, parity, stop_bits: self.stop_bits(), bit_time }
    }
}
