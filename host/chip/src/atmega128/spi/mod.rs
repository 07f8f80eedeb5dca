// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI, master and slave (data sheet, "Serial Peripheral Interface - SPI").
//!
//! Bytes are transferred whole. A slave's byte begins when an outside master says so
//! ([`Input::Word`](crate::Input::Word)), and what the slave sends meanwhile leaves at once.

#[cfg(test)]
mod tests;

use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{
    Context, Drive, Due, Effect, Holds, PadInput, Peripheral, flag,
};
use crate::atmega128::pins::Signal;
use crate::{BitTime, OFF, Reply, Time, Transfer, Word};

/// SPCR.
const SPIE: u8 = 1 << 7;
const SPE: u8 = 1 << 6;
const DORD: u8 = 1 << 5;
const MSTR: u8 = 1 << 4;
const CPOL: u8 = 1 << 3;

/// SPSR.
const SPIF: u8 = 1 << 7;
const WCOL: u8 = 1 << 6;
const SPI2X: u8 = 1;

/// Bits of a transfer.
const BITS: u64 = 8;
const ALL_ONES: u8 = 0xFF;

/// What the shift register is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Shift {
    Idle,
    /// The master's clock runs up to this cycle.
    Master(u64),
    /// An outside master's, up to this time, with what it sends.
    Slave(Time, u8),
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Spi {
    control: u8,
    double_speed: bool,
    flag: bool,
    collision: bool,
    /// SPSR was read while SPIF, or WCOL, was set: an access to SPDR clears them.
    status_read: bool,
    /// What is shifted out, first bit first as DORD says, and what was received last.
    data: u8,
    received: u8,
    shift: Shift,
    /// A device's answer to the byte under way.
    reply: Option<u8>,
    /// Level of MISO, for bytes that nobody answers.
    idle_input: bool,
    /// Level of SS, as far as it is an input.
    select: bool,
    /// Whether outside masters know that it takes their words.
    takes_words: bool,
}

impl Spi {
    pub fn new() -> Spi {
        Spi {
            control: 0,
            double_speed: false,
            flag: false,
            collision: false,
            status_read: false,
            data: 0,
            received: 0,
            shift: Shift::Idle,
            reply: None,
            idle_input: false,
            select: false,
            takes_words: false,
        }
    }

    fn is_on(&self) -> bool {
        self.control & SPE != 0
    }

    fn is_master(&self) -> bool {
        self.control & MSTR != 0
    }

    fn is_slave(&self) -> bool {
        self.is_on() && !self.is_master() && !self.select
    }

    /// Lets outside masters know whether it takes their words.
    fn tell_masters(&mut self, cx: &mut Context<'_>) {
        let takes = self.is_slave();
        if std::mem::replace(&mut self.takes_words, takes) != takes {
            cx.out.push(Effect::TakesWords(Signal::Mosi, takes));
        }
    }

    /// Cycles of a bit (SPR1:0, SPI2X).
    fn bit(&self) -> u64 {
        let bit = [4, 16, 64, 128][usize::from(self.control & 3)];
        if self.double_speed { bit / 2 } else { bit }
    }

    /// A byte between register and wire, where the first bit counts as the most significant one.
    fn ordered(&self, byte: u8) -> u8 {
        if self.control & DORD != 0 { byte.reverse_bits() } else { byte }
    }

    fn word(&self, bit_time: BitTime) -> Word {
        let data = self.ordered(self.data).into();
        Word { data, bits: BITS as u8, mode: self.control >> 2 & 3, bit_time }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        self.control = value;
        if !self.is_on() {
            self.shift = Shift::Idle;
        }
        self.lose_selection();
        self.take_pins(cx);
        self.tell_masters(cx);
    }

    /// The pins that the interface decides about (data sheet, "Overriding Signals for Alternate
    /// Functions in PB3..PB0").
    fn take_pins(&self, cx: &mut Context<'_>) {
        let drives = match (self.is_on(), self.is_master()) {
            (false, _) => [Drive::NONE; 4],
            (true, true) => {
                let clock = Drive::value(self.control & CPOL != 0);
                [Drive::NONE, clock, Drive::value(false), Drive::INPUT]
            }
            (true, false) => [Drive::INPUT, Drive::INPUT, Drive::INPUT, Drive::value(false)],
        };
        let signals = [Signal::Ss, Signal::Sck, Signal::Mosi, Signal::Miso];
        for (signal, drive) in signals.into_iter().zip(drives) {
            cx.out.override_pin(signal, drive);
        }
    }

