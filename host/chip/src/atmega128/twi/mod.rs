// SPDX-License-Identifier: MIT OR Apache-2.0
//! TWI as a master (data sheet, "Two-wire Serial Interface"). As a slave it is not modelled, and says so.

#[cfg(test)]
mod tests;

use crate::atmega128::clocks::Clocks;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{
    Context, Drive, Due, Effect, Holds, PadInput, Peripheral, flag,
};
use crate::atmega128::pins::Signal;
use crate::{I2cStep, OFF, Reply, Transfer, WarningKind};

/// TWCR.
const TWINT: u8 = 1 << 7;
const TWEA: u8 = 1 << 6;
const TWSTA: u8 = 1 << 5;
const TWSTO: u8 = 1 << 4;
const TWWC: u8 = 1 << 3;
const TWEN: u8 = 1 << 2;
const TWIE: u8 = 1;

/// TWSR without its prescaler: the status codes of a master.
const STARTED: u8 = 0x08;
const STARTED_AGAIN: u8 = 0x10;
const WRITE_ACKNOWLEDGED: u8 = 0x18;
const WRITE_REFUSED: u8 = 0x20;
const SENT_ACKNOWLEDGED: u8 = 0x28;
const SENT_REFUSED: u8 = 0x30;
const LOST: u8 = 0x38;
const READ_ACKNOWLEDGED: u8 = 0x40;
const READ_REFUSED: u8 = 0x48;
const RECEIVED: u8 = 0x50;
const RECEIVED_LAST: u8 = 0x58;
const NOTHING: u8 = 0xF8;

/// Bits of the clock that a byte with its acknowledge takes, and a start or a stop.
const BYTE_BITS: u64 = 9;
const CONDITION_BITS: u64 = 1;

/// What is happening on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Phase {
    Quiet,
    /// A start waits until the bus is free.
    Waiting,
    Start {
        again: bool,
    },
    Address {
        read: bool,
    },
    Send,
    Receive {
        acknowledge: bool,
    },
    Stop {
        start: bool,
    },
}

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Twi {
    bit_rate: u8,
    prescaler: u8,
    address: u8,
    data: u8,
    /// TWEA, TWEN and TWIE.
    control: u8,
    flag: bool,
    collision: bool,
    status: u8,
    /// The status that says what follows, kept while TWSR shows that there is none.
    last: u8,
    phase: Phase,
    due: Option<u64>,
    reply: Option<Reply>,
    /// The master has started and not stopped.
    owns: bool,
    /// Level of SDA, which its pull-up resistor keeps high.
    sda: bool,
}

impl Twi {
    pub fn new() -> Twi {
        Twi {
            bit_rate: 0,
            prescaler: 0,
            address: 0xFE,
            data: 0xFF,
            control: 0,
            flag: false,
            collision: false,
            status: NOTHING,
            last: NOTHING,
            phase: Phase::Quiet,
            due: None,
            reply: None,
            owns: false,
            sda: false,
        }
    }

    fn is_on(&self) -> bool {
        self.control & TWEN != 0
    }

    /// Cycles of a period of SCL.
    fn bit(&self) -> u64 {
        16 + 2 * (u64::from(self.bit_rate) << (2 * self.prescaler))
    }

    fn enter(&mut self, cx: &Context<'_>, phase: Phase, bits: u64) {
        self.phase = phase;
        self.reply = None;
        self.due = Some(cx.cycle + bits * self.bit());
    }

    fn tell(&self, cx: &mut Context<'_>, step: I2cStep) {
        cx.out.push(Effect::Transfer(Signal::Sda, Transfer::I2c(step)));
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        let was_on = self.is_on();
        self.control = value & (TWEA | TWEN | TWIE);
        if self.is_on() != was_on {
            for signal in [Signal::Scl, Signal::Sda] {
                let drive = if was_on { Drive::NONE } else { Drive::INPUT };
                cx.out.override_pin(signal, drive);
            }
        }
        if !self.is_on() {
            self.leave_bus();
            self.flag = false;
            return;
        }
        let idle = self.phase == Phase::Quiet && !self.owns;
        if value & TWINT != 0 && self.flag || idle && value & (TWSTA | TWSTO) != 0 {
            self.flag = false;
            self.status = NOTHING;
            self.act(cx, value);
        }
        if !self.owns && self.phase == Phase::Quiet && value & TWEA != 0 {
            // It would answer to its address.
            cx.out.warn(WarningKind::NotModelled);
        }
    }

    fn leave_bus(&mut self) {
        self.phase = Phase::Quiet;
        self.due = None;
        self.owns = false;
        self.status = NOTHING;
        self.last = NOTHING;
    }

