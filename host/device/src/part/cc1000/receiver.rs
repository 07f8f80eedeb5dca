// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the radio makes of the signals at its antenna: bits, and the voltage of RSSI.
//!
//! Its clock of bits follows the strongest signal that it understands, from the beginning of that on, and runs on by
//! itself where there is none. Then its bits are noise. A signal of another rate or format is sampled as it comes.

use super::figures::{Band, FLOOR, FLUCTUATION, RSSI_NS, rssi_microvolts};
use super::frame;
use super::registers::Format;
use super::transmitter::{LONGEST, rate};
use crate::air::{
    self, Ear, Fate, Frame, Meeting, Modulation, OnAir, Passage, Reception, Signal, Transmission,
    centidbm, fsk_bit, milliwatts, philox4x32,
};
use crate::{Act, Report, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// Changes of frequency until its clock of bits follows a signal.
const SYNCHRONIZATION_BAUDS: u64 = 8;
/// Error rates below are taken for none.
const NEVER_WRONG: f64 = 1e-10;
/// Bytes at the end of a carrier without which a frame is whole: software sends some for the transmitter's sake.
const TRAILING: usize = 8;
/// So much of RSSI's past matters, in time constants, and how much each of them does.
const RSSI_WEIGHTS: [f64; 4] = [0.632, 0.233, 0.086, 0.049];
/// What random numbers are for.
const BITS: u32 = 0x4249_5453;
const NOISE: u32 = 0x4E4F_4953;
const STRENGTH: u32 = 0x5253_5349;

/// To what it is set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tuning {
    pub receiver: air::Receiver,
    pub band: Band,
    /// The weakest signal that its clock follows, in hundredths of a dBm.
    pub threshold: i32,
    pub format: Format,
    /// Length of a bit; of a sample, if it is transparent.
    pub bit: Time,
}

impl Tuning {
    /// Length of a change of frequency.
    pub fn baud(&self) -> Time {
        match self.format {
            Format::Nrz => self.bit,
            Format::Manchester => self.bit / 2,
            Format::Uart => self.bit * SAMPLES,
        }
    }

    /// Decisions that are taken at once: samples of a baud.
    fn together(&self) -> u64 {
        if self.format == Format::Uart { SAMPLES } else { 1 }
    }

    fn understands(&self, signal: &Signal) -> bool {
        let Modulation::Fsk { bit, manchester, .. } = signal.transmission.modulation else {
            return false;
        };
        let differs = bit.units().abs_diff(self.bit.units());
        manchester == (self.format == Format::Manchester) && differs <= self.bit.units() / 100
    }

    /// Whether there is something to follow in a signal.
    fn hears(&self, signal: &Signal) -> bool {
        signal.power >= self.threshold && self.is_for(&signal.transmission)
    }

    /// Whether a transmission is of its kind, and in its channel.
    fn is_for(&self, transmission: &Transmission) -> bool {
        matches!(transmission.modulation, Modulation::Fsk { .. })
            && self.receiver.is_tuned_to(transmission.frequency_khz)
    }
}

/// Samples of a baud where levels are passed on without a clock.
pub(super) const SAMPLES: u64 = 8;

/// The signal that it follows.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Tracked {
    passage: Passage,
    number: u32,
    power: i32,
    khz: u32,
    /// When bit 0 of its first byte is sent, or would be.
    origin: Time,
    /// Length of its bits.
    bit: Time,
    manchester: bool,
    /// Its oscillator is above the signal, which inverts all bits.
    is_inverted: bool,
    /// The clock of bits follows it.
    is_understood: bool,
    /// From when on its bits are taken for what they are.
    valid: Time,
    /// Index of the first bit that was taken, from bit 0 of its first byte on.
    first: Option<u64>,
    /// The bits that were taken, each at its place in the bytes from the first one's on.
    taken: Vec<u8>,
    /// Bits taken.
    count: u64,
    /// The rate of errors, and until when it is this.
    rate: Option<(Time, f64)>,
}

