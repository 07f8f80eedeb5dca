// SPDX-License-Identifier: MIT OR Apache-2.0
//! A serial interface as I2C master (data sheet, chapter "SERCOM I2C", "I2C Master Operation").

use super::engine::Engine;
use super::registers::{ERROR, Registers};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, PadInput, PadOutput, Signal};
use crate::{I2cStep, Reply, Time, Transfer};

/// INTFLAG.
const MB: u8 = 1 << 0;
const SB: u8 = 1 << 1;

/// STATUS.
const BUSERR: u16 = 1 << 0;
const ARBLOST: u16 = 1 << 1;
const RXNACK: u16 = 1 << 2;
const BUSSTATE: u16 = 3 << 4;
const CLKHOLD: u16 = 1 << 7;
const LOWTOUT: u16 = 1 << 6;
const LENERR: u16 = 1 << 10;

/// Generic clock channel of the slow clock of all serial interfaces.
const SLOW_CHANNEL: u8 = 19;

/// CTRLA.
const LOWTOUTEN: u32 = 1 << 30;
/// How long SCL is low when that is a time-out: between 25 and 35 ms, of the slow clock.
const LOW_LIMIT: Time = Time::from_ms(30);

/// CTRLB.
const SMEN: u32 = 1 << 8;
const QCEN: u32 = 1 << 9;
const ACKACT: u32 = 1 << 18;
const REPEATED_START: u32 = 1;
const BYTE_READ: u32 = 2;
const STOP: u32 = 3;

/// ADDR.
const LENEN: u32 = 1 << 13;
const TENBITEN: u32 = 1 << 15;

/// The pads of the lines.
const SDA: u8 = 0;
const SCL: u8 = 1;

/// Bits on the wire of a byte with its acknowledge, of two bytes of address, of a stop.
const BYTE_BITS: u64 = 9;
const STOP_BITS: u64 = 1;
/// Bits from a start's falling edge to the first clock.
const START_BITS: u64 = 1;
/// Cycles of the generic clock that an SCL period takes in addition to BAUD and BAUDLOW.
const SCL_OVERHEAD: u64 = 10;

/// What the bus is known to be (STATUS.BUSSTATE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
#[borsh(use_discriminant = true)]
enum Bus {
    Unknown = 0,
    Idle = 1,
    Owner = 2,
    Busy = 3,
}

/// What is being transferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Phase {
    /// Nothing; the clock is held low if the master owns the bus.
    Quiet,
    Address {
        read: bool,
    },
    Write,
    Read,
    Stop,
    /// The bus is being watched until it counts as idle (CTRLA.INACTOUT).
    Inactive,
}

/// The engine of an enabled master.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct I2c {
    bus: Bus,
    phase: Phase,
    due: Time,
    reply: Option<Reply>,
    data: u8,
    /// The transaction under way is a read, and its address has been acknowledged.
    reads: bool,
    /// The byte in DATA has not been acknowledged, or refused, yet.
    unanswered: bool,
    /// The byte in DATA has not been read yet.
    unfetched: bool,
    /// Bytes that are left of a transaction of known length (ADDR.LEN).
    left: Option<u8>,
    /// The level of SDA, which its pull-up resistor keeps high.
    sda: bool,
    /// The level of SCL while the master does not drive it; what holds it low stretches the phase.
    scl: bool,
    /// When it will have been low for too long.
    low_until: Time,
    /// A transaction waits until the bus is idle, or the step under way has ended.
    waits: bool,
    clock: Option<Clock>,
    /// The remaining time of the present phase, while the clock is stopped.
    held: Option<Time>,
}

impl I2c {
    /// The engine when the interface becomes enabled.
    pub fn new(
        cx: &Context<'_>,
        registers: &mut Registers,
        clock: Option<Clock>,
        pads: [bool; 4],
    ) -> I2c {
        let mut i2c = I2c {
            bus: Bus::Unknown,
            phase: Phase::Quiet,
            due: Time::NEVER,
            reply: None,
            data: 0,
            reads: false,
            unanswered: false,
            unfetched: false,
            left: None,
            sda: pads[SDA as usize],
            scl: pads[SCL as usize],
            low_until: Time::NEVER,
            waits: false,
            clock,
            held: None,
        };
        registers.status = 0;
        if let Some(limit) = inactive_limit(registers) {
            i2c.phase = Phase::Inactive;
            i2c.due = cx.now + limit;
        }
        i2c
    }

