// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts by name: what board files and scenarios connect to a bus.
//!
//! A part is one file here, with a constant that [`PARTS`] lists. It implements what its bus asks
//! ([`i2c::Target`], [`spi::Target`]); the bus recognises its address or its select line, and makes it fail
//! where a run wants that ([`Condition`]).

mod apds9007;
mod at45db041b;
mod at86rf233;
#[cfg(test)]
mod bench;
mod bits;
mod cc1000;
mod cc2420;
mod condition;
mod ds2401;
mod edbg;
mod ekmb110;
mod fxos8700cq;
mod hdc1080;
pub mod i2c;
mod i2c_lines;
mod loopback;
mod mts;
pub mod spi;
mod tmp006;
mod voltage;
mod w25q80dv;

pub use condition::{Condition, UnknownCondition};

use crate::{Device, Environment, Quantity};
use condition::Fitness;
use lichen_chip::{PinId, Time};

/// How a part is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bus {
    /// On the board's I2C bus, at `address`.
    I2c,
    /// On the board's SPI bus, selected by `select`.
    Spi,
    /// On the board's second serial port.
    Serial,
    /// On a 1-Wire line of its own, at `pin`.
    #[serde(rename = "one-wire")]
    OneWire,
    /// A voltage at `pin`.
    Analog,
    /// A level at `pin`.
    Digital,
    /// On the 51-pin connector of a MICA: its parts know the pins of their signals.
    Connector,
}

impl Bus {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Bus::I2c => "i2c",
            Bus::Spi => "spi",
            Bus::Serial => "serial",
            Bus::OneWire => "one-wire",
            Bus::Analog => "analog",
            Bus::Digital => "digital",
            Bus::Connector => "connector",
        }
    }
}

/// A part that can be simulated.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Part number, in upper case.
    pub number: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Where it is connected.
    pub bus: Bus,
    /// What it senses.
    pub senses: &'static [Quantity],
    /// The pins that it can be connected to beside those of its bus, as files name them: `irq`, `shutdown`.
    pub lines: &'static [&'static str],
    /// The addresses that it can have on I2C.
    pub addresses: &'static [u8],
    /// Makes one, connected to these wires.
    make: fn(&Wires) -> Box<dyn Device>,
}

/// Every part that can be simulated, in the order of their numbers.
pub const PARTS: &[Part] = &[
    apds9007::PART,
    at45db041b::PART,
    ds2401::PART,
    edbg::PART,
    ekmb110::PART,
    fxos8700cq::PART,
    hdc1080::PART,
    loopback::PART,
    mts::MTS300,
    mts::MTS310,
    tmp006::PART,
    voltage::PART,
    w25q80dv::PART,
];

/// The crystal of a radio.
pub struct RadioCrystal {
    /// Its nominal frequency, in Hz, if the board says it.
    pub hz: Option<u32>,
    /// How much faster it is, in parts per million.
    pub ppm: i32,
}

/// The wires of a radio, by the names in its data sheet: `mosi`, `sck` and `miso`, its data, and others.
#[derive(Clone, Debug, Default)]
pub struct RadioWires(pub Vec<(&'static str, PinId)>);

impl RadioWires {
    /// The pin of the wire with this name.
    fn pin(&self, name: &str) -> Option<PinId> {
        self.0.iter().find(|(wire, _)| *wire == name).map(|(_, pin)| *pin)
    }

    #[cfg(test)]
    fn of(pins: &[(&'static str, &str)]) -> RadioWires {
        RadioWires(pins.iter().map(|(name, pin)| (*name, pin.parse().expect("a pin"))).collect())
    }
}

/// A radio that can be simulated.
pub struct RadioPart {
    /// Part number, in upper case.
    pub number: &'static str,
    /// Where its data goes through.
    pub bus: Bus,
    /// The wires that it must have beside its data.
    pub wires: &'static [&'static str],
    /// Wires that it may have.
    pub optional: &'static [&'static str],
    /// Whether its frames are those of IEEE 802.15.4.
    pub is_802_15_4: bool,
    /// Makes that of a board, if it has the wires.
    connect: fn(&RadioWires, &RadioCrystal) -> Option<Box<dyn Device>>,
}

/// Every radio that can be simulated, in the order of their numbers.
const RADIOS: &[RadioPart] = &[at86rf233::RADIO, cc1000::RADIO, cc2420::RADIO];

impl RadioPart {
    /// The radio with this number, whatever the case of its letters.
    pub fn find(number: &str) -> Option<&'static RadioPart> {
        RADIOS.iter().find(|part| number.eq_ignore_ascii_case(part.number))
    }

    /// One of it, if it has the wires that it must have.
    pub fn connect(&self, wires: &RadioWires, crystal: &RadioCrystal) -> Option<Box<dyn Device>> {
        (self.connect)(wires, crystal)
    }
}

impl Part {
    /// The part with this number, whatever the case of its letters.
    pub fn find(number: &str) -> Option<&'static Part> {
        PARTS.iter().find(|part| part.number.eq_ignore_ascii_case(number))
    }

    /// One of it, connected to `wires`.
    pub fn connect(&self, wires: &Wires) -> Box<dyn Device> {
        (self.make)(wires)
    }
}

/// How a part is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wires {
    /// Its name on the board.
    pub name: String,
    /// From the master: SDA, or MOSI.
    pub data: PinId,
    /// To the master: SDA too, or MISO.
    pub reply: PinId,
    /// The clock: SCL, or SCK; the data line where there is none.
    pub clock: PinId,
    /// Its address on I2C; 0 elsewhere.
    pub address: u8,
    /// Its select line on SPI, active low.
    pub select: Option<PinId>,
    /// Whether programs drive the bus bit by bit.
    pub is_bit_banged: bool,
    /// Where it requests interrupts, if that is connected.
    pub irq: Option<PinId>,
    /// What switches it off when high, if that is connected.
    pub shutdown: Option<PinId>,
}

/// What a part can use while it is served.
#[derive(Clone, Copy)]
pub struct Sense<'a> {
    /// Present time.
    pub now: Time,
    /// When it senses: earlier, if it is stuck.
    moment: Time,
    environment: &'a Environment,
}

impl Sense<'_> {
    /// The value of `quantity`, in millionths of its unit.
    pub fn value(&self, quantity: &Quantity) -> crate::Micro {
        self.environment.value(quantity, self.moment)
    }

    /// The serial number of parts that have one.
    pub fn serial(&self) -> u64 {
        self.environment.serial()
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod th1;
