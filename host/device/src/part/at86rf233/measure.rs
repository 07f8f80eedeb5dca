// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measurements of the channel (data sheet of the AT86RF233, "Received Signal Strength Indicator", "Energy Detection",
//! "Clear Channel Assessment").

use super::registers::{CCA_THRES, PHY_CC_CCA, Registers};
use crate::air::{Demodulator, Tuning};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Power, in hundredths of a dBm, at which RSSI and ED are 0.
const BASE: i32 = -9_400;
/// The largest value of RSSI, in steps of 3 dB, and of ED, in dB.
const RSSI_MAX: i32 = 28;
const ED_MAX: i32 = 83;
/// Steps of CCA_THRES.CCA_ED_THRES, in hundredths of a dB.
const THRESHOLD_STEP: i32 = 200;

/// How long a measurement takes until its result is there: 8 symbols, and the processing.
pub(super) const TAKES: Time = Time::from_us(140);
/// The processing.
const PROCESSING: Time = Time::from_us(12);

/// A measurement that a program has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Measurement {
    Energy,
    Clear,
}

/// PHY_ED_LEVEL for a power in hundredths of a dBm.
pub(super) fn ed(power: i32) -> u8 {
    ((power - BASE) / 100).clamp(0, ED_MAX) as u8
}

/// PHY_RSSI.RSSI for it.
pub(super) fn rssi(power: i32) -> u8 {
    ((power - BASE) / 300).clamp(0, RSSI_MAX) as u8
}

/// The mean power in the channel, as a measurement finds it that ends now.
pub(super) fn power(air: &Demodulator, tuning: &Tuning, now: Time) -> i32 {
    air.power(&tuning.receiver, now - PROCESSING)
}

/// Whether the channel is clear, as a measurement finds it that ends now.
pub(super) fn is_clear(
    registers: &Registers,
    air: &Demodulator,
    tuning: &Tuning,
    now: Time,
) -> bool {
    let threshold = BASE + THRESHOLD_STEP * i32::from(registers.get(CCA_THRES) & 15);
    let is_loud = power(air, tuning, now) > threshold;
    let has_carrier = air.is_locked() || air.hears_carrier(tuning, now - TAKES, now - PROCESSING);
    let is_busy = match registers.get(PHY_CC_CCA) >> 5 & 3 {
        0 => has_carrier || is_loud,
        1 => is_loud,
        2 => has_carrier,
        _ => has_carrier && is_loud,
    };
    !is_busy
}
