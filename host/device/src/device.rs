// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices, and their actions.

use crate::Environment;
use crate::air::{self, Fate, Meeting, OnAir, Reception, Transmission};
use crate::part::Condition;
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Frame, Input, Level, PinId, Time, Transfer};
use std::sync::Arc;

/// Something soldered to a chip's pins.
///
/// The world serves devices in the order of time, and at equal times in their order on the board,
/// so that runs repeat.
pub trait Device: Send {
    /// Name on the board, such as `led0`.
    fn name(&self) -> &str;

    /// The chip's pins that the device is connected to.
    fn pins(&self) -> &[PinId];

    /// The supply comes up: the device begins anew, and drives its outputs at rest.
    fn power_on(&mut self, _around: &mut Surroundings<'_>) {}

    /// The supply fails: the device drives nothing, and is due for nothing, until [`Device::power_on`].
    fn power_off(&mut self, _around: &mut Surroundings<'_>) {}

    /// The chip changes what it drives on one of the pins.
    fn level(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _level: Level) {}

    /// Whether the device receives the serial characters that the chip sends on one of its pins.
    fn hears(&self, _pin: PinId) -> bool {
        false
    }

    /// The chip begins to send a serial character on one of the pins.
    fn frame(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _frame: Frame) {}

    /// The chip begins a step of a clocked serial bus on one of the pins. The device may answer
    /// until the step ends.
    fn transfer(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _transfer: Transfer) {}

    /// The chip's SPI slave, whose data input is one of the pins, begins to take the words of a master outside
    /// ([`Input::Word`]), or stops.
    fn takes_words(&mut self, _around: &mut Surroundings<'_>, _pin: PinId, _takes: bool) {}

    /// The chip's converter samples the voltage at one of the pins. The device may answer with
    /// [`Reply::Voltage`](lichen_chip::Reply::Voltage): values that change with time are computed when they are asked
    /// for.
    fn sample(&mut self, _around: &mut Surroundings<'_>, _pin: PinId) {}

    /// When the device next does something by itself; [`Time::NEVER`] if nothing is under way.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due at `around.now`. Afterwards [`Device::due`] is later.
    fn fire(&mut self, _around: &mut Surroundings<'_>) {}

    /// The earliest moment at which it can do something on the air ([`Act::Radio`]), if nothing happens to it before
    /// `next`, and what is due happens; [`Time::NEVER`] if the device is no radio. Motes run side by side for as
    /// long as none of them can reach another.
    fn acts_on_air(&self, _next: Time) -> Time {
        Time::NEVER
    }

    /// Something arrives at the mote's antenna.
    fn receive(&mut self, _around: &mut Surroundings<'_>, _reception: &Reception) {}

    /// How it meets a transmission that begins to arrive with this power at its antenna, in hundredths of a dBm; `None`
    /// if the device is no radio.
    fn meets(&self, _transmission: &Transmission, _power: i32) -> Option<Meeting> {
        None
    }

    /// What it draws current as at present; `None` for a device that is not in an account of energy. It
    /// is asked after each of the calls above, so a change is known at its exact time.
    fn consumption(&self) -> Option<Consumption> {
        None
    }

    /// The name under which it reports the level of a pin ([`Report::Pin`]), if the board has no name for it.
    fn reported_pin(&self) -> Option<&str> {
        None
    }

    /// How worn it is, in words, for the summary of a run; `None` if it is not.
    fn wear(&self) -> Option<String> {
        None
    }

    /// The device's present state, as bytes, to which [`Device::load`] can return.
    fn save(&self) -> Vec<u8>;

    /// Returns to the state that [`Device::save`] of this device wrote.
    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState>;

    /// Lets the user or a script act on the device. Returns whether the action applies to it.
    fn stimulate(&mut self, _around: &mut Surroundings<'_>, _stimulus: &Stimulus) -> bool {
        false
    }
}

/// A state in which a device draws a current of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consumption {
    /// Name of the table with its currents: `data/current/<part>.toml`, such as `hdc1080`.
    pub part: &'static str,
    /// Name of its state in that table, such as `sleep` or `measuring`.
    pub state: &'static str,
}

/// The bytes are not a state of this device, which is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no state of `{device}` here")]
pub struct NotItsState {
    /// The device.
    pub device: String,
}

/// [`Device::save`] for a device that consists of its state only.
pub(crate) fn save<D: Device + BorshSerialize>(device: &D) -> Vec<u8> {
    borsh::to_vec(device).expect("memory takes all")
}

/// [`Device::load`] for a device that consists of its state only.
pub(crate) fn load<D: Device + BorshDeserialize>(
    device: &mut D,
    saved: &[u8],
) -> Result<(), NotItsState> {
    let loaded = borsh::from_slice::<D>(saved).ok();
    let own = |loaded: &D| loaded.name() == device.name() && loaded.pins() == device.pins();
    match loaded.filter(own) {
        Some(loaded) => *device = loaded,
        None => return Err(NotItsState { device: device.name().to_string() }),
    }
    Ok(())
}

/// What a device can use while it is served.
pub struct Surroundings<'a> {
    /// Present time.
    pub now: Time,
    /// What can be sensed.
    pub environment: &'a Environment,
    /// The device's actions, in order.
    pub acts: &'a mut Vec<Act>,
}

/// An action of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It sends a signal to the chip.
    Drive(Input),
    /// It does something on the air, which takes effect [`AHEAD`](crate::air::AHEAD) of the present time. See
    /// [`Device::acts_on_air`].
    Radio(OnAir),
    /// It reports something to observers.
    Report(Report),
}

/// A report of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A pin with a name changed.
    Pin {
        /// The pin.
        pin: PinId,
        /// Name on the board.
        name: Arc<str>,
        /// Level; `None` when nothing drives it.
        high: Option<bool>,
    },
    /// A character on a serial port, as its peer sees it: from the mote, when its last bit has
    /// arrived; to the mote, when its first bit is sent.
    Character {
        /// Name of the port.
        port: Arc<str>,
        /// Whether the mote sent it.
        from_mote: bool,
        /// The character.
        data: u8,
    },
    /// A part works no longer, or again.
    Condition {
        /// Name of the part on the board.
        name: String,
        /// Its condition from now on.
        condition: Condition,
    },
    /// A radio has sent a frame.
    Sent(air::Frame),
    /// A radio has heard a frame.
    Heard {
        /// What has arrived.
        frame: air::Frame,
        /// Number of the mote that sent it.
        sender: u32,
        /// A measure of the quality of its signal, as the radio tells it.
        lqi: u8,
        /// What the radio made of it.
        fate: Fate,
        /// Whether it arrived to its end as it was sent, be it for another mote.
        whole: bool,
    },
    /// Something on the board does not fit what the firmware does.
    Mismatch(String),
}

/// Actions of the user on devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stimulus {
    /// Type these characters.
    Type(Vec<u8>),
    /// Press the button.
    Press,
    /// Let go of it.
    Release,
    /// Let the part fail in some way, or work again.
    Condition(Condition),
}
