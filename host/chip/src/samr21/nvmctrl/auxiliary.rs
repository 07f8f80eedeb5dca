// SPDX-License-Identifier: MIT OR Apache-2.0
//! Auxiliary space of the flash: user row, calibration, serial number (data sheet, "NVM Memory
//! Organization", "Product Mapping").

use crate::samr21::factory;

/// First address of the auxiliary space.
pub(crate) const AUXILIARY: u32 = 0x0080_0000;
/// First address behind it.
pub(crate) const AUXILIARY_END: u32 = 0x0080_B000;
/// The user row.
pub(super) const USER_ROW: u32 = 0x0080_4000;
/// Bytes of a row.
pub(crate) const ROW: usize = 256;

const CALIBRATION: u32 = 0x0080_6020;
const TEMPERATURE_LOG: u32 = 0x0080_6030;
const SERIAL_WORD_0: u32 = 0x0080_A00C;
const SERIAL_WORDS: u32 = 0x0080_A040;

/// The rows' contents.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Auxiliary {
    user_row: [u8; ROW],
    serial_number: [u32; 4],
}

impl Auxiliary {
    /// As a chip with this serial number is delivered.
    pub fn new(serial_number: [u32; 4]) -> Auxiliary {
        let mut user_row = [0xFF; ROW];
        for (word, bytes) in factory::USER_ROW.iter().zip(user_row.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Auxiliary { user_row, serial_number }
    }

    /// The word at `address`, a multiple of 4; memory never written reads as ones.
    pub fn word(&self, address: u32) -> u32 {
        let in_words = |base: u32, words: &[u32]| {
            let index = address.checked_sub(base)? / 4;
            words.get(index as usize).copied()
        };
        let word = match address {
            USER_ROW.. if address < USER_ROW + ROW as u32 => self.user_word(address - USER_ROW),
            SERIAL_WORD_0 => Some(self.serial_number[0]),
            SERIAL_WORDS.. => in_words(SERIAL_WORDS, &self.serial_number[1..]),
            TEMPERATURE_LOG.. => in_words(TEMPERATURE_LOG, &factory::TEMPERATURE_LOG),
            CALIBRATION.. => in_words(CALIBRATION, &factory::CALIBRATION),
            _ => None,
        };
        word.unwrap_or(u32::MAX)
    }

    fn user_word(&self, offset: u32) -> Option<u32> {
        let bytes = self.user_row.get(offset as usize..)?.first_chunk::<4>()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// The first two words of the user row: the fuses.
    pub fn fuses(&self) -> [u32; 2] {
        [self.word(USER_ROW), self.word(USER_ROW + 4)]
    }

    /// The user row.
    pub fn user_row(&self) -> &[u8; ROW] {
        &self.user_row
    }

    /// Writes bytes into the user row after erasing it.
    pub fn set_user_row(&mut self, offset: usize, bytes: &[u8]) {
        for (byte, new) in self.user_row[offset..].iter_mut().zip(bytes) {
            *byte = *new;
        }
    }

    /// Erases the user row.
    pub fn erase_user_row(&mut self) {
        self.user_row = [0xFF; ROW];
    }

    /// Programs a page of the user row from `offset` on: bits only go from 1 to 0.
    pub fn program_user_row(&mut self, offset: usize, page: &[u8]) {
        for (byte, new) in self.user_row[offset..].iter_mut().zip(page) {
            *byte &= new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calibration_serial_number_and_user_row_are_where_firmware_looks() {
        let auxiliary = Auxiliary::new([1, 2, 3, 4]);
        assert_eq!(auxiliary.word(0x0080_6024) >> 26, factory::DFLL_COARSE);
        assert_eq!(auxiliary.word(0x0080_6028) & 0x3FF, factory::DFLL_FINE);
        assert_eq!(auxiliary.word(0x0080_6030) & 0xFF, 25);
        assert_eq!(auxiliary.word(0x0080_A00C), 1);
        assert_eq!([0, 4, 8].map(|o| auxiliary.word(0x0080_A040 + o)), [2, 3, 4]);
        assert_eq!(auxiliary.fuses(), factory::USER_ROW);
        assert_eq!(auxiliary.word(0x0080_1000), u32::MAX);
    }
}
