// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads and stores: plain memory directly, everything else by its address.

use super::core::Core;
use super::exceptions::VECTORS_END;
use super::fault::{Abort, FaultKind};
use super::flow::Flow;
use super::semantics::width;
use super::timing::{IO_PORT, LOAD_STORE};
use super::{Bus, Memory};
use crate::{Cycle, Origin, Width};

/// The single-cycle I/O port is the 256 MB from here.
const IO_PORT_REGION: u32 = 0x6;

/// Cycles that a single load or store takes less than others.
fn saved(address: u32) -> u64 {
    if address >> 28 == IO_PORT_REGION { LOAD_STORE - IO_PORT } else { 0 }
}

/// The private peripheral bus, inside the core.
fn is_private(address: u32) -> bool {
    address >> 20 == 0xE00
}

fn word_of<const N: usize>(bytes: [u8; N]) -> u32 {
    let mut word = [0; 4];
    word[..N].copy_from_slice(&bytes);
    u32::from_le_bytes(word)
}

/// A load of `N` bytes from flash; `flow` has its wait states. `None` if `address` is not in flash.
#[inline(always)]
fn load_flash<const N: usize>(flow: &mut Flow, memory: &mut Memory, address: u32) -> Option<u32> {
    let (bytes, wait) = memory.load_flash::<N>(address, flow.cycle)?;
    if wait != 0 {
        flow.keep_word();
    }
    flow.cycle += wait;
    Some(word_of(bytes))
}

impl Core {
    /// A load of `N` bytes; `flow` has the cycles that it takes beyond those of every load.
    #[inline(always)]
    pub(super) fn load<B: Bus, const N: usize>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
    ) -> Result<u32, Abort> {
        if let Some(bytes) = memory.load_ram::<N>(address) {
            return Ok(word_of(bytes));
        }
        // Accesses that lead to the vectors are reported.
        if address >= VECTORS_END
            && let Some(value) = load_flash::<N>(flow, memory, address)
        {
            return Ok(value);
        }
        let origin = Origin { cycle: Cycle(flow.cycle), pc: flow.pc };
        let (value, stall) = self.load_elsewhere(memory, bus, origin, address, width::<N>())?;
        flow.keep_word();
        flow.cycle = flow.cycle + stall - saved(address);
        Ok(value)
    }

    /// LDR (literal): `address` is aligned, and is in flash unless code runs from RAM.
    #[inline(always)]
    pub(super) fn load_literal<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u32,
    ) -> Result<u32, Abort> {
        if let Some(value) = load_flash::<4>(flow, memory, address) {
            return Ok(value);
        }
        self.load::<B, 4>(flow, memory, bus, address)
    }

    /// A store of `N` bytes; `flow` has the cycles that it takes beyond those of every store.
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
            return Ok(());
        }
        let origin = Origin { cycle: Cycle(flow.cycle), pc: flow.pc };
        let stall = self.store_elsewhere(memory, bus, origin, address, width::<N>(), value)?;
        flow.keep_word();
        flow.cycle = flow.cycle + stall - saved(address);
        Ok(())
    }

    /// A load by address: returns the value, and the cycles beyond those without stalls.
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
            // Start-up may copy the vectors, with interrupts masked.
            if address < VECTORS_END && !self.primask {
                bus.vector_loaded(origin, address, width);
            }
            return Ok(loaded);
        }
        self.check_access(address, width)?;
        if is_private(address) {
            let until = self.private_holds_until(origin.cycle, address);
            let value = self.private_read(origin.cycle, address, width)?;
            self.note_read(origin, || until);
            return Ok((value, 0));
        }
        let reply = bus
            .read(memory, origin, address, width)
            .map_err(|_| Abort::at(FaultKind::Bus, address))?;
        self.stalled += u64::from(reply.stall);
        self.listen(bus);
        self.note_read(origin, || bus.holds_until(address, width));
        Ok((reply.value, u64::from(reply.stall)))
    }

    /// A store by address: returns the cycles beyond those without stalls.
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
        self.stalled += u64::from(reply.stall);
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

    /// Takes over what an access may have changed on the bus.
    fn listen<B: Bus>(&mut self, bus: &mut B) {
        self.see_lines(bus);
        self.due = self.due.min(bus.horizon());
        self.horizon = self.horizon.min(self.due);
        if self.exception_to_take().is_some() {
            self.attend();
        }
    }

    /// Reads consecutive words, one per cycle from `origin` on; returns the stalls among them.
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

    /// Writes consecutive words, one per cycle from `origin` on; returns the stalls among them.
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
}
