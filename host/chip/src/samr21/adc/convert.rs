// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a conversion, and how long it takes (data sheet, "ADC", sections
//! "Conversion Timing and Sampling Rate" and "Accumulation").

use crate::Time;
use crate::noise::Noise;
use crate::samr21::sysctrl::NOMINAL_SUPPLY;

/// Inputs that come from pins.
pub(super) const PINS: usize = 20;

/// Voltages inside the chip, in microvolts, at 25 degrees Celsius. That of the core is the regulator's.
const TEMPERATURE: i64 = 667_000;
const BANDGAP: i64 = 1_100_000;
const CORE_SUPPLY: i64 = 1_200_000;
const INTERNAL_1V: i64 = 1_000_000;
/// Inputs (INPUTCTRL.MUXPOS): a fourth of the core's supply and of the pins'.
const SCALED_CORE_SUPPLY: u32 = 0x1A;
const SCALED_SUPPLY: u32 = 0x1B;

/// The voltages that the converter sees, in microvolts.
#[derive(Clone, Copy, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Voltages {
    pub pins: [u32; PINS],
    pub supply: u32,
    pub noise: Noise,
}

impl Default for Voltages {
    fn default() -> Voltages {
        Voltages { pins: [0; PINS], supply: NOMINAL_SUPPLY, noise: Noise::default() }
    }
}

/// Deviation of a sample, in thousandths of a step of 12 bits: what quantization leaves of 10.5 effective bits (data sheet,
/// "Analog-to-Digital Converter Characteristics", typical).
const NOISE: i64 = 770;

/// Bits of the result (CTRLB.RESSEL): 12, 10 or 8, and 16 for results of several samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resolution {
    Bits8,
    Bits10,
    Bits12,
    Accumulated,
}

/// The settings of a conversion, as in the registers.
#[derive(Clone, Copy, Debug, Default, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Settings {
    pub refctrl: u8,
    pub avgctrl: u8,
    pub sampctrl: u8,
    pub ctrlb: u16,
    pub inputctrl: u32,
    pub gaincorr: u16,
    pub offsetcorr: u16,
}

impl Settings {
    /// CTRLB.DIFFMODE.
    pub fn is_differential(&self) -> bool {
        self.ctrlb & 1 != 0
    }

    fn is_left_adjusted(&self) -> bool {
        self.ctrlb >> 1 & 1 != 0
    }

    /// CTRLB.FREERUN.
    pub fn runs_freely(&self) -> bool {
        self.ctrlb >> 2 & 1 != 0
    }

    fn is_corrected(&self) -> bool {
        self.ctrlb >> 3 & 1 != 0
    }

    pub fn resolution(&self) -> Resolution {
        match self.ctrlb >> 4 & 3 {
            0 => Resolution::Bits12,
            1 => Resolution::Accumulated,
            2 => Resolution::Bits10,
            _ => Resolution::Bits8,
        }
    }

    /// CTRLB.PRESCALER as a divider of the generic clock.
    pub fn divider(&self) -> u64 {
        4 << (self.ctrlb >> 8 & 7)
    }

    fn bits(&self) -> u32 {
        match self.resolution() {
            Resolution::Bits8 => 8,
            Resolution::Bits10 => 10,
            Resolution::Bits12 | Resolution::Accumulated => 12,
        }
    }

    /// AVGCTRL.SAMPLENUM as a power of two.
    fn samples_log2(&self) -> u32 {
        (self.avgctrl as u32 & 0xF).min(10)
    }

    /// Half cycles of the converter's clock in which the input is sampled.
    pub fn sampling_half_cycles(&self) -> u64 {
        (self.sampctrl as u64 & 0x3F) + 1
    }

    /// How many inputs a scan has gone on (INPUTCTRL.INPUTOFFSET).
    pub fn offset(&self) -> u32 {
        self.inputctrl >> 20 & 0xF
    }

    /// The pins that are sampled: positive and negative input.
    pub fn sampled_pins(&self) -> [Option<u8>; 2] {
        let positive = (self.inputctrl & 0x1F) + self.offset();
        let negative = self.inputctrl >> 8 & 0x1F;
        let is_pin = |pin: &u32| (*pin as usize) < PINS;
        let as_pin = |pin: u32| Some(pin).filter(is_pin).map(|pin| pin as u8);
        let negative = if self.is_differential() { as_pin(negative) } else { None };
        [as_pin(positive), negative.filter(|pin| *pin < 8)]
    }

