// SPDX-License-Identifier: MIT OR Apache-2.0
//! The chip's memories at the linear addresses that ELF files have them at, for programmers and
//! debuggers.

use super::Atmega128;
use super::part::SIGNATURE;
use crate::{Fuses, OutOfMemory, Program};
use lichen_isa::avr8::{self, DATA_BASE, OutsideMemory};
use std::sync::Arc;

/// Where the memories are that belong to the chip, not to the core.
const EEPROM: u32 = 0x81_0000;
const FUSES: u32 = 0x82_0000;
const LOCK: u32 = 0x83_0000;
const SIGNATURE_AT: u32 = 0x84_0000;
/// What has addresses of its own reaches up to there.
const SIZE: u32 = 0x1_0000;

/// Bytes at the registers r0 to r31.
const REGISTERS: u32 = 0x20;

/// The contents of all memories that keep theirs without power.
struct Programmed {
    flash: avr8::Program,
    eeprom: Arc<[u8]>,
    fuses: Fuses,
}

impl Atmega128 {
    pub(super) fn outside(&self, range: OutsideMemory) -> OutOfMemory {
        OutOfMemory { address: range.address, end: range.end, part: self.part.name }
    }

    fn beyond(&self, address: u32, len: usize) -> OutOfMemory {
        self.outside(OutsideMemory { address, end: u64::from(address) + len as u64 })
    }

    /// Writes any memory, as a programmer would.
    pub(super) fn program_memory(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory> {
        let range = (address % SIZE) as usize..(address % SIZE) as usize + bytes.len();
        let beyond = self.beyond(address, bytes.len());
        match address & !(SIZE - 1) {
            EEPROM => {
                let cells = self.soc.blocks.eeprom.cells_mut().get_mut(range).ok_or(beyond)?;
                cells.copy_from_slice(bytes);
            }
            FUSES => {
                let Fuses { low, high, extended, lock } = self.soc.fuses();
                let mut fuses = [low, high, extended];
                fuses.get_mut(range).ok_or(beyond)?.copy_from_slice(bytes);
                let [low, high, extended] = fuses;
                self.soc.set_fuses(Fuses { low, high, extended, lock });
            }
            LOCK => {
                let [lock] = *bytes else { return Err(beyond) };
                self.soc.set_fuses(Fuses { lock, ..self.soc.fuses() });
            }
            // A file may say which chip it is for.
            SIGNATURE_AT if bytes.iter().rev().eq(&SIGNATURE) => {}
            _ => self.memory.write(address, bytes).map_err(|range| self.outside(range))?,
        }
        Ok(())
    }

    /// What a programmer has written, to be shared.
    pub(super) fn programmed(&mut self) -> Program {
        let eeprom = self.soc.blocks.eeprom.cells().into();
        Program::of(Programmed { flash: self.memory.program(), eeprom, fuses: self.soc.fuses() })
    }

    /// Takes what a programmer has written to another chip; false if that is another kind of chip.
    pub(super) fn share_programmed(&mut self, program: &Program) -> bool {
        let Some(Programmed { flash, eeprom, fuses }) = program.get() else { return false };
        self.soc.blocks.eeprom.cells_mut().copy_from_slice(eeprom);
        self.soc.set_fuses(*fuses);
        self.memory.share(flash)
    }

    /// Reads any memory, and r0 to r31, which have data addresses.
    pub(super) fn peek_memory(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory> {
        let range = (address % SIZE) as usize..(address % SIZE) as usize + into.len();
        let beyond = self.beyond(address, into.len());
        let Fuses { low, high, extended, lock } = self.soc.fuses();
        let registers = DATA_BASE..DATA_BASE + REGISTERS;
        let from = match address & !(SIZE - 1) {
            EEPROM => self.soc.blocks.eeprom.cells().get(range),
            FUSES => return copy([low, high, extended].get(range), into, beyond),
            LOCK => return copy([lock].get(range), into, beyond),
            SIGNATURE_AT => return copy(SIGNATURE.get(range), into, beyond),
            _ if registers.contains(&address) && into.len() as u32 <= registers.end - address => {
                let first = (address - DATA_BASE) as usize;
                for (number, byte) in (first..).zip(into) {
                    *byte = self.core.register(number) as u8;
                }
                return Ok(());
            }
            _ => return self.memory.peek(address, into).map_err(|range| self.outside(range)),
        };
        copy(from, into, beyond)
    }
}

fn copy(from: Option<&[u8]>, into: &mut [u8], beyond: OutOfMemory) -> Result<(), OutOfMemory> {
    into.copy_from_slice(from.ok_or(beyond)?);
    Ok(())
}
