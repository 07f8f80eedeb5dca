// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock tree: from oscillators through generators to processor, buses and generic clocks.
//!
//! It is recomputed when a register or an oscillator changes, never while clocks merely run. Every
//! clock keeps the edge 0 of its source, so a clock whose source and dividers did not change
//! compares equal to its former value.

use super::gclk::{CHANNELS, GENERATORS, Gclk};
use super::pm::Pm;
use super::sysctrl::Sysctrl;
use crate::Time;
use crate::clock::Clock;
use crate::samr21::peripheral::{Clocks, Peripheral};

/// GENCTRL.SRC of a generator's pin.
const SOURCE_PIN: u8 = 1;
/// GENCTRL.SRC of the output of generator 1.
const SOURCE_GENERATOR_1: u8 = 2;
/// Generic clock channels that the loops take their references from.
const CHANNEL_DFLL: usize = 0;
const CHANNEL_FDPLL: usize = 1;
/// No generator.
const NONE: u8 = u8::MAX;
/// Passes after which a tree has settled: a loop after a loop, and one more to see that nothing
/// changes.
const PASSES: usize = 4;

/// How much of the chip is clocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) enum Power {
    /// Everything that is switched on.
    Active,
    /// The processor's clock is stopped.
    Idle {
        /// Whether the AHB is clocked, with whatever is master on it.
        ahb: bool,
        /// Whether the peripheral buses are clocked.
        apb: bool,
    },
    /// Only what is set to run in standby, or requested by a block that is.
    Standby,
}

/// All clocks at one moment.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Tree {
    power: Power,
    /// Source from which each generator takes its clock at present: the one set in GENCTRL as soon
    /// as that runs, the former one until then.
    sources: [u8; GENERATORS],
    generators: [Option<Clock>; GENERATORS],
    /// The generator of each channel that is enabled, `NONE` for the others.
    channels: [u8; CHANNELS],
    /// Channels that are enabled and wait only for an oscillator's start-up, one bit each.
    starting: u64,
    /// The main clock's branches as they run or, in standby, as they last did.
    processor: Clock,
    buses: [Clock; 3],
}

/// The blocks that make clocks.
pub(crate) struct Makers<'a> {
    pub pm: &'a Pm,
    pub gclk: &'a mut Gclk,
    pub sysctrl: &'a mut Sysctrl,
    /// Channels that blocks request in standby, one bit each.
    pub wanted: u64,
}

impl Tree {
    /// No clock at all.
    pub fn new() -> Tree {
        let slow = Clock::new(Time::ZERO, 1_000_000);
        Tree {
            power: Power::Active,
            sources: [u8::MAX; GENERATORS],
            generators: [None; GENERATORS],
            channels: [NONE; CHANNELS],
            starting: 0,
            processor: slow,
            buses: [slow; 3],
        }
    }

    /// The processor's clock, if the main clock runs.
    pub fn main_runs(&self) -> bool {
        self.generators[0].is_some()
    }

    /// Computes the tree from `now` on. `waking` is set at the end of the wake-up time from
    /// standby, which includes the start of OSC8M.
    pub fn update(&mut self, now: Time, power: Power, waking: bool, makers: &mut Makers<'_>) {
        self.power = power;
        let standby = power == Power::Standby;
        let (generators, sources) = self.requests(standby, makers);
        makers.sysctrl.update(now, sources, standby, waking);
        for _ in 0..PASSES {
            let before = self.generators;
            self.update_generators(generators, makers);
            let reference = |channel| self.channel(channel, makers.gclk);
            let (dfll, fdpll) = (reference(CHANNEL_DFLL), reference(CHANNEL_FDPLL));
            let loops_changed = makers.sysctrl.set_references(now, dfll, fdpll);
            if !loops_changed || self.generators == before {
                break;
            }
        }
        let generator = |channel| makers.gclk.channel_generator(channel).map_or(NONE, |n| n as u8);
        self.channels = std::array::from_fn(generator);
        self.starting = self.starting(makers);
        makers.gclk.set_outputs(self.generators);
        self.update_switching(makers);
        if let Some(main) = self.generators[0] {
            self.processor = main.divided(makers.pm.cpu_division());
            self.buses = [0, 1, 2].map(|bridge| main.divided(makers.pm.bus_division(bridge)));
        }
    }

    /// A generator whose source was changed is synchronizing until it runs from the new one, as
    /// long as that oscillator may still start. A source that does not run on demand is taken as
    /// ready from the beginning: RIOT's start-up took two seconds longer while its crystal ran on
    /// demand, but not after that was changed.
    fn update_switching(&self, makers: &mut Makers<'_>) {
        let Some(generator) = makers.gclk.switching() else { return };
        let runs = self.generators[generator].is_some()
            && self.sources[generator] == makers.gclk.source(generator);
        let next = makers.sysctrl.due();
        let waits = makers.gclk.generator_enabled(generator)
            && makers.sysctrl.is_on_demand(makers.gclk.source(generator))
            && !runs
            && next != Time::NEVER;
        makers.gclk.set_switching(waits.then_some(next));
    }