#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(super) struct Receiver {
    ear: Ear,
    /// Since when it receives, if it does.
    since: Option<Time>,
    /// When the next bit begins on the air.
    cursor: Time,
    tracked: Option<Tracked>,
    /// What it followed when it stopped receiving.
    left: Option<Tracked>,
    /// When the averaging filter has settled.
    settled: Time,
    /// The averaging filter was locked before it had.
    is_astray: bool,
}

impl Receiver {
    pub fn is_on(&self) -> bool {
        self.since.is_some()
    }

    /// Whether it follows a signal.
    pub fn is_tracking(&self) -> bool {
        self.tracked.is_some()
    }

    /// When the next bit begins on the air.
    pub fn cursor(&self) -> Time {
        self.cursor
    }

    /// The next bit begins on the air at this time.
    pub fn set_cursor(&mut self, at: Time) {
        self.cursor = at;
    }

    /// Length of the next bit.
    pub fn pace(&self, bit: Time) -> Time {
        self.tracked.as_ref().filter(|tracked| tracked.is_understood).map_or(bit, |it| it.bit)
    }

    /// It begins to receive.
    pub fn start(&mut self, now: Time, tuning: &Tuning, settling: u64) {
        self.since = Some(now);
        self.average(now, tuning, settling);
        self.search(tuning);
    }

    /// The averaging filter begins anew.
    pub fn average(&mut self, now: Time, tuning: &Tuning, settling: u64) {
        (self.settled, self.is_astray) = (now + tuning.baud() * settling, false);
    }

    /// The averaging filter is locked.
    pub fn hold(&mut self, now: Time) {
        self.is_astray = now < self.settled;
    }

    /// It stops. What it followed is reported when that ends, or now, if that has ended since the last bits were taken.
    pub fn stop(&mut self, around: &mut Surroundings<'_>) {
        self.since = None;
        let Some(tracked) = self.tracked.take() else { return };
        let has_ended = |it: &Signal| it.transmission.end <= around.now;
        if self.signal(&tracked).is_some_and(has_ended) {
            self.conclude(around, &tracked, true);
        } else {
            self.left = Some(tracked);
        }
    }

    /// How it meets a transmission of this power that begins to arrive: it leaves a weaker one for it.
    pub fn meets(&self, tuning: &Tuning, transmission: &Transmission, power: i32) -> Meeting {
        let follows = |power: i32| self.tracked.as_ref().is_some_and(|it| it.power >= power);
        if power < tuning.threshold {
            Meeting::TooWeak
        } else if !self.is_on() {
            Meeting::Deaf
        } else if !tuning.is_for(transmission) {
            Meeting::Elsewhere
        } else if follows(power) {
            Meeting::Busy
        } else {
            Meeting::Listens
        }
    }

    /// Something arrives.
    pub fn hear(
        &mut self,
        around: &mut Surroundings<'_>,
        reception: &Reception,
        tuning: Option<&Tuning>,
    ) {
        let now = around.now;
        let past = tuning.map_or(Time::ZERO, |tuning| tuning.bit * 10) + rssi_past();
        self.ear.forget(Time::from_units(now.units().saturating_sub(past.units())));
        self.ear.hear(reception);
        self.tracked.iter_mut().for_each(|tracked| tracked.rate = None);
        let number = reception.what.number();
        match &reception.what {
            OnAir::Begins(_) => {
                if let Some(tuning) = tuning.filter(|_| self.is_on()) {
                    self.consider(around, reception, tuning);
                }
            }
            OnAir::Ends { .. } => {
                let sender = reception.passage.sender;
                let is_it = |it: &mut Tracked| it.passage.sender == sender && it.number == number;
                if let Some(tracked) = self.left.take_if(is_it) {
                    self.conclude(around, &tracked, true);
                }
            }
            _ => {}
        }
    }

