// SPDX-License-Identifier: MIT OR Apache-2.0
//! The RAM of the radio (data sheet of the CC2420, table 6). What has several bytes has its least significant one first.

use borsh::{BorshDeserialize, BorshSerialize};

pub(super) const TXFIFO: usize = 0x000;
pub(super) const RXFIFO: usize = 0x080;
/// Bytes of each FIFO.
pub(super) const FIFO: usize = 0x80;
pub(super) const KEY0: usize = 0x100;
pub(super) const RXNONCE: usize = 0x110;
pub(super) const SABUF: usize = 0x120;
pub(super) const KEY1: usize = 0x130;
pub(super) const TXNONCE: usize = 0x140;
pub(super) const IEEEADR: usize = 0x160;
pub(super) const PANID: usize = 0x168;
pub(super) const SHORTADR: usize = 0x16A;
const SIZE: usize = 0x170;

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Ram(Vec<u8>);

impl Default for Ram {
    fn default() -> Ram {
        Ram(vec![0; SIZE])
    }
}

impl Ram {
    /// A byte; 0 where there is no RAM.
    pub fn get(&self, at: usize) -> u8 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub fn set(&mut self, at: usize, byte: u8) {
        if let Some(place) = self.0.get_mut(at) {
            *place = byte;
        }
    }

    /// The bytes from `at` on.
    pub fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        std::array::from_fn(|index| self.get(at + index))
    }

    /// A block of the cipher that is kept with its last byte first: a key or a nonce.
    pub fn reversed(&self, at: usize) -> [u8; 16] {
        std::array::from_fn(|index| self.get(at + 15 - index))
    }

    pub fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }
}
