// SPDX-License-Identifier: MIT OR Apache-2.0
//! Texas Instruments HDC1080: temperature and humidity on I2C (data sheet SNAS672).
//!
//! A master writes the pointer to trigger a measurement, waits, and reads: while it measures, the part does
//! not acknowledge a read.

use super::{Bus, Part, Sense, i2c};
use crate::environment::{HUMIDITY, TEMPERATURE};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

pub(super) const PART: Part = Part {
    number: "HDC1080",
    title: "temperature and humidity",
    bus: Bus::I2c,
    senses: &[TEMPERATURE, HUMIDITY],
    lines: &[],
    addresses: &[0x40],
    make: i2c::connect::<Hdc1080>,
};

/// Registers, by the pointer (table 1).
const TEMPERATURE_RESULT: u8 = 0x00;
const HUMIDITY_RESULT: u8 = 0x01;
const CONFIGURATION: u8 = 0x02;
const SERIAL: [u8; 3] = [0xFB, 0xFC, 0xFD];
const MANUFACTURER: u8 = 0xFE;
const DEVICE: u8 = 0xFF;

/// Bits of the configuration (table 4).
const RST: u16 = 1 << 15;
const HEAT: u16 = 1 << 13;
const MODE: u16 = 1 << 12;
const TRES: u16 = 1 << 10;
const HRES: u16 = 3 << 8;
const WRITABLE: u16 = HEAT | MODE | TRES | HRES;

/// From the supply, or a software reset, to the first communication (section 8.3, "t startup").
const START_UP: Time = Time::from_ms(15);
/// Conversion times: 14 and 11 bits of temperature; 14, 11 and 8 bits of humidity (electrical
/// characteristics).
const TEMPERATURE_TAKES: [Time; 2] = [Time::from_us(6_350), Time::from_us(3_650)];
const HUMIDITY_TAKES: [Time; 3] =
    [Time::from_us(6_500), Time::from_us(3_850), Time::from_us(2_500)];

/// Millionths of a unit in a whole one.
const UNIT: i64 = 1_000_000;

#[derive(Debug, Default, BorshSerialize, BorshDeserialize)]
struct Hdc1080 {
    /// It understands nothing before.
    up_at: Time,
    configuration: u16,
    pointer: u8,
    /// Bytes of the present write so far.
    written: u8,
    high: u8,
    /// Bytes of the present read so far.
    read: u8,
    results: [u16; 2],
    /// When the measurement under way ends.
    measured_at: Option<Time>,
}

impl Hdc1080 {
    fn reset(&mut self, now: Time) {
        *self = Hdc1080 { up_at: now + START_UP, configuration: MODE, ..Hdc1080::default() };
    }

    fn register(&self, pointer: u8) -> u16 {
        match pointer {
            TEMPERATURE_RESULT | HUMIDITY_RESULT => self.results[usize::from(pointer)],
            CONFIGURATION => self.configuration,
            // Unique in each part; one number here.
            pointer if SERIAL.contains(&pointer) => u16::from(pointer) << 7,
            MANUFACTURER => 0x5449,
            DEVICE => 0x1050,
            _ => 0xFFFF,
        }
    }

    /// Writes the pointer: that of a result triggers its measurement, or both in sequence (MODE).
    fn point(&mut self, sense: &Sense<'_>, pointer: u8) {
        self.pointer = pointer;
        if pointer > HUMIDITY_RESULT {
            return;
        }
        let both = self.configuration & MODE != 0;
        let mut takes = Time::ZERO;
        if both || pointer == TEMPERATURE_RESULT {
            self.results[0] = self.temperature(sense);
            takes += TEMPERATURE_TAKES[usize::from(self.configuration & TRES != 0)];
        }
        if both || pointer == HUMIDITY_RESULT {
            self.results[1] = self.humidity(sense);
            takes += HUMIDITY_TAKES[usize::from(self.configuration >> 8 & 3).min(2)];
        }
        self.measured_at = Some(sense.now + takes);
    }

    /// Degrees = result / 2^16 * 165 - 40, in 14 or 11 bits.
    fn temperature(&self, sense: &Sense<'_>) -> u16 {
        let bits = if self.configuration & TRES != 0 { 11 } else { 14 };
        coded(sense.value(&TEMPERATURE) + 40 * UNIT, 165 * UNIT, bits)
    }

    /// Percent = result / 2^16 * 100, in 14, 11 or 8 bits.
    fn humidity(&self, sense: &Sense<'_>) -> u16 {
        let bits = [14, 11, 8, 8][usize::from(self.configuration >> 8 & 3)];
        coded(sense.value(&HUMIDITY), 100 * UNIT, bits)
    }

    fn configure(&mut self, now: Time, value: u16) {
        if value & RST != 0 {
            return self.reset(now);
        }
        self.configuration = value & WRITABLE;
    }
}

/// A value from 0 to below `range` as a fraction of it, in the upper `bits` of 16.
fn coded(value: i64, range: i64, bits: u32) -> u16 {
    let fraction = (value.clamp(0, range) << 16) / range;
    let mask = !0u16 << (16 - bits);
    fraction.min(0xFFFF) as u16 & mask
}

impl i2c::Target for Hdc1080 {
    const PART: &'static str = "hdc1080";

