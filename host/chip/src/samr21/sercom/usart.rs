// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial interface as USART (data sheet, chapter "SERCOM USART").

use super::baud::Baud;
use super::engine::Engine;
use super::receive::{Heard, Received, Receiver, has_parity, ordered, parity};
use super::registers::{DRE, ERROR, RXC, Registers, drive};
use super::transmit::Transmitter;
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, Effect, PadInput, PadOutput, Signal};
use crate::{Frame, Level, Pull, Time};
use std::collections::VecDeque;

const TXC: u8 = 1 << 1;
const RXS: u8 = 1 << 3;
const CTSIC: u8 = 1 << 4;

const PERR: u16 = 1 << 0;
const FERR: u16 = 1 << 1;
const BUFOVF: u16 = 1 << 2;
const CTS: u16 = 1 << 3;

/// Characters that wait to be read, besides the one being received.
const BUFFER: usize = 2;

/// A character in the receive buffer, or the mark that one was lost there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Entry {
    Character(Received),
    Lost,
}

/// The engine of an enabled USART.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Usart {
    transmitter: Transmitter,
    receiver: Receiver,
    buffer: VecDeque<Entry>,
    /// What DATA reads when the buffer is empty.
    last: u16,
    receiving: bool,
    clear_to_send: bool,
    clock: Option<Clock>,
}

impl Usart {
    /// The engine when the interface becomes enabled.
    pub fn new(
        cx: &mut Context<'_>,
        registers: &mut Registers,
        clock: Option<Clock>,
        pads: [bool; 4],
    ) -> Usart {
        let waits = flow_pads(registers).is_some_and(|(_, cts)| pads[cts as usize]);
        registers.status = if waits { CTS } else { 0 };
        let mut usart = Usart {
            transmitter: Transmitter::new(),
            receiver: Receiver::new(),
            buffer: VecDeque::new(),
            last: 0,
            receiving: false,
            clear_to_send: !waits,
            clock,
        };
        usart.ctrlb_applied(cx, registers);
        usart
    }

    fn baud(&self, registers: &Registers) -> Option<Baud> {
        Baud::usart(self.clock?, registers)
    }

    fn step_transmitter(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        let held = self.is_held(registers);
        let Some(baud) = self.baud(registers) else { return };
        match self.transmitter.fire(cx.now, held) {
            Some(value) => {
                let frame = frame(registers, value, &baud);
                self.transmitter.shift(bits(registers), &baud.bit());
                let signal =
                    Signal::Sercom { instance: registers.instance, pad: tx_pad(registers) };
                cx.out.pad(signal, PadOutput::Frame(frame));
                if registers.in_pad() == tx_pad(registers) {
                    // One wire for both directions: the receiver hears its own transmitter.
                    self.hear(cx, registers, PadInput::Frame(frame));
                }
            }
            None => {
                if !self.transmitter.is_busy() {
                    registers.flags |= TXC;
                }
                if self.transmitter.switch_off_when_idle(registers.transmits()) {
                    drive(cx, registers, tx_pad(registers), Level::Floating(Pull::None));
                }
            }
        }
    }

    /// Begins to send what is loaded, if nothing prevents it.
    fn begin(&mut self, cx: &mut Context<'_>, registers: &Registers) {
        if !self.is_held(registers)
            && self.baud(registers).is_some()
            && let Some(clock) = self.clock
        {
            self.transmitter.begin(clock.nth_after(cx.now, 1));
        }
    }

    /// Whether the other side's CTS holds the transmitter.
    fn is_held(&self, registers: &Registers) -> bool {
        flow_pads(registers).is_some() && !self.clear_to_send
    }

    fn hear(&mut self, cx: &mut Context<'_>, registers: &mut Registers, input: PadInput) {
        match input {
            PadInput::Level(high) => self.receiver.line.level(cx.now, high),
            PadInput::Frame(frame) => self.receiver.line.frame(cx.now, &frame),
            PadInput::Reply(_) | PadInput::Voltage(_) | PadInput::Clock(_) => return,
        }
        let baud = self.baud(registers);
        self.receiver.line_changed(cx.now, baud.as_ref());
        let listens = baud.is_none() && self.receiving && detects_start(registers);
        if listens && self.receiver.detect_start(cx.now) {
            registers.flags |= RXS;
            cx.out.push(Effect::Clocks);
        }
    }

    fn receive(&mut self, cx: &mut Context<'_>, registers: &mut Registers, received: Received) {
        let waiting = self.buffer.iter().filter(|entry| **entry != Entry::Lost).count();
        if waiting < BUFFER {
            self.buffer.push_back(Entry::Character(received));
        } else if registers.overflow_at_once() {
            registers.status |= BUFOVF;
            registers.flags |= ERROR;
        } else if self.buffer.back() != Some(&Entry::Lost) {
            self.buffer.push_back(Entry::Lost);
        }
        if waiting == 0 {
            self.surface(registers);
        }
        self.drive_ready(cx, registers);
    }

    /// Flags the errors of the character to be read next.
    fn surface(&mut self, registers: &mut Registers) {
        let mut errors = 0;
        if self.buffer.front() == Some(&Entry::Lost) {
            self.buffer.pop_front();
            errors |= BUFOVF;
        }
        if let Some(Entry::Character(received)) = self.buffer.front() {
            errors |= if received.parity_error { PERR } else { 0 };
            errors |= if received.frame_error { FERR } else { 0 };
        }
        if errors != 0 {
            registers.status |= errors;
            registers.flags |= ERROR;
        }
    }

