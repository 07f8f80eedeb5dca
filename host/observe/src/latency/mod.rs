// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long interrupts wait for their handlers, and for what.
//!
//! An interrupt's *latency* is the time from the cycle at which its request is present, with the
//! exception enabled, to the cycle at which its handler's first instruction begins. Every cycle of
//! it has a [`Cause`]. The hardware's share is what the processor itself needs: the rest of the
//! instruction under way, without stalls, the entry, the wake-up from sleep, and wait states of
//! flash. The program *adds* the cycles for which it masks interrupts, for which one of its
//! accesses stalls the bus, or for which flash is busy with its request. Cycles in which the
//! handler of an interrupt of the same or a more urgent level runs are counted separately: that is
//! the purpose of levels.
//!
//! Requests during start-up, until the processor first unmasks interrupts, with a thread if the
//! program has any, are counted separately, too. A request that never reaches its handler (the
//! program panics, is reset or ends before) has no latency.

mod wait;

pub use wait::{Cause, Delay, Part};

use crate::{Kernel, Observer, Step};
use lichen_chip::Chip;
use wait::Wait;

/// Levels of interrupts, 0 the most urgent.
pub const LEVELS: usize = 4;

/// The observations of the interrupts of one level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// How many reached their handlers.
    pub served: u64,
    /// The one to which the program added the most.
    pub worst: Option<Delay>,
    /// The one that waited longest for handlers of the same or a more urgent level.
    pub queued: Option<Delay>,
}

/// Follows every interrupt of one processor from request to handler: an [`Observer`].
pub struct Latency {
    kernel: Option<Kernel>,
    levels: [Level; LEVELS],
    start_up: Option<Delay>,
    started: bool,
    /// Whether interrupts have been masked since the reset.
    has_masked: bool,
    waiting: Vec<Wait>,
    /// State after the step before.
    masked: bool,
    stalled: u64,
    cycle: u64,
}

impl Latency {
    /// An observer of a processor from power-up. Without a `kernel`, start-up is not distinguished.
    pub fn new(kernel: Option<Kernel>) -> Latency {
        Latency {
            started: kernel.is_none(),
            kernel,
            levels: Default::default(),
            start_up: None,
            has_masked: false,
            waiting: Vec::new(),
            masked: false,
            stalled: 0,
            cycle: 0,
        }
    }

    /// The observations, by level.
    pub fn levels(&self) -> &[Level; LEVELS] {
        &self.levels
    }

    /// The interrupt requested during start-up to which the most was added.
    pub fn start_up(&self) -> Option<&Delay> {
        self.start_up.as_ref()
    }

    /// A reset clears all requests, and threads start again.
    fn restart(&mut self) {
        self.waiting.clear();
        self.started = self.kernel.is_none();
        self.has_masked = false;
    }

    /// Start-up is over when the processor, having masked interrupts, runs unmasked, with a thread if
    /// the program has any. Before that, memory may still describe a thread from before the reset.
    fn look_for_threads(&mut self, chip: &dyn Chip) {
        self.has_masked |= self.masked;
        let kernel = self.kernel.as_ref().filter(|kernel| kernel.has_threads());
        let threads = || kernel.is_none_or(|kernel| kernel.current(chip).is_some());
        self.started = self.has_masked && !self.masked && threads();
    }

    /// Adds what has been requested in the step from `begin` to `end`.
    fn note_requests(&mut self, requests: u64, (begin, end): (u64, u64), chip: &dyn Chip) {
        for number in (0..u64::BITS).filter(|number| requests >> number & 1 != 0) {
            if chip.core().priority(number) < 0
                || self.waiting.iter().any(|wait| wait.number == number)
            {
                continue;
            }
            // An exception without a line is pended by the instruction. One with a line may have been
            // disabled until now; then its request counts from here.
            let risen = chip.core().requested_at(number).map_or(begin, |request| request.cycle.0);
            self.waiting.push(Wait::new(
                number,
                chip.core().priority(number),
                risen.clamp(begin, end),
                !self.started,
            ));
        }
    }

    /// Removes what has been served or withdrawn in `step`.
    fn settle(&mut self, requests: u64, step: &Step, chip: &dyn Chip) {
        let gone = |wait: &Wait| requests >> wait.number & 1 == 0;
        let (over, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(gone);
        self.waiting = waiting;
        let over: Vec<Wait> = over;
        for wait in over.into_iter().filter(|wait| is_entry_of(wait.number, step)) {
            self.record(wait.into_delay(chip, self.cycle));
        }
    }

    fn record(&mut self, (delay, during_start_up): (Delay, bool)) {
        if during_start_up {
            keep_most(&mut self.start_up, &delay, Delay::added);
            return;
        }
        let Some(level) = self.levels.get_mut(delay.level as usize) else { return };
        level.served += 1;
        keep_most(&mut level.worst, &delay, Delay::added);
        if delay.queued() > 0 {
            keep_most(&mut level.queued, &delay, Delay::queued);
        }
    }
}

/// Whether `step` ended at the first instruction of the handler of exception `number`: it was entered,
/// or tail-chained from another handler or from its own.
fn is_entry_of(number: u32, step: &Step) -> bool {
    let goes_on = step.next == step.pc.wrapping_add(2) || step.next == step.pc.wrapping_add(4);
    step.exception == number && (step.exception_before != number || !goes_on)
}

/// Keeps `delay` in `slot` if it has more of `what` than the one there; among equals, the first
/// stays.
fn keep_most(slot: &mut Option<Delay>, delay: &Delay, what: fn(&Delay) -> u64) {
    if slot.as_ref().is_none_or(|kept| what(delay) > what(kept)) {
        *slot = Some(delay.clone());
    }
}

impl Observer for Latency {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        let core = chip.core();
        let (end, requests, stalled) = (chip.cycle().0, core.requests(), core.cycles_stalled());
        let begin = end.saturating_sub(step.cycles);
        self.cycle = end;
        if step.is_first(chip) {
            self.restart();
        }
        if requests != 0 || !self.waiting.is_empty() {
            self.note_requests(requests, (begin, end), chip);
            let seen = wait::Seen {
                step,
                begin,
                end,
                stalled: stalled.saturating_sub(self.stalled),
                masked: self.masked,
                active: chip.core().priority(step.exception_before),
                entered: chip.core().priority(step.exception),
            };
            self.waiting.iter_mut().for_each(|wait| wait.pass(&seen));
            self.settle(requests, step, chip);
        }
        self.stalled = stalled;
        self.masked = chip.core().masks_interrupts();
        if !self.started {
            self.look_for_threads(chip);
        }
    }

    fn awaits_request(&self, chip: &dyn Chip) -> bool {
        let core = chip.core();
        let begins = core.reset_address() == Some(core.pc());
        self.started && !begins && self.waiting.is_empty() && core.requests() == 0
    }
}
