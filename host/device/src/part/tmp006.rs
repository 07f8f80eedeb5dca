// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texas Instruments TMP006: the temperature of what it looks at, without contact, on I2C (data sheet SBOS518; formula of
//! its user's guide, SBOU107).
//!
//! It tells the voltage of its thermopile and the temperature of its die; a master computes the temperature of the
//! object from both. Here that goes the other way.

use super::{Bus, Part, Sense, i2c};
use crate::environment::{RADIANT_TEMPERATURE, TEMPERATURE};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Level, Pull, Time};

pub(super) const PART: Part = Part {
    number: "TMP006",
    title: "radiant temperature",
    bus: Bus::I2c,
    senses: &[TEMPERATURE, RADIANT_TEMPERATURE],
    lines: &["irq"],
    // By ADR1 and ADR0 (data sheet).
    addresses: &[0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47],
    make: i2c::connect::<Tmp006>,
};

/// Registers, by the pointer.
const SENSOR_VOLTAGE: u8 = 0x00;
const LOCAL_TEMPERATURE: u8 = 0x01;
const CONFIGURATION: u8 = 0x02;
const MANUFACTURER: u8 = 0xFE;
const DEVICE: u8 = 0xFF;

/// Bits of the configuration: reset, mode of operation, conversion rate, the request at the pin, data ready.
const RST: u16 = 1 << 15;
const MOD: u16 = 7 << 12;
const CR: u16 = 7 << 9;
const EN: u16 = 1 << 8;
const DRDY: u16 = 1 << 7;
/// Converts, once a second.
const AFTER_RESET: u16 = MOD | 2 << 9;

/// A conversion by CR: of 1, 2, 4, 8 and 16 samples.
const SAMPLE: Time = Time::from_ms(250);
const MOST_SAMPLES: u16 = 4;

/// Constants of the formula.
const S0: f64 = 6.4e-14;
const A1: f64 = 1.75e-3;
const A2: f64 = -1.678e-5;
const B0: f64 = -2.94e-5;
const B1: f64 = -5.7e-7;
const B2: f64 = 4.63e-9;
const C2: f64 = 13.4;
const T_REF: f64 = 298.15;
const KELVIN: f64 = 273.15;

/// A count of the voltage, in volts, and counts of the die's 14 bits per degree.
const VOLTAGE_STEP: f64 = 156.25e-9;
const PER_DEGREE: i64 = 32;
const UNIT: i64 = 1_000_000;

#[derive(Debug, Default, BorshSerialize, BorshDeserialize)]
struct Tmp006 {
    /// Without DRDY.
    configuration: u16,
    pointer: u8,
    /// Bytes of the present write so far.
    written: u8,
    high: u8,
    /// The next byte of a read is a lower one.
    is_low: bool,
    results: [u16; 2],
    is_ready: bool,
    /// When the conversion under way ends.
    converted_at: Option<Time>,
}

impl Tmp006 {
    fn reset(&mut self, now: Time) {
        *self = Tmp006 { configuration: AFTER_RESET, ..Tmp006::default() };
        self.convert(now);
    }

    fn converts(&self) -> bool {
        self.configuration & MOD != 0
    }

    /// A conversion begins, if it is not powered down.
    fn convert(&mut self, now: Time) {
        let samples = 1u64 << (self.configuration >> 9 & 7).min(MOST_SAMPLES);
        self.converted_at = self.converts().then(|| now + SAMPLE * samples);
    }

    fn register(&self, pointer: u8) -> u16 {
        match pointer {
            SENSOR_VOLTAGE | LOCAL_TEMPERATURE => self.results[usize::from(pointer)],
            CONFIGURATION => self.configuration | if self.is_ready { DRDY } else { 0 },
            MANUFACTURER => 0x5449,
            DEVICE => 0x0067,
            _ => 0,
        }
    }

    fn configure(&mut self, now: Time, value: u16) {
        if value & RST != 0 {
            return self.reset(now);
        }
        let before = self.configuration;
        self.configuration = value & (MOD | CR | EN);
        if (before ^ self.configuration) & (MOD | CR) != 0 {
            self.convert(now);
        }
    }
}