    /// What TWCR requests while TWINT goes.
    fn act(&mut self, cx: &mut Context<'_>, value: u8) {
        let (start, stop) = (value & TWSTA != 0, value & TWSTO != 0);
        let address = matches!(self.last, STARTED | STARTED_AGAIN);
        match self.last {
            _ if stop && self.owns => {
                self.tell(cx, I2cStep::Stop);
                self.enter(cx, Phase::Stop { start }, CONDITION_BITS);
            }
            _ if start => self.start(cx),
            _ if !self.owns => {}
            _ if address => {
                let read = self.data & 1 != 0;
                self.tell(cx, I2cStep::Start { address: u16::from(self.data >> 1), read });
                self.enter(cx, Phase::Address { read }, BYTE_BITS);
            }
            READ_ACKNOWLEDGED | RECEIVED => {
                self.tell(cx, I2cStep::Read);
                let acknowledge = value & TWEA != 0;
                self.enter(cx, Phase::Receive { acknowledge }, BYTE_BITS);
            }
            WRITE_ACKNOWLEDGED..=SENT_REFUSED => {
                self.tell(cx, I2cStep::Write(self.data));
                self.enter(cx, Phase::Send, BYTE_BITS);
            }
            _ => {}
        }
    }

    fn start(&mut self, cx: &mut Context<'_>) {
        if self.owns {
            self.enter(cx, Phase::Start { again: true }, CONDITION_BITS);
        } else if self.sda {
            self.enter(cx, Phase::Start { again: false }, CONDITION_BITS);
        } else {
            self.phase = Phase::Waiting;
        }
    }

    /// Something has happened: SCL is held low until the program goes on.
    fn report(&mut self, status: u8) {
        self.phase = Phase::Quiet;
        self.status = status;
        self.last = status;
        self.flag = true;
    }

    /// A byte was sent: whether it was acknowledged, or the bus was lost to what holds SDA low.
    fn sent(&mut self, acknowledged: u8, refused: u8) {
        if !self.sda {
            self.owns = false;
            return self.report(LOST);
        }
        let is_acknowledged = matches!(self.reply, Some(Reply::Acknowledge));
        self.report(if is_acknowledged { acknowledged } else { refused });
    }

    fn received(&mut self, cx: &mut Context<'_>, acknowledge: bool) {
        self.data = match self.reply {
            _ if !self.sda => 0,
            Some(Reply::Data(data)) => data,
            _ => 0xFF,
        };
        self.tell(cx, I2cStep::Acknowledge(acknowledge));
        self.report(if acknowledge { RECEIVED } else { RECEIVED_LAST });
    }
}

impl Peripheral for Twi {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        match register {
            TWBR => self.bit_rate,
            TWSR => self.status | self.prescaler,
            TWAR => self.address,
            TWDR => self.data,
            _ => {
                let starts = matches!(self.phase, Phase::Waiting | Phase::Start { .. });
                let stops = matches!(self.phase, Phase::Stop { .. });
                let again = matches!(self.phase, Phase::Stop { start: true });
                self.control
                    | flag(self.flag, TWINT)
                    | flag(self.collision, TWWC)
                    | flag(starts || again, TWSTA)
                    | flag(stops, TWSTO)
            }
        }
    }

    fn holds(&self, _cx: &Context<'_>, _register: u8) -> Holds {
        Holds::UntilDue
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            TWBR => self.bit_rate = value,
            TWSR => self.prescaler = value & 3,
            TWAR => self.address = value,
            TWDR => {
                // It can be written only while TWINT is set ("TWI Data Register - TWDR"), so not
                // before the first interrupt.
                self.collision = !self.flag;
                if !self.collision {
                    self.data = value;
                }
            }
            _ => self.write_control(cx, value),
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        self.due.map_or(Due::Never, Due::Cycle)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.due = None;
        match self.phase {
            Phase::Quiet | Phase::Waiting => {}
            Phase::Start { again } => {
                self.owns = true;
                self.report(if again { STARTED_AGAIN } else { STARTED });
            }
            Phase::Address { read: false } => self.sent(WRITE_ACKNOWLEDGED, WRITE_REFUSED),
            Phase::Address { read: true } => self.sent(READ_ACKNOWLEDGED, READ_REFUSED),
            Phase::Send => self.sent(SENT_ACKNOWLEDGED, SENT_REFUSED),
            Phase::Receive { acknowledge } => self.received(cx, acknowledge),
            Phase::Stop { start } => {
                self.phase = Phase::Quiet;
                self.owns = false;
                self.last = NOTHING;
                if start {
                    self.start(cx);
                }
            }
        }
    }

    fn lines(&self) -> u64 {
        u64::from(self.flag && self.control & TWIE != 0) << TWI_EVENT
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.control & TWIE != 0) << TWI_EVENT
    }

    fn input(&mut self, cx: &mut Context<'_>, _signal: Signal, input: PadInput) {
        match input {
            PadInput::Reply(reply) => self.reply = Some(reply),
            PadInput::Level(high) => {
                self.sda = high;
                if high && self.phase == Phase::Waiting {
                    self.start(cx);
                }
            }
            _ => {}
        }
    }

    fn activity(&self) -> &'static str {
        if self.is_on() { "on" } else { OFF }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        *self = Twi { sda: self.sda, ..Twi::new() };
    }
}
