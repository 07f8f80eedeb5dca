// SPDX-License-Identifier: MIT OR Apache-2.0
//! The receiver: when it samples its line, how it interprets the samples, and where characters wait.

use super::format::{Format, Parity};
use crate::Time;
use crate::atmega128::clocks::Clocks;
use crate::atmega128::peripheral::Context;
use crate::line::Line;
use std::collections::VecDeque;

/// Characters that wait to be read, besides the one in the shift register.
const BUFFER: usize = 2;

/// A character as it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Received {
    pub data: u16,
    pub frame_error: bool,
    pub parity_error: bool,
    /// Characters before it were lost.
    pub overrun: bool,
}

impl Received {
    /// The ninth bit says so, or, if there is none, the stop bit.
    fn is_address(&self, format: &Format) -> bool {
        if format.data_bits() == 9 { self.data >> 8 != 0 } else { !self.frame_error }
    }
}

/// What the receiver is doing. Cycles are those of its first sample of the start bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Phase {
    Off,
    /// Looks for a falling edge from this time on.
    Idle(Time),
    Start(u64),
    Bits(u64),
}

/// The receiver.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Receiver {
    line: Line,
    phase: Phase,
    due: Option<u64>,
    /// Characters that wait to be read; one more than fit is still in the shift register.
    buffer: VecDeque<Received>,
    overrun: bool,
}

impl Receiver {
    pub fn new() -> Receiver {
        let (line, buffer) = (Line::new(), VecDeque::new());
        Receiver { line, phase: Phase::Off, due: None, buffer, overrun: false }
    }

    pub fn is_on(&self) -> bool {
        self.phase != Phase::Off
    }

    pub fn due(&self) -> Option<u64> {
        self.due
    }

    /// The character that is read next.
    pub fn front(&self) -> Option<&Received> {
        self.buffer.front()
    }

    /// UDRn is read.
    pub fn take(&mut self) -> Option<Received> {
        self.buffer.pop_front()
    }

    /// Switches on: looks for characters from `now` on.
    pub fn start(&mut self, now: Time, clocks: &Clocks, format: &Format) {
        self.idle(now, clocks, format);
    }

    /// Switches off: what was received is lost.
    pub fn stop(&mut self) {
        let line = std::mem::replace(&mut self.line, Line::new());
        *self = Receiver { line, ..Receiver::new() };
    }

    /// The line changes now, or a character begins on it.
    pub fn change_line(
        &mut self,
        now: Time,
        clocks: &Clocks,
        format: &Format,
        change: impl FnOnce(&mut Line),
    ) {
        change(&mut self.line);
        match self.phase {
            Phase::Idle(since) => self.idle(since, clocks, format),
            // What was before it is switched on does not matter.
            Phase::Off => self.line.forget(now),
            Phase::Start(_) | Phase::Bits(_) => {}
        }
    }

    /// The clock, or the speed, is another one: a character under way is lost.
    pub fn restart(&mut self, now: Time, clocks: &Clocks, format: &Format) {
        if self.is_on() {
            self.idle(now, clocks, format);
        }
    }

    fn idle(&mut self, since: Time, clocks: &Clocks, format: &Format) {
        self.line.forget(since);
        self.phase = Phase::Idle(since);
        self.due = self.line.falls(since).and_then(|at| {
            let cycle = clocks.cycle_at_or_after(at);
            let samples = cycle.checked_sub(format.zero)?.div_ceil(format.sample());
            (cycle != u64::MAX).then(|| format.zero + samples * format.sample())
        });
    }

    /// Does what is due. In multi-processor mode only characters with an address are kept.
    pub fn fire(&mut self, cx: &Context<'_>, format: &Format, addresses_only: bool) {
        let Context { now, cycle, clocks, .. } = *cx;
        let sample = format.sample();
        let [.., last] = format.deciding_samples();
        match self.phase {
            Phase::Off => self.due = None,
            Phase::Idle(_) => {
                self.make_room();
                self.phase = Phase::Start(cycle);
                self.due = Some(cycle + last * sample);
            }
            Phase::Start(first) if self.bit(first, 0, clocks, format) => {
                self.idle(now, clocks, format);
            }
            Phase::Start(first) => {
                let parity = u64::from(format.parity() != Parity::None);
                let stop = 1 + u64::from(format.data_bits()) + parity;
                self.phase = Phase::Bits(first);
                self.due = Some(first + stop * format.bit() + last * sample);
            }
            Phase::Bits(first) => {
                let received = self.character(first, clocks, format);
                if !addresses_only || received.is_address(format) {
                    self.buffer.push_back(received);
                }
                self.idle(now, clocks, format);
            }
        }
    }

    /// A start bit overwrites the character in the shift register, if that could not leave it.
    fn make_room(&mut self) {
        if self.buffer.len() > BUFFER {
            self.buffer.pop_back();
            self.overrun = true;
        }
    }

    /// The majority of the deciding samples of a bit, by number.
    fn bit(&self, first: u64, number: u64, clocks: &Clocks, format: &Format) -> bool {
        let start = first + number * format.bit();
        let high = |sample: &u64| self.line.at(clocks.time(start + sample * format.sample()));
        format.deciding_samples().iter().filter(|sample| high(sample)).count() >= 2
    }

    fn character(&mut self, first: u64, clocks: &Clocks, format: &Format) -> Received {
        let bits = u64::from(format.data_bits());
        let bit = |number| self.bit(first, number, clocks, format);
        let data = (0..bits).fold(0, |data, number| data | u16::from(bit(1 + number)) << number);
        let parity = format.parity().of(data);
        let parity_error = parity.is_some_and(|parity| parity != bit(1 + bits));
        let frame_error = !bit(1 + bits + u64::from(parity.is_some()));
        let overrun = std::mem::take(&mut self.overrun);
        Received { data, frame_error, parity_error, overrun }
    }
}
