// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atmel AT86RF233: the radio of the SAM R21 (data sheet of the part, 8351).
//!
//! One frame buffer holds what is sent and what is received. In the basic states the program does the rest; in RX_AACK the
//! radio filters frames and acknowledges them, in TX_ARET it waits for a clear channel and for the acknowledgment.

mod access;
mod activity;
mod aret;
mod channel;
mod cipher;
mod frame;
mod measure;
mod receive;
mod receiver;
mod registers;
mod rest;
mod send;
mod states;
mod transmitter;

use super::bits::{Bits, Edge};
use super::{Condition, Fitness, RadioCrystal, RadioPart, spi};
use crate::air::{Demodulator, Meeting, Reception, Transmission};
use crate::part::{Bus, RadioWires};
use crate::{Act, Consumption, Device, NotItsState, Report, Stimulus, Surroundings, device};
use access::Access;
use aret::Aret;
use borsh::{BorshDeserialize, BorshSerialize};
use cipher::Cipher;
use lichen_chip::{Input, Level, PinId, Pull, Reply, Time, Transfer};
use measure::Measurement;
use receiver::Receiving;
use registers::{
    AVDD_OK, AWAKE_END, CCA_REQUEST, DVDD_OK, IRQ_STATUS, PHY_CC_CCA, PHY_ED_LEVEL, PHY_RSSI,
    PLL_LOCK, Registers, TRX_CTRL_1, TRX_STATE, TRX_STATUS, TRX_UR, VREG_CTRL,
};
use rest::Rest;
use states::{Outcome, SLEEP_TO_TRX_OFF, State, States, TRX_OFF_TO_PLL_ON};
use transmitter::Sending;

pub(super) const RADIO: RadioPart = RadioPart {
    number: "AT86RF233",
    bus: Bus::Spi,
    wires: &["select", "irq", "reset", "sleep"],
    optional: &["clkm"],
    is_802_15_4: true,
    connect,
};

/// The table of its currents.
const TABLE: &str = "at86rf233";

const MODES: &[u8] = &[0];
/// Its fastest clock, if that is not made from its own ("Digital Interface Timing Characteristics").
const FASTEST_HZ: u64 = 7_500_000;
/// Bytes of the frame buffer: the length of a frame, and 127 bytes of it.
const BUFFER: usize = 128;
/// Cycles of its clock output until that stops, and the radio sleeps, if it is faster than this.
const CLKM_CYCLES: u64 = 35;
const SLOW_CLKM_HZ: u64 = 250_000;
/// How long the synthesizer takes to another channel (tTR20).
const CHANNEL_CHANGE: Time = Time::from_us(11);
/// PHY_RSSI.RX_CRC_VALID.
const CRC_VALID: u8 = 1 << 7;

/// Mismatches of program and part. Each is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Mismatch {
    NotAccessible,
    Ignored,
    Channel,
    /// Of the clock or the words of its bus.
    Bus,
}

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct At86rf233 {
    name: String,
    /// MOSI, the select line, the reset line, SLP_TR and SCK.
    pins: [PinId; 5],
    miso: PinId,
    irq: PinId,
    clkm: Option<PinId>,
    /// The mote's serial number, by which its noise differs from that of others.
    serial: u64,
    /// How much faster its crystal is than 16 MHz, in parts per million.
    crystal_ppm: i32,
    fitness: Fitness,
    registers: Registers,
    states: States,
    buffer: Vec<u8>,
    /// What follows a received frame in the frame buffer: its LQI, its energy, and its status.
    appended: Option<[u8; 3]>,
    /// The frame buffer holds a frame that has not been read, and takes no other one.
    is_protected: bool,
    cipher: Cipher,
    air: Demodulator,
    /// To what the receiver is set while it listens.
    tuned: Option<(u32, u16, u8)>,
    receiving: Option<Receiving>,
    /// Frames that its filter has rejected and that have not ended.
    rests: Vec<Rest>,
    /// How many frames it has begun to send.
    sent: u32,
    sending: Option<Sending>,
    /// The acknowledgment that it will send, and when that is announced.
    acknowledges: Option<(Time, [u8; 3])>,
    aret: Option<Aret>,
    /// Where the random numbers of TX_ARET are.
    generator: Option<u16>,
    /// The result of the last transaction (TRX_STATE.TRAC_STATUS).
    trac: u8,
    /// A measurement under way, and when it ends.
    measures: Option<(Time, Measurement)>,
    /// TRX_STATUS.CCA_DONE and CCA_STATUS.
    assessed: u8,
    /// A command that waits for the end of a frame.
    deferred: Option<u8>,
    /// When the synthesizer has locked to another channel.
    locks: Time,
    is_selected: bool,
    /// Bytes from a master that drives MOSI and SCK bit by bit.
    bits: Bits,
    access: Access,
    /// What is driven at the interrupt request.
    requests: Level,
    /// The frequency of its clock output, in millihertz.
    clock: u64,
    mismatches: Vec<Mismatch>,
}