    fn bus_is(&mut self, registers: &mut Registers, bus: Bus) {
        self.bus = bus;
        registers.status = registers.status & !BUSSTATE | (bus as u16) << 4;
    }

    /// Length of `bits` on the wire: f_SCL = f_GCLK / (10 + BAUD + BAUDLOW).
    fn span(&self, registers: &Registers, bits: u64) -> Option<Time> {
        let high = registers.baud as u64 & 0xFF;
        let low = match registers.baud as u64 >> 8 & 0xFF {
            0 => high,
            low => low,
        };
        self.clock.map(|clock| clock.span(bits * (SCL_OVERHEAD + high + low)))
    }

    fn enter(&mut self, cx: &Context<'_>, registers: &mut Registers, phase: Phase, bits: u64) {
        registers.status &= !CLKHOLD;
        self.phase = phase;
        self.reply = None;
        (self.due, self.held) = match self.span(registers, bits) {
            Some(span) if self.scl => (cx.now + span, None),
            span => (Time::NEVER, span),
        };
        self.watch_low(cx, registers);
    }

    /// Begins to count how long SCL is held low, if it is, the bus is the master's, and that is
    /// asked for (CTRLA.LOWTOUTEN).
    fn watch_low(&mut self, cx: &Context<'_>, registers: &Registers) {
        let counts = registers.ctrla & LOWTOUTEN != 0 && cx.clocks.generic(SLOW_CHANNEL).is_some();
        if self.scl || self.bus != Bus::Owner || !counts {
            self.low_until = Time::NEVER;
        } else if self.low_until == Time::NEVER {
            self.low_until = cx.now + LOW_LIMIT;
        }
    }

    /// SCL has been low for too long: the master gives the bus up.
    fn time_out(&mut self, registers: &mut Registers) {
        self.phase = Phase::Quiet;
        (self.due, self.held, self.low_until) = (Time::NEVER, None, Time::NEVER);
        (self.left, self.unanswered) = (None, false);
        registers.status |= LOWTOUT | BUSERR;
        registers.flags |= ERROR | if self.reads { SB } else { MB };
        self.bus_is(registers, Bus::Busy);
    }

    /// SCL is held low by somebody else, or no longer.
    fn clock_line_changed(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        self.go_on_or_hold(cx);
        self.watch_low(cx, registers);
        if self.scl && self.sda && self.bus == Bus::Busy {
            self.line_changed(cx, registers);
        }
    }

    /// The present phase stands still without a clock, and while SCL is held low.
    fn go_on_or_hold(&mut self, cx: &Context<'_>) {
        let goes = self.clock.is_some() && self.scl;
        if !goes && self.due != Time::NEVER {
            self.held = Some(self.due - cx.now);
            self.due = Time::NEVER;
        } else if let Some(left) = self.held.take_if(|_| goes) {
            self.due = cx.now + left;
        }
    }

    fn tell(&self, cx: &mut Context<'_>, registers: &Registers, step: I2cStep) {
        let signal = Signal::Sercom { instance: registers.instance, pad: SDA };
        cx.out.pad(signal, PadOutput::Transfer(Transfer::I2c(step)));
    }

    fn start(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        let addr = registers.addr;
        let read = addr & 1 != 0;
        let ten_bits = addr & TENBITEN != 0;
        let address = (addr >> 1) as u16 & if ten_bits { 0x3FF } else { 0x7F };
        self.left = (addr & LENEN != 0).then_some((addr >> 16) as u8);
        registers.flags &= !(MB | SB);
        registers.status &= !(BUSERR | ARBLOST | RXNACK | LOWTOUT | LENERR);
        self.bus_is(registers, Bus::Owner);
        let bytes = 1 + ten_bits as u64;
        self.enter(cx, registers, Phase::Address { read }, START_BITS + bytes * BYTE_BITS);
        self.tell(cx, registers, I2cStep::Start { address, read });
    }

    fn read_byte(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        registers.flags &= !(MB | SB);
        // The acknowledge belongs to the next step, or to the stop.
        self.enter(cx, registers, Phase::Read, BYTE_BITS - 1);
        self.tell(cx, registers, I2cStep::Read);
    }

    fn write_byte(&mut self, cx: &mut Context<'_>, registers: &mut Registers, byte: u8) {
        registers.flags &= !(MB | SB);
        self.enter(cx, registers, Phase::Write, BYTE_BITS);
        self.tell(cx, registers, I2cStep::Write(byte));
    }

