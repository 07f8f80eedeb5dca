// SPDX-License-Identifier: MIT OR Apache-2.0
//! A light-emitting diode on a pin.

use crate::{Act, Consumption, Device, NotItsState, Report, Surroundings, device};
use lichen_chip::{Level, PinId};
use std::sync::Arc;

/// A light-emitting diode. It reports levels; which level lights it depends on the board.
#[derive(Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Led {
    name: Arc<str>,
    pin: PinId,
    /// The level that lights it.
    lit_by_high: bool,
    high: Option<bool>,
}

impl Led {
    /// A dark diode at `pin`.
    pub fn new(name: &str, pin: PinId, lit_by_high: bool) -> Led {
        Led { name: name.into(), pin, lit_by_high, high: None }
    }
}

impl Device for Led {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
    }

    fn consumption(&self) -> Option<Consumption> {
        let is_lit = self.high == Some(self.lit_by_high);
        Some(Consumption { part: "led", state: if is_lit { "lit" } else { "dark" } })
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        // A pull resistor cannot light it.
        let high = match level {
            Level::High => Some(true),
            Level::Low => Some(false),
            Level::Floating(_) => None,
        };
        if high != self.high {
            self.high = high;
            let name = Arc::clone(&self.name);
            around.acts.push(Act::Report(Report::Pin { pin, name, high }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;
    use lichen_chip::{Pull, Time};

    #[test]
    fn the_active_level_lights_it() {
        let pin = PinId { port: 0, bit: 19 };
        let levels = [Level::Low, Level::High, Level::Floating(Pull::Up)];
        for (lit_by_high, expected) in
            [(true, ["dark", "lit", "dark"]), (false, ["lit", "dark", "dark"])]
        {
            let mut led = Led::new("led0", pin, lit_by_high);
            let mut acts = Vec::new();
            let mut around = Surroundings {
                now: Time::ZERO,
                environment: &Environment::usual(),
                acts: &mut acts,
            };
            let states = levels.map(|level| {
                led.level(&mut around, pin, level);
                led.consumption().expect("it draws current").state
            });
            assert_eq!(states, expected, "lit by high: {lit_by_high}");
        }
    }

    #[test]
    fn only_changes_are_reported() {
        let pin = PinId { port: 0, bit: 19 };
        let mut led = Led::new("led0", pin, false);
        let mut acts = Vec::new();
        let mut around =
            Surroundings { now: Time::ZERO, environment: &Environment::usual(), acts: &mut acts };
        for level in [
            Level::Floating(Pull::Up),
            Level::Low,
            Level::Low,
            Level::High,
            Level::Floating(Pull::None),
        ] {
            led.level(&mut around, pin, level);
        }
        let seen: Vec<_> = acts
            .iter()
            .map(|act| match act {
                Act::Report(Report::Pin { high, .. }) => *high,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(seen, [Some(false), Some(true), None]);
    }
}
