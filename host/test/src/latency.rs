// SPDX-License-Identifier: MIT OR Apache-2.0
//! What programs add to the latency of interrupts, over many runs: the worst of each level, with the
//! reason for each of its cycles. [`lichen_observe::latency`] defines what counts.

use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::latency::{Cause, Delay, LEVELS, Latency};
use lichen_observe::{Kernel, Place, place};
use lichen_world::{MoteId, World};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Id of the figure.
pub const FIGURE: &str = "kernel.latency_added_worst";
/// The level at which only the kernel's own work runs; its latency does not count for the figure.
pub const KERNEL_LEVEL: usize = LEVELS - 1;

/// Cycles of an interrupt's latency with one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// How many.
    pub cycles: u64,
    /// What took them, in a few words.
    pub what: String,
    /// Whether the program added them.
    pub added: bool,
    /// The place, for what the program adds.
    pub place: Option<Place>,
}

/// One interrupt from request to handler, in one program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The program, named as a test.
    pub program: String,
    /// The interrupt, such as `SERCOM0`.
    pub interrupt: String,
    /// The cycle of its request, from power-up.
    pub since: u64,
    /// Cycles that the program added.
    pub added: u64,
    /// Cycles for which handlers of the same or more urgent levels ran.
    pub queued: u64,
    /// All of its cycles, in the order in which their causes first occurred.
    pub parts: Vec<Part>,
}

/// The observations at one level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Level {
    /// Interrupts that reached their handlers.
    pub served: u64,
    /// The one to which the most was added.
    pub worst: Option<Found>,
    /// The one that waited longest for other handlers, if any did.
    pub queued: Option<Found>,
}

/// The observations in some runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latencies {
    /// The architecture of the chips; motes of others are counted apart.
    pub architecture: String,
    /// By level, 0 the most urgent.
    pub levels: [Level; LEVELS],
    /// The worst request during start-up, while interrupts are masked.
    pub start_up: Option<Found>,
}

impl Latencies {
    /// Adds the observations of other runs on this architecture.
    pub fn merge(&mut self, other: &Latencies) {
        for (level, other) in self.levels.iter_mut().zip(&other.levels) {
            level.served += other.served;
            keep_most(&mut level.worst, &other.worst, |found| found.added);
            keep_most(&mut level.queued, &other.queued, |found| found.queued);
        }
        keep_most(&mut self.start_up, &other.start_up, |found| found.added);
    }

    /// Whether no interrupt was seen.
    pub fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| level.served == 0)
    }

    /// The worst of all levels except the kernel's own: the figure.
    pub fn worst(&self) -> Option<&Found> {
        let mut worst = None;
        for level in &self.levels[..KERNEL_LEVEL] {
            keep_most(&mut worst, &level.worst.as_ref(), |found| found.added);
        }
        worst
    }
}

/// Keeps the one with the most; among equals the first, so that the order of runs decides.
fn keep_most<T: Clone>(kept: &mut Option<T>, other: &Option<T>, of: impl Fn(&T) -> u64) {
    let Some(new) = other else { return };
    if kept.as_ref().is_none_or(|kept| of(new) > of(kept)) {
        *kept = Some(new.clone());
    }
}

/// A mote whose interrupts are followed.
pub struct Followed {
    latency: Arc<Mutex<Latency>>,
    mote: MoteId,
}

impl Followed {
    /// Follows the interrupts of `mote` from now on, that is, from power-up.
    pub fn follow(world: &mut World, mote: MoteId) -> Followed {
        let kernel = Kernel::find(world.mote(mote).image()).ok().flatten();
        let latency = Arc::new(Mutex::new(Latency::new(kernel)));
        world.observe(mote, latency.clone());
        Followed { latency, mote }
    }

    /// The observations, labelled with `program`.
    pub fn latencies(&self, world: &World, program: &str) -> Latencies {
        let latency = self.latency.lock().unwrap_or_else(PoisonError::into_inner);
        let mote = world.mote(self.mote);
        let found = |delay: &Option<Delay>| {
            delay.as_ref().map(|delay| Found::of(delay, program, mote.image(), mote.chip()))
        };
        let levels = latency.levels().each_ref().map(|level| Level {
            served: level.served,
            worst: found(&level.worst),
            queued: found(&level.queued),
        });
        let architecture = mote.chip().core().architecture().name.to_string();
        Latencies { architecture, levels, start_up: found(&latency.start_up().cloned()) }
    }
}

