// SPDX-License-Identifier: MIT OR Apache-2.0
//! A receiver of O-QPSK: finds frames in what an antenna hears, and their bytes, with errors.
//!
//! It synchronizes with a frame of which it has heard the end of the preamble and the SFD, and stays with that until it
//! is made to look for others. A frame that is stronger and comes later only disturbs.

use super::ear::{Ear, Receiver, Signal};
use super::error_rate::oqpsk_symbol;
use super::{Meeting, Modulation, OQPSK_BYTE, Passage, Reception, Transmission, centidbm};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Symbols of the preamble, before the SFD, that it must have heard.
const PREAMBLE_BYTES: usize = 2;
/// Time over which the power of a frame is measured, after its SFD: 8 symbols.
const MEASURED: Time = Time::from_us(128);
/// Error rates below are taken for none: a random number has 32 bits.
const NEVER_WRONG: f64 = 1e-10;
/// What the random numbers of symbols, and of bytes where there is no signal, are for.
const SYMBOLS: u32 = 0x5359_4D42;
const NOISE: u32 = 0x4E4F_4953;

/// To what a receiver is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// How it hears.
    pub receiver: Receiver,
    /// Its delimiter between preamble and length.
    pub sfd: u8,
    /// The rate of the payload that it expects, in kbit/s.
    pub kbps: u16,
    /// The weakest signal that it synchronizes with, in hundredths of a dBm.
    pub threshold: i32,
}

/// A frame that it has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// When its SFD has ended, and its length begins.
    pub sfd: Time,
    /// Number of the mote that sends it.
    pub sender: u32,
}

/// A receiver.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Demodulator {
    ear: Ear,
    /// Since when it listens, if it does.
    since: Option<Time>,
    /// Up to when it has decided whether SFDs that ended by then are those of frames.
    decided: Time,
    lock: Option<Lock>,
}

/// The frame that it is synchronized with.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Lock {
    passage: Passage,
    number: u32,
    /// When its length begins.
    sfd: Time,
    /// Index of its length among the bytes of the transmission.
    length: usize,
    /// Bytes taken so far, the length included.
    taken: usize,
    /// Sum of the ratios of its bytes to what disturbed them.
    ratios: f64,
    /// The last ratio, and its rate of errors.
    rate: (f64, f64),
    /// Whether the bytes taken so far are those that were sent.
    is_whole: bool,
}

impl Demodulator {
    /// It begins to listen, or is set to another channel.
    pub fn listen(&mut self, now: Time) {
        (self.since, self.lock) = (Some(now), None);
        self.decided = self.decided.max(now);
    }

    /// It listens no more.
    pub fn stop(&mut self) {
        (self.since, self.lock) = (None, None);
    }

    /// Since when it listens for frames, if it does.
    pub fn since(&self) -> Option<Time> {
        self.since
    }

    /// Whether it is synchronized with a frame.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// How it meets a transmission of this power that begins to arrive, if the radio does not send.
    pub fn meets(&self, tuning: &Tuning, transmission: &Transmission, power: i32) -> Meeting {
        let is_known = transmission.modulation.header().is_some();
        if power < tuning.threshold {
            Meeting::TooWeak
        } else if self.since.is_none() {
            Meeting::Deaf
        } else if !is_known || !tuning.receiver.is_tuned_to(transmission.frequency_khz) {
            Meeting::Elsewhere
        } else if self.is_locked() {
            Meeting::Busy
        } else {
            Meeting::Listens
        }
    }

    /// Something arrives.
    pub fn hear(&mut self, reception: &Reception, now: Time) {
        let lookback = MEASURED + OQPSK_BYTE * 2;
        let mut before = Time::from_units(now.units().saturating_sub(lookback.units()));
        if let Some(lock) = &self.lock {
            before = before.min(lock.sfd);
        }
        self.ear.forget(before);
        self.ear.hear(reception);
    }