/// The radio of a board, which is this one, with a crystal that deviates by `crystal_ppm`.
fn connect(wires: &RadioWires, crystal: &RadioCrystal) -> Option<Box<dyn Device>> {
    let pin = |name| wires.pin(name);
    Some(Box::new(At86rf233 {
        name: RADIO.number.to_lowercase(),
        pins: [pin("mosi")?, pin("select")?, pin("reset")?, pin("sleep")?, pin("sck")?],
        miso: pin("miso")?,
        irq: pin("irq")?,
        clkm: pin("clkm"),
        serial: 0,
        crystal_ppm: crystal.ppm,
        fitness: Fitness::default(),
        registers: Registers::default(),
        states: States::powered(Time::ZERO),
        buffer: vec![0; BUFFER],
        appended: None,
        is_protected: false,
        cipher: Cipher::default(),
        air: Demodulator::default(),
        tuned: None,
        receiving: None,
        rests: Vec::new(),
        sent: 0,
        sending: None,
        acknowledges: None,
        aret: None,
        generator: None,
        trac: aret::SUCCESS,
        measures: None,
        assessed: 0,
        deferred: None,
        locks: Time::NEVER,
        is_selected: false,
        bits: Bits::default(),
        access: Access::Command,
        requests: Level::Floating(Pull::None),
        clock: 0,
        mismatches: Vec::new(),
    }))
}

