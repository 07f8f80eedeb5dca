// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Course;
use crate::part::bench::{Bench, wires};

/// A sensor board that has just been powered.
fn powered(part: &Part) -> Bench {
    let mut bench = Bench::new(part, &wires(SDA));
    bench.now = Time::from_s(1);
    bench.power_on();
    bench
}

impl Bench {
    fn drive(&mut self, pin: PinId, high: bool) -> Vec<Act> {
        let level = if high { Level::High } else { Level::Low };
        self.serve(|device, around| device.level(around, pin, level))
    }

    /// The voltage that it answers, and what it says.
    fn sample(&mut self, pin: PinId) -> (Option<u32>, Vec<String>) {
        let acts = self.serve(|device, around| device.sample(around, pin));
        let (mut voltage, mut mismatches) = (None, Vec::new());
        for act in acts {
            match act {
                Act::Drive(Input::Reply { reply: Reply::Voltage(microvolts), .. }) => {
                    voltage = Some(microvolts);
                }
                Act::Report(Report::Mismatch(text)) => mismatches.push(text),
                other => panic!("{other:?}"),
            }
        }
        (voltage, mismatches)
    }

    fn voltage(&mut self, pin: PinId) -> Option<u32> {
        self.sample(pin).0
    }
}

#[test]
fn a_sensor_has_a_voltage_while_it_has_power() {
    let mut bench = powered(&MTS310);
    assert_eq!(bench.voltage(DIVIDER), Some(0));
    for power in TEMPERATURE_POWER {
        bench.drive(power, true);
        assert_eq!(
            bench.voltage(DIVIDER),
            Some(volts::divider(volts::SUPPLY, Some(20_000_000), None))
        );
        bench.drive(power, false);
    }
    bench.drive(LIGHT_POWER, true);
    assert_eq!(
        bench.voltage(DIVIDER),
        Some(volts::divider(volts::SUPPLY, None, Some(300_000_000)))
    );
    bench.drive(LIGHT_POWER, false);
    assert_eq!(bench.voltage(DIVIDER), Some(0));
}

#[test]
fn both_axes_sense_their_quantities_on_an_mts310() {
    let mut bench = powered(&MTS310);
    bench.environment.set("acceleration_y", Course::Constant(1_000_000));
    bench.drive(ACCELERATION_POWER, true);
    assert_eq!(bench.voltage(ACCELERATIONS[0]), Some(0), "it turns on");
    bench.now += Time::from_ms(17);
    let both = ACCELERATIONS.map(|pin| bench.voltage(pin));
    assert_eq!(both, [Some(1_500_000), Some(1_667_000)]);
    let mut bench = powered(&MTS300);
    bench.drive(ACCELERATION_POWER, true);
    assert_eq!(bench.voltage(ACCELERATIONS[0]), None);
}

#[test]
fn the_supply_of_the_mote_feeds_the_sensors() {
    for supply in [2_700_000, 3_300_000] {
        let mut bench = powered(&MTS310);
        bench.environment.set("supply", Course::Constant(supply));
        bench.environment.set("temperature", Course::Constant(25_000_000));
        bench.drive(TEMPERATURE_POWER[0], true);
        bench.drive(ACCELERATION_POWER, true);
        bench.now += Time::from_ms(17);
        let half = supply as u32 / 2;
        assert!(bench.voltage(DIVIDER).is_some_and(|volts| volts.abs_diff(half) < 1_000));
        assert_eq!(bench.voltage(ACCELERATIONS[1]), Some(half));
    }
}

#[test]
fn the_potentiometer_sets_the_gain() {
    let mut bench = powered(&MTS300);
    bench.drive(SOUND_POWER, true);
    bench.drive(SOUND_SELECT, true);
    bench.now += Time::from_ns(62_500);
    let mut step = |step| {
        let transfer = Transfer::I2c(step);
        let acts = bench.serve(|device, around| device.transfer(around, SDA, transfer));
        acts.first().cloned()
    };
    let reply = |reply| Some(Act::Drive(Input::Reply { pin: SDA, reply }));
    assert_eq!(step(I2cStep::Start { address: 0x2C, read: false }), None);
    let start = I2cStep::Start { address: POTENTIOMETER, read: false };
    assert_eq!(step(start), reply(Reply::Acknowledge));
    for byte in [0, 200] {
        assert_eq!(step(I2cStep::Write(byte)), reply(Reply::Acknowledge));
    }
    step(I2cStep::Stop);
    step(I2cStep::Start { address: POTENTIOMETER, read: true });
    assert_eq!(step(I2cStep::Read), reply(Reply::Data(200)));
    step(I2cStep::Stop);
    step(start);
    for byte in [SECOND, 7] {
        step(I2cStep::Write(byte));
    }
    step(I2cStep::Start { address: POTENTIOMETER, read: true });
    assert_eq!(step(I2cStep::Read), reply(Reply::Data(7)), "the other one");
    let expected = volts::microphone(volts::SUPPLY, 40_000_000, 200, bench.now);
    assert_eq!(bench.voltage(MICROPHONE), Some(expected));
}

#[test]
fn a_sounder_is_reported_like_a_pin_of_the_board() {
    let mut bench = powered(&MTS300);
    let acts = bench.drive(SOUNDER, true);
    let expected = Report::Pin { pin: SOUNDER, name: "sounder".into(), high: Some(true) };
    assert_eq!(acts, [Act::Report(expected)]);
}

#[test]
fn what_is_not_simulated_is_said_once() {
    let mut bench = powered(&MTS310);
    assert_eq!(bench.drive(MAGNETOMETER_POWER, true).len(), 1);
    bench.drive(MAGNETOMETER_POWER, false);
    assert_eq!(bench.drive(MAGNETOMETER_POWER, true), []);
    bench.drive(SOUND_POWER, true);
    assert_eq!(bench.sample(MICROPHONE).1, ["the tone detector of it is not simulated"]);
    assert!(bench.sample(MICROPHONE).1.is_empty());
    let start = I2cStep::Start { address: POTENTIOMETER, read: false };
    for (instruction, acts) in [(0, 1), (SHUTDOWN, 2), (RESET, 1)] {
        let mut step = |step| {
            bench.serve(|device, around| device.transfer(around, SDA, Transfer::I2c(step))).len()
        };
        step(start);
        assert_eq!(step(I2cStep::Write(instruction)), acts, "{instruction:#x}");
    }
}

#[test]
fn it_fails_as_asked() {
    let mut bench = powered(&MTS300);
    let course = Course::Record([(Time::ZERO, 0), (Time::from_s(10), 100_000_000)].into());
    bench.environment.set("temperature", course);
    bench.drive(TEMPERATURE_POWER[0], true);
    let before = bench.voltage(DIVIDER);
    bench.set(Condition::Stuck);
    bench.now = Time::from_s(5);
    assert_eq!(bench.voltage(DIVIDER), before);
    bench.set(Condition::Works);
    assert!(bench.voltage(DIVIDER) > before);
    bench.set(Condition::Shorted);
    assert_eq!(bench.voltage(DIVIDER), Some(0));
    bench.set(Condition::Wrong);
    assert_ne!(bench.voltage(DIVIDER), bench.voltage(DIVIDER));
}
