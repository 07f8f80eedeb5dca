// SPDX-License-Identifier: MIT OR Apache-2.0
//! USART0 and USART1 (data sheet, "USART").

mod format;
mod receive;
#[cfg(test)]
mod tests;

use super::clocks::Clocks;
use super::map::*;
use super::peripheral::{Context, Drive, Due, Effect, Holds, PadInput, Peripheral, flag};
use super::pins::Signal;
use crate::clock::Clock;
use crate::{OFF, WarningKind};
use format::*;
use receive::{Received, Receiver};

/// What the transmitter's shift register is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Shift {
    Idle,
    /// A character waits for the edge of the transmitter's clock with which it begins.
    Waiting {
        data: u16,
        start: u64,
    },
    /// One is being sent, up to this cycle.
    Sending(u64),
}

/// A register, apart from the number of the interface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    Data,
    A,
    B,
    C,
    BaudLow,
    BaudHigh,
}

fn id(register: u8) -> Option<Id> {
    Some(match register {
        UDR0 | UDR1 => Id::Data,
        UCSR0A | UCSR1A => Id::A,
        UCSR0B | UCSR1B => Id::B,
        UCSR0C | UCSR1C => Id::C,
        UBRR0L | UBRR1L => Id::BaudLow,
        UBRR0H | UBRR1H => Id::BaudHigh,
        _ => return None,
    })
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Usart {
    number: u8,
    format: Format,
    /// UBRRnH, which takes effect with UBRRnL.
    baud_high: u8,
    /// UCSRnB without UCSZn2 and RXB8n.
    control: u8,
    multi_processor: bool,
    complete: bool,
    buffer: Option<u16>,
    shift: Shift,
    receiver: Receiver,
    /// What UDRn reads when nothing waits.
    last: u8,
    ninth: bool,
    /// The I/O clock while it ran last.
    clock: Option<Clock>,
}

impl Usart {
    /// Interface 0 or 1.
    pub fn new(number: u8) -> Usart {
        Usart {
            number,
            format: Format::new(),
            baud_high: 0,
            control: 0,
            multi_processor: false,
            complete: false,
            buffer: None,
            shift: Shift::Idle,
            receiver: Receiver::new(),
            last: 0,
            ninth: false,
            clock: None,
        }
    }

    fn signals(&self) -> (Signal, Signal) {
        if self.number == 0 { (Signal::Rxd0, Signal::Txd0) } else { (Signal::Rxd1, Signal::Txd1) }
    }

    fn transmits(&self) -> bool {
        self.control & TXEN != 0
    }

    fn flags(&self) -> u8 {
        let empty = self.buffer.is_none();
        let received = self.receiver.front();
        let errors =
            received.map_or(0, |Received { frame_error, overrun, parity_error, .. }| {
                flag(*frame_error, FE) | flag(*overrun, DOR) | flag(*parity_error, UPE)
            });
        flag(received.is_some(), RXC) | flag(self.complete, TXC) | flag(empty, UDRE) | errors
    }

    /// The enabled ones of the interrupts with these flags, as bits by vector number.
    fn enabled_of(&self, flags: u8) -> u64 {
        let requests = [(RXC, RXCIE), (UDRE, UDRIE), (TXC, TXCIE)];
        let first = if self.number == 0 { USART0_RECEIVE } else { USART1_RECEIVE };
        let lines = requests.into_iter().zip(first..);
        lines.fold(0, |lines, ((flag, enable), vector)| {
            let requested = flags & flag != 0 && self.control & enable != 0;
            lines | u64::from(requested) << vector
        })
    }

    /// A character is written to UDRn.
    fn send(&mut self, cx: &mut Context<'_>, value: u8) {
        if !self.transmits() || self.buffer.is_some() {
            // Data written to a full buffer, or a transmitter that is off, is ignored.
            cx.out.warn(WarningKind::NotSent);
            return;
        }
        self.buffer = Some(u16::from(value) | u16::from(self.control & TXB8) << 8);
        self.load(cx.cycle);
    }

    /// The shift register takes the next character, if it is empty.
    fn load(&mut self, cycle: u64) {
        if self.shift == Shift::Idle {
            if let Some(data) = self.buffer.take() {
                self.shift = Shift::Waiting { data, start: self.format.next_bit(cycle) };
            }
        }
    }

    fn begin(&mut self, cx: &mut Context<'_>, data: u16) {
        let bit_time = cx.clocks.processor().bit_time(self.format.bit());
        let frame = self.format.frame(data, bit_time);
        let (_, txd) = self.signals();
        cx.out.push(Effect::Frame(txd, frame));
        self.shift = Shift::Sending(cx.cycle + self.format.bits() * self.format.bit());
    }

    /// A character is sent.
    fn sent(&mut self, cx: &mut Context<'_>) {
        match self.buffer.take() {
            Some(data) => self.begin(cx, data),
            None => {
                self.shift = Shift::Idle;
                self.complete = true;
                self.release_pin(cx);
            }
        }
    }

    /// The transmitter has its pin as long as it is on or has something to send.
    fn release_pin(&mut self, cx: &mut Context<'_>) {
        if !self.transmits() && self.shift == Shift::Idle {
            let (_, txd) = self.signals();
            cx.out.override_pin(txd, Drive::NONE);
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        let before = std::mem::replace(&mut self.control, value & !(UCSZ2 | RXB8));
        let changed = before ^ value;
        let (rxd, txd) = self.signals();
        let nine = value & UCSZ2 != 0;
        self.reformat(cx, Format { nine, ..self.format });
        if changed & RXEN != 0 {
            let on = value & RXEN != 0;
            cx.out.override_pin(rxd, if on { Drive::INPUT } else { Drive::NONE });
            if on {
                self.receiver.start(cx.now, cx.clocks, &self.format);
            } else {
                self.receiver.stop();
            }
        }
        if changed & TXEN != 0 {
            if value & TXEN != 0 {
                cx.out.override_pin(txd, Drive::output(true));
            } else {
                self.release_pin(cx);
            }
        }
    }

    /// Characters have another form or speed from now on.
    fn reformat(&mut self, cx: &mut Context<'_>, format: Format) {
        if format != self.format {
            self.format = format;
            self.receiver.restart(cx.now, cx.clocks, &self.format);
            if format.is_reserved() {
                cx.out.warn(WarningKind::Reserved);
            }
        }
    }

    fn receive(&mut self) -> u8 {
        if let Some(received) = self.receiver.take() {
            self.last = received.data as u8;
            self.ninth = received.data >> 8 & 1 != 0;
        }
        self.last
    }
}

impl Peripheral for Usart {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        let double_speed = flag(self.format.double_speed, U2X);
        match id(register) {
            Some(Id::Data) => self.receive(),
            Some(Id::A) => self.flags() | double_speed | flag(self.multi_processor, MPCM),
            Some(Id::B) => {
                let ninth =
                    self.receiver.front().map_or(self.ninth, |next| next.data >> 8 & 1 != 0);
                self.control | flag(self.format.nine, UCSZ2) | flag(ninth, RXB8)
            }
            Some(Id::C) => self.format.control,
            Some(Id::BaudLow) => self.format.divider as u8,
            Some(Id::BaudHigh) => self.baud_high,
            None => 0,
        }
    }

    fn holds(&self, _cx: &Context<'_>, register: u8) -> Holds {
        match id(register) {
            Some(Id::Data) => Holds::Unknown,
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match id(register) {
            Some(Id::Data) => self.send(cx, value),
            Some(Id::A) => {
                self.complete &= value & TXC == 0;
                self.multi_processor = value & MPCM != 0;
                let double_speed = value & U2X != 0;
                self.reformat(cx, Format { double_speed, ..self.format });
            }
            Some(Id::B) => self.write_control(cx, value),
            Some(Id::C) => {
                let format = Format { control: value, ..self.format };
                if format.is_synchronous() && !self.format.is_synchronous() {
                    cx.out.warn(WarningKind::NotModelled);
                }
                self.reformat(cx, format);
            }
            Some(Id::BaudLow) => {
                let divider = u16::from_be_bytes([self.baud_high, value]);
                self.reformat(cx, Format { divider, zero: cx.cycle, ..self.format });
            }
            Some(Id::BaudHigh) => self.baud_high = value,
            None => {}
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        let shift = match self.shift {
            Shift::Idle => None,
            Shift::Waiting { start, .. } => Some(start),
            Shift::Sending(end) => Some(end),
        };
        let next = [shift, self.receiver.due()].into_iter().flatten().min();
        next.map_or(Due::Never, Due::Cycle)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        match self.shift {
            Shift::Waiting { data, start } if start <= cx.cycle => self.begin(cx, data),
            Shift::Sending(end) if end <= cx.cycle => self.sent(cx),
            _ => {}
        }
        if self.receiver.due().is_some_and(|due| due <= cx.cycle) {
            self.receiver.fire(cx, &self.format, self.multi_processor);
        }
    }

    fn lines(&self) -> u64 {
        self.enabled_of(self.flags())
    }

    fn interrupts(&self) -> u64 {
        self.enabled_of(RXC | UDRE | TXC)
    }

    fn acknowledge(&mut self, _cx: &mut Context<'_>, vector: u32) {
        if vector == USART0_RECEIVE + 2 || vector == USART1_RECEIVE + 2 {
            self.complete = false;
        }
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = cx.clocks.io_runs().then(|| cx.clocks.processor());
        if clock.is_some() && clock != self.clock {
            self.receiver.restart(cx.now, cx.clocks, &self.format);
        }
        self.clock = clock;
    }

    fn input(&mut self, cx: &mut Context<'_>, _signal: Signal, input: PadInput) {
        let (now, clocks, format) = (cx.now, cx.clocks, &self.format);
        match input {
            PadInput::Level(high) => {
                self.receiver.change_line(now, clocks, format, |line| line.level(now, high));
            }
            PadInput::Frame(frame) => {
                self.receiver.change_line(now, clocks, format, |line| line.frame(now, &frame));
            }
            _ => {}
        }
    }

    fn activity(&self) -> &'static str {
        match self.control & (RXEN | TXEN) {
            0 => OFF,
            _ => "on",
        }
    }

    fn reset(&mut self, cx: &mut Context<'_>, _power: bool) {
        *self = Usart::new(self.number);
        self.format.zero = cx.cycle;
    }
}
