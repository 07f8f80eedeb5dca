// SPDX-License-Identifier: MIT OR Apache-2.0
//! The imaginary thermometer of the guide, which shows how a part is written.

use super::{Bus, Part, Sense, i2c};
use crate::environment::TEMPERATURE;
use borsh::{BorshDeserialize, BorshSerialize};

pub(super) const PART: Part = Part {
    number: "TH1",
    title: "whole degrees",
    bus: Bus::I2c,
    senses: &[TEMPERATURE],
    lines: &[],
    addresses: &[0x48],
    make: i2c::connect::<Th1>,
};

#[derive(Default, BorshSerialize, BorshDeserialize)]
struct Th1;

impl i2c::Target for Th1 {
    const PART: &'static str = "th1";

    fn power_on(&mut self, _sense: &Sense<'_>) {}

    fn start(&mut self, _sense: &Sense<'_>, _read: bool) -> bool {
        true
    }

    fn write(&mut self, _sense: &Sense<'_>, _byte: u8) -> bool {
        false
    }

    fn read(&mut self, sense: &Sense<'_>) -> u8 {
        (sense.value(&TEMPERATURE) / 1_000_000) as u8
    }

    fn state(&self) -> &'static str {
        "on"
    }
}

mod tests {
    use super::super::{Wires, bench};
    use super::*;
    use crate::{Act, Environment, Surroundings};
    use lichen_chip::{I2cStep, Input, PinId, Reply, Time, Transfer};

    #[test]
    fn it_tells_whole_degrees() {
        let sda = PinId { port: 0, bit: 16 };
        let clock = PinId { port: 0, bit: 17 };
        let wires = Wires { clock, address: 1, ..bench::wires(sda) };
        let mut device = PART.connect(&wires);
        let environment = Environment::usual();
        let mut acts = Vec::new();
        let mut around =
            Surroundings { now: Time::ZERO, environment: &environment, acts: &mut acts };
        device.power_on(&mut around);
        let start = I2cStep::Start { address: 1, read: true };
        for step in [start, I2cStep::Read, I2cStep::Acknowledge(false), I2cStep::Stop] {
            device.transfer(&mut around, sda, Transfer::I2c(step));
        }
        let reply = |reply| Act::Drive(Input::Reply { pin: sda, reply });
        assert_eq!(acts, [reply(Reply::Acknowledge), reply(Reply::Data(20))]);
    }
}
