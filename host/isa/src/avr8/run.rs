// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run loop: what is checked between two instructions, and what ends a run.

use super::core::Core;
use super::flow::Exit;
use super::{Bus, Memory, Stop};
use crate::{Cycle, Origin};

/// What is reported as the opcode where there is no flash.
const NO_FLASH: u16 = 0xFFFF;

impl Core {
    /// Runs until `limit`, or until something happens that only the owner can handle. The core may
    /// stop after `limit`, by the rest of an instruction.
    pub fn run<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, limit: Cycle) -> Stop {
        self.set_lines(bus.lines());
        loop {
            if let Some(stop) = self.prepare(memory, bus, limit) {
                return stop;
            }
            let exit = if self.suspects_polling() {
                self.watch_polling(memory, bus)
            } else {
                self.execute(memory, bus)
            };
            if let Some(stop) = self.leave(memory, bus, exit) {
                return stop;
            }
        }
    }

    /// Executes the next instruction, even if it has a breakpoint, or enters the handler of the
    /// interrupt that comes first. Returns [`Stop::Reached`]; before the end of the step if the bus
    /// must be served first.
    pub fn step<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Stop {
        self.step_over = Some(self.pc);
        let before = self.progress();
        let stop = loop {
            let stop = self.run(memory, bus, self.cycle + 1);
            let done = self.progress() != before || self.cycle >= bus.horizon();
            if stop != Stop::Reached || done {
                break stop;
            }
        };
        self.step_over = None;
        stop
    }

    /// Instructions executed and interrupts taken.
    fn progress(&self) -> u64 {
        self.instructions + self.taken
    }

    /// Does the work between two instructions, and sets the horizon for the next ones.
    fn prepare<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, limit: Cycle) -> Option<Stop> {
        loop {
            if let Some(overflow) = self.guard.take() {
                return Some(Stop::StackOverflow(overflow));
            }
            if std::mem::take(&mut self.exception_changed) {
                return Some(Stop::Exception);
            }
            if self.asleep {
                return Some(Stop::Sleep);
            }
            self.due = limit.min(bus.horizon());
            if self.cycle >= self.due {
                return Some(Stop::Reached);
            }
            self.horizon = self.due;
            if !self.is_interrupted() {
                return None;
            }
            if self.instructions < self.interruptible_from {
                self.horizon = self.cycle + 1;
                return None;
            }
            self.take_interrupt(memory, bus);
        }
    }

    /// Handles what the fast path could not.
    fn leave<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, exit: Exit) -> Option<Stop> {
        match exit {
            Exit::Horizon => {}
            Exit::NotDecoded => {
                if memory.decode(self.pc).is_none() {
                    bus.undefined(self.here(), NO_FLASH);
                    self.pc %= memory.words() as u32;
                }
            }
            Exit::Breakpoint => return self.at_breakpoint(memory, bus),
            Exit::Undefined => self.undefined(memory, bus),
            Exit::System(op) => self.system(memory, bus, op),
        }
        None
    }

    /// Executes the instruction under a breakpoint if requested, or if it is not a debugger's.
    fn at_breakpoint<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Option<Stop> {
        if memory.has_breakpoint(self.pc) && self.step_over != Some(self.pc) {
            return Some(Stop::Breakpoint);
        }
        if memory.leaves_handlers(self.pc) {
            self.leave_all_handlers();
        }
        let decoded = memory.decode(self.pc)?;
        if !decoded.defined {
            self.undefined(memory, bus);
            return None;
        }
        let exit = self.execute_one(memory, bus, decoded.op);
        self.leave(memory, bus, exit)
    }

    /// Reports that what the next instruction does is undefined, and does it.
    fn undefined<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        if let Some(decoded) = memory.decode(self.pc) {
            bus.undefined(self.here(), memory.word(self.pc));
            self.execute_one(memory, bus, decoded.op);
            self.listen(bus, self.flags.i);
        }
    }

    /// The next instruction and the present cycle.
    pub(super) fn here(&self) -> Origin {
        Origin { cycle: self.cycle, pc: self.pc() }
    }

    /// Requests a check of interrupts and stops before the next instruction.
    pub(super) fn attend(&mut self) {
        self.horizon = Cycle(0);
    }

    /// Whether such a check was requested.
    pub(super) fn is_attended(&self) -> bool {
        self.horizon == Cycle(0)
    }
}
