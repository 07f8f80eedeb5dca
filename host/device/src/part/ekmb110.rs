// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panasonic EKMB110, a passive infrared sensor of 1 uA with a digital output (data sheet of the EKMB series): high
//! while something warm moves before it, else open, so that a resistor must pull it down.
//!
//! After its supply has come up, its output means nothing for up to 30 s. Here it is high in every second one of
//! six spans of that time.

use super::{Bus, Condition, Fitness, Part, Wires};
use crate::environment::MOTION;
use crate::{Act, Consumption, Device, Micro, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{Input, Level, PinId, Pull, Time};

pub(super) const PART: Part = Part {
    number: "EKMB110",
    title: "motion",
    bus: Bus::Digital,
    senses: &[MOTION],
    lines: &[],
    addresses: &[],
    make: connect,
};

/// The circuit stability time, in spans.
const SPANS: u8 = 6;
const SPAN: Time = Time::from_s(5);
/// The quantity from which on something moves.
const MOVES: Micro = 500_000;

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Ekmb110 {
    name: String,
    pin: PinId,
    fitness: Fitness,
    /// Spans of its stability time that have passed.
    spans: u8,
    is_high: bool,
    next: Time,
}

fn connect(wires: &Wires) -> Box<dyn Device> {
    Box::new(Ekmb110 {
        name: wires.name.clone(),
        pin: wires.data,
        fitness: Fitness::default(),
        spans: 0,
        is_high: false,
        next: Time::NEVER,
    })
}

impl Ekmb110 {
    /// Puts out what it senses now, and finds out when that changes.
    fn settle(&mut self, around: &mut Surroundings<'_>) {
        let moves = self.fitness.sense(around).value(&MOTION) >= MOVES;
        let is_stable = self.spans >= SPANS;
        self.is_high = match self.fitness.condition {
            Condition::Absent | Condition::Shorted => false,
            _ if !is_stable => self.spans % 2 == 1,
            Condition::Wrong => !moves,
            Condition::Works | Condition::Stuck | Condition::Stretching => moves,
        };
        if is_stable {
            let crossing = around.environment.crossing(&MOTION, MOVES, around.now);
            self.next =
                if self.fitness.condition == Condition::Stuck { Time::NEVER } else { crossing };
        }
        self.drive(around);
    }

    fn drive(&self, around: &mut Surroundings<'_>) {
        let level = match (self.fitness.condition, self.is_high) {
            _ if !self.fitness.is_powered => Level::Floating(Pull::None),
            (Condition::Shorted, _) => Level::Low,
            (_, true) => Level::High,
            (_, false) => Level::Floating(Pull::None),
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.pin, level }));
    }
}

impl Device for Ekmb110 {
    fn name(&self) -> &str {
        &self.name
    }

    fn pins(&self) -> &[PinId] {
        std::slice::from_ref(&self.pin)
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        (self.spans, self.next) = (0, around.now + SPAN);
        self.settle(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.drive(around);
    }

    fn due(&self) -> Time {
        if self.fitness.is_powered { self.next } else { Time::NEVER }
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        if self.spans < SPANS {
            self.spans += 1;
            self.next = around.now + SPAN;
        }
        self.settle(around);
    }

    fn consumption(&self) -> Option<Consumption> {
        let draws = self.fitness.is_powered && self.fitness.condition != Condition::Absent;
        let state = match (draws, self.is_high) {
            (false, _) => "off",
            (true, false) => "standby",
            (true, true) => "detecting",
        };
        Some(Consumption { part: "ekmb110", state })
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
            self.settle(around);
            self.fitness.report(around, &self.name);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Course;
    use crate::part::bench::{Bench, wires};

    const OPEN: Option<Level> = Some(Level::Floating(Pull::None));
    const HIGH: Option<Level> = Some(Level::High);

    /// A part whose surroundings move from 60 s to 70 s.
    fn powered() -> Bench {
        let pin = PinId { port: 0, bit: 6 };
        let mut bench = Bench::new(&PART, &wires(pin));
        let at = Time::from_s;
        let one = 1_000_000;
        let points = [(at(60), 0), (at(60), one), (at(70), one), (at(70), 0)];
        bench.environment.set("motion", Course::Record(points.into()));
        bench.power_on();
        bench
    }

    #[test]
    fn its_output_means_nothing_for_half_a_minute() {
        let mut bench = powered();
        let mut seen = Vec::new();
        for _ in 0..8 {
            seen.push(bench.driven == HIGH);
            bench.pass(SPAN);
        }
        assert_eq!(seen, [false, true, false, true, false, true, false, false]);
    }

    #[test]
    fn it_is_high_while_something_moves() {
        let mut bench = powered();
        bench.pass(Time::from_s(60) - Time::UNIT);
        assert_eq!((bench.driven, bench.state()), (OPEN, "standby"));
        bench.pass(Time::UNIT);
        assert_eq!((bench.driven, bench.state()), (HIGH, "detecting"));
        bench.pass(Time::from_s(10) - Time::UNIT);
        assert_eq!(bench.driven, HIGH);
        bench.pass(Time::UNIT);
        assert_eq!((bench.driven, bench.device.due()), (OPEN, Time::NEVER));
    }

    #[test]
    fn it_fails_as_asked() {
        let mut bench = powered();
        bench.pass(Time::from_s(40));
        bench.set(Condition::Stuck);
        bench.pass(Time::from_s(25));
        assert_eq!(bench.driven, OPEN);
        bench.set(Condition::Works);
        assert_eq!(bench.driven, HIGH, "it moves");
        bench.set(Condition::Wrong);
        assert_eq!(bench.driven, OPEN);
        bench.set(Condition::Shorted);
        assert_eq!(bench.driven, Some(Level::Low));
        bench.set(Condition::Absent);
        assert_eq!((bench.driven, bench.state()), (OPEN, "off"));
    }
}