impl At86rf233 {
    /// Says something, once.
    fn mismatch(&mut self, around: &mut Surroundings<'_>, what: Mismatch, text: &str) {
        if !self.mismatches.contains(&what) {
            self.mismatches.push(what);
            let text = format!("{} {text}", self.name);
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// What a register reads as.
    fn read(&mut self, now: Time, register: u8) -> u8 {
        match register {
            TRX_STATUS => self.states.status() | std::mem::take(&mut self.assessed),
            TRX_STATE => self.registers.read(register) & 0x1F | self.trac << 5,
            PHY_RSSI => {
                self.registers.get(PHY_RSSI) & CRC_VALID | self.random(now) << 5 | self.rssi(now)
            }
            PHY_ED_LEVEL => self.energy_of_frame(now).unwrap_or(self.registers.get(PHY_ED_LEVEL)),
            VREG_CTRL => {
                let analog = if self.states.state().has_pll() { AVDD_OK } else { 0 };
                self.registers.read(register) & !(AVDD_OK | DVDD_OK) | analog | DVDD_OK
            }
            _ => self.registers.read(register),
        }
    }

    fn write(&mut self, around: &mut Surroundings<'_>, register: u8, value: u8) {
        let frequency = channel::frequency_khz(&self.registers);
        self.registers.write(register, value);
        match register {
            TRX_STATE => self.command(around, value & 0x1F),
            PHY_ED_LEVEL => self.measure(around.now, Measurement::Energy),
            PHY_CC_CCA if value & CCA_REQUEST != 0 => self.measure(around.now, Measurement::Clear),
            _ => {}
        }
        if channel::frequency_khz(&self.registers) != frequency && self.states.state().has_pll() {
            self.locks = around.now + CHANNEL_CHANGE;
        }
    }

    fn command(&mut self, around: &mut Surroundings<'_>, command: u8) {
        match self.states.command(around.now, command) {
            Outcome::Accepted => {}
            Outcome::Sends => self.starts_to_send(around),
            Outcome::Deferred => self.deferred = Some(command),
            Outcome::Ignored => {
                let status = self.states.status();
                let text = format!(
                    "ignores the command 0x{command:02x} while its TRX_STATUS is 0x{status:02x}"
                );
                self.mismatch(around, Mismatch::Ignored, &text);
            }
        }
    }

    /// What it sends with the first byte of an access (TRX_CTRL_1.SPI_CMD_MODE).
    fn phy_status(&self) -> u8 {
        match self.registers.get(TRX_CTRL_1) >> 2 & 3 {
            0 => 0,
            1 => self.states.status(),
            // PHY_RSSI.
            2 => self.registers.get(PHY_RSSI),
            _ => self.registers.get(IRQ_STATUS),
        }
    }

    /// Exchanges a byte.
    fn exchange(&mut self, around: &mut Surroundings<'_>, byte: u8) -> u8 {
        let access = self.access;
        self.access = access.after(byte);
        match access {
            Access::Command => self.phy_status(),
            Access::Register { register, writes: false } => self.read(around.now, register),
            Access::Register { register, writes: true } => {
                self.write(around, register, byte);
                0
            }
            Access::Frame { at, writes } | Access::Sram { at, writes } => {
                if at >= cipher::AES_STATUS && matches!(access, Access::Sram { .. }) {
                    return match writes {
                        true => self.cipher.write(around.now, at, byte),
                        false => self.cipher.read(around.now, at),
                    };
                }
                match writes {
                    true => self.store(around.now, at.into(), byte),
                    false => {
                        self.fetch(around.now, at.into(), matches!(access, Access::Frame { .. }))
                    }
                }
            }
            Access::Address { .. } | Access::Over => 0,
        }
    }

    /// Writes a byte of the frame buffer.
    fn store(&mut self, now: Time, at: usize, byte: u8) -> u8 {
        let Some(place) = self.buffer.get_mut(at) else { return 0 };
        self.appended = None;
        let before = std::mem::replace(place, byte);
        if before != byte && self.sending.as_mut().is_some_and(|sending| sending.wrote(now, at)) {
            self.registers.raise(TRX_UR);
        }
        before
    }

    /// Reads a byte of the frame buffer; behind a received frame is what belongs to it.
    fn fetch(&mut self, now: Time, at: usize, is_frame: bool) -> u8 {
        self.take_bytes(now);
        let arrived = self.receiving.as_ref().filter(|frame| frame.is_stored);
        if arrived.is_some_and(|frame| at > frame.bytes.len() && at <= frame.length.into()) {
            self.registers.raise(TRX_UR);
        }
        let end = usize::from(self.buffer[0] & 0x7F) + 1;
        match self.appended.filter(|_| is_frame && (end..end + 3).contains(&at)) {
            Some(appended) => appended[at - end],
            None => self.buffer.get(at).copied().unwrap_or(0),
        }
    }

    /// How long its clock output takes to stop before a sleep.
    fn clkm_stops(&self) -> Time {
        match self.registers.clkm_hz() {
            ..=SLOW_CLKM_HZ => Time::ZERO,
            hz => Time::from_ns(CLKM_CYCLES * 1_000_000_000 / hz),
        }
    }

    fn entered(&mut self, before: State, state: State) {
        let wakes = matches!(before, State::POn | State::Sleep | State::DeepSleep | State::Reset);
        if before == State::DeepSleep {
            self.registers = Registers::default();
        }
        if matches!(state, State::Sleep | State::DeepSleep) {
            self.buffer = vec![0; BUFFER];
            self.is_protected = false;
            self.cipher = Cipher::default();
        }
        if state == State::TrxOff && wakes {
            self.registers.wake();
            self.registers.raise(AWAKE_END);
        }
        if state.has_pll() && !before.has_pll() {
            self.registers.raise(PLL_LOCK);
        }
    }

    /// Whether it takes part in a transfer.
    fn listens(&mut self, around: &mut Surroundings<'_>) -> bool {
        if !self.is_selected || !self.fitness.answers() {
            return false;
        }
        let can = self.states.state().is_accessible();
        if !can {
            let text = format!(
                "does not answer in its state {}: wake it, and wait until it has started",
                self.states.state().name()
            );
            self.mismatch(around, Mismatch::NotAccessible, &text);
        }
        can
    }

    fn selected(&mut self, selects: bool) {
        let has_read = matches!(self.access, Access::Frame { writes: false, .. });
        if !selects && has_read {
            self.is_protected = false;
        }
        self.is_selected = selects;
        self.bits.select();
        self.access = Access::Command;
    }

    /// What its clock output drives, in millihertz; 0 if that stands.
    fn clock(&self) -> u64 {
        if !self.states.state().is_clocked() {
            return 0;
        }
        let ppm = i64::from(self.crystal_ppm) + 1_000_000;
        self.registers.clkm_hz() * ppm.unsigned_abs() / 1_000
    }

    /// What it hears, MISO at rest, the interrupt request and the clock output.
    fn settle(&mut self, around: &mut Surroundings<'_>) {
        self.follow_state(around);
        let answers = self.fitness.is_powered && self.fitness.answers();
        let level = if answers && self.states.state() != State::Start {
            self.registers.irq()
        } else {
            Level::Floating(Pull::None)
        };
        if std::mem::replace(&mut self.requests, level) != level {
            around.acts.push(Act::Drive(Input::Pin { pin: self.irq, level }));
        }
        let millihertz = if answers { self.clock() } else { 0 };
        let before = std::mem::replace(&mut self.clock, millihertz);
        if let Some(pin) = self.clkm.filter(|_| before != millihertz) {
            around.acts.push(Act::Drive(Input::Clock { pin, millihertz }));
        }
    }

    fn take(&mut self, around: &mut Surroundings<'_>, condition: Condition) {
        if !self.fitness.set(condition, around.now) {
            return;
        }
        let level = match condition {
            Condition::Shorted => Level::Low,
            _ => Level::Floating(Pull::None),
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.miso, level }));
        self.settle(around);
        self.fitness.report(around, &self.name);
    }
}

