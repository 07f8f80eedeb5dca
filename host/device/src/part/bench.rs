// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part by itself: its tests call it as a mote would. Each file of tests adds what its bus has.

use super::{Condition, Part, Wires};
use crate::{Act, Course, Device, Environment, Report, Stimulus, Surroundings};
use lichen_chip::{I2cStep, Input, Level, PinId, Reply, Time, Transfer};
use std::ops::{Deref, DerefMut};

/// A part, its surroundings and the present time.
pub(super) struct Bench {
    pub device: Box<dyn Device>,
    pub environment: Environment,
    pub now: Time,
    /// What it last drove a pin to.
    pub driven: Option<Level>,
    /// Its actions on the air and its reports since they were last taken.
    pub log: Vec<(Time, Act)>,
}

/// A part called `it` whose only line is at `pin`.
pub(super) fn wires(pin: PinId) -> Wires {
    let (data, reply, clock) = (pin, pin, pin);
    let (name, address, select, is_bit_banged) = ("it".to_string(), 0, None, false);
    let (irq, shutdown) = (None, None);
    Wires { name, data, reply, clock, address, select, is_bit_banged, irq, shutdown }
}

impl Bench {
    /// `part` at these wires, not powered.
    pub fn new(part: &Part, wires: &Wires) -> Bench {
        let (device, environment) = (part.connect(wires), Environment::usual());
        Bench { device, environment, now: Time::ZERO, driven: None, log: Vec::new() }
    }

    pub fn power_on(&mut self) {
        self.serve(|device, around| device.power_on(around));
    }

    /// Calls it, and returns what it does.
    pub fn serve(&mut self, what: impl FnOnce(&mut dyn Device, &mut Surroundings<'_>)) -> Vec<Act> {
        let mut acts = Vec::new();
        let (now, environment) = (self.now, &self.environment);
        what(self.device.as_mut(), &mut Surroundings { now, environment, acts: &mut acts });
        for act in &acts {
            if let Act::Drive(Input::Pin { level, .. }) = act {
                self.driven = Some(*level);
            }
            if matches!(act, Act::Radio(_) | Act::Report(_)) {
                self.log.push((now, act.clone()));
            }
        }
        acts
    }

    /// Time passes, and it does what is due.
    pub fn pass(&mut self, time: Time) {
        let until = self.now + time;
        while self.device.due() <= until {
            self.now = self.device.due();
            self.serve(|device, around| device.fire(around));
        }
        self.now = until;
    }

    /// Puts it into a condition, and returns what it does then.
    pub fn set(&mut self, condition: Condition) -> Vec<Act> {
        let stimulus = Stimulus::Condition(condition);
        self.serve(|device, around| assert!(device.stimulate(around, &stimulus)))
    }

    /// Lets a quantity have this value, in millionths of its unit.
    pub fn sense(&mut self, quantity: &str, value: i64) {
        self.environment.set(quantity, Course::Constant(value));
    }

    /// The state in which it draws current.
    pub fn state(&self) -> &'static str {
        self.device.consumption().expect("it draws current").state
    }
}

/// What it says of what the master does.
pub(super) fn mismatch(acts: &[Act]) -> Option<&str> {
    acts.iter().find_map(|act| match act {
        Act::Report(Report::Mismatch(text)) => Some(text.as_str()),
        _ => None,
    })
}

/// A part on I2C, and its master.
pub(super) struct I2cBench {
    bench: Bench,
    address: u16,
}

const IRQ: PinId = PinId { port: 0, bit: 24 };

impl I2cBench {
    pub const SDA: PinId = PinId { port: 0, bit: 16 };
    pub const SCL: PinId = PinId { port: 0, bit: 17 };

    /// `part` at this address, with an interrupt request, just powered.
    pub fn powered(part: &Part, address: u8) -> I2cBench {
        let wires = Wires { clock: Self::SCL, address, irq: Some(IRQ), ..wires(Self::SDA) };
        let mut bench = Bench::new(part, &wires);
        bench.power_on();
        I2cBench { bench, address: address.into() }
    }

    pub fn step(&mut self, step: I2cStep) -> Vec<Act> {
        self.serve(|device, around| device.transfer(around, Self::SDA, Transfer::I2c(step)))
    }

    /// The master leaves a line at this level.
    pub fn line(&mut self, pin: PinId, level: Level) {
        self.serve(|device, around| device.level(around, pin, level));
    }

    pub fn reply(&mut self, step: I2cStep) -> Option<Reply> {
        self.step(step).into_iter().find_map(|act| match act {
            Act::Drive(Input::Reply { reply, .. }) => Some(reply),
            _ => None,
        })
    }

    /// Whether it acknowledges its address.
    pub fn start(&mut self, read: bool) -> bool {
        let address = self.address;
        self.reply(I2cStep::Start { address, read }) == Some(Reply::Acknowledge)
    }

    /// Writes bytes from a register on, and returns what it does meanwhile.
    pub fn write(&mut self, register: u8, values: &[u8]) -> Vec<Act> {
        let address = self.address;
        let mut acts = self.step(I2cStep::Start { address, read: false });
        for byte in std::iter::once(&register).chain(values) {
            acts.extend(self.step(I2cStep::Write(*byte)));
        }
        acts.extend(self.step(I2cStep::Stop));
        acts
    }

    /// Reads bytes from a register on.
    pub fn read(&mut self, register: u8, count: usize) -> Vec<u8> {
        self.write(register, &[]);
        self.start(true);
        let mut bytes = Vec::new();
        for left in (0..count).rev() {
            let Some(Reply::Data(byte)) = self.reply(I2cStep::Read) else { panic!("no data") };
            bytes.push(byte);
            self.step(I2cStep::Acknowledge(left > 0));
        }
        self.step(I2cStep::Stop);
        bytes
    }

    pub fn one(&mut self, register: u8) -> u8 {
        self.read(register, 1)[0]
    }

    /// Reads two bytes.
    pub fn word(&mut self, register: u8) -> u16 {
        let bytes = self.read(register, 2);
        u16::from_be_bytes([bytes[0], bytes[1]])
    }
}

impl Deref for I2cBench {
    type Target = Bench;

    fn deref(&self) -> &Bench {
        &self.bench
    }
}

impl DerefMut for I2cBench {
    fn deref_mut(&mut self) -> &mut Bench {
        &mut self.bench
    }
}
