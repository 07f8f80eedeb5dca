// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers (data sheet of the CC1000, "Configuration registers"), and what they come to.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

pub(super) const MAIN: u8 = 0x00;
const FREQ_2A: u8 = 0x01;
const FREQ_2B: u8 = 0x04;
const FSEP1: u8 = 0x07;
const FSEP0: u8 = 0x08;
const FRONT_END: u8 = 0x0A;
const PA_POW: u8 = 0x0B;
const PLL: u8 = 0x0C;
const LOCK: u8 = 0x0D;
pub(super) const CAL: u8 = 0x0E;
const MODEM1: u8 = 0x10;
const MODEM0: u8 = 0x11;
const FSCTRL: u8 = 0x13;
/// The last of the first row of registers.
const PRESCALER: u8 = 0x1C;
const TEST6: u8 = 0x40;
const TEST5: u8 = 0x41;
pub(super) const TEST2: u8 = 0x44;
const TEST1: u8 = 0x45;
const TEST0: u8 = 0x46;

/// MAIN.
const RXTX: u8 = 1 << 7;
const F_REG: u8 = 1 << 6;
const RX_PD: u8 = 1 << 5;
const TX_PD: u8 = 1 << 4;
const FS_PD: u8 = 1 << 3;
const CORE_PD: u8 = 1 << 2;
const BIAS_PD: u8 = 1 << 1;
const RESET_N: u8 = 1;

/// CAL.
pub(super) const CAL_START: u8 = 1 << 7;
const CAL_DUAL: u8 = 1 << 6;
const CAL_WAIT: u8 = 1 << 5;
const CAL_COMPLETE: u8 = 1 << 3;

/// LOCK.
const LOCK_INSTANT: u8 = 1 << 1;
const LOCK_CONTINUOUS: u8 = 1;

/// MODEM1.
const LOCK_AVG_IN: u8 = 1 << 4;
const LOCK_AVG_MODE: u8 = 1 << 3;
const MODEM_RESET_N: u8 = 1;

/// TEST5.
const VCO_OVERRIDE: u8 = 1 << 4;

/// MAIN has no value of its own after power-up; this one is off, and in reset.
const POWERED: u8 = RX_PD | TX_PD | FS_PD | CORE_PD | BIAS_PD;

/// Values after a reset, from FREQ_2A on; FSHAPE7 to FSHAPE1 and FSDELAY are reserved.
const FIRST: [u8; PRESCALER as usize] = [
    0x75, 0xA0, 0xCB, 0x75, 0xA5, 0x4E, 0x00, 0x59, 0xCA, 0x08, 0x0F, 0x10, 0x00, 0x05, 0x96, 0x67,
    0x24, 0x00, 0x01, 0x1C, 0x16, 0x10, 0x0A, 0x06, 0x03, 0x01, 0x2F, 0x00,
];
/// The same of TEST6 to TEST0, the last three of which cannot be written.
const LAST: [u8; 7] = [0x10, 0x08, 0x25, 0x04, 0x00, 0x00, 0x00];

/// How bits are carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Format {
    /// As they are, with a clock.
    Nrz,
    /// In halves of opposite frequency, with a clock.
    Manchester,
    /// As levels, without a clock.
    Uart,
}

/// In which direction the radio is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Direction {
    Receive,
    Transmit,
}