    /// Drives RTS: low while there is room for another character.
    fn drive_ready(&mut self, cx: &mut Context<'_>, registers: &Registers) {
        if let Some((rts, _)) = flow_pads(registers) {
            let ready = self.receiving && self.buffer.len() < BUFFER;
            drive(cx, registers, rts, if ready { Level::Low } else { Level::High });
        }
    }
}

impl Engine for Usart {
    fn stop(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        registers.status = 0;
        let floating = Level::Floating(Pull::None);
        for pad in [tx_pad(registers)].into_iter().chain(flow_pads(registers).map(|pads| pads.0)) {
            drive(cx, registers, pad, floating);
        }
    }

    fn ctrlb_applied(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        if registers.transmits() {
            if self.transmitter.switch_on() {
                drive(cx, registers, tx_pad(registers), Level::High);
            }
        } else if self.transmitter.switch_off() {
            drive(cx, registers, tx_pad(registers), Level::Floating(Pull::None));
        }
        self.receiving = registers.receives();
        if self.receiving {
            if let Some(baud) = self.baud(registers) {
                self.receiver.start(cx.now, &baud);
            }
        } else {
            self.receiver.stop();
            self.buffer.clear();
            registers.status &= !(PERR | FERR | BUFOVF);
        }
        self.drive_ready(cx, registers);
        self.begin(cx, registers);
    }

    fn flags(&self, registers: &Registers) -> u8 {
        let empty = self.transmitter.is_on() && self.transmitter.is_empty();
        let full = matches!(self.buffer.front(), Some(Entry::Character(_)));
        registers.flags | if empty { DRE } else { 0 } | if full { RXC } else { 0 }
    }

    fn wants_clock(&self, registers: &Registers) -> bool {
        let active = self.transmitter.is_busy() || self.receiver.is_busy();
        active || (registers.runs_in_standby() && !detects_start(registers))
    }

    fn write_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers, value: u16) {
        let mask = (1 << registers.character_bits()) - 1;
        registers.flags &= !TXC;
        if self.transmitter.load(value & mask) {
            self.begin(cx, registers);
        }
    }

    fn read_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers) -> u16 {
        if let Some(Entry::Character(received)) = self.buffer.front() {
            self.last = received.data;
            self.buffer.pop_front();
            self.surface(registers);
            self.drive_ready(cx, registers);
        }
        self.last
    }

    fn due(&self) -> Time {
        self.transmitter.due().min(self.receiver.due())
    }

    fn fire(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        let listened = self.receiver.is_busy();
        if self.transmitter.due() <= cx.now {
            self.step_transmitter(cx, registers);
        }
        if self.receiver.due() <= cx.now
            && let Some(baud) = self.baud(registers)
        {
            match self.receiver.fire(cx.now, &baud, registers) {
                Some(Heard::Start) if detects_start(registers) => registers.flags |= RXS,
                Some(Heard::Character(received)) => self.receive(cx, registers, received),
                _ => {}
            }
        }
        // In standby the clock is requested only while a frame lasts.
        if listened && !self.receiver.is_busy() && detects_start(registers) {
            cx.out.push(Effect::Clocks);
        }
    }

    fn pad(&mut self, cx: &mut Context<'_>, registers: &mut Registers, pad: u8, input: PadInput) {
        if flow_pads(registers).is_some_and(|(_, cts)| cts == pad)
            && let PadInput::Level(high) = input
        {
            self.clear_to_send = !high;
            registers.status = (registers.status & !CTS) | if high { CTS } else { 0 };
            registers.flags |= CTSIC;
            self.begin(cx, registers);
        }
        if pad == registers.in_pad() {
            self.hear(cx, registers, input);
        }
    }

    fn clocks_changed(
        &mut self,
        cx: &mut Context<'_>,
        registers: &mut Registers,
        clock: Option<Clock>,
    ) {
        if clock == self.clock {
            return;
        }
        self.clock = clock;
        let baud = self.baud(registers);
        self.transmitter.clocks_changed(cx.now, baud.is_some());
        self.receiver.interrupt();
        if let Some(baud) = baud.filter(|_| self.receiving) {
            self.receiver.start(cx.now, &baud);
        }
        self.begin(cx, registers);
    }
}

/// Pad of the transmitter's data (CTRLA.TXPO).
fn tx_pad(registers: &Registers) -> u8 {
    if registers.out_pinout() == 1 { 2 } else { 0 }
}

/// Pads of RTS and CTS, if CTRLA.TXPO chooses flow control.
fn flow_pads(registers: &Registers) -> Option<(u8, u8)> {
    (registers.out_pinout() == 2).then_some((2, 3))
}

/// CTRLB.SFDE.
fn detects_start(registers: &Registers) -> bool {
    registers.ctrlb >> 9 & 1 != 0
}

/// CTRLB.SBMODE as a number of bits.
fn stop_bits(registers: &Registers) -> u8 {
    1 + (registers.ctrlb >> 6 & 1) as u8
}

/// Bits of a character including its frame.
fn bits(registers: &Registers) -> u64 {
    let data = registers.character_bits() + stop_bits(registers);
    1 + data as u64 + has_parity(registers) as u64
}

fn frame(registers: &Registers, value: u16, baud: &Baud) -> Frame {
    let data = ordered(registers, value);
    Frame {
        data,
        data_bits: registers.character_bits(),
        parity: has_parity(registers).then(|| parity(registers, data)),
        stop_bits: stop_bits(registers),
        bit_time: baud.bit().bit_time(1),
    }
}