    fn write_data(&mut self, cx: &mut Context<'_>, value: u8) {
        if self.shift != Shift::Idle {
            self.collision = true;
            return;
        }
        self.data = value;
        if self.is_on() && self.is_master() {
            self.shift = Shift::Master(cx.cycle + BITS * self.bit());
            let word = self.word(cx.clocks.processor().bit_time(self.bit()));
            cx.out.push(Effect::Transfer(Signal::Mosi, Transfer::Spi(word)));
        }
    }

    /// An access to SPDR after a read of SPSR clears its flags.
    fn access_data(&mut self) {
        if std::mem::take(&mut self.status_read) {
            self.flag = false;
            self.collision = false;
        }
    }

    fn complete(&mut self, wire: u8) {
        self.shift = Shift::Idle;
        self.received = self.ordered(wire);
        // The shift register holds what came in.
        self.data = self.received;
        self.flag = true;
        self.status_read = false;
    }

    /// Another master has selected this one: it becomes a slave, and says so.
    fn lose_selection(&mut self) {
        if self.is_on() && self.is_master() && !self.select {
            self.control &= !MSTR;
            self.shift = Shift::Idle;
            self.flag = true;
        }
    }

    fn begin_as_slave(&mut self, cx: &mut Context<'_>, word: Word) {
        if !self.is_slave() || !cx.clocks.io_runs() || self.shift != Shift::Idle {
            return;
        }
        let answer = self.word(word.bit_time);
        cx.out.push(Effect::Transfer(Signal::Miso, Transfer::Spi(answer)));
        self.shift = Shift::Slave(cx.now + word.length(), word.data as u8);
    }
}

impl Peripheral for Spi {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        match register {
            SPCR => self.control,
            SPSR => {
                self.status_read |= self.flag || self.collision;
                flag(self.flag, SPIF) | flag(self.collision, WCOL) | flag(self.double_speed, SPI2X)
            }
            _ => {
                self.access_data();
                self.received
            }
        }
    }

    fn holds(&self, _cx: &Context<'_>, register: u8) -> Holds {
        match register {
            // Reading it with a flag set changes what the next access to SPDR does.
            SPSR if !self.status_read && (self.flag || self.collision) => Holds::Unknown,
            SPDR => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            SPCR => self.write_control(cx, value),
            SPSR => self.double_speed = value & SPI2X != 0,
            _ => {
                self.access_data();
                self.write_data(cx, value);
            }
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        match self.shift {
            Shift::Idle => Due::Never,
            Shift::Master(end) => Due::Cycle(end),
            Shift::Slave(end, _) => Due::Time(end),
        }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        match self.shift {
            Shift::Idle => {}
            Shift::Master(_) => {
                let idle = if self.idle_input { ALL_ONES } else { 0 };
                let wire = self.reply.take().unwrap_or(idle);
                self.complete(wire);
            }
            Shift::Slave(_, wire) if cx.clocks.io_runs() => self.complete(wire),
            Shift::Slave(..) => self.shift = Shift::Idle,
        }
    }

    fn lines(&self) -> u64 {
        u64::from(self.flag && self.control & SPIE != 0) << SPI_COMPLETE
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.control & SPIE != 0) << SPI_COMPLETE
    }

    fn acknowledge(&mut self, _cx: &mut Context<'_>, _vector: u32) {
        self.flag = false;
    }

    fn input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        match (signal, input) {
            (Signal::Miso, PadInput::Level(high)) => self.idle_input = high,
            (Signal::Miso, PadInput::Reply(Reply::Word(word))) => self.reply = Some(word as u8),
            (Signal::Mosi, PadInput::Word(word)) => self.begin_as_slave(cx, word),
            (Signal::Ss, PadInput::Level(high)) => {
                self.select = high;
                self.lose_selection();
                if high && !self.is_master() {
                    // The slave is reset: a byte under way is dropped.
                    self.shift = Shift::Idle;
                }
                if self.is_on() {
                    self.take_pins(cx);
                }
                self.tell_masters(cx);
            }
            _ => {}
        }
    }

    fn activity(&self) -> &'static str {
        if self.is_on() { "on" } else { OFF }
    }

    fn reset(&mut self, cx: &mut Context<'_>, _power: bool) {
        let Spi { select, idle_input, takes_words, .. } = *self;
        *self = Spi { select, idle_input, takes_words, ..Spi::new() };
        self.tell_masters(cx);
    }
}
