// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI in modes 0 and 3 from the levels of its wires, for masters that drive them bit by bit: both sample on the
//! rising edge of the clock and change their outputs on the falling one, most significant bit first.

use borsh::{BorshDeserialize, BorshSerialize};

/// The wires as they are, and a byte under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Bits {
    /// MOSI.
    pub data: bool,
    clock: bool,
    /// Bits of this byte that have been sampled.
    count: u8,
    incoming: u8,
    outgoing: u8,
}

/// What an edge of the clock means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Nothing for the part.
    Nothing,
    /// The part puts out its next bit; the first one of a byte, if `first`.
    Output {
        /// Whether a byte begins.
        first: bool,
    },
    /// This byte has come in.
    Byte(u8),
}

impl Bits {
    /// The part is selected. Whether the clock is low, so that the first bit is put out at once (mode 0).
    pub fn select(&mut self) -> bool {
        (self.count, self.incoming) = (0, 0);
        !self.clock
    }

    /// The clock is at this level now.
    pub fn clock(&mut self, high: bool) -> Edge {
        if std::mem::replace(&mut self.clock, high) == high {
            return Edge::Nothing;
        }
        if !high {
            return Edge::Output { first: self.count == 0 };
        }
        self.incoming = self.incoming << 1 | u8::from(self.data);
        self.count = (self.count + 1) % 8;
        if self.count == 0 { Edge::Byte(self.incoming) } else { Edge::Nothing }
    }

    /// Whether the first bit of a byte is put out, and stays for as long as the clock is low.
    pub fn waits(&self) -> bool {
        self.count == 0 && !self.clock
    }

    /// The byte to be put out from now on.
    pub fn set(&mut self, byte: u8) {
        self.outgoing = byte;
    }

    /// The bit that is put out.
    pub fn bit(&self) -> bool {
        self.outgoing >> (7 - self.count) & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks `out` in, in mode 0, and returns what is put out meanwhile.
    fn exchange(bits: &mut Bits, out: u8, answer: u8) -> (u8, Option<u8>) {
        let (mut back, mut whole) = (0, None);
        for index in (0..8).rev() {
            if bits.clock(false) == (Edge::Output { first: true }) {
                bits.set(answer);
            }
            bits.data = out >> index & 1 != 0;
            back = back << 1 | u8::from(bits.bit());
            if let Edge::Byte(byte) = bits.clock(true) {
                whole = Some(byte);
            }
        }
        (back, whole)
    }

    #[test]
    fn bytes_go_both_ways() {
        let mut bits = Bits::default();
        assert!(bits.select(), "the clock is low");
        bits.set(0x5A);
        assert_eq!(exchange(&mut bits, 0xD7, 0), (0x5A, Some(0xD7)));
        assert_eq!(exchange(&mut bits, 0x01, 0x80), (0x80, Some(0x01)));
    }

    #[test]
    fn in_mode_3_the_first_falling_edge_begins_a_byte() {
        let mut bits = Bits::default();
        bits.clock(true);
        assert!(!bits.select());
        assert_eq!(exchange(&mut bits, 0xA5, 0x3C), (0x3C, Some(0xA5)));
        assert_eq!(bits.clock(true), Edge::Nothing, "it is high");
    }

    #[test]
    fn a_first_bit_waits_for_its_clock() {
        let mut bits = Bits::default();
        bits.select();
        assert!(bits.waits());
        bits.clock(true);
        assert!(!bits.waits());
        bits.clock(false);
        assert!(!bits.waits(), "the second bit");
    }
}
