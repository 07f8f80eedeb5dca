// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part of the board that is not simulated, and that a program talks to pin by pin.
//!
//! What goes through an interface is a transfer ([`Board::unsimulated`](crate::Board::unsimulated)); a clock that a
//! program drives bit by bit is only seen at its pin.

use crate::{Act, Device, NotItsState, Report, Surroundings, device};
use lichen_chip::{Level, PinId};

/// Says once that nothing answers, at the first edge of the part's clock.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Unsimulated {
    part: String,
    clock: PinId,
    /// What the chip drives, if it does.
    high: Option<bool>,
    told: bool,
}

impl Unsimulated {
    /// The part with number `part`, whose clock arrives from the pin `clock`.
    pub fn new(part: &str, clock: PinId) -> Unsimulated {
        Unsimulated { part: part.to_string(), clock, high: None, told: false }
    }

    /// What is said of the part with number `part`.
    pub fn complaint(part: &str) -> String {
        format!("nothing answers: the board's {part} is not simulated")
    }
}

impl Device for Unsimulated {
    fn name(&self) -> &str {
        &self.part
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.clock)
    }

    fn power_off(&mut self, _around: &mut Surroundings<'_>) {
        self.high = None;
    }

    /// Making the pin an output, at whichever level, is no clock yet: programs do so with all pins.
    fn level(&mut self, around: &mut Surroundings<'_>, _pin: PinId, level: Level) {
        let high = match level {
            Level::High => Some(true),
            Level::Low => Some(false),
            Level::Floating(_) => None,
        };
        let before = std::mem::replace(&mut self.high, high);
        if before == Some(true) && high == Some(false) && !std::mem::replace(&mut self.told, true) {
            around.acts.push(Act::Report(Report::Mismatch(Unsimulated::complaint(&self.part))));
        }
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Environment;
    use lichen_chip::{Pull, Time};

    #[test]
    fn a_falling_clock_is_told_once() {
        let clock = PinId { port: 3, bit: 6 };
        let mut radio = Unsimulated::new("CC1000", clock);
        let mut told = |level| {
            let (environment, mut acts) = (Environment::usual(), Vec::new());
            let mut around =
                Surroundings { now: Time::ZERO, environment: &environment, acts: &mut acts };
            radio.level(&mut around, clock, level);
            acts
        };
        for quiet in [Level::Low, Level::High, Level::Floating(Pull::Up), Level::Low, Level::High] {
            assert_eq!(told(quiet), [], "{quiet:?}");
        }
        let what = "nothing answers: the board's CC1000 is not simulated".to_string();
        assert_eq!(told(Level::Low), [Act::Report(Report::Mismatch(what))]);
        assert_eq!((told(Level::High), told(Level::Low)), (vec![], vec![]));
    }
}
