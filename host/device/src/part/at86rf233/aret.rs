// SPDX-License-Identifier: MIT OR Apache-2.0
//! TX_ARET: sending with unslotted CSMA-CA, and again if no acknowledgment comes (data sheet of the AT86RF233,
//! "TX_ARET_ON - Transmit with Automatic Frame Retransmission and CSMA-CA Retry").

use super::measure;
use super::registers::{CSMA_BE, CSMA_SEED_0, CSMA_SEED_1, Registers, XAH_CTRL_0};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// A period of backoff: 20 symbols.
const BACKOFF: Time = Time::from_us(320);
/// How long it waits for an acknowledgment: 54 symbols.
pub(super) const ACK_WAIT: Time = Time::from_us(864);
/// XAH_CTRL_0.MAX_CSMA_RETRIES that stands for sending without CSMA-CA.
const WITHOUT_CSMA: u8 = 7;

/// Results (TRX_STATE.TRAC_STATUS).
pub(super) const SUCCESS: u8 = 0;
pub(super) const SUCCESS_DATA_PENDING: u8 = 1;
pub(super) const CHANNEL_ACCESS_FAILURE: u8 = 3;
pub(super) const NO_ACK: u8 = 5;
pub(super) const INVALID: u8 = 7;

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Phase {
    /// Waits before it looks whether the channel is clear.
    Backoff(Time),
    /// Looks.
    Assess(Time),
    /// Sends.
    Send,
    /// Waits for the acknowledgment of this sequence number.
    Wait(Time, u8),
}

/// What it does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Continue,
    Send,
    Fail(u8),
}

/// A transaction.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Aret {
    pub phase: Phase,
    csma_retries: u8,
    frame_retries: u8,
    exponent: u8,
    random: u16,
}

/// The next number of its generator: a shift register of 11 bits with the taps of a sequence of full length.
fn next(random: u16) -> u16 {
    let bit = (random >> 10 ^ random >> 8) & 1;
    (random << 1 | bit) & 0x7FF
}

impl Aret {
    /// Begins a transaction; `random` is what is left of the generator of the last one, if there was one.
    pub fn begun(registers: &Registers, random: Option<u16>) -> Aret {
        let seed =
            u16::from(registers.get(CSMA_SEED_1) & 7) << 8 | u16::from(registers.get(CSMA_SEED_0));
        let random = random.unwrap_or(if seed == 0 { 1 } else { seed });
        Aret { phase: Phase::Send, csma_retries: 0, frame_retries: 0, exponent: 0, random }
    }

    /// Where its generator is.
    pub fn random(&self) -> u16 {
        self.random
    }

    /// How often it has repeated the frame, and the backoff of the last time (XAH_CTRL_2).
    pub fn repetitions(&self) -> u8 {
        self.frame_retries << 4 | self.csma_retries << 1
    }

    /// Begins to look for a clear channel; sends at once if it is to do so without.
    pub fn access(&mut self, registers: &Registers, now: Time) -> Step {
        self.csma_retries = 0;
        self.exponent = registers.get(CSMA_BE) & 15;
        if registers.get(XAH_CTRL_0) >> 1 & 7 == WITHOUT_CSMA {
            self.phase = Phase::Send;
            return Step::Send;
        }
        self.back_off(now);
        Step::Continue
    }

    fn back_off(&mut self, now: Time) {
        (0..8).for_each(|_| self.random = next(self.random));
        let periods = u64::from(self.random) & ((1 << self.exponent.min(8)) - 1);
        self.phase = Phase::Backoff(now + BACKOFF * periods);
    }

    pub fn due(&self) -> Time {
        match self.phase {
            Phase::Backoff(due) | Phase::Assess(due) | Phase::Wait(due, _) => due,
            Phase::Send => Time::NEVER,
        }
    }

    /// The backoff is over: looks at the channel.
    pub fn assess(&mut self, now: Time) {
        self.phase = Phase::Assess(now + measure::TAKES);
    }

    /// It has looked.
    pub fn assessed(&mut self, registers: &Registers, is_clear: bool, now: Time) -> Step {
        if is_clear {
            self.phase = Phase::Send;
            return Step::Send;
        }
        self.csma_retries += 1;
        if self.csma_retries > registers.get(XAH_CTRL_0) >> 1 & 7 {
            return Step::Fail(CHANNEL_ACCESS_FAILURE);
        }
        self.exponent = (self.exponent + 1).min(registers.get(CSMA_BE) >> 4);
        self.back_off(now);
        Step::Continue
    }

    /// No acknowledgment has come.
    pub fn missed(&mut self, registers: &Registers, now: Time) -> Step {
        if self.frame_retries >= registers.get(XAH_CTRL_0) >> 4 {
            return Step::Fail(NO_ACK);
        }
        self.frame_retries += 1;
        self.access(registers, now)
    }
}