    /// Follows a signal that begins if it is stronger than what it follows.
    fn consider(&mut self, around: &mut Surroundings<'_>, reception: &Reception, tuning: &Tuning) {
        if self.tracked.as_ref().is_some_and(|tracked| tracked.power >= reception.power) {
            return;
        }
        let number = reception.what.number();
        let mut signals = self.ear.signals().iter();
        let signal = signals.find(|it| it.is(reception.passage.sender, number));
        let Some(tracked) = signal.filter(|it| tuning.hears(it)).map(|it| self.track(it, tuning))
        else {
            return;
        };
        if let Some(before) = self.tracked.replace(tracked) {
            self.overpowered(around, &before);
        }
        self.align();
    }

    /// Follows the strongest signal there is, if there is one.
    fn search(&mut self, tuning: &Tuning) {
        let at = self.cursor;
        let is_on = |it: &&Signal| it.transmission.end > at;
        let signals = self.ear.signals().iter().filter(is_on).filter(|it| tuning.hears(it));
        let strongest = signals.max_by_key(|it| (it.power, std::cmp::Reverse(it.passage.sender)));
        self.tracked = strongest.map(|it| self.track(it, tuning));
        self.align();
    }

    fn track(&self, signal: &Signal, tuning: &Tuning) -> Tracked {
        let transmission = &signal.transmission;
        let (bit, manchester, missing) = match transmission.modulation {
            Modulation::Fsk { bit, manchester, missing } => (bit, manchester, missing),
            Modulation::Oqpsk { .. } | Modulation::Noise => (tuning.bit, false, 0),
        };
        let begin = transmission.begin.max(self.since.unwrap_or(Time::NEVER));
        Tracked {
            passage: signal.passage,
            number: transmission.number,
            power: signal.power,
            khz: transmission.frequency_khz,
            origin: transmission.begin - bit * u64::from(missing),
            bit,
            manchester,
            is_inverted: transmission.frequency_khz < tuning.receiver.frequency_khz,
            is_understood: tuning.understands(signal),
            valid: begin + tuning.baud() * SYNCHRONIZATION_BAUDS,
            first: None,
            taken: Vec::new(),
            count: 0,
            rate: None,
        }
    }

    /// Delays its clock of bits to that of the signal.
    fn align(&mut self) {
        let Some(tracked) = self.tracked.as_ref().filter(|it| it.is_understood) else { return };
        let shift = if self.cursor >= tracked.origin {
            let late = (self.cursor - tracked.origin) % tracked.bit;
            if late == Time::ZERO { late } else { tracked.bit - late }
        } else {
            (tracked.origin - self.cursor) % tracked.bit
        };
        self.cursor += shift;
    }

    /// Takes `count` bits.
    pub fn take(
        &mut self,
        around: &mut Surroundings<'_>,
        count: u8,
        bit: Time,
        together: u64,
        tuning: Option<&Tuning>,
    ) -> u8 {
        let Some(tuning) = tuning.filter(|_| self.tracked.is_some()) else {
            let noise = self.noise(around, bit * together);
            self.cursor += bit * u64::from(count);
            return noise >> (8 - count);
        };
        (0..count).fold(0, |bits, _| bits << 1 | u8::from(self.bit(around, tuning)))
    }

    /// Eight bits of noise.
    fn noise(&self, around: &Surroundings<'_>, together: Time) -> u8 {
        random(around, self.cursor / together, NOISE)[0] as u8
    }

    fn bit(&mut self, around: &mut Surroundings<'_>, tuning: &Tuning) -> bool {
        self.end_what_is_over(around, tuning);
        let from = self.cursor;
        let pace = self.pace(tuning.bit);
        self.cursor = from + pace;
        let noise = self.noise(around, tuning.bit * tuning.together()) & 1 != 0;
        let Some(mut tracked) = self.tracked.take() else { return noise };
        let mut bit = noise;
        let has_begun = |it: &&Signal| from + pace / 2 >= it.transmission.begin;
        if let Some(signal) = self.signal(&tracked).filter(has_begun) {
            let is_valid = from >= tracked.valid && from >= self.settled && !self.is_astray;
            let sent = tracked.level(signal, tuning.format, from, pace);
            let is_wrong = is_valid && self.is_wrong(&mut tracked, signal, tuning, from, pace);
            let received = if is_valid { sent ^ is_wrong } else { noise };
            tracked.keep(from + pace / 2, received);
            bit = received ^ tracked.is_inverted;
        }
        self.tracked = Some(tracked);
        bit
    }