    /// Half cycles of the converter's clock from start to result.
    pub fn half_cycles(&self) -> u64 {
        /// Cycles that the correction of offset and gain adds.
        const CORRECTION: u64 = 13;
        let amplifier = match self.inputctrl >> 24 & 0xF {
            0 | 1 | 0xF => 0,
            2 | 3 => 1,
            _ => 2,
        };
        let single_ended = !self.is_differential() as u64;
        let cycles = 1 + self.bits() as u64 / 2 + amplifier + single_ended;
        let one = cycles * 2 + (self.sampctrl as u64 & 0x3F);
        let correction = if self.is_corrected() { 2 * CORRECTION } else { 0 };
        (one << self.samples_log2()) + correction
    }

    /// Whether the supply is the reference, or the input.
    pub fn uses_supply(&self) -> bool {
        let input = (self.inputctrl & 0x1F) + self.offset();
        matches!(self.refctrl & 0xF, 1 | 2) || matches!(input, SCALED_CORE_SUPPLY | SCALED_SUPPLY)
    }

    /// Reference voltage in microvolts.
    fn reference(&self, voltages: &Voltages) -> i64 {
        /// Pin of the external reference, VREFA.
        const REFERENCE_PIN: usize = 4;
        let supply = i64::from(voltages.supply);
        match self.refctrl & 0xF {
            0 => INTERNAL_1V,
            1 => supply * 100 / 148,
            2 => supply / 2,
            _ => i64::from(voltages.pins[REFERENCE_PIN]),
        }
    }

    /// Positive and negative input in microvolts, `offset` inputs further in a scan.
    fn inputs(&self, voltages: &Voltages, offset: u32) -> (i64, i64) {
        let Voltages { pins, supply, .. } = voltages;
        let supply = i64::from(*supply);
        let positive = (self.inputctrl & 0x1F) + offset;
        let positive = match positive {
            0x18 => TEMPERATURE,
            0x19 => BANDGAP,
            SCALED_CORE_SUPPLY => CORE_SUPPLY.min(supply) / 4,
            SCALED_SUPPLY => supply / 4,
            pin => pins.get(pin as usize).map_or(0, |microvolts| *microvolts as i64),
        };
        let negative = match self.inputctrl >> 8 & 0x1F {
            pin @ 0..=7 => pins[pin as usize] as i64,
            _ => 0,
        };
        (positive, if self.is_differential() { negative } else { 0 })
    }

    /// One sample, before accumulation: unsigned single-ended, signed differential. `noise` is in thousandths of its
    /// deviation.
    fn sample(&self, voltages: &Voltages, offset: u32, noise: i64) -> i64 {
        let (positive, negative) = self.inputs(voltages, offset);
        let reference = self.reference(voltages).max(1);
        let (gain, divider) = match self.inputctrl >> 24 & 0xF {
            0xF => (1, 2),
            gain => (1i64 << gain.min(4), 1),
        };
        let bits = self.bits();
        let (scale, low) = if self.is_differential() {
            (1i64 << (bits - 1), -(1i64 << (bits - 1)))
        } else {
            (1i64 << bits, 0)
        };
        let thousandths = (positive - negative) * gain * scale * 1_000 / (reference * divider);
        let noise = (noise * NOISE) >> (12 - bits);
        ((thousandths * 1_000 + noise) / 1_000_000).clamp(low, scale - 1)
    }

    /// RESULT of a conversion that ends at `now`.
    pub fn result(&self, voltages: &Voltages, offset: u32, now: Time) -> i32 {
        /// Sums of more samples than this do not fit into 16 bits and are shifted right.
        const FITTING_LOG2: u32 = 4;
        let log2 = self.samples_log2();
        let noise = |sample| voltages.noise.normal(now, sample);
        let sum: i64 = (0..1_u64 << log2).map(|n| self.sample(voltages, offset, noise(n))).sum();
        let adjust = (self.avgctrl >> 4 & 7) as u32;
        let mut value = sum >> (log2.saturating_sub(FITTING_LOG2) + adjust);
        if self.is_corrected() {
            value = (value - sign_extend(self.offsetcorr)) * self.gaincorr as i64 / 2_048;
        }
        if self.is_left_adjusted() && self.resolution() != Resolution::Accumulated {
            value <<= 16 - self.bits();
        }
        value as i32
    }
}

