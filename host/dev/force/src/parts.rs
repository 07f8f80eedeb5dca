// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts around the chip of a program that drives its board's radio. There is no other mote: what it sends is heard
//! by nobody, and it hears nothing.

use crate::Error;
use lichen_board::Board;
use lichen_chip::{Chip, Output, Stamped, Time};
use lichen_device::{Act, Device, Environment, Surroundings, Wires, hear, heard_at};

/// The parts of a board, wired to its chip.
pub(crate) struct Parts {
    devices: Vec<Box<dyn Device>>,
    wires: Wires,
    environment: Environment,
}

/// Their states, in the order of the board.
pub(crate) type Saved = Vec<Vec<u8>>;

impl Parts {
    pub(crate) fn of(board: &Board) -> Parts {
        let devices = board.devices(board.config().drift.radio_crystal_ppm);
        let wires = Wires::of(&devices);
        Parts { devices, wires, environment: Environment::default() }
    }

    pub(crate) fn power_on(&mut self, chip: &mut dyn Chip) {
        let now = chip.now();
        for index in 0..self.devices.len() {
            self.serve(chip, index, now, |device, around| device.power_on(around));
        }
    }

    /// When one of them next does something by itself.
    pub(crate) fn due(&self) -> Time {
        self.devices.iter().map(|device| device.due()).min().unwrap_or(Time::NEVER)
    }

    /// Passes an output of the chip to those that it reaches.
    pub(crate) fn hear(&mut self, chip: &mut dyn Chip, output: &Stamped<Output>) {
        let Some(pin) = heard_at(&output.what) else { return };
        for at in 0..self.wires.at(pin).len() {
            let index = self.wires.at(pin)[at];
            self.serve(chip, index, output.time, |device, around| {
                hear(device, around, &output.what);
            });
        }
    }

    /// Lets those act that are due; returns whether any was.
    pub(crate) fn fire_due(&mut self, chip: &mut dyn Chip) -> bool {
        let mut fired = false;
        for index in 0..self.devices.len() {
            let due = self.devices[index].due();
            if due <= chip.now() {
                self.serve(chip, index, due, |device, around| device.fire(around));
                fired = true;
            }
        }
        fired
    }

    pub(crate) fn save(&self) -> Saved {
        self.devices.iter().map(|device| device.save()).collect()
    }

    pub(crate) fn load(&mut self, saved: &Saved) -> Result<(), Error> {
        for (device, saved) in self.devices.iter_mut().zip(saved) {
            device.load(saved)?;
        }
        Ok(())
    }

    /// Lets a part act. What it does on the air reaches nobody.
    fn serve(
        &mut self,
        chip: &mut dyn Chip,
        index: usize,
        now: Time,
        what: impl FnOnce(&mut dyn Device, &mut Surroundings<'_>),
    ) {
        let mut acts = Vec::new();
        let mut around = Surroundings { now, environment: &self.environment, acts: &mut acts };
        what(self.devices[index].as_mut(), &mut around);
        for act in acts {
            if let Act::Drive(input) = act {
                chip.input(input);
            }
        }
    }
}
