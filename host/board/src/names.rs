// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that a board gives to pins of its chip.

use super::{Active, Board, Radio, check};
use lichen_chip::PinId;
use std::collections::BTreeSet;

/// Ports that a chip can have, and pins of each.
const PORTS: u8 = 8;
const PINS_OF_PORT: u8 = 32;

/// What the two states of something behind a pin are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Level at which it is on.
    pub active: Active,
    /// What it is then.
    pub on: &'static str,
    /// What it is at the other level.
    pub off: &'static str,
}

impl Board {
    /// What its LEDs and buttons are called at their levels, by their names.
    pub fn words(&self) -> impl Iterator<Item = (&str, Words)> {
        let led = |active| Words { active, on: "on", off: "off" };
        let button = |active| Words { active, on: "pressed", off: "released" };
        let leds = self.leds.iter().map(move |it| (it.name.as_str(), led(it.active)));
        let buttons = self.buttons.iter().map(move |it| (it.name.as_str(), button(it.active)));
        leds.chain(buttons)
    }

    /// Pins whose changes are reported as events, with their names: LEDs and buttons.
    pub fn reported_pins(&self) -> impl Iterator<Item = (PinId, String)> + '_ {
        let leds = self.leds.iter().map(|led| (led.pin.0, led.name.clone()));
        let buttons = self.buttons.iter().map(|button| (button.pin.0, button.name.clone()));
        leds.chain(buttons)
    }

    /// Pins of the chip that nothing on the board is at: they are the programs'.
    pub fn free_pins(&self) -> impl Iterator<Item = PinId> + '_ {
        let used: BTreeSet<PinId> = check::used_pins(self).map(|pin| pin.0).collect();
        let all = (0..PORTS).flat_map(|port| (0..PINS_OF_PORT).map(move |bit| PinId { port, bit }));
        all.filter(move |pin| {
            lichen_chip::has_pin(&self.chip, *pin) == Some(true) && !used.contains(pin)
        })
    }

    /// Named outputs of the chip whose changes are not reported as events: those to the radio and
    /// to other parts, such as `radio_select` and `apds-9007_shutdown`.
    pub fn silent_outputs(&self) -> impl Iterator<Item = (PinId, String)> + '_ {
        let radio = self.radio.iter().flat_map(Radio::controls).filter(|control| control.output);
        let radio =
            radio.filter_map(|control| Some((control.pin?.0, format!("radio_{}", control.name))));
        let parts = self.fittings.iter().flat_map(|fitting| {
            [(fitting.select, "select"), (fitting.shutdown, "shutdown")]
                .map(|(pin, name)| Some((pin?.0, format!("{}_{name}", fitting.name()))))
        });
        radio.chain(parts.flatten())
    }
}
