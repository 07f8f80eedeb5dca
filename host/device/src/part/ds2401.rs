// SPDX-License-Identifier: MIT OR Apache-2.0
//! Dallas DS2401: a serial number of 64 bits on a 1-Wire line, which a resistor pulls up (data sheet of the part,
//! "1-Wire Bus System" and "AC Electrical Characteristics").
//!
//! The master pulls the line low: for 480 us and more, it resets the part, which answers with a presence pulse; for
//! less, it begins a slot of one bit. The part samples the line 30 us after that, or pulls it low until then to send
//! a 0: the middle of the data sheet's bounds.

use super::{Bus, Condition, Fitness, Part, Wires};
use crate::{Act, Consumption, Device, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, Level, PinId, Pull, Time};

pub(super) const PART: Part = Part {
    number: "DS2401",
    title: "a serial number",
    bus: Bus::OneWire,
    senses: &[],
    lines: &[],
    addresses: &[],
    make: connect,
};

const FAMILY: u8 = 0x01;
/// Instructions: read the number, in two forms; search for numbers.
const READ: [u8; 2] = [0x33, 0x0F];
const SEARCH: u8 = 0xF0;

/// The shortest low level that is a reset.
const RESET: Time = Time::from_us(480);
/// From the end of a reset to the presence pulse, and its length.
const PRESENCE_AFTER: Time = Time::from_us(30);
const PRESENCE: Time = Time::from_us(120);
/// From the beginning of a slot until the line is sampled, or released after a 0.
const SAMPLE: Time = Time::from_us(30);

/// What the part does with the next slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Mode {
    /// Nothing, until a reset.
    #[default]
    Idle,
    /// It gets an instruction, of which these bits have come, least significant first.
    Instruction { count: u8, bits: u8 },
    /// It sends its number, from this bit on.
    Read(u8),
    /// A search: it sends this bit, then its complement, and then gets the bit with which the search goes on.
    Search { bit: u8, step: u8 },
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Action {
    Pull,
    Release,
    Sample,
}

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Ds2401 {
    name: String,
    pin: PinId,
    fitness: Fitness,
    mode: Mode,
    number: [u8; 8],
    /// Since when the master pulls the line low.
    low_since: Option<Time>,
    next: Option<(Time, Action)>,
}

fn connect(wires: &Wires) -> Box<dyn Device> {
    Box::new(Ds2401 {
        name: wires.name.clone(),
        pin: wires.data,
        fitness: Fitness::default(),
        mode: Mode::Idle,
        number: [0; 8],
        low_since: None,
        next: None,
    })
}

/// The family, 48 bits of `serial`, and the check sum of both.
fn number(serial: u64) -> [u8; 8] {
    let mut number = [0; 8];
    number[0] = FAMILY;
    number[1..7].copy_from_slice(&serial.to_le_bytes()[..6]);
    number[7] = number[..7].iter().fold(0, |crc, byte| check(crc ^ byte));
    number
}

/// The check sum x^8 + x^5 + x^4 + 1, of a byte, least significant bit first.
fn check(byte: u8) -> u8 {
    (0..8).fold(byte, |crc, _| crc >> 1 ^ if crc & 1 != 0 { 0x8C } else { 0 })
}

impl Ds2401 {
    fn drive(&self, around: &mut Surroundings<'_>, low: bool) {
        let shorted = self.fitness.condition == Condition::Shorted;
        let level = match (self.fitness.is_powered, low || shorted) {
            (false, _) => Level::Floating(Pull::None),
            (_, true) => Level::Low,
            _ => Level::High,
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pin, level }));
    }

    fn bit(&self, index: u8) -> bool {
        self.number[usize::from(index / 8)] >> (index % 8) & 1 != 0
    }

    /// The bit that it sends in the slot that begins, if it sends.
    fn sends(&self) -> Option<bool> {
        match self.mode {
            Mode::Read(index) => Some(self.bit(index)),
            Mode::Search { bit, step: 0 } => Some(self.bit(bit)),
            Mode::Search { bit, step: 1 } => Some(!self.bit(bit)),
            _ => None,
        }
    }

    /// The line falls: a slot begins, or a reset.
    fn fall(&mut self, around: &mut Surroundings<'_>) {
        self.low_since = Some(around.now);
        let until = around.now + SAMPLE;
        match self.sends() {
            Some(high) => {
                if !high {
                    self.drive(around, true);
                    self.next = Some((until, Action::Release));
                }
                self.sent();
            }
            None if self.mode != Mode::Idle => self.next = Some((until, Action::Sample)),
            None => {}
        }
    }

    /// The master lets go of the line.
    fn rise(&mut self, now: Time) {
        let Some(since) = self.low_since.take() else { return };
        if now - since >= RESET {
            self.mode = Mode::Instruction { count: 0, bits: 0 };
            self.next = Some((now + PRESENCE_AFTER, Action::Pull));
        }
    }

    /// A bit has been sent.
    fn sent(&mut self) {
        self.mode = match self.mode {
            Mode::Read(63) => Mode::Idle,
            Mode::Read(index) => Mode::Read(index + 1),
            Mode::Search { bit, step } => Mode::Search { bit, step: step + 1 },
            other => other,
        };
    }

    /// A bit has come in.
    fn received(&mut self, bit: bool) {
        self.mode = match self.mode {
            Mode::Instruction { count, bits } => {
                let bits = bits >> 1 | u8::from(bit) << 7;
                match (count, bits) {
                    (0..7, _) => Mode::Instruction { count: count + 1, bits },
                    (_, SEARCH) => Mode::Search { bit: 0, step: 0 },
                    _ if READ.contains(&bits) => Mode::Read(0),
                    _ => Mode::Idle,
                }
            }
            Mode::Search { bit: index, .. } if bit == self.bit(index) && index < 63 => {
                Mode::Search { bit: index + 1, step: 0 }
            }
            _ => Mode::Idle,
        };
    }
}

impl Device for Ds2401 {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.number = number(around.environment.serial());
        (self.mode, self.low_since, self.next) = (Mode::Idle, None, None);
        self.drive(around, false);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.drive(around, false);
    }

    fn level(&mut self, around: &mut Surroundings<'_>, _pin: PinId, level: Level) {
        let low = level == Level::Low;
        if low == self.low_since.is_some() || !self.fitness.answers() {
            return;
        }
        match low {
            true => self.fall(around),
            false => self.rise(around.now),
        }
    }

    fn due(&self) -> Time {
        let next = self.next.filter(|_| self.fitness.is_powered && self.fitness.answers());
        next.map_or(Time::NEVER, |(due, _)| due)
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        let Some((due, action)) = self.next.take() else { return };
        match action {
            Action::Pull => {
                self.drive(around, true);
                self.next = Some((due + PRESENCE, Action::Release));
            }
            Action::Release => self.drive(around, false),
            Action::Sample => self.received(self.low_since.is_none()),
        }
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        Some(Consumption { part: "ds2401", state: if draws { "on" } else { "off" } })
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let Stimulus::Condition(condition) = stimulus else { return false };
        if self.fitness.set(*condition, around.now) {
            self.number = number(around.environment.serial());
            let nonsense = *condition == Condition::Wrong;
            if nonsense {
                self.number = self.number.map(|byte| self.fitness.sent(byte));
            }
            (self.mode, self.low_since, self.next) = (Mode::Idle, None, None);
            self.drive(around, false);
            self.fitness.report(around, &self.name);
        }
        true
    }
}

#[cfg(test)]
mod tests;
