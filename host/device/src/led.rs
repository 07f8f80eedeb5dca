// SPDX-License-Identifier: MIT OR Apache-2.0
//! A light-emitting diode on a pin.

use crate::{Act, Device, NotItsState, Report, Surroundings, device};
use lichen_chip::{Level, PinId};

/// A light-emitting diode. It reports levels; which level lights it depends on the board
/// ([`crate::board::Led::active`]).
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Led {
    name: String,
    pin: PinId,
    high: Option<bool>,
}

impl Led {
    /// A diode named `name` at `pin`.
    pub fn new(name: &str, pin: PinId) -> Led {
        Led { name: name.to_string(), pin, high: None }
    }
}

impl Device for Led {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
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
            let name = self.name.clone();
            around.acts.push(Act::Report(Report::Pin { pin, name, high }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::{Pull, Time};

    #[test]
    fn only_changes_are_reported() {
        let pin = PinId { port: 0, bit: 19 };
        let mut led = Led::new("led0", pin);
        let mut acts = Vec::new();
        let mut around = Surroundings { now: Time::ZERO, acts: &mut acts };
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