    fn send_stop(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        registers.flags &= !(MB | SB);
        self.enter(cx, registers, Phase::Stop, STOP_BITS);
        self.tell(cx, registers, I2cStep::Stop);
    }

    /// Sends the acknowledge, or not, for the byte just read, unless that is done (CTRLB.ACKACT).
    fn acknowledge(&mut self, cx: &mut Context<'_>, registers: &Registers) {
        if std::mem::take(&mut self.unanswered) {
            self.tell(cx, registers, I2cStep::Acknowledge(registers.ctrlb & ACKACT == 0));
        }
    }

    /// The master waits for the firmware, holding the clock low.
    fn hold(&mut self, registers: &mut Registers, flag: u8) {
        self.phase = Phase::Quiet;
        registers.flags |= flag;
        registers.status |= CLKHOLD;
    }

    fn acknowledged(&mut self, registers: &mut Registers) -> bool {
        let acknowledged = matches!(self.reply, Some(Reply::Acknowledge));
        registers.status = registers.status & !RXNACK | if acknowledged { 0 } else { RXNACK };
        acknowledged
    }

    /// Something else pulls SDA low while the master sends: it has lost the bus.
    fn lose_bus(&mut self, registers: &mut Registers) {
        self.phase = Phase::Quiet;
        self.left = None;
        registers.status |= ARBLOST;
        registers.flags |= MB | ERROR;
        self.bus_is(registers, Bus::Busy);
    }

    /// SDA changes while the master sends nothing: a start or a stop of somebody else.
    fn line_changed(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        match (self.bus, self.sda) {
            (Bus::Idle, false) => self.bus_is(registers, Bus::Busy),
            (Bus::Busy, true) => {
                self.bus_is(registers, Bus::Idle);
                self.start_waiting(cx, registers);
            }
            _ => {}
        }
    }

    /// Starts the transaction that waits, if it can start now.
    fn start_waiting(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        let can_start = self.bus == Bus::Idle || self.owns_and_waits();
        if can_start && std::mem::take(&mut self.waits) {
            self.acknowledge(cx, registers);
            self.start(cx, registers);
        }
    }

    fn address_sent(&mut self, cx: &mut Context<'_>, registers: &mut Registers, read: bool) {
        if !self.sda {
            return self.lose_bus(registers);
        }
        let acknowledged = self.acknowledged(registers);
        self.reads = read && acknowledged;
        if !acknowledged && self.left.is_some() {
            registers.status |= LENERR;
            registers.flags |= ERROR;
        }
        match (read, acknowledged) {
            (true, true) if registers.ctrlb & QCEN != 0 => self.hold(registers, SB),
            (true, true) => self.read_byte(cx, registers),
            _ => self.hold(registers, MB),
        }
    }

    fn byte_sent(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        if !self.sda {
            return self.lose_bus(registers);
        }
        let acknowledged = self.acknowledged(registers);
        match &mut self.left {
            Some(left) => {
                *left = left.saturating_sub(1);
                let done = *left == 0;
                if !acknowledged && !done {
                    registers.status |= LENERR;
                    registers.flags |= ERROR;
                }
                if done || !acknowledged {
                    return self.send_stop(cx, registers);
                }
                self.hold(registers, MB);
            }
            None => self.hold(registers, MB),
        }
    }

    fn byte_read(&mut self, registers: &mut Registers) {
        self.data = match self.reply {
            _ if !self.sda => 0,
            Some(Reply::Data(data)) => data,
            _ => 0xFF,
        };
        (self.unanswered, self.unfetched) = (true, true);
        self.hold(registers, SB);
    }

    /// After a byte was fetched from DATA in smart mode, or with a known length. The last byte of an unknown length
    /// is refused; the stop follows by command.
    fn go_on(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(1);
            let last = *left == 0;
            self.unanswered = false;
            self.tell(cx, registers, I2cStep::Acknowledge(!last));
            return if last {
                self.send_stop(cx, registers);
            } else {
                self.read_byte(cx, registers);
            };
        }
        self.acknowledge(cx, registers);
        if registers.ctrlb & ACKACT == 0 {
            self.read_byte(cx, registers);
        }
    }

    fn owns_and_waits(&self) -> bool {
        self.bus == Bus::Owner && self.phase == Phase::Quiet
    }
}

impl Engine for I2c {
    fn stop(&mut self, _cx: &mut Context<'_>, registers: &mut Registers) {
        registers.status = 0;
    }

