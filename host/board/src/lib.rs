// SPDX-License-Identifier: MIT OR Apache-2.0
//! Boards: the facts that `board/<name>.toml` states for firmware and simulator alike, and the [tables](conversion) of
//! what its parts put out. [`Board::devices`] makes the simulated devices from them.

mod check;
pub mod conversion;
mod devices;
mod error;
pub mod facts;
mod file;
mod fitting;
mod interface;
mod names;
mod radio;
mod room;

pub use error::Error;
pub use interface::{Interface, Wire};
pub use names::Words;
pub use radio::Radio;

use lichen_chip::{Config, PinId};
use lichen_device::part::Bus;
use serde::Deserialize;

/// Name of the resistors of the I2C bus.
const I2C: &str = "i2c";

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
    /// Fuses, of chips that have them.
    pub fuses: Option<Fuses>,
    /// Light-emitting diodes.
    #[serde(default, rename = "led")]
    pub leds: Vec<Led>,
    /// Push buttons.
    #[serde(default, rename = "button")]
    pub buttons: Vec<Button>,
    /// Console.
    pub console: Option<Console>,
    /// Its second serial port.
    pub uart: Option<Uart>,
    /// Its analog pins.
    pub analog: Option<Analog>,
    /// Radio and its wires.
    pub radio: Option<Radio>,
    /// Its I2C bus.
    pub i2c: Option<I2c>,
    /// Its SPI bus, apart from the radio's.
    pub spi: Option<Spi>,
    /// Sensors, memories and other parts.
    #[serde(default, rename = "device")]
    pub fittings: Vec<Fitting>,
    /// The cells that feed it.
    pub battery: Option<Battery>,
    /// How programs get into it.
    pub programmer: Option<Programmer>,
}

/// Cells in series.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// Name of the cell, one of `data/cell`.
    pub cell: String,
    /// How many there are.
    pub count: u32,
    /// The least voltage of all together with which the board works.
    pub least_mv: u32,
}

/// Crystals; those not in the file are not fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Crystals {
    /// At XIN32 and XOUT32, or TOSC1 and TOSC2, in Hz.
    pub xosc32k_hz: Option<u32>,
    /// At XIN and XOUT, or XTAL1 and XTAL2, in Hz.
    pub xosc_hz: Option<u32>,
    /// The radio's, in Hz.
    pub radio_hz: Option<u32>,
}

/// The fuses of an AVR, as its programmer has written them: a bit that is 0 is programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fuses {
    /// Fuse low byte.
    pub low: u8,
    /// Fuse high byte.
    pub high: u8,
    /// Extended fuse byte.
    pub extended: u8,
}

/// Lock bits of a chip whose programmer has locked nothing.
const UNLOCKED: u8 = 0xFF;

impl Board {
    /// What its chip does not know about itself; nothing that differs from one chip to the other.
    pub fn config(&self) -> Config {
        let with_lock = |Fuses { low, high, extended }| lichen_chip::Fuses {
            low,
            high,
            extended,
            lock: UNLOCKED,
        };
        Config {
            xosc32k_hz: self.crystal.xosc32k_hz,
            xosc_hz: self.crystal.xosc_hz,
            fuses: self.fuses.map(with_lock),
            ..Config::default()
        }
    }
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

/// Console: a serial port with 8 data bits, no parity, 1 stop bit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Console {
    /// Instance of a SAM's serial interface.
    sercom: Option<u8>,
    /// Peripheral function that connects that to the pins, `A` to `I`.
    function: Option<char>,
    /// Instance of an AVR's USART.
    usart: Option<u8>,
    /// From the mote.
    pub tx: Wire,
    /// To the mote.
    pub rx: Wire,
    /// Bits per second.
    pub baud: u32,
}

/// A second serial port, whose rate and format are the program's.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// Instance of a SAM's serial interface.
    sercom: Option<u8>,
    /// Peripheral function of its pins.
    function: Option<char>,
    /// Instance of an AVR's USART.
    usart: Option<u8>,
    /// From the mote.
    pub tx: Wire,
    /// To the mote.
    pub rx: Wire,
    /// Whether its pins have another use as well, so that a program has one of the two.
    #[serde(default)]
    pub shared: bool,
}

/// Pins that the chip's analog to digital converter reaches, and that lead out of the chip.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analog {
    /// The pins; each may have another use as well.
    pub pins: Vec<Pin>,
}

/// An I2C bus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct I2c {
    /// Instance of a SAM's serial interface.
    sercom: Option<u8>,
    /// Peripheral function of its pins.
    function: Option<char>,
    /// Instance of an AVR's two-wire interface.
    twi: Option<u8>,
    /// Data.
    pub sda: Wire,
    /// Clock.
    pub scl: Wire,
}

/// An SPI bus.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spi {
    /// Instance of a SAM's serial interface.
    sercom: Option<u8>,
    /// Peripheral function of its pins.
    function: Option<char>,
    /// Instance of an AVR's SPI.
    spi: Option<u8>,
    /// Whether no interface of the chip has these pins, so that programs drive them bit by bit.
    #[serde(default)]
    bit_banged: bool,
    /// From the chip.
    pub mosi: Wire,
    /// Clock.
    pub sck: Wire,
    /// To the chip.
    pub miso: Wire,
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
    /// Whether it is an optional part that is there, at its own pins: it shares them with a port as it does in
    /// the board's file.
    #[serde(skip)]
    shares: bool,
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
    /// How avrdude writes it, if that knows the chip.
    pub avrdude: Option<Avrdude>,
}

/// What avrdude must know of a board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Avrdude {
    /// Its name of the chip (`-p`).
    pub part: String,
    /// Programmers that can be connected, as it calls them (`-c`), the usual one first.
    pub programmers: Vec<String>,
    /// Where the usual programmer is connected (`-P`), such as `/dev/ttyUSB0`.
    pub port: String,
}

#[cfg(test)]
mod tests;
