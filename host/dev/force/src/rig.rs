// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote's chip with a program to examine, and the ways to run it.
//!
//! Breakpoints stay where they are during all runs: `force_begin`, `force_done`, `panic_recorded`.
//! Moving them would make the chip decode code again.

use crate::parts::{Parts, Saved};
use crate::program::{Error, LONGEST_TEXT, Program};
use crate::{Cell, Failure, Moment, Place};
use lichen_chip::{Chip, Output, Snapshot, Stamped, Stop, Time};
use lichen_isa::RegisterRole;
use lichen_observe::Record;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use xxhash_rust::xxh3::Xxh3;

/// The content of memory before anything is written to it.
const GARBAGE: u8 = 0x5C;

/// From power-up to `force_ready`: longer than the 36.4 hours to the first wrap of the tick, which
/// some programs sleep.
const STARTING: Time = Time::from_s(40 * 3_600);
/// Most instructions of start-up; a program that executes more never reaches `force_ready`.
const START_INSTRUCTIONS: u64 = 4_000_000;
/// How often they are counted. In this time the fastest clock executes no more than the host
/// simulates in a second.
const START_SAMPLES: Time = Time::from_ms(500);

/// Cycles that make no difference between two runs which agree in all else. Handlers that read the registers of a slow clock
/// wait for its edges, so that what follows begins a few cycles earlier or later after its predecessor.
const NO_DIFFERENCE: u64 = 16;

/// A chip that runs a program.
pub struct Rig<'a> {
    pub(crate) program: &'a Program,
    pub(crate) chip: Box<dyn Chip>,
    /// What is around it, in a program that drives the radio.
    parts: Option<Parts>,
    outputs: Vec<Stamped<Output>>,
    /// How long the chosen run lasts at most.
    lasts: Time,
    /// Addresses that it has not executed since [`Rig::watch`], and those that it has.
    watched: BTreeSet<u32>,
    passed: BTreeSet<u32>,
    /// Of these, those that the last undisturbed stretch has executed.
    pub(crate) undisturbed: BTreeSet<u32>,
}

/// The state of a chip and of the parts around it.
#[derive(Clone, Debug)]
pub struct Kept {
    chip: Snapshot,
    parts: Saved,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// An instruction was executed.
    Instruction,
    /// An exception was entered.
    Entry,
}

