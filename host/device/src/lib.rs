// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts around a chip: LEDs, buttons, the peer at the console, and [parts](part) by their numbers.
//!
//! A [`Device`] sees signals on the chip's pins and answers with [`Act`]s; it knows nothing about boards, images, events,
//! or other motes.

pub mod air;
mod button;
mod device;
mod environment;
mod led;
pub mod part;
mod pull_up;
mod serial;
mod unsimulated;
mod wires;

pub use button::Button;
pub use device::{Act, Consumption, Device, NotItsState, Report, Stimulus, Surroundings};
pub use environment::{
    ACCELERATION_X, ACCELERATION_Y, ACCELERATION_Z, Course, Environment, HUMIDITY, LIGHT,
    MAGNETIC_X, MAGNETIC_Y, MAGNETIC_Z, MOTION, Micro, QUANTITIES, Quantity, RADIANT_TEMPERATURE,
    SOUND, SUPPLY, TEMPERATURE,
};
pub use led::Led;
pub use pull_up::PullUp;
pub use serial::SerialPort;
pub use unsimulated::nobody_answers;
pub use wires::{Wires, hear, heard_at};

/// Name of the port that carries the console, on every board.
pub const CONSOLE: &str = "console";