    /// What it follows, as it arrives.
    fn signal(&self, tracked: &Tracked) -> Option<&Signal> {
        self.ear.signals().iter().find(|it| it.is(tracked.passage.sender, tracked.number))
    }

    /// Lets go of a signal that has ended.
    fn end_what_is_over(&mut self, around: &mut Surroundings<'_>, tuning: &Tuning) {
        let at = self.cursor;
        let Some(tracked) = &self.tracked else { return };
        if self.signal(tracked).is_some_and(|it| it.transmission.end > at) {
            return;
        }
        if let Some(tracked) = self.tracked.take() {
            self.conclude(around, &tracked, false);
        }
        self.search(tuning);
    }

    /// Whether noise and other signals make this bit another one.
    fn is_wrong(
        &self,
        tracked: &mut Tracked,
        signal: &Signal,
        tuning: &Tuning,
        from: Time,
        pace: Time,
    ) -> bool {
        let until = from + pace;
        let known = tracked.rate.filter(|(valid, _)| until <= *valid);
        let (valid, rate) = known.unwrap_or_else(|| {
            let rate = fsk_bit(self.ear.ratio(&tuning.receiver, signal, from, until));
            (self.unchanged(from), rate)
        });
        tracked.rate = Some((valid, rate));
        if rate < NEVER_WRONG {
            return false;
        }
        let index = (from + pace / 2 - tracked.origin) / tracked.bit / tuning.together();
        let numbers = tracked.passage.random(tracked.number, (index / 4) as u32, BITS);
        f64::from(numbers[(index % 4) as usize]) < rate * f64::from(u32::MAX)
    }

    /// Until when no signal begins or ends, from a time on.
    fn unchanged(&self, from: Time) -> Time {
        let signals = self.ear.signals().iter();
        let changes = signals.flat_map(|it| [it.transmission.begin, it.transmission.end]);
        changes.filter(|at| *at > from).min().unwrap_or(Time::NEVER)
    }

    /// Reports a frame whose carrier has ended; `early`, if it stopped receiving before.
    fn conclude(&self, around: &mut Surroundings<'_>, tracked: &Tracked, early: bool) {
        let Some(signal) = self.signal(tracked) else { return };
        let bits = (signal.transmission.end - tracked.origin) / tracked.bit;
        let mut sent = signal.transmission.bytes.to_vec();
        sent.resize((bits / 8).min(LONGEST) as usize, 0);
        let start = frame::start(&sent);
        let Some(bytes) = tracked.bytes(start, sent.len()) else { return };
        let fate = match bytes.len() + TRAILING < sent.len() - start {
            true if early => Fate::Abandoned,
            _ if sent[start..].starts_with(&bytes) => Fate::Received,
            _ => Fate::Corrupted,
        };
        tracked.report(around, start, bytes, fate);
    }

    /// Reports a frame of which a stronger signal makes the rest unreadable.
    fn overpowered(&self, around: &mut Surroundings<'_>, tracked: &Tracked) {
        let Some(signal) = self.signal(tracked) else { return };
        let sent = &signal.transmission.bytes;
        let start = frame::start(sent);
        if let Some(bytes) = tracked.bytes(start, sent.len()) {
            tracked.report(around, start, bytes, Fate::Corrupted);
        }
    }

    /// The voltage of RSSI: the power in the channel, as its capacitor smooths it.
    pub fn rssi_microvolts(&self, around: &Surroundings<'_>, at: Time, tuning: &Tuning) -> u32 {
        let Some(since) = self.since else { return 0 };
        let receiver = air::Receiver { noise: milliwatts(FLOOR), ..tuning.receiver };
        let window = Time::from_ns(RSSI_NS);
        let mut until = at;
        let mut sum = 0.0;
        for weight in RSSI_WEIGHTS {
            let from = Time::from_units(until.units().saturating_sub(window.units()));
            if until > since {
                let energy =
                    self.ear.energy(&receiver, from.max(since), until.max(since + Time::UNIT));
                let share = receiver.noise / energy;
                let power =
                    f64::from(centidbm(energy)) + share * FLUCTUATION * normal(around, until);
                sum += weight * rssi_microvolts(tuning.band, power);
            }
            until = from;
        }
        sum as u32
    }
}