    /// Generators and sources that are requested, one bit each.
    fn requests(&self, standby: bool, makers: &Makers<'_>) -> (u16, u16) {
        let gclk = &makers.gclk;
        let mut generators = 0u16;
        for generator in 0..GENERATORS {
            let by_itself = if standby {
                gclk.runs_in_standby(generator)
            } else {
                gclk.generator_enabled(generator)
            };
            generators |= u16::from(by_itself) << generator;
        }
        for channel in (0..CHANNELS).filter(|channel| standby && makers.wanted >> channel & 1 != 0)
        {
            if let Some(generator) = gclk.channel_generator(channel) {
                generators |= 1 << generator;
            }
        }
        let mut sources = 0;
        loop {
            let before = (generators, sources);
            for generator in 0..GENERATORS {
                if generators >> generator & 1 != 0 && gclk.generator_enabled(generator) {
                    sources |= self.wanted_sources(generator, gclk);
                }
            }
            if sources >> SOURCE_GENERATOR_1 & 1 != 0 {
                generators |= 1 << 1;
            }
            let (more, channels) = makers.sysctrl.loop_needs(sources, standby);
            sources |= more;
            for (channel, _) in channels.into_iter().enumerate().filter(|(_, needed)| *needed) {
                if let Some(generator) = gclk.channel_generator(channel) {
                    generators |= 1 << generator;
                }
            }
            if before == (generators, sources) {
                return before;
            }
        }
    }

    /// The source that is set for a generator, and the one from which it still runs.
    fn wanted_sources(&self, generator: usize, gclk: &Gclk) -> u16 {
        let present = self.sources[generator];
        let kept = if self.generators[generator].is_some() { 1 << present } else { 0 };
        1 << gclk.source(generator) | kept
    }

    fn update_generators(&mut self, requested: u16, makers: &Makers<'_>) {
        // Generator 1 first: the others may take it as their source.
        for generator in [1, 0, 2, 3, 4, 5, 6, 7, 8] {
            let gclk = &makers.gclk;
            let runs = requested >> generator & 1 != 0 && gclk.generator_enabled(generator);
            let target = gclk.source(generator);
            let output = |source| match source {
                SOURCE_PIN => gclk.input(generator),
                SOURCE_GENERATOR_1 if generator != 1 => self.generators[1],
                source => makers.sysctrl.output(source),
            };
            let (source, clock) = match (output(target), self.generators[generator]) {
                (None, Some(_)) if output(self.sources[generator]).is_some() => {
                    let present = self.sources[generator];
                    (present, output(present))
                }
                (clock, _) => (target, clock),
            };
            let division = gclk.division(generator);
            self.sources[generator] = source;
            self.generators[generator] =
                clock.filter(|_| runs).map(|clock| clock.divided(division));
        }
    }

    fn channel(&self, channel: usize, gclk: &Gclk) -> Option<Clock> {
        self.generators[gclk.channel_generator(channel)?]
    }

    /// Channels that are enabled and wait only for an oscillator's start-up, one bit each.
    fn starting(&self, makers: &Makers<'_>) -> u64 {
        let by_itself = |generator: usize| {
            makers.gclk.generator_enabled(generator)
                && self.generators[generator].is_none()
                && makers.sysctrl.is_starting(makers.gclk.source(generator))
        };
        let starts = |generator: usize| match makers.gclk.source(generator) {
            SOURCE_GENERATOR_1 => by_itself(1),
            _ => by_itself(generator),
        };
        let starting: [bool; GENERATORS] = std::array::from_fn(starts);
        if starting == [false; GENERATORS] {
            return 0;
        }
        let waits = |generator: u8| starting.get(usize::from(generator)).copied() == Some(true);
        let channels = self.channels.iter().enumerate();
        channels.fold(0, |all, (channel, generator)| all | u64::from(waits(*generator)) << channel)
    }

    /// Whether one of these channels is enabled and waits only for an oscillator's start-up.
    pub fn awaits(&self, channels: &[u8]) -> bool {
        channels.iter().any(|channel| self.starting >> channel & 1 != 0)
    }
}

impl Clocks for Tree {
    fn generic(&self, channel: u8) -> Option<Clock> {
        let generator = self.channels.get(usize::from(channel))?;
        self.generators.get(usize::from(*generator)).copied().flatten()
    }

    fn bus(&self, bridge: u8) -> Clock {
        self.buses[usize::from(bridge) % self.buses.len()]
    }

    fn bus_runs(&self, _bridge: u8) -> bool {
        match self.power {
            Power::Active => true,
            Power::Idle { apb, .. } => apb,
            Power::Standby => false,
        }
    }

    fn ahb_runs(&self) -> bool {
        match self.power {
            Power::Active => true,
            Power::Idle { ahb, .. } => ahb,
            Power::Standby => false,
        }
    }

    fn processor(&self) -> Clock {
        self.processor
    }
}
