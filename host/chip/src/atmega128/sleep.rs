// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sleep modes: what runs in each, and what ends it (data sheet, "Power Management and Sleep Modes",
//! table "Active Clock Domains and Wake Up Sources in the Different Sleep Modes").

use super::map::{ADC_COMPLETE, EEPROM_READY, SPM_READY, TIMER0_COMPARE, TIMER0_OVERFLOW};
use super::map::{EXTERNAL_INTERRUPTS, TWI_EVENT};

/// What the processor is doing: executing, or one of the six sleep modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) enum Mode {
    /// It executes.
    Active,
    /// Only the processor's clock stands.
    Idle,
    /// The I/O clock stands, too; the ADC's runs.
    AdcNoiseReduction,
    /// All oscillators stand.
    PowerDown,
    /// The timer oscillator runs.
    PowerSave,
    /// The main oscillator runs, without a clock for anything.
    Standby,
    /// Both oscillators run.
    ExtendedStandby,
}

const ANY: u64 = u64::MAX;
/// An external interrupt, the address of a slave on TWI.
const ASYNCHRONOUS: u64 = EXTERNAL_INTERRUPTS | 1 << TWI_EVENT;
const TIMER0: u64 = 1 << TIMER0_COMPARE | 1 << TIMER0_OVERFLOW;

impl Mode {
    /// The mode that MCUCR.SM2..0 select; `None` for the reserved values.
    pub fn selected(bits: u8) -> Option<Mode> {
        Some(match bits {
            0b000 => Mode::Idle,
            0b001 => Mode::AdcNoiseReduction,
            0b010 => Mode::PowerDown,
            0b011 => Mode::PowerSave,
            0b110 => Mode::Standby,
            0b111 => Mode::ExtendedStandby,
            _ => return None,
        })
    }

    /// Name in the data sheet, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Active => "active",
            Mode::Idle => "idle",
            Mode::AdcNoiseReduction => "adc noise reduction",
            Mode::PowerDown => "power-down",
            Mode::PowerSave => "power-save",
            Mode::Standby => "standby",
            Mode::ExtendedStandby => "extended standby",
        }
    }

    /// Whether the I/O clock runs.
    pub fn io_runs(self) -> bool {
        matches!(self, Mode::Active | Mode::Idle)
    }

    /// Whether the ADC's clock runs.
    pub fn adc_runs(self) -> bool {
        self.io_runs() || self == Mode::AdcNoiseReduction
    }

    /// Whether the main oscillator runs.
    pub fn oscillates(self) -> bool {
        !matches!(self, Mode::PowerDown | Mode::PowerSave)
    }

    /// Whether the timer oscillator runs, if timer 0 uses it.
    pub fn timer_oscillates(self) -> bool {
        !matches!(self, Mode::PowerDown | Mode::Standby)
    }

    /// Interrupts that end the mode, as bits by vector number.
    pub fn woken_by(self) -> u64 {
        match self {
            Mode::Active | Mode::Idle => ANY,
            Mode::AdcNoiseReduction => {
                ASYNCHRONOUS | TIMER0 | 1 << EEPROM_READY | 1 << SPM_READY | 1 << ADC_COMPLETE
            }
            Mode::PowerDown | Mode::Standby => ASYNCHRONOUS,
            Mode::PowerSave | Mode::ExtendedStandby => ASYNCHRONOUS | TIMER0,
        }
    }
}
