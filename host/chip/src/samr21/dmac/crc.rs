// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum engine of the DMA controller (data sheet, "DMAC", section "CRC Operation").

/// Polynomials (CRCCTRL.CRCPOLY).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polynomial {
    /// CRC-16-CCITT, most significant bit first.
    Crc16,
    /// CRC-32 of IEEE 802.3, least significant bit first, complemented when it is read.
    Crc32,
}

/// The engine.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Crc {
    /// CRCCTRL.
    pub control: u16,
    state: u32,
}

impl Crc {
    /// The engine after reset.
    pub fn new() -> Crc {
        Crc { control: 0, state: 0 }
    }

    fn polynomial(&self) -> Polynomial {
        if self.control >> 2 & 3 == 1 { Polynomial::Crc32 } else { Polynomial::Crc16 }
    }

    /// Whether data written to CRCDATAIN is included.
    pub fn takes_writes(&self) -> bool {
        self.control >> 8 & 0x3F == 1
    }

    /// Whether data moved by DMA channel `channel` is included.
    pub fn takes_channel(&self, channel: usize) -> bool {
        (self.control >> 8 & 0x3F) as usize == 0x20 + channel
    }

    /// Bytes of one write to CRCDATAIN.
    pub fn beat_bytes(&self) -> u32 {
        match self.control & 3 {
            0 => 1,
            1 => 2,
            _ => 4,
        }
    }

    /// Sets the initial value.
    pub fn set(&mut self, value: u32) {
        self.state = match self.polynomial() {
            Polynomial::Crc16 => value & 0xFFFF,
            Polynomial::Crc32 => value.reverse_bits(),
        };
    }

    /// CRCCHKSUM.
    pub fn checksum(&self) -> u32 {
        match self.polynomial() {
            Polynomial::Crc16 => self.state & 0xFFFF,
            Polynomial::Crc32 => !self.state,
        }
    }

    /// Adds the `bytes` low bytes of `value`, lowest first.
    pub fn add(&mut self, value: u32, bytes: u32) {
        for byte in value.to_le_bytes().into_iter().take(bytes as usize) {
            self.state = match self.polynomial() {
                Polynomial::Crc16 => crc16(self.state, byte),
                Polynomial::Crc32 => crc32(self.state, byte),
            };
        }
    }
}

fn crc16(state: u32, byte: u8) -> u32 {
    (0..8).fold(state ^ (byte as u32) << 8, |crc, _| {
        (crc << 1 ^ if crc & 0x8000 != 0 { 0x1021 } else { 0 }) & 0xFFFF
    })
}

fn crc32(state: u32, byte: u8) -> u32 {
    (0..8).fold(state ^ byte as u32, |crc, _| crc >> 1 ^ if crc & 1 != 0 { 0xEDB8_8320 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(polynomial: u16, start: u32) -> u32 {
        let mut crc = Crc { control: polynomial << 2, state: 0 };
        crc.set(start);
        b"123456789".iter().for_each(|byte| crc.add(*byte as u32, 1));
        crc.checksum()
    }

    #[test]
    fn check_values_of_both_polynomials() {
        assert_eq!(of(0, 0xFFFF), 0x29B1);
        assert_eq!(of(0, 0), 0x31C3);
        assert_eq!(of(1, u32::MAX), 0xCBF4_3926);
    }

    #[test]
    fn wide_beats_go_lowest_byte_first() {
        let mut crc = Crc { control: 1 << 2 | 2, state: u32::MAX };
        crc.add(u32::from_le_bytes(*b"1234"), crc.beat_bytes());
        crc.add(u32::from_le_bytes(*b"5678"), 4);
        crc.add(b'9' as u32, 1);
        assert_eq!(crc.checksum(), 0xCBF4_3926);
    }
}
