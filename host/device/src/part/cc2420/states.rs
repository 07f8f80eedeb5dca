// SPDX-License-Identifier: MIT OR Apache-2.0
//! The states of the radio (data sheet of the CC2420, figure 25).

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// A symbol.
pub(super) const SYMBOL: Time = Time::from_us(16);
/// The regulator's typical time; 0.6 ms at most ("Voltage Regulator").
pub(super) const REGULATOR_STARTS: Time = Time::from_us(300);
/// "Crystal Oscillator".
pub(super) const CRYSTAL_STARTS: Time = Time::from_us(860);
/// Before it receives or acknowledges, and before it sends, unless [`SHORT_TURNAROUND`] is set.
pub(super) const TURNAROUND: Time = Time::from_us(12 * 16);
/// Before it sends with TXCTRL.TX_TURNAROUND clear.
pub(super) const SHORT_TURNAROUND: Time = Time::from_us(8 * 16);
/// After a frame, before it looks for the next.
pub(super) const RX_WAIT: Time = Time::from_us(8 * 16);

/// A state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum State {
    PowerDown,
    Idle,
    RxCalibrate,
    RxSfdSearch,
    RxWait,
    RxFrame,
    RxOverflow,
    TxCalibrate,
    TxPreamble,
    TxFrame,
    TxAckCalibrate,
    TxAckPreamble,
    TxAck,
    TxUnderflow,
    /// After STXCAL, with the synthesizer on.
    Synthesizer,
}

use State::*;

impl State {
    /// FSMSTATE.FSM_CUR_STATE. Where the data sheet has several numbers for a state, it is the first.
    pub fn number(self) -> u16 {
        match self {
            PowerDown => 0,
            Idle => 1,
            RxCalibrate => 2,
            RxSfdSearch => 3,
            RxWait => 14,
            RxFrame => 16,
            RxOverflow => 17,
            TxCalibrate | Synthesizer => 32,
            TxPreamble => 34,
            TxFrame => 37,
            TxAckCalibrate => 48,
            TxAckPreamble => 49,
            TxAck => 52,
            TxUnderflow => 56,
        }
    }

    /// Whether its receiver is on, or about to be.
    pub fn receives(self) -> bool {
        matches!(self, RxCalibrate | RxSfdSearch | RxWait | RxFrame | RxOverflow)
    }

    /// Whether a transmission is under way or ahead: TX_ACTIVE.
    pub fn sends(self) -> bool {
        matches!(self, TxCalibrate | TxPreamble | TxFrame | TxAckCalibrate | TxAckPreamble | TxAck)
    }

    /// Whether its power amplifier is on.
    pub fn is_on_air(self) -> bool {
        matches!(self, TxPreamble | TxFrame | TxAckPreamble | TxAck)
    }

    /// Whether its synthesizer is being calibrated.
    pub fn calibrates(self) -> bool {
        matches!(self, RxCalibrate | TxCalibrate | TxAckCalibrate)
    }
}

/// Something that takes its time to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Start {
    Off,
    /// It runs from this time on.
    Until(Time),
    On,
}

impl Start {
    pub fn due(self) -> Time {
        if let Start::Until(time) = self { time } else { Time::NEVER }
    }

    /// It is told to start at `now`, which takes so long.
    pub fn begin(&mut self, now: Time, takes: Time) {
        if *self == Start::Off {
            *self = Start::Until(now + takes);
        }
    }

    /// When it runs, if it is told to start at `now`.
    pub fn earliest(self, now: Time, takes: Time) -> Time {
        match self {
            Start::Off => now + takes,
            Start::Until(time) => now.max(time),
            Start::On => now,
        }
    }
}
