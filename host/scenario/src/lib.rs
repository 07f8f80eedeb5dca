// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads what a run is given: scenarios, input files and recordings.
//!
//! A scenario is motes of several kinds, what is around them, and what happens to them, in one file
//! (`doc/spec/scenario.md`). This is a crate apart from the world, so that reading need not be optimized with running.

mod air;
pub mod bounded;
mod bursts;
mod course;
mod file;
mod input;
mod recording;
mod sensed;
mod sheet;
mod written;

pub use air::Air;
pub use file::ScenarioError;
pub use input::{Input, InputError, Warning};
pub use written::Duration;

use lichen_board::Board;
pub use lichen_board::facts::{Origin, Setting};
use lichen_chip::Time;
use lichen_device::Environment;
use lichen_world::{Action, Script, Setup};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Motes, what is around them, and what happens to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Selects the deviations of oscillators, and serial numbers.
    pub seed: u64,
    /// Whether motes differ from one power-up to the next, and converters are noisy.
    pub noise: bool,
    /// How long it lasts, if it says so.
    pub duration: Option<Time>,
    /// The motes, in the order of their numbers; at least one.
    pub motes: Vec<Planned>,
    /// What is between the motes.
    pub air: Air,
    /// What is written.
    pub output: Output,
    /// The files that it was read from: its own, those of inputs and of recordings.
    pub sources: Vec<PathBuf>,
}

/// A mote of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Its name, unique in the scenario.
    pub name: String,
    /// Its board, with the parts that the scenario connects.
    pub board: Arc<Board>,
    /// Name of a program, path of a program's folder or of an ELF image, as written.
    pub program: String,
    /// Where that is written.
    pub program_origin: Origin,
    /// When it is powered.
    pub start: Time,
    /// Its seed, if it has one of its own.
    pub seed: Option<u64>,
    /// What happens to it, its power-up after time zero included.
    pub script: Script,
    /// Lines of its input that were hardly meant.
    pub warnings: Vec<Warning>,
    /// What its sensors sense.
    pub environment: Arc<Environment>,
}

/// The files that a scenario wants to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Events, one JSON object per line.
    pub json: Option<PathBuf>,
    /// What ran and what came of it, two JSON objects.
    pub summary: Option<PathBuf>,
    /// Waveforms.
    pub vcd: Option<PathBuf>,
    /// A trace for Perfetto.
    pub perfetto: Option<PathBuf>,
    /// Captured frames.
    pub pcap: Option<PathBuf>,
    /// A picture of the current over time.
    pub wave: Option<PathBuf>,
    /// Where it begins.
    pub wave_from: Option<Time>,
    /// How much it shows.
    pub wave_for: Option<Time>,
    /// A picture of what the motes send to each other.
    pub air: Option<PathBuf>,
    /// Where it begins.
    pub air_from: Option<Time>,
    /// How much it shows.
    pub air_for: Option<Time>,
    /// An account of what the motes draw, as JSON.
    pub energy_json: Option<PathBuf>,
    /// The same as CSV.
    pub energy_csv: Option<PathBuf>,
    /// The file that says so.
    pub file: PathBuf,
    /// Its lines that do, from 1, by their keys.
    pub lines: BTreeMap<&'static str, usize>,
}

impl Output {
    /// Its keys in a scenario.
    const KEYS: [&'static str; 13] = [
        "json",
        "summary",
        "vcd",
        "perfetto",
        "pcap",
        "wave",
        "wave-from",
        "wave-for",
        "air",
        "air-from",
        "air-for",
        "energy-json",
        "energy-csv",
    ];

    /// The file and the line of a key, if it is given.
    pub fn place(&self, key: &str) -> Option<(&Path, usize)> {
        Some((&self.file, *self.lines.get(key)?))
    }
}

impl Planned {
    /// What is particular to the mote in its world.
    pub fn setup(&self) -> Setup {
        Setup {
            devices: Vec::new(),
            environment: Arc::clone(&self.environment),
            seed: self.seed,
            is_off: self.start > Time::ZERO,
        }
    }
}

/// `script` with the power-up of a mote that starts at `start`.
fn with_start(script: &Script, start: Time) -> Script {
    let power = (start > Time::ZERO).then_some((start, Action::Power { on: true }));
    script.merged(power.into_iter().collect())
}

#[cfg(test)]
mod tests;
