// SPDX-License-Identifier: MIT OR Apache-2.0
//! A frame that is being received: from its SFD to its end, into the frame buffer (data sheet of the AT86RF233,
//! "Receiver", "Frame Buffer", "Link Quality Indication").

use super::frame::Header;
use crate::air::{Demodulator, Found, Frame, Tuning, is_intact};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// From a symbol on the air to the interrupt that tells of it (tIRQ).
const LATENCY: Time = Time::from_us(9);
/// From the SFD until its energy is known: 8 symbols, and the processing.
pub(super) const ED_TIME: Time = Time::from_us(140);
/// Ratio of the signal to what disturbs it, in dB, from which on LQI has its largest value, and how much a dB is then.
const LQI_FULL_DB: f64 = 6.0;
const LQI_STEP: f64 = 32.0;

/// Where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Stage {
    /// Its length is to come.
    Length,
    /// Its addresses are to come.
    Addresses,
    /// The rest is to come.
    Rest,
}

/// What happens in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing that matters.
    Nothing,
    /// Its length is known.
    Started,
    /// It has no bytes.
    Empty,
    /// Its addresses are known, or it ends without.
    Addressed(Option<Header>),
    /// It has ended.
    Ended,
}

/// A frame.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Receiving {
    pub stage: Stage,
    pub sender: u32,
    pub sfd: Time,
    /// Whether the radio has no room for it.
    pub is_dropped: bool,
    /// Whether its bytes come into the frame buffer. While TX_ARET listens for an acknowledgment, they do not.
    pub is_stored: bool,
    /// Its bytes so far, without the length.
    pub bytes: Vec<u8>,
    pub length: u8,
    pub due: Time,
    /// Whether the radio looks at its addresses.
    filters: bool,
}

impl Receiving {
    pub fn begun(found: Found, air: &Demodulator, tuning: &Tuning, filters: bool) -> Receiving {
        Receiving {
            stage: Stage::Length,
            sender: found.sender,
            sfd: found.sfd,
            is_dropped: false,
            is_stored: false,
            bytes: Vec::new(),
            length: 0,
            due: air.next_end(tuning) + LATENCY,
            filters,
        }
    }

    /// Takes the bytes that have ended by now.
    pub fn take(&mut self, air: &mut Demodulator, tuning: &Tuning, now: Time) {
        while self.bytes.len() < usize::from(self.length) {
            let Some(byte) = air.take(tuning, now) else { return };
            self.bytes.push(byte);
        }
    }

    /// Does what is due.
    pub fn proceed(&mut self, air: &mut Demodulator, tuning: &Tuning, now: Time) -> Progress {
        match self.stage {
            Stage::Length => {
                self.length = air.take(tuning, now).unwrap_or(0) & 0x7F;
                let control = air.ends(tuning, 2);
                (self.stage, self.due) = match self.filters && self.length >= 2 {
                    true => (Stage::Addresses, control + LATENCY),
                    false => (Stage::Rest, air.ends(tuning, self.length.into()) + LATENCY),
                };
                if self.length == 0 { Progress::Empty } else { Progress::Started }
            }
            Stage::Addresses => {
                self.take(air, tuning, now);
                let needed = Header::needed([self.bytes[0], self.bytes[1]]);
                let needed = needed.min(self.length.into());
                if self.bytes.len() < needed {
                    self.due = air.ends(tuning, needed) + LATENCY;
                    return self.nothing_yet(air, tuning, now);
                }
                self.stage = Stage::Rest;
                self.due = air.ends(tuning, self.length.into()) + LATENCY;
                Progress::Addressed(Header::of(&self.bytes))
            }
            Stage::Rest => {
                self.take(air, tuning, now);
                Progress::Ended
            }
        }
    }

    /// Its addresses need more bytes, which may be there.
    fn nothing_yet(&mut self, air: &mut Demodulator, tuning: &Tuning, now: Time) -> Progress {
        if self.due <= now { self.proceed(air, tuning, now) } else { Progress::Nothing }
    }

    /// When its last symbol has ended.
    pub fn end(&self, air: &Demodulator, tuning: &Tuning) -> Time {
        air.ends(tuning, self.length.into())
    }

    /// Whether its checksum is right.
    pub fn is_intact(&self) -> bool {
        is_intact(&self.bytes)
    }

    /// The report of it.
    pub fn report(&self, tuning: &Tuning, power: i32) -> Frame {
        Frame {
            start: self.sfd,
            frequency_khz: tuning.receiver.frequency_khz,
            rate: u32::from(tuning.kbps) * 1_000,
            power,
            bytes: self.bytes.to_vec(),
        }
    }
}

/// LQI of a frame, by the ratio of its signal to what disturbed it.
pub(super) fn lqi(ratio: f64) -> u8 {
    let db = 10.0 * libm::log10(ratio.max(1e-6));
    (255.0 - (LQI_FULL_DB - db).max(0.0) * LQI_STEP).clamp(0.0, 255.0) as u8
}
