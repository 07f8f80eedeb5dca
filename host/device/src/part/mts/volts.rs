// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the sensors of an MTS300 or MTS310 put on their pins: physics, in microvolts.
//!
//! The board's supply is the chip's. Dividers and accelerometer put out a part of it, so that the converter, whose
//! reference it is, finds the same at each supply; the microphone's amplifier rests at half of it and amplifies a
//! voltage that does not depend on it.
//!
//! Logarithms and powers are not those of the host's library, whose last digit differs between machines.

use crate::Micro;
use lichen_chip::Time;

/// The supply of the board where nothing else is said, as the chip has it.
pub const SUPPLY: f64 = 3.0e6;
/// From the pin of thermistor and photo resistor to ground, in ohms.
const DIVIDER: f64 = 10_000.0;

/// The thermistor (MTS/MDA Sensor Board Users Manual, "Thermistor"): 1/T = A + B ln R + C (ln R)^3.
const A: f64 = 0.001_010_024;
const B: f64 = 0.000_242_127;
const C: f64 = 0.000_000_146;
const KELVIN: f64 = 273.15;

/// The photo resistor: its resistance at an illuminance, how that falls, and what is left in the dark.
const PHOTO_OHMS: f64 = 3_600.0;
const PHOTO_LUX: f64 = 21.5;
const PHOTO_SLOPE: f64 = 0.7;
const DARK_OHMS: f64 = 520_000.0;

/// The accelerometer (ADXL202): the part of its supply by which its outputs change per g, 167 mV at 3 V, and the time
/// that it takes to turn on, with the board's capacitors.
const PER_G: f64 = 0.167 / 3.0;
const TURN_ON: Time = Time::from_us(16_300);
const RANGE_G: f64 = 2.0;

/// The microphone: microvolts at 1 Pa, the pressure at 0 dB, and its amplifier's gain at the potentiometer's end.
const PER_PASCAL: f64 = 5_620.0;
const QUIET_PASCAL: f64 = 20e-6;
const GAIN: f64 = 1_000.0;
const TONE_HZ: f64 = 4_000.0;

fn plain(value: Micro) -> f64 {
    value as f64 / 1e6
}

fn limited(microvolts: f64, supply: f64) -> u32 {
    microvolts.clamp(0.0, supply).round() as u32
}

/// The thermistor's resistance, in ohms, at a temperature in degrees.
fn thermistor(celsius: Micro) -> f64 {
    let wanted = 1.0 / (plain(celsius) + KELVIN).max(1.0);
    // Newton's method on the logarithm: the function is nearly a line there.
    let step =
        |log: f64| log - (A + B * log + C * log * log * log - wanted) / (B + 3.0 * C * log * log);
    libm::exp((0..20).fold(9.2, |log, _| step(log)))
}

/// The photo resistor's resistance, in ohms, at an illuminance in lux.
fn photo(lux: Micro) -> f64 {
    let lux = plain(lux).max(1e-6);
    (PHOTO_OHMS * libm::pow(PHOTO_LUX / lux, PHOTO_SLOPE)).min(DARK_OHMS)
}

/// The pin that light and temperature share; each is `None` while it has no power.
pub fn divider(supply: f64, celsius: Option<Micro>, lux: Option<Micro>) -> u32 {
    let through = |ohms: Option<f64>| ohms.map_or(0.0, |ohms| 1.0 / ohms);
    let sensors = through(celsius.map(thermistor)) + through(lux.map(photo));
    limited(supply * sensors / (sensors + 1.0 / DIVIDER), supply)
}

/// An axis of the accelerometer that has had power for so long: its outputs rise until it is turned on.
pub fn acceleration(supply: f64, g: Micro, powered: Time) -> u32 {
    let settled = supply * (0.5 + plain(g).clamp(-RANGE_G, RANGE_G) * PER_G);
    limited(settled * (powered.as_s() / TURN_ON.as_s()).min(1.0), supply)
}