impl<'a> Rig<'a> {
    /// A chip with the program in its flash, not powered yet.
    pub fn new(program: &'a Program) -> Result<Rig<'a>, Error> {
        let mut chip = lichen_chip::by_part(&program.part, &program.config)?;
        // Memory may hold anything at power-up: start-up must not rely on zeros.
        let memories = chip.memories().to_vec();
        for memory in memories {
            chip.program(memory.start, &vec![GARBAGE; memory.size as usize])?;
        }
        for segment in program.image.segments() {
            chip.program(segment.address, &segment.bytes)?;
        }
        let places = &program.places;
        for address in [places.begin, places.done, places.panic_recorded] {
            chip.core_mut().set_breakpoint(address, true);
        }
        let (watched, passed, undisturbed) = Default::default();
        let lasts = Time::default();
        let parts = program.with_radio.as_ref().map(Parts::of);
        Ok(Rig { program, chip, parts, outputs: Vec::new(), lasts, watched, passed, undisturbed })
    }

    /// Powers the chip and runs to where a cell can be chosen.
    pub fn start(&mut self) -> Result<Kept, Error> {
        let ready = self.program.places.ready;
        self.chip.power_on();
        if let Some(parts) = &mut self.parts {
            parts.power_on(self.chip.as_mut());
        }
        self.chip.core_mut().set_breakpoint(ready, true);
        let reached = self.run_start(ready);
        self.chip.core_mut().set_breakpoint(ready, false);
        reached.map_err(|failure| Error::Start { place: "force_ready", failure })?;
        Ok(self.keep())
    }

    /// The present state.
    pub(crate) fn keep(&self) -> Kept {
        let parts = self.parts.as_ref().map(Parts::save).unwrap_or_default();
        Kept { chip: self.chip.snapshot(), parts }
    }

    /// Returns to a state.
    pub(crate) fn restore(&mut self, kept: &Kept) -> Result<(), Error> {
        self.chip.restore(&kept.chip)?;
        self.parts.as_mut().map_or(Ok(()), |parts| parts.load(&kept.parts))
    }

    /// When a part next does something by itself.
    fn due(&self) -> Time {
        self.parts.as_ref().map_or(Time::NEVER, Parts::due)
    }

    /// From now on records which of `addresses` are executed, by a breakpoint at each until it is
    /// hit.
    pub(crate) fn watch(&mut self, addresses: &BTreeSet<u32>) {
        self.unwatch();
        for address in addresses {
            self.chip.core_mut().set_breakpoint(*address, true);
        }
        self.watched.clone_from(addresses);
    }

    /// Ends the recording; returns the addresses that were executed.
    pub(crate) fn unwatch(&mut self) -> BTreeSet<u32> {
        for address in std::mem::take(&mut self.watched) {
            self.chip.core_mut().set_breakpoint(address, false);
        }
        std::mem::take(&mut self.passed)
    }

    /// Records that an undisturbed stretch has executed the addresses so far.
    pub(crate) fn note_undisturbed(&mut self) {
        self.undisturbed.clone_from(&self.passed);
    }

    /// Whether a breakpoint at `pc` was only there to record it once.
    fn passes(&mut self, pc: u32) -> bool {
        let watched = self.watched.remove(&pc);
        if watched {
            self.chip.core_mut().set_breakpoint(pc, false);
            self.passed.insert(pc);
        }
        watched
    }

    /// Runs from power-up to `ready`. Sleep, however long, costs nothing; an endless loop does.
    fn run_start(&mut self, ready: u32) -> Result<(), Failure> {
        let (until, most) =
            (self.chip.now() + STARTING, self.chip.instructions() + START_INSTRUCTIONS);
        while self.chip.now() < until && self.chip.instructions() < most {
            let look = self.chip.next_event().min(until).max(self.chip.now()) + START_SAMPLES;
            if self.reaches(ready, look)? {
                return Ok(());
            }
        }
        Err(Failure::Lost { at: self.moment() })
    }

    /// Returns to where [`Rig::start`] stopped, and chooses which actor does what in which state.
    /// The interrupts' operations are chosen now; they come when they are forced.
    pub(crate) fn choose(&mut self, ready: &Kept, cell: &Cell) -> Result<(), Error> {
        self.restore(ready)?;
        let number = |operation: usize| operation as u8 + 1;
        let levels = self.program.levels();
        let mut choice = vec![0; levels + 3];
        choice[0] = number(cell.stretch);
        for forced in [Some(cell.first), cell.second].into_iter().flatten() {
            choice[1 + forced.level] = number(forced.operation);
        }
        choice[levels + 1] = u8::from(cell.place == Place::Event);
        choice[levels + 2] = cell.state as u8;
        self.lasts = self.program.states()[cell.state].lasts;
        Ok(self.chip.program(self.program.places.choice, &choice)?)
    }

    /// Runs to the beginning of the stretch.
    pub(crate) fn begin(&mut self) -> Result<(), Failure> {
        self.run_to(self.program.places.begin, self.lasts)
    }

    /// Makes the interrupt of `level` pending.
    pub(crate) fn force(&mut self, level: usize) {
        if let Some(number) = self.program.interrupts.get(level) {
            self.chip.core_mut().pend_interrupt(*number);
        }
    }

    /// Runs to `force_done` and checks whether all expectations held.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        self.run_to(self.program.places.done, self.lasts)?;
        self.verdict()
    }

    /// Finishes a run in which the interrupt of `level` is pending, unless it comes to a state of `followed`: the runs that
    /// these are from have shown what happens from there. Adds its own states after the interrupt and one instruction
    /// later: a run that is interrupted there comes to the latter, unless that instruction and the handler affect each other.
    pub(crate) fn finish_if_new(
        &mut self,
        level: usize,
        followed: &mut HashSet<u64>,
    ) -> Result<(), Failure> {
        if !self.serve(level)? {
            return self.verdict();
        }
        let is_new = followed.insert(self.state_with_registers());
        self.step()?;
        followed.insert(self.state_with_registers());
        if is_new { self.finish() } else { Ok(()) }
    }

