// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of which only the processor is observed: for `profile` and `trace`.

use crate::mote::{Builder, Many, MoteOptions, Motes};
use crate::plan::Plan;
use clap::Args;
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::Observer;
use lichen_terminal::duration;
use lichen_terminal::failure::Failure;
use lichen_terminal::files::Files;
use lichen_terminal::place::Here;
use lichen_terminal::screen::Screen;
use lichen_trace::{Error, Event, Sink};
use lichen_world::{MoteId, World};
use std::sync::{Arc, Mutex};

/// Simulated time between checks whether to stop.
const SLICE: Time = Time::from_ms(1);
/// Simulated time of a run whose length nobody has given.
const USUAL: Time = Time::from_s(5);

/// What to run, and how.
#[derive(Debug, Args)]
pub struct WatchedMote {
    /// The mote.
    #[command(flatten)]
    pub mote: MoteOptions,
    /// Simulated time to run for, such as 5s, 200ms, 1h; a number alone is seconds. If not given: what the
    /// scenario says, or 5 s.
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse)]
    #[arg(allow_hyphen_values = true)]
    pub duration: Option<Time>,
}

/// A mote that is about to run.
pub struct Watched {
    world: World,
    mote: MoteId,
    name: String,
    image: Arc<Image>,
    end: Time,
}

/// What helps a mote whose supply is too low to start.
pub const LOW_SUPPLY_REMEDY: &str = "raise `environment.supply` in the scenario";

/// Drops events.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), Error> {
        Ok(())
    }
}

impl Watched {
    /// Builds the program if it is given as source, and loads it into a mote.
    pub fn new(
        here: &Here,
        options: &WatchedMote,
        mut files: Files,
        screen: &Screen,
    ) -> Result<Watched, Failure> {
        options.mote.check_once("--for", options.duration.is_some(), "for")?;
        let many = Many::default();
        let plan = Plan::new(&options.mote, &many, here, &mut files)?;
        let motes = Motes::new(&options.mote, &many, here, Builder { debug: false, screen }, plan)?;
        files.reads(&motes.elf)?;
        let Motes { mut world, id, script, duration, names, .. } = motes;
        if let Some(script) = script {
            world.follow(id, script)?;
        }
        let image = Arc::clone(world.mote(id).image());
        let end = options.duration.or(duration).unwrap_or(USUAL);
        Ok(Watched { world, mote: id, name: names.long(id.0), image, end })
    }

    /// Its image.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The chip, for inspection.
    pub fn chip(&self) -> &dyn Chip {
        self.world.mote(self.mote).chip()
    }

    /// The simulated time.
    pub fn now(&self) -> Time {
        self.world.now()
    }

    /// Shows `observer` every step.
    pub fn observe(&mut self, observer: Arc<Mutex<dyn Observer>>) {
        self.world.observe(self.mote, observer);
    }

    /// Where the processor has locked up, if it has.
    pub fn lockup(&self) -> Option<String> {
        let mote = self.world.mote(self.mote);
        let summary = mote.summary();
        let reason =
            summary.unserved_fault.map(|fault| format!("{}, {}", fault.reason, fault.place));
        summary.locked_up.then(|| reason.unwrap_or_else(|| "no vector".to_string()))
    }

    /// Fails if it had no power in all of the run: then there is nothing to be seen.
    pub fn check_power(&self) -> Result<(), Failure> {
        let (now, mote) = (self.now(), self.world.mote(self.mote));
        let summary = mote.summary();
        let had_none = summary.off >= now;
        match mote.low_supply().filter(|_| had_none || summary.instructions == 0) {
            Some(low) => {
                let what = format!("{} executed nothing in {now} s: {low}", self.name);
                Err(Failure::failed(what).remedy(LOW_SUPPLY_REMEDY))
            }
            None if had_none => {
                Err(Failure::failed(format!("{} had no power in {now} s", self.name))
                    .remedy("run for longer (--for), or choose another mote (--mote)"))
            }
            None => Ok(()),
        }
    }

    /// When it ends.
    pub fn end(&self) -> Time {
        self.end
    }

    /// Runs to the end of the requested time.
    pub fn run(&mut self) -> Result<(), Failure> {
        self.run_while(|| true)
    }

    /// Runs while `wanted` returns true, at most to the end of the requested time.
    pub fn run_while(&mut self, mut wanted: impl FnMut() -> bool) -> Result<(), Failure> {
        self.run_to(self.end, &mut wanted)
    }

    /// Runs until `time`, without anything being observed yet.
    pub fn skip(&mut self, time: Time) -> Result<(), Failure> {
        self.run_to(time, &mut || true)
    }

    fn run_to(&mut self, end: Time, wanted: &mut dyn FnMut() -> bool) -> Result<(), Failure> {
        while self.world.now() < end && wanted() {
            let until = end.min(self.world.now() + SLICE);
            if self.world.run(until, &mut Nobody)? == lichen_world::Halt::Dead {
                break;
            }
        }
        Ok(())
    }
}
