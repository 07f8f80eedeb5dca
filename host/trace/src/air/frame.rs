// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the bytes of a frame say of it.

use crate::Frame;

/// The band of IEEE 802.15.4 begins here, in kHz; radios below are those of bytes.
const OQPSK_FROM_KHZ: u32 = 2_000_000;
/// Types of frames of IEEE 802.15.4, and the bit of the control field that suppresses sequence numbers (IEEE
/// 802.15.4-2020, 7.2.2), in its second byte.
const TYPE: u8 = 7;
const ACKNOWLEDGMENT: u8 = 2;
const NO_SEQUENCE: u8 = 1;
/// An acknowledgment between radios of bytes, as TinyOS sends it, and the most bytes of a carrier that is one.
const ACK_CODE: [u8; 2] = [0xBA, 0x83];
const ACK_BYTES: usize = 8;

impl Frame {
    fn is_802_15_4(&self) -> bool {
        self.khz >= OQPSK_FROM_KHZ
    }

    /// Whether it is an acknowledgment.
    pub fn is_acknowledgment(&self) -> bool {
        match self.is_802_15_4() {
            true => self.bytes.first().is_some_and(|control| control & TYPE == ACKNOWLEDGMENT),
            false => {
                let is_short = self.bytes.len() <= ACK_BYTES;
                is_short && self.bytes.windows(2).any(|pair| pair == ACK_CODE)
            }
        }
    }

    /// Its sequence number, if it has one.
    pub fn sequence(&self) -> Option<u8> {
        match self.bytes[..] {
            [_, control, number, ..] if self.is_802_15_4() && control & NO_SEQUENCE == 0 => {
                Some(number)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;

    fn frame(khz: u32, bytes: &[u8]) -> Frame {
        Frame { start: Time::ZERO, khz, bps: 250_000, dbm: 0.0, bytes: bytes.to_vec() }
    }

    #[test]
    fn acknowledgments_are_told_apart() {
        let data = frame(2_405_000, &[0x61, 0x88, 7, 0, 0]);
        assert_eq!((data.is_acknowledgment(), data.sequence()), (false, Some(7)));
        let ack = frame(2_405_000, &[0x02, 0x00, 7, 1, 2]);
        assert_eq!((ack.is_acknowledgment(), ack.sequence()), (true, Some(7)));
        let unnumbered = frame(2_405_000, &[0x41, 0x29, 7, 1, 2]);
        assert_eq!((unnumbered.is_acknowledgment(), unnumbered.sequence()), (false, None));
        let of_bytes = frame(433_000, &[0xAB, 0xBA, 0x83, 0xAA, 0xAA]);
        assert_eq!((of_bytes.is_acknowledgment(), of_bytes.sequence()), (true, None));
        let long = frame(433_000, &[0xFF, 0xFF, 6, 0x22, 9, 0xBA, 0x83, 1, 2, 3]);
        assert_eq!((long.is_acknowledgment(), long.sequence()), (false, None));
        assert_eq!(frame(2_405_000, &[]).sequence(), None);
    }
}
