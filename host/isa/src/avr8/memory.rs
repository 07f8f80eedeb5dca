// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain memories that a core reaches without a bus: flash, with its code decoded, and SRAM.

use super::DATA_BASE;
use super::code::Code;
use super::decode::{Decoded, decode};
use super::op::Op;
use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Data address of the first byte of internal SRAM.
pub const SRAM_START: u16 = 0x100;

/// Most bytes of flash that a program counter of 16 bits reaches.
const MOST_FLASH: u32 = 2 << 16;

/// A byte of flash that is not programmed.
const ERASED: u8 = 0xFF;

/// Flash, and SRAM from data address [`SRAM_START`] on.
///
/// Linear addresses, as ELF files and debuggers use them, count bytes: flash begins at 0, SRAM at
/// [`DATA_BASE`] + [`SRAM_START`]. Registers are the core's, I/O registers, EEPROM, fuses, lock bits and
/// signature the chip's.
///
/// Instructions are decoded when they are first executed, one entry a word, and forgotten when their
/// bytes are written by anyone.
///
/// A clone shares flash and decoded code with the original until one of them changes its own.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub struct Memory {
    flash: Arc<[u8]>,
    sram: Vec<u8>,
    #[borsh(skip)]
    code: Code,
    #[borsh(skip)]
    breakpoints: BTreeSet<u32>,
    /// Where the program leaves handlers that have not returned.
    #[borsh(skip)]
    leaves: Option<u32>,
}

/// The contents of a flash, all of it decoded: shared by the memories that hold the same program.
#[derive(Clone, Debug)]
pub struct Program {
    flash: Arc<[u8]>,
    code: Code,
    breakpoints: BTreeSet<u32>,
    leaves: Option<u32>,
}

/// A range of linear addresses that is not in flash or SRAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("0x{address:06x}..0x{end:06x} is not in flash or SRAM")]
pub struct OutsideMemory {
    /// Start of the range.
    pub address: u32,
    /// First address after it.
    pub end: u64,
}

impl Memory {
    /// Erased flash (all ones) of `flash_bytes`, and zeroed SRAM up to the data address `data_end`,
    /// exclusively.
    ///
    /// # Panics
    ///
    /// If `flash_bytes` is not a power of two, or above 128 KB.
    pub fn new(flash_bytes: u32, data_end: u16) -> Memory {
        assert!(flash_bytes.is_power_of_two() && flash_bytes <= MOST_FLASH);
        Memory {
            flash: vec![ERASED; flash_bytes as usize].into(),
            sram: vec![0; usize::from(data_end.saturating_sub(SRAM_START))],
            code: Code::default(),
            breakpoints: BTreeSet::new(),
            leaves: None,
        }
    }

    /// All of flash.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// All of SRAM.
    pub fn sram(&self) -> &[u8] {
        &self.sram
    }

    /// The byte at an address of flash; higher addresses wrap around.
    #[inline]
    pub fn flash_byte(&self, address: u32) -> u8 {
        // Its length is a power of two.
        self.flash[address as usize & (self.flash.len() - 1)]
    }

    /// SRAM loses its contents. What it holds afterwards has no meaning, and is the same in every run.
    pub fn forget_sram(&mut self) {
        for (index, byte) in (1_u32..).zip(&mut self.sram) {
            *byte = index.wrapping_mul(0x9E37_79B9).rotate_left(15) as u8;
        }
    }

    /// SRAM holds these contents, as many bytes as it has.
    pub fn fill_sram(&mut self, contents: &[u8]) {
        self.sram.copy_from_slice(contents);
    }

    /// Reads bytes at a linear address without side effects and without taking time.
    pub fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutsideMemory> {
        let from = self.range(address, into.len())?;
        into.copy_from_slice(from);
        Ok(())
    }

    /// Writes bytes of flash or SRAM at a linear address as they will read afterwards, without taking
    /// time: as a programmer, a debugger or self-programming at the end of its work does.
    pub fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutsideMemory> {
        if self.range(address, bytes.len())? == bytes {
            return Ok(());
        }
        match sram_offset(address) {
            Some(offset) => self.sram[offset..offset + bytes.len()].copy_from_slice(bytes),
            None => {
                let start = address as usize;
                let last = start + bytes.len() - 1;
                Arc::make_mut(&mut self.flash)[start..=last].copy_from_slice(bytes);
                self.code.forget(start / 2, last / 2, self.words());
            }
        }
        Ok(())
    }

