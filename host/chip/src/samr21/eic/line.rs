// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection on one external interrupt line (data sheet, "EIC", section "Principle of Operation"
//! and table "Interrupt Latency").

use crate::Time;
use crate::clock::Clock;
use crate::samr21::ticks::Ticks;
use borsh::{BorshDeserialize, BorshSerialize};

/// Generic clock edges from a change to its detection, without and with filter.
const EDGES: u64 = 4;
const FILTERED_EDGES: u64 = 6;
/// The number of these edges at which a changed level must be seen: one sample, or the majority of
/// three.
const SAMPLES: u64 = 1;
const FILTERED_SAMPLES: u64 = 2;
/// Bus clock edges until the flag is set.
const BUS_EDGES: u64 = 3;

/// The condition for an interrupt (SENSE).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Sense {
    #[default]
    None,
    Rise,
    Fall,
    Both,
    High,
    Low,
}

impl Sense {
    /// The sense of a 3-bit field, unless it is reserved.
    pub fn of(field: u32) -> Option<Sense> {
        Some(match field & 7 {
            0 => Sense::None,
            1 => Sense::Rise,
            2 => Sense::Fall,
            3 => Sense::Both,
            4 => Sense::High,
            5 => Sense::Low,
            _ => return None,
        })
    }

    fn is_level(self) -> bool {
        matches!(self, Sense::High | Sense::Low)
    }

    /// Whether it needs the generic clock.
    pub fn is_edge(self) -> bool {
        matches!(self, Sense::Rise | Sense::Fall | Sense::Both)
    }

    fn takes_level(self, high: bool) -> bool {
        self == if high { Sense::High } else { Sense::Low }
    }

    fn takes_edge(self, to_high: bool) -> bool {
        self == Sense::Both || self == if to_high { Sense::Rise } else { Sense::Fall }
    }
}

/// The present clocks of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Clocking {
    pub generic: Option<Clock>,
    /// The bus clock, if it runs: without it flags are set at once, asynchronously.
    pub bus: Option<Clock>,
}

impl Clocking {
    fn flag_after(&self, at: Time) -> Time {
        self.bus.map_or(at, |bus| bus.nth_after(at, BUS_EDGES))
    }

    /// Begins to count edges of the generic clock.
    fn edges(&self, now: Time) -> Ticks {
        Ticks::starting(now, self.generic, 0)
    }
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Line {
    pub sense: Sense,
    pub filter: bool,
    /// Whether a level may set the flag while no clock runs.
    pub wakes: bool,
    /// Level of the pad, and the level according to the samples.
    level: bool,
    seen: bool,
    /// Edges of the generic clock since the level differs from what was seen.
    changed: Option<Ticks>,
    /// Edges of the generic clock since the earliest edge on its way to the flag was seen.
    detecting: Option<Ticks>,
    /// When the flag will be set.
    flagged: Time,
}

impl Line {
    /// A line that detects nothing, on a low pad.
    pub fn new() -> Line {
        Line {
            sense: Sense::None,
            filter: false,
            wakes: false,
            level: false,
            seen: false,
            changed: None,
            detecting: None,
            flagged: Time::NEVER,
        }
    }

    /// When something is due on the line.
    pub fn due(&self) -> Time {
        if self.is_unused() {
            return Time::NEVER;
        }
        self.decided().min(self.detected()).min(self.flagged)
    }

    /// Whether it senses nothing, and nothing that it has sensed is under way.
    fn is_unused(&self) -> bool {
        let is_quiet = self.changed.is_none() && self.detecting.is_none();
        self.sense == Sense::None && is_quiet && self.flagged == Time::NEVER
    }

    /// Edges at which a change of the level is seen, and then those until it is detected.
    fn latency(&self) -> (u64, u64) {
        match self.filter {
            false => (SAMPLES, EDGES - SAMPLES),
            true => (FILTERED_SAMPLES, FILTERED_EDGES - FILTERED_SAMPLES),
        }
    }

    /// When a change of the level has been sampled often enough.
    fn decided(&self) -> Time {
        self.changed.map_or(Time::NEVER, |edges| edges.when(self.latency().0))
    }

    /// When an edge that was seen is detected.
    fn detected(&self) -> Time {
        self.detecting.map_or(Time::NEVER, |edges| edges.when(self.latency().1))
    }

    /// Forgets the configuration and what was detected; the pad stays as it is.
    pub fn reset(&mut self) {
        *self = Line { level: self.level, seen: self.seen, ..Line::new() };
    }

    /// The pad changes its level.
    pub fn input(&mut self, now: Time, high: bool, clocks: &Clocking) {
        self.level = high;
        self.sample(now, clocks);
        self.watch(now, clocks);
    }

    /// Begins to sample the present level, if it is a new one. A pulse that ends before the samples
    /// have it is lost.
    fn sample(&mut self, now: Time, clocks: &Clocking) {
        self.changed = (self.level != self.seen).then(|| clocks.edges(now));
    }

    /// Schedules the flag of a level that is present now: also after the flag was cleared, or when
    /// the line was configured.
    pub fn watch(&mut self, now: Time, clocks: &Clocking) {
        if !self.sense.is_level() {
            return;
        }
        let matches = self.sense.takes_level(if self.filter { self.seen } else { self.level });
        if !matches {
            self.flagged = Time::NEVER;
        } else if self.flagged == Time::NEVER {
            let asleep = clocks.bus.is_none() && clocks.generic.is_none();
            let at = if asleep && !self.wakes { Time::NEVER } else { now };
            self.flagged = clocks.flag_after(at);
        }
    }

    /// Applies a new configuration: what was under way is dropped.
    pub fn configure(&mut self, now: Time, sense: Sense, filter: bool, clocks: &Clocking) {
        if (self.sense, self.filter) != (sense, filter) {
            (self.sense, self.filter) = (sense, filter);
            self.flagged = Time::NEVER;
            self.detecting = None;
            self.sample(now, clocks);
            self.watch(now, clocks);
        }
    }

    /// A clock started, stopped or changed: samples are taken with the present one, in addition to
    /// those that there are. A level that has set the flag is not detected again.
    pub fn clocks_changed(&mut self, now: Time, is_set: bool, clocks: &Clocking) {
        if self.is_unused() {
            return;
        }
        for edges in [&mut self.changed, &mut self.detecting].into_iter().flatten() {
            edges.change_clock(now, clocks.generic);
        }
        if !is_set {
            self.watch(now, clocks);
        }
    }

    /// Does what is due; returns whether the flag, which may be set already, is to be set.
    pub fn fire(&mut self, now: Time, is_set: bool, clocks: &Clocking) -> bool {
        if self.decided() <= now {
            self.changed = None;
            self.seen = self.level;
            if self.sense.takes_edge(self.seen) && self.detecting.is_none() {
                self.detecting = Some(clocks.edges(now));
            }
            if !is_set {
                self.watch(now, clocks);
            }
        }
        if self.detected() <= now {
            self.detecting = None;
            self.flagged = self.flagged.min(clocks.flag_after(now));
        }
        let flags = self.flagged <= now;
        if flags {
            self.flagged = Time::NEVER;
        }
        flags
    }
}
