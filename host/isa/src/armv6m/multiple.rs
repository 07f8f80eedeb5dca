// SPDX-License-Identifier: MIT OR Apache-2.0
//! The accesses of LDM, STM, PUSH and POP.

use super::core::Core;
use super::flow::{Exit, Flow};
use super::timing::MULTIPLE;
use super::{Bus, Memory};
use crate::{Cycle, Origin};

impl Core {
    /// Whether a transfer of `count` words may begin. A transfer in RAM that might be interrupted
    /// waits until the interrupt, which may abandon it. Devices see each access once.
    #[inline(always)]
    fn begin_multiple(
        &self,
        flow: &mut Flow,
        memory: &Memory,
        address: u32,
        count: usize,
    ) -> Result<Origin, Exit> {
        let end = flow.cycle + MULTIPLE + count as u64;
        if memory.load_ram::<4>(address).is_none() {
            flow.keep_word();
        } else if end > self.due.0 {
            return Err(Exit::Unfinished);
        }
        Ok(Origin { cycle: Cycle(flow.cycle), pc: flow.pc })
    }

    /// Loads words; `flow` has their stalls.
    #[inline(always)]
    pub(super) fn load_list<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        words: &mut [u32],
    ) -> Result<(), Exit> {
        let origin = self.begin_multiple(flow, memory, address, words.len())?;
        flow.cycle += self.load_words(memory, bus, origin, address, words)?;
        Ok(())
    }

    /// Stores words, in the same way.
    #[inline(always)]
    pub(super) fn store_list<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        words: &[u32],
    ) -> Result<(), Exit> {
        let origin = self.begin_multiple(flow, memory, address, words.len())?;
        flow.cycle += self.store_words(memory, bus, origin, address, words)?;
        Ok(())
    }

    /// The instruction at `pc`, or an exception before it, lowers the stack pointer to `sp`.
    #[inline(always)]
    pub(super) fn check_lowered_sp(&mut self, pc: u32, sp: u32) {
        if self.guard.is_below(sp) {
            self.guard.leave(pc, sp);
            self.attend();
        }
    }

    /// The instruction at `pc` has written the stack pointer.
    #[inline(always)]
    pub(super) fn check_written_sp(&mut self, pc: u32) {
        let sp = self.registers[super::core::SP];
        if !self.guard.contains(sp) {
            self.guard.written(pc, sp);
            self.attend();
        }
    }
}