    fn ctrlb_applied(&mut self, _cx: &mut Context<'_>, _registers: &mut Registers) {}

    fn flags(&self, registers: &Registers) -> u8 {
        registers.flags
    }

    fn requests(&self, registers: &Registers) -> [bool; 2] {
        let writes = registers.addr & 1 == 0;
        [self.unfetched, self.owns_and_waits() && writes]
    }

    fn wants_clock(&self, registers: &Registers) -> bool {
        self.bus == Bus::Owner || registers.runs_in_standby()
    }

    fn write_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers, value: u16) {
        if self.owns_and_waits() && registers.addr & 1 == 0 {
            self.write_byte(cx, registers, value as u8);
        }
    }

    fn read_data(&mut self, cx: &mut Context<'_>, registers: &mut Registers) -> u16 {
        self.unfetched = false;
        // It is the clock that waits for this, not the flags, which the firmware may have cleared.
        if self.owns_and_waits() && (registers.ctrlb & SMEN != 0 || self.left.is_some()) {
            registers.flags &= !(MB | SB);
            if self.unanswered {
                self.go_on(cx, registers);
            }
        }
        self.data.into()
    }

    fn write_addr(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        match self.bus {
            Bus::Unknown => {
                registers.status |= BUSERR;
                registers.flags |= MB | ERROR;
            }
            Bus::Idle => self.start(cx, registers),
            Bus::Owner | Bus::Busy => {
                registers.flags &= !(MB | SB);
                self.waits = true;
                self.start_waiting(cx, registers);
            }
        }
    }

    fn command(&mut self, cx: &mut Context<'_>, registers: &mut Registers, command: u32) {
        if !self.owns_and_waits() {
            return;
        }
        self.acknowledge(cx, registers);
        match command {
            REPEATED_START => self.start(cx, registers),
            BYTE_READ if self.reads => self.read_byte(cx, registers),
            STOP => self.send_stop(cx, registers),
            _ => {}
        }
    }

    fn write_bus_state(&mut self, _cx: &mut Context<'_>, registers: &mut Registers, state: u16) {
        // Only idle can be forced.
        if state == Bus::Idle as u16 && matches!(self.bus, Bus::Unknown | Bus::Busy) {
            self.waits = false;
            self.phase = Phase::Quiet;
            self.due = Time::NEVER;
            self.bus_is(registers, Bus::Idle);
        }
    }

    fn due(&self) -> Time {
        self.due.min(self.low_until)
    }

    fn fire(&mut self, cx: &mut Context<'_>, registers: &mut Registers) {
        if self.low_until <= cx.now {
            return self.time_out(registers);
        }
        if self.due > cx.now {
            return;
        }
        self.due = Time::NEVER;
        match self.phase {
            Phase::Quiet => {}
            Phase::Address { read } => self.address_sent(cx, registers, read),
            Phase::Write => self.byte_sent(cx, registers),
            Phase::Read => self.byte_read(registers),
            Phase::Stop | Phase::Inactive => {
                self.phase = Phase::Quiet;
                // SDA does not rise for a stop while something holds it low.
                let bus = if self.sda { Bus::Idle } else { Bus::Busy };
                self.bus_is(registers, bus);
            }
        }
        self.start_waiting(cx, registers);
    }

    fn pad(&mut self, cx: &mut Context<'_>, registers: &mut Registers, pad: u8, input: PadInput) {
        match (pad, input) {
            (SDA, PadInput::Reply(reply)) => self.reply = Some(reply),
            (SDA, PadInput::Level(high)) => {
                self.sda = high;
                self.line_changed(cx, registers);
            }
            (SCL, PadInput::Level(high)) => {
                self.scl = high;
                self.clock_line_changed(cx, registers);
            }
            _ => {}
        }
    }

    fn clocks_changed(
        &mut self,
        cx: &mut Context<'_>,
        _registers: &mut Registers,
        clock: Option<Clock>,
    ) {
        if clock == self.clock {
            return;
        }
        self.clock = clock;
        self.go_on_or_hold(cx);
    }
}

/// CTRLA.INACTOUT: how long the bus must be quiet to be idle (SMBus).
fn inactive_limit(registers: &Registers) -> Option<Time> {
    match registers.ctrla >> 28 & 3 {
        0 => None,
        1 => Some(Time::from_us(55)),
        2 => Some(Time::from_us(105)),
        _ => Some(Time::from_us(205)),
    }
}
