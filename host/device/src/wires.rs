// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wires between the pins of a chip and the devices around it.

use crate::{Device, Surroundings};
use lichen_chip::{Output, PinId};
use std::collections::BTreeMap;

/// The devices at each pin, by their indices, in the order in which signals reach them.
pub struct Wires(BTreeMap<PinId, Vec<usize>>);

impl Wires {
    /// The wires of these devices.
    pub fn of(devices: &[Box<dyn Device>]) -> Wires {
        let mut wires = Wires(BTreeMap::new());
        for (index, device) in devices.iter().enumerate() {
            wires.add(index, device.pins());
        }
        wires
    }

    /// Wires another device to its pins.
    pub fn add(&mut self, index: usize, pins: &[PinId]) {
        for pin in pins {
            self.0.entry(*pin).or_default().push(index);
        }
    }

    /// Cuts the wires of all devices from `count` on.
    pub fn truncate(&mut self, count: usize) {
        for wired in self.0.values_mut() {
            wired.retain(|index| *index < count);
        }
    }

    /// The devices at a pin.
    pub fn at(&self, pin: PinId) -> &[usize] {
        self.0.get(&pin).map_or(&[], Vec::as_slice)
    }
}

/// The pin at which devices hear an output of the chip, if it is one of those.
pub fn heard_at(output: &Output) -> Option<PinId> {
    match output {
        Output::Pin { pin, .. }
        | Output::Frame { pin, .. }
        | Output::Transfer { pin, .. }
        | Output::TakesWords { pin, .. }
        | Output::Sample { pin } => Some(*pin),
        _ => None,
    }
}

/// Lets a device hear an output of the chip at one of its pins.
pub fn hear(device: &mut dyn Device, around: &mut Surroundings<'_>, output: &Output) {
    match *output {
        Output::Pin { pin, level } => device.level(around, pin, level),
        Output::Frame { pin, frame } => device.frame(around, pin, frame),
        Output::Transfer { pin, transfer } => device.transfer(around, pin, transfer),
        Output::TakesWords { pin, takes } => device.takes_words(around, pin, takes),
        Output::Sample { pin } => device.sample(around, pin),
        _ => {}
    }
}
