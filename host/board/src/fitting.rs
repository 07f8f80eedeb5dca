// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts that are connected to a board: by which wires, and which of them are simulated.

use super::check::Fault;
use super::{Board, Button, Error, Fitting, Interface, Pin, Radio, check};
use lichen_chip::{I2cStep, PinId, Transfer};
use lichen_device::Quantity;
use lichen_device::part::{Bus, PARTS, Part, RadioPart, Wires};

impl Fitting {
    /// Whether it is connected as `other` is.
    fn is_at(&self, other: &Fitting) -> bool {
        self.bus == other.bus && self.address == other.address && self.pins().eq(other.pins())
    }

    /// Its name on the board.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.part.to_lowercase())
    }

    /// The pins that it has, by the keys that say so.
    pub(super) fn pins(&self) -> impl Iterator<Item = (&'static str, Pin)> {
        let pins = [
            ("select", self.select),
            ("pin", self.pin),
            ("irq", self.irq),
            ("shutdown", self.shutdown),
        ];
        pins.into_iter().filter_map(|(key, pin)| Some((key, pin?)))
    }

    /// Whether it can be connected beside the parts of a board, all of which are simulated, or why not. A
    /// board's file also lists what is not simulated.
    fn check_extra(&self) -> Result<(), (&'static str, String)> {
        if self.optional {
            let what = format!("the {} is connected: leave out `optional`", self.part);
            return Err(("optional", what));
        }
        if let Some(part) = Part::find(&self.part) {
            return self.check_lines(part);
        }
        let known: Vec<&str> = PARTS.iter().map(|part| part.number).collect();
        let known = known.join(", ");
        Err(("part", format!("no part `{}` is simulated; there are {known}", self.part)))
    }
}

impl Fitting {
    /// Whether the part has the pins beside those of its bus. A board's file also states what a driver has no use for.
    fn check_lines(&self, part: &Part) -> Result<(), (&'static str, String)> {
        let given = [("irq", self.irq), ("shutdown", self.shutdown)];
        match given.iter().find(|(key, pin)| pin.is_some() && !part.lines.contains(key)) {
            Some((key, _)) => Err((key, format!("the {} has no `{key}`; leave it out", self.part))),
            None => Ok(()),
        }
    }
}

impl Board {
    /// The board with these parts in addition. One that only some of these boards have is there then.
    pub fn with(mut self, fittings: Vec<Fitting>) -> Result<Board, Error> {
        for mut fitting in fittings {
            if let Err((key, what)) = fitting.check_extra() {
                return Err(Error::Unfit { board: self.name, key: Some(key), what });
            }
            fitting.shares = self.take_optional(&fitting).is_some_and(|own| own.is_at(&fitting));
            self.fittings.push(fitting);
        }
        self.checked()
    }

    /// Takes away the optional part with the number and the name of `fitting`.
    fn take_optional(&mut self, fitting: &Fitting) -> Option<Fitting> {
        let is_it = |own: &Fitting| {
            own.optional
                && own.name() == fitting.name()
                && own.part.eq_ignore_ascii_case(&fitting.part)
        };
        let at = self.fittings.iter().position(is_it)?;
        Some(self.fittings.remove(at))
    }

    /// The board with these buttons in addition.
    pub fn with_buttons(mut self, buttons: Vec<Button>) -> Result<Board, Error> {
        self.buttons.extend(buttons);
        self.checked()
    }

    fn checked(self) -> Result<Board, Error> {
        match check::check(&self) {
            Ok(()) => Ok(self),
            Err(Fault { key, what, .. }) => Err(Error::Unfit { board: self.name, key, what }),
        }
    }

    /// The fitted parts that are simulated, and how each is connected.
    pub(super) fn simulated(&self) -> impl Iterator<Item = (&'static Part, Wires)> {
        let fitted = self.fittings.iter().filter(|fitting| !fitting.optional);
        fitted.filter_map(|fitting| Some((Part::find(&fitting.part)?, self.wires(fitting)?)))
    }

    /// The radio, if it is simulated.
    pub(super) fn simulated_radio(&self) -> Option<(&Radio, &'static RadioPart)> {
        let radio = self.radio.as_ref()?;
        Some((radio, RadioPart::find(&radio.part)?))
    }

    /// Whether it has a radio that is not simulated.
    pub fn lacks_radio(&self) -> bool {
        self.radio.is_some() && self.simulated_radio().is_none()
    }

    /// Names of the fitted parts that are simulated.
    pub fn simulated_parts(&self) -> impl Iterator<Item = String> {
        let radio = self.simulated_radio().map(|(radio, _)| radio.part.to_lowercase());
        radio.into_iter().chain(self.simulated().map(|(_, wires)| wires.name))
    }

