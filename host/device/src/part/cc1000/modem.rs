// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock DCLK and the data DIO: bits between the mote and the air, one by one or eight at once.
//!
//! In NRZ and Manchester modes the radio is the master of both wires. DIO changes at falling edges of DCLK when it receives,
//! and is sampled at rising ones when it sends. If DCLK and DIO lead to an SPI slave that takes words, eight bits are one
//! word: when it receives, the word begins with the last of them and ends where that would; when it sends, it begins with
//! the first, since what the slave sends is known at once. If no slave takes words, each edge of both wires can be seen.
//! In the transparent mode DIO is sampled, and what is received is the level of DCLK.

use super::Cc1000;
use super::receiver::SAMPLES;
use super::registers::{Direction, Format};
use crate::air::AHEAD;
use crate::{Act, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{BitTime, Input, Level, Time, Word};

/// Bits of a word of the slave.
const BITS: u8 = 8;

/// What the modem does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Mode {
    pub direction: Direction,
    pub format: Format,
    /// Length of a bit; of a sample, if it is transparent.
    pub bit: Time,
}

impl Mode {
    /// Of a bit of this length in the modem's registers.
    pub fn new(direction: Direction, format: Format, bit: Time) -> Mode {
        let bit = if format == Format::Uart { bit / SAMPLES } else { bit };
        Mode { direction, format, bit }
    }
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Modem {
    mode: Option<Mode>,
    /// When the present bit begins on DIO; by words, the present word.
    base: Time,
    by_words: bool,
    /// DCLK has fallen for this bit; by words, the word that is sent is under way.
    begun: bool,
    /// What the slave sends in the present word.
    sent: Option<u8>,
    /// What it has sent last.
    last: u8,
    due: Time,
}

impl Default for Modem {
    fn default() -> Modem {
        let (mode, base, due) = (None, Time::ZERO, Time::NEVER);
        Modem { mode, base, by_words: false, begun: false, sent: None, last: 0, due }
    }
}

impl Modem {
    pub fn mode(&self) -> Option<Mode> {
        self.mode
    }

    pub fn due(&self) -> Time {
        self.due
    }

    /// When the present word, or the next bit, is sampled first.
    fn sampled(&self, mode: Mode) -> Time {
        if mode.format == Format::Uart { self.base } else { self.base + mode.bit / 2 }
    }

    /// When it does something next.
    fn plan(&mut self, now: Time, pace: Time) {
        let Some(mode) = self.mode else {
            self.due = Time::NEVER;
            return;
        };
        let due = match (self.by_words, mode.direction, self.begun) {
            (true, Direction::Receive, _) => self.base + pace * 15 / 2,
            (true, Direction::Transmit, true) => self.base + mode.bit * 17 / 2,
            (true, Direction::Transmit, false) | (false, _, true) => self.base + mode.bit / 2,
            (false, _, false) => self.base,
        };
        // Where it follows another signal, its bits may be shorter.
        self.due = due.max(now);
    }
}

impl Cc1000 {
    /// What the modem does changes.
    pub(super) fn set_mode(&mut self, around: &mut Surroundings<'_>, wanted: Option<Mode>) {
        let before = self.modem.mode;
        if before == wanted {
            return;
        }
        self.modem.mode = wanted;
        match (before, wanted) {
            (_, None) => {
                self.modem = Modem { last: self.modem.last, ..Modem::default() };
                (self.dclk, self.dio_out) = (false, None);
            }
            (Some(old), Some(mode)) if (old.format, old.bit) == (mode.format, mode.bit) => {
                self.turn(around, mode);
            }
            (_, Some(mode)) => {
                self.modem.base = around.now;
                self.modem.by_words = self.takes_words && mode.format != Format::Uart;
                (self.modem.begun, self.modem.sent) = (false, None);
                self.receiver.set_cursor(around.now - mode.bit);
            }
        }
        self.plan(around.now);
    }

    /// It goes on in the other direction, with the same clock.
    fn turn(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        self.dio_out = None;
        match (mode.direction, self.modem.by_words, self.modem.begun) {
            (Direction::Receive, true, true) => {
                // The slave has its word.
                self.modem.base += mode.bit * u64::from(BITS);
                self.modem.begun = false;
            }
            (Direction::Transmit, true, _) if around.now > self.modem.sampled(mode) => {
                let left = self.modem.base + mode.bit * u64::from(BITS) - around.now;
                self.offer(around, left);
            }
            _ => {}
        }
        let bit = mode.bit;
        let begun = u64::from(self.modem.begun && !self.modem.by_words);
        self.receiver.set_cursor(self.modem.base + bit * begun - bit);
    }

    /// Plans its next moment. When it receives, its clock follows the receiver's.
    pub(super) fn plan(&mut self, now: Time) {
        let Some(mode) = self.modem.mode else { return self.modem.plan(now, Time::ZERO) };
        let pace = self.receiver.pace(mode.bit);
        if mode.direction == Direction::Receive && (self.modem.by_words || !self.modem.begun) {
            self.modem.base = self.receiver.cursor() + pace;
        }
        self.modem.plan(now, pace);
    }

