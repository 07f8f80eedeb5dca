// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stack: it grows downwards, and the stack pointer is below what was pushed last.

use super::access::SREG;
use super::core::Core;
use super::flags::Flags;
use super::flow::Flow;
use super::timing::{ACCESS, LOAD_STORE, RETURN};
use super::{Bus, DATA_BASE, Memory};
use crate::Origin;

impl Core {
    /// PUSH.
    #[inline(always)]
    pub(super) fn push<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        value: u8,
    ) {
        let address = self.sp;
        self.sp = address.wrapping_sub(1);
        self.check_lowered_sp(flow.origin(0), address);
        if memory.store_sram(address, value).is_some() {
            flow.next_after(LOAD_STORE);
            return;
        }
        self.push_elsewhere(flow, memory, bus, address, value);
    }

    #[cold]
    fn push_elsewhere<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u16,
        value: u8,
    ) {
        bus.stack_elsewhere(flow.origin(ACCESS), address, value);
        self.store(flow, memory, bus, address, value);
    }

    /// The instruction uses the stack down to the byte at `lowest`.
    #[inline(always)]
    fn check_lowered_sp(&mut self, origin: Origin, lowest: u16) {
        let lowest = DATA_BASE + u32::from(lowest);
        if self.guard.is_below(lowest) {
            self.guard.leave(origin.pc, lowest);
            self.attend();
        }
    }

    /// POP.
    #[inline(always)]
    pub(super) fn pop<B: Bus>(&mut self, flow: &mut Flow, memory: &mut Memory, bus: &mut B) -> u8 {
        self.sp = self.sp.wrapping_add(1);
        self.load(flow, memory, bus, self.sp)
    }

    /// RCALL, ICALL and CALL of so many words: the address of the next instruction goes to the stack.
    #[inline(always)]
    pub(super) fn call<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        (to, words, cycles): (u32, u32, u64),
    ) {
        let back = flow.pc.wrapping_add(words) as u16;
        let stall;
        (stall, flow.flags) = self.push_word(memory, bus, flow.origin(0), flow.flags, back);
        flow.jump(to as u16, cycles + stall);
    }

    /// RET.
    #[inline(always)]
    pub(super) fn ret<B: Bus>(&mut self, flow: &mut Flow, memory: &mut Memory, bus: &mut B) {
        let (to, stall) = self.pop_word(memory, bus, flow);
        flow.jump(to, RETURN + stall);
        if !self.handlers.is_empty() {
            self.end_handlers();
        }
    }

    /// Pushes an address of code, its low byte first; returns the stall, and SREG as it is then.
    #[inline(always)]
    pub(super) fn push_word<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        flags: Flags,
        word: u16,
    ) -> (u64, Flags) {
        let [low, high] = word.to_le_bytes();
        let (first, second) = (self.sp, self.sp.wrapping_sub(1));
        self.sp = self.sp.wrapping_sub(2);
        self.check_lowered_sp(origin, second);
        let stored = memory.store_sram(first, low).and_then(|()| memory.store_sram(second, high));
        if stored.is_some() {
            return (0, flags);
        }
        self.push_word_elsewhere(memory, bus, origin, flags, [(first, low), (second, high)])
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

    /// Pops an address of code; returns it and the stall.
    #[inline(always)]
    pub(super) fn pop_word<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        flow: &Flow,
    ) -> (u16, u64) {
        let (first, second) = (self.sp.wrapping_add(1), self.sp.wrapping_add(2));
        self.sp = second;
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