    /// When it must look next for the SFD of a frame.
    pub fn due(&self, tuning: &Tuning) -> Time {
        let samples = self.since.is_some() && self.lock.is_none();
        let candidates = self.ear.signals().iter().filter(|_| samples);
        let ends = candidates.filter_map(|signal| tuning.sfd_end(signal));
        ends.filter(|end| *end > self.decided).min().unwrap_or(Time::NEVER)
    }

    /// Whether it has found the SFD of a frame by now, with which it is synchronized then.
    pub fn look(&mut self, tuning: &Tuning, now: Time) -> Option<Found> {
        let due = self.due(tuning);
        if due > now {
            return None;
        }
        self.decided = due;
        let since = self.since?;
        let signals = self.ear.signals().iter();
        let mut ending: Vec<&Signal> =
            signals.filter(|signal| tuning.sfd_end(signal) == Some(due)).collect();
        ending.sort_by_key(|signal| (-signal.power, signal.passage.sender));
        let found = ending.into_iter().find(|signal| self.is_heard(tuning, signal, since))?;
        let (passage, number) = (found.passage, found.transmission.number);
        let length = usize::from(found.transmission.modulation.header()?) - 1;
        self.lock = Some(Lock {
            passage,
            number,
            sfd: due,
            length,
            taken: 0,
            ratios: 0.0,
            rate: (0.0, 1.0),
            is_whole: true,
        });
        Some(Found { sfd: due, sender: passage.sender })
    }

    /// Whether the end of the preamble and the SFD arrive as they are.
    fn is_heard(&self, tuning: &Tuning, signal: &Signal, since: Time) -> bool {
        let Some(header) = signal.transmission.modulation.header() else { return false };
        let sfd = usize::from(header) - 2;
        let Some(first) = sfd.checked_sub(PREAMBLE_BYTES) else { return false };
        let mut rate = (0.0, 1.0);
        signal.transmission.starts(first) >= since
            && (first..=sfd).all(|index| {
                let expected = if index == sfd { tuning.sfd } else { 0 };
                let begin = signal.transmission.starts(index);
                self.byte(tuning, signal, index, begin, OQPSK_BYTE, &mut rate).0 == expected
            })
    }

    /// A byte of a signal, and the mean ratio of it to what disturbed it.
    fn byte(
        &self,
        tuning: &Tuning,
        signal: &Signal,
        index: usize,
        begin: Time,
        length: Time,
        known: &mut (f64, f64),
    ) -> (u8, f64) {
        let sent = signal.transmission.bytes.get(index).copied().unwrap_or(0);
        let middle = begin + length / 2;
        let end = begin + length;
        let (mut byte, mut ratios) = (0, 0.0);
        let mut random = None;
        for (half, (from, until)) in [(begin, middle), (middle, end)].into_iter().enumerate() {
            let is_sent = until <= signal.transmission.end && from >= signal.transmission.begin;
            let ratio = match is_sent {
                true => self.ear.ratio(&tuning.receiver, signal, from, until),
                false => 0.0,
            };
            ratios += ratio / 2.0;
            if known.0 != ratio {
                *known = (ratio, oqpsk_symbol(ratio));
            }
            let mut symbol = sent >> (4 * half) & 15;
            if known.1 > NEVER_WRONG {
                let numbers = *random.get_or_insert_with(|| {
                    signal.passage.random(signal.transmission.number, index as u32, SYMBOLS)
                });
                if f64::from(numbers[half]) < known.1 * f64::from(u32::MAX) {
                    let step = 1 + (numbers[2] >> (16 * half) & 0xFFFF) % 15;
                    symbol = (symbol + step as u8) & 15;
                }
            }
            byte |= symbol << (4 * half);
        }
        (byte, ratios)
    }

    /// When the byte that it takes next has ended; [`Time::NEVER`] if it is not synchronized.
    pub fn next_end(&self, tuning: &Tuning) -> Time {
        self.lock.as_ref().map_or(Time::NEVER, |lock| lock.starts(tuning, lock.taken + 1))
    }

