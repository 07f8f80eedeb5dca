// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the motes of a run send to each other: kept as counts for the summary, and drawn on request.

use super::options::Record;
use super::{files, traces};
use crate::mote::Names;
use lichen_chip::Time;
use lichen_scenario::Output;
use lichen_terminal::place::Here;
use lichen_trace::air::{Log, Picture, Placed, Scene, Tally, Transmission};
use lichen_trace::{Error, Event, Window};
use lichen_world::{Layout, World};
use std::path::Path;

/// The option that says where the picture begins.
pub const FROM: &str = "--air-from";

/// The air of a run.
pub struct Air {
    log: Log,
    tally: Tally,
    picture: Option<Picture>,
}

/// What the picture shows.
pub fn window(record: &Record, output: &Output) -> Window {
    Window { from: record.air_from.or(output.air_from), length: record.air_for.or(output.air_for) }
}

impl Air {
    /// The air between the motes of `world`, which report what reaches them from now on; nothing if there is none.
    pub fn of(
        (record, output): (&Record, &Output),
        here: &Here,
        world: &mut World,
        scene: Scene,
    ) -> Option<Air> {
        let file = files::air(record, output);
        let motes = world.motes().len();
        let radios = world.motes().filter(|(_, mote)| mote.board().radio.is_some()).count();
        if file.is_none() && (motes == 1 || radios == 0) {
            return None;
        }
        world.tell_arrivals();
        let window = window(record, output);
        let picture = file.map(|file| Picture::new(&here.path(file), window, scene));
        let off = world.motes().filter(|(_, mote)| !mote.is_powered()).map(|(id, _)| id.0);
        Some(Air { log: Log::begun(off), tally: Tally::new(motes), picture })
    }

    /// Takes an event; returns the transmissions of which it is known now what became of them.
    pub fn event(&mut self, event: &Event) -> Vec<Transmission> {
        let complete = self.log.event(event);
        self.add(complete)
    }

    /// The same as time has come to `now`.
    pub fn advance(&mut self, now: Time) -> Vec<Transmission> {
        let complete = self.log.advance(now);
        self.add(complete)
    }

    /// The same as the run has ended at `now`.
    pub fn close(&mut self, now: Time) -> Vec<Transmission> {
        let complete = self.log.finish(now);
        self.add(complete)
    }

    fn add(&mut self, complete: Vec<Transmission>) -> Vec<Transmission> {
        for sent in &complete {
            self.tally.add(sent);
            self.picture.iter_mut().for_each(|picture| picture.add(sent));
        }
        complete
    }

    /// What is under way and what was counted, for a run that continues.
    pub fn save(&self) -> Vec<u8> {
        borsh::to_vec(&(&self.log, &self.tally)).expect("memory takes all")
    }

    /// Continues with what [`Air::save`] of a run with the same motes returned. One that kept nothing of the air returned
    /// nothing.
    pub fn load(&mut self, saved: &[u8]) {
        if let Ok(loaded) = borsh::from_slice(saved) {
            (self.log, self.tally) = loaded;
        }
    }

    /// When the first transmission has ended that is not complete.
    pub fn awaited(&self) -> Option<Time> {
        self.log.awaited()
    }

    /// Draws the picture of a run that ended at `now`, if one is wanted.
    pub fn finish(&mut self, now: Time) -> Result<(), Error> {
        let tally = &self.tally;
        self.picture.take().map_or(Ok(()), |picture| picture.finish(now, tally))
    }

    /// What was counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }
}

/// What is called with `target`: the scenario, or the program and the motes.
pub fn title(world: &World, target: &str) -> String {
    let motes = world.motes().len();
    let count = if motes == 1 { "1 mote".to_string() } else { format!("{motes} motes") };
    let file = Path::new(target).file_name().filter(|_| target.ends_with(".toml"));
    match (file, world.motes().next()) {
        (Some(file), _) => format!("{}, {count}", file.to_string_lossy()),
        (None, Some((_, mote))) => {
            format!("{} on {count} {}", traces::program(mote), mote.board().name)
        }
        (None, None) => count,
    }
}

/// The motes on a map, and what is between them, with what they run as title.
pub fn scene(title: String, world: &World, names: &Names, layout: &Layout) -> Scene {
    let place = |mote: u32| {
        let steps = layout.places.get(mote as usize).into_iter().flat_map(|place| place.steps());
        steps.map(|(_, at)| [at.x, at.y]).collect()
    };
    let motes =
        world.motes().map(|(id, _)| Placed { name: names.short(id.0), places: place(id.0) });
    let walls = layout.walls.iter().map(|wall| [wall.from, wall.to].map(|at| [at.x, at.y]));
    let sources = layout.interference.iter().filter_map(|source| source.position);
    let sources = sources.map(|at| [at.x, at.y]).collect();
    Scene { title, motes: motes.collect(), walls: walls.collect(), sources }
}