/// The voltage of the thermopile, in counts, with a die and an object of these temperatures in kelvin: the formula's
/// inverse. Its power and its root are products and a root of the standard, the same on every machine.
fn voltage(die: f64, object: f64) -> i16 {
    let difference = die - T_REF;
    let sensitivity = S0 * (1.0 + A1 * difference + A2 * difference * difference);
    let offset = B0 + B1 * difference + B2 * difference * difference;
    let fourth = |kelvin: f64| kelvin * kelvin * kelvin * kelvin;
    let radiated = (fourth(object) - fourth(die)) * sensitivity;
    // C2 * v^2 + v = radiated; below its lowest point, that point.
    let root = libm::sqrt((1.0 + 4.0 * C2 * radiated).max(0.0));
    let above = (root - 1.0) / (2.0 * C2);
    ((offset + above) / VOLTAGE_STEP).round() as i16
}

fn kelvin(sense: &Sense<'_>, quantity: &crate::Quantity) -> f64 {
    (sense.value(quantity) as f64 / UNIT as f64 + KELVIN).max(0.0)
}

impl i2c::Target for Tmp006 {
    const PART: &'static str = "tmp006";

    fn power_on(&mut self, sense: &Sense<'_>) {
        self.reset(sense.now);
    }

    fn start(&mut self, _sense: &Sense<'_>, _read: bool) -> bool {
        (self.written, self.is_low) = (0, false);
        true
    }

    fn write(&mut self, sense: &Sense<'_>, byte: u8) -> bool {
        self.written = self.written.saturating_add(1);
        match self.written {
            1 => self.pointer = byte,
            2 => self.high = byte,
            3 if self.pointer == CONFIGURATION => {
                self.configure(sense.now, u16::from_be_bytes([self.high, byte]));
            }
            _ => {}
        }
        true
    }

    /// The two bytes of the register, again and again.
    fn read(&mut self, _sense: &Sense<'_>) -> u8 {
        let [high, low] = self.register(self.pointer).to_be_bytes();
        self.is_ready &= self.pointer > LOCAL_TEMPERATURE;
        self.is_low = !self.is_low;
        if self.is_low { high } else { low }
    }

