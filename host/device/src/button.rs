// SPDX-License-Identifier: MIT OR Apache-2.0
//! A push button on a pin.

use crate::{Act, Device, NotItsState, Report, Stimulus, Surroundings, device};
use lichen_chip::{Input, Level, PinId};
use std::sync::Arc;

/// A push button. It does not bounce.
#[derive(Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Button {
    name: Arc<str>,
    pin: PinId,
    /// Level while pressed.
    pressed: Level,
    /// Level at rest: driven through the board's resistor, or left to the pin's own pull.
    released: Level,
    is_pressed: bool,
}

impl Button {
    /// A button at `pin`, which it pulls to these levels.
    pub fn new(name: &str, pin: PinId, pressed: Level, released: Level) -> Button {
        Button { name: name.into(), pin, pressed, released, is_pressed: false }
    }

    fn drive(&self, around: &mut Surroundings<'_>) {
        let level = if self.is_pressed { self.pressed } else { self.released };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pin, level }));
    }
}

impl Device for Button {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.drive(around);
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let press = match stimulus {
            Stimulus::Press => true,
            Stimulus::Release => false,
            Stimulus::Type(_) | Stimulus::Condition(_) => return false,
        };
        if press != self.is_pressed {
            self.is_pressed = press;
            self.drive(around);
            let high = match (press, self.pressed) {
                (true, level) | (false, level) if level == Level::High => Some(press),
                _ => Some(!press),
            };
            let name = Arc::clone(&self.name);
            around.acts.push(Act::Report(Report::Pin { pin: self.pin, name, high }));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;
    use lichen_chip::{Pull, Time};

    #[test]
    fn a_press_drives_the_pin_and_a_release_lets_go() {
        let pin = PinId { port: 0, bit: 28 };
        let mut button = Button::new("sw0", pin, Level::Low, Level::Floating(Pull::None));
        let mut acts = Vec::new();
        let mut around =
            Surroundings { now: Time::ZERO, environment: &Environment::usual(), acts: &mut acts };
        button.power_on(&mut around);
        assert!(button.stimulate(&mut around, &Stimulus::Press));
        assert!(button.stimulate(&mut around, &Stimulus::Press), "pressed already: nothing new");
        assert!(button.stimulate(&mut around, &Stimulus::Release));
        assert!(!button.stimulate(&mut around, &Stimulus::Type(vec![1])));
        let drive = |level| Act::Drive(Input::Pin { pin, level });
        let report = |high| Act::Report(Report::Pin { pin, name: "sw0".into(), high: Some(high) });
        let free = Level::Floating(Pull::None);
        assert_eq!(
            acts,
            [drive(free), drive(Level::Low), report(false), drive(free), report(true)]
        );
    }
}