/// OFFSETCORR is a number of 12 bits in two's complement.
fn sign_extend(value: u16) -> i64 {
    ((value << 4) as i16 >> 4) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pins(pin: usize, microvolts: u32) -> Voltages {
        let mut voltages = Voltages::default();
        voltages.pins[pin] = microvolts;
        voltages
    }

    #[test]
    fn the_supply_is_an_input_and_a_reference() {
        let of = |refctrl, inputctrl, supply| {
            let settings = Settings { refctrl, inputctrl, ..Settings::default() };
            settings.result(&Voltages { supply, ..Voltages::default() }, 0, Time::ZERO)
        };
        let scaled = [3_300_000, 2_400_000, 1_200_000].map(|supply| of(0, 0x1B, supply));
        assert_eq!(scaled, [3_379, 2_457, 1_228]);
        assert_eq!([of(0, 0x1A, 3_300_000), of(0, 0x1A, 1_000_000)], [1_228, 1_024]);
        assert_eq!([of(2, 0x19, 3_300_000), of(2, 0x19, 2_200_000)], [2_730, 4_095]);
    }

    #[test]
    fn half_the_reference_is_half_the_scale() {
        for (ressel, expected) in [(0, 2_048), (2, 512), (3, 128)] {
            let settings = Settings { ctrlb: ressel << 4, inputctrl: 6, ..Settings::default() };
            assert_eq!(settings.result(&pins(6, 500_000), 0, Time::ZERO), expected);
        }
    }

    #[test]
    fn references_gains_and_inputs_are_those_of_the_registers() {
        let of = |refctrl, inputctrl, microvolts| {
            let settings = Settings { refctrl, inputctrl, ..Settings::default() };
            settings.result(&pins(6, microvolts), 0, Time::ZERO)
        };
        assert_eq!(of(2, 6, 825_000), 2_048);
        assert_eq!(of(2, 0xF << 24 | 6, 1_650_000), 2_048);
        assert_eq!(of(0, 2 << 24 | 6, 125_000), 2_048);
        assert_eq!(of(0, 6, 3_000_000), 4_095);
        assert_eq!(of(2, 0x1B, 0), 2_048);
        assert_eq!(of(2, 0x19, 0), 2_730);
    }

    #[test]
    fn noise_moves_results_by_little_and_averages_out() {
        let mut voltages = pins(6, 500_122);
        voltages.noise = Noise::new(Some(1));
        let of = |avgctrl| {
            let ctrlb = u16::from(avgctrl != 0) << 4;
            let settings = Settings { ctrlb, avgctrl, inputctrl: 6, ..Settings::default() };
            (0..200)
                .map(|n| settings.result(&voltages, 0, Time::from_us(n)))
                .collect::<std::collections::BTreeSet<i32>>()
        };
        let (single, averaged) = (of(0), of(0x44));
        assert!(single.len() >= 4, "{single:?}");
        assert!(single.iter().all(|it| (2_045..=2_052).contains(it)), "{single:?}");
        assert!(averaged.len() < single.len() && averaged.contains(&2_048), "{averaged:?}");
    }

    #[test]
    fn differences_are_signed() {
        let settings = Settings { ctrlb: 1, inputctrl: 2 | 6 << 8, ..Settings::default() };
        assert_eq!(settings.result(&pins(6, 500_000), 0, Time::ZERO), -1_024);
        assert_eq!(settings.result(&pins(2, 500_000), 0, Time::ZERO), 1_024);
    }

    #[test]
    fn samples_accumulate_and_average() {
        let of = |avgctrl| {
            let settings = Settings { ctrlb: 1 << 4, avgctrl, inputctrl: 6, ..Settings::default() };
            settings.result(&pins(6, 500_000), 0, Time::ZERO)
        };
        assert_eq!((of(0x04), of(0x44), of(0x0A)), (32_768, 2_048, 32_768));
    }

    #[test]
    fn correction_shifts_and_scales() {
        let settings = Settings {
            ctrlb: 1 << 3,
            inputctrl: 6,
            gaincorr: 1_024,
            offsetcorr: 0xFF8,
            ..Settings::default()
        };
        assert_eq!(settings.result(&pins(6, 500_000), 0, Time::ZERO), 1_028);
    }

    #[test]
    fn times_are_those_of_the_data_sheet() {
        // 12 bits, single-ended, no gain: 1 + 6 + 1 cycles; differential one less.
        assert_eq!(Settings::default().half_cycles(), 16);
        assert_eq!(Settings { ctrlb: 1, ..Settings::default() }.half_cycles(), 14);
        assert_eq!(Settings { ctrlb: 3 << 4, ..Settings::default() }.half_cycles(), 12);
        assert_eq!(Settings { sampctrl: 5, ..Settings::default() }.half_cycles(), 21);
        assert_eq!(Settings { avgctrl: 2, ..Settings::default() }.half_cycles(), 64);
        assert_eq!(Settings { inputctrl: 4 << 24, ..Settings::default() }.half_cycles(), 20);
    }
}
