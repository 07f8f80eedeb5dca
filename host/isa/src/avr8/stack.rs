// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stack: it grows downwards, and the stack pointer is below what was pushed last.

use super::access::SREG;
use super::core::Core;
use super::flags::Flags;
use super::flow::Flow;
use super::timing::{ACCESS, LOAD_STORE};
use super::{Bus, DATA_BASE, Memory};
use crate::Origin;

impl Core {
    /// The store of PUSH; `flow` has its stall.
    #[inline(always)]
    pub(super) fn store_pushed<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u16,
        value: u8,
    ) {
        if memory.store_sram(address, value).is_none() {
            *flow = self.push_elsewhere(*flow, memory, bus, address, value);
        }
    }

    // Takes the flow and returns it: a reference would keep it out of host registers.
    #[cold]
    #[inline(never)]
    fn push_elsewhere<B: Bus>(
        &mut self,
        mut flow: Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u16,
        value: u8,
    ) -> Flow {
        bus.stack_elsewhere(flow.origin(ACCESS), address, value);
        self.store(&mut flow, memory, bus, address, value);
        flow
    }

    /// The instruction uses the stack down to the byte at `lowest`.
    #[inline(always)]
    pub(super) fn check_lowered_sp(&mut self, origin: Origin, lowest: u16) {
        let lowest = DATA_BASE + u32::from(lowest);
        if self.guard.is_below(lowest) {
            self.guard.leave(origin.pc, lowest);
            self.attend();
        }
    }

    /// Stores an address of code as calls do, its low byte first, downwards; returns the stall, and SREG as it is then.
    #[inline(always)]
    pub(super) fn store_return<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        flags: Flags,
        first: u16,
        word: u16,
    ) -> (u64, Flags) {
        let [low, high] = word.to_le_bytes();
        let second = first.wrapping_sub(1);
        let stored = memory.store_sram(first, low).and_then(|()| memory.store_sram(second, high));
        if stored.is_some() {
            return (0, flags);
        }
        self.push_word_elsewhere(memory, bus, origin, flags, [(first, low), (second, high)])
    }

    /// An interrupt pushes an address of code; returns the stall, and SREG as it is then.
    pub(super) fn push_word<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        flags: Flags,
        word: u16,
    ) -> (u64, Flags) {
        let first = self.sp;
        self.sp = first.wrapping_sub(2);
        self.check_lowered_sp(origin, first.wrapping_sub(1));
        self.store_return(memory, bus, origin, flags, first, word)
    }

    /// The same where a byte is not in SRAM.
    #[cold]
    fn push_word_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        mut origin: Origin,
        mut flags: Flags,
        bytes: [(u16, u8); 2],
    ) -> (u64, Flags) {
        let mut stalls = 0;
        for (address, byte) in bytes {
            origin.cycle += ACCESS;
            bus.stack_elsewhere(origin, address, byte);
            if address == SREG {
                flags = Flags::from(byte);
                continue;
            }
            let stall = self.store_elsewhere(memory, bus, origin, address, byte, flags.i);
            origin.cycle += stall;
            stalls += stall;
        }
        (stalls, flags)
    }

    /// Loads an address of code as returns do, its high byte first; returns it and the stall.
    #[inline(always)]
    pub(super) fn load_return<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        flow: &Flow,
        first: u16,
    ) -> (u16, u64) {
        let second = first.wrapping_add(1);
        match (memory.load_sram(first), memory.load_sram(second)) {
            (Some(high), Some(low)) => (u16::from_le_bytes([low, high]), 0),
            _ => self.pop_word_elsewhere(memory, bus, *flow, [first, second]),
        }
    }

    /// The same where a byte is not in SRAM.
    #[cold]
    fn pop_word_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        flow: Flow,
        addresses: [u16; 2],
    ) -> (u16, u64) {
        let mut stalls = 0;
        let [high, low] = addresses.map(|address| {
            let origin = flow.origin(LOAD_STORE + stalls);
            let reply = self.load_elsewhere(memory, bus, origin, address, flow.flags);
            stalls += u64::from(reply.stall);
            reply.value as u8
        });
        (u16::from_le_bytes([low, high]), stalls)
    }
}
