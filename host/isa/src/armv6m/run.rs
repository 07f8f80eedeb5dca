// SPDX-License-Identifier: MIT OR Apache-2.0
//! The run loop: what is checked between two instructions, and what ends a run.

use super::core::{Core, Halt, Wake};
use super::exception::InFlight;
use super::exceptions::{HARD_FAULT, SYS_TICK};
use super::fault::{Abort, FaultKind};
use super::flow::Exit;
use super::nvic::HARD_FAULT_PRIORITY;
use super::op::Op;
use super::{Bus, Fault, Memory, Stop};
use crate::Cycle;

impl Core {
    /// Runs until `limit`, or until something happens that only the owner can handle. The core may
    /// stop after `limit`, by the rest of an instruction.
    pub fn run<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, limit: Cycle) -> Stop {
        self.see_lines(bus);
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

    /// Executes the next instruction, even if it has a breakpoint, or enters the exception that
    /// comes first. Returns [`Stop::Reached`]; before the end of the instruction if the bus must be
    /// served first.
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

    /// Instructions executed and exceptions entered.
    fn progress(&self) -> u64 {
        self.instructions + self.all_entries()
    }

    pub(super) fn see_lines<B: Bus>(&mut self, bus: &B) {
        self.set_lines(bus.lines());
        self.set_nmi(bus.nmi());
    }

    /// Does the work between two instructions, and sets the horizon for the next ones.
    fn prepare<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, limit: Cycle) -> Option<Stop> {
        loop {
            if std::mem::take(&mut self.reset_requested) {
                return Some(Stop::ResetRequest);
            }
            if let Some(overflow) = self.guard.take().or_else(|| self.other_guard.take()) {
                return Some(Stop::StackOverflow(overflow));
            }
            if std::mem::take(&mut self.caught) {
                return Some(Stop::HardFault);
            }
            if std::mem::take(&mut self.exception_changed) {
                return Some(Stop::Exception);
            }
            self.settle_systick();
            if let Some(stop) = self.halted() {
                return Some(stop);
            }
            let owner = limit.min(bus.horizon());
            if self.cycle >= owner {
                if self.cycle >= limit || !bus.serve(memory, self.cycle) {
                    return Some(Stop::Reached);
                }
                self.see_lines(bus);
                continue;
            }
            self.due = owner.min(self.systick.due());
            self.horizon = self.due;
            if self.take_exception(memory, bus) {
                continue;
            }
            if self.thumb {
                return None;
            }
            self.fault(Abort::of(FaultKind::NotThumb));
        }
    }

    /// Handles what the fast path could not.
    fn leave<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, exit: Exit) -> Option<Stop> {
        match exit {
            Exit::Horizon => {}
            Exit::Unfinished => {
                self.in_flight = InFlight::Multiple { start: self.cycle };
                self.cycle = self.due;
            }
            Exit::NotDecoded => {
                if memory.decode(self.pc).is_none() {
                    self.fault(self.fetch_fault());
                }
            }
            Exit::Breakpoint => return self.at_breakpoint(memory, bus),
            Exit::System(op) => self.system(op),
            Exit::Abort(abort) => self.fault(abort),
            Exit::Return(value) => self.exception_return(memory, bus, value),
        }
        None
    }

    /// Executes the instruction under a breakpoint if requested.
    fn at_breakpoint<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Option<Stop> {
        if self.step_over != Some(self.pc) {
            return Some(Stop::Breakpoint);
        }
        let address = self.pc;
        if let Some(op) = memory.decode(address) {
            memory.substitute(address, op);
            self.horizon = self.horizon.min(self.cycle + 1);
            let exit = self.execute(memory, bus);
            memory.substitute(address, Op::Breakpoint);
            return self.leave(memory, bus, exit);
        }
        None
    }

    fn fetch_fault(&self) -> Abort {
        // The regions for peripherals, external devices and the system are execute-never.
        let kind = match self.pc >> 29 {
            2 | 5.. => FaultKind::ExecuteNever,
            _ => FaultKind::Fetch,
        };
        Abort::at(kind, self.pc)
    }

    /// Why the core does not execute, if it does not.
    fn halted(&mut self) -> Option<Stop> {
        match self.halt? {
            Halt::Lockup => {
                // The NMI is still more urgent than a lockup in HardFault.
                if self.exception_to_take().is_none() {
                    return Some(Stop::Lockup);
                }
            }
            Halt::Interrupt | Halt::Event => {
                let Some(wake) = self.wake() else {
                    return Some(Stop::Sleep { deep: self.sleeps_deeply() });
                };
                if wake == Wake::Event {
                    self.event = false;
                }
                self.woken_by = Some(wake);
            }
        }
        self.halt = None;
        None
    }

    /// What would end the sleep now. WFI ignores PRIMASK, WFE does not.
    pub(super) fn wake(&self) -> Option<Wake> {
        let next = self.nvic.next();
        match self.halt? {
            Halt::Event if self.event => Some(Wake::Event),
            Halt::Event => self.exception_to_take().map(|next| Wake::Exception(next.number)),
            _ => next
                .filter(|next| next.priority < self.nvic.active_priority())
                .map(|next| Wake::Exception(next.number)),
        }
    }

    /// Records a fault and makes HardFault pending, or locks the core up where HardFault cannot
    /// be taken.
    pub(super) fn fault(&mut self, abort: Abort) {
        let fault =
            Fault { cycle: self.cycle, pc: self.pc, address: abort.address, kind: abort.kind };
        if !self.nvic.is_active(HARD_FAULT) && !self.nvic.is_pending(HARD_FAULT) {
            self.first_fault = Some(fault);
        }
        self.last_fault = Some(fault);
        if self.nvic.active_priority() <= HARD_FAULT_PRIORITY {
            self.lock_up();
        } else {
            self.nvic.pend(1 << HARD_FAULT);
        }
    }

    pub(super) fn lock_up(&mut self) {
        self.halt = Some(Halt::Lockup);
        self.pc = 0xFFFF_FFFE;
    }

    /// Counts SysTick up to now and pends its exception if it is due.
    pub(super) fn settle_systick(&mut self) {
        self.settle_systick_at(self.cycle);
    }

    /// The same, up to a cycle within an instruction.
    pub(super) fn settle_systick_at(&mut self, cycle: Cycle) {
        if self.systick.settle(cycle) {
            self.pend(1 << SYS_TICK);
        }
    }

    /// Makes exceptions pending; with SEVONPEND that is an event.
    pub(super) fn pend(&mut self, exceptions: u64) {
        if self.nvic.pend(exceptions) {
            self.note_pend();
        }
    }

    /// Requests a check of exceptions and stops before the next instruction.
    pub(super) fn attend(&mut self) {
        self.horizon = Cycle(0);
    }

    /// Whether such a check was requested.
    pub(super) fn is_attended(&self) -> bool {
        self.horizon == Cycle(0)
    }

    pub(super) fn request_reset(&mut self) {
        self.reset_requested = true;
        self.attend();
    }
}
