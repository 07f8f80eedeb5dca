// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long the simulator takes for one sleep of a mote, with the wake-up that ends it.

use super::{BenchError, OnWork, Reading, Rig, Stopwatch};
use lichen_chip::Time;
use lichen_trace::{Event, Sink};
use lichen_world::World;
use serde::Deserialize;
use std::sync::Arc;

/// Processor time for each sleep of a mote, with the wake-up that ends it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naps {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Simulated seconds of each run.
    pub seconds: f64,
}

/// Runs. The fastest counts: other work on this machine only ever slows one down.
const RUNS: usize = 5;

/// Oscillators deviate, so that no two of their edges coincide for long.
const SEED: u64 = 1;

/// Ignores all events.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), lichen_trace::Error> {
        Ok(())
    }
}

impl Rig<'_> {
    /// Processor time for each wake-up of a mote that sleeps nearly always.
    pub(super) fn naps(
        &self,
        entry: &Naps,
        stopwatch: Stopwatch,
        on_work: OnWork,
    ) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let (board, image) = (Arc::new(self.board.clone()), Arc::new(image));
        let length = Time::from_us((entry.seconds * 1e6) as u64);
        let (mut fastest, mut wakes, mut instructions) = (f64::INFINITY, 0, 0);
        for _ in 0..RUNS {
            let mut world = World::with_seed(SEED);
            let mote = world.add(Arc::clone(&board), Arc::clone(&image))?;
            let before = stopwatch();
            world.run(length, &mut Nobody)?;
            let elapsed = stopwatch().saturating_sub(before);
            let summary = world.mote(mote).summary();
            (wakes, instructions) = (summary.wake_ups(), summary.instructions);
            fastest = fastest.min(elapsed.as_secs_f64() * 1e6 / wakes.max(1) as f64);
        }
        if wakes == 0 {
            return Err(self.wrong(format!("{} does not sleep", entry.program)));
        }
        let detail = format!(
            "{wakes} wake-ups, {} instructions each; the fastest of {RUNS} runs",
            instructions / wakes
        );
        self.reading(entry.title(), fastest, "us", detail, features)
    }
}
