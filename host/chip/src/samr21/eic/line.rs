// SPDX-License-Identifier: MIT OR Apache-2.0
//! Detection on one external interrupt line (data sheet, "EIC", section "Principle of Operation"
//! and table "Interrupt Latency").

use crate::Time;
use crate::clock::Clock;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Clocking {
    pub generic: Option<Clock>,
    /// The bus clock, if it runs: without it flags are set at once, asynchronously.
    pub bus: Option<Clock>,
}

impl Clocking {
    fn flag_after(&self, at: Time) -> Time {
        self.bus.map_or(at, |bus| bus.nth_after(at, BUS_EDGES))
    }

    fn detect_after(&self, at: Time, edges: u64) -> Time {
        self.generic.map_or(Time::NEVER, |clock| clock.nth_after(at, edges))
    }
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Line {
    pub sense: Sense,
    pub filter: bool,
    /// Whether a level may set the flag while no clock runs.
    pub wakes: bool,
    /// Level of the pad, and the level according to the samples.
    level: bool,
    seen: bool,
    /// When a change of the level has been sampled often enough.
    decided: Time,
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
            decided: Time::NEVER,
            flagged: Time::NEVER,
        }
    }

    /// When something is due on the line.
    pub fn due(&self) -> Time {
        self.decided.min(self.flagged)
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

    /// Schedules when the samples will have the present level. A pulse that ends before is lost.
    fn sample(&mut self, now: Time, clocks: &Clocking) {
        let samples = if self.filter { FILTERED_SAMPLES } else { SAMPLES };
        self.decided =
            if self.level == self.seen { Time::NEVER } else { clocks.detect_after(now, samples) };
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
            self.sample(now, clocks);
            self.watch(now, clocks);
        }
    }

    /// A clock started, stopped or changed.
    pub fn clocks_changed(&mut self, now: Time, clocks: &Clocking) {
        self.sample(now, clocks);
        self.watch(now, clocks);
    }

    /// Does what is due; returns whether the flag is to be set.
    pub fn fire(&mut self, now: Time, clocks: &Clocking) -> bool {
        if self.decided <= now {
            self.decided = Time::NEVER;
            self.seen = self.level;
            let (samples, edges) = match self.filter {
                false => (SAMPLES, EDGES),
                true => (FILTERED_SAMPLES, FILTERED_EDGES),
            };
            let detected = clocks.detect_after(now, edges - samples);
            if self.sense.takes_edge(self.seen) {
                self.flagged = self.flagged.min(clocks.flag_after(detected));
            }
            self.watch(now, clocks);
        }
        let flags = self.flagged <= now;
        if flags {
            self.flagged = Time::NEVER;
        }
        flags
    }
}
