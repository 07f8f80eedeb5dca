// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast many motes are simulated side by side, and how much memory each takes.

use super::plan::{Network, Title};
use super::{BenchError, Meters, Nobody, OnWork, Reading, Rig};
use lichen_chip::Time;
use lichen_device::Board;
use lichen_image::Image;
use lichen_world::World;
use std::sync::Arc;

/// Runs of each number of motes. The fastest counts: other work on this machine only ever slows one down.
const RUNS: usize = 3;

/// Simulated time before measuring, in which motes start.
const START: Time = Time::from_s(1);

impl Rig<'_> {
    /// Simulated seconds of motes in a second of real time, and the bytes of one more mote.
    pub(super) fn network(
        &self,
        entry: &Network,
        meters: &Meters<'_>,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let (board, image) = (Arc::new(self.board.clone()), Arc::new(image));
        let bytes = self.bytes_of_mote(entry, &board, &image, meters)?;
        let mut parts = Vec::new();
        for motes in std::iter::once(&entry.motes).chain(&entry.beside_motes) {
            on_work(&format!("running {motes} motes"));
            let mut fastest: f64 = 0.0;
            for _ in 0..RUNS {
                fastest = fastest.max(self.node_seconds(entry, *motes, &board, &image, meters)?);
            }
            parts.push((motes, fastest));
        }
        let speed = parts[0].1;
        let beside: Vec<String> =
            parts[1..].iter().map(|(motes, speed)| format!("{motes} motes {speed:.0}")).collect();
        let detail = format!(
            "{} motes on {} threads; {}; the fastest of {RUNS} runs each",
            entry.motes,
            entry.threads,
            beside.join(", ")
        );
        let id = Some(Title::Id(entry.bytes.clone()));
        let of = format!("the mean over {} motes that have run for {START} s", entry.motes);
        Ok(vec![
            self.reading(entry.title(), speed, "node-s/s", detail, features.clone())?,
            self.reading(id, bytes, "bytes", of, features)?,
        ])
    }

    fn node_seconds(
        &self,
        entry: &Network,
        motes: u32,
        board: &Arc<Board>,
        image: &Arc<Image>,
        meters: &Meters<'_>,
    ) -> Result<f64, BenchError> {
        let mut world = World::new();
        world.set_threads(entry.threads)?;
        for _ in 0..motes {
            world.add(Arc::clone(board), Arc::clone(image))?;
        }
        world.run(START, &mut Nobody)?;
        let length = Time::from_us((entry.seconds * 1e6) as u64);
        let before = (meters.real_time)();
        world.run(START + length, &mut Nobody)?;
        let elapsed = (meters.real_time)().saturating_sub(before);
        Ok(f64::from(motes) * length.as_s() / elapsed.as_secs_f64().max(1e-9))
    }

    fn bytes_of_mote(
        &self,
        entry: &Network,
        board: &Arc<Board>,
        image: &Arc<Image>,
        meters: &Meters<'_>,
    ) -> Result<f64, BenchError> {
        let mut world = World::new();
        world.add(Arc::clone(board), Arc::clone(image))?;
        world.run(START, &mut Nobody)?;
        let before = (meters.resident_bytes)();
        for _ in 0..entry.motes {
            world.add(Arc::clone(board), Arc::clone(image))?;
        }
        world.run(START + START, &mut Nobody)?;
        let more = (meters.resident_bytes)().saturating_sub(before);
        Ok(more as f64 / f64::from(entry.motes))
    }
}
