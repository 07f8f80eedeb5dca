// SPDX-License-Identifier: MIT OR Apache-2.0
//! Polling loops: iterations that only wait for a register to change are skipped, exactly.
//!
//! If code soon returns to the same read of the bus, one iteration is executed under watch, instruction
//! by instruction. If it has no side effects, read only values that hold for a known time
//! ([`Bus::holds_until`]), and led back to the same registers and flags, then the following iterations
//! are the same, to the cycle, until a value may change, something is due, or the run ends. These
//! iterations are counted and not executed, except the last one, so a device that records its latest
//! access sees no difference.

use super::core::Core;
use super::describe::has_side_effects;
use super::flags::Flags;
use super::flow::Exit;
use super::{Bus, Memory};
use crate::{Cycle, Origin};

/// Reads of the bus farther apart than this are not a loop.
const LONGEST_ITERATION: u64 = 200;
/// Instructions after which the watch of an iteration is given up.
const MOST_INSTRUCTIONS: usize = 64;
/// Reads at one place, equally far apart, after which it is watched. Shorter waits end sooner, and
/// code that takes a different time each round is not a polling loop.
const SUSPICIOUS: u32 = 3;
/// Cycles that a value must hold for a watch to pay.
const WORTH: u64 = 200;
/// For this many cycles, a place that turned out not to be a polling loop is left alone.
const PAUSE: u64 = 1_000;

/// What is known about the reads of the bus. It decides what is executed and what is counted, with the
/// same result, so it is not part of the core's state.
#[derive(Clone, Debug, Default)]
pub(super) struct Polls {
    /// The instruction whose reads are counted, how many in a row were equally far apart, how far,
    /// and when the latest was.
    site: u32,
    repeats: u32,
    period: u64,
    latest: Cycle,
    /// The next iteration is to be watched.
    suspected: bool,
    /// The place that was not a polling loop, and until when it is left alone.
    barren: u32,
    retry: Cycle,
    /// For an iteration under watch: until when all values that it has read hold.
    watched: Option<Cycle>,
}

/// What an iteration must lead back to.
#[derive(PartialEq, Eq)]
struct Position {
    pc: u32,
    registers: [u8; 32],
    flags: Flags,
    sp: u16,
    rampz: u8,
}

impl Polls {
    fn give_up(&mut self, now: Cycle) {
        self.barren = self.site;
        self.retry = now + PAUSE;
    }
}

impl Core {
    /// The bus was read; the value holds until `holds`.
    pub(super) fn note_read(&mut self, origin: Origin, holds: impl FnOnce() -> Cycle) {
        let polls = &mut self.polls;
        if let Some(until) = polls.watched {
            polls.watched = Some(until.min(holds()));
            return;
        }
        let period = origin.cycle - polls.latest;
        let soon = period <= LONGEST_ITERATION;
        if origin.pc == polls.site {
            polls.repeats = if soon && period == polls.period { polls.repeats + 1 } else { 0 };
            polls.period = period;
            polls.latest = origin.cycle;
            if polls.repeats >= SUSPICIOUS {
                self.suspect(origin.cycle, holds);
            }
        } else if !soon {
            polls.site = origin.pc;
            polls.repeats = 0;
            polls.latest = origin.cycle;
        }
    }

    /// Requests a watch of the next iteration if it may be one of many.
    fn suspect(&mut self, now: Cycle, holds: impl FnOnce() -> Cycle) {
        let polls = &mut self.polls;
        polls.repeats = 0;
        if self.due - now < WORTH || polls.site == polls.barren && now < polls.retry {
            return;
        }
        if holds() - now < WORTH {
            polls.give_up(now);
            return;
        }
        polls.suspected = true;
        self.attend();
    }

    /// Whether the next iteration is to be watched, for which there must be time.
    pub(super) fn suspects_polling(&mut self) -> bool {
        std::mem::take(&mut self.polls.suspected) && self.horizon - self.cycle >= WORTH
    }

    /// Executes an iteration under watch, and counts the following ones if they are the same.
    pub(super) fn watch_polling<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) -> Exit {
        let start = self.position();
        let (cycle, instructions) = (self.cycle, self.instructions);
        self.polls.watched = Some(Cycle::NEVER);
        let exit = self.iterate(memory, bus, &start);
        let holds = self.polls.watched.take().unwrap_or(cycle);
        match exit {
            Some(exit) => {
                self.polls.give_up(self.cycle);
                exit
            }
            None => {
                let (length, executed) = (self.cycle - cycle, self.instructions - instructions);
                let whole = (holds.min(self.due) - self.cycle) / length;
                let skipped = whole.saturating_sub(1);
                self.cycle += skipped * length;
                self.instructions += skipped * executed;
                Exit::Horizon
            }
        }
    }

    /// Executes instructions one by one until they lead back to `start`; then it returns no exit.
    fn iterate<B: Bus>(
        &mut self,
        memory: &mut Memory,
        bus: &mut B,
        start: &Position,
    ) -> Option<Exit> {
        for _ in 0..MOST_INSTRUCTIONS {
            if has_side_effects(memory.op(self.pc)) {
                break;
            }
            self.horizon = self.cycle + 1;
            let exit = self.execute(memory, bus);
            if exit != Exit::Horizon || self.is_attended() || self.cycle >= self.due {
                return Some(exit);
            }
            if self.pc == start.pc {
                let repeats = self.position() == *start;
                return (!repeats).then_some(Exit::Horizon);
            }
        }
        Some(Exit::Horizon)
    }

    fn position(&self) -> Position {
        Position {
            pc: self.pc,
            registers: self.registers,
            flags: self.flags,
            sp: self.sp,
            rampz: self.rampz,
        }
    }
}
