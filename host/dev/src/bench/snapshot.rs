// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long it takes to save the state of a mote, and to restore it.

use super::plan::Pick;
use super::{BenchError, OnWork, Reading, Rig, Stopwatch};
use lichen_chip::Time;
use lichen_trace::{Event, Sink};
use lichen_world::World;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// Processor time to save a mote's state in memory and to return to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Simulated seconds between a snapshot and the return to it.
    pub seconds: f64,
}

/// How many times the state is saved and returned to; the median counts.
const ROUNDS: usize = 500;

/// An observer that ignores everything.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), lichen_trace::Error> {
        Ok(())
    }
}

impl Rig<'_> {
    /// Microseconds of both together. The mote runs in between, so that there is something to copy.
    pub(super) fn snapshot(
        &self,
        entry: &Snapshot,
        stopwatch: Stopwatch,
        on_work: OnWork,
    ) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let between = Time::from_us((entry.seconds * 1e6) as u64);
        let mut world = World::new();
        world.add(self.board.clone(), Arc::new(image))?;
        let mut kept = Vec::with_capacity(ROUNDS);
        let mut restored = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            world.run(world.now() + between, &mut Nobody)?;
            let before = stopwatch();
            let state = world.snapshot();
            kept.push(nanoseconds(stopwatch(), before));
            world.run(world.now() + between, &mut Nobody)?;
            let before = stopwatch();
            world.restore(&state).map_err(|error| self.wrong(error.to_string()))?;
            restored.push(nanoseconds(stopwatch(), before));
        }
        let middle = |times: &[u64]| Pick::Median.of(times).unwrap_or(0) as f64 / 1e3;
        let (kept, restored) = (middle(&kept), middle(&restored));
        let detail = format!(
            "{kept:.1} to keep, {restored:.1} to go back; the medians of {ROUNDS} rounds, with \
             {between} s between"
        );
        self.reading(entry.title(), kept + restored, "us", detail, features)
    }
}

fn nanoseconds(now: Duration, before: Duration) -> u64 {
    u64::try_from(now.saturating_sub(before).as_nanos()).unwrap_or(u64::MAX)
}