    fn state(&self) -> &'static str {
        if self.converts() { "converting" } else { "power-down" }
    }

    fn due(&self) -> Time {
        self.converted_at.unwrap_or(Time::NEVER)
    }

    fn fire(&mut self, sense: &Sense<'_>) {
        let Some(now) = self.converted_at else { return };
        let die = kelvin(sense, &TEMPERATURE);
        let degrees = (sense.value(&TEMPERATURE) * PER_DEGREE).div_euclid(UNIT);
        let limited = degrees.clamp(-(1 << 13), (1 << 13) - 1) as i16;
        self.results =
            [voltage(die, kelvin(sense, &RADIANT_TEMPERATURE)) as u16, (limited << 2) as u16];
        self.is_ready = true;
        self.convert(now);
    }

    /// DRDY, an open drain.
    fn irq(&self) -> Level {
        let requests = self.is_ready && self.configuration & EN != 0;
        if requests { Level::Low } else { Level::Floating(Pull::None) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::bench::I2cBench;

    fn powered() -> I2cBench {
        I2cBench::powered(&PART, 0x44)
    }

    /// The temperature of the object as the user's guide computes it.
    fn object(voltage: u16, die: u16) -> f64 {
        let volts = f64::from(voltage as i16) * VOLTAGE_STEP;
        let die = f64::from(die as i16) / 128.0 + KELVIN;
        let difference = die - T_REF;
        let sensitivity = S0 * (1.0 + A1 * difference + A2 * difference.powi(2));
        let above = volts - (B0 + B1 * difference + B2 * difference.powi(2));
        let radiated = above + C2 * above.powi(2);
        (die.powi(4) + radiated / sensitivity).powf(0.25) - KELVIN
    }

    #[test]
    fn the_users_guides_formula_gives_the_temperature_back() {
        for (die, radiant) in [(25, 25), (20, 37), (-10, 60), (40, -20), (25, 150)] {
            let mut bench = powered();
            bench.sense("temperature", die * UNIT);
            bench.sense("radiant_temperature", radiant * UNIT);
            bench.pass(Time::from_s(1));
            let (voltage, local) = (bench.word(SENSOR_VOLTAGE), bench.word(LOCAL_TEMPERATURE));
            assert_eq!(i64::from(local as i16), die * 128);
            let found = object(voltage, local);
            assert!((found - radiant as f64).abs() < 0.05, "{die}, {radiant}: {found}");
        }
    }

    #[test]
    fn a_count_is_156_nanovolts_of_the_thermopile() {
        // As warm as the die, at 25 degrees: the offset alone.
        assert_eq!(voltage(T_REF, T_REF), -188);
        let mut bench = powered();
        bench.sense("temperature", -10_015_000);
        bench.pass(Time::from_s(1));
        assert_eq!(bench.word(LOCAL_TEMPERATURE) as i16, -1_284, "-321 steps of 1/32 degree");
    }

    #[test]
    fn it_converts_at_its_rate_and_says_when() {
        let mut bench = powered();
        assert_eq!(bench.word(CONFIGURATION), 0x7400);
        bench.pass(Time::from_s(1) - Time::UNIT);
        assert_eq!((bench.word(CONFIGURATION), bench.word(SENSOR_VOLTAGE)), (0x7400, 0));
        bench.pass(Time::UNIT);
        assert_eq!(bench.word(CONFIGURATION), 0x7480);
        bench.word(LOCAL_TEMPERATURE);
        assert_eq!(bench.word(CONFIGURATION), 0x7400, "it is read");
        for (rate, ms) in [(0, 250), (1, 500), (3, 2_000), (4, 4_000), (7, 4_000)] {
            bench.write(CONFIGURATION, &[0x70 | rate << 1, 0]);
            bench.pass(Time::from_ms(ms) - Time::UNIT);
            assert_eq!(bench.word(CONFIGURATION) & DRDY, 0, "{rate}");
            bench.pass(Time::UNIT);
            assert_eq!(bench.word(CONFIGURATION) & DRDY, DRDY, "{rate}");
            bench.word(SENSOR_VOLTAGE);
        }
    }

    #[test]
    fn it_can_be_powered_down_and_keeps_its_results() {
        let mut bench = powered();
        bench.pass(Time::from_s(1));
        let before = bench.word(LOCAL_TEMPERATURE);
        bench.write(CONFIGURATION, &[0, 0]);
        assert_eq!((bench.state(), bench.word(CONFIGURATION)), ("power-down", 0));
        bench.sense("temperature", 0);
        bench.pass(Time::from_s(10));
        assert_eq!((bench.word(LOCAL_TEMPERATURE), bench.word(CONFIGURATION)), (before, 0));
        bench.write(CONFIGURATION, &[0x70, 0]);
        assert_eq!(bench.state(), "converting");
        bench.pass(Time::from_ms(250));
        assert_eq!(bench.word(LOCAL_TEMPERATURE), 0);
    }

    #[test]
    fn its_pin_requests_if_that_is_enabled() {
        let mut bench = powered();
        bench.write(CONFIGURATION, &[0x71, 0]);
        bench.pass(Time::from_ms(250));
        assert_eq!(bench.driven, Some(Level::Low));
        bench.word(SENSOR_VOLTAGE);
        assert_eq!(bench.driven, Some(Level::Floating(Pull::None)));
    }

    #[test]
    fn a_reset_and_its_identity() {
        let mut bench = powered();
        bench.write(CONFIGURATION, &[0, 0]);
        bench.write(CONFIGURATION, &[0x80, 0]);
        assert_eq!(bench.word(CONFIGURATION), 0x7400);
        assert_eq!((bench.word(MANUFACTURER), bench.word(DEVICE)), (0x5449, 0x0067));
    }
}
