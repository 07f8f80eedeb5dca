// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts on SPI: the bus calls the one whose select line is low.

use super::bits::{Bits, Edge};
use super::{Condition, Fitness, Sense, Wires};
use crate::{Act, Consumption, Device, NotItsState, Report, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, Level, PinId, Pull, Reply, Time, Transfer, Word};

/// A part on SPI, as it sees what happens while it is selected. Its fields are its state.
pub trait Target: Send + Default + BorshSerialize + BorshDeserialize + 'static {
    /// The table of its currents: `data/current/<part>.toml`.
    const PART: &'static str;
    /// The SPI modes that it understands, 0 to 3.
    const MODES: &'static [u8];
    /// Its fastest clock, in Hz.
    const FASTEST_HZ: u64;

    /// Its supply comes up: volatile registers take their reset values.
    fn power_on(&mut self, sense: &Sense<'_>);

    /// Its select line falls.
    fn select(&mut self, sense: &Sense<'_>);

    /// The byte that it sends next, most significant bit first, as it is when its first bit is put out. While a
    /// master holds the clock there, it sees that bit change with this byte.
    fn send(&self, sense: &Sense<'_>) -> u8;

    /// Takes the byte that came in at the same time.
    fn receive(&mut self, sense: &Sense<'_>, byte: u8);

    /// Exchanges bytes.
    fn exchange(&mut self, sense: &Sense<'_>, byte: u8) -> u8 {
        let sent = self.send(sense);
        self.receive(sense, byte);
        sent
    }

    /// Its select line rises.
    fn deselect(&mut self, _sense: &Sense<'_>) {}

    /// Its supply fails.
    fn power_off(&mut self, _sense: &Sense<'_>) {}

    /// The state in that table in which it draws current; it changes only in one of these calls.
    fn state(&self) -> &'static str;

    /// [`Device::wear`].
    fn wear(&self) -> Option<String> {
        None
    }

    /// When it next does something by itself.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due. Afterwards [`Target::due`] is later.
    fn fire(&mut self, _sense: &Sense<'_>) {}
}

/// A part connected to an SPI bus.
#[derive(BorshSerialize, BorshDeserialize)]
struct OnSpi<T> {
    name: String,
    /// MOSI, SCK if it is watched, and the select line if there is one.
    pins: Vec<PinId>,
    select: Option<PinId>,
    /// SCK, if programs drive the bus bit by bit.
    clock: Option<PinId>,
    bits: Bits,
    miso: PinId,
    fitness: Fitness,
    is_selected: bool,
    /// It was said that it does not understand the master.
    has_complained: bool,
    target: T,
}

/// The part `T` at a select line of the bus; without one it is always selected.
pub fn connect<T: Target>(wires: &Wires) -> Box<dyn Device> {
    let clock = wires.is_bit_banged.then_some(wires.clock);
    Box::new(OnSpi {
        name: wires.name.clone(),
        pins: [Some(wires.data), clock, wires.select].into_iter().flatten().collect(),
        clock,
        bits: Bits::default(),
        select: wires.select,
        miso: wires.reply,
        fitness: Fitness::default(),
        is_selected: wires.select.is_none(),
        has_complained: false,
        target: T::default(),
    })
}

/// Why a part with these modes and this fastest clock does not understand a word, if it does not.
pub(super) fn complaint(word: &Word, modes: &[u8], fastest: u64) -> Option<String> {
    let hz = word.bit_time.hz();
    if word.bits != 8 {
        return Some(format!("words of {} bits", word.bits));
    }
    if !modes.contains(&word.mode) {
        let names: Vec<String> = modes.iter().map(u8::to_string).collect();
        let verb = if modes.len() == 1 { "its mode is" } else { "its modes are" };
        return Some(format!("SPI mode {}; {verb} {}", word.mode, names.join(" and ")));
    }
    (hz > fastest).then(|| format!("a clock of {hz} Hz; its fastest is {fastest} Hz"))
}

impl<T: Target> OnSpi<T> {
    fn complain(&mut self, around: &mut Surroundings<'_>, what: &str) {
        if !std::mem::replace(&mut self.has_complained, true) {
            let text = format!("{} does not understand {what}", self.name);
            around.acts.push(Act::Report(Report::Mismatch(text)));
        }
    }

    /// MISO at rest.
    fn drive(&self, around: &mut Surroundings<'_>) {
        let level = match self.fitness.condition {
            Condition::Shorted => Level::Low,
            _ => Level::Floating(Pull::None),
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.miso, level }));
    }

    /// Its select line changes.
    fn selected(&mut self, around: &mut Surroundings<'_>, selects: bool) {
        self.is_selected = selects;
        if !self.fitness.answers() {
            return;
        }
        let sense = self.fitness.sense(around);
        match selects {
            true => self.target.select(&sense),
            false => self.target.deselect(&sense),
        }
        if self.clock.is_none() {
            return;
        }
        if !selects {
            return self.drive(around);
        }
        if self.bits.select() {
            self.put_out(around, true);
        }
    }

    /// The clock of a bus that programs drive.
    fn clocked(&mut self, around: &mut Surroundings<'_>, high: bool) {
        let edge = self.bits.clock(high);
        if !self.is_selected || !self.fitness.answers() {
            return;
        }
        match edge {
            Edge::Nothing => {}
            Edge::Output { first } => self.put_out(around, first),
            Edge::Byte(byte) => self.target.receive(&self.fitness.sense(around), byte),
        }
    }

    /// Puts out the next bit, which is that of another byte if `first`.
    fn put_out(&mut self, around: &mut Surroundings<'_>, first: bool) {
        if first {
            let byte = self.target.send(&self.fitness.sense(around));
            let byte = self.fitness.sent(byte);
            self.bits.set(byte);
        }
        let level = if self.bits.bit() { Level::High } else { Level::Low };
        around.acts.push(Act::Drive(Input::Pin { pin: self.miso, level }));
    }

    fn take(&mut self, around: &mut Surroundings<'_>, condition: Condition) {
        if !self.fitness.set(condition, around.now) {
            return;
        }
        self.drive(around);
        self.fitness.report(around, &self.name);
    }
}

impl<T: Target> Device for OnSpi<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.is_selected = self.select.is_none();
        self.target.power_on(&self.fitness.sense(around));
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.bits = Bits::default();
        self.target.power_off(&self.fitness.sense(around));
    }

    /// A select line that nothing drives is held high by its pull-up resistor.
    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        let is_high = level == Level::High;
        if Some(pin) == self.select {
            let selects = level == Level::Low;
            if selects != self.is_selected {
                self.selected(around, selects);
            }
        } else if Some(pin) == self.clock {
            self.clocked(around, is_high);
        } else {
            self.bits.data = is_high;
        }
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, pin: PinId, transfer: Transfer) {
        let Transfer::Spi(word) = transfer else { return };
        if pin != self.pins[0] || !self.is_selected || !self.fitness.answers() {
            return;
        }
        if let Some(what) = complaint(&word, T::MODES, T::FASTEST_HZ) {
            return self.complain(around, &what);
        }
        let byte = self.target.exchange(&self.fitness.sense(around), word.data as u8);
        let reply = Reply::Word(self.fitness.sent(byte).into());
        around.acts.push(Act::Drive(Input::Reply { pin: self.miso, reply }));
    }

    fn due(&self) -> Time {
        if self.fitness.is_powered { self.target.due() } else { Time::NEVER }
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        self.target.fire(&self.fitness.sense(around));
        let is_watched = self.clock.is_some() && self.is_selected && self.fitness.answers();
        if is_watched && self.bits.waits() {
            self.put_out(around, true);
        }
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = if draws { self.target.state() } else { "off" };
        Some(Consumption { part: T::PART, state })
    }

    fn wear(&self) -> Option<String> {
        self.target.wear()
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
