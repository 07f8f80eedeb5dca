// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saving and restoring the chip's state.
//!
//! What a debugger or an observer has set (breakpoints, reports on request) is not part of the state, nor are
//! caches of the simulation (decoded code).

use super::part::{DATA_END, FLASH};
use super::{Atmega128, State};
use crate::{Snapshot, StateError};
use lichen_isa::avr8::SRAM_START;
use std::hash::Hasher;
use xxhash_rust::xxh3::Xxh3;

impl Atmega128 {
    /// A copy of everything. It shares flash with this chip until one of them writes its own.
    pub(super) fn take_snapshot(&self) -> Snapshot {
        Snapshot::of(self.clone())
    }

    /// Restores the state of a snapshot.
    pub(super) fn restore_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), StateError> {
        let saved: &Atmega128 =
            snapshot.get().ok_or(StateError::OtherPart { part: self.part.name })?;
        self.take_state(saved)
    }

    /// The state as bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        borsh::to_vec(self).expect("memory takes all")
    }

    /// Restores a state from bytes.
    pub(super) fn take_bytes(&mut self, saved: &[u8]) -> Result<(), StateError> {
        let damaged = |what: String| StateError::Damaged { part: self.part.name, what };
        let saved: Atmega128 =
            borsh::from_slice(saved).map_err(|error| damaged(error.to_string()))?;
        let sizes = [saved.memory.flash().len(), saved.memory.sram().len()];
        if sizes != [FLASH as usize, usize::from(DATA_END - SRAM_START)] {
            return Err(damaged("its memories have another size".to_string()));
        }
        self.take_state(&saved)
    }

    fn take_state(&mut self, saved: &Atmega128) -> Result<(), StateError> {
        if saved.part != self.part {
            return Err(StateError::OtherPart { part: self.part.name });
        }
        self.core.restore(&saved.core);
        self.memory.restore(&saved.memory);
        let watch = self.soc.watch.take();
        self.soc.clone_from(&saved.soc);
        self.soc.watch = watch;
        self.soc.restored();
        self.state = saved.state;
        self.now = saved.now;
        self.asleep = saved.asleep;
        self.asleep_since = saved.asleep_since;
        let powered = self.state != State::Off;
        self.soc.note_power(self.now, powered);
        Ok(())
    }

    /// A hash of the state: equal states have equal hashes, on every machine.
    pub(super) fn hash_state(&self) -> u64 {
        let mut settled = self.clone();
        settled.core = self.core.settled();
        let mut hasher = Xxh3::new();
        hasher.write(&settled.to_bytes());
        hasher.finish()
    }
}
