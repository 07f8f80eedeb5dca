// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chipcon CC1000: the radio of the MICA2, one of bits (data sheet of the part, SWRS048).
//!
//! Its registers are reached by three wires ([`interface`]). They switch crystal, bias and synthesizer ([`synthesizer`]), which
//! take their times and must be calibrated, and say what the modem does with DCLK and DIO ([`modem`]). What it sends
//! goes on the air as it is clocked in ([`transmitter`]); what it receives is bits at all times, of noise where there is nothing
//! else ([`receiver`]). It knows neither bytes nor frames: where these begin is for software to find. What is reported to observers
//! of frames is in [`frame`].

mod figures;
mod frame;
mod interface;
mod modem;
mod receiver;
mod registers;
mod synthesizer;
mod transmitter;

use super::{Condition, Fitness, RadioCrystal, RadioPart};
use crate::air::{self, FSK_SENSITIVE, Meeting, Reception, Transmission, milliwatts};
use crate::part::{Bus, RadioWires};
use crate::{Act, Consumption, Device, NotItsState, Report, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use figures::{Band, CO_CHANNEL, SELECTIVITY};
use interface::{Asked, FASTEST, Interface};
use lichen_chip::{Input, Level, PinId, Pull, Reply, Time, Transfer};
use modem::{Mode, Modem};
use receiver::{Receiver, Tuning};
use registers::{CAL, Direction, Format, MAIN, Registers};
use synthesizer::{Happened, LOCK, Synthesizer};
use transmitter::{Carrier, Transmitter};

pub(super) const RADIO: RadioPart = RadioPart {
    number: "CC1000",
    bus: Bus::Spi,
    wires: &["pale", "pclk", "pdata", "chp_out", "rssi"],
    optional: &["dclk"],
    is_802_15_4: false,
    connect,
};

/// The table of its currents.
const TABLE: &str = "cc1000";
/// Its clock of bits follows signals that are so much weaker than its sensitivity, in hundredths of a dB.
const FOLLOWS: i32 = 600;
/// The largest output of nonsense at RSSI, in microvolts.
const NONSENSE: u32 = 1_200_000;

/// Mismatches of program and part. Each is reported once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Mismatch {
    Short,
    NoData,
    Fast,
    NoRegister,
    Reset,
    NoCalibration,
    NeverLocks,
    NoRate,
}

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Cc1000 {
    name: String,
    /// PALE, PCLK, PDATA, DIO from and to the chip (MISO, MOSI), and RSSI.
    pins: [PinId; 6],
    chp_out: PinId,
    /// Where DCLK leads: SCK, and another pin.
    clocks: Vec<PinId>,
    fitness: Fitness,
    interface: Interface,
    registers: Registers,
    synthesizer: Synthesizer,
    modem: Modem,
    receiver: Receiver,
    transmitter: Transmitter,
    /// An SPI slave takes words.
    takes_words: bool,
    /// What the chip drives at MOSI and MISO.
    dio_in: [Level; 2],
    /// Levels of DCLK, and of DIO and PDATA while it drives them.
    dclk: bool,
    dio_out: Option<bool>,
    pdata: Option<bool>,
    /// What is driven at DCLK, DIO, PDATA and CHP_OUT.
    driven: [Level; 4],
    mismatches: Vec<Mismatch>,
}

const FLOATING: Level = Level::Floating(Pull::None);

