// SPDX-License-Identifier: MIT OR Apache-2.0
//! The checksum engine of the DMA controller (data sheet, "DMAC", section "CRC Operation").

use super::CHANNELS;

/// CRCCTRL.CRCSRC: writes to CRCDATAIN, and channel 0, which the others follow.
const FROM_WRITES: usize = 1;
const FROM_CHANNEL_0: usize = 0x20;

/// Polynomials (CRCCTRL.CRCPOLY).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polynomial {
    /// CRC-16-CCITT, most significant bit first.
    Crc16,
    /// CRC-32 of IEEE 802.3, least significant bit first, complemented when it is read.
    Crc32,
}

/// The engine.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Crc {
    /// CRCCTRL.
    control: u16,
    state: u32,
    /// Whether writes to CRCDATAIN are not complete yet.
    takes_more: bool,
    /// Whether a checksum was complete and zero.
    zero: bool,
}

impl Crc {
    /// The engine after reset.
    pub fn new() -> Crc {
        Crc { control: 0, state: 0, takes_more: false, zero: false }
    }

    /// CRCCTRL.
    pub fn control(&self) -> u16 {
        self.control
    }

    /// Writes CRCCTRL; false if it chooses a source that does not exist.
    pub fn choose(&mut self, control: u16) -> bool {
        self.control = control;
        self.takes_more = self.takes_writes();
        self.zero = false;
        let source = self.source();
        source <= FROM_WRITES || (FROM_CHANNEL_0..FROM_CHANNEL_0 + CHANNELS).contains(&source)
    }

    fn source(&self) -> usize {
        usize::from(self.control >> 8 & 0x3F)
    }

    fn polynomial(&self) -> Polynomial {
        if self.control >> 2 & 3 == 1 { Polynomial::Crc32 } else { Polynomial::Crc16 }
    }

    /// Whether data written to CRCDATAIN is included.
    pub fn takes_writes(&self) -> bool {
        self.source() == FROM_WRITES
    }

    /// Whether data moved by DMA channel `channel` is included.
    pub fn takes_channel(&self, channel: usize) -> bool {
        self.source() == FROM_CHANNEL_0 + channel
    }

    /// Whether writes to CRCDATAIN are under way.
    pub fn takes_more(&self) -> bool {
        self.takes_more
    }

    /// Whether the last checksum that was completed is zero.
    pub fn is_zero(&self) -> bool {
        self.zero
    }

    /// CRCDATAIN is written.
    pub fn write(&mut self, value: u32) {
        self.takes_more = true;
        self.add(value, self.beat_bytes());
    }

    /// The data are complete.
    pub fn complete(&mut self) {
        self.takes_more = false;
        self.zero = self.checksum() == 0;
    }

    /// Bytes of one write to CRCDATAIN.
    fn beat_bytes(&self) -> u32 {
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
        let mut crc = Crc { control: polynomial << 2, ..Crc::new() };
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
        let mut crc = Crc { control: 1 << 2 | 2, state: u32::MAX, ..Crc::new() };
        crc.add(u32::from_le_bytes(*b"1234"), crc.beat_bytes());
        crc.add(u32::from_le_bytes(*b"5678"), 4);
        crc.add(b'9' as u32, 1);
        assert_eq!(crc.checksum(), 0xCBF4_3926);
    }
}
