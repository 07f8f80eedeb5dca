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

/// Fields of the control field (7.2.2), which is two bytes with the least significant one first.
const PAN_COMPRESSION: u16 = 1 << 6;
const DESTINATION_MODE: u32 = 10;
const SOURCE_MODE: u32 = 14;
const VERSION: u32 = 12;
/// Modes of addresses: none, a short one, and an extended one.
const NONE: u16 = 0;
const SHORT: u16 = 2;
/// Bytes of control field and sequence number, and of a network's number.
const FIXED: usize = 3;
const PAN: usize = 2;
/// The first edition in which both addresses and the compression have another meaning, and short addresses from which on
/// there is none.
const OF_2015: u16 = 2;
const NO_ADDRESS: u16 = 0xFFFE;
/// Fields of TinyOS's frames between radios of bytes, most significant byte first, and the header's length. The checksum is
/// behind the payload, least significant byte first.
const TINYOS_SOURCE: usize = 2;
const TINYOS_LENGTH: usize = 4;
const TINYOS_GROUP: usize = 5;
const TINYOS_HEADER: usize = 7;
/// Its polynomial: CRC-CCITT, from 0 on.
const TINYOS_CRC: u16 = 0x1021;

impl Frame {
    /// The network and the short address from which it is sent, if it has them.
    pub fn source(&self) -> Option<(u16, u16)> {
        let source =
            if self.is_802_15_4() { self.source_802_15_4() } else { self.source_of_tinyos() };
        source.filter(|(_, address)| *address < NO_ADDRESS)
    }

    /// Of the editions of 2003 and 2006.
    fn source_802_15_4(&self) -> Option<(u16, u16)> {
        let word = |at: usize| match self.bytes.get(at..at + 2) {
            Some([low, high]) => Some(u16::from_le_bytes([*low, *high])),
            _ => None,
        };
        let control = word(0)?;
        let mode = |at: u32| control >> at & 3;
        if mode(SOURCE_MODE) != SHORT || mode(VERSION) >= OF_2015 {
            return None;
        }
        let destination = match mode(DESTINATION_MODE) {
            NONE => 0,
            SHORT => PAN + 2,
            _ => PAN + 8,
        };
        let after = FIXED + destination;
        match control & PAN_COMPRESSION != 0 && destination > 0 {
            true => Some((word(FIXED)?, word(after)?)),
            false => Some((word(after)?, word(after + PAN)?)),
        }
    }

    /// Of a frame of TinyOS, whose group is its network, if its checksum is right: what radios of bytes send may be
    /// anything.
    fn source_of_tinyos(&self) -> Option<(u16, u16)> {
        let length = TINYOS_HEADER + usize::from(*self.bytes.get(TINYOS_LENGTH)?);
        let (packet, rest) = self.bytes.split_at_checked(length)?;
        if rest.get(..2)? != crc(packet).to_le_bytes() {
            return None;
        }
        let address = u16::from_be_bytes([packet[TINYOS_SOURCE], packet[TINYOS_SOURCE + 1]]);
        Some((packet[TINYOS_GROUP].into(), address))
    }
}

fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc, _| match crc >> 15 {
            0 => crc << 1,
            _ => crc << 1 ^ TINYOS_CRC,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Time;

    fn frame(khz: u32, bytes: &[u8]) -> Frame {
        Frame { start: Time::ZERO, khz, bps: 250_000, dbm: 0.0, bytes: bytes.to_vec() }
    }

    #[test]
    fn addresses_of_senders_are_found() {
        let of = |bytes: &[u8]| frame(2_405_000, bytes).source();
        // Data to a short address, in one network, and in another one.
        assert_eq!(of(&[0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, 0x6D, 0x01, 0]), Some((0x22, 0x16D)));
        assert_eq!(of(&[0x01, 0x88, 7, 9, 0, 1, 0, 0x22, 0, 0x6D, 0x01]), Some((0x22, 0x16D)));
        // To an extended one; to nobody.
        assert_eq!(of(&[0x41, 0x8C, 7, 0x22, 0, 1, 2, 3, 4, 5, 6, 7, 8, 5, 0]), Some((0x22, 5)));
        assert_eq!(of(&[0x00, 0x80, 7, 0x22, 0, 5, 0]), Some((0x22, 5)));
        // From an extended one; an acknowledgment; of 2015; cut short; from none.
        assert_eq!(of(&[0x41, 0xC8, 7, 0x22, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8]), None);
        assert_eq!(of(&[0x02, 0x00, 7, 0, 0]), None);
        assert_eq!(of(&[0x41, 0xA8, 7, 0x22, 0, 0xFF, 0xFF, 0x6D, 0x01, 0]), None);
        assert_eq!(of(&[0x41, 0x88, 7, 0x22, 0, 0xFF]), None);
        assert_eq!(of(&[0x41, 0x88, 7, 0x22, 0, 0xFF, 0xFF, 0xFE, 0xFF, 0]), None);
        assert_eq!(frame(433_000, &[0x00, 0x80, 7, 0x22, 0, 5, 0]).source(), None);
    }

    #[test]
    fn addresses_of_senders_are_found_in_frames_of_tinyos() {
        let of = |bytes: &[u8]| frame(434_845, bytes).source();
        let to_all = [0xFF, 0xFF, 0x57, 0x2E, 0x02, 0x22, 0x50, 0x00, 0x01, 0x40, 0x8E, 0x8E];
        assert_eq!(of(&to_all), Some((0x22, 0x572E)), "a byte follows it");
        let to_one = [0x57, 0x2E, 0xFD, 0x3E, 3, 0x22, 0x51, 0, 1, 0xC5, 0x91, 0x65, 0x65];
        assert_eq!(of(&to_one), Some((0x22, 0xFD3E)));
        assert_eq!(of(&to_one[..12]), Some((0x22, 0xFD3E)));
        assert_eq!(of(&to_one[..11]), None, "cut short");
        assert_eq!(frame(2_405_000, &to_one).source(), None);
        let mut other = to_one;
        other[3] ^= 1;
        assert_eq!(of(&other), None, "the checksum is another one");
        assert_eq!(of(&[0xAB, 0xBA, 0x83]), None, "an acknowledgment");
    }

    #[test]
    fn acknowledgments_are_distinguished() {
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
