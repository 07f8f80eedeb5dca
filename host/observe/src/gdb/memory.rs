// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory map, and the debugger's `load`: flash is erased and written row by row.

use super::Debuggee;
use super::description;
use super::history::History;
use super::stub::Target;
use gdbstub::target::ext::flash::Flash;
use gdbstub::target::ext::memory_map::MemoryMap;
use gdbstub::target::{TargetError, TargetResult};

/// What an erased byte reads as.
const ERASED: u8 = 0xFF;

impl<D: Debuggee> MemoryMap for Target<'_, D> {
    fn memory_map_xml(
        &self,
        offset: u64,
        length: usize,
        buffer: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let xml = description::memory_map(self.debuggee.chip().memories());
        Ok(description::part(&xml, offset, length, buffer))
    }
}

impl<D: Debuggee> Flash for Target<'_, D> {
    fn flash_erase(&mut self, start: u32, length: u32) -> TargetResult<(), Self> {
        let is_flash = self.debuggee.chip().memories().iter().any(|memory| {
            let end = u64::from(start) + u64::from(length);
            let memory_end = u64::from(memory.start) + u64::from(memory.size);
            memory.row > 0 && start >= memory.start && end <= memory_end
        });
        if !is_flash || !self.is_at_present() {
            return Err(TargetError::NonFatal);
        }
        self.flash_write(start, &vec![ERASED; length as usize])
    }

    fn flash_write(&mut self, start: u32, data: &[u8]) -> TargetResult<(), Self> {
        if !self.is_at_present() {
            return Err(TargetError::NonFatal);
        }
        let written = self.debuggee.chip_mut().program(start, data);
        written.map_err(|_| TargetError::NonFatal)
    }

    /// With another program, a new history begins.
    fn flash_done(&mut self) -> TargetResult<(), Self> {
        self.history = History::begin(self.debuggee);
        Ok(())
    }
}