impl Device for At86rf233 {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.serial = around.environment.serial();
        self.registers = Registers::default();
        self.states = States::powered(around.now);
        self.buffer = vec![0; BUFFER];
        self.generator = None;
        self.selected(false);
        self.settle(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.states = States::powered(around.now);
        self.settle(around);
        self.report_rests(around, Time::NEVER);
    }

    /// Lines that nothing drives are held at rest by resistors in the package: the select and the reset line high,
    /// SLP_TR low.
    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        let [mosi, select, reset, sleep, sck] = self.pins;
        let is_low = level == Level::Low;
        if pin == select {
            self.selected(is_low);
        } else if pin == reset {
            self.states.reset(around.now, is_low);
            if is_low {
                self.registers = Registers::default();
                (self.trac, self.assessed, self.generator) = (aret::SUCCESS, 0, None);
                self.selected(false);
            }
        } else if pin == sleep {
            let stops = self.clkm_stops();
            if self.states.sleep(around.now, level == Level::High, stops) {
                self.starts_to_send(around);
            }
        } else if pin == mosi {
            self.bits.data = level == Level::High;
        } else if pin == sck
            && let Edge::Byte(byte) = self.bits.clock(level == Level::High)
            && self.listens(around)
        {
            self.exchange(around, byte);
        }
        self.settle(around);
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, pin: PinId, transfer: Transfer) {
        let Transfer::Spi(word) = transfer else { return };
        if pin != self.pins[0] || !self.listens(around) {
            return;
        }
        if let Some(what) = spi::complaint(&word, MODES, FASTEST_HZ) {
            return self.mismatch(around, Mismatch::Bus, &format!("does not understand {what}"));
        }
        let byte = self.exchange(around, word.data as u8);
        let reply = Reply::Word(self.fitness.sent(byte).into());
        around.acts.push(Act::Drive(Input::Reply { pin: self.miso, reply }));
        self.settle(around);
    }

    fn due(&self) -> Time {
        if self.fitness.is_powered {
            self.next_activity().min(self.states.due())
        } else {
            Time::NEVER
        }
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        while self.due() <= around.now {
            if self.states.due() <= around.now {
                let (before, state) = self.states.fire(self.clkm_stops());
                self.entered(before, state);
            }
            self.act(around);
            self.follow_state(around);
        }
        self.settle(around);
    }

    /// It can send when its synthesizer is locked, and then whenever a program or a frame that it hears wants that.
    fn acts_on_air(&self, next: Time) -> Time {
        let state = self.states.state();
        let from = match state {
            State::Sleep | State::DeepSleep if self.states.due() == Time::NEVER => {
                next + SLEEP_TO_TRX_OFF + TRX_OFF_TO_PLL_ON
            }
            _ if self.states.next_with_pll().is_some() => next,
            _ if state.has_pll() => next,
            _ => next + TRX_OFF_TO_PLL_ON,
        };
        if next == Time::NEVER { next } else { from }
    }

    fn receive(&mut self, around: &mut Surroundings<'_>, reception: &Reception) {
        self.take_bytes(around.now);
        self.air.hear(reception, around.now);
        self.rests.iter_mut().for_each(|rest| rest.hear(reception, around.now));
    }

    fn meets(&self, transmission: &Transmission, power: i32) -> Option<Meeting> {
        let is_about_to = self.acknowledges.is_some() || self.aret.is_some();
        let sends = self.sending.is_some() || is_about_to && self.air.since().is_none();
        let meets = match channel::tuning(&self.registers) {
            Some(tuning) => self.air.meets(&tuning, transmission, power),
            None => Meeting::Deaf,
        };
        Some(if sends && meets != Meeting::TooWeak { Meeting::Sends } else { meets })
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = if draws { self.draws_as() } else { "off" };
        Some(Consumption { part: TABLE, state })
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let Stimulus::Condition(condition) = stimulus else { return false };
        self.take(around, *condition);
        true
    }
}

#[cfg(test)]
mod tests;