/// The radio of a board, if that has its wires.
fn connect(wires: &RadioWires, crystal: &RadioCrystal) -> Option<Box<dyn Device>> {
    let ppm = (i64::from(crystal.ppm) + 1_000_000).unsigned_abs();
    let crystal = u64::from(crystal.hz.unwrap_or(0)) * ppm / 1_000;
    let pin = |name| wires.pin(name);
    let (mosi, miso) = (pin("mosi")?, pin("miso")?);
    let pins = [pin("pale")?, pin("pclk")?, pin("pdata")?, miso, mosi, pin("rssi")?];
    let clocks = [pin("sck"), pin("dclk")];
    Some(Box::new(Cc1000 {
        name: RADIO.number.to_lowercase(),
        pins,
        chp_out: pin("chp_out")?,
        clocks: clocks.into_iter().flatten().collect(),
        fitness: Fitness::default(),
        interface: Interface::default(),
        registers: Registers::powered(),
        synthesizer: Synthesizer::powered(crystal),
        modem: Modem::default(),
        receiver: Receiver::default(),
        transmitter: Transmitter::default(),
        takes_words: false,
        dio_in: [FLOATING; 2],
        dclk: false,
        dio_out: None,
        pdata: None,
        driven: [FLOATING; 4],
        mismatches: Vec::new(),
    }))
}

impl Cc1000 {
    fn mosi(&self) -> PinId {
        self.pins[4]
    }

    fn crystal(&self) -> u64 {
        self.synthesizer.crystal
    }

