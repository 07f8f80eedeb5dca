// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ATmega128's AVR core as tools see it.

use super::fuses::Meaning;
use super::{Atmega128, map};
use crate::{Chip, Core, Request, Stop, Time};
use lichen_isa::avr8::{ARCHITECTURE, SP};
use lichen_isa::{Architecture, Cycle, Stacks};
use std::sync::Arc;

/// Numbers of the registers that a handler finds saved: the program counter.
const PC: usize = lichen_isa::avr8::PC;
/// Bytes that an interrupt saves on the stack.
const RETURN_ADDRESS: u32 = 2;

impl Core for Atmega128 {
    fn architecture(&self) -> &'static Architecture {
        &ARCHITECTURE
    }

    fn register(&self, number: usize) -> u32 {
        self.core.register(number)
    }

    fn set_register(&mut self, number: usize, value: u32) {
        self.core.set_register(number, value);
    }

    fn pc(&self) -> u32 {
        self.core.pc()
    }

    fn reset_address(&self) -> Option<u32> {
        let fuses = self.soc.fuses();
        Some(if fuses.boots_loader() { fuses.boot_start() } else { 0 })
    }

    fn set_breakpoint(&mut self, address: u32, on: bool) {
        self.memory.set_breakpoint(address, on);
    }

    fn step(&mut self, until: Time) -> Stop {
        let before = self.core.instructions();
        loop {
            if let Some(stop) = self.interruption() {
                return stop;
            }
            if !self.executes() {
                let next = self.next_event().min(until);
                if next == Time::NEVER || self.now >= until {
                    return Stop::Reached;
                }
                self.pass(next);
                continue;
            }
            self.watch_fetch();
            let stop = self.core.step(&mut self.memory, &mut self.soc);
            let stop = self.after(stop);
            if let Some(stop) = self.interruption().or(stop) {
                return stop;
            }
            if self.core.instructions() != before || self.now >= until {
                return Stop::Reached;
            }
        }
    }

    fn exception(&self) -> u32 {
        self.core.active_exception()
    }

    fn exceptions_active(&self) -> usize {
        self.core.active_exceptions()
    }

    fn exceptions_entered(&self) -> u64 {
        self.core.all_entries()
    }

    fn exception_name(&self, number: u32) -> &'static str {
        map::vector_name(number)
    }

    fn saved_by_exception(&self) -> Option<Vec<(usize, u32)>> {
        let sp = self.core.register(SP);
        let mut bytes = [0; RETURN_ADDRESS as usize];
        // The stack pointer is at the next free byte; the high byte is on top.
        self.peek(lichen_isa::avr8::DATA_BASE + sp + 1, &mut bytes).ok()?;
        let words = u32::from(u16::from_be_bytes(bytes));
        Some(vec![(SP, sp + RETURN_ADDRESS), (PC, words * 2)])
    }

    fn masks_interrupts(&self) -> bool {
        self.core.masks_interrupts()
    }

    fn requests(&self) -> u64 {
        self.core.requests(self.soc.requests())
    }

    fn requested_at(&self, number: u32) -> Option<Request> {
        let time = self.soc.risen(number)?;
        Some(Request { time, cycle: Cycle(self.soc.clocks.cycle_at_or_after(time)) })
    }

    /// All interrupts are of one priority: one handler does not interrupt another, unless it permits that.
    fn priority(&self, number: u32) -> i8 {
        if number == 0 { 1 } else { 0 }
    }

    fn pend_interrupt(&mut self, number: u32) {
        self.core.pend_interrupt(number);
    }

    fn guard_stacks(&mut self, stacks: Arc<Stacks>) {
        self.core.guard_stacks(stacks);
    }

    fn watch_exceptions(&mut self, on: bool) {
        self.core.watch_exceptions(on);
    }

    fn leave_exceptions_at(&mut self, address: u32) {
        self.memory.leave_handlers_at(address);
    }

    fn fault_return(&self) -> Option<u64> {
        None
    }

    fn cycles_stalled(&self) -> u64 {
        self.core.stalled()
    }
}