    /// An SPI slave takes words from now on, or not any more.
    pub(super) fn change_words(&mut self, around: &mut Surroundings<'_>) {
        let Some(mode) = self.modem.mode.filter(|mode| mode.format != Format::Uart) else { return };
        if std::mem::replace(&mut self.modem.by_words, self.takes_words) == self.takes_words {
            return;
        }
        if !self.takes_words {
            self.leave_words(around, mode);
        }
        self.modem.begun = false;
        (self.dclk, self.dio_out) = (false, None);
        self.plan(around.now);
    }

    /// The bits of the present word are over as far as they are.
    fn leave_words(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        match mode.direction {
            Direction::Receive => {
                while self.receiver.cursor() + mode.bit < around.now {
                    self.take(around, 1);
                }
            }
            Direction::Transmit if self.modem.begun => {
                self.modem.base += mode.bit * u64::from(BITS);
            }
            Direction::Transmit => self.modem.base = self.modem.base.max(around.now),
        }
    }

    /// What is due in the modem happens.
    pub(super) fn clock(&mut self, around: &mut Surroundings<'_>) {
        let Some(mode) = self.modem.mode else { return };
        match (mode.format, self.modem.by_words, mode.direction) {
            (Format::Uart, ..) => self.sample_level(around, mode),
            (_, true, Direction::Receive) => self.word_in(around, mode),
            (_, true, Direction::Transmit) => self.word_out(around, mode),
            (_, false, _) => self.edge(around, mode),
        }
        self.plan(around.now);
    }

    fn take(&mut self, around: &mut Surroundings<'_>, count: u8) -> u8 {
        let Some(mode) = self.modem.mode else { return 0 };
        let tuning = if self.receiver.is_tracking() { self.tuning() } else { None };
        let together = if mode.format == Format::Uart { SAMPLES } else { 1 };
        self.receiver.take(around, count, mode.bit, together, tuning.as_ref())
    }

    /// Eight bits have been received.
    fn word_in(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        let byte = self.take(around, BITS);
        let byte = self.fitness.sent(byte);
        self.begin_word(around, byte, mode.bit / 2);
    }

    /// Eight bits are to be sent.
    fn word_out(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        if self.modem.begun {
            self.modem.base += mode.bit * u64::from(BITS);
        }
        self.offer(around, mode.bit * 15 / 2);
    }

    /// Begins a word whose answer is sent. The slave gets what DIO has, which it sends itself: here what it sent last.
    fn offer(&mut self, around: &mut Surroundings<'_>, length: Time) {
        (self.modem.begun, self.modem.sent) = (true, None);
        self.begin_word(around, self.modem.last, length);
    }

    fn begin_word(&mut self, around: &mut Surroundings<'_>, data: u8, length: Time) {
        let bit_time = BitTime::from_ps((length.ps() / u128::from(BITS)) as u64);
        let word = Word { data: data.into(), bits: BITS, mode: 0, bit_time };
        around.acts.push(Act::Drive(Input::Word { pin: self.mosi(), word }));
    }

    /// The slave sends a byte in the present word.
    pub(super) fn answered(&mut self, around: &mut Surroundings<'_>, byte: u8) {
        let Some(mode) = self.modem.mode else { return };
        if mode.direction == Direction::Receive || !self.modem.by_words {
            return;
        }
        (self.modem.sent, self.modem.last) = (Some(byte), byte);
        let at = self.modem.sampled(mode) + AHEAD;
        self.transmitter.send(around, at, byte, BITS.into());
    }

    /// DCLK falls or rises.
    fn edge(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        let rises = self.modem.begun;
        (self.dclk, self.modem.begun) = (rises, !rises);
        match mode.direction {
            Direction::Receive if rises => {}
            Direction::Receive => self.dio_out = Some(self.take(around, 1) != 0),
            Direction::Transmit if rises => {
                self.sample_dio(around);
                self.modem.base += mode.bit;
            }
            Direction::Transmit => {}
        }
    }

    /// DIO is passed on, or DCLK is what is received.
    fn sample_level(&mut self, around: &mut Surroundings<'_>, mode: Mode) {
        match mode.direction {
            Direction::Receive => self.dclk = self.take(around, 1) != 0,
            Direction::Transmit => {
                self.sample_dio(around);
                self.modem.base += mode.bit;
            }
        }
    }

    fn sample_dio(&mut self, around: &mut Surroundings<'_>) {
        let bit = self.dio_in.iter().rev().find_map(|level| match level {
            Level::High => Some(0x80),
            Level::Low => Some(0),
            Level::Floating(_) => None,
        });
        self.transmitter.send(around, around.now + AHEAD, bit.unwrap_or(0), 1);
    }

    /// When bit 0 of the byte that is sent is on the air, how many bits of that are over, and what it is.
    pub(super) fn sending(&self, now: Time, mode: Mode) -> (Time, u8, Option<u8>) {
        let sampled = self.modem.sampled(mode);
        let is_late = self.modem.by_words && self.modem.begun;
        let over = if is_late { (now - sampled + mode.bit - Time::UNIT) / mode.bit } else { 0 };
        if over >= BITS.into() {
            return (sampled + mode.bit * u64::from(BITS) + AHEAD, 0, None);
        }
        (sampled + AHEAD, over as u8, self.modem.sent.filter(|_| is_late))
    }
}
