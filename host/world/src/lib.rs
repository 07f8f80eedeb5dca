// SPDX-License-Identifier: MIT OR Apache-2.0
//! Motes on one time line.
//!
//! A [`World`] holds motes on one time line. Simultaneous events are ordered by the mote's number,
//! then by the part of the mote: chip, then devices in the order of the board. The same images,
//! boards and inputs give the same events, byte for byte.

mod ending;
mod error;
mod execution;
mod fault;
mod firmware;
mod individual;
mod medium;
mod mote;
mod own_pins;
mod paths;
mod probe;
mod script;
mod summary;
mod tasks;
mod translate;
mod watch;
mod world;

pub use ending::Ending;
pub use error::{Error, SnapshotError};
pub use fault::{FaultEnd, UnservedFault};
pub use medium::{
    Burst, Fade, Interference, Layout, Link, Medium, Place, Position, Propagation, Space, Topology,
    UnknownTopology, Wall,
};
pub use mote::{LowSupply, Mote};
pub use own_pins::names_a_pin;
pub use paths::{Comparison, Difference, Path, compare_paths};
pub use probe::PORT as PROBE;
pub use script::{Action, Script};
pub use summary::{Overflow, Summary};
pub use tasks::TaskRuns;
pub use world::{Halt, MoteId, Setup, Snapshot, World, partial_snapshot};

/// The most motes of a run: each takes about 64 KB of memory.
pub const MOST_MOTES: usize = 100_000;
