// SPDX-License-Identifier: MIT OR Apache-2.0
//! One interrupt from request to handler, cycle by cycle.

use crate::Step;
use lichen_chip::Chip;

/// Why an interrupt waits in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The instruction under way ends, as it would without stalls: the hardware's.
    Instruction,
    /// The processor wakes up: the hardware's.
    WakeUp,
    /// Registers are saved and the handler is fetched: the hardware's.
    Entry,
    /// An access stalls the bus, or flash is busy: added.
    Stall,
    /// Interrupts are masked: added.
    Masked,
    /// The handler of this exception, of the same or a more urgent level, runs or is entered.
    Handler(u32),
}

/// Cycles in a row with one cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Why.
    pub cause: Cause,
    /// How many.
    pub cycles: u64,
    /// Their first instruction.
    pub pc: u32,
}

/// An interrupt that has reached its handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Number of its exception.
    pub number: u32,
    /// Its name, such as `SERCOM0`.
    pub name: &'static str,
    /// Its level, 0 the most urgent.
    pub level: u8,
    /// The cycle of its request.
    pub since: u64,
    /// The causes of its wait, in order: every cycle from `since` to the handler's first
    /// instruction.
    pub parts: Vec<Part>,
}

impl Delay {
    /// Cycles from request to handler.
    pub fn total(&self) -> u64 {
        self.sum(|_| true)
    }

    /// Cycles that the program added: masked, or stalled.
    pub fn added(&self) -> u64 {
        self.sum(|cause| matches!(cause, Cause::Masked | Cause::Stall))
    }

    /// Cycles for which handlers of the same or more urgent levels ran.
    pub fn queued(&self) -> u64 {
        self.sum(|cause| matches!(cause, Cause::Handler(_)))
    }

    fn sum(&self, counts: impl Fn(Cause) -> bool) -> u64 {
        self.parts.iter().filter(|part| counts(part.cause)).map(|part| part.cycles).sum()
    }
}

/// A step of the processor, with what it means for waiting interrupts.
pub(super) struct Seen<'a> {
    pub step: &'a Step,
    /// First cycle, and the one after the last.
    pub begin: u64,
    pub end: u64,
    /// Cycles of it that were stalls.
    pub stalled: u64,
    /// Whether interrupts were masked before it.
    pub masked: bool,
    /// Priority of the active exception before and after it.
    pub active: i8,
    pub entered: i8,
}

/// A waiting interrupt.
pub(super) struct Wait {
    pub number: u32,
    priority: i8,
    since: u64,
    start_up: bool,
    parts: Vec<Part>,
}

impl Wait {
    pub fn new(number: u32, priority: i8, since: u64, start_up: bool) -> Wait {
        Wait { number, priority, since, start_up, parts: Vec::new() }
    }

    /// Accounts for the cycles of a step from the request on.
    pub fn pass(&mut self, seen: &Seen<'_>) {
        let from = seen.begin.max(self.since);
        let cycles = seen.end.saturating_sub(from);
        let own = (seen.end - seen.stalled.min(cycles)).max(from) - from;
        let pc = seen.step.pc;
        if seen.step.asleep {
            self.add(Cause::WakeUp, cycles, pc);
        } else if seen.active <= self.priority {
            self.add(Cause::Handler(seen.step.exception_before), cycles, pc);
        } else if seen.masked {
            self.add(Cause::Masked, cycles, pc);
        } else {
            let cause = if seen.step.executed { Cause::Instruction } else { Cause::Entry };
            self.add(cause, own, pc);
            self.add(Cause::Stall, cycles - own, pc);
        }
        self.note_other_entry(seen);
    }

    /// An entry that turns out to be that of another handler, no less urgent, is that handler's time.
    fn note_other_entry(&mut self, seen: &Seen<'_>) {
        let Step { exception, exception_before, executed, .. } = *seen.step;
        let entered = !executed && exception != exception_before;
        if !entered || exception == self.number || seen.entered > self.priority {
            return;
        }
        if let Some(last) = self.parts.last_mut().filter(|part| part.cause == Cause::Entry) {
            last.cause = Cause::Handler(exception);
        }
    }

    fn add(&mut self, cause: Cause, cycles: u64, pc: u32) {
        if cycles == 0 {
            return;
        }
        match self.parts.last_mut() {
            Some(last) if last.cause == cause && (cause != Cause::Stall || last.pc == pc) => {
                last.cycles += cycles;
            }
            _ => self.parts.push(Part { cause, cycles, pc }),
        }
    }

    /// The delay up to the handler, whose first instruction begins at `end`; and whether the
    /// request was made during start-up.
    pub fn into_delay(self, chip: &dyn Chip, end: u64) -> (Delay, bool) {
        let delay = Delay {
            number: self.number,
            name: chip.core().exception_name(self.number),
            level: self.priority.unsigned_abs(),
            since: self.since,
            parts: self.parts,
        };
        debug_assert_eq!(delay.total(), end - delay.since, "every cycle has a cause: {delay:?}");
        (delay, self.start_up)
    }
}
