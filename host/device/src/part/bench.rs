// SPDX-License-Identifier: MIT OR Apache-2.0
//! A part by itself: its tests call it as a mote would. Each file of tests adds what its bus has.

use super::{Condition, Part, Wires};
use crate::{Act, Device, Environment, Stimulus, Surroundings};
use lichen_chip::{Input, Level, PinId, Time};

/// A part, its surroundings and the present time.
pub(super) struct Bench {
    pub device: Box<dyn Device>,
    pub environment: Environment,
    pub now: Time,
    /// What it last drove a pin to.
    pub driven: Option<Level>,
}

/// A part called `it` whose only line is at `pin`.
pub(super) fn wires(pin: PinId) -> Wires {
    let (data, reply, clock) = (pin, pin, pin);
    let (address, select, is_bit_banged) = (0, None, false);
    Wires { name: "it".to_string(), data, reply, clock, address, select, is_bit_banged }
}

impl Bench {
    /// `part` at these wires, not powered.
    pub fn new(part: &Part, wires: &Wires) -> Bench {
        let (device, environment) = (part.connect(wires), Environment::usual());
        Bench { device, environment, now: Time::ZERO, driven: None }
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
}
