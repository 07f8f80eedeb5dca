// SPDX-License-Identifier: MIT OR Apache-2.0
//! What carries transmissions from mote to mote.
//!
//! A [`Medium`] is anything that does; a [`Space`] is one in which motes have places, and signals become weaker on their way.

mod cells;
mod geometry;
mod interference;
mod space;
mod topology;

pub use geometry::{Position, Wall};
pub use interference::{Burst, Interference};
pub use space::{Fade, Layout, Link, Place, Propagation, Space};
pub use topology::{Topology, UnknownTopology};

use crate::MoteId;
use lichen_chip::Time;
use lichen_device::air::{OnAir, Transmission};

/// Decides which motes a transmission reaches, and how strong it is there.
///
/// The world asks in the order of time, then of the sender's number, then of the sender's own order. The
/// answer may depend on earlier ones, and on nothing else.
pub trait Medium: Send {
    /// Seed of the random numbers by which symbols are received ([`Passage`](lichen_device::air::Passage)).
    fn seed(&self) -> u64;

    /// What `sender` does takes effect at `time`. Calls `reach` for each mote that can hear it, with the power at its
    /// antenna, in hundredths of a dBm. Who hears the beginning of a transmission hears the rest of it.
    fn carry(
        &mut self,
        sender: MoteId,
        time: Time,
        what: &OnAir,
        reach: &mut dyn FnMut(MoteId, i32),
    );

    /// Calls `lost` for each mote that would hear a transmission, which begins now, if it did not fade wholly on its way,
    /// with the power that it would have there. For reports only: the answer changes nothing.
    fn fades(
        &mut self,
        _sender: MoteId,
        _time: Time,
        _transmission: &Transmission,
        _lost: &mut dyn FnMut(MoteId, i32),
    ) {
    }

    /// What is on the air and comes from no mote, and begins before `until`: calls `reach` for each mote that can hear it,
    /// with its number as a sender, [`INTERFERENCE`](lichen_trace::INTERFERENCE) or more, and its power at the antenna. In the order
    /// of time; each is reported once.
    fn interfere(&mut self, _until: Time, _reach: &mut dyn FnMut(u32, &Transmission, MoteId, i32)) {
    }

    /// The medium's present state, as bytes, to which [`Medium::load`] can return.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Returns to the state that [`Medium::save`] of an equal medium wrote; false if it is not one.
    fn load(&mut self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}
