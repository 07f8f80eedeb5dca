// SPDX-License-Identifier: MIT OR Apache-2.0
//! What radios send to each other, and how it arrives.
//!
//! A radio announces what it sends ([`OnAir`]) somewhat ahead ([`AHEAD`]), and the medium of the world tells every radio
//! in reach ([`Reception`]). What a receiver makes of all the signals that it hears at once, symbol by symbol, is
//! computed there, when it wants to know: an [`Ear`] keeps the signals, a [`Demodulator`] finds frames in them.

mod demodulator;
mod ear;
mod error_rate;
mod fcs;
mod philox;
mod power;

pub use demodulator::{Demodulator, Found, Tuning};
pub use ear::{Ear, Receiver, Signal};
pub use error_rate::{FSK_SENSITIVE, OQPSK_SENSITIVE, fsk_bit};
pub use fcs::{fcs, is_intact};
pub use philox::philox4x32;
pub use power::{centidbm, milliwatts};

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;
use std::sync::Arc;

/// What a radio decides takes effect on the air so much later, and the others know by then: a symbol of IEEE 802.15.4, which
/// is also what the radios need from the order to send to the first symbol, at least.
pub const AHEAD: Time = Time::from_us(16);

/// How a transmission carries its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Modulation {
    /// O-QPSK in the band of 2.4 GHz: two symbols a byte, the low half first (IEEE 802.15.4-2020, 12.2). The first
    /// `header` bytes, with preamble, SFD and length, are sent at 250 kbit/s, the others at `kbps`.
    Oqpsk {
        /// Bytes that are always sent at 250 kbit/s.
        header: u8,
        /// Rate of the others, in kbit/s: 250, or more where a radio can do that.
        kbps: u16,
    },
    /// Frequency shift keying, the most significant bit first.
    Fsk {
        /// Length of a bit.
        bit: Time,
        /// Whether a bit is sent as two halves of opposite frequency.
        manchester: bool,
        /// So many bits of the first byte, the most significant ones, are not sent: the carrier begins after them.
        missing: u8,
    },
    /// It carries nothing: what other devices send, which only disturbs.
    Noise,
}

/// Length of a byte of O-QPSK at 250 kbit/s.
const OQPSK_BYTE: Time = Time::from_us(32);

impl Modulation {
    /// Time from the beginning of a transmission to that of byte `index`.
    pub fn offset(self, index: usize) -> Time {
        let index = index as u64;
        match self {
            Modulation::Oqpsk { header, kbps } => {
                let first = index.min(header.into());
                OQPSK_BYTE * first + OQPSK_BYTE * 250 * (index - first) / u64::from(kbps)
            }
            Modulation::Fsk { bit, missing, .. } => {
                bit * (8 * index).saturating_sub(missing.into())
            }
            Modulation::Noise => Time::ZERO,
        }
    }
}

/// A signal that a radio sends.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Transmission {
    /// How many the radio has sent before.
    pub number: u32,
    /// When its first symbol begins.
    pub begin: Time,
    /// When its last symbol has been sent; [`Time::NEVER`] if that is not known yet.
    pub end: Time,
    /// Centre of its channel, in kHz.
    pub frequency_khz: u32,
    /// Power at the antenna, in hundredths of a dBm.
    pub power: i32,
    /// How it carries its bytes.
    pub modulation: Modulation,
    /// What it carries, from the preamble on, as far as that is known.
    pub bytes: Arc<[u8]>,
}

impl Transmission {
    /// When byte `index` begins.
    pub fn starts(&self, index: usize) -> Time {
        self.begin + self.modulation.offset(index)
    }
}

/// What a radio does on the air. It takes effect [`AHEAD`] of the time at which it is announced, or later.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum OnAir {
    /// A transmission begins.
    Begins(Transmission),
    /// Its bytes from an index on are these: further ones, or others than were announced, before they are sent.
    Says {
        /// [`Transmission::number`].
        number: u32,
        /// Index of the first.
        at: usize,
        /// They.
        bytes: Arc<[u8]>,
    },
    /// It ends at this time, which may be earlier than was announced.
    Ends {
        /// [`Transmission::number`].
        number: u32,
        /// [`Transmission::end`].
        end: Time,
    },
}

impl OnAir {
    /// The transmission that it is about.
    pub fn number(&self) -> u32 {
        match self {
            OnAir::Begins(transmission) => transmission.number,
            OnAir::Says { number, .. } | OnAir::Ends { number, .. } => *number,
        }
    }
}

/// Which transmission arrives where: what happens to its symbols by chance depends on this, and on nothing else.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub struct Passage {
    /// Seed of the medium.
    pub seed: u64,
    /// Number of the mote that sends.
    pub sender: u32,
    /// Number of the mote that hears it.
    pub receiver: u32,
}

impl Passage {
    /// Four random numbers for `symbol` of transmission `number`; `salt` tells apart what they are for.
    pub fn random(self, number: u32, symbol: u32, salt: u32) -> [u32; 4] {
        let key = [self.seed as u32 ^ salt, (self.seed >> 32) as u32];
        philox4x32([self.sender, self.receiver, number, symbol], key)
    }
}

/// What a radio does, as it arrives at a mote.
#[derive(Clone, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Reception {
    /// From whom to whom.
    pub passage: Passage,
    /// What happens.
    pub what: OnAir,
    /// Power at the receiver's antenna when it begins, in hundredths of a dBm.
    pub power: i32,
}

/// A frame that a radio has sent, or has heard, as it tells observers when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// When its SFD has ended.
    pub start: Time,
    /// Centre of its channel, in kHz.
    pub frequency_khz: u32,
    /// Rate of its payload, in bit/s.
    pub rate: u32,
    /// Power at which it was sent, or has arrived, in hundredths of a dBm.
    pub power: i32,
    /// What follows the length or the synchronization word, with the checksum.
    pub bytes: Vec<u8>,
}

/// How a radio meets a transmission that begins to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// It listens, and could hear it.
    Listens,
    /// It listens to another frame.
    Busy,
    /// The signal is weaker than what it can synchronize with.
    TooWeak,
    /// It listens in another channel, or to another kind of signal.
    Elsewhere,
    /// It sends, or is about to, and hears nothing meanwhile.
    Sends,
    /// It neither listens nor sends.
    Deaf,
}

/// What became of a frame at a radio that listened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was received.
    Received,
    /// Its checksum is wrong: the signal was weak, or something disturbed it.
    Corrupted,
    /// Its header, as far as it could be read, is that of a frame for another mote, and the radio filters frames.
    Filtered,
    /// The radio had no room for it.
    Overflowed,
    /// The radio stopped receiving before its end.
    Abandoned,
}

#[cfg(test)]
mod tests;