/// The frequency that the synthesizer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Asked {
    /// Of the oscillator, in kHz: the lower of two frequencies when it sends.
    pub khz: u32,
    /// MAIN.F_REG: 0 is A.
    pub register: usize,
    pub sends: bool,
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Registers {
    main: u8,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl Registers {
    pub fn powered() -> Registers {
        let (first, last) = (Vec::from(FIRST), Vec::from(LAST));
        Registers { main: POWERED, first, last }
    }

    fn place(&mut self, register: u8) -> Option<&mut u8> {
        match register {
            MAIN => Some(&mut self.main),
            FREQ_2A..=PRESCALER => self.first.get_mut(usize::from(register) - 1),
            TEST6..=TEST0 => self.last.get_mut(usize::from(register - TEST6)),
            _ => None,
        }
    }

    /// What was written to a register that there is.
    fn get(&self, register: u8) -> u8 {
        let value = match register {
            MAIN => Some(&self.main),
            TEST6.. => self.last.get(usize::from(register - TEST6)),
            _ => self.first.get(usize::from(register) - 1),
        };
        value.copied().unwrap_or(0)
    }

    fn is(&self, register: u8, mask: u8) -> bool {
        self.get(register) & mask != 0
    }

    /// What a register reads as, status bits apart; `None` if there is none.
    pub fn read(&self, register: u8) -> Option<u8> {
        matches!(register, (..=PRESCALER) | TEST6..=TEST0).then(|| self.get(register))
    }

    /// Writes a register. Whether there is one.
    pub fn write(&mut self, register: u8, value: u8) -> bool {
        let status = match register {
            LOCK => LOCK_CONTINUOUS | LOCK_INSTANT,
            CAL => CAL_COMPLETE,
            TEST2..=TEST0 => 0xFF,
            _ => 0,
        };
        let Some(place) = self.place(register) else { return false };
        *place = value & !status | *place & status;
        if !self.is(MAIN, RESET_N) {
            *self = Registers { main: self.main, ..Registers::powered() };
        }
        true
    }

    /// MAIN.RESET_N: whether the others have their values after a reset, whatever is written.
    pub fn are_reset(&self) -> bool {
        !self.is(MAIN, RESET_N)
    }

    pub fn set_locked(&mut self, is_locked: bool) {
        self.set(LOCK, LOCK_CONTINUOUS | LOCK_INSTANT, is_locked);
    }

    pub fn set_calibrated(&mut self, is_complete: bool) {
        self.set(CAL, CAL_COMPLETE, is_complete);
    }

    fn set(&mut self, register: u8, mask: u8, on: bool) {
        let Some(place) = self.place(register) else { return };
        *place = if on { *place | mask } else { *place & !mask };
    }

    /// The results of a calibration that can be read: CHP_CURRENT, CAL_DAC and VCO_ARRAY.
    pub fn set_results(&mut self, results: [u8; 3]) {
        for (register, result) in [TEST2, TEST1, TEST0].into_iter().zip(results) {
            if let Some(place) = self.place(register) {
                *place = result;
            }
        }
    }

    pub fn has_core(&self) -> bool {
        !self.is(MAIN, CORE_PD)
    }

    pub fn has_bias(&self) -> bool {
        !self.is(MAIN, BIAS_PD)
    }

    /// FRONT_END.XOSC_BYPASS.
    pub fn bypasses_crystal(&self) -> bool {
        self.is(FRONT_END, 1)
    }

    /// Whether the synthesizer is on, and not in its own reset.
    pub fn has_synthesizer(&self) -> bool {
        !self.is(MAIN, FS_PD) && self.is(FSCTRL, 1)
    }

    /// TX_PD, RX_PD: whether the parts for sending, or receiving, are on.
    pub fn is_powered(&self, direction: Direction) -> bool {
        let down = if direction == Direction::Transmit { TX_PD } else { RX_PD };
        !self.is(MAIN, down)
    }

    /// MAIN.RXTX.
    pub fn direction(&self) -> Direction {
        if self.is(MAIN, RXTX) { Direction::Transmit } else { Direction::Receive }
    }

    /// The direction in which it is on.
    pub fn active(&self) -> Option<Direction> {
        Some(self.direction()).filter(|direction| self.is_powered(*direction))
    }

    /// MODEM1.MODEM_RESET_N.
    pub fn has_modem(&self) -> bool {
        self.is(MODEM1, MODEM_RESET_N)
    }

    pub fn refdiv(&self) -> u32 {
        u32::from(self.get(PLL) >> 3 & 15)
    }

    /// What the synthesizer is asked for, with a crystal of this frequency in millihertz.
    pub fn asked(&self, crystal: u64) -> Asked {
        let sends = self.direction() == Direction::Transmit;
        let register = usize::from(self.is(MAIN, F_REG));
        Asked { khz: self.khz(crystal, self.freq(register)), register, sends }
    }

    fn freq(&self, register: usize) -> u32 {
        let first = if register == 0 { FREQ_2A } else { FREQ_2B };
        let [high, middle, low] = [first, first + 1, first + 2].map(|it| self.get(it));
        u32::from_be_bytes([0, high, middle, low])
    }

    /// f_VCO = f_ref * (FREQ + 8192) / 16384, f_ref = f_xosc / REFDIV ("Frequency programming").
    fn khz(&self, crystal: u64, freq: u32) -> u32 {
        let product = u128::from(crystal) * (u128::from(freq) + 8_192);
        let divisor = u128::from(self.refdiv().max(1)) * 16_384 * 1_000_000;
        u32::try_from((product + divisor / 2) / divisor).unwrap_or(u32::MAX)
    }

    /// Distance of the two frequencies that it sends, in kHz.
    pub fn separation_khz(&self, crystal: u64) -> u32 {
        let fsep = u64::from(self.get(FSEP1) & 7) << 8 | u64::from(self.get(FSEP0));
        let divisor = u64::from(self.refdiv().max(1)) * 16_384 * 1_000;
        ((crystal / 1_000 * fsep + divisor / 2) / divisor) as u32
    }

    pub fn pa_pow(&self) -> u8 {
        self.get(PA_POW)
    }

    /// FRONT_END.IF_RSSI: whether the pin RSSI has the signal's strength.
    pub fn has_rssi(&self) -> bool {
        self.get(FRONT_END) >> 1 & 3 == 1
    }

    /// FRONT_END.IF_RSSI: whether the demodulator on the chip is used.
    pub fn has_demodulator(&self) -> bool {
        self.get(FRONT_END) >> 1 & 3 < 2
    }

    /// LOCK.LOCK_SELECT: what CHP_OUT shows.
    pub fn lock_select(&self) -> u8 {
        self.get(LOCK) >> 4
    }

    pub fn is_locked(&self) -> bool {
        self.is(LOCK, LOCK_CONTINUOUS)
    }

    pub fn is_calibrated(&self) -> bool {
        self.is(CAL, CAL_COMPLETE)
    }

    pub fn starts_calibration(&self) -> bool {
        self.is(CAL, CAL_START)
    }

    /// CAL.CAL_DUAL: whether the result is for both frequency registers.
    pub fn calibrates_both(&self) -> bool {
        self.is(CAL, CAL_DUAL)
    }

    /// CAL.CAL_WAIT: whether the calibration takes its normal time, not half of it.
    pub fn calibrates_slowly(&self) -> bool {
        self.is(CAL, CAL_WAIT)
    }

    /// What replaces the result of a calibration (TEST5.VCO_AO), if something does.
    pub fn vco_override(&self) -> Option<u8> {
        self.is(TEST5, VCO_OVERRIDE).then(|| self.get(TEST5) & 15)
    }

    /// MODEM1: whether the averaging filter is locked by hand; `None` if it locks by itself.
    pub fn average_lock(&self) -> Option<bool> {
        self.is(MODEM1, LOCK_AVG_MODE).then(|| self.is(MODEM1, LOCK_AVG_IN))
    }

    /// MODEM1.SETTLING: bauds that the averaging filter takes.
    pub fn settling_bauds(&self) -> u64 {
        [11, 22, 43, 86][usize::from(self.get(MODEM1) >> 1 & 3)]
    }

    /// MODEM0.DATA_FORMAT; `None` for the one that is not defined.
    pub fn format(&self) -> Option<Format> {
        [Some(Format::Nrz), Some(Format::Manchester), Some(Format::Uart), None]
            [usize::from(self.get(MODEM0) >> 2 & 3)]
    }

    /// MODEM0: changes of frequency a second, with a crystal of this frequency in millihertz; `None` for a rate that is not
    /// defined. 0.6 kBaud times a power of two come from 3.6864 MHz, which XOSC_FREQ makes from the crystal.
    pub fn baud(&self, crystal: u64) -> Option<u64> {
        let (rate, xosc) = (self.get(MODEM0) >> 4 & 7, u64::from(self.get(MODEM0) & 3) + 1);
        (rate < 6).then(|| (crystal << rate) / (6_144 * 1_000 * xosc))
    }

    /// Length of a bit.
    pub fn bit(&self, crystal: u64) -> Option<Time> {
        let format = self.format()?;
        let (rate, xosc) = (self.get(MODEM0) >> 4 & 7, u64::from(self.get(MODEM0) & 3) + 1);
        let bauds = if format == Format::Manchester { 2 } else { 1 };
        let units = u128::from(Time::PER_S) * 6_144 * 1_000 * u128::from(xosc * bauds);
        let rate = u128::from(crystal) << rate;
        self.baud(crystal)?;
        Some(Time::from_units(((units + rate / 2) / rate.max(1)) as u64))
    }
}