    /// Says something, once.
    fn mismatch(&mut self, around: &mut Surroundings<'_>, what: Mismatch, text: &str) {
        if !self.mismatches.contains(&what) {
            self.mismatches.push(what);
            let text = format!("{} {text}", self.name);
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// Whether it is there, and has power.
    fn works(&self) -> bool {
        self.fitness.is_powered && self.fitness.answers()
    }

    fn band(&self) -> Band {
        Band::of(self.registers.asked(self.crystal()).khz)
    }

    /// An edge of the configuration interface.
    fn asked(&mut self, around: &mut Surroundings<'_>, asked: Asked) {
        match asked {
            Asked::Nothing => {}
            Asked::Read(register) => self.read(around, register),
            Asked::Write(register, value) => self.write(around, register, value),
            Asked::Drive(high) => self.pdata = Some(high),
            Asked::Release => self.pdata = None,
            Asked::Short(bits) => {
                let text = format!("drops an access: PALE changes after {bits} of 8 bits");
                self.mismatch(around, Mismatch::Short, &text);
            }
            Asked::NoData => {
                let text = "drops an access: PALE is low after the address";
                self.mismatch(around, Mismatch::NoData, text);
            }
            Asked::Fast => {
                let mhz = 1_000 / FASTEST.ns();
                let text = format!("loses a bit: PCLK is faster than {mhz} MHz");
                self.mismatch(around, Mismatch::Fast, &text);
            }
        }
    }

    fn read(&mut self, around: &mut Surroundings<'_>, register: u8) {
        let value = self.registers.read(register);
        if value.is_none() {
            let text = format!("has no register 0x{register:02x}, which reads 0");
            self.mismatch(around, Mismatch::NoRegister, &text);
        }
        let value = self.fitness.sent(value.unwrap_or(0));
        self.interface.answer(value);
    }

    fn write(&mut self, around: &mut Surroundings<'_>, register: u8, value: u8) {
        let started = self.registers.starts_calibration();
        let average = self.registers.average_lock();
        if self.registers.are_reset() && register != MAIN {
            let text = "ignores what is written while MAIN.RESET_N is 0";
            self.mismatch(around, Mismatch::Reset, text);
        }
        if !self.registers.write(register, value) {
            let text = format!("has no register 0x{register:02x}");
            self.mismatch(around, Mismatch::NoRegister, &text);
        }
        if self.registers.are_reset() {
            self.synthesizer.reset();
        }
        self.synthesizer.follow(around.now, &self.registers);
        if register == CAL && !self.registers.are_reset() {
            self.calibrate(around, started);
        }
        self.follow(around);
        if average != self.registers.average_lock() {
            self.average(around);
        }
    }

    /// CAL was written.
    fn calibrate(&mut self, around: &mut Surroundings<'_>, started: bool) {
        if !started && self.registers.starts_calibration() {
            self.registers.set_calibrated(false);
        }
        if !self.synthesizer.calibrate(around.now, &self.registers, started) {
            let text = "calibrates nothing: its synthesizer, or its crystal, is off";
            self.mismatch(around, Mismatch::NoCalibration, text);
        }
    }

    /// The averaging filter is locked, or not any more.
    fn average(&mut self, around: &Surroundings<'_>) {
        let Some(tuning) = self.tuning() else { return };
        match self.registers.average_lock() {
            Some(true) => self.receiver.hold(around.now),
            _ => {
                self.receiver.average(around.now, &tuning, self.registers.settling_bauds());
            }
        }
    }

    /// What the modem does, by the registers.
    fn wanted(&mut self, around: &mut Surroundings<'_>) -> Option<Mode> {
        let is_stable = self.synthesizer.crystal_stable() <= around.now;
        let is_on = self.works() && is_stable && self.registers.has_modem();
        let direction = self.registers.active().filter(|_| is_on)?;
        let bit = self.registers.bit(self.crystal());
        let Some((format, bit)) = self.registers.format().zip(bit) else {
            let text = "stands still: MODEM0 has a rate or a format that is not defined";
            self.mismatch(around, Mismatch::NoRate, text);
            return None;
        };
        Some(Mode::new(direction, format, bit))
    }

    /// The registers, or the state of the synthesizer, may have changed.
    fn follow(&mut self, around: &mut Surroundings<'_>) {
        let is_locked = self.synthesizer.is_locked();
        self.registers.set_locked(is_locked);
        let wanted = self.wanted(around);
        let carrier = wanted.and_then(|mode| self.carrier(mode)).filter(|_| is_locked);
        if self.transmitter.carrier() != carrier {
            self.transmitter.end(around);
        }
        let listens = is_locked
            && self.registers.has_demodulator()
            && wanted.is_some_and(|mode| mode.direction == Direction::Receive);
        if self.receiver.is_on() && (!listens || self.modem.mode() != wanted) {
            self.receiver.stop(around);
        }
        self.set_mode(around, wanted);
        if listens && !self.receiver.is_on() {
            self.listen(around);
        }
        if let (Some(mode), Some(carrier), None) = (wanted, carrier, self.transmitter.carrier()) {
            let (origin, missing, byte) = self.sending(around.now, mode);
            self.transmitter.begin(around, carrier, origin, missing, byte);
        }
    }

    fn listen(&mut self, around: &Surroundings<'_>) {
        let Some(tuning) = self.tuning() else { return };
        self.receiver.start(around.now, &tuning, self.registers.settling_bauds());
        if self.registers.average_lock() == Some(true) {
            self.receiver.hold(around.now);
        }
        self.plan(around.now);
    }

    /// How it sends, if it does.
    fn carrier(&self, mode: Mode) -> Option<Carrier> {
        if mode.direction == Direction::Receive {
            return None;
        }
        let lower = self.registers.asked(self.crystal()).khz;
        let power = figures::output(Band::of(lower), self.registers.pa_pow())?;
        Some(Carrier {
            frequency_khz: lower + self.registers.separation_khz(self.crystal()) / 2,
            power: power.dbm * 100,
            bit: mode.bit,
            manchester: mode.format == Format::Manchester,
        })
    }

    /// To what the receiver is set.
    fn tuning(&self) -> Option<Tuning> {
        let mode = self.modem.mode()?;
        let frequency_khz = self.registers.asked(self.crystal()).khz;
        let band = Band::of(frequency_khz);
        let baud = self.registers.baud(self.crystal())?;
        let sensitivity = figures::sensitivity(band, baud, mode.format == Format::Manchester);
        let noise = milliwatts(sensitivity) / FSK_SENSITIVE;
        let (selectivity, co_channel) = (SELECTIVITY, CO_CHANNEL);
        let receiver = air::Receiver { frequency_khz, noise, selectivity, co_channel };
        let threshold = sensitivity - FOLLOWS;
        Some(Tuning { receiver, band, threshold, format: mode.format, bit: mode.bit })
    }

    /// What is due in the synthesizer happens.
    fn synthesize(&mut self, around: &mut Surroundings<'_>) {
        match self.synthesizer.fire(around.now, &self.registers) {
            Happened::Nothing | Happened::Locked => {}
            Happened::Calibrated => {
                self.registers.set_calibrated(true);
                if let Some(results) = self.synthesizer.shown() {
                    self.registers.set_results(results);
                }
            }
            Happened::NeverLocks if !self.works() => {}
            Happened::NeverLocks => {
                let why = self.synthesizer.obstacle(&self.registers);
                let text = format!("neither hears nor sends: {why}");
                self.mismatch(around, Mismatch::NeverLocks, &text);
            }
        }
        self.follow(around);
    }

    /// The level of CHP_OUT (LOCK.LOCK_SELECT). Its clocks and analog signals are not simulated.
    fn chp_out(&self) -> bool {
        match self.registers.lock_select() {
            1 | 2 => self.registers.is_locked(),
            5 => self.registers.is_calibrated(),
            8 => self.registers.is_powered(Direction::Transmit),
            // The violation of Manchester's code.
            9 => self.receiver.is_on() && !self.receiver.is_tracking(),
            10 => self.registers.is_powered(Direction::Receive),
            13 => self.registers.average_lock().unwrap_or(self.receiver.is_on()),
            _ => false,
        }
    }

    /// Drives its lines.
    fn settle(&mut self, around: &mut Surroundings<'_>) {
        let level = |high: bool| if high { Level::High } else { Level::Low };
        let line = |high: Option<bool>| high.map_or(FLOATING, level);
        let levels = if self.works() {
            [level(self.dclk), line(self.dio_out), line(self.pdata), level(self.chp_out())]
        } else if self.fitness.is_powered && self.fitness.condition == Condition::Shorted {
            [FLOATING, Level::Low, Level::Low, FLOATING]
        } else {
            [FLOATING; 4]
        };
        if self.driven == levels {
            return;
        }
        let [_, _, pdata, miso, mosi, _] = self.pins;
        let before = std::mem::replace(&mut self.driven, levels);
        let pins = [&self.clocks[..], &[mosi, miso], &[pdata], &[self.chp_out]];
        for (index, pins) in pins.into_iter().enumerate() {
            let level = levels[index];
            if before[index] != level {
                let drive = |pin: &PinId| Act::Drive(Input::Pin { pin: *pin, level });
                around.acts.extend(pins.iter().map(drive));
            }
        }
    }

    fn take_condition(&mut self, around: &mut Surroundings<'_>, condition: Condition) {
        if !self.fitness.set(condition, around.now) {
            return;
        }
        self.pdata = None;
        self.follow(around);
        self.settle(around);
        self.fitness.report(around, &self.name);
    }

    fn begin_anew(&mut self, around: &mut Surroundings<'_>) {
        self.interface = Interface::default();
        self.registers = Registers::powered();
        self.synthesizer = Synthesizer::powered(self.crystal());
        self.pdata = None;
        self.follow(around);
        self.settle(around);
    }

    fn rssi(&mut self, around: &Surroundings<'_>) -> u32 {
        let at = self.fitness.sense(around).moment;
        match self.fitness.condition {
            Condition::Wrong => u32::from(self.fitness.sent(0)) * (NONSENSE / 256),
            _ if !self.works() || !self.registers.has_rssi() => 0,
            _ => self.tuning().map_or(0, |it| self.receiver.rssi_microvolts(around, at, &it)),
        }
    }

    /// The state in which it draws current.
    fn state(&self) -> &'static str {
        let band = self.band();
        let in_band = |at_433, at_868| if band == Band::Mhz433 { at_433 } else { at_868 };
        if !self.works() {
            return "off";
        }
        if !self.registers.has_core() {
            return "power_down";
        }
        if !self.registers.has_bias() {
            return "core";
        }
        if !self.registers.has_synthesizer() {
            return "bias";
        }
        match self.registers.active() {
            None => in_band("synthesizer_433", "synthesizer_868"),
            Some(Direction::Receive) => in_band("receive_433", "receive_868"),
            Some(Direction::Transmit) => match figures::output(band, self.registers.pa_pow()) {
                Some(power) => power.state,
                None => in_band("transmit_433_off", "transmit_868_off"),
            },
        }
    }
}

impl Device for Cc1000 {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.begin_anew(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.takes_words = false;
        self.begin_anew(around);
    }

    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        let [pale, pclk, pdata, miso, mosi, _] = self.pins;
        if pin == mosi {
            self.dio_in[0] = level;
            return;
        }
        if pin == miso {
            self.dio_in[1] = level;
            return;
        }
        let high = match level {
            Level::High => Some(true),
            Level::Low => Some(false),
            Level::Floating(_) => None,
        };
        if self.works() {
            let asked = match (pin, high) {
                _ if pin == pclk => self.interface.pclk(around.now, high),
                (_, Some(high)) if pin == pale => self.interface.pale(high),
                (_, Some(high)) if pin == pdata => {
                    self.interface.pdata(high);
                    Asked::Nothing
                }
                _ => Asked::Nothing,
            };
            self.asked(around, asked);
            self.settle(around);
        } else if pin == pclk {
            self.interface.miss_pclk(high);
        } else if let Some(high) = high.filter(|_| pin == pale) {
            self.interface.miss_pale(high);
        }
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, pin: PinId, transfer: Transfer) {
        if let Transfer::Spi(word) = transfer
            && pin == self.pins[3]
        {
            self.answered(around, word.data as u8);
        }
    }

