// SPDX-License-Identifier: MIT OR Apache-2.0
//! A push button on a pin.

use crate::{Act, Device, NotItsState, Report, Stimulus, Surroundings, device};
use lichen_chip::{Input, Level, PinId, Pull};
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
    /// What the chip does to the pin.
    chip: Level,
    /// It was reported that pressing it does not do what it should.
    is_reported: bool,
}

impl Button {
    /// A button at `pin`, which it pulls to these levels.
    pub fn new(name: &str, pin: PinId, pressed: Level, released: Level) -> Button {
        let chip = Level::Floating(Pull::None);
        let name = name.into();
        Button { name, pin, pressed, released, is_pressed: false, chip, is_reported: false }
    }

    /// Why pressing it does nothing, or harm, with what the chip does to the pin at present.
    fn conflict(&self) -> Option<String> {
        let Button { name, pin, pressed, released, chip, .. } = self;
        let level = match pressed {
            Level::High => "high",
            _ => "low",
        };
        match (chip, released) {
            (Level::Low | Level::High, _) if chip != pressed => Some(format!(
                "{name} pulls {pin} {level} while the chip drives it to the other level: a short circuit"
            )),
            (Level::Low | Level::High, _) => Some(format!(
                "pressing {name} changes nothing: the chip drives {pin}, which is {level} already"
            )),
            (Level::Floating(pull), Level::Floating(_)) if pulls_to(*pull, *pressed) => {
                Some(format!(
                    "pressing {name} changes nothing: the program's own pull holds {pin} {level} already, and the button \
                 pulls it there"
                ))
            }
            _ => None,
        }
    }

    /// Reports such a conflict once.
    fn tell_conflict(&mut self, around: &mut Surroundings<'_>) {
        if self.is_reported {
            return;
        }
        if let Some(what) = self.conflict() {
            self.is_reported = true;
            around.acts.push(Act::Report(Report::Mismatch(what)));
        }
    }

    fn drive(&self, around: &mut Surroundings<'_>) {
        let level = if self.is_pressed { self.pressed } else { self.released };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pin, level }));
    }
}

fn pulls_to(pull: Pull, level: Level) -> bool {
    matches!((pull, level), (Pull::Down, Level::Low) | (Pull::Up, Level::High))
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

    fn level(&mut self, around: &mut Surroundings<'_>, _pin: PinId, level: Level) {
        self.chip = level;
        if self.is_pressed && matches!(level, Level::Low | Level::High) {
            self.tell_conflict(around);
        }
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
            if press {
                self.tell_conflict(around);
            }
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
    use lichen_chip::Time;

    /// What is reported when a button that connects its pin with ground is pressed, if the chip does this to the pin.
    fn reported(released: Level, chip: Level) -> Vec<String> {
        let pin = PinId { port: 0, bit: 28 };
        let mut button = Button::new("sw0", pin, Level::Low, released);
        let mut acts = Vec::new();
        let mut around =
            Surroundings { now: Time::ZERO, environment: &Environment::usual(), acts: &mut acts };
        button.level(&mut around, pin, chip);
        for _ in 0..2 {
            button.stimulate(&mut around, &Stimulus::Press);
            button.stimulate(&mut around, &Stimulus::Release);
        }
        let mismatch = |act| match act {
            Act::Report(Report::Mismatch(what)) => Some(what),
            _ => None,
        };
        acts.into_iter().filter_map(mismatch).collect()
    }

    #[test]
    fn a_press_that_does_nothing_or_harm_is_reported_once() {
        let floating = Level::Floating;
        let one = |released, chip| {
            let all = reported(released, chip);
            assert_eq!(all.len(), 1, "{all:?}");
            all.concat()
        };
        assert!(one(Level::High, Level::High).ends_with("to the other level: a short circuit"));
        assert!(one(Level::High, Level::Low).contains("changes nothing: the chip drives PA28"));
        let own = one(floating(Pull::None), floating(Pull::Down));
        assert!(own.contains("the program's own pull holds PA28 low already"), "{own}");
        for (released, chip) in [
            (floating(Pull::None), floating(Pull::Up)),
            (floating(Pull::None), floating(Pull::None)),
            (Level::High, floating(Pull::Down)),
        ] {
            assert!(reported(released, chip).is_empty(), "{released:?} {chip:?}");
        }
    }

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
