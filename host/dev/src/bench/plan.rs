// SPDX-License-Identifier: MIT OR Apache-2.0
//! The format of `bench/<group>/bench.toml`; `doc/spec/bench.md` describes it.

mod head;

pub use head::Title;

use super::bursts::Bursts;
use super::busy::Busy;
use super::container::Container;
use super::current::Current;
use super::jitter::Jitter;
use super::latency::Latency;
use super::load::Load;
use super::lost::Lost;
use super::measure::Measure;
use super::naps::Naps;
use super::network::Network;
use super::overhead::Overhead;
use super::period::Period;
use super::rom::Rom;
use super::size::Size;
use super::snapshot::Snapshot;
use super::speed::Speed;
use super::throughput::Throughput;
use super::traffic::Traffic;
use super::wakeups::Wakeups;
use serde::Deserialize;

/// What a group measures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Boards to measure on; the first one unless another is asked for.
    #[serde(default = "default_boards")]
    pub boards: Vec<String>,
    /// Cycles between two places of a program.
    #[serde(default)]
    pub measure: Vec<Measure>,
    /// Bytes of a structure or an object.
    #[serde(default)]
    pub size: Vec<Size>,
    /// Flash that parts of the system occupy in a program.
    #[serde(default)]
    pub rom: Vec<Rom>,
    /// Containers of programs that are loaded.
    #[serde(default)]
    pub container: Vec<Container>,
    /// Programs that are linked and started.
    #[serde(default)]
    pub load: Vec<Load>,
    /// Wake-ups between two places of a program.
    #[serde(default)]
    pub wakeups: Vec<Wakeups>,
    /// Mean currents.
    #[serde(default)]
    pub current: Vec<Current>,
    /// Active periods.
    #[serde(default)]
    pub period: Vec<Period>,
    /// Processor time of operations during which the processor may sleep.
    #[serde(default)]
    pub busy: Vec<Busy>,
    /// Cycles and energy of parts of the system in programs that do the same in different periods.
    #[serde(default)]
    pub overhead: Vec<Overhead>,
    /// Bursts of work between long sleeps.
    #[serde(default)]
    pub bursts: Vec<Bursts>,
    /// Frames that come through.
    #[serde(default)]
    pub throughput: Vec<Throughput>,
    /// What is said and not taken.
    #[serde(default)]
    pub lost: Vec<Lost>,
    /// What becomes of packets in networks.
    #[serde(default)]
    pub traffic: Vec<Traffic>,
    /// How evenly pins change.
    #[serde(default)]
    pub jitter: Vec<Jitter>,
    /// Latency that is added to interrupts.
    #[serde(default)]
    pub latency: Vec<Latency>,
    /// Speed of the simulator.
    #[serde(default)]
    pub speed: Vec<Speed>,
    /// Time that sleeps take.
    #[serde(default)]
    pub naps: Vec<Naps>,
    /// Time that snapshots take.
    #[serde(default)]
    pub snapshot: Vec<Snapshot>,
    /// Speed and memory of many motes.
    #[serde(default)]
    pub network: Vec<Network>,
}

fn default_boards() -> Vec<String> {
    vec!["hamilton".to_string()]
}

pub(super) fn default_passes() -> usize {
    32
}

pub(super) fn default_skip() -> usize {
    2
}

pub(super) fn default_seconds() -> f64 {
    10.0
}

/// Which of several values counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// The smallest.
    Min,
    /// The middle one.
    Median,
    /// The largest.
    Max,
}

impl Pick {
    /// The value that counts; none if there are none.
    pub fn of<T: Copy + PartialOrd>(self, values: &[T]) -> Option<T> {
        let mut sorted = values.to_vec();
        sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
        match self {
            Pick::Min => sorted.first().copied(),
            Pick::Median => sorted.get(sorted.len().saturating_sub(1) / 2).copied(),
            Pick::Max => sorted.last().copied(),
        }
    }
}

pub(super) fn default_latency_seconds() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_from_sorted_values() {
        let values = [5, 1, 9, 3];
        assert_eq!(Pick::Min.of(&values), Some(1));
        assert_eq!(Pick::Median.of(&values), Some(3));
        assert_eq!(Pick::Max.of(&values), Some(9));
        assert_eq!(Pick::Median.of::<u64>(&[]), None);
    }
}