    /// Runs until the interrupt of `level` has returned to what is now active; returns false if `force_done` comes first.
    fn serve(&mut self, level: usize) -> Result<bool, Failure> {
        let (interrupted, until) = (self.exception(), self.chip.now() + self.lasts);
        let (mut is_entered, mut is_served) = (false, false);
        self.chip.core_mut().watch_exceptions(true);
        let ended = self.runs(self.program.places.done, until, &mut |rig| {
            is_entered |= rig.is_in(level);
            is_served = is_entered && rig.exception() == interrupted;
            is_served
        });
        self.chip.core_mut().watch_exceptions(false);
        if ended? { Ok(is_served) } else { Err(Failure::Lost { at: self.moment() }) }
    }

    /// Runs to `force_end` at full speed; returns the instructions executed.
    pub(crate) fn trace(&mut self) -> Result<u64, Failure> {
        let (end, before) = (self.program.places.end, self.chip.instructions());
        self.chip.core_mut().set_breakpoint(end, true);
        let reached = self.run_to(end, self.lasts);
        self.chip.core_mut().set_breakpoint(end, false);
        reached.map(|()| self.chip.instructions() - before)
    }

    /// Continues to the next moment.
    pub(crate) fn step(&mut self) -> Result<Stepped, Failure> {
        let (instructions, exception) = (self.chip.instructions(), self.exception());
        let until = self.chip.now() + self.lasts;
        self.chip.core_mut().watch_exceptions(true);
        let stepped = loop {
            let next = until.min(self.due());
            self.chip.core_mut().step(next);
            if let Err(failure) = self.hear() {
                break Err(failure);
            }
            if self.chip.instructions() != instructions {
                break Ok(Stepped::Instruction);
            }
            if self.exception() != exception {
                break Ok(Stepped::Entry);
            }
            if self.chip.now() >= until {
                break Err(Failure::Lost { at: self.moment() });
            }
        };
        self.chip.core_mut().watch_exceptions(false);
        stepped
    }

    /// Address of the instruction that is next.
    pub(crate) fn pc(&self) -> u32 {
        self.chip.core().pc()
    }

    /// Whether the stretch has reached its end, where exceptions may still be pending.
    pub(crate) fn is_at_end(&self) -> bool {
        self.pc() == self.program.places.end
    }

    /// Whether the interrupt of `level` is the active exception.
    pub(crate) fn is_in(&self, level: usize) -> bool {
        self.program.interrupts.get(level) == Some(&self.exception())
    }

    /// A hash of the memory that handlers see: all that is written except the stacks.
    pub(crate) fn state(&self) -> u64 {
        let mut hasher = Xxh3::new();
        self.hash_memory(&self.program.memory, &mut hasher);
        hasher.digest()
    }

    /// A hash of that memory, of the stack in use, of the core, and of the time, [`NO_DIFFERENCE`] apart: two runs that agree in
    /// it go on alike.
    fn state_with_registers(&self) -> u64 {
        let mut hasher = Xxh3::new();
        self.hash_memory(&self.program.memory, &mut hasher);
        let core = self.chip.core();
        for number in 0..core.architecture().registers.len() {
            hasher.update(&core.register(number).to_le_bytes());
        }
        let pointer = core.architecture().register(RegisterRole::StackPointer);
        let top = pointer.map_or(0, |number| core.register(number));
        let top = core.architecture().pointers.data_base + top;
        let stack = self.program.stacks.iter().find(|stack| stack.contains(&top));
        // On some machines the byte at the pointer is free.
        let used = stack.map(|stack| top + 1..stack.end);
        self.hash_memory(used.as_slice(), &mut hasher);
        hasher.update(&core.exception().to_le_bytes());
        hasher.update(&core.requests().to_le_bytes());
        hasher.update(&(self.chip.cycle().0 / NO_DIFFERENCE).to_le_bytes());
        hasher.update(&self.chip.quiet_until().units().to_le_bytes());
        hasher.digest()
    }

    fn hash_memory(&self, ranges: &[Range<u32>], hasher: &mut Xxh3) {
        for range in ranges {
            let mut bytes = vec![0; range.len()];
            // The image was checked to fit when it was loaded.
            let _ = self.chip.peek(range.start, &mut bytes);
            hasher.update(&bytes);
        }
    }

