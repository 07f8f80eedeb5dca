// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a new program does at first.

use super::Text;
use lichen_board::Board;

/// The part that measures for a program with a sensor.
const THERMOMETER: &str = "HDC1080";

/// What a new program does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Blinks and prints.
    #[default]
    Blink,
    /// Sends to other motes, and prints what they send.
    Radio,
    /// Prints what a sensor measures.
    Sensor,
}

impl Kind {
    /// Its source and its test.
    pub(super) fn files(self) -> [Text; 2] {
        match self {
            Kind::Blink => [
                ("main.c", include_str!("../../template/blink/main.c")),
                ("test/blinks.toml", include_str!("../../template/blink/test.toml")),
            ],
            Kind::Radio => [
                ("main.c", include_str!("../../template/radio/main.c")),
                ("test/talks.toml", include_str!("../../template/radio/test.toml")),
            ],
            Kind::Sensor => [
                ("main.c", include_str!("../../template/sensor/main.c")),
                ("test/measures.toml", include_str!("../../template/sensor/test.toml")),
            ],
        }
    }

    /// The summary in its manifest.
    pub(super) fn summary(self) -> &'static str {
        match self {
            Kind::Blink => "An LED that changes every second, and a line that counts the changes.",
            Kind::Radio => "Motes that send each other a number every second.",
            Kind::Sensor => "The temperature, every five seconds.",
        }
    }

    /// What `run` is given to show what it does.
    pub fn run(self) -> &'static str {
        match self {
            Kind::Blink => "--for 3s",
            Kind::Radio => "--motes 3 --for 5s",
            Kind::Sensor => "--for 12s",
        }
    }

    /// The part that a board must have.
    pub(super) fn part(self) -> &'static str {
        match self {
            Kind::Blink => "LED",
            Kind::Radio => "radio",
            Kind::Sensor => "thermometer (HDC1080)",
        }
    }

    /// Whether each `board` of this kind has that part.
    pub(super) fn is_for(self, board: &Board) -> bool {
        match self {
            Kind::Blink => true,
            Kind::Radio => board.radio.is_some(),
            Kind::Sensor => {
                board.fittings.iter().any(|part| part.part == THERMOMETER && !part.optional)
            }
        }
    }
}