/// The microphone's amplifier at `now`, with the potentiometer at `position` of 255.
pub fn microphone(supply: f64, decibel: Micro, position: u8, now: Time) -> u32 {
    let pascal = QUIET_PASCAL * libm::pow(10.0, plain(decibel) / 20.0);
    let amplitude = pascal * PER_PASCAL * std::f64::consts::SQRT_2;
    let gain = GAIN * (f64::from(position) + 1.0) / 256.0;
    let turns = now.as_s() * TONE_HZ;
    let wave = libm::sin((turns - libm::floor(turns)) * std::f64::consts::TAU);
    limited(supply / 2.0 + amplitude * gain * wave, supply)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The converter's result at full scale 1,023, as the manual's formula takes it.
    fn counts(microvolts: u32) -> f64 {
        f64::from(microvolts) / SUPPLY * 1_023.0
    }

    #[test]
    fn the_manuals_formula_gives_the_temperature_back() {
        for celsius in [-40, -5, 0, 20, 25, 60, 85] {
            let adc = counts(divider(SUPPLY, Some(celsius * 1_000_000), None));
            let log = libm::log(10_000.0 * (1_023.0 - adc) / adc);
            let found = 1.0 / (A + B * log + C * log * log * log) - KELVIN;
            assert!((found - celsius as f64).abs() < 0.01, "{celsius}: {found}");
        }
        assert_eq!(
            divider(SUPPLY, Some(25_000_000), None) / 10_000,
            150,
            "10 kilohm at 25 degrees"
        );
    }

    #[test]
    fn more_light_gives_more_voltage() {
        let at = |lux: Micro| divider(SUPPLY, None, Some(lux * 1_000_000));
        assert!(at(0) < 60_000 && at(1) < at(10) && at(10) < at(1_000) && at(100_000) > 2_900_000);
        assert_eq!(divider(SUPPLY, None, None), 0, "without power");
    }

    #[test]
    fn an_accelerometer_is_centred_and_limited() {
        let at = |g: Micro| acceleration(SUPPLY, g, Time::from_s(1));
        assert_eq!([at(0), at(1_000_000), at(-1_000_000)], [1_500_000, 1_667_000, 1_333_000]);
        assert_eq!(at(9_000_000), 1_834_000);
        assert_eq!(acceleration(SUPPLY, 0, TURN_ON / 2), 750_000, "it turns on");
    }

    #[test]
    fn a_tone_swings_around_the_middle_by_the_gain() {
        let quarter = Time::from_ns(62_500);
        // 94 dB are 1 Pa.
        let peak = |position| microphone(SUPPLY, 93_979_400, position, quarter) - 1_500_000;
        assert_eq!(microphone(SUPPLY, 94_000_000, 255, Time::ZERO), 1_500_000);
        assert!((i64::from(peak(0)) - 31_046).abs() < 20, "{}", peak(0));
        assert_eq!(peak(255), 1_500_000, "more than there is room for");
        let low = microphone(SUPPLY, 93_979_400, 0, quarter * 3);
        assert!(1_500_000 - low - peak(0) < 2);
    }

    /// The converter's result with its reference at the supply, to the nearest.
    fn code(supply: f64, microvolts: u32) -> f64 {
        (f64::from(microvolts) / supply * 1_024.0).round()
    }

    #[test]
    fn dividers_and_accelerometer_put_out_a_part_of_the_supply() {
        for supply in [2.7e6, 3.0e6, 3.3e6] {
            let read = |volts| code(supply, volts);
            assert_eq!(read(divider(supply, Some(25_000_000), None)), 512.0, "{supply}");
            let light = divider(supply, None, Some(20_000_000));
            let usual = divider(SUPPLY, None, Some(20_000_000));
            assert_eq!(read(light), code(SUPPLY, usual), "{supply}");
            let axis = |g: Micro| read(acceleration(supply, g, Time::from_s(1)));
            assert_eq!([axis(0), axis(1_000_000), axis(-1_000_000)], [512.0, 569.0, 455.0]);
        }
    }

    #[test]
    fn a_microphones_swing_does_not_depend_on_the_supply() {
        let quarter = Time::from_ns(62_500);
        for supply in [2.7e6, 3.3e6] {
            let peak = microphone(supply, 93_979_400, 0, quarter) - (supply / 2.0) as u32;
            assert!(peak.abs_diff(31_046) < 20, "{peak} at {supply}");
            assert_eq!(microphone(supply, 94_000_000, 255, quarter), supply as u32);
        }
    }
}