    fn takes_words(&mut self, around: &mut Surroundings<'_>, pin: PinId, takes: bool) {
        if pin == self.mosi() {
            self.takes_words = takes;
            self.change_words(around);
            self.settle(around);
        }
    }

    fn sample(&mut self, around: &mut Surroundings<'_>, pin: PinId) {
        if pin == self.pins[5] {
            let reply = Reply::Voltage(self.rssi(around));
            around.acts.push(Act::Drive(Input::Reply { pin, reply }));
        }
    }

    fn due(&self) -> Time {
        self.modem.due().min(self.synthesizer.due())
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        if self.modem.due() <= around.now {
            self.clock(around);
        } else {
            self.synthesize(around);
        }
        self.settle(around);
    }

    /// A carrier changes with each bit or word, and ends when the program wants that. For one to begin, registers must be
    /// written, and the synthesizer must lock.
    fn acts_on_air(&self, next: Time) -> Time {
        if self.transmitter.carrier().is_some() {
            return next.min(self.due());
        }
        let written = next + FASTEST * self.interface.bits_left().saturating_sub(1);
        let transmits = self.registers.active() == Some(Direction::Transmit);
        match transmits && self.works() {
            true if self.synthesizer.is_locked() => written.min(self.due()),
            true => self.synthesizer.due().min(written + LOCK),
            // If it begins to work again, it may be locked.
            false if !self.works() => next,
            false => written + LOCK,
        }
    }

    fn receive(&mut self, around: &mut Surroundings<'_>, reception: &Reception) {
        let tuning = self.tuning();
        self.receiver.hear(around, reception, tuning.as_ref());
        self.plan(around.now);
        self.settle(around);
    }

    fn meets(&self, transmission: &Transmission, power: i32) -> Option<Meeting> {
        let sends = self.transmitter.carrier().is_some();
        let meets = match self.tuning() {
            Some(tuning) => self.receiver.meets(&tuning, transmission, power),
            None => Meeting::Deaf,
        };
        Some(if sends && meets != Meeting::TooWeak { Meeting::Sends } else { meets })
    }

    fn consumption(&self) -> Option<Consumption> {
        Some(Consumption { part: TABLE, state: self.state() })
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let Stimulus::Condition(condition) = stimulus else { return false };
        self.take_condition(around, *condition);
        true
    }
}

#[cfg(test)]
mod tests;
