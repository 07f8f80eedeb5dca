// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exception entry, tail-chaining and return: ARMv6-M Architecture Reference Manual, B1.5.

use super::architecture::exception_of;
use super::core::{Core, Halt, LR, SP};
use super::exceptions::HARD_FAULT;
use super::fault::{Abort, FaultKind};
use super::flags::Flags;
use super::frame::{
    FRAME_BYTES, REALIGNED, REALIGNED_BYTES, TO_HANDLER, TO_THREAD_MAIN, TO_THREAD_PROCESS,
};
use super::nvic::{HARD_FAULT_PRIORITY, Pending};
use super::scs::SLEEPONEXIT;
use super::timing::{ENTRY, EXIT, LATE_ARRIVAL, TAIL_CHAIN};
use super::{Bus, Memory};
use crate::{Cycle, Origin, Width};

const XPSR_T: u32 = 1 << 24;

/// PRIMASK raises the execution priority to this.
const PRIMASK_PRIORITY: i8 = 0;

/// The operation under way when the horizon was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) enum InFlight {
    Nothing,
    /// A load or store multiple that has begun at `start` and can be abandoned.
    Multiple {
        start: Cycle,
    },
    /// Exception entry that has begun at `start` and can still be taken over.
    Entry {
        start: Cycle,
    },
}

impl Core {
    /// The pending exception that is more urgent than the executing code.
    pub(super) fn exception_to_take(&self) -> Option<Pending> {
        let next = self.nvic.next()?;
        (next.priority < self.execution_priority()).then_some(next)
    }

    /// Priority of the executing code, including PRIMASK.
    pub(super) fn execution_priority(&self) -> i8 {
        let active = self.nvic.active_priority();
        if self.primask { active.min(PRIMASK_PRIORITY) } else { active }
    }

    /// Begins, continues or completes the entry of the next exception. Returns whether time has
    /// passed, so that the horizon must be checked again.
    pub(super) fn take_exception<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> bool {
        let in_flight = std::mem::replace(&mut self.in_flight, InFlight::Nothing);
        let Some(next) = self.exception_to_take() else {
            if let InFlight::Multiple { start } = in_flight {
                self.cycle = start;
            }
            return false;
        };
        let start = match in_flight {
            InFlight::Entry { start } => start,
            _ => self.cycle,
        };
        if self.due < start + LATE_ARRIVAL && self.cycle < start + LATE_ARRIVAL {
            self.in_flight = InFlight::Entry { start };
            self.cycle = self.due;
        } else {
            self.enter(memory, bus, next, start);
        }
        true
    }

