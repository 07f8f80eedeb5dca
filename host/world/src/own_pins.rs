// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pins that a board leaves to its programs: what the chip drives there is seen as at a lab bench, without a part
//! that would report it.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_board::Board;
use lichen_chip::{Level, PinId};
use lichen_image::Image;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pins of a port, in the numbers that programs give to pins (`GPIO_PIN`, `lichen/gpio.h`).
const PINS_OF_PORT: i64 = 32;
/// The word in a constant's name by which it names a pin.
const PIN: &str = "pin";

/// The free pins of `board` with their names: that of the one constant of the program that has the pin's number and
/// is called a pin, such as `BUZZER_PIN`, or else that of the chip.
pub(crate) fn names(board: &Board, image: &Image) -> BTreeMap<PinId, Arc<str>> {
    let constants: Vec<(String, i64)> =
        image.constants().into_iter().filter(|(name, _)| names_a_pin(name)).collect();
    let name = |pin: PinId| {
        let number = i64::from(pin.port) * PINS_OF_PORT + i64::from(pin.bit);
        let mut named: Vec<&str> = constants
            .iter()
            .filter(|(_, value)| *value == number)
            .map(|(name, _)| name.as_str())
            .collect();
        named.sort_unstable();
        named.dedup();
        match named[..] {
            [name] => name.into(),
            _ => pin.to_string().into(),
        }
    };
    board.free_pins().map(|pin| (pin, name(pin))).collect()
}

/// Whether a constant of this name may name a pin: `pin` is one of its words.
pub fn names_a_pin(name: &str) -> bool {
    name.split('_').any(|word| word.eq_ignore_ascii_case(PIN))
}

/// What a program has done with free pins.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct OwnPins(BTreeMap<PinId, Driven>);

/// What a pin does that is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Driven {
    /// Low ever since it is an output. Boards do this with all pins that they do not use, so it is no news.
    AtRest,
    Low,
    High,
}

impl OwnPins {
    /// The chip drives a pin otherwise; returns the level to be reported: 0, 1, or `None` where it floats now.
    pub(crate) fn change(&mut self, pin: PinId, level: Level) -> Option<Option<u8>> {
        let before = self.0.get(&pin).copied();
        let (driven, news) = match (before, level) {
            (None | Some(Driven::AtRest), Level::Low) => (Some(Driven::AtRest), None),
            (Some(Driven::Low), Level::Low) | (Some(Driven::High), Level::High) => return None,
            (_, Level::Low) => (Some(Driven::Low), Some(Some(0))),
            (_, Level::High) => (Some(Driven::High), Some(Some(1))),
            (None | Some(Driven::AtRest), Level::Floating(_)) => (None, None),
            (_, Level::Floating(_)) => (None, Some(None)),
        };
        match driven {
            Some(driven) => self.0.insert(pin, driven),
            None => self.0.remove(&pin),
        };
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_chip::Pull;

    #[test]
    fn a_pin_is_reported_from_its_first_high_level_until_it_floats() {
        let (mut pins, pin) = (OwnPins::default(), PinId { port: 0, bit: 16 });
        let floating = Level::Floating(Pull::None);
        let changes = [
            (floating, None),
            (Level::Low, None),
            (Level::Low, None),
            (Level::High, Some(Some(1))),
            (Level::High, None),
            (Level::Low, Some(Some(0))),
            (Level::Low, None),
            (floating, Some(None)),
            (Level::Low, None),
            (floating, None),
        ];
        for (at, (level, expected)) in changes.into_iter().enumerate() {
            assert_eq!(pins.change(pin, level), expected, "change {at}");
        }
    }

    #[test]
    fn a_constant_is_of_a_pin_by_a_word_of_its_name() {
        for name in ["BUZZER_PIN", "PIN_BUZZER", "buzzer_pin"] {
            assert!(names_a_pin(name), "{name}");
        }
        for name in ["SPINS", "PINS", "PINK_NOISE"] {
            assert!(!names_a_pin(name), "{name}");
        }
    }
}
