// SPDX-License-Identifier: MIT OR Apache-2.0
//! What carries transmissions from mote to mote.

use crate::MoteId;
use lichen_chip::Time;
use lichen_device::{Reception, Transmission};

/// Decides which motes a transmission reaches, when, and how strong it is there.
///
/// The world asks in the order of time, then of the sender's number, then of the sender's own order. The
/// answer may depend on earlier ones, and on nothing else.
pub trait Medium: Send {
    /// `sender` begins to send at `time`. Calls `reach` for each mote that can hear it, with the time at which
    /// the first symbol arrives, which is not before `time`.
    fn carry(
        &mut self,
        sender: MoteId,
        time: Time,
        transmission: &Transmission,
        reach: &mut dyn FnMut(MoteId, Time, Reception),
    );

    /// The medium's present state, as bytes, to which [`Medium::load`] can return.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Returns to the state that [`Medium::save`] of an equal medium wrote; false if it is not one.
    fn load(&mut self, saved: &[u8]) -> bool {
        saved.is_empty()
    }
}