    /// When `bytes` bytes after the length have ended.
    pub fn ends(&self, tuning: &Tuning, bytes: usize) -> Time {
        self.lock.as_ref().map_or(Time::NEVER, |lock| lock.starts(tuning, 1 + bytes))
    }

    /// The next byte of the frame, the length first, if it has ended by now.
    pub fn take(&mut self, tuning: &Tuning, now: Time) -> Option<u8> {
        if self.next_end(tuning) > now {
            return None;
        }
        let mut lock = self.lock.take()?;
        let (begin, end) = (lock.starts(tuning, lock.taken), lock.starts(tuning, lock.taken + 1));
        let index = lock.length + lock.taken;
        let mut signals = self.ear.signals().iter();
        let signal = signals.find(|signal| signal.is(lock.passage.sender, lock.number));
        let expected = |signal: &&Signal| lock.taken == 0 || signal.kbps() == Some(tuning.kbps);
        let byte = match signal.filter(expected) {
            Some(signal) => {
                let (byte, ratio) =
                    self.byte(tuning, signal, index, begin, end - begin, &mut lock.rate);
                lock.ratios += ratio;
                let is_sent = end <= signal.transmission.end;
                lock.is_whole &= is_sent && signal.transmission.bytes.get(index) == Some(&byte);
                byte
            }
            None => {
                lock.is_whole = false;
                lock.noise(index as u32)
            }
        };
        lock.taken += 1;
        self.lock = Some(lock);
        Some(byte)
    }

    /// Mean ratio of the frame's power to what disturbed it, over the bytes taken.
    pub fn quality(&self) -> f64 {
        self.lock.as_ref().map_or(0.0, |lock| lock.ratios / lock.taken.max(1) as f64)
    }

    /// Whether the bytes taken of the frame, the length first, are those that were sent.
    pub fn is_whole(&self) -> bool {
        self.lock.as_ref().is_some_and(|lock| lock.is_whole)
    }

    /// When the first signal begins or ends after `time`, as far as that is known: until then the power in the channel
    /// stays as it is, apart from what is left of earlier ones in a mean over time.
    pub fn changes_after(&self, time: Time) -> Time {
        self.ear.changes_after(time)
    }

    /// Mean power in the channel in the 8 symbols before now, in hundredths of a dBm.
    pub fn power(&self, receiver: &Receiver, now: Time) -> i32 {
        let from = Time::from_units(now.units().saturating_sub(MEASURED.units()));
        centidbm(self.ear.energy(receiver, from, now.max(from + Time::UNIT)))
    }

    /// Whether a signal of O-QPSK is on the air in the channel, as strong as it synchronizes with.
    pub fn hears_carrier(&self, tuning: &Tuning, from: Time, until: Time) -> bool {
        self.ear.signals().iter().any(|signal| {
            let transmission = &signal.transmission;
            transmission.begin < until
                && transmission.end > from
                && tuning.sfd_end(signal).is_some()
        })
    }
}

impl Tuning {
    /// When the SFD of a signal ends, if it can synchronize with that.
    fn sfd_end(&self, signal: &Signal) -> Option<Time> {
        let transmission = &signal.transmission;
        let header = transmission.modulation.header().filter(|header| *header >= 2)?;
        let fits =
            signal.power >= self.threshold && self.receiver.is_tuned_to(transmission.frequency_khz);
        fits.then(|| transmission.starts(usize::from(header) - 1))
    }
}

impl Signal {
    fn kbps(&self) -> Option<u16> {
        match self.transmission.modulation {
            Modulation::Oqpsk { kbps, .. } => Some(kbps),
            Modulation::Fsk { .. } | Modulation::Noise => None,
        }
    }
}

impl Lock {
    /// When byte `index` begins; the length is the first.
    fn starts(&self, tuning: &Tuning, index: usize) -> Time {
        let modulation = Modulation::Oqpsk { header: 1, kbps: tuning.kbps };
        self.sfd + modulation.offset(index)
    }

    /// What it makes of a byte that it cannot receive.
    fn noise(&self, index: u32) -> u8 {
        self.passage.random(self.number, index, NOISE)[0] as u8
    }
}
