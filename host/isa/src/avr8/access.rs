// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loads and stores by data address: SRAM directly, everything else by what is there.

use super::core::{Core, lowest_in_use};
use super::flags::Flags;
use super::flow::Flow;
use super::timing::ACCESS;
use super::{Bus, Memory};
use crate::{Origin, Reply};

/// I/O registers that the core has, by data address.
pub(super) const RAMPZ: u16 = 0x5B;
pub(super) const SPL: u16 = 0x5D;
pub(super) const SPH: u16 = 0x5E;
pub(super) const SREG: u16 = 0x5F;
/// The first data address after r0 to r31.
pub(super) const REGISTERS_END: u16 = 0x20;

/// What the core itself has in the data space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A register, by its number.
    Register(u8),
    /// RAMPZ.
    Rampz,
    /// The lower half of the stack pointer.
    StackLow,
    /// The upper half of the stack pointer.
    StackHigh,
    /// SREG.
    Status,
}

impl Own {
    /// What is at a data address.
    #[inline(always)]
    pub fn at(address: u16) -> Option<Own> {
        Some(match address {
            0..REGISTERS_END => Own::Register(address as u8),
            RAMPZ => Own::Rampz,
            SPL => Own::StackLow,
            SPH => Own::StackHigh,
            SREG => Own::Status,
            _ => return None,
        })
    }
}

impl Core {
    /// Loads a byte as LD and LDS do; `flow` has its stall.
    #[inline(always)]
    pub(super) fn load<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u16,
    ) -> u8 {
        if let Some(value) = memory.load_sram(address) {
            return value;
        }
        let reply = self.load_elsewhere(memory, bus, flow.origin(ACCESS), address, flow.flags);
        flow.cycle += u64::from(reply.stall);
        reply.value as u8
    }

    /// Stores a byte as ST and STS do; `flow` has its stall.
    #[inline(always)]
    pub(super) fn store<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u16,
        value: u8,
    ) {
        if memory.store_sram(address, value).is_some() {
            return;
        }
        if address == SREG {
            self.write_sreg(flow, value);
            return;
        }
        let origin = flow.origin(ACCESS);
        flow.cycle += self.store_elsewhere(memory, bus, origin, address, value, flow.flags.i);
    }

    /// IN, SBIC and SBIS; `flow` has the stall.
    #[inline(always)]
    pub(super) fn input<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u8,
    ) -> u8 {
        let origin = flow.origin(0);
        let reply = self.load_elsewhere(memory, bus, origin, address.into(), flow.flags);
        flow.cycle += u64::from(reply.stall);
        reply.value as u8
    }

    /// OUT, except to SREG; `flow` has the stall.
    #[inline(always)]
    pub(super) fn output<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u8,
        value: u8,
    ) {
        let origin = flow.origin(0);
        let i = flow.flags.i;
        flow.cycle += self.store_elsewhere(memory, bus, origin, address.into(), value, i);
    }

    /// SBI and CBI: the register is read, and written in the next cycle. `flow` has the stalls.
    #[inline(always)]
    pub(super) fn change_bit<B: Bus>(
        &mut self,
        flow: &mut Flow,
        memory: &mut Memory,
        bus: &mut B,
        address: u8,
        mut change: impl FnMut(u8) -> u8,
    ) {
        let (origin, i) = (flow.origin(0), flow.flags.i);
        let reply = self.load_elsewhere(memory, bus, origin, address.into(), flow.flags);
        let value = change(reply.value as u8);
        let waited = u64::from(reply.stall);
        let origin = flow.origin(waited + ACCESS);
        let stall = self.store_elsewhere(memory, bus, origin, address.into(), value, i);
        flow.cycle += waited + stall;
    }

    /// Writes SREG. If that sets I, another instruction is executed before an interrupt is taken.
    #[inline(always)]
    pub(super) fn write_sreg(&mut self, flow: &mut Flow, value: u8) {
        let before = flow.flags.i;
        flow.flags = Flags::from(value);
        if flow.flags.i && !before {
            self.permit_interrupts_after(flow);
        }
    }

    /// The instruction has set I: interrupts are taken after the next one.
    #[inline(always)]
    pub(super) fn permit_interrupts_after(&mut self, flow: &Flow) {
        self.interruptible_from = self.instructions + flow.executed + 2;
        if self.lines | self.forced != 0 {
            self.attend();
        }
    }

    /// A load of what is not SRAM.
    #[inline(never)]
    pub(super) fn load_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        address: u16,
        flags: Flags,
    ) -> Reply {
        if address < REGISTERS_END {
            bus.register_loaded(origin, address);
        }
        if let Some(value) = memory.load_sram(address).or_else(|| self.own(address, flags)) {
            return Reply { value: value.into(), stall: 0 };
        }
        let reply = bus.read(memory, origin, address);
        self.stalled += u64::from(reply.stall);
        self.listen(bus, flags.i);
        self.note_read(origin, || bus.holds_until(address));
        reply
    }

    /// What the core has at a data address.
    fn own(&self, address: u16, flags: Flags) -> Option<u8> {
        let [low, high] = self.sp.to_le_bytes();
        Some(match Own::at(address)? {
            Own::Register(number) => self.registers[usize::from(number)],
            Own::Rampz => self.rampz,
            Own::StackLow => low,
            Own::StackHigh => high,
            Own::Status => flags.into(),
        })
    }

    /// A store to what is neither SRAM nor SREG; `i` is SREG.I. Returns the stall.
    #[inline(never)]
    pub(super) fn store_elsewhere<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
        address: u16,
        value: u8,
        i: bool,
    ) -> u64 {
        let [low, high] = self.sp.to_le_bytes();
        match Own::at(address) {
            Some(Own::Register(number)) => {
                bus.register_stored(origin, address, value);
                self.registers[usize::from(number)] = value;
            }
            Some(Own::Rampz) => self.set_rampz(value),
            Some(Own::StackLow) => {
                self.write_sp([value, high], address, origin);
                self.check_written_sp(origin);
            }
            Some(Own::StackHigh) => self.write_sp([low, value], address, origin),
            _ if memory.store_sram(address, value).is_some() => {}
            _ => {
                let reply = bus.write(memory, origin, address, value);
                self.stalled += u64::from(reply.stall);
                self.listen(bus, i);
                return reply.stall.into();
            }
        }
        0
    }

    fn write_sp(&mut self, sp: [u8; 2], address: u16, origin: Origin) {
        self.sp = u16::from_le_bytes(sp);
        self.note_stack_pointer_write(address, origin.cycle.0);
    }

    /// The lower half of the stack pointer is written, which programs write last.
    fn check_written_sp(&mut self, origin: Origin) {
        let lowest = lowest_in_use(self.sp);
        if !self.guard.contains(lowest) {
            self.guard.written(origin.pc, lowest);
            self.attend();
        }
    }

    /// Takes over what an access may have changed on the bus; `i` is SREG.I.
    pub(super) fn listen<B: Bus>(&mut self, bus: &B, i: bool) {
        self.set_lines(bus.lines());
        self.due = self.due.min(bus.horizon());
        self.horizon = self.horizon.min(self.due);
        if i && self.lines | self.forced != 0 {
            self.attend();
        }
    }
}