    /// What flash holds, decoded to the end, for [`Memory::share`].
    pub fn program(&mut self) -> Program {
        let used = self.flash.iter().rposition(|byte| *byte != ERASED).map_or(0, |last| last + 1);
        for word in 0..used.div_ceil(2) as u32 {
            self.decode(word);
        }
        Program {
            flash: Arc::clone(&self.flash),
            code: self.code.clone(),
            breakpoints: self.breakpoints.clone(),
            leaves: self.leaves,
        }
    }

    /// Takes the contents of another memory's flash of the same size, and its breakpoints, without a
    /// copy. Returns whether the size was the same.
    pub fn share(&mut self, program: &Program) -> bool {
        if program.flash.len() != self.flash.len() {
            return false;
        }
        self.flash = Arc::clone(&program.flash);
        self.code = program.code.clone();
        self.breakpoints.clone_from(&program.breakpoints);
        self.leaves = program.leaves;
        true
    }

    /// Sets or clears a breakpoint on the instruction at `address` of flash.
    pub fn set_breakpoint(&mut self, address: u32, on: bool) {
        let address = address & !1;
        let changed =
            if on { self.breakpoints.insert(address) } else { self.breakpoints.remove(&address) };
        if changed {
            self.forget_decoded(address);
        }
    }

    /// Whether the instruction at an address in words has a breakpoint.
    pub(super) fn has_breakpoint(&self, word: u32) -> bool {
        self.breakpoints.contains(&(word * 2))
    }

    /// Says that the program leaves its handlers for good with the instruction at `address` of flash,
    /// whether or not they have returned.
    pub fn leave_handlers_at(&mut self, address: u32) {
        let before = self.leaves.replace(address & !1);
        before.into_iter().chain([address]).for_each(|address| self.forget_decoded(address));
    }

    /// Whether that is the one at an address in words.
    pub(super) fn leaves_handlers(&self, word: u32) -> bool {
        self.leaves == Some(word * 2)
    }

    fn forget_decoded(&mut self, address: u32) {
        let word = address as usize / 2;
        if word < self.words() {
            self.code.forget(word, word, self.words());
        }
    }

    /// Takes the contents of `other`, but keeps its own breakpoints. Decoded code stays valid where
    /// flash is the same.
    pub fn restore(&mut self, other: &Memory) {
        self.sram.clone_from(&other.sram);
        if !Arc::ptr_eq(&self.flash, &other.flash) && self.flash != other.flash {
            self.flash = Arc::clone(&other.flash);
            self.code = Code::default();
        }
    }

    /// Number of words of flash.
    pub(super) fn words(&self) -> usize {
        self.flash.len() / 2
    }

    /// The word at an address in words; higher addresses wrap around.
    pub(super) fn word(&self, address: u32) -> u16 {
        let [low, high] = [0, 1].map(|byte| self.flash_byte(address.wrapping_mul(2) | byte));
        u16::from_le_bytes([low, high])
    }

    /// The decoded instruction at an address in words, of which the low 16 bits count.
    #[inline(always)]
    pub(super) fn op(&self, address: u32) -> Op {
        self.code.op(address)
    }

    /// Decodes the instruction at an address in words so that [`Memory::op`] finds it. Returns the
    /// instruction itself, or `None` if the address is not in flash.
    pub(super) fn decode(&mut self, address: u32) -> Option<Decoded> {
        if address as usize >= self.words() {
            return None;
        }
        let decoded = decode(self.word(address), self.word(address + 1));
        let stand_in = if self.has_breakpoint(address) || self.leaves_handlers(address) {
            Op::Breakpoint
        } else if decoded.defined {
            decoded.op
        } else {
            Op::Undefined
        };
        self.code.remember(address, stand_in);
        Some(decoded)
    }

    /// The byte at a data address, if it is in SRAM.
    #[inline(always)]
    pub(super) fn load_sram(&self, address: u16) -> Option<u8> {
        self.sram.get(usize::from(address.wrapping_sub(SRAM_START))).copied()
    }

    /// Writes the byte at a data address, if it is in SRAM.
    #[inline(always)]
    pub(super) fn store_sram(&mut self, address: u16, value: u8) -> Option<()> {
        *self.sram.get_mut(usize::from(address.wrapping_sub(SRAM_START)))? = value;
        Some(())
    }

    fn range(&self, address: u32, len: usize) -> Result<&[u8], OutsideMemory> {
        let (all, start): (&[u8], _) = match sram_offset(address) {
            Some(offset) => (&self.sram, offset),
            None => (&self.flash, address as usize),
        };
        all.get(start..start.saturating_add(len))
            .ok_or(OutsideMemory { address, end: u64::from(address) + len as u64 })
    }
}

/// Offset of a linear address from the start of SRAM, if it is not below it.
fn sram_offset(address: u32) -> Option<usize> {
    Some(address.checked_sub(DATA_BASE + u32::from(SRAM_START))? as usize)
}
