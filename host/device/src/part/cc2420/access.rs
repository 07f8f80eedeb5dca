// SPDX-License-Identifier: MIT OR Apache-2.0
//! An access on SPI: what its bytes ask for (data sheet of the CC2420, "4-wire Serial Configuration and Data Interface").

use super::ram;
use borsh::{BorshDeserialize, BorshSerialize};

const RAM: u8 = 1 << 7;
const READS: u8 = 1 << 6;
/// In the second byte of an access to RAM.
const RAM_READS: u8 = 1 << 5;
/// The last address of a command strobe.
const LAST_STROBE: u8 = 0x0F;
const TXFIFO: u8 = 0x3E;
const RXFIFO: u8 = 0x3F;

/// What the next byte is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Access {
    /// An address. A strobe or a register may be followed by another one.
    #[default]
    Address,
    /// The high byte of a register.
    High { register: u8, writes: bool },
    /// Its low byte.
    Low { register: u8, writes: bool, high: u8 },
    /// A byte for the TXFIFO.
    TxFifo,
    /// A byte of the RXFIFO.
    RxFifo { writes: bool },
    /// The bank of the RAM, after the address in it.
    Bank { low: u8 },
    /// A byte of the RAM.
    Ram { at: usize, writes: bool },
    /// It means nothing.
    Over,
}

/// What a byte does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    Strobe(u8),
    Register {
        register: u8,
        value: u16,
    },
    TxFifo(u8),
    /// The TXFIFO cannot be read.
    TxFifoRead,
    RxFifoRead,
    RxFifoWrite(u8),
    Ram {
        at: usize,
        byte: u8,
    },
}

impl Access {
    /// The access that an address begins.
    fn begun(byte: u8) -> (Access, Effect) {
        let address = byte & 0x3F;
        let reads = byte & READS != 0;
        let access = match (byte & RAM != 0, address) {
            (true, _) => Access::Bank { low: byte & 0x7F },
            (false, ..=LAST_STROBE) if !reads => return (Access::Address, Effect::Strobe(address)),
            (false, TXFIFO) if reads => return (Access::Over, Effect::TxFifoRead),
            (false, TXFIFO) => Access::TxFifo,
            (false, RXFIFO) => Access::RxFifo { writes: !reads },
            (false, register) => Access::High { register, writes: !reads },
        };
        (access, Effect::Nothing)
    }

    /// What the byte after this one is for, and what this one does when its last bit has arrived.
    pub fn after(self, byte: u8) -> (Access, Effect) {
        match self {
            Access::Address => Access::begun(byte),
            Access::High { register, writes } => {
                (Access::Low { register, writes, high: byte }, Effect::Nothing)
            }
            Access::Low { register, writes: true, high } => {
                let value = u16::from_be_bytes([high, byte]);
                (Access::Address, Effect::Register { register, value })
            }
            Access::Low { writes: false, .. } => (Access::Address, Effect::Nothing),
            Access::TxFifo => (self, Effect::TxFifo(byte)),
            Access::RxFifo { writes: true } => (self, Effect::RxFifoWrite(byte)),
            Access::RxFifo { writes: false } => (self, Effect::RxFifoRead),
            Access::Bank { low } => {
                let at = usize::from(byte >> 6) * ram::FIFO + usize::from(low);
                (Access::Ram { at, writes: byte & RAM_READS == 0 }, Effect::Nothing)
            }
            Access::Ram { at, writes } => {
                let next = Access::Ram { at: at + 1, writes };
                (next, if writes { Effect::Ram { at, byte } } else { Effect::Nothing })
            }
            Access::Over => (self, Effect::Nothing),
        }
    }
}