    /// Saves registers and goes to the handler.
    fn enter<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, next: Pending, start: Cycle) {
        let exc_return = match (self.exception, self.process_stack) {
            (0, false) => TO_THREAD_MAIN,
            (0, true) => TO_THREAD_PROCESS,
            _ => TO_HANDLER,
        };
        let origin = Origin { cycle: start, pc: self.pc };
        let stacked = self.push_frame(memory, bus, origin);
        self.cycle = (start + ENTRY).max(self.cycle);
        let handler = match stacked {
            Ok(stalls) => {
                self.cycle += stalls;
                next.number
            }
            Err(abort) => {
                let abort = Abort { kind: FaultKind::Stacking, ..abort };
                self.fault(abort);
                if next.priority <= HARD_FAULT_PRIORITY {
                    self.nvic.activate(next.number);
                    self.exception = next.number;
                    self.lock_up();
                }
                if self.locked_up() {
                    return;
                }
                HARD_FAULT
            }
        };
        self.go_to_handler(memory, handler, exc_return);
    }

    /// Makes the exception active and branches to the address in its vector.
    fn go_to_handler(&mut self, memory: &mut Memory, number: u32, exc_return: u32) {
        self.select_stack(false);
        self.registers[LR] = exc_return;
        self.nvic.activate(number);
        self.exception = number;
        self.entries[number as usize] += 1;
        self.caught = self.vector_catch && number == HARD_FAULT;
        self.exception_changed = self.watches_exceptions;
        self.event = true;
        memory.lines.forget_fetched();
        let vector = self.vector_table.wrapping_add(number * 4);
        match memory.load(vector, Width::Word, self.cycle.0) {
            Some((target, wait)) => {
                self.cycle += wait;
                self.branch_to(target);
            }
            None => self.fault(Abort::at(FaultKind::Vector, vector)),
        }
    }

    /// Continues at `target`, whose bit 0 is the new EPSR.T.
    pub(super) fn branch_to(&mut self, target: u32) {
        self.pc = target & !1;
        self.thumb = target & 1 != 0;
    }

    /// Saves eight registers on the stack in use; returns the stalls of the stores.
    fn push_frame<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        origin: Origin,
    ) -> Result<u64, Abort> {
        let sp = self.registers[SP];
        let realigned = sp & 4 != 0;
        let frame = sp.wrapping_sub(FRAME_BYTES) & !4;
        let xpsr = self.xpsr() | if realigned { REALIGNED } else { 0 };
        let [r0, r1, r2, r3, .., r12, _, lr, _] = self.registers;
        self.check_lowered_sp(self.pc, frame);
        self.registers[SP] = frame;
        self.store_words(memory, bus, origin, frame, &[r0, r1, r2, r3, r12, lr, self.pc, xpsr])
    }

    /// Ends the handler: continues with the next one, or with the interrupted code.
    pub(super) fn exception_return<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        exc_return: u32,
    ) {
        self.instructions += 1;
        let nested = self.nvic.active_count() > 1;
        let fits = match exc_return {
            TO_HANDLER => nested,
            TO_THREAD_MAIN | TO_THREAD_PROCESS => !nested,
            _ => false,
        };
        if !fits || !self.nvic.is_active(self.exception) {
            return self.fault(Abort::at(FaultKind::Return, exc_return));
        }
        self.nvic.deactivate(self.exception);
        if self.exception == HARD_FAULT {
            self.hard_fault_return = Some(self.instructions);
        }
        self.event = true;
        if let Some(next) = self.exception_to_take() {
            self.cycle += TAIL_CHAIN;
            return self.go_to_handler(memory, next.number, exc_return);
        }
        if let Err(abort) = self.pop_frame(memory, bus, exc_return) {
            self.fault(abort);
            if !self.locked_up() {
                self.cycle += TAIL_CHAIN;
                self.go_to_handler(memory, HARD_FAULT, exc_return);
            }
        }
    }

    /// Restores the registers of a frame and continues where they were saved.
    fn pop_frame<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        exc_return: u32,
    ) -> Result<(), Abort> {
        let process = exc_return == TO_THREAD_PROCESS;
        let frame = if process { self.process_sp() } else { self.main_sp() };
        let origin = Origin { cycle: self.cycle, pc: self.pc };
        let mut words = [0; 8];
        let stalls = self
            .load_words(memory, bus, origin, frame, &mut words)
            .map_err(|abort| Abort { kind: FaultKind::Unstacking, ..abort })?;
        let [r0, r1, r2, r3, r12, lr, pc, xpsr] = words;
        let exception = exception_of(xpsr);
        if (exception != 0) != (exc_return == TO_HANDLER) {
            return Err(Abort::at(FaultKind::Return, exc_return));
        }
        memory.lines.forget_fetched();
        self.select_stack(process);
        self.registers[..4].copy_from_slice(&[r0, r1, r2, r3]);
        self.registers[12] = r12;
        self.registers[LR] = lr;
        let realigned = if xpsr & REALIGNED != 0 { REALIGNED_BYTES } else { 0 };
        self.registers[SP] = frame.wrapping_add(FRAME_BYTES) | realigned;
        self.exception = exception;
        self.exception_changed = self.watches_exceptions;
        self.flags = Flags::from_bits(xpsr);
        self.thumb = xpsr & XPSR_T != 0;
        self.pc = pc & !1;
        self.cycle += EXIT + stalls;
        if exception == 0 && self.system_control & SLEEPONEXIT != 0 {
            self.halt = Some(Halt::Interrupt);
        }
        Ok(())
    }
}
