// SPDX-License-Identifier: MIT OR Apache-2.0
//! What differs from one power-up of a chip to the next: what memory holds, in which phase oscillators start, and what a
//! converter adds to a voltage. A number is a function of the chip's key, of how often it was powered up, and of what it
//! is for, so that a run repeats.

use crate::Time;
use crate::clock::Clock;
use borsh::{BorshDeserialize, BorshSerialize};

/// The noise of one chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) struct Noise {
    /// `None` if there is none.
    key: Option<u64>,
    power_ups: u64,
}

/// Distinguishes the numbers of memory, of oscillators and of voltages.
const MEMORY: u64 = 1;
const PHASE: u64 = 2;
const VOLTAGE: u64 = 3;

impl Noise {
    /// The noise of a chip with this key; without one, there is none.
    pub const fn new(key: Option<u64>) -> Noise {
        Noise { key, power_ups: 0 }
    }

    /// The chip is powered up.
    pub fn power_up(&mut self) {
        self.power_ups += 1;
    }

    fn draw(self, purpose: u64, index: u64) -> Option<u64> {
        self.key.map(|key| mix(mix(mix(key ^ self.power_ups) ^ purpose) ^ index))
    }

    /// So many bytes as memory holds after power-up, if it is not to be as in every run.
    pub fn memory(self, bytes: usize) -> Option<Vec<u8>> {
        let seed = self.draw(MEMORY, 0)?;
        let mut contents = vec![0; bytes];
        for (n, word) in (0..).zip(contents.chunks_mut(8)) {
            word.copy_from_slice(&mix(seed ^ n).to_le_bytes()[..word.len()]);
        }
        Some(contents)
    }

    /// How long after `now` an oscillator has its first edge, less than a period of `clock`.
    pub fn phase(self, now: Time, oscillator: u64, clock: Clock) -> Time {
        let Some(number) = self.draw(PHASE ^ oscillator << 8, now.units()) else {
            return Time::ZERO;
        };
        Time::from_units(number % clock.span(1).units().max(1))
    }

    /// A number with a mean of 0 and a standard deviation of 1,000, close to a normal distribution: another one for
    /// each time and `sample`.
    pub fn normal(self, now: Time, sample: u64) -> i64 {
        /// Of the sum of four numbers below 65,536, each equally probable.
        const DEVIATION: i64 = 37_837;
        let Some(number) = self.draw(VOLTAGE ^ sample << 8, now.units()) else { return 0 };
        let sum: i64 = (0..4).map(|n| (number >> (16 * n) & 0xFFFF) as i64 * 2 - 0xFFFF).sum();
        sum * 500 / DEVIATION
    }
}

/// Scatters the bits of a key (the finalizer of SplitMix64).
pub const fn mix(key: u64) -> u64 {
    let key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let key = (key ^ key >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ key >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ key >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first three numbers of SplitMix64 with seed 1234567, as published.
    #[test]
    fn keys_are_scattered_as_by_splitmix64() {
        let step = 0x9E37_79B9_7F4A_7C15_u64;
        let numbers =
            [0, 1, 2].map(|index| mix(1_234_567_u64.wrapping_add(step.wrapping_mul(index))));
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn each_power_up_and_each_chip_has_noise_of_its_own_that_repeats() {
        let up = |key, times| {
            let mut noise = Noise::new(key);
            (0..times).for_each(|_| noise.power_up());
            (noise.memory(20), noise.normal(Time::from_us(3), 0))
        };
        assert_eq!(up(Some(1), 1), up(Some(1), 1));
        assert_ne!(up(Some(1), 1), up(Some(1), 2));
        assert_ne!(up(Some(1), 1), up(Some(2), 1));
        assert_eq!(up(None, 1), (None, 0));
        assert_eq!(up(Some(1), 1).0.map(|bytes| bytes.len()), Some(20));
    }

    #[test]
    fn chips_lose_power_and_hold_something_else_when_it_returns() {
        for (part, ram) in [("ATSAMR21G18A", 0x2000_0000), ("ATmega128", 0x80_0100)] {
            let contents = |noise| {
                let config = crate::Config { noise, ..crate::Config::default() };
                let mut chip = crate::by_part(part, &config).expect("known");
                [(); 3].map(|()| {
                    chip.power_on();
                    let mut ram_now = [0; 32];
                    chip.peek(ram, &mut ram_now).expect("RAM");
                    chip.power_off();
                    ram_now
                })
            };
            let [first, second, third] = contents(Some(1));
            assert!(first != second && second != third, "{part}");
            assert_eq!(contents(Some(1)), [first, second, third], "{part}");
            assert_ne!(contents(Some(2))[0], first, "{part}");
            let [_, second, third] = contents(None);
            assert_eq!(second, third, "{part}");
        }
    }

    #[test]
    fn samples_have_the_mean_and_the_deviation_that_are_said() {
        let noise = Noise::new(Some(7));
        let all: Vec<f64> =
            (0..20_000).map(|n| noise.normal(Time::from_us(n), n % 3) as f64).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let square = all.iter().map(|it| it * it).sum::<f64>() / all.len() as f64;
        assert!(mean.abs() < 30.0, "{mean}");
        assert!((square.sqrt() - 1_000.0).abs() < 20.0, "{}", square.sqrt());
    }

    #[test]
    fn a_phase_is_less_than_a_period() {
        let clock = Clock::new(Time::ZERO, 32_768);
        let phases: Vec<Time> =
            (0..1_000).map(|n| Noise::new(Some(n)).phase(Time::ZERO, 3, clock)).collect();
        let period = clock.span(1);
        assert!(phases.iter().all(|phase| *phase < period));
        assert!(phases.iter().any(|phase| *phase > period * 9 / 10));
        assert_eq!(Noise::default().phase(Time::ZERO, 3, clock), Time::ZERO);
    }
}
