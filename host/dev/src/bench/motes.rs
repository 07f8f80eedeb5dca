// SPDX-License-Identifier: MIT OR Apache-2.0
//! The motes of a measurement: the one that is measured, and those that it talks to.

use super::{BenchError, OnWork, Rig};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_trace::Sink;
use lichen_world::{Halt, MoteId, Space, Topology, World};
use std::sync::Arc;

/// Seed of a medium in which nothing is left to chance but what a radio makes of weak signals.
const SEED: u64 = 1;

/// What the other motes run, which all hear the one that is measured, and each other.
pub(super) struct Others {
    board: Arc<Board>,
    images: Vec<Arc<Image>>,
}

impl Rig<'_> {
    /// Builds the programs `with` of the other motes.
    pub(super) fn others(&self, with: &[String], on_work: OnWork) -> Result<Others, BenchError> {
        let mut images: Vec<Arc<Image>> = Vec::new();
        for (index, program) in with.iter().enumerate() {
            // Motes of one program share its image.
            let same = with[..index].iter().position(|before| before == program);
            let image = match same {
                Some(same) => Arc::clone(&images[same]),
                None => Arc::new(self.build(program, on_work)?.0),
            };
            images.push(image);
        }
        Ok(Others { board: Arc::new(self.board.clone()), images })
    }
}

impl Others {
    /// A new world with a mote that runs `image`, which is the first, and these others.
    pub(super) fn world(&self, image: Arc<Image>) -> Result<(World, MoteId), BenchError> {
        let mut world = World::new();
        let layout = Topology::Full.layout(1 + self.images.len(), None, SEED);
        world.set_medium(Box::new(Space::new(layout, SEED)));
        let mote = world.add(Arc::clone(&self.board), image)?;
        for image in &self.images {
            world.add(Arc::clone(&self.board), Arc::clone(image))?;
        }
        Ok((world, mote))
    }
}

/// Runs `world` to `end`, and tells each time that its mote `mote` reaches one of these addresses.
pub(super) fn visit(
    world: &mut World,
    mote: MoteId,
    addresses: &[u32],
    end: Time,
    sink: &mut dyn Sink,
    on: &mut dyn FnMut(u32, Time),
) -> Result<(), BenchError> {
    let places = [(mote, addresses.to_vec())];
    visit_all(world, &places, end, sink, &mut |_, _, address, time| on(address, time))
}

/// The same of several motes, each with its addresses.
pub(super) fn visit_all(
    world: &mut World,
    places: &[(MoteId, Vec<u32>)],
    end: Time,
    sink: &mut dyn Sink,
    on: &mut dyn FnMut(&World, MoteId, u32, Time),
) -> Result<(), BenchError> {
    for (mote, addresses) in places {
        addresses.iter().for_each(|address| world.set_breakpoint(*mote, *address, true));
    }
    while let Halt::Breakpoint(mote) = world.run(end, sink)? {
        let (reached, entered) = (world.mote(mote).chip().now(), exceptions(world, mote));
        let address = world.mote(mote).chip().core().pc();
        world.step(mote, end, sink)?;
        let own = places.iter().find(|(other, _)| *other == mote);
        let addresses = own.map_or(&[][..], |(_, addresses)| addresses);
        // An exception takes the place of the instruction, which is reached again after it.
        if exceptions(world, mote) == entered {
            on(world, mote, address, reached);
        } else if let Some(handler) = just_begun(world, mote, addresses) {
            on(world, mote, handler, world.mote(mote).chip().now());
        }
    }
    Ok(())
}

fn exceptions(world: &World, mote: MoteId) -> u64 {
    world.mote(mote).chip().core().exceptions_entered()
}

/// The one of `addresses` whose instruction, of two or four bytes, was the last one.
fn just_begun(world: &World, mote: MoteId, addresses: &[u32]) -> Option<u32> {
    let pc = world.mote(mote).chip().core().pc();
    addresses.iter().copied().find(|address| (address + 2..=address + 4).contains(&pc))
}

/// Seconds of a plan.
pub(super) fn seconds(seconds: f64) -> Time {
    Time::from_us((seconds * 1e6) as u64)
}
