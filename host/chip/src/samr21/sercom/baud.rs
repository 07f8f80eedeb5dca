// SPDX-License-Identifier: MIT OR Apache-2.0
//! The baud generator (data sheet, "Clock Generation - Baud-Rate Generator").

use super::registers::Registers;
use crate::clock::Clock;

/// The clock with which a serial line is sampled, and the number of its edges per bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Baud {
    pub sample: Clock,
    pub samples_per_bit: u64,
}

impl Baud {
    /// The USART's generator as CTRLA.SAMPR, CTRLA.CMODE and BAUD set it; `None` if it is stopped.
    pub fn usart(core: Clock, registers: &Registers) -> Option<Baud> {
        let baud = registers.baud & 0xFFFF;
        if registers.is_synchronous() {
            let sample = core.divided((baud as u64 & 0xFF) + 1);
            return Some(Baud { sample, samples_per_bit: 2 });
        }
        let (samples_per_bit, fractional) = match registers.sample_rate() {
            0 => (16, false),
            1 => (16, true),
            2 => (8, false),
            3 => (8, true),
            _ => (3, false),
        };
        let sample = if fractional {
            let eighths = (baud & 0x1FFF) * 8 + (baud >> 13);
            if eighths == 0 {
                return None;
            }
            core.multiplied(8, eighths as u64)
        } else {
            core.multiplied(65_536 - baud as u64, 65_536)
        };
        Some(Baud { sample, samples_per_bit })
    }

    /// The clock of an SPI master: f = f_ref / (2 * (BAUD + 1)).
    pub fn spi(core: Clock, registers: &Registers) -> Clock {
        core.divided(2 * ((registers.baud as u64 & 0xFF) + 1))
    }

    /// The bits that pass, as a clock.
    pub fn bit(&self) -> Clock {
        self.sample.divided(self.samples_per_bit)
    }

    /// The samples of a bit that decide by majority, counted from the bit's first, which is 0.
    pub fn deciding_samples(&self, adjustment: u32) -> [u64; 3] {
        match self.samples_per_bit {
            16 => [6, 7, 8].map(|sample| sample + 2 * adjustment as u64),
            8 => [2, 3, 4].map(|sample| sample + adjustment as u64),
            _ => [1; 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;

    fn usart(ctrla: u32, baud: u32) -> Registers {
        Registers { ctrla: ctrla | 0x04, baud, ..Registers::new(0) }
    }

    fn millihertz(core: u64, registers: &Registers) -> u64 {
        let core = Clock::new(Time::ZERO, core);
        Baud::usart(core, registers).expect("a baud rate").bit().millihertz()
    }

    #[test]
    fn arithmetic_rate_is_the_data_sheets_formula() {
        // f = f_ref / 16 * (1 - BAUD / 65536): 48 MHz and 63019 make 115219.1 baud.
        assert_eq!(millihertz(48_000_000, &usart(0, 63_019)), 115_219_116);
        // 8 samples a bit double it.
        assert_eq!(millihertz(48_000_000, &usart(2 << 13, 63_019)), 230_438_232);
    }

    #[test]
    fn fractional_rate_is_the_data_sheets_formula() {
        // f = f_ref / (16 * (BAUD + FP / 8)): 8 MHz, 4 and 3/8.
        assert_eq!(millihertz(8_000_000, &usart(1 << 13, 4 | 3 << 13)), 114_285_714);
    }

    #[test]
    fn a_fractional_generator_of_zero_stands() {
        let core = Clock::new(Time::ZERO, 8_000_000);
        assert_eq!(Baud::usart(core, &usart(1 << 13, 0)), None);
    }

    #[test]
    fn synchronous_rates_are_divided_by_twice_baud_plus_one() {
        assert_eq!(millihertz(8_000_000, &usart(1 << 28, 3)), 1_000_000_000);
        let core = Clock::new(Time::ZERO, 48_000_000);
        assert_eq!(Baud::spi(core, &usart(0, 5)).hz(), 4_000_000);
    }

    #[test]
    fn the_deciding_samples_are_those_of_the_data_sheet() {
        // Counted from one: 7-8-9 to 13-14-15 of 16, and 3-4-5 to 6-7-8 of 8.
        let core = Clock::new(Time::ZERO, 8_000_000);
        for adjustment in 0..4u32 {
            for (sampr, first, step) in [(0, 7, 2), (2, 3, 1)] {
                let registers = usart(sampr << 13 | adjustment << 22, 50_000);
                assert_eq!(registers.sample_adjustment(), adjustment);
                let baud = Baud::usart(core, &registers).expect("a baud rate");
                let first = first + u64::from(adjustment) * step;
                let counted = baud.deciding_samples(adjustment).map(|sample| sample + 1);
                assert_eq!(counted, [first, first + 1, first + 2]);
            }
        }
    }
}
