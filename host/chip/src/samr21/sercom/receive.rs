// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver of a USART: when it samples its line, and how it interprets the samples.

use super::baud::Baud;
use super::registers::Registers;
use crate::Time;
use crate::line::Line;

/// What the receiver is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Phase {
    /// Off, or its clock is stopped.
    Stopped,
    /// Looks for a falling edge from this time on.
    Idle(Time),
    /// A start bit began while the clock was stopped (start-of-frame detection).
    Fallen,
    /// A start bit is to be confirmed in its middle; the sample that first saw it.
    Start(u64),
    /// Bits are sampled.
    Bits(u64),
}

/// A character as it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Received {
    pub data: u16,
    pub parity_error: bool,
    pub frame_error: bool,
}

/// The result of a step of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A start bit was seen.
    Start,
    /// A character is complete.
    Character(Received),
}

/// The receiver.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Receiver {
    pub line: Line,
    phase: Phase,
    due: Time,
}

impl Receiver {
    /// A receiver that is off.
    pub fn new() -> Receiver {
        Receiver { line: Line::new(), phase: Phase::Stopped, due: Time::NEVER }
    }

    /// When the receiver next does something.
    pub fn due(&self) -> Time {
        self.due
    }

    /// Whether a character is being received.
    pub fn is_busy(&self) -> bool {
        matches!(self.phase, Phase::Fallen | Phase::Start(_) | Phase::Bits(_))
    }

    /// Switches off; a character being received is lost.
    pub fn stop(&mut self) {
        self.phase = Phase::Stopped;
        self.due = Time::NEVER;
    }

    /// Samples from `now` on, after being off or without clock.
    pub fn start(&mut self, now: Time, baud: &Baud) {
        match self.phase {
            Phase::Stopped => self.idle(now, baud),
            Phase::Fallen => self.begin(now, baud),
            _ => {}
        }
    }

    /// The clock stopped or changed: earlier samples are no longer valid.
    pub fn interrupt(&mut self) {
        if self.phase != Phase::Fallen {
            self.stop();
        }
    }

    /// A falling edge while the clock is stopped is remembered until it runs. Returns whether there
    /// was one.
    pub fn detect_start(&mut self, now: Time) -> bool {
        let fell = self.phase == Phase::Stopped && self.line.falls(now) == Some(now);
        if fell {
            self.phase = Phase::Fallen;
        }
        fell
    }

    /// The line changed: an idle receiver checks it again, and one that is stopped forgets what was before.
    pub fn line_changed(&mut self, now: Time, baud: Option<&Baud>) {
        match (self.phase, baud) {
            (Phase::Idle(since), Some(baud)) => self.idle(since, baud),
            (Phase::Stopped, _) => self.line.forget(now),
            _ => {}
        }
    }

    fn idle(&mut self, since: Time, baud: &Baud) {
        self.line.forget(since);
        self.phase = Phase::Idle(since);
        let falls = self.line.falls(since);
        self.due =
            falls.map_or(Time::NEVER, |at| baud.sample.edge(baud.sample.edge_at_or_after(at)));
    }

    fn begin(&mut self, now: Time, baud: &Baud) {
        let first = baud.sample.edge_at_or_after(now);
        self.phase = Phase::Start(first);
        self.due = baud.sample.edge(first + baud.deciding_samples(0)[2]);
    }

    /// Does what is due.
    pub fn fire(&mut self, now: Time, baud: &Baud, registers: &Registers) -> Option<Heard> {
        match self.phase {
            Phase::Idle(_) => {
                self.begin(now, baud);
                Some(Heard::Start)
            }
            Phase::Start(first) => {
                if self.majority(first, baud, baud.deciding_samples(0)) {
                    // A glitch, not a start bit.
                    self.idle(now, baud);
                    return None;
                }
                let last = 1 + registers.character_bits() as u64 + has_parity(registers) as u64;
                let samples = baud.deciding_samples(registers.sample_adjustment());
                let offset = last * baud.samples_per_bit + samples[2];
                self.phase = Phase::Bits(first);
                self.due = baud.sample.edge(first + offset);
                None
            }
            Phase::Bits(first) => {
                let received = self.character(first, baud, registers);
                self.idle(now, baud);
                Some(Heard::Character(received))
            }
            Phase::Stopped | Phase::Fallen => {
                self.due = Time::NEVER;
                None
            }
        }
    }

    /// The majority of the `deciding` samples of the bit that begins with sample `first`.
    fn majority(&self, first: u64, baud: &Baud, deciding: [u64; 3]) -> bool {
        let high =
            deciding.iter().filter(|sample| self.line.at(baud.sample.edge(first + **sample)));
        high.count() >= 2
    }

    fn character(&self, first: u64, baud: &Baud, registers: &Registers) -> Received {
        let bits = registers.character_bits();
        let deciding = baud.deciding_samples(registers.sample_adjustment());
        let sample = |n: u64| self.majority(first + n * baud.samples_per_bit, baud, deciding);
        let wire = (0..bits).fold(0u16, |data, n| data | (sample(1 + n as u64) as u16) << n);
        let mut next = 1 + bits as u64;
        let mut parity_error = false;
        if has_parity(registers) {
            parity_error = sample(next) != parity(registers, wire);
            next += 1;
        }
        Received { data: ordered(registers, wire), parity_error, frame_error: !sample(next) }
    }
}

/// Whether CTRLA.FORM has a parity bit.
pub(super) fn has_parity(registers: &Registers) -> bool {
    matches!(registers.form(), 1 | 5)
}

/// The parity bit of `data` according to CTRLB.PMODE.
pub(super) fn parity(registers: &Registers, data: u16) -> bool {
    let odd = registers.ctrlb >> 13 & 1 != 0;
    (data.count_ones() % 2 != 0) != odd
}

/// Converts a character between register and wire, where the least significant bit goes first if
/// CTRLA.DORD says so.
pub(super) fn ordered(registers: &Registers, data: u16) -> u16 {
    if registers.least_significant_first() {
        data
    } else {
        data.reverse_bits() >> (16 - registers.character_bits())
    }
}
