// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a device is, and what it may say.

use lichen_chip::{Frame, Input, Level, PinId, Time, Transfer};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Something soldered to a chip's pins. Radios and sensors join as further implementations.
///
/// The world serves devices in the order of time, then of their place on the board, so that runs
/// repeat.
pub trait Device: Send {
    /// Name on the board, such as `led0`.
    fn name(&self) -> &str;

    /// The chip's pins that the device is connected to.
    fn pins(&self) -> &[PinId];

    /// Power comes: the device drives what it drives at rest.
    fn power_on(&mut self, _around: &mut Surroundings<'_>) {}

    /// The chip drives one of the pins differently.
    fn level(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _level: Level) {}

    /// Whether the device takes the serial characters that the chip sends on a pin of its own.
    fn hears(&self, _pin: PinId) -> bool {
        false
    }

    /// The chip begins to send a serial character on one of the pins.
    fn frame(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _frame: Frame) {}

    /// The chip begins a step of a clocked serial bus on one of the pins. What the device answers
    /// is in time until the step ends.
    fn transfer(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _transfer: Transfer) {}

    /// When the device next does something by itself; [`Time::NEVER`] if nothing is under way.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due at `around.now`. Afterwards [`Device::due`] lies later.
    fn fire(&mut self, _around: &mut Surroundings<'_>) {}

    /// What the device is and does at present, as bytes: what [`Device::load`] goes back to.
    fn save(&self) -> Vec<u8>;

    /// Goes back to what [`Device::save`] of this device said.
    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState>;

    /// A person, or a script, does something to the device. Returns whether it makes sense here.
    fn stimulate(&mut self, _around: &mut Surroundings<'_>, _stimulus: &Stimulus) -> bool {
        false
    }
}

/// The bytes are no state of this device, which has kept its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no state of `{device}` here")]
pub struct NotItsState {
    /// The device.
    pub device: String,
}

/// [`Device::save`] of a device that is nothing but its state.
pub(crate) fn save<D: Device + Serialize>(device: &D) -> Vec<u8> {
    postcard::to_allocvec(device).expect("a device holds nothing of unknown length")
}

/// [`Device::load`] of a device that is nothing but its state.
pub(crate) fn load<D: Device + DeserializeOwned>(
    device: &mut D,
    saved: &[u8],
) -> Result<(), NotItsState> {
    let loaded = postcard::from_bytes::<D>(saved).ok();
    let own = |loaded: &D| loaded.name() == device.name() && loaded.pins() == device.pins();
    match loaded.filter(own) {
        Some(loaded) => *device = loaded,
        None => return Err(NotItsState { device: device.name().to_string() }),
    }
    Ok(())
}

/// What a device is given while it is served.
pub struct Surroundings<'a> {
    /// Present time.
    pub now: Time,
    /// What the device does, in order.
    pub acts: &'a mut Vec<Act>,
}

/// What a device does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It sends a signal to the chip.
    Drive(Input),
    /// It has something to tell whoever watches.
    Report(Report),
}

/// What is worth telling of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A pin with a name changed.
    Pin {
        /// The pin.
        pin: PinId,
        /// Name on the board.
        name: String,
        /// Level; `None` when nobody drives it.
        high: Option<bool>,
    },
    /// A character on a serial port, as its peer sees it: from the mote, when its last bit has
    /// come; to the mote, when its first bit leaves.
    Character {
        /// Name of the port.
        port: String,
        /// Whether the mote sent it.
        from_mote: bool,
        /// The character.
        data: u8,
    },
    /// Something on the board does not fit what the firmware does.
    Mismatch(String),
}

/// What people do to devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// Type these characters.
    Type(Vec<u8>),
    /// Press the button.
    Press,
    /// Let go of it.
    Release,
}
