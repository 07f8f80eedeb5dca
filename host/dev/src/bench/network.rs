// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast many motes are simulated side by side, and how much memory each takes.

use super::motes::seconds;
use super::plan::Title;
use super::{BenchError, Meters, Nobody, OnWork, Reading, Rig};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_world::{Space, Topology, World};
use serde::Deserialize;
use std::sync::Arc;

/// Simulated seconds of all motes in a second of real time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// How they are placed; without it, they hear nobody.
    pub topology: Option<String>,
    /// Motes that run it.
    pub motes: u32,
    /// Other numbers of motes, reported in words.
    #[serde(default)]
    pub beside_motes: Vec<u32>,
    /// Threads of the host: of one, the processor time counts, of several the real time.
    pub threads: usize,
    /// Simulated seconds of each run.
    pub seconds: f64,
    /// The figure of the memory that one more mote takes.
    pub bytes: Option<String>,
}

/// Runs of each number of motes. The fastest counts: other work on this machine only ever slows one down. More motes than those of
/// the figure run once, since they take so long.
const RUNS: usize = 3;

/// Runs of few motes are so many times longer at most.
const MOST_TIMES: f64 = 100.0;

/// Seed of where motes are, and of what comes through between them.
const SEED: u64 = 1;

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
        let crowd = Crowd { topology: self.topology(entry)?, board, image };
        let bytes = match &entry.bytes {
            Some(id) => Some((id, self.bytes_of_mote(entry, &crowd, meters)?)),
            None => None,
        };
        let mut parts = Vec::new();
        for motes in std::iter::once(&entry.motes).chain(&entry.beside_motes) {
            on_work(&format!("running {motes} motes"));
            let mut fastest: f64 = 0.0;
            let runs = if *motes > entry.motes { 1 } else { RUNS };
            for _ in 0..runs {
                fastest = fastest.max(crowd.node_seconds(entry, *motes, meters)?);
            }
            parts.push((motes, fastest));
        }
        let speed = parts[0].1;
        let by = match entry.threads {
            1 => "processor time of one thread".to_string(),
            threads => format!("real time of {threads} threads"),
        };
        let mut words = vec![format!("{} motes, by {by}", entry.motes)];
        words.extend(parts[1..].iter().map(|(motes, speed)| format!("{motes} motes {speed:.0}")));
        let more = entry.beside_motes.iter().any(|motes| *motes > entry.motes);
        let more = if more { ", the largest of one" } else { "" };
        let detail = format!("{}; the fastest of {RUNS} runs each{more}", words.join(", "));
        let mut readings =
            vec![self.reading(entry.title(), speed, "node-s/s", detail, features.clone())?];
        if let Some((id, bytes)) = bytes {
            let id = Some(Title::Id(id.clone()));
            let of = format!("the mean over {} motes that have run for {START} s", entry.motes);
            readings.push(self.reading(id, bytes, "bytes", of, features)?);
        }
        Ok(readings)
    }

    fn topology(&self, entry: &Network) -> Result<Option<Topology>, BenchError> {
        let topology = entry.topology.as_deref().map(str::parse::<Topology>).transpose();
        topology.map_err(|unknown| self.wrong(unknown.to_string()))
    }

    fn bytes_of_mote(
        &self,
        entry: &Network,
        crowd: &Crowd,
        meters: &Meters<'_>,
    ) -> Result<f64, BenchError> {
        let mut world = World::new();
        world.add(Arc::clone(&crowd.board), Arc::clone(&crowd.image))?;
        world.run(START, &mut Nobody)?;
        let before = (meters.resident_bytes)();
        crowd.fill(&mut world, entry.motes)?;
        world.run(START + START, &mut Nobody)?;
        let more = (meters.resident_bytes)().saturating_sub(before);
        Ok(more as f64 / f64::from(entry.motes))
    }
}

/// Motes of one kind.
struct Crowd {
    topology: Option<Topology>,
    board: Arc<Board>,
    image: Arc<Image>,
}

impl Crowd {
    /// Adds so many of them to a world, and the medium between all that are there then.
    fn fill(&self, world: &mut World, motes: u32) -> Result<(), BenchError> {
        for _ in 0..motes {
            world.add(Arc::clone(&self.board), Arc::clone(&self.image))?;
        }
        if let Some(topology) = self.topology {
            let layout = topology.layout(world.motes().len(), None, SEED);
            world.set_medium(Box::new(Space::new(layout, SEED)));
        }
        Ok(())
    }

    fn node_seconds(
        &self,
        entry: &Network,
        motes: u32,
        meters: &Meters<'_>,
    ) -> Result<f64, BenchError> {
        let mut world = World::new();
        world.set_threads(entry.threads)?;
        self.fill(&mut world, motes)?;
        world.run(START, &mut Nobody)?;
        let clock = if entry.threads == 1 { meters.processor_time } else { meters.real_time };
        // Few motes run for longer: what they do else takes no time that could be measured.
        let times = f64::from(entry.motes) / f64::from(motes);
        let length = seconds(entry.seconds * times.clamp(1.0, MOST_TIMES));
        let before = clock();
        world.run(START + length, &mut Nobody)?;
        let elapsed = clock().saturating_sub(before);
        Ok(f64::from(motes) * length.as_s() / elapsed.as_secs_f64().max(1e-9))
    }
}
