// SPDX-License-Identifier: MIT OR Apache-2.0
//! The parts around a chip: boards, as their files describe them, and devices.
//!
//! A [`Board`] holds facts. [`devices`] makes the simulated devices from them: LEDs, buttons, the
//! peer at the console, and the [parts](part) that it names. A [`Device`] sees signals on the chip's pins and answers with [`Act`]s; it
//! knows nothing about images, events, or other motes.

pub mod air;
pub mod board;
mod button;
pub mod conversion;
mod device;
mod environment;
pub mod facts;
mod led;
pub mod part;
mod pull_up;
mod serial;
mod unsimulated;
mod wires;

use part::RadioCrystal;

pub use board::{Board, Error, Programmer};
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

/// Name of the resistors of the I2C bus.
const I2C: &str = "i2c";

/// The devices of a board, in the order in which simultaneous changes reach them; the radio's crystal is faster than its
/// nominal frequency by `radio_crystal_ppm`.
pub fn devices(board: &Board, radio_crystal_ppm: i32) -> Vec<Box<dyn Device>> {
    let mut devices: Vec<Box<dyn Device>> = Vec::new();
    if let Some(console) = &board.console {
        let (out, into) = (console.tx.pin.0, console.rx.pin.0);
        devices.push(Box::new(SerialPort::new(CONSOLE, out, into, console.baud)));
    }
    for led in &board.leds {
        devices.push(Box::new(Led::new(led)));
    }
    for button in &board.buttons {
        devices.push(Box::new(Button::new(button)));
    }
    if let Some(i2c) = &board.i2c {
        devices.push(Box::new(PullUp::new(I2C, &[i2c.sda.pin.0, i2c.scl.pin.0])));
    }
    let crystal = RadioCrystal { hz: board.crystal.radio_hz, ppm: radio_crystal_ppm };
    let radio = board.simulated_radio();
    devices.extend(radio.and_then(|(radio, part)| part.connect(radio, &crystal)));
    devices.extend(board.simulated().map(|(part, wires)| part.connect(&wires)));
    devices
}
