// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which interface of the chip serves a port or a bus of the board, and by which pins.
//!
//! Chips differ in what a file must say: a SAM's serial interfaces are universal, and connected to pins
//! by a pad and a function; each of an AVR's serves one purpose and has its pins.

use super::{Console, I2c, Pin, Radio, Spi, Uart};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;

/// An interface of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interface {
    /// A SAM's serial interface, and the peripheral function that connects it to the pins.
    Sercom {
        /// Its number.
        number: u8,
        /// `A` to `I`.
        function: char,
    },
    /// An AVR's USART.
    Usart(u8),
    /// An AVR's SPI.
    Spi(u8),
    /// An AVR's two-wire interface.
    Twi(u8),
    /// None: programs drive the pins.
    BitBanged,
}

impl Interface {
    /// How a file gives its number.
    pub(super) fn key(self) -> String {
        match self {
            Interface::Sercom { number, .. } => format!("sercom = {number}"),
            Interface::Usart(number) => format!("usart = {number}"),
            Interface::Spi(number) => format!("spi = {number}"),
            Interface::Twi(number) => format!("twi = {number}"),
            Interface::BitBanged => "bit_banged = true".to_string(),
        }
    }

    /// Its number, and the highest one of its kind that a chip has.
    pub(super) fn numbered(self) -> Option<(u8, u8)> {
        match self {
            Interface::Sercom { number, .. } => Some((number, 5)),
            Interface::Usart(number) => Some((number, 1)),
            Interface::Spi(number) | Interface::Twi(number) => Some((number, 0)),
            Interface::BitBanged => None,
        }
    }

    /// What identifies it among all interfaces of a chip.
    pub(super) fn identity(self) -> Option<(&'static str, u8)> {
        match self {
            Interface::Sercom { number, .. } => Some(("sercom", number)),
            Interface::Usart(number) => Some(("usart", number)),
            Interface::Spi(number) => Some(("spi", number)),
            Interface::Twi(number) => Some(("twi", number)),
            Interface::BitBanged => None,
        }
    }
}

/// A wire of an interface: the pin, and the pad of a SAM's serial interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wire {
    /// The pin.
    pub pin: Pin,
    /// PAD\[0\] to PAD\[3\], where the chip routes interfaces.
    pub pad: Option<u8>,
}

/// A wire with a pad, as a file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Routed {
    pin: Pin,
    pad: u8,
}

impl<'de> Deserialize<'de> for Wire {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Wire, D::Error> {
        deserializer.deserialize_any(WireVisitor)
    }
}

struct WireVisitor;

impl<'de> Visitor<'de> for WireVisitor {
    type Value = Wire;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pin, \"PE1\", or a pin with its pad, { pin = \"PA04\", pad = 0 }")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Wire, E> {
        let pin = text.parse().map(Pin).map_err(E::custom)?;
        Ok(Wire { pin, pad: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Wire, A::Error> {
        let Routed { pin, pad } = Routed::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Wire { pin, pad: Some(pad) })
    }
}

/// What a file says about the interface of a port or a bus.
pub(super) struct Stated {
    pub(super) sercom: Option<u8>,
    pub(super) function: Option<char>,
    /// The interface of an AVR that serves this purpose.
    pub(super) own: Option<Interface>,
    pub(super) bit_banged: bool,
}

impl Stated {
    /// The interface, or what is wrong.
    pub(super) fn interface(&self, own: &str) -> Result<Interface, String> {
        match *self {
            Stated {
                sercom: Some(number),
                function: Some(function),
                own: None,
                bit_banged: false,
            } => Ok(Interface::Sercom { number, function }),
            Stated { sercom: Some(_), function: None, .. } => {
                Err("`sercom` needs a `function`, which connects it to the pins".to_string())
            }
            Stated { sercom: None, function: Some(_), .. } => {
                Err("`function` is one of a `sercom`".to_string())
            }
            Stated { sercom: None, function: None, own: Some(own), bit_banged: false } => Ok(own),
            Stated { sercom: None, function: None, own: None, bit_banged: true } => {
                Ok(Interface::BitBanged)
            }
            _ => {
                Err(format!("name one interface of the chip: `sercom` and `function`, or `{own}`"))
            }
        }
    }
}

/// A port or a bus: what it is called, what the file says of its interface, and its wires.
pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) stated: Stated,
    /// The key of an AVR's interface.
    pub(super) own: &'static str,
    pub(super) wires: Vec<Wire>,
}

impl Port {
    /// Its interface, or what is wrong.
    pub(super) fn interface(&self) -> Result<Interface, String> {
        self.stated.interface(self.own)
    }
}

impl Console {
    pub(super) fn port(&self) -> Port {
        let Console { sercom, function, usart, .. } = *self;
        let own = usart.map(Interface::Usart);
        let stated = Stated { sercom, function, own, bit_banged: false };
        Port { name: "console", stated, own: "usart", wires: vec![self.tx, self.rx] }
    }

    /// The interface that serves it.
    pub fn interface(&self) -> Option<Interface> {
        self.port().interface().ok()
    }
}

impl Uart {
    pub(super) fn port(&self) -> Port {
        let Uart { sercom, function, usart, .. } = *self;
        let own = usart.map(Interface::Usart);
        let stated = Stated { sercom, function, own, bit_banged: false };
        Port { name: "uart", stated, own: "usart", wires: vec![self.tx, self.rx] }
    }

    /// The interface that serves it.
    pub fn interface(&self) -> Option<Interface> {
        self.port().interface().ok()
    }
}

impl I2c {
    pub(super) fn port(&self) -> Port {
        let I2c { sercom, function, twi, .. } = *self;
        let own = twi.map(Interface::Twi);
        let stated = Stated { sercom, function, own, bit_banged: false };
        Port { name: "i2c", stated, own: "twi", wires: vec![self.sda, self.scl] }
    }

    /// The interface that serves it.
    pub fn interface(&self) -> Option<Interface> {
        self.port().interface().ok()
    }
}

impl Spi {
    pub(super) fn port(&self) -> Port {
        let Spi { sercom, function, spi, bit_banged, .. } = *self;
        let stated = Stated { sercom, function, own: spi.map(Interface::Spi), bit_banged };
        Port { name: "spi", stated, own: "spi", wires: vec![self.mosi, self.sck, self.miso] }
    }

    /// The interface that serves it.
    pub fn interface(&self) -> Option<Interface> {
        self.port().interface().ok()
    }
}

impl Radio {
    pub(super) fn port(&self) -> Port {
        let stated = self.stated();
        Port { name: "radio", stated, own: "spi", wires: vec![self.mosi, self.sck, self.miso] }
    }

    /// The interface that carries its data.
    pub fn interface(&self) -> Option<Interface> {
        self.port().interface().ok()
    }
}
