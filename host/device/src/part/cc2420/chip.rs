// SPDX-License-Identifier: MIT OR Apache-2.0
//! The radio, apart from its wires: what it is, what is under way in it, and what it answers on SPI.
//!
//! Files beside this one have what it does: command strobes, receiving, sending, assessing its channel, and security.

use super::access::{Access, Effect};
use super::assessment::Assessment;
use super::fifo::{RxFifo, TxFifo};
use super::ram::{self, Ram};
use super::receiver::Incoming;
use super::registers::{
    ADCTST, BATTMON, BATTMON_EN, BATTMON_OK, BATTMON_VOLTAGE, CAL_DONE, CAL_RUNNING, FSCTRL,
    FSMSTATE, IOCFG1, LOCK_STATUS, MAIN, MDMCTRL0, MDMCTRL1, PARTS_RESETN, RESETN, RSSI,
    RXFIFO_PROTECTION, Registers, SECCTRL0, SYNCWORD, TESTS, XOSC16M_BYPASS,
};
use super::security::Job;
use super::states::{CRYSTAL_STARTS, REGULATOR_STARTS, SHORT_TURNAROUND, Start, State};
use super::transmitter::Outgoing;
use crate::air::{AHEAD, Demodulator, Passage};
use crate::{Act, Report, SUPPLY, Surroundings};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Time;

/// The status byte.
const XOSC16M_STABLE: u8 = 1 << 6;
const TX_UNDERFLOW: u8 = 1 << 5;
const ENC_BUSY: u8 = 1 << 4;
const TX_ACTIVE: u8 = 1 << 3;
const LOCK: u8 = 1 << 2;
const RSSI_VALID: u8 = 1 << 1;

/// ADCTST: a field of the program's, and what is read.
const ADC_CLOCK_DISABLE: u16 = 1 << 15;
const ADC_VALUES: u16 = 0x7F7F;
/// What random numbers are for.
const ADC: u32 = 0x4144_4354;

/// Mismatches of program and part. Each is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Mismatch {
    /// Of the clock or the words of its bus.
    Bus,
    NotAccessible,
    NoCrystal,
    TestMode,
    PartsReset,
    ExternalClock,
    SyncWord,
    Multiplexer,
    TxFifoFull,
    TxFifoRead,
    NoRam,
    PartialSecurity,
}

#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Chip {
    pub name: String,
    /// Its voltage regulator: VREG_EN.
    regulator: Start,
    /// RESETn is low.
    is_held: bool,
    pub registers: Registers,
    pub ram: Ram,
    pub crystal: Start,
    pub state: State,
    /// When the state ends by itself.
    pub until: Time,
    pub rx: RxFifo,
    pub tx: TxFifo,
    /// It receives the channel of this frequency, to which its synthesizer was calibrated.
    pub frequency_khz: u32,
    pub demodulator: Demodulator,
    /// Since when its receiver is on.
    pub since: Option<Time>,
    pub incoming: Option<Incoming>,
    /// The SFD pin stays active after a frame that did not fit.
    pub is_sfd_held: bool,
    pub outgoing: Option<Outgoing>,
    /// Transmissions so far.
    pub number: u32,
    /// Whether acknowledgments say that data is pending.
    pub is_pending: bool,
    /// Sequence number of the last frame received, if that was intact and is not acknowledged.
    pub unanswered: Option<u8>,
    pub assessment: Assessment,
    pub job: Option<Job>,
    access: Access,
    mismatches: Vec<Mismatch>,
}

impl Chip {
    pub fn new(name: String) -> Chip {
        let registers = Registers::default();
        Chip {
            name,
            regulator: Start::Off,
            is_held: false,
            frequency_khz: registers.frequency_khz(),
            registers,
            ram: Ram::default(),
            crystal: Start::Off,
            state: State::PowerDown,
            until: Time::NEVER,
            rx: RxFifo::empty(true),
            tx: TxFifo::default(),
            demodulator: Demodulator::default(),
            since: None,
            incoming: None,
            is_sfd_held: false,
            outgoing: None,
            number: 0,
            is_pending: false,
            unanswered: None,
            assessment: Assessment::default(),
            job: None,
            access: Access::default(),
            mismatches: Vec::new(),
        }
    }

