// SPDX-License-Identifier: MIT OR Apache-2.0
//! Execution, one step at a time.

use crate::Leap;
use lichen_chip::{Chip, Stop, Time};

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

    /// Whether only steps that request or enter an exception, or follow a reset, tell it something: others may be shown
    /// together, as one.
    fn awaits_request(&self, _chip: &dyn Chip) -> bool {
        false
    }
}

/// Runs `chip` until `until` as [`Chip::run`] does, to the same cycle, and shows `observer` each
/// step that it wants to see. `leap` is the same for all runs of a chip.
pub fn run_observed(
    chip: &mut dyn Chip,
    until: Time,
    observer: &mut dyn Observer,
    leap: &mut Leap,
) -> Stop {
    let mut before = State::of(chip);
    loop {
        // A limit directly after the present makes the chip stop after one instruction; while it
        // executes nothing, nothing happens until its next event.
        let next = chip.next_event().max(chip.now() + Time::UNIT);
        let stop = match leap.run(chip, until, observer) {
            Some(stop) => stop,
            None => chip.run(next.min(until)),
        };
        before = show(chip, &before, observer);
        if stop != Stop::Reached || chip.now() >= until {
            return stop;
        }
    }
}

/// Executes the next instruction as [`lichen_chip::Core::step`] does, and shows it.
pub fn step_observed(chip: &mut dyn Chip, until: Time, observer: &mut dyn Observer) -> Stop {
    let before = State::of(chip);
    let stop = chip.core_mut().step(until);
    show(chip, &before, observer);
    stop
}

/// Shows what `chip` has done since a state, and returns its present one.
fn show(chip: &dyn Chip, before: &State, observer: &mut dyn Observer) -> State {
    let state = State::of(chip);
    let step = before.to(&state);
    if step.cycles > 0 || step.executed || step.pc != step.next {
        observer.step(&step, chip);
    }
    state
}

/// A chip between two steps.
struct State {
    pc: u32,
    exception: u32,
    cycle: u64,
    instructions: u64,
    asleep: Time,
}

impl State {
    fn of(chip: &dyn Chip) -> State {
        let core = chip.core();
        State {
            pc: core.pc(),
            exception: core.exception(),
            cycle: chip.cycle().0,
            instructions: chip.instructions(),
            asleep: chip.time_asleep(),
        }
    }

    /// The step from here to `next`.
    fn to(&self, next: &State) -> Step {
        Step {
            pc: self.pc,
            next: next.pc,
            exception_before: self.exception,
            exception: next.exception,
            cycles: next.cycle.saturating_sub(self.cycle),
            executed: next.instructions != self.instructions,
            asleep: next.asleep > self.asleep,
        }
    }
}