    fn power_on(&mut self, sense: &Sense<'_>) {
        self.reset(sense.now);
    }

    fn start(&mut self, sense: &Sense<'_>, read: bool) -> bool {
        (self.written, self.read) = (0, 0);
        let is_measuring = self.measured_at.is_some_and(|end| sense.now < end);
        sense.now >= self.up_at && !(read && is_measuring)
    }

    fn write(&mut self, sense: &Sense<'_>, byte: u8) -> bool {
        self.written = self.written.saturating_add(1);
        match self.written {
            1 => self.point(sense, byte),
            2 => self.high = byte,
            3 if self.pointer == CONFIGURATION => {
                self.configure(sense.now, u16::from_be_bytes([self.high, byte]));
            }
            _ => {}
        }
        true
    }

    /// The two bytes of the register, then those of the next one.
    fn read(&mut self, _sense: &Sense<'_>) -> u8 {
        let bytes = self.register(self.pointer.wrapping_add(self.read / 2)).to_be_bytes();
        let byte = bytes[usize::from(self.read % 2)];
        self.read = (self.read + 1) % 4;
        byte
    }

    fn state(&self) -> &'static str {
        match self.measured_at {
            None => "sleep",
            Some(_) if self.configuration & HEAT != 0 => "heating",
            Some(_) => "measuring",
        }
    }

    fn due(&self) -> Time {
        self.measured_at.unwrap_or(Time::NEVER)
    }

    fn fire(&mut self, _sense: &Sense<'_>) {
        self.measured_at = None;
    }
}

#[cfg(test)]
mod tests {
    use super::i2c::Target;
    use super::*;
    use crate::{Course, Environment};

    const UP: Time = START_UP;

    fn bench(change: impl Fn(&mut Environment)) -> (Hdc1080, Environment) {
        let mut environment = Environment::usual();
        change(&mut environment);
        let mut part = Hdc1080::default();
        part.power_on(&Sense { now: Time::ZERO, moment: Time::ZERO, environment: &environment });
        (part, environment)
    }

    fn write(part: &mut Hdc1080, sense: &Sense<'_>, bytes: &[u8]) -> bool {
        part.start(sense, false) && bytes.iter().all(|byte| part.write(sense, *byte))
    }

    fn read(part: &mut Hdc1080, sense: &Sense<'_>, words: usize) -> Option<Vec<u16>> {
        let word = |part: &mut Hdc1080| u16::from_be_bytes([part.read(sense), part.read(sense)]);
        part.start(sense, true).then(|| (0..words).map(|_| word(part)).collect())
    }

    #[test]
    fn it_measures_both_and_does_not_answer_meanwhile() {
        let (mut part, environment) = bench(|environment| {
            environment.set("temperature", Course::Constant(21_500_000));
            environment.set("humidity", Course::Constant(100_000_000));
        });
        let at = |now| Sense { now, moment: now, environment: &environment };
        assert!(!write(&mut part, &at(UP - Time::UNIT), &[0]), "it starts");
        assert!(write(&mut part, &at(UP), &[TEMPERATURE_RESULT]));
        let takes = Time::from_us(6_350 + 6_500);
        assert_eq!(read(&mut part, &at(UP + takes - Time::UNIT), 1), None);
        // 61.5 / 165 * 65536 = 24427.05, its last two bits zero; the largest value is below 100 %.
        assert_eq!(read(&mut part, &at(UP + takes), 2), Some(vec![24_424, 0xFFFC]));
    }

    #[test]
    fn resolution_and_sequence_are_configured() {
        let (mut part, environment) = bench(|_| {});
        let at = |now| Sense { now, moment: now, environment: &environment };
        assert!(write(&mut part, &at(UP), &[CONFIGURATION, 0x06, 0xFF]));
        assert!(write(&mut part, &at(UP), &[CONFIGURATION]));
        assert_eq!(read(&mut part, &at(UP), 1), Some(vec![0x0600]));
        assert!(write(&mut part, &at(UP), &[HUMIDITY_RESULT]));
        assert_eq!(read(&mut part, &at(UP + Time::from_us(2_499)), 1), None);
        assert_eq!(read(&mut part, &at(UP + Time::from_us(2_500)), 1), Some(vec![0x8000]));
        assert!(write(&mut part, &at(UP), &[TEMPERATURE_RESULT]));
        assert_eq!(read(&mut part, &at(UP + Time::from_us(3_650)), 1), Some(vec![0x5D00]));
    }

    #[test]
    fn a_reset_and_its_identity() {
        let (mut part, environment) = bench(|_| {});
        let at = |now| Sense { now, moment: now, environment: &environment };
        assert!(write(&mut part, &at(UP), &[CONFIGURATION, 0x80, 0x00]));
        assert!(!write(&mut part, &at(UP), &[CONFIGURATION]));
        let again = UP + UP;
        assert!(write(&mut part, &at(again), &[CONFIGURATION]));
        assert_eq!(read(&mut part, &at(again), 1), Some(vec![MODE]));
        assert!(write(&mut part, &at(again), &[MANUFACTURER]));
        assert_eq!(read(&mut part, &at(again), 2), Some(vec![0x5449, 0x1050]));
    }
}
