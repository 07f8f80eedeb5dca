// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote's state, to be restored. Breakpoints and the image are not part of it.

use super::{Dues, Execution, Faults, Mote, Overflow, OwnPins, Probe, Supply, Tally, Tasks};
use crate::world;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Snapshot, StateError, Time};
use lichen_device::{NotItsState, SerialPort};
use lichen_trace::Processor;
use std::collections::{BTreeMap, BTreeSet};
use xxhash_rust::xxh3::xxh3_64;

/// The state beside the chip's.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Beside {
    /// The state of each device; those of the board come first.
    devices: Vec<Vec<u8>>,
    notes: Vec<String>,
    supply: Supply,
    missed: BTreeSet<String>,
    unanswered: BTreeSet<u16>,
    probe: Option<Probe>,
    speaks_on_probe: bool,
    running: bool,
    /// The thread that was last reported, if details are reported.
    thread: Option<String>,
    processor: Processor,
    faults: Faults,
    tally: Tally,
    divided: BTreeSet<u32>,
    overflowed: BTreeSet<u32>,
    spoilt: bool,
    overflow: Option<Overflow>,
    deadlock: Option<(Time, String)>,
    quiet: Option<Time>,
    stacks_before: BTreeMap<String, u32>,
    losses_before: BTreeMap<String, u64>,
    losses_at_reset: BTreeMap<String, u64>,
    has_slept: bool,
    tasks: Tasks,
    own_pins: OwnPins,
}

/// A mote's state in memory.
#[derive(Clone, Debug)]
pub(crate) struct MoteState {
    chip: Snapshot,
    beside: Beside,
}

/// A mote's state for a file.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct SavedMote {
    chip: Vec<u8>,
    beside: Beside,
}

/// Why a mote cannot take a state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RestoreError {
    #[error(transparent)]
    Chip(#[from] StateError),
    #[error(transparent)]
    Device(#[from] NotItsState),
    #[error("there is no state of the medium here")]
    Medium,
}

impl Mote {
    /// A copy of the state.
    pub(crate) fn snapshot(&self) -> MoteState {
        MoteState { chip: self.chip.snapshot(), beside: self.beside() }
    }

    /// Restores a state of this mote.
    pub(crate) fn restore(&mut self, state: &MoteState) -> Result<(), RestoreError> {
        self.chip.restore(&state.chip)?;
        self.take_beside(&state.beside)
    }

    /// The state for a file.
    pub(crate) fn save(&self) -> SavedMote {
        SavedMote { chip: self.chip.save(), beside: self.beside() }
    }

    /// Restores a state from a file.
    pub(crate) fn load(&mut self, saved: &SavedMote) -> Result<(), RestoreError> {
        self.chip.load(&saved.chip)?;
        self.take_beside(&saved.beside)
    }

    /// A hash of the state.
    pub(crate) fn state_hash(&self) -> u64 {
        xxh3_64(&world::bytes(&self.hashed()))
    }

    /// A hash of the chip's state, and the state beside it.
    pub(crate) fn hashed(&self) -> (u64, Beside) {
        (self.chip.state_hash(), self.beside())
    }

    fn beside(&self) -> Beside {
        Beside {
            devices: self.devices.iter().map(|device| device.save()).collect(),
            notes: self.notes.clone(),
            supply: self.supply.clone(),
            missed: self.missed.clone(),
            unanswered: self.unanswered.clone(),
            probe: self.probe.clone(),
            speaks_on_probe: self.speaks_on_probe,
            running: self.running,
            thread: self.execution.as_ref().and_then(Execution::reported).map(str::to_string),
            processor: self.processor.clone(),
            faults: self.faults.clone(),
            tally: self.tally.clone(),
            divided: self.divided.clone(),
            overflowed: self.overflowed.clone(),
            spoilt: self.spoilt,
            overflow: self.overflow.clone(),
            deadlock: self.deadlock.clone(),
            quiet: self.quiet,
            stacks_before: self.stacks_before.clone(),
            losses_before: self.losses_before.clone(),
            losses_at_reset: self.losses_at_reset.clone(),
            has_slept: self.has_slept,
            tasks: self.tasks.clone(),
            own_pins: self.own_pins.clone(),
        }
    }

    fn take_beside(&mut self, beside: &Beside) -> Result<(), RestoreError> {
        let taken = self.take_devices(&beside.devices);
        self.dues = Dues::of(&self.devices);
        taken?;
        self.notes.clone_from(&beside.notes);
        self.supply.clone_from(&beside.supply);
        self.missed.clone_from(&beside.missed);
        self.unanswered.clone_from(&beside.unanswered);
        self.probe.clone_from(&beside.probe);
        self.speaks_on_probe = beside.speaks_on_probe;
        self.running = beside.running;
        if let Some(execution) = &mut self.execution {
            execution.take_up(beside.thread.clone(), self.chip.as_ref());
        }
        self.processor.clone_from(&beside.processor);
        self.faults.clone_from(&beside.faults);
        self.tally.clone_from(&beside.tally);
        self.divided.clone_from(&beside.divided);
        self.overflowed.clone_from(&beside.overflowed);
        self.spoilt = beside.spoilt;
        self.overflow.clone_from(&beside.overflow);
        self.stacks_before.clone_from(&beside.stacks_before);
        self.losses_before.clone_from(&beside.losses_before);
        self.losses_at_reset.clone_from(&beside.losses_at_reset);
        self.has_slept = beside.has_slept;
        self.tasks.clone_from(&beside.tasks);
        self.own_pins.clone_from(&beside.own_pins);
        self.deadlock.clone_from(&beside.deadlock);
        self.quiet = beside.quiet;
        self.started = None;
        Ok(())
    }

    /// Restores the state of the board's devices, and of the additional listeners.
    fn take_devices(&mut self, saved: &[Vec<u8>]) -> Result<(), NotItsState> {
        self.devices.truncate(self.soldered);
        self.wires.truncate(self.soldered);
        for (device, saved) in self.devices.iter_mut().zip(saved) {
            device.load(saved)?;
        }
        for saved in saved.iter().skip(self.soldered) {
            let port = SerialPort::saved(saved)?;
            self.add_device(Box::new(port));
        }
        Ok(())
    }
}
