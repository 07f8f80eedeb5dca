// SPDX-License-Identifier: MIT OR Apache-2.0
//! The facts of a board, which `board/<name>.toml` states for firmware and simulator alike.

mod check;
mod error;
mod file;
mod fitting;
mod names;

pub use error::Error;

use lichen_chip::PinId;
use serde::Deserialize;

/// A board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Name of the file without its ending, such as `hamilton`.
    pub name: String,
    /// Its name in prose.
    pub title: String,
    /// Part number of the chip, such as `ATSAMR21E18A`.
    pub chip: String,
    /// Crystals on the board.
    #[serde(default)]
    pub crystal: Crystals,
    /// Light-emitting diodes.
    #[serde(default, rename = "led")]
    pub leds: Vec<Led>,
    /// Push buttons.
    #[serde(default, rename = "button")]
    pub buttons: Vec<Button>,
    /// Console.
    pub console: Option<Console>,
    /// Radio and its wires.
    pub radio: Option<Radio>,
    /// Its I2C bus.
    pub i2c: Option<I2c>,
    /// Its SPI bus, apart from the radio's.
    pub spi: Option<Spi>,
    /// Sensors, memories and other parts.
    #[serde(default, rename = "device")]
    pub fittings: Vec<Fitting>,
    /// How programs get into it.
    pub programmer: Option<Programmer>,
}

/// Crystals; those not in the file are not fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crystals {
    /// At XIN32 and XOUT32, in Hz.
    pub xosc32k_hz: Option<u32>,
    /// At XIN and XOUT, in Hz.
    pub xosc_hz: Option<u32>,
    /// The radio's, in Hz.
    pub radio_hz: Option<u32>,
}

/// A pin of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pin(pub PinId);

impl<'de> Deserialize<'de> for Pin {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Pin, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Pin).map_err(serde::de::Error::custom)
    }
}

/// Level at which something is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// Low.
    Low,
    /// High.
    High,
}

/// A light-emitting diode.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Led {
    /// Name, such as `led0`.
    pub name: String,
    /// Pin that lights it.
    pub pin: Pin,
    /// Level at which it is lit.
    pub active: Active,
    /// What it draws while it is lit, in microamperes.
    pub current_ua: Option<u32>,
}

/// What sets the level of a button's pin at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PullBy {
    /// A resistor on the board.
    External,
    /// The pin's own pull resistor, which the firmware must enable.
    Internal,
}

/// A push button.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Button {
    /// Name, such as `sw0`.
    pub name: String,
    /// Pin that it pulls.
    pub pin: Pin,
    /// Level while pressed.
    pub active: Active,
    /// What pulls the pin at rest.
    pub pull: PullBy,
}

/// A pad of a serial interface, and its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pad {
    /// The pin.
    pub pin: Pin,
    /// PAD\[0\] to PAD\[3\].
    pub pad: u8,
}

/// Console: a serial port with 8 data bits, no parity, 1 stop bit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Console {
    /// Instance of the serial interface.
    pub sercom: u8,
    /// Peripheral function that connects it to the pins, `A` to `I`.
    pub function: char,
    /// From the mote.
    pub tx: Pad,
    /// To the mote.
    pub rx: Pad,
    /// Bits per second.
    pub baud: u32,
}

/// A radio on SPI.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Radio {
    /// Part number.
    pub part: String,
    /// Instance of the serial interface.
    pub sercom: u8,
    /// Peripheral function of its pins.
    pub function: char,
    /// Data to the radio.
    pub mosi: Pad,
    /// Clock to the radio.
    pub sck: Pad,
    /// Data from the radio.
    pub miso: Pad,
    /// Chip select, active low.
    pub select: Pin,
    /// Interrupt request from the radio, active high.
    pub irq: Pin,
    /// Reset, active low.
    pub reset: Pin,
    /// SLP_TR: sleep, and start of transmission.
    pub sleep: Pin,
}

/// An I2C bus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct I2c {
    /// Instance of the serial interface.
    pub sercom: u8,
    /// Peripheral function of its pins.
    pub function: char,
    /// Data.
    pub sda: Pad,
    /// Clock.
    pub scl: Pad,
}

/// An SPI bus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spi {
    /// Instance of the serial interface.
    pub sercom: u8,
    /// Peripheral function of its pins.
    pub function: char,
    /// From the chip.
    pub mosi: Pad,
    /// Clock.
    pub sck: Pad,
    /// To the chip.
    pub miso: Pad,
}

/// How a part is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bus {
    /// On the board's I2C bus, at `address`.
    I2c,
    /// On the board's SPI bus, selected by `select`.
    Spi,
    /// A voltage at `pin`.
    Analog,
    /// A level at `pin`.
    Digital,
}

/// A part that is connected to the chip: a sensor, a memory.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitting {
    /// Part number.
    pub part: String,
    /// Its name; if not given, the part number in lower case ([`Fitting::name`]).
    name: Option<String>,
    /// How it is connected.
    pub bus: Bus,
    /// 7-bit address on I2C.
    pub address: Option<u8>,
    /// Pin that selects it on SPI when low.
    pub select: Option<Pin>,
    /// Pin with its signal.
    pub pin: Option<Pin>,
    /// Pin with its interrupt request.
    pub irq: Option<Pin>,
    /// Pin that switches it off when high.
    pub shutdown: Option<Pin>,
    /// Whether only some boards have it.
    #[serde(default)]
    pub optional: bool,
}

/// How programs get into a board's flash.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Programmer {
    /// What the user connects, and where.
    pub place: String,
    /// Probes that can be connected, the usual one first, as OpenOCD calls them; empty where the probe
    /// is part of the board.
    #[serde(default)]
    pub probes: Vec<String>,
    /// OpenOCD's scripts, in their order; empty if it does not know the board.
    #[serde(default)]
    pub openocd: Vec<String>,
    /// Target type of edbg, if that knows the chip.
    pub edbg: Option<String>,
}

#[cfg(test)]
mod tests;