/// How much of its past RSSI needs.
fn rssi_past() -> Time {
    Time::from_ns(RSSI_NS * RSSI_WEIGHTS.len() as u64)
}

/// Random numbers of this mote alone.
fn random(around: &Surroundings<'_>, number: u64, salt: u32) -> [u32; 4] {
    let serial = around.environment.serial();
    philox4x32(
        [number as u32, (number >> 32) as u32, salt, 0],
        [serial as u32, (serial >> 32) as u32],
    )
}

/// A number that is distributed nearly normally, with a deviation of 1: a sum of twelve.
fn normal(around: &Surroundings<'_>, at: Time) -> f64 {
    let numbers = random(around, at.units(), STRENGTH);
    let parts = numbers.iter().flat_map(|it| [it & 0x3FF, it >> 10 & 0x3FF, it >> 20 & 0x3FF]);
    parts.map(|it| f64::from(it) / 1_023.0).sum::<f64>() - 6.0
}

impl Tracked {
    /// What the signal is in a bit of the receiver, as sent.
    fn level(&self, signal: &Signal, format: Format, from: Time, pace: Time) -> bool {
        if self.is_understood {
            return self.sent(signal, from + pace / 2);
        }
        match format {
            // Of halves that are equal, the first one counts.
            Format::Manchester => self.frequency(signal, from + pace / 4),
            Format::Nrz | Format::Uart => self.frequency(signal, from + pace / 2),
        }
    }

    /// The bit that is sent at a time.
    fn sent(&self, signal: &Signal, at: Time) -> bool {
        let index = ((at - self.origin) / self.bit) as usize;
        let byte = signal.transmission.bytes.get(index / 8).copied().unwrap_or(0);
        byte << (index % 8) & 0x80 != 0
    }

    /// Whether the higher of its frequencies is sent at a time.
    fn frequency(&self, signal: &Signal, at: Time) -> bool {
        let second_half = (at - self.origin) % self.bit >= self.bit / 2;
        self.sent(signal, at) ^ (self.manchester && second_half)
    }

    /// Keeps a bit that was received in the middle of a bit of the signal.
    fn keep(&mut self, middle: Time, bit: bool) {
        let index = (middle - self.origin) / self.bit;
        let first = *self.first.get_or_insert(index);
        let place = (index / 8 - first / 8) as usize;
        self.taken.resize(self.taken.len().max(place + 1), 0);
        if bit {
            self.taken[place] |= 0x80 >> (index % 8);
        }
        self.count = index + 1 - first;
    }

    /// The bytes from `start` to `end` that were taken whole; `None` if it did not hear the beginning.
    fn bytes(&self, start: usize, end: usize) -> Option<Vec<u8>> {
        let first = self.first.filter(|first| *first <= 8 * start as u64)?;
        let whole = ((first + self.count) / 8) as usize;
        let skipped = start - (first / 8) as usize;
        let count = whole.min(end).checked_sub(start).filter(|count| *count > 0)?;
        Some(self.taken[skipped..skipped + count].to_vec())
    }

    fn report(&self, around: &mut Surroundings<'_>, start: usize, bytes: Vec<u8>, fate: Fate) {
        let frame = Frame {
            start: self.origin + self.bit * 8 * start as u64,
            frequency_khz: self.khz,
            rate: rate(self.bit),
            power: self.power,
            bytes,
        };
        let sender = self.passage.sender;
        let whole = fate == Fate::Received;
        around.acts.push(Act::Report(Report::Heard { frame, sender, lqi: 0, fate, whole }));
    }
}
