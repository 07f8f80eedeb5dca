// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--save` and `--load`: a run that ends in a file, and one that continues from it.

use super::Session;
use super::show::Show;
use lichen_chip::Time;
use lichen_terminal::failure::Failure;
use lichen_terminal::place::Here;
use lichen_terminal::screen::out;
use lichen_world::{Halt, Script, SnapshotError, World};
use std::path::Path;

/// The seed of the run that wrote the file.
pub fn seed(path: &Path) -> Result<u64, Failure> {
    World::saved_seed(path).map_err(unloaded)
}

/// Takes `world` to the state in the file, and `show` to what it had seen by then. A script to be followed from there must
/// not begin earlier.
pub fn load(
    world: &mut World,
    show: &mut Show<'_>,
    path: &Path,
    script: Option<&Script>,
) -> Result<(), Failure> {
    let seen = world.load(path).map_err(unloaded)?;
    show.load_air(&seen);
    let first = script.and_then(|script| script.actions().first());
    match first {
        Some((time, _)) if *time < world.now() => Err(before(*time, world.now())),
        _ => Ok(()),
    }
}

/// Other errors than that of the file name their remedies themselves.
fn unloaded(error: SnapshotError) -> Failure {
    let is_read = matches!(error, SnapshotError::Read { .. });
    let failure = Failure::from(error);
    if is_read { failure.remedy("give a file that lichen run --save wrote") } else { failure }
}

fn before(time: Time, now: Time) -> Failure {
    Failure::wrong(format!("--input begins at {time} s, before the snapshot's {now} s"))
        .remedy("remove the earlier lines; times count from the mote's start")
}

impl Session<'_> {
    /// Writes the state at the end of the run to the file of `--save`.
    pub(super) fn save(&mut self, here: &Here, show: &mut Show<'_>) -> Result<(), Failure> {
        let Some(file) = &self.record.save else { return Ok(()) };
        // A text or a warning ends a run in the middle of what happens at that moment, and before motes
        // that are later.
        let mut halt = Halt::Text;
        while matches!(halt, Halt::Text | Halt::Warning | Halt::Fault) || !self.world.is_reported()
        {
            halt = self.world.run(self.world.latest(), show)?;
        }
        let path = here.path(file);
        self.world.save(&path, &show.save_air())?;
        out!("saved at {} s: --load {} continues from there", self.world.now(), file.display());
        Ok(())
    }
}