    /// By what the fitted part of this name is connected, if it is simulated.
    pub fn bus_of(&self, name: &str) -> Option<Bus> {
        let radio =
            self.simulated_radio().filter(|(radio, _)| radio.part.eq_ignore_ascii_case(name));
        let part = self.simulated().find(|(_, wires)| wires.name == name);
        radio.map(|(_, part)| part.bus).or(part.map(|(part, _)| part.bus))
    }

    /// Whether a fitted part senses `quantity`.
    pub fn senses(&self, quantity: &Quantity) -> bool {
        self.simulated().any(|(part, _)| part.senses.contains(quantity))
    }

    /// The fitted parts that are simulated, each with its name and where it is connected.
    pub fn connections(&self) -> impl Iterator<Item = String> {
        self.simulated().map(|(part, wires)| {
            let Wires { name, data, reply, clock, address, select, .. } = wires;
            let select = select.map_or(String::new(), |pin| format!("select {pin} of "));
            let at = match part.bus {
                Bus::I2c => format!("address 0x{address:02x} of {data}, {clock}"),
                Bus::Spi => format!("{select}{data}, {reply}, {clock}"),
                Bus::Serial => format!("{data}, {reply}"),
                Bus::OneWire | Bus::Analog | Bus::Digital => data.to_string(),
                Bus::Connector => "the connector".to_string(),
            };
            format!("{name}: {} at {at}", part.number)
        })
    }

    fn wires(&self, fitting: &Fitting) -> Option<Wires> {
        let (data, reply, clock) = match fitting.bus {
            Bus::I2c => {
                self.i2c.as_ref().map(|i2c| (i2c.sda.pin.0, i2c.sda.pin.0, i2c.scl.pin.0))?
            }
            Bus::Spi => {
                self.spi.as_ref().map(|spi| (spi.mosi.pin.0, spi.miso.pin.0, spi.sck.pin.0))?
            }
            Bus::Serial => {
                self.uart.as_ref().map(|uart| (uart.tx.pin.0, uart.rx.pin.0, uart.tx.pin.0))?
            }
            Bus::OneWire | Bus::Analog | Bus::Digital => {
                fitting.pin.map(|pin| (pin.0, pin.0, pin.0))?
            }
            // Its parts know their pins themselves.
            Bus::Connector => [PinId { port: 0, bit: 0 }; 3].into(),
        };
        let [select, irq, shutdown] =
            [fitting.select, fitting.irq, fitting.shutdown].map(|pin| pin.map(|pin| pin.0));
        let (name, address) = (fitting.name(), fitting.address.unwrap_or(0));
        let bus = self.spi.as_ref().filter(|_| fitting.bus == Bus::Spi);
        let is_bit_banged =
            bus.and_then(|spi| spi.interface()).is_some_and(|it| it == Interface::BitBanged);
        Some(Wires { name, data, reply, clock, address, select, is_bit_banged, irq, shutdown })
    }

    /// The address that a transfer on `pin` begins with, if nothing on the bus of parts has it. What is at a connector has
    /// addresses of its own.
    pub fn absent(&self, pin: PinId, transfer: Transfer) -> Option<u16> {
        let Transfer::I2c(I2cStep::Start { address, .. }) = transfer else { return None };
        let bus = self.i2c.as_ref().is_some_and(|bus| bus.sda.pin.0 == pin);
        let is_there = self.fittings.iter().any(|fitting| {
            let is_called = fitting.address.map(u16::from) == Some(address);
            fitting.bus == Bus::Connector || fitting.bus == Bus::I2c && is_called
        });
        (bus && !is_there).then_some(address)
    }

    /// The part of the board that a transfer on `pin`, the data line from the chip, is for, if it is not simulated.
    pub fn unsimulated(&self, pin: PinId, transfer: Transfer) -> Option<&str> {
        match transfer {
            Transfer::I2c(I2cStep::Start { address, .. }) => {
                let bus = self.i2c.as_ref().is_some_and(|bus| bus.sda.pin.0 == pin);
                let is_it = |fitting: &&Fitting| {
                    bus && fitting.bus == Bus::I2c
                        && fitting.address.map(u16::from) == Some(address)
                };
                let fitting = self.fittings.iter().find(is_it)?;
                Part::find(&fitting.part).is_none().then_some(&fitting.part)
            }
            Transfer::I2c(_) => None,
            Transfer::Spi(_) => {
                let radio = self.radio.as_ref().filter(|radio| radio.mosi.pin.0 == pin)?;
                self.simulated_radio().is_none().then_some(&radio.part)
            }
        }
    }
}
