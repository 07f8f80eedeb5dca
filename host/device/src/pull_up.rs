// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resistors to the supply.

use crate::{Act, Device, NotItsState, Surroundings, device};
use lichen_chip::{Input, Level, PinId, Pull};

/// Resistors between pins and the supply: what drives such a pin low wins.
#[derive(Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct PullUp {
    name: String,
    pins: Vec<PinId>,
}

impl PullUp {
    /// Resistors at `pins`.
    pub fn new(name: &str, pins: &[PinId]) -> PullUp {
        PullUp { name: name.to_string(), pins: pins.to_vec() }
    }

    fn drive(&self, around: &mut Surroundings<'_>, level: Level) {
        let input = |pin: &PinId| Act::Drive(Input::Pin { pin: *pin, level });
        around.acts.extend(self.pins.iter().map(input));
    }
}

impl Device for PullUp {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.drive(around, Level::High);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.drive(around, Level::Floating(Pull::None));
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }
}
