// SPDX-License-Identifier: MIT OR Apache-2.0
//! A loopback plug on the second serial port: what the mote sends comes back, as it was sent.
//!
//! Wrong, it makes errors: the parity bit is the other one; without parity, characters come twice as slowly,
//! so that the mote misses stop bits. Shorted, the line to the mote is low.

use super::{Bus, Condition, Fitness, Part, Wires};
use crate::{Act, Device, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{BitTime, Frame, Input, Level, PinId, Pull};

pub(super) const PART: Part = Part {
    number: "LOOPBACK",
    title: "a plug that sends back what arrives",
    bus: Bus::Serial,
    senses: &[],
    lines: &[],
    addresses: &[],
    make: connect,
};

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Loopback {
    name: String,
    /// From the mote, and to it.
    pins: [PinId; 2],
    fitness: Fitness,
}

fn connect(wires: &Wires) -> Box<dyn Device> {
    Box::new(Loopback {
        name: wires.name.clone(),
        pins: [wires.data, wires.reply],
        fitness: Fitness::default(),
    })
}

impl Loopback {
    /// The level of the line to the mote at rest.
    fn rest(&self, around: &mut Surroundings<'_>) {
        let level = match (self.fitness.is_powered, self.fitness.condition) {
            (false, _) | (_, Condition::Absent) => Level::Floating(Pull::None),
            (_, Condition::Shorted) => Level::Low,
            _ => Level::High,
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pins[1], level }));
    }
}

impl Device for Loopback {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.rest(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.rest(around);
    }

    fn hears(&self, pin: PinId) -> bool {
        self.pins[0] == pin
    }

    fn frame(&mut self, around: &mut Surroundings<'_>, pin: PinId, frame: Frame) {
        let answers = matches!(
            self.fitness.condition,
            Condition::Works | Condition::Wrong | Condition::Stuck
        );
        if !self.hears(pin) || !self.fitness.is_powered || !answers {
            return;
        }
        let frame = match (self.fitness.condition, frame.parity) {
            (Condition::Wrong, Some(parity)) => Frame { parity: Some(!parity), ..frame },
            (Condition::Wrong, None) => {
                Frame { bit_time: BitTime::from_ps(frame.bit_time.ps() * 2), ..frame }
            }
            _ => frame,
        };
        around.acts.push(Act::Drive(Input::Frame { pin: self.pins[1], frame }));
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
            self.rest(around);
            self.fitness.report(around, &self.name);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, wires};
    use super::*;

    const OUT: PinId = PinId { port: 0, bit: 22 };
    const INTO: PinId = PinId { port: 0, bit: 23 };

    fn frame(parity: Option<bool>) -> Frame {
        Frame { data: 0x5A, data_bits: 8, parity, stop_bits: 1, bit_time: BitTime::from_us(10) }
    }

    fn echo(condition: Condition, sent: Frame) -> Vec<Act> {
        let mut bench = Bench::new(&PART, &Wires { reply: INTO, ..wires(OUT) });
        bench.power_on();
        let set = Stimulus::Condition(condition);
        bench.serve(|device, around| assert!(device.stimulate(around, &set)));
        bench.serve(|device, around| device.frame(around, OUT, sent))
    }

    #[test]
    fn it_sends_back_what_arrives_unless_it_fails() {
        let back = |frame| vec![Act::Drive(Input::Frame { pin: INTO, frame })];
        let slow = Frame { bit_time: BitTime::from_us(20), ..frame(None) };
        assert_eq!(echo(Condition::Works, frame(None)), back(frame(None)));
        assert_eq!(echo(Condition::Wrong, frame(Some(true))), back(frame(Some(false))));
        assert_eq!(echo(Condition::Wrong, frame(None)), back(slow));
        assert_eq!(echo(Condition::Absent, frame(None)), []);
        assert_eq!(echo(Condition::Shorted, frame(None)), []);
    }
}
