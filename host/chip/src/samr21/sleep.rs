// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sleep modes and their wake-up times (data sheet, "Sleep Mode Operation", "Wake-Up Time").

use super::clocks::Power;
use crate::Time;

/// Times from a wake-up's cause to the first edge of the processor's clock, by sleep mode (data
/// sheet, "Wake-Up Time", measured on OSC8M).
const WAKE_IDLE: [Time; 3] = [Time::from_ns(4_000), Time::from_ns(12_100), Time::from_ns(13_000)];
const WAKE_STANDBY: Time = Time::from_ns(19_600);

/// A sleep mode: idle 0 to 2 (PM SLEEP.IDLE), or standby.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) enum SleepMode {
    Idle(usize),
    Standby,
}

impl SleepMode {
    /// Name in the data sheet, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            SleepMode::Idle(0) => "idle0",
            SleepMode::Idle(1) => "idle1",
            SleepMode::Idle(_) => "idle2",
            SleepMode::Standby => "standby",
        }
    }

    /// The clocks that run in it.
    pub fn power(self) -> Power {
        match self {
            SleepMode::Idle(depth) => Power::Idle { ahb: depth < 1, apb: depth < 2 },
            SleepMode::Standby => Power::Standby,
        }
    }

    /// Time from a wake-up's cause to the first edge of the processor's clock.
    pub fn wake_time(self) -> Time {
        match self {
            SleepMode::Idle(depth) => WAKE_IDLE[depth.min(2)],
            SleepMode::Standby => WAKE_STANDBY,
        }
    }
}
