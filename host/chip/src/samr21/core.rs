// SPDX-License-Identifier: MIT OR Apache-2.0
//! The SAM R21's Cortex-M0+ as tools see it.

use super::{Samr21, State, map};
use crate::{Chip, Core, Request, Stop, Time};
use lichen_isa::armv6m::{ARCHITECTURE, ExceptionFrame, LR, PC, PRIMASK, is_exc_return, stack_of};
use lichen_isa::{Architecture, Stacks, Width};
use std::sync::Arc;

/// Offset of the reset vector in the vector table (ARMv6-M Architecture Reference Manual, B1.5.3).
const RESET_VECTOR: u32 = 4;

impl Samr21 {
    fn word(&self, address: u32) -> Option<u32> {
        self.memory.read(address, Width::Word)
    }
}

impl Core for Samr21 {
    fn architecture(&self) -> &'static Architecture {
        &ARCHITECTURE
    }

    fn register(&self, number: usize) -> u32 {
        self.core.register(number)
    }

    fn link_before_call(&self) -> Option<u32> {
        Some(self.core.link_before_call())
    }

    fn set_register(&mut self, number: usize, value: u32) {
        self.core.set_register(number, value);
    }

    fn pc(&self) -> u32 {
        self.core.register(PC.into())
    }

    fn reset_address(&self) -> Option<u32> {
        let flash = self.part.memories.first()?;
        Some(ARCHITECTURE.instruction_address(self.word(flash.start + RESET_VECTOR)?))
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
                    return if self.state == State::Lockup { Stop::Lockup } else { Stop::Reached };
                }
                self.pass(next);
                continue;
            }
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
        map::exception_name(number)
    }

    fn saved_by_exception(&self) -> Option<Vec<(usize, u32)>> {
        let exc_return = self.core.register(LR.into());
        let stack = is_exc_return(exc_return).then(|| self.core.register(stack_of(exc_return)))?;
        let frame = ExceptionFrame::read(stack, |address| self.word(address))?;
        Some(frame.registers().collect())
    }

    fn masks_interrupts(&self) -> bool {
        self.core.register(PRIMASK) != 0
    }

    fn requests(&self) -> u64 {
        self.core.requests(self.soc.lines)
    }

    fn requested_at(&self, number: u32) -> Option<Request> {
        let line = number.checked_sub(ARCHITECTURE.first_interrupt)?;
        let time = self.soc.risen(line as usize)?;
        Some(Request { time, cycle: self.soc.timeline.cycle_at_or_after(time) })
    }

    fn priority(&self, number: u32) -> i8 {
        self.core.priority(number)
    }

    fn pend_interrupt(&mut self, number: u32) {
        if let Some(line) = number.checked_sub(ARCHITECTURE.first_interrupt) {
            self.core.pend_interrupt(line);
        }
    }

    fn guard_stacks(&mut self, stacks: Arc<Stacks>) {
        self.core.guard_stacks(stacks);
    }

    fn watch_exceptions(&mut self, on: bool) {
        self.core.watch_exceptions(on);
    }

    fn fault_return(&self) -> Option<u64> {
        self.core.hard_fault_return()
    }

    fn cycles_stalled(&self) -> u64 {
        self.core.stalled() + self.memory.stalled()
    }
}
