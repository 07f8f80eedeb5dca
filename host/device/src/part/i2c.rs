// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts on I2C: the bus calls the one that is addressed.

use super::i2c_lines::{Line, Lines};
use super::{Condition, Fitness, Sense, Wires};
use crate::{Act, Consumption, Device, NotItsState, Report, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{I2cStep, Input, Level, PinId, Pull, Reply, Time, Transfer};
use std::collections::BTreeSet;

/// A part on I2C, as it sees the transactions with its address. Its fields are its state.
pub trait Target: Send + Default + BorshSerialize + BorshDeserialize + 'static {
    /// The table of its currents: `data/current/<part>.toml`.
    const PART: &'static str;

    /// Its supply comes up: volatile registers take their reset values.
    fn power_on(&mut self, sense: &Sense<'_>);

    /// A start, or repeated start, with its address; `read` if the master wants to read. Returns whether it
    /// acknowledges.
    fn start(&mut self, sense: &Sense<'_>, read: bool) -> bool;

    /// A byte from the master. Returns whether it acknowledges.
    fn write(&mut self, sense: &Sense<'_>, byte: u8) -> bool;

    /// The byte that the master reads next.
    fn read(&mut self, sense: &Sense<'_>) -> u8;

    /// The transaction ends, or another part is addressed.
    fn stop(&mut self, _sense: &Sense<'_>) {}

    /// The state in that table in which it draws current; it changes only in one of these calls.
    fn state(&self) -> &'static str;

    /// When it next does something by itself.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due. Afterwards [`Target::due`] is later.
    fn fire(&mut self, _sense: &Sense<'_>) {}

    /// What it puts out at its interrupt request; it changes only in one of these calls.
    fn irq(&self) -> Level {
        RELEASED
    }

    /// What the master wants that it ignores, or that is not simulated, in words that follow its name. Each is said
    /// once.
    fn complaint(&self) -> Option<String> {
        None
    }
}

/// What a part puts out where it drives nothing.
const RELEASED: Level = Level::Floating(Pull::None);

/// Clocks after which a part that sends a byte has sent it and seen whether it is acknowledged.
const BYTE_CLOCKS: u8 = 9;

/// A part connected to an I2C bus.
///
/// A part that sends goes by the clocks alone. If the master leaves in the middle of a byte, perhaps because
/// it was reset, or stops after a byte that it has acknowledged, then the part still sends, and holds SDA low
/// until it has got the clocks of that byte (I2C specification UM10204, "Bus clear").
#[derive(BorshSerialize, BorshDeserialize)]
struct OnI2c<T> {
    name: String,
    /// SDA, SCL, and the interrupt request if there is one.
    pins: Vec<PinId>,
    /// What is driven at the interrupt request.
    requests: Level,
    address: u8,
    fitness: Fitness,
    is_addressed: bool,
    /// Clocks until the byte that it sends is over; 0 if it sends none.
    clocks: u8,
    /// It holds SDA low although nobody reads.
    holds: bool,
    lines: Lines,
    /// What was said of it ([`Target::complaint`]).
    reported: BTreeSet<String>,
    target: T,
}

/// The part `T` at an address of the bus.
pub fn connect<T: Target>(wires: &Wires) -> Box<dyn Device> {
    Box::new(OnI2c {
        name: wires.name.clone(),
        pins: [Some(wires.data), Some(wires.clock), wires.irq].into_iter().flatten().collect(),
        requests: RELEASED,
        address: wires.address,
        fitness: Fitness::default(),
        is_addressed: false,
        clocks: 0,
        holds: false,
        lines: Lines::default(),
        reported: BTreeSet::new(),
        target: T::default(),
    })
}

impl<T: Target> OnI2c<T> {
    /// The part's answer to a step of a transaction, if it takes part.
    fn step(&mut self, around: &mut Surroundings<'_>, step: I2cStep) -> Option<Reply> {
        if matches!(step, I2cStep::Start { .. } | I2cStep::Stop) && self.clocks > 0 {
            self.holds = true;
            self.drive(around);
        }
        if self.holds {
            return None;
        }
        let sense = self.fitness.sense(around);
        let acknowledge = |does: bool| does.then_some(Reply::Acknowledge);
        if let I2cStep::Start { address, read } = step {
            if std::mem::take(&mut self.is_addressed) {
                self.target.stop(&sense);
            }
            self.is_addressed = address == u16::from(self.address) && self.fitness.answers();
            return acknowledge(self.is_addressed && self.target.start(&sense, read));
        }
        if !self.is_addressed {
            return None;
        }
        match step {
            I2cStep::Write(byte) => acknowledge(self.target.write(&sense, byte)),
            I2cStep::Read => {
                let byte = self.target.read(&sense);
                self.clocks = BYTE_CLOCKS;
                Some(Reply::Data(self.fitness.sent(byte)))
            }
            I2cStep::Stop => {
                self.is_addressed = false;
                self.target.stop(&sense);
                None
            }
            I2cStep::Acknowledge(wants_more) => {
                self.clocks = if wants_more { BYTE_CLOCKS } else { 0 };
                None
            }
            I2cStep::Start { .. } => None,
        }
    }

    /// The master drives the lines bit by bit.
    fn follow(&mut self, around: &mut Surroundings<'_>, line: Line, level: Level) {
        let mut lines = std::mem::take(&mut self.lines);
        let held = lines.holds;
        lines.change(line, level == Level::Low, |step| {
            let reply = self.step(around, step);
            self.clocks = 0;
            self.settle(around);
            reply
        });
        self.lines = lines;
        if self.lines.holds != held {
            self.drive(around);
        }
    }

    /// The transaction is over, whatever it was.
    fn let_go(&mut self) {
        self.lines.leave();
        self.is_addressed = false;
        self.clocks = 0;
        self.holds = false;
    }

    /// A clock without a transfer: the master works on the line itself.
    fn clock(&mut self, around: &mut Surroundings<'_>) {
        self.clocks = self.clocks.saturating_sub(1);
        if self.clocks == 0 {
            self.let_go();
            self.drive(around);
            self.target.stop(&self.fitness.sense(around));
        }
    }

    /// SDA at rest: the bus's resistors pull it up, unless it is held low.
    fn drive(&self, around: &mut Surroundings<'_>) {
        let is_low = self.holds || self.lines.holds || self.fitness.condition == Condition::Shorted;
        self.drive_line(around, 0, is_low);
    }

    fn drive_line(&self, around: &mut Surroundings<'_>, line: usize, is_low: bool) {
        let level = if is_low { Level::Low } else { Level::High };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pins[line], level }));
    }

    /// The part has been called: what it puts out, and what it complains of, may be news.
    fn settle(&mut self, around: &mut Surroundings<'_>) {
        let drives = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let level = if drives { self.target.irq() } else { RELEASED };
        if let Some(pin) = self.pins.get(2).copied()
            && std::mem::replace(&mut self.requests, level) != level
        {
            around.acts.push(Act::Drive(Input::Pin { pin, level }));
        }
        let news = self.target.complaint().filter(|text| drives && !self.reported.contains(text));
        if let Some(text) = news {
            let mismatch = Report::Mismatch(format!("{} {text}", self.name));
            around.acts.push(Act::Report(mismatch));
            self.reported.insert(text);
        }
    }

    fn take(&mut self, around: &mut Surroundings<'_>, condition: Condition) {
        let was_stretching = self.fitness.condition == Condition::Stretching;
        if !self.fitness.set(condition, around.now) {
            return;
        }
        let is_stretching = condition == Condition::Stretching;
        if was_stretching || is_stretching {
            self.drive_line(around, 1, is_stretching);
        }
        if !self.fitness.answers() {
            self.let_go();
        }
        self.drive(around);
        self.settle(around);
        self.fitness.report(around, &self.name);
    }
}

impl<T: Target> Device for OnI2c<T> {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.let_go();
        if self.fitness.condition == Condition::Shorted {
            self.drive(around);
        }
        self.target.power_on(&self.fitness.sense(around));
        self.settle(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.settle(around);
    }

    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        let line = if pin == self.pins[1] { Line::Scl } else { Line::Sda };
        if self.clocks == 0 && self.pins[..2].contains(&pin) {
            self.follow(around, line, level);
        } else if line == Line::Scl && level == Level::Low {
            self.clock(around);
        }
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, _pin: PinId, transfer: Transfer) {
        let Transfer::I2c(step) = transfer else { return };
        self.lines.leave();
        if let Some(reply) = self.step(around, step) {
            around.acts.push(Act::Drive(Input::Reply { pin: self.pins[0], reply }));
        }
        self.settle(around);
    }

    fn due(&self) -> Time {
        if self.fitness.is_powered { self.target.due() } else { Time::NEVER }
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        self.target.fire(&self.fitness.sense(around));
        self.settle(around);
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = if draws { self.target.state() } else { "off" };
        Some(Consumption { part: T::PART, state })
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
