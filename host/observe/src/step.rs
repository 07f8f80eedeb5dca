// SPDX-License-Identifier: MIT OR Apache-2.0
//! Execution, one step at a time.

use lichen_chip::{Chip, Stop, Time};
use std::sync::{Arc, Mutex, PoisonError};

/// A step of a processor: an instruction, the entry of an exception, a part of either, or a sleep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Address of the next instruction before the step.
    pub pc: u32,
    /// Address of the next instruction after the step.
    pub next: u32,
    /// Active exception before; 0 for none.
    pub exception_before: u32,
    /// Active exception now.
    pub exception: u32,
    /// Edges of the processor's clock that it took.
    pub cycles: u64,
    /// Whether the instruction was executed to its end.
    pub executed: bool,
    /// Whether the processor slept.
    pub asleep: bool,
}

impl Step {
    /// Whether it executed the first instruction after a reset, as `chip` has it.
    pub fn is_first(&self, chip: &dyn Chip) -> bool {
        self.executed && chip.core().reset_address() == Some(self.pc)
    }
}

/// Watches every step of one processor.
pub trait Observer: Send {
    /// `step` was made; `chip` is in the state after it.
    fn step(&mut self, step: &Step, chip: &dyn Chip);
}

/// An observer that its owner uses again later.
impl<O: Observer> Observer for Arc<Mutex<O>> {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        self.lock().unwrap_or_else(PoisonError::into_inner).step(step, chip);
    }
}

/// Runs `chip` until `until` as [`Chip::run`] does, to the same cycle, and shows `observer` each
/// step.
pub fn run_observed(chip: &mut dyn Chip, until: Time, observer: &mut dyn Observer) -> Stop {
    loop {
        // A limit directly after the present makes the chip stop after one instruction; while it
        // executes nothing, nothing happens until its next event.
        let next = chip.next_event().max(chip.now() + Time::UNIT);
        let stop = observed(chip, observer, |chip| chip.run(next.min(until)));
        if stop != Stop::Reached || chip.now() >= until {
            return stop;
        }
    }
}

/// Executes the next instruction as [`lichen_chip::Core::step`] does, and shows it.
pub fn step_observed(chip: &mut dyn Chip, until: Time, observer: &mut dyn Observer) -> Stop {
    observed(chip, observer, |chip| chip.core_mut().step(until))
}

fn observed(
    chip: &mut dyn Chip,
    observer: &mut dyn Observer,
    what: impl FnOnce(&mut dyn Chip) -> Stop,
) -> Stop {
    let before = Before::of(chip);
    let stop = what(chip);
    let step = before.to(chip);
    if step.cycles > 0 || step.executed || step.pc != step.next {
        observer.step(&step, chip);
    }
    stop
}

/// A chip before a step.
struct Before {
    pc: u32,
    exception: u32,
    cycle: u64,
    instructions: u64,
    asleep: Time,
}

impl Before {
    fn of(chip: &dyn Chip) -> Before {
        Before {
            pc: chip.core().pc(),
            exception: chip.core().exception(),
            cycle: chip.cycle().0,
            instructions: chip.instructions(),
            asleep: chip.time_asleep(),
        }
    }

    fn to(&self, chip: &dyn Chip) -> Step {
        Step {
            pc: self.pc,
            next: chip.core().pc(),
            exception_before: self.exception,
            exception: chip.core().exception(),
            cycles: chip.cycle().0.saturating_sub(self.cycle),
            executed: chip.instructions() != self.instructions,
            asleep: chip.time_asleep() > self.asleep,
        }
    }
}
