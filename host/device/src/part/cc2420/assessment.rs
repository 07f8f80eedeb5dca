// SPDX-License-Identifier: MIT OR Apache-2.0
//! The power in the channel, and whether the channel is clear (data sheet of the CC2420, "RSSI / Energy Detection", "Clear
//! Channel Assessment").
//!
//! RSSI follows the air symbol by symbol. While nothing begins or ends there it stays as it is, and takes no time.

use super::chip::Chip;
use super::receiver::rssi_val;
use super::registers::{CCA_HYST, CCA_MODE, CCA_THR};
use super::states::{SYMBOL, State};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// RSSI is a mean over as much.
const AVERAGE: Time = Time::from_us(8 * 16);
/// RSSI_VAL of a receiver that is off.
const NO_RSSI: i8 = -128;

/// CCA modes in which only energy counts, and only frames.
const ENERGY: u16 = 1;
const FRAMES: u16 = 2;
const BOTH: u16 = 3;

/// What was last found.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Assessment {
    at: Time,
    /// Whether the energy is above the threshold, with hysteresis.
    is_busy: bool,
}

impl Chip {
    pub fn is_rssi_valid(&self, now: Time) -> bool {
        self.since.is_some_and(|since| now >= since + AVERAGE)
    }

    /// RSSI_VAL: a mean over the 8 symbols up to the last one that has ended.
    pub fn rssi(&self, now: Time) -> i8 {
        let Some(since) = self.since.filter(|_| self.is_rssi_valid(now)) else { return NO_RSSI };
        let symbols = (now - since).units() / SYMBOL.units();
        rssi_val(self.demodulator.power(&self.tuning().receiver, since + SYMBOL * symbols))
    }

    /// When the assessment of the channel may next be another one.
    pub fn assessment_due(&self) -> Time {
        let Some(since) = self.since else { return Time::NEVER };
        let valid = since + AVERAGE;
        if self.assessment.at < valid {
            return valid;
        }
        if self.registers.field(CCA_MODE) == FRAMES {
            return Time::NEVER;
        }
        match self.demodulator.changes_after(self.assessment.at - AVERAGE) {
            Time::NEVER => Time::NEVER,
            change => {
                let after = change.max(self.assessment.at);
                since + SYMBOL * ((after - since).units() / SYMBOL.units() + 1)
            }
        }
    }

    /// Assesses the energy in the channel.
    pub fn assess(&mut self, now: Time) {
        let rssi = i16::from(self.rssi(now));
        let threshold = i16::from(self.registers.field(CCA_THR) as u8 as i8);
        let hysteresis = self.registers.field(CCA_HYST) as i16;
        let was_busy = self.assessment.is_busy;
        let is_busy = rssi >= threshold || was_busy && rssi >= threshold - hysteresis;
        self.assessment = Assessment { at: now, is_busy };
    }

    /// CCA. Before RSSI is valid, it is that of its lowest value: the channel is clear.
    pub fn is_channel_clear(&self) -> bool {
        let is_quiet = self.since.is_none() || !self.assessment.is_busy;
        let is_idle = self.state != State::RxFrame;
        match self.registers.field(CCA_MODE) {
            ENERGY => is_quiet,
            FRAMES => is_idle,
            BOTH => is_quiet && is_idle,
            _ => true,
        }
    }
}
