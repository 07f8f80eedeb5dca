// SPDX-License-Identifier: MIT OR Apache-2.0
//! A voltage at an analog pin: a probe, a potentiometer, a battery behind a divider. It follows the quantity of that
//! name, and draws nothing from the mote.

use super::{Bus, Condition, Fitness, Part, Wires};
use crate::environment::VOLTAGE;
use crate::{Act, Device, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, PinId, Reply};

pub(super) const PART: Part = Part {
    number: "VOLTAGE",
    title: "a voltage, such as that of a probe",
    bus: Bus::Analog,
    senses: &[VOLTAGE],
    lines: &[],
    addresses: &[],
    make: connect,
};

/// The largest output of nonsense, in microvolts.
const NONSENSE: u32 = 3_300_000;

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Voltage {
    name: String,
    pin: PinId,
    fitness: Fitness,
}

fn connect(wires: &Wires) -> Box<dyn Device> {
    Box::new(Voltage { name: wires.name.clone(), pin: wires.data, fitness: Fitness::default() })
}

impl Voltage {
    fn microvolts(&mut self, around: &Surroundings<'_>) -> u32 {
        match self.fitness.condition {
            Condition::Works | Condition::Stuck | Condition::Stretching => {
                // The quantity's range is within that of the type.
                u32::try_from(self.fitness.sense(around).value(&VOLTAGE)).unwrap_or(0)
            }
            Condition::Absent | Condition::Shorted => 0,
            Condition::Wrong => u32::from(self.fitness.sent(0)) * (NONSENSE / 256),
        }
    }
}

impl Device for Voltage {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
    }

    fn power_off(&mut self, _around: &mut Surroundings<'_>) {}

    fn sample(&mut self, around: &mut Surroundings<'_>, pin: PinId) {
        let reply = Reply::Voltage(self.microvolts(around));
        around.acts.push(Act::Drive(Input::Reply { pin, reply }));
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        self.fitness.stimulate(around, &self.name, stimulus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::bench::{Bench, wires};
    use lichen_chip::Time;

    const PIN: PinId = PinId { port: 0, bit: 6 };

    fn microvolts(bench: &mut Bench) -> u32 {
        match bench.serve(|device, around| device.sample(around, PIN)).first() {
            Some(Act::Drive(Input::Reply { pin: PIN, reply: Reply::Voltage(voltage) })) => *voltage,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_pin_has_the_voltage_that_is_said() {
        let mut bench = Bench::new(&PART, &wires(PIN));
        bench.power_on();
        assert_eq!(microvolts(&mut bench), 0);
        bench.sense("voltage", 1_234_567);
        assert_eq!(microvolts(&mut bench), 1_234_567);
    }

    #[test]
    fn it_fails_as_asked() {
        let mut bench = Bench::new(&PART, &wires(PIN));
        bench.power_on();
        bench.sense("voltage", 2_000_000);
        bench.pass(Time::from_s(1));
        bench.set(Condition::Wrong);
        assert_ne!(microvolts(&mut bench), microvolts(&mut bench));
        bench.set(Condition::Absent);
        assert_eq!(microvolts(&mut bench), 0);
        bench.set(Condition::Works);
        assert_eq!(microvolts(&mut bench), 2_000_000);
    }
}
