// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run of which only the processor is looked at: for `profile` and `trace`.

use crate::duration;
use crate::failure::Failure;
use crate::place::Here;
use crate::run::{find_board, image_file};
use crate::screen::Screen;
use clap::Args;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_observe::Observer;
use lichen_trace::{Error, Event, Sink};
use lichen_world::{MoteId, Script, World};
use std::path::PathBuf;
use std::sync::Arc;

/// Simulated time between looks at whether it is enough.
const SLICE: Time = Time::from_ms(1);

/// What to run, and how.
#[derive(Debug, Args)]
pub struct WatchedMote {
    /// Name of a program under app/, path of a program's folder, or an ELF image.
    #[arg(value_name = "APP|IMAGE.elf")]
    pub target: String,
    /// Board to run it on.
    #[arg(long, default_value = "hamilton")]
    pub board: String,
    /// Simulated time to run for, such as 5s, 200ms, 1h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration::parse, default_value = "5s")]
    pub duration: Time,
    /// What is typed and pressed, and when.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Chooses how far the mote's oscillators are off, and its serial number; 0 is nominal.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// A mote that is about to run.
pub struct Watched {
    world: World,
    mote: MoteId,
    image: Arc<Image>,
    end: Time,
}

/// Drops events.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), Error> {
        Ok(())
    }
}

impl Watched {
    /// Builds what is source and puts it on a mote.
    pub fn new(here: &Here, options: &WatchedMote, screen: &Screen) -> Result<Watched, Failure> {
        let board = find_board(here, &options.board)?;
        let input = options.input.as_deref();
        let script = input.map(|file| Script::load(&here.path(file))).transpose()?;
        let elf = image_file(here, &options.target, &options.board, screen)?;
        let image = Arc::new(Image::load(&elf)?);
        let mut world = World::with_seed(options.seed);
        let mote = world.add(board, Arc::clone(&image))?;
        if let Some(script) = script {
            world.follow(mote, script)?;
        }
        Ok(Watched { world, mote, image, end: options.duration })
    }

    /// Its image.
    pub fn image(&self) -> &Arc<Image> {
        &self.image
    }

    /// The simulated time.
    pub fn now(&self) -> Time {
        self.world.now()
    }

    /// Shows `observer` every step.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.world.observe(self.mote, observer);
    }

    /// Runs to the end of the time asked for.
    pub fn run(&mut self) -> Result<(), Failure> {
        self.run_while(|| true)
    }

    /// Runs as long as `wanted` says, at most to the end of the time asked for.
    pub fn run_while(&mut self, mut wanted: impl FnMut() -> bool) -> Result<(), Failure> {
        while self.world.now() < self.end && wanted() {
            let until = self.end.min(self.world.now() + SLICE);
            if self.world.run(until, &mut Nobody)? == lichen_world::Halt::Dead {
                break;
            }
        }
        Ok(())
    }
}
