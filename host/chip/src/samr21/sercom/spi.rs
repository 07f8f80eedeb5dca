// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial interface as SPI master (data sheet, chapter "SERCOM SPI").

use super::baud::Baud;
use super::engine::Engine;
use super::registers::{DRE, ERROR, RXC, Registers, drive};
use super::transmit::Transmitter;
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, PadInput, PadOutput, Signal};
use crate::samr21::sync::GENERIC_EDGES;
use crate::{Level, Pull, Reply, Time, Transfer, Word};
use std::collections::VecDeque;

const TXC: u8 = 1 << 1;
const BUFOVF: u16 = 1 << 2;

/// Words that wait to be read, besides the one being received.
const BUFFER: usize = 2;

/// The pads of a master.
struct Pads {
    out: u8,
    clock: u8,
    select: u8,
}

impl Pads {
    /// The pads that CTRLA.DOPO selects.
    fn of(registers: &Registers) -> Pads {
        let (out, clock, select) =
            [(0, 1, 2), (2, 3, 1), (3, 1, 2), (0, 3, 1)][registers.out_pinout() as usize];
        Pads { out, clock, select }
    }
}

/// The engine of an enabled master.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Spi {
    transmitter: Transmitter,
    buffer: VecDeque<u16>,
    /// A word was lost at the end of the buffer.
    lost: bool,
    /// What DATA reads when the buffer is empty.
    last: u16,
    receiving: bool,
    /// A device's answer to the word being sent, first bit most significant.
    reply: Option<u16>,
    /// Level of the data input.
    idle_input: bool,
    clock: Option<Clock>,
}

impl Spi {
    /// The engine when the interface becomes enabled.
    pub fn new(
        cx: &mut Context<'_>,
        registers: &mut Registers,
        clock: Option<Clock>,
        pads: [bool; 4],
    ) -> Spi {
        let mut transmitter = Transmitter::new();
        transmitter.switch_on();
        let levels = Pads::of(registers);
        let idle_clock = if clock_polarity(registers) { Level::High } else { Level::Low };
        drive(cx, registers, levels.out, Level::Low);
        drive(cx, registers, levels.clock, idle_clock);
        if selects(registers) {
            drive(cx, registers, levels.select, Level::High);
        }
        Spi {
            transmitter,
            buffer: VecDeque::new(),
            lost: false,
            last: 0,
            receiving: registers.receives(),
            reply: None,
            idle_input: pads[registers.in_pad() as usize],
            clock,
        }
    }

    /// Begins to send what is loaded, unless a word is being sent: DATA crosses into the core
    /// clock's domain like any other register.
    fn begin(&mut self, cx: &Context<'_>) {
        if let Some(clock) = self.clock {
            self.transmitter.begin(clock.nth_after(cx.now, GENERIC_EDGES));
        }
    }

    /// A word is complete: the received one is in the shift register.
    fn receive(&mut self, registers: &mut Registers) {
        let mask = (1 << registers.character_bits()) - 1;
        let idle = if self.idle_input { mask } else { 0 };
        let wire = self.reply.take().map_or(idle, |reply| reply & mask);
        if !self.receiving {
            return;
        }
        if self.buffer.len() < BUFFER {
            self.buffer.push_back(first_bit_ordered(registers, wire));
        } else if registers.overflow_at_once() {
            overflow(registers);
        } else {
            self.lost = true;
        }
    }

    fn send(&mut self, cx: &mut Context<'_>, registers: &Registers, clock: Clock, value: u16) {
        let bit = Baud::spi(clock, registers);
        let word = Word {
            data: first_bit_ordered(registers, value),
            bits: registers.character_bits(),
            mode: (registers.ctrla >> 29 & 1) as u8 * 2 + (registers.ctrla >> 28 & 1) as u8,
            bit_time: bit.bit_time(1),
        };
        self.transmitter.shift(word.bits as u64, &bit);
        let pads = Pads::of(registers);
        if selects(registers) {
            drive(cx, registers, pads.select, Level::Low);
        }
        let signal = Signal::Sercom { instance: registers.instance, pad: pads.out };
        cx.out.pad(signal, PadOutput::Transfer(Transfer::Spi(word)));
        if registers.in_pad() == pads.out {
            // Both directions on one pad: the input sees the output.
            self.reply = Some(word.data);
        }
    }
}

impl Engine for Spi {
    fn stop(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        registers.status = 0;
        let pads = Pads::of(registers);
        for pad in [pads.out, pads.clock, pads.select] {
            drive(cx, registers, pad, Level::Floating(Pull::None));
        }
    }

    fn ctrlb_applied(&mut self, _cx: &mut Context<'_>, registers: &mut Registers) {
        self.receiving = registers.receives();
        if !self.receiving {
            self.buffer.clear();
            self.lost = false;
            registers.status &= !BUFOVF;
        }
    }

    fn flags(&self, registers: &Registers) -> u8 {
        registers.flags
            | if self.transmitter.is_empty() { DRE } else { 0 }
            | if self.buffer.is_empty() { 0 } else { RXC }
    }

    fn wants_clock(&self, registers: &Registers) -> bool {
        self.transmitter.is_busy() || registers.runs_in_standby()
    }

    fn write_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers, value: u16) {
        registers.flags &= !TXC;
        self.transmitter.load(value & ((1 << registers.character_bits()) - 1));
        self.begin(cx);
    }

    fn read_data(&mut self, _cx: &mut Context<'_>, registers: &mut Registers) -> u16 {
        if let Some(value) = self.buffer.pop_front() {
            self.last = value;
            if self.buffer.is_empty() && std::mem::take(&mut self.lost) {
                overflow(registers);
            }
        }
        self.last
    }

    fn due(&self) -> Time {
        self.transmitter.due()
    }

    fn fire(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        if self.transmitter.due() > cx.now {
            return;
        }
        if self.transmitter.is_shifting() {
            self.receive(registers);
        }
        match (self.transmitter.fire(cx.now, false), self.clock) {
            (Some(value), Some(clock)) => self.send(cx, registers, clock, value),
            _ => {
                registers.flags |= TXC;
                if selects(registers) {
                    drive(cx, registers, Pads::of(registers).select, Level::High);
                }
            }
        }
    }

    fn pad(&mut self, _cx: &mut Context<'_>, registers: &mut Registers, pad: u8, input: PadInput) {
        if pad != registers.in_pad() {
            return;
        }
        match input {
            PadInput::Level(high) => self.idle_input = high,
            PadInput::Reply(Reply::Word(word)) => self.reply = Some(word),
            _ => {}
        }
    }

    fn clocks_changed(
        &mut self,
        cx: &mut Context<'_>,
        _registers: &mut Registers,
        clock: Option<Clock>,
    ) {
        if clock != self.clock {
            self.clock = clock;
            self.transmitter.clocks_changed(cx.now, clock.is_some());
            self.begin(cx);
        }
    }
}

fn overflow(registers: &mut Registers) {
    registers.status |= BUFOVF;
    registers.flags |= ERROR;
}

/// CTRLA.CPOL.
fn clock_polarity(registers: &Registers) -> bool {
    registers.ctrla >> 29 & 1 != 0
}

/// CTRLB.MSSEN: the interface drives the slave select line.
fn selects(registers: &Registers) -> bool {
    registers.ctrlb >> 13 & 1 != 0
}

/// Converts a word between register and wire, where the first bit counts as the most significant
/// one.
fn first_bit_ordered(registers: &Registers, value: u16) -> u16 {
    if registers.least_significant_first() {
        value.reverse_bits() >> (16 - registers.character_bits())
    } else {
        value
    }
}