    /// Says something, once.
    pub fn mismatch(&mut self, around: &mut Surroundings<'_>, what: Mismatch, text: &str) {
        if !self.mismatches.contains(&what) {
            self.mismatches.push(what);
            let text = format!("{} {text}", self.name);
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// The level of VREG_EN. Without its regulator it loses everything.
    pub fn regulate(&mut self, around: &mut Surroundings<'_>, on: bool) {
        if on {
            return self.regulator.begin(around.now, REGULATOR_STARTS);
        }
        self.reset(around);
        self.regulator = Start::Off;
        self.ram = Ram::default();
    }

    /// The level of RESETn.
    pub fn hold(&mut self, around: &mut Surroundings<'_>, low: bool) {
        if low {
            self.reset(around);
        }
        self.is_held = low;
    }

    /// Its registers take their reset values, and its crystal stops. The RAM stays.
    pub fn reset(&mut self, around: &mut Surroundings<'_>) {
        self.power_down(around);
        let fresh = Chip::new(String::new());
        (self.registers, self.rx, self.tx) = (fresh.registers, fresh.rx, fresh.tx);
        (self.is_pending, self.access) = (fresh.is_pending, fresh.access);
    }

    /// Its crystal stops, and all that needs it.
    pub fn power_down(&mut self, around: &mut Surroundings<'_>) {
        self.stop_radio(around);
        self.job = None;
        self.crystal = Start::Off;
        self.enter(State::PowerDown, Time::NEVER);
    }

    pub fn enter(&mut self, state: State, until: Time) {
        (self.state, self.until) = (state, until);
        self.is_sfd_held &= state == State::RxOverflow;
    }

    pub fn is_on(&self) -> bool {
        self.regulator == Start::On
    }

    pub fn has_crystal(&self) -> bool {
        self.crystal == Start::On
    }

    /// Whether it takes part in a transfer.
    pub fn is_accessible(&self) -> bool {
        self.is_on() && !self.is_held
    }

    pub fn due(&self) -> Time {
        let dues = [
            self.regulator.due(),
            self.crystal.due(),
            self.until,
            self.reception_due(),
            self.announcement_due(),
            self.assessment_due(),
            self.job.as_ref().map_or(Time::NEVER, |job| job.until),
        ];
        dues.into_iter().min().unwrap_or(Time::NEVER)
    }

    /// Does what is due.
    pub fn fire(&mut self, around: &mut Surroundings<'_>) {
        let now = around.now;
        if self.regulator.due() <= now {
            self.regulator = Start::On;
        }
        if self.crystal.due() <= now {
            self.crystal = Start::On;
            self.enter(State::Idle, Time::NEVER);
        }
        if self.job.as_ref().is_some_and(|job| job.until <= now) {
            self.job_ends(around);
        }
        if self.announcement_due() <= now {
            self.announce(around);
        }
        if self.reception_due() <= now {
            self.receive(around);
        }
        if self.until <= now {
            self.state_ends(around);
        }
        if self.assessment_due() <= now {
            self.assess(now);
        }
    }

    /// A state ends by itself.
    fn state_ends(&mut self, around: &mut Surroundings<'_>) {
        let now = around.now;
        match self.state {
            State::RxCalibrate | State::RxWait => self.search(now),
            State::TxCalibrate
            | State::TxAckCalibrate
            | State::TxPreamble
            | State::TxAckPreamble => self.transmission_proceeds(),
            State::TxFrame | State::TxAck => self.transmission_ends(around),
            _ => self.until = Time::NEVER,
        }
    }

    /// [`Device::acts_on_air`](crate::Device::acts_on_air): not before a program has started it and told it to send, or
    /// what it has to send is due.
    pub fn acts_on_air(&self, next: Time) -> Time {
        match &self.outgoing {
            Some(outgoing) if outgoing.is_announced() => next,
            outgoing => {
                let up = self.regulator.earliest(next, REGULATOR_STARTS);
                let ready = self.crystal.earliest(up, CRYSTAL_STARTS);
                let reported = ready + Time::from_units(SHORT_TURNAROUND.units() - AHEAD.units());
                reported.min(outgoing.as_ref().map_or(Time::NEVER, Outgoing::announcement_due))
            }
        }
    }

    fn status(&self, now: Time) -> u8 {
        let bits = [
            (XOSC16M_STABLE, self.has_crystal()),
            (TX_UNDERFLOW, self.tx.is_underflown),
            (ENC_BUSY, self.job.is_some()),
            (TX_ACTIVE, self.state.sends()),
            (LOCK, self.is_locked()),
            (RSSI_VALID, self.is_rssi_valid(now)),
        ];
        bits.into_iter().filter(|(_, is_set)| *is_set).map(|(bit, _)| bit).sum()
    }

    /// Whether its synthesizer is on and calibrated.
    pub fn is_locked(&self) -> bool {
        match self.state {
            State::PowerDown | State::Idle => false,
            State::Synthesizer => self.until == Time::NEVER,
            state => !state.calibrates(),
        }
    }

    /// The byte that it sends next. Where the data sheet leaves it open, that is its status.
    pub fn output(&self, around: &Surroundings<'_>) -> u8 {
        match self.access {
            Access::High { register, writes: false } => (self.read(around, register) >> 8) as u8,
            Access::Low { register, writes: false, .. } => self.read(around, register) as u8,
            Access::RxFifo { writes: false } => self.rx.peek(&self.ram),
            Access::Ram { at, .. } => self.ram.get(at),
            _ => self.status(around.now),
        }
    }

    /// Its select line changes.
    pub fn select(&mut self) {
        self.access = Access::Address;
    }

    /// A byte has arrived, which does nothing else than to say what the next one is for.
    pub fn follow(&mut self, byte: u8) -> Effect {
        let (access, effect) = self.access.after(byte);
        self.access = access;
        effect
    }

    /// A byte has arrived.
    pub fn take(&mut self, around: &mut Surroundings<'_>, byte: u8) {
        if !self.is_accessible() {
            return;
        }
        match self.follow(byte) {
            Effect::Nothing => {}
            Effect::Strobe(strobe) => self.strobe(around, strobe),
            Effect::Register { register, value } => self.write(around, register, value),
            Effect::TxFifoRead => {
                self.mismatch(around, Mismatch::TxFifoRead, "has a TXFIFO that cannot be read");
            }
            Effect::TxFifo(byte) => self.write_txfifo(around, byte),
            Effect::RxFifoRead => {
                if self.needs_crystal(around, "its RXFIFO") {
                    self.rx.advance();
                }
            }
            Effect::RxFifoWrite(byte) => {
                if self.needs_crystal(around, "its RXFIFO") && self.incoming.is_none() {
                    self.rx.write(&mut self.ram, byte);
                }
            }
            Effect::Ram { at, byte } => self.write_ram(around, at, byte),
        }
    }

    /// Whether its crystal is stable, without which it does not do what it is told.
    pub fn needs_crystal(&mut self, around: &mut Surroundings<'_>, what: &str) -> bool {
        if !self.has_crystal() {
            let text = format!("cannot use {what}: its crystal does not oscillate (SXOSCON)");
            self.mismatch(around, Mismatch::NoCrystal, &text);
        }
        self.has_crystal()
    }

    fn write_txfifo(&mut self, around: &mut Surroundings<'_>, byte: u8) {
        if !self.needs_crystal(around, "its TXFIFO") {
            return;
        }
        if !self.tx.write(&mut self.ram, byte) {
            self.mismatch(
                around,
                Mismatch::TxFifoFull,
                "has no room in its TXFIFO for more than 128 bytes",
            );
        }
        self.resume_job(around.now);
    }

    fn write_ram(&mut self, around: &mut Surroundings<'_>, at: usize, byte: u8) {
        self.ram.set(at, byte);
        if at > ram::SHORTADR + 1 {
            self.mismatch(
                around,
                Mismatch::NoRam,
                &format!("has nothing at address 0x{at:03x} of its RAM"),
            );
        }
        if at < ram::RXFIFO {
            self.amend(around);
        }
    }

    fn read(&self, around: &Surroundings<'_>, register: u8) -> u16 {
        let value = self.registers.get(register);
        match register {
            RSSI => value & 0xFF00 | u16::from(self.rssi(around.now) as u8),
            FSMSTATE => self.state.number(),
            ADCTST => value & ADC_CLOCK_DISABLE | self.converters(around),
            FSCTRL => value | self.synthesizer(),
            BATTMON => value | self.battery(around),
            _ => value,
        }
    }

    /// ADC_I and ADC_Q: noise, other one at each look, while the receiver is on.
    fn converters(&self, around: &Surroundings<'_>) -> u16 {
        if self.since.is_none() {
            return 0;
        }
        let passage = Passage { seed: around.environment.serial(), sender: 0, receiver: 0 };
        let units = around.now.units();
        passage.random(units as u32, (units >> 32) as u32, ADC)[0] as u16 & ADC_VALUES
    }

    fn synthesizer(&self) -> u16 {
        match (self.state.calibrates(), self.is_locked()) {
            (true, _) => CAL_RUNNING,
            (_, true) => CAL_DONE | LOCK_STATUS,
            _ => 0,
        }
    }

    /// Whether the supply is above the voltage that the battery monitor is set to: 1.25 V (72 - VOLTAGE) / 27.
    fn battery(&self, around: &Surroundings<'_>) -> u16 {
        let steps = 72 - i64::from(self.registers.field(BATTMON_VOLTAGE));
        let toggles = 1_250_000 * steps / 27;
        let is_above = around.environment.value(&SUPPLY, around.now) > toggles;
        if self.registers.is_set(BATTMON_EN) && is_above { BATTMON_OK } else { 0 }
    }

    fn write(&mut self, around: &mut Surroundings<'_>, register: u8, value: u16) {
        if register == MAIN && value >> 15 == 0 {
            self.reset(around);
        } else if !self.registers.is_set(RESETN) && register != MAIN {
            return;
        }
        self.registers.write(register, value);
        match register {
            MAIN => self.look_at_main(around),
            FSCTRL => self.tune(around),
            MDMCTRL0 | RSSI => self.assess(around.now),
            MDMCTRL1 if self.registers.is_set(TESTS) => {
                let text = "has modes of test in MDMCTRL1, which are not simulated";
                self.mismatch(around, Mismatch::TestMode, text);
            }
            SYNCWORD => self.look_at_sync_word(around),
            SECCTRL0 => self.rx.protects = self.registers.is_set(RXFIFO_PROTECTION),
            IOCFG1 => self.look_at_multiplexers(around),
            _ => {}
        }
    }

    fn look_at_main(&mut self, around: &mut Surroundings<'_>) {
        if self.registers.is_set(RESETN) && self.registers.field(PARTS_RESETN) != 15 {
            let text = "goes on as a whole where MAIN resets parts of it";
            self.mismatch(around, Mismatch::PartsReset, text);
        }
        if self.registers.is_set(XOSC16M_BYPASS) {
            let text = "has no external clock, as MAIN.XOSC16M_BYPASS asks for";
            self.mismatch(around, Mismatch::ExternalClock, text);
        }
    }
}
