// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simulated devices of a board.

use super::{Active, Board, Button, I2C, PullBy, Radio};
use lichen_chip::{Level, Pull};
use lichen_device::part::{RadioCrystal, RadioWires};
use lichen_device::{CONSOLE, Device, Led, PullUp, SerialPort};

impl Board {
    /// Its devices, in the order in which simultaneous changes reach them; the radio's crystal is faster than its
    /// nominal frequency by `radio_crystal_ppm`.
    pub fn devices(&self, radio_crystal_ppm: i32) -> Vec<Box<dyn Device>> {
        let mut devices: Vec<Box<dyn Device>> = Vec::new();
        if let Some(console) = &self.console {
            let (out, into) = (console.tx.pin.0, console.rx.pin.0);
            devices.push(Box::new(SerialPort::new(CONSOLE, out, into, console.baud)));
        }
        for led in &self.leds {
            let lit_by_high = led.active == Active::High;
            devices.push(Box::new(Led::new(&led.name, led.pin.0, lit_by_high)));
        }
        devices.extend(self.buttons.iter().map(|button| button.device()));
        if let Some(i2c) = &self.i2c {
            devices.push(Box::new(PullUp::new(I2C, &[i2c.sda.pin.0, i2c.scl.pin.0])));
        }
        let crystal = RadioCrystal { hz: self.crystal.radio_hz, ppm: radio_crystal_ppm };
        let radio = self.simulated_radio();
        devices.extend(radio.and_then(|(radio, part)| part.connect(&radio.wires(), &crystal)));
        devices.extend(self.simulated().map(|(part, wires)| part.connect(&wires)));
        devices
    }
}

impl Button {
    fn device(&self) -> Box<dyn Device> {
        let (pressed, other) = match self.active {
            Active::Low => (Level::Low, Level::High),
            Active::High => (Level::High, Level::Low),
        };
        let released = match self.pull {
            PullBy::External => other,
            PullBy::Internal => Level::Floating(Pull::None),
        };
        Box::new(lichen_device::Button::new(&self.name, self.pin.0, pressed, released))
    }
}

impl Radio {
    fn wires(&self) -> RadioWires {
        let data = [("mosi", self.mosi), ("sck", self.sck), ("miso", self.miso)];
        let data = data.map(|(name, wire)| (name, wire.pin.0));
        let others = self.controls();
        let others = others.iter().filter_map(|wire| Some((wire.name, wire.pin?.0)));
        RadioWires(data.into_iter().chain(others).collect())
    }
}
