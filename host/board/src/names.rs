// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that a board gives to pins of its chip.

use super::{Active, Board, Radio};
use lichen_chip::PinId;

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
