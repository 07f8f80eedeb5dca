// SPDX-License-Identifier: MIT OR Apache-2.0
//! All that a receiver's antenna hears.

use super::power::milliwatts;
use super::{Modulation, OnAir, Passage, Reception, Transmission};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// How a receiver hears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Receiver {
    /// Centre of its channel, in kHz.
    pub frequency_khz: u32,
    /// The noise of its channel, its own included, in milliwatts.
    pub noise: f64,
    /// How much weaker it hears signals beside its channel: by so many hundredths of a dB from a distance of so many
    /// kHz on, in ascending order.
    pub selectivity: &'static [(u32, i32)],
    /// How much more interference in its channel disturbs than noise of the same power.
    pub co_channel: f64,
}

impl Receiver {
    /// The part of its power that is left of a signal at this frequency.
    fn passes(&self, frequency_khz: u32) -> f64 {
        let distance = self.frequency_khz.abs_diff(frequency_khz);
        let row = self.selectivity.iter().rev().find(|(from, _)| *from <= distance);
        row.map_or(1.0, |(_, weaker)| milliwatts(-weaker))
    }

    /// Whether a signal is in its channel.
    pub fn is_tuned_to(&self, frequency_khz: u32) -> bool {
        self.passes(frequency_khz) == 1.0
    }
}

/// A signal, as it arrives.
#[derive(Clone, Debug, PartialEq, BorshSerialize, BorshDeserialize)]
pub struct Signal {
    /// From whom to whom.
    pub passage: Passage,
    /// Its power at the antenna, in hundredths of a dBm.
    pub power: i32,
    /// The same in milliwatts.
    pub milliwatts: f64,
    /// What arrives.
    pub transmission: Transmission,
}

impl Signal {
    /// Whether it is the transmission `number` of `sender`.
    pub fn is(&self, sender: u32, number: u32) -> bool {
        self.passage.sender == sender && self.transmission.number == number
    }

    /// Which part of a time it takes.
    fn share(&self, from: Time, until: Time) -> f64 {
        let (begin, end) = (self.transmission.begin.max(from), self.transmission.end.min(until));
        if begin >= end {
            return 0.0;
        }
        (end - begin).units() as f64 / (until - from).units() as f64
    }
}

/// The signals at an antenna.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Ear {
    signals: Vec<Signal>,
}

impl Ear {
    /// Something arrives.
    pub fn hear(&mut self, reception: &Reception) {
        let Reception { passage, what, power } = reception;
        match what {
            OnAir::Begins(transmission) => self.signals.push(Signal {
                passage: *passage,
                power: *power,
                milliwatts: milliwatts(*power),
                transmission: transmission.clone(),
            }),
            OnAir::Says { at, bytes, .. } => {
                if let Some(signal) = self.find(passage.sender, what.number()) {
                    signal.transmission.bytes =
                        amended(&signal.transmission.bytes, *at, bytes).into();
                }
            }
            OnAir::Ends { end, .. } => {
                if let Some(signal) = self.find(passage.sender, what.number()) {
                    signal.transmission.end = *end;
                }
            }
        }
    }

    /// Forgets what ended before this time.
    pub fn forget(&mut self, before: Time) {
        self.signals.retain(|signal| signal.transmission.end > before);
    }

    /// The signals, in the order of their beginnings.
    pub fn signals(&self) -> &[Signal] {
        &self.signals
    }

    fn find(&mut self, sender: u32, number: u32) -> Option<&mut Signal> {
        self.signals.iter_mut().find(|signal| signal.is(sender, number))
    }

    /// When the first signal begins or ends after `time`, as far as that is known.
    pub fn changes_after(&self, time: Time) -> Time {
        let edges = self
            .signals
            .iter()
            .flat_map(|signal| [signal.transmission.begin, signal.transmission.end]);
        edges.filter(|edge| *edge > time).min().unwrap_or(Time::NEVER)
    }

    /// Mean power in a receiver's channel between two times, with its noise, in milliwatts.
    pub fn energy(&self, receiver: &Receiver, from: Time, until: Time) -> f64 {
        let heard = |signal: &Signal| {
            signal.share(from, until)
                * signal.milliwatts
                * receiver.passes(signal.transmission.frequency_khz)
        };
        receiver.noise + self.signals.iter().map(heard).sum::<f64>()
    }

    /// Ratio of a signal's power to that of all others and noise between two times, during which it lasts.
    pub fn ratio(&self, receiver: &Receiver, signal: &Signal, from: Time, until: Time) -> f64 {
        let disturbs = |other: &Signal| {
            if std::ptr::eq(other, signal) {
                return 0.0;
            }
            let weight = match receiver.passes(other.transmission.frequency_khz) {
                1.0 => receiver.co_channel,
                passes => passes,
            };
            other.share(from, until) * other.milliwatts * weight
        };
        signal.milliwatts / (receiver.noise + self.signals.iter().map(disturbs).sum::<f64>())
    }
}

/// Bytes that are others from index `at` on.
fn amended(before: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut after = before.to_vec();
    after.resize(after.len().max(at + bytes.len()), 0);
    after[at..at + bytes.len()].copy_from_slice(bytes);
    after
}

impl Modulation {
    /// Whether it is O-QPSK, and of how many bytes before its payload.
    pub(super) fn header(self) -> Option<u8> {
        match self {
            Modulation::Oqpsk { header, .. } => Some(header),
            Modulation::Fsk { .. } | Modulation::Noise => None,
        }
    }
}