impl Found {
    fn of(delay: &Delay, program: &str, image: &Image, chip: &dyn Chip) -> Found {
        let part = |part: &lichen_observe::latency::Part| {
            let added = matches!(part.cause, Cause::Masked | Cause::Stall);
            let what = match part.cause {
                Cause::Instruction => "instruction".to_string(),
                Cause::WakeUp => "wake-up".to_string(),
                Cause::Entry => "entry".to_string(),
                Cause::Stall => "stalled".to_string(),
                Cause::Masked => "masked".to_string(),
                Cause::Handler(number) => format!("behind {}", chip.core().exception_name(number)),
            };
            let place = added.then(|| place(image, part.pc));
            Part { cycles: part.cycles, what, added, place }
        };
        // Handlers that ran alternately are listed once each.
        let mut parts: Vec<Part> = Vec::new();
        for new in delay.parts.iter().map(part) {
            let turn = |old: &&mut Part| old.place.is_none() && old.what == new.what;
            match parts.iter_mut().find(turn) {
                Some(old) => old.cycles += new.cycles,
                None => parts.push(new),
            }
        }
        Found {
            program: program.to_string(),
            interrupt: delay.name.to_string(),
            since: delay.since,
            added: delay.added(),
            queued: delay.queued(),
            parts,
        }
    }
}

/// `SERCOM0 in mote/hamilton/console at cycle 90: 1 instruction + 2 stalled (usart_put+0x4, os/x.c:7) + 15 entry`
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {} at cycle {}: ", self.interrupt, self.program, self.since)?;
        for (index, part) in self.parts.iter().enumerate() {
            let plus = if index == 0 { "" } else { " + " };
            write!(f, "{plus}{} {}", part.cycles, part.what)?;
            if let Some(place) = &part.place {
                write!(f, " ({})", words(place))?;
            }
        }
        Ok(())
    }
}

/// A place with everything known about it.
pub fn words(place: &Place) -> String {
    let symbol = place.symbol.clone().unwrap_or_else(|| format!("0x{:08x}", place.pc));
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("0x{:x} {symbol}, {file}:{line}", place.pc),
        _ => format!("0x{:x} {symbol}", place.pc),
    }
}

/// Runs `world` for `time`, whatever happens in it.
pub fn run(world: &mut World, time: Time) -> Result<(), lichen_world::Error> {
    struct Nobody;
    impl lichen_trace::Sink for Nobody {
        fn event(&mut self, _: &lichen_trace::Event) -> Result<(), lichen_trace::Error> {
            Ok(())
        }
    }
    world.run(time, &mut Nobody).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(program: &str, added: u64) -> Found {
        let part = |cycles, what: &str, place| Part {
            cycles,
            what: what.to_string(),
            added: place,
            place: place.then(|| Place {
                pc: 0x124,
                symbol: Some("usart_put+0x4".to_string()),
                file: Some("os/usart.c".to_string()),
                line: Some(7),
            }),
        };
        Found {
            program: program.to_string(),
            interrupt: "SERCOM0".to_string(),
            since: 90,
            added,
            queued: 0,
            parts: vec![part(1, "instruction", false), part(added, "stalled", true)],
        }
    }

    fn seen(level: usize, program: &str, added: u64) -> Latencies {
        let mut seen = Latencies::default();
        seen.levels[level] = Level { served: 5, worst: Some(found(program, added)), queued: None };
        seen
    }

    #[test]
    fn the_worst_of_all_runs_is_kept_with_its_program() {
        let mut all = Latencies::default();
        assert!(all.is_empty() && all.worst().is_none());
        for (program, added) in [("a", 1), ("b", 4), ("c", 4), ("d", 2)] {
            all.merge(&seen(2, program, added));
        }
        assert_eq!(all.levels[2].served, 20);
        assert_eq!(all.worst().map(|found| found.program.as_str()), Some("b"));
    }

    #[test]
    fn the_kernels_own_level_is_no_figure() {
        let mut all = seen(KERNEL_LEVEL, "a", 700);
        assert_eq!(all.worst(), None);
        all.merge(&seen(0, "b", 0));
        assert_eq!(all.worst().map(|found| found.added), Some(0));
    }

    #[test]
    fn every_cycle_is_reported_with_its_reason() {
        assert_eq!(
            found("mote/x", 2).to_string(),
            "SERCOM0 in mote/x at cycle 90: 1 instruction + 2 stalled \
             (0x124 usart_put+0x4, os/usart.c:7)"
        );
    }
}