    /// Where the processor is.
    pub(crate) fn moment(&self) -> Moment {
        Moment::new(&self.program.image, self.chip.cycle().0, self.pc())
    }

    fn exception(&self) -> u32 {
        self.chip.core().exception()
    }

    /// Runs to `address`, which has a breakpoint, but no longer than `limit`.
    fn run_to(&mut self, address: u32, limit: Time) -> Result<(), Failure> {
        let reached = self.reaches(address, self.chip.now() + limit)?;
        if reached { Ok(()) } else { Err(Failure::Lost { at: self.moment() }) }
    }

    /// Runs until `address`, which has a breakpoint, or `until`; returns whether `address` was
    /// reached.
    fn reaches(&mut self, address: u32, until: Time) -> Result<bool, Failure> {
        self.runs(address, until, &mut |_| false)
    }

    /// The same; but a report of the chip after which `ends` ends it, too.
    fn runs(
        &mut self,
        address: u32,
        until: Time,
        ends: &mut dyn FnMut(&Self) -> bool,
    ) -> Result<bool, Failure> {
        loop {
            let due = self.due();
            let stop = self.chip.run(until.min(due));
            self.hear()?;
            match stop {
                Stop::Reached if due < until => {}
                Stop::Breakpoint if self.pc() == address => return Ok(true),
                Stop::Breakpoint if self.pc() == self.program.places.panic_recorded => {
                    return Err(self.panic());
                }
                Stop::Breakpoint if self.passes(self.pc()) => {}
                Stop::Breakpoint => {
                    self.chip.core_mut().step(until);
                }
                Stop::Lockup => return Err(Failure::Lost { at: self.moment() }),
                Stop::Reached => return Ok(false),
                Stop::Output if ends(self) => return Ok(true),
                Stop::Output => {}
            }
        }
    }

    fn panic(&self) -> Failure {
        let panic = self.program.kernel.panic(&self.program.image, self.chip.as_ref());
        let (reason, pc) = match panic {
            Some(panic) => (format!("{} ({})", panic.reason, panic.thread), panic.pc),
            None => ("without a valid record".to_string(), self.pc()),
        };
        let at = Moment::new(&self.program.image, self.chip.cycle().0, pc);
        Failure::Panic { reason, at }
    }

    /// Examines the chip's reports, and lets the parts around it act.
    fn hear(&mut self) -> Result<(), Failure> {
        loop {
            self.examine_reports()?;
            let Some(parts) = &mut self.parts else { return Ok(()) };
            let chip = self.chip.as_mut();
            self.outputs.iter().for_each(|output| parts.hear(chip, output));
            if !parts.fire_due(chip) && self.outputs.is_empty() {
                return Ok(());
            }
        }
    }

    fn examine_reports(&mut self) -> Result<(), Failure> {
        self.outputs.clear();
        self.chip.take_outputs(&mut self.outputs);
        for output in &self.outputs {
            match &output.what {
                Output::Fault { pc, reason } | Output::Lockup { pc, reason } => {
                    let at = Moment::new(&self.program.image, output.cycle.0, *pc);
                    return Err(Failure::Fault { reason: reason.to_string(), at });
                }
                Output::Reset { cause } if *cause != "power-on" => return Err(Failure::Reset),
                Output::Sleep { mode } => {
                    self.program.limits.check(self.chip.as_ref(), mode)?;
                }
                Output::Warning(warning) => {
                    return Err(Failure::Warning { text: format!("{warning:?}") });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the program reports about the run that has ended.
    fn verdict(&self) -> Result<(), Failure> {
        let Program { places, failure: layout, .. } = self.program;
        let failure = Record { bytes: self.chip.as_ref(), layout, address: places.failure };
        if failure.get("expectation").unwrap_or(0) == 0 {
            return Ok(());
        }
        let text = |member| failure.text(member, LONGEST_TEXT).unwrap_or_default();
        let place = format!("{}:{}", text("file"), failure.get("line").unwrap_or(0));
        Err(Failure::Expectation { text: text("expectation"), place })
    }
}
