// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names that a board gives to pins of its chip.

use super::{Board, Sensor, SensorBus};
use lichen_chip::PinId;

impl Board {
    /// Pins whose changes are reported as events, with their names: LEDs and buttons.
    pub fn reported_pins(&self) -> impl Iterator<Item = (PinId, String)> + '_ {
        let leds = self.leds.iter().map(|led| (led.pin.0, led.name.clone()));
        let buttons = self.buttons.iter().map(|button| (button.pin.0, button.name.clone()));
        leds.chain(buttons)
    }

    /// Named outputs of the chip whose changes are not reported as events: those to the radio and
    /// to sensors, such as `radio_select` and `apds-9007_shutdown`.
    pub fn silent_outputs(&self) -> impl Iterator<Item = (PinId, String)> + '_ {
        let radio = self.radio.iter().flat_map(|radio| {
            [(radio.select, "select"), (radio.reset, "reset"), (radio.sleep, "sleep")]
                .map(|(pin, name)| (pin.0, format!("radio_{name}")))
        });
        let sensors = self.sensors.iter().filter_map(|sensor| {
            Some((sensor.shutdown?.0, format!("{}_shutdown", sensor.part.to_lowercase())))
        });
        radio.chain(sensors)
    }

    /// Part numbers on the serial bus whose data line of the chip is `pin`: the data output of SPI, or SDA.
    pub fn parts_at(&self, pin: PinId) -> Vec<&str> {
        let radio = self.radio.iter().filter(|radio| radio.mosi.pin.0 == pin);
        let on_i2c = |sensor: &&Sensor| sensor.bus == SensorBus::I2c;
        let i2c = self.i2c.iter().filter(|bus| bus.sda.pin.0 == pin);
        let sensors = i2c.flat_map(|_| self.sensors.iter().filter(on_i2c));
        radio
            .map(|radio| radio.part.as_str())
            .chain(sensors.map(|sensor| sensor.part.as_str()))
            .collect()
    }
}
