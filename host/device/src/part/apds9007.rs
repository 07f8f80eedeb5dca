// SPDX-License-Identifier: MIT OR Apache-2.0
//! Avago APDS-9007: illuminance as a current that is its logarithm (data sheet AV02-0512), which a resistor turns into a
//! voltage for the chip's converter.

use super::{Bus, Condition, Fitness, Part, Wires};
use crate::environment::LIGHT;
use crate::{Act, Consumption, Device, Micro, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, Level, PinId, Reply, Time};

pub(super) const PART: Part = Part {
    number: "APDS-9007",
    title: "illuminance, into 15 kohm",
    bus: Bus::Analog,
    senses: &[LIGHT],
    lines: &["shutdown"],
    addresses: &[],
    make: connect,
};

/// Microamperes for each power of ten of the illuminance in lux, and its range.
const PER_DECADE: f64 = 10.0;
const DARKEST_LUX: f64 = 1.0;
const BRIGHTEST_LUX: f64 = 70_000.0;
/// From the output to ground, in ohms: R3 of the Hamilton.
const LOAD: f64 = 15_000.0;
/// From the supply, or the end of a shutdown, to a settled output: what the Hamilton's own driver waits.
const TURN_ON: Time = Time::from_ms(20);
/// The largest output of nonsense, in microvolts.
const NONSENSE: u32 = 750_000;

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Apds9007 {
    name: String,
    /// The output, and the shutdown if that is connected.
    pins: Vec<PinId>,
    fitness: Fitness,
    /// Since when it works; `None` while it is shut down.
    since: Option<Time>,
}

fn connect(wires: &Wires) -> Box<dyn Device> {
    Box::new(Apds9007 {
        name: wires.name.clone(),
        pins: std::iter::once(wires.data).chain(wires.shutdown).collect(),
        fitness: Fitness::default(),
        since: None,
    })
}

/// The voltage at its resistor, in microvolts, after it has had power for so long.
fn voltage(lux: Micro, powered: Time) -> u32 {
    let lux = (lux as f64 / 1e6).clamp(DARKEST_LUX, BRIGHTEST_LUX);
    // Not the host's logarithm, whose last digit differs between machines.
    let settled = PER_DECADE * libm::log10(lux) * LOAD;
    (settled * (powered.as_s() / TURN_ON.as_s()).min(1.0)).round() as u32
}

impl Apds9007 {
    fn voltage(&mut self, around: &Surroundings<'_>) -> u32 {
        let Some(since) = self.since.filter(|_| self.fitness.is_powered) else { return 0 };
        let lux = self.fitness.sense(around).value(&LIGHT);
        match self.fitness.condition {
            Condition::Works | Condition::Stuck | Condition::Stretching => {
                voltage(lux, around.now - since)
            }
            Condition::Absent | Condition::Shorted => 0,
            Condition::Wrong => u32::from(self.fitness.sent(0)) * (NONSENSE / 256),
        }
    }
}

impl Device for Apds9007 {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    /// It works until something shuts it down.
    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.since = Some(around.now);
    }

    fn power_off(&mut self, _around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
    }

    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        if Some(&pin) != self.pins.get(1) {
            return;
        }
        match (level == Level::High, self.since) {
            (true, _) => self.since = None,
            (false, None) => self.since = Some(around.now),
            (false, Some(_)) => {}
        }
    }

    fn sample(&mut self, around: &mut Surroundings<'_>, pin: PinId) {
        if pin == self.pins[0] {
            let reply = Reply::Voltage(self.voltage(around));
            around.acts.push(Act::Drive(Input::Reply { pin, reply }));
        }
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = match (draws, self.since) {
            (false, _) => "off",
            (true, None) => "shutdown",
            (true, Some(_)) => "active",
        };
        Some(Consumption { part: "apds-9007", state })
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

    const OUT: PinId = PinId { port: 0, bit: 8 };
    const SD: PinId = PinId { port: 0, bit: 28 };

    fn powered() -> Bench {
        let mut bench = Bench::new(&PART, &Wires { shutdown: Some(SD), ..wires(OUT) });
        bench.power_on();
        bench
    }

    impl Bench {
        fn microvolts(&mut self) -> u32 {
            let acts = self.serve(|device, around| device.sample(around, OUT));
            match acts.first() {
                Some(Act::Drive(Input::Reply { reply: Reply::Voltage(voltage), .. })) => *voltage,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn ten_times_the_light_is_ten_microamperes_more() {
        let mut bench = powered();
        bench.pass(TURN_ON);
        for (lux, microvolts) in [
            (0, 0),
            (1, 0),
            (10, 150_000),
            (1_000, 450_000),
            (10_000, 600_000),
            (1_000_000, 726_765),
        ] {
            bench.sense("light", lux * 1_000_000);
            assert_eq!(bench.microvolts(), microvolts, "{lux}");
        }
    }

    #[test]
    fn it_is_shut_down_by_a_high_level_and_settles_afterwards() {
        let mut bench = powered();
        bench.sense("light", 100_000_000);
        bench.pass(Time::from_s(1));
        assert_eq!((bench.microvolts(), bench.state()), (300_000, "active"));
        bench.serve(|device, around| device.level(around, SD, Level::High));
        assert_eq!((bench.microvolts(), bench.state()), (0, "shutdown"));
        bench.serve(|device, around| device.level(around, SD, Level::Low));
        bench.pass(Time::from_ms(10));
        assert_eq!((bench.microvolts(), bench.state()), (150_000, "active"));
        bench.pass(Time::from_ms(10));
        assert_eq!(bench.microvolts(), 300_000);
    }

    #[test]
    fn it_fails_as_asked() {
        let mut bench = powered();
        bench.pass(Time::from_s(1));
        bench.set(Condition::Stuck);
        let before = bench.microvolts();
        bench.set(Condition::Wrong);
        assert_ne!(bench.microvolts(), bench.microvolts());
        bench.set(Condition::Absent);
        assert_eq!((bench.microvolts(), bench.state()), (0, "off"));
        bench.set(Condition::Works);
        assert_eq!(bench.microvolts(), before);
    }
}
