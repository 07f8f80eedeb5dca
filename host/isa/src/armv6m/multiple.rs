// SPDX-License-Identifier: MIT OR Apache-2.0
//! LDM, STM, PUSH and POP.

use super::core::{Core, LR, SP};
use super::flow::{Exit, Flow};
use super::op::Reg;
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

    #[inline(always)]
    fn load_list<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        words: &mut [u32],
    ) -> Result<u64, Exit> {
        let origin = self.begin_multiple(flow, memory, address, words.len())?;
        let stalls = self.load_words(memory, bus, origin, address, words)?;
        Ok(MULTIPLE + words.len() as u64 + stalls)
    }

    #[inline(always)]
    fn store_list<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        words: &[u32],
    ) -> Result<u64, Exit> {
        let origin = self.begin_multiple(flow, memory, address, words.len())?;
        let stalls = self.store_words(memory, bus, origin, address, words)?;
        Ok(MULTIPLE + words.len() as u64 + stalls)
    }

    /// LDM: the base is written back unless it is loaded.
    #[inline(always)]
    pub(super) fn load_multiple<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        rn: Reg,
        list: u8,
    ) -> Result<(), Exit> {
        let (mut words, count) = ([0; 8], list.count_ones());
        let base = self.r(rn);
        let cycles = self.load_list(flow, memory, bus, base, &mut words[..count as usize])?;
        self.set(rn, base.wrapping_add(count * 4));
        self.scatter(list, &words);
        flow.next_after(cycles);
        Ok(())
    }

    /// STM.
    #[inline(always)]
    pub(super) fn store_multiple<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        rn: Reg,
        list: u8,
    ) -> Result<(), Exit> {
        let (words, count) = self.gather(list);
        let base = self.r(rn);
        let cycles = self.store_list(flow, memory, bus, base, &words[..count])?;
        self.set(rn, base.wrapping_add(count as u32 * 4));
        flow.next_after(cycles);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn push<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        list: u8,
        lr: bool,
    ) -> Result<(), Exit> {
        let (mut words, mut count) = self.gather(list);
        if lr {
            words[count] = self.registers[LR];
            count += 1;
        }
        let base = self.registers[SP].wrapping_sub(count as u32 * 4);
        self.check_lowered_sp(flow.pc, base);
        let cycles = self.store_list(flow, memory, bus, base, &words[..count])?;
        self.registers[SP] = base;
        flow.next_after(cycles);
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

    /// POP without PC.
    #[inline(always)]
    pub(super) fn pop<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        list: u8,
    ) -> Result<(), Exit> {
        let (mut words, count) = ([0; 8], list.count_ones());
        let base = self.registers[SP];
        let cycles = self.load_list(flow, memory, bus, base, &mut words[..count as usize])?;
        self.registers[SP] = base.wrapping_add(count * 4);
        self.scatter(list, &words);
        flow.next_after(cycles);
        Ok(())
    }

    /// POP with PC: a branch, or an exception return.
    #[inline(always)]
    pub(super) fn pop_pc<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        list: u8,
    ) -> Result<(), Exit> {
        let (mut words, count) = ([0; 9], list.count_ones() + 1);
        let base = self.registers[SP];
        let cycles = self.load_list(flow, memory, bus, base, &mut words[..count as usize])?;
        self.registers[SP] = base.wrapping_add(count * 4);
        self.scatter(list, &words);
        flow.cycle += cycles;
        self.branch_exchange(flow, memory, words[count as usize - 1])
    }

    /// The registers of a list in order, and their number.
    #[inline(always)]
    fn gather(&self, list: u8) -> ([u32; 9], usize) {
        let (mut words, mut count, mut rest) = ([0; 9], 0, list);
        while rest != 0 {
            words[count] = self.r(rest.trailing_zeros() as Reg);
            count += 1;
            rest &= rest - 1;
        }
        (words, count)
    }

    #[inline(always)]
    fn scatter(&mut self, list: u8, words: &[u32]) {
        let mut rest = list;
        for word in words {
            if rest == 0 {
                break;
            }
            self.set(rest.trailing_zeros() as Reg, *word);
            rest &= rest - 1;
        }
    }
}
