// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a board has room for one more part.

use super::{Board, Fitting};
use lichen_device::part::{Bus, Part};

impl Board {
    /// How a part that senses something could be connected beside the others: as the board has it, if it is one of its
    /// optional parts; else at an address that is free, or at an analog pin, all of which lead out of the chip.
    pub fn room_for(&self, part: &Part) -> Option<Fitting> {
        let is_it = |own: &&Fitting| own.optional && own.part.eq_ignore_ascii_case(part.number);
        let own = self.fittings.iter().filter(is_it);
        let own = own.map(|own| Fitting { optional: false, ..own.clone() });
        let blank = Fitting {
            part: part.number.to_string(),
            name: None,
            bus: part.bus,
            address: None,
            select: None,
            pin: None,
            irq: None,
            shutdown: None,
            optional: false,
            shares: false,
        };
        let others: Vec<Fitting> = match part.bus {
            Bus::I2c => {
                let at = |address: &u8| Fitting { address: Some(*address), ..blank.clone() };
                part.addresses.iter().map(at).collect()
            }
            Bus::Analog | Bus::Digital | Bus::OneWire => {
                let pins = self.analog.iter().flat_map(|analog| &analog.pins);
                pins.map(|pin| Fitting { pin: Some(*pin), ..blank.clone() }).collect()
            }
            Bus::Spi | Bus::Serial | Bus::Connector => vec![blank],
        };
        own.chain(others).find(|fitting| self.clone().with(vec![fitting.clone()]).is_ok())
    }
}

impl Fitting {
    /// How it is connected, as a file says it: `bus = "i2c", address = 0x40`.
    pub fn connection(&self) -> String {
        let bus = format!("bus = \"{}\"", self.bus.name());
        let address = self.address.map(|address| format!("address = 0x{address:02x}"));
        let pins = self.pins().map(|(key, pin)| format!("{key} = \"{}\"", pin.0));
        [bus].into_iter().chain(address).chain(pins).collect::<Vec<_>>().join(", ")
    }
}
