//! Loads and stores: plain memory at once, everything else by where it lies.

use super::core::{Core, LR, SP};
use super::fault::{Abort, FaultKind};
use super::fetch::NO_LINE;
use super::flow::{Exit, Flow};
use super::op::Reg;
use super::timing::{BRANCH, IO_PORT, LOAD_STORE, MULTIPLE};
use super::{Bus, Memory};
use crate::{Cycle, Origin, Width};

/// The single-cycle I/O port is the 256 MB from here.
const IO_PORT_REGION: u32 = 0x6;

const fn width<const N: usize>() -> Width {
    match N {
        1 => Width::Byte,
        2 => Width::Half,
        _ => Width::Word,
    }
}

/// Cycles of a single load or store without stalls.
fn single(address: u32) -> u64 {
    if address >> 28 == IO_PORT_REGION { IO_PORT } else { LOAD_STORE }
}

/// The private peripheral bus, inside the core.
fn is_private(address: u32) -> bool {
    address >> 20 == 0xE00
}

impl Core {
    /// A load of `N` bytes that is an instruction of its own: `flow` goes on behind it.
    #[inline(always)]
    pub(super) fn load<B: Bus, const N: usize>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
    ) -> Result<u32, Abort> {
        if let Some(bytes) = memory.load_ram::<N>(address) {
            flow.next_after(LOAD_STORE);
            let mut word = [0; 4];
            word[..N].copy_from_slice(&bytes);
            return Ok(u32::from_le_bytes(word));
        }
        let origin = Origin { cycle: Cycle(flow.cycle), pc: flow.pc };
        let (value, stall) = self.load_elsewhere(memory, bus, origin, address, width::<N>())?;
        flow.next_after(single(address) + stall);
        flow.line = NO_LINE;
        Ok(value)
    }

    /// A store of `N` bytes that is an instruction of its own: `flow` goes on behind it.
    #[inline(always)]
    pub(super) fn store<B: Bus, const N: usize>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
        value: u32,
    ) -> Result<(), Abort> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&value.to_le_bytes()[..N]);
        if memory.store_ram(address, bytes).is_some() {
            flow.next_after(LOAD_STORE);
            return Ok(());
        }
        let origin = Origin { cycle: Cycle(flow.cycle), pc: flow.pc };
        let stall = self.store_elsewhere(memory, bus, origin, address, width::<N>(), value)?;
        flow.next_after(single(address) + stall);
        flow.line = NO_LINE;
        Ok(())
    }

    /// A load by address: the value, and the cycles beyond those without stalls.
    #[inline(never)]
    fn load_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        address: u32,
        width: Width,
    ) -> Result<(u32, u64), Abort> {
        if let Some(loaded) = memory.load(address, width, origin.cycle.0) {
            return Ok(loaded);
        }
        self.check_access(address, width)?;
        if is_private(address) {
            return Ok((self.private_read(origin.cycle, address, width)?, 0));
        }
        let reply = bus
            .read(memory, origin, address, width)
            .map_err(|_| Abort::at(FaultKind::Bus, address))?;
        self.listen(bus);
        Ok((reply.value, u64::from(reply.stall)))
    }

    /// A store by address: the cycles beyond those without stalls.
    #[inline(never)]
    fn store_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<u64, Abort> {
        if memory.store(address, width, value).is_some() {
            return Ok(0);
        }
        self.check_access(address, width)?;
        if is_private(address) {
            self.private_write(origin.cycle, address, width, value)?;
            return Ok(0);
        }
        let reply = bus
            .write(memory, origin, address, width, value)
            .map_err(|_| Abort::at(FaultKind::Bus, address))?;
        self.listen(bus);
        Ok(u64::from(reply.stall))
    }

    fn check_access(&self, address: u32, width: Width) -> Result<(), Abort> {
        if address % width.bytes() != 0 {
            return Err(Abort::at(FaultKind::Unaligned, address));
        }
        if is_private(address) && !self.privileged() {
            return Err(Abort::at(FaultKind::Privilege, address));
        }
        Ok(())
    }

    /// Takes what an access may have changed on the bus.
    fn listen<B: Bus>(&mut self, bus: &mut B) {
        self.set_lines(bus.lines());
        self.set_nmi(bus.nmi());
        self.due = self.due.min(bus.horizon());
        self.horizon = self.horizon.min(self.due);
        if self.exception_to_take().is_some() {
            self.attend();
        }
    }

    /// Reads consecutive words, one a cycle from `origin` on: the stalls among them.
    pub(super) fn load_words<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        mut origin: Origin,
        address: u32,
        into: &mut [u32],
    ) -> Result<u64, Abort> {
        let mut stalls = 0;
        let mut address = address;
        for word in into {
            if let Some(bytes) = memory.load_ram::<4>(address) {
                *word = u32::from_le_bytes(bytes);
            } else {
                let stall;
                (*word, stall) = self.load_elsewhere(memory, bus, origin, address, Width::Word)?;
                origin.cycle += stall;
                stalls += stall;
            }
            origin.cycle += 1;
            address = address.wrapping_add(4);
        }
        Ok(stalls)
    }

    /// Writes consecutive words, one a cycle from `origin` on: the stalls among them.
    pub(super) fn store_words<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        mut origin: Origin,
        address: u32,
        words: &[u32],
    ) -> Result<u64, Abort> {
        let mut stalls = 0;
        let mut address = address;
        for word in words {
            if memory.store_ram(address, word.to_le_bytes()).is_none() {
                let stall =
                    self.store_elsewhere(memory, bus, origin, address, Width::Word, *word)?;
                origin.cycle += stall;
                stalls += stall;
            }
            origin.cycle += 1;
            address = address.wrapping_add(4);
        }
        Ok(stalls)
    }

    /// Whether a transfer of `count` words may begin: one in RAM that something may interrupt
    /// waits until then, because an interrupt may abandon it. Devices see each access once.
    #[inline(always)]
    fn begin_multiple(
        &self,
        flow: &Flow,
        memory: &Memory,
        address: u32,
        count: usize,
    ) -> Result<Origin, Exit> {
        let end = flow.cycle + MULTIPLE + count as u64;
        if end > self.due.0 && memory.load_ram::<4>(address).is_some() {
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
        flow.line = NO_LINE;
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
        flow.line = NO_LINE;
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
        let cycles = self.store_list(flow, memory, bus, base, &words[..count])?;
        self.registers[SP] = base;
        flow.next_after(cycles);
        Ok(())
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
        self.branch_exchange(flow, words[count as usize - 1])
    }

    /// The registers of a list in order, and how many they are.
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

    /// MOV and ADD to any register, SP and PC included.
    #[inline(always)]
    pub(super) fn move_any(&mut self, flow: &mut Flow, rd: Reg, value: u32) {
        match usize::from(rd) {
            super::core::PC => {
                flow.pc = value & !1;
                flow.cycle += BRANCH;
            }
            SP => {
                self.registers[SP] = value & !3;
                flow.next();
            }
            _ => {
                self.set(rd, value);
                flow.next();
            }
        }
    }

    /// BX and POP to PC: EXC_RETURN values end the handler.
    #[inline(always)]
    pub(super) fn branch_exchange(&mut self, flow: &mut Flow, target: u32) -> Result<(), Exit> {
        if target >> 28 == 0xF && self.exception != 0 {
            return Err(Exit::Return(target));
        }
        flow.cycle += BRANCH;
        self.jump(flow, target);
        Ok(())
    }

    /// Goes on at `target`; an even address has no instruction set.
    #[inline(always)]
    pub(super) fn jump(&mut self, flow: &mut Flow, target: u32) {
        flow.pc = target & !1;
        if target & 1 == 0 {
            self.thumb = false;
            self.attend();
        }
    }
}
