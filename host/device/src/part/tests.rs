// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts on their buses: who answers, and how they fail.

use super::bench::{Bench, wires};
use super::*;
use crate::{Act, QUANTITIES, Report};
use lichen_chip::{BitTime, I2cStep, Input, Level, Pull, Reply, Transfer, Word};

const DATA: PinId = PinId { port: 0, bit: 16 };
const CLOCK: PinId = PinId { port: 0, bit: 17 };
const MISO: PinId = PinId { port: 1, bit: 2 };
const SELECT: PinId = PinId { port: 1, bit: 3 };

/// A part that has been powered for a second.
fn powered(number: &str) -> Bench {
    let part = Part::find(number).expect("a part");
    let reply = if part.bus == Bus::I2c { DATA } else { MISO };
    let wires = wires(DATA);
    let wires = Wires { reply, clock: CLOCK, address: 0x40, select: Some(SELECT), ..wires };
    let mut bench = Bench::new(part, &wires);
    bench.power_on();
    bench.now = Time::from_s(1);
    bench
}

impl Bench {
    /// The reply to a transfer.
    fn transfer(&mut self, transfer: Transfer) -> Option<Reply> {
        let acts = self.serve(|device, around| device.transfer(around, DATA, transfer));
        acts.into_iter().find_map(|act| match act {
            Act::Drive(Input::Reply { reply, .. }) => Some(reply),
            _ => None,
        })
    }

    fn step(&mut self, step: I2cStep) -> Option<Reply> {
        self.transfer(Transfer::I2c(step))
    }

    fn start(&mut self, address: u16) -> bool {
        self.step(I2cStep::Start { address, read: false }) == Some(Reply::Acknowledge)
    }

    /// The manufacturer's number of an HDC1080.
    fn manufacturer(&mut self) -> [Option<Reply>; 2] {
        self.start(0x40);
        self.step(I2cStep::Write(0xFE));
        self.step(I2cStep::Start { address: 0x40, read: true });
        let high = self.step(I2cStep::Read);
        self.step(I2cStep::Acknowledge(true));
        let low = self.step(I2cStep::Read);
        self.step(I2cStep::Acknowledge(false));
        self.step(I2cStep::Stop);
        [high, low]
    }

    fn exchange(&mut self, word: Word) -> Option<Reply> {
        self.transfer(Transfer::Spi(word))
    }

    fn select(&mut self, level: Level) {
        self.serve(|device, around| device.level(around, SELECT, level));
    }

    /// The last byte of what a W25Q80DV answers to a request of its JEDEC number.
    fn capacity(&mut self) -> Option<Reply> {
        self.select(Level::Low);
        let last = [0x9F, 0, 0, 0].map(|byte| self.exchange(word(byte))).into_iter().last();
        self.select(Level::High);
        last.flatten()
    }
}

fn word(data: u16) -> Word {
    Word { data, bits: 8, mode: 0, bit_time: BitTime::from_ns(125) }
}

const NUMBER: [Option<Reply>; 2] = [Some(Reply::Data(0x54)), Some(Reply::Data(0x49))];

#[test]
fn a_part_on_i2c_answers_to_its_address_only() {
    let mut bench = powered("HDC1080");
    assert!(!bench.start(0x41));
    assert_eq!(bench.step(I2cStep::Write(0)), None);
    assert_eq!(bench.step(I2cStep::Read), None);
    assert!(!bench.start(0x140), "an address of ten bits is another one");
    assert_eq!(bench.manufacturer(), NUMBER);
    // Another part is addressed after a repeated start.
    assert!(bench.start(0x40) && !bench.start(0x41));
    assert_eq!(bench.step(I2cStep::Write(2)), None);
    assert_eq!(bench.step(I2cStep::Stop), None);
    assert_eq!(bench.step(I2cStep::Write(2)), None, "the transaction has ended");
}

#[test]
fn a_part_on_i2c_fails_as_asked_and_works_again() {
    let mut bench = powered("HDC1080");
    let report = |condition| Act::Report(Report::Condition { name: "it".into(), condition });
    assert_eq!(bench.set(Condition::Absent), [line(Level::High), report(Condition::Absent)]);
    assert!(!bench.start(0x40));
    assert_eq!(bench.device.consumption().map(|it| it.state), Some("off"));
    assert_eq!(bench.set(Condition::Shorted)[0], line(Level::Low));
    assert!(!bench.start(0x40));
    assert_eq!(bench.set(Condition::Shorted), [], "that is not news");
    assert_eq!(bench.set(Condition::Wrong)[0], line(Level::High));
    assert_ne!(bench.manufacturer(), NUMBER);
    bench.set(Condition::Works);
    assert_eq!(bench.manufacturer(), NUMBER);
}

#[test]
fn a_part_that_stretches_a_clock_holds_scl_low_until_it_works() {
    let clock = |level| Act::Drive(Input::Pin { pin: CLOCK, level });
    let mut bench = powered("HDC1080");
    assert_eq!(bench.set(Condition::Stretching)[..2], [clock(Level::Low), line(Level::High)]);
    assert_eq!(bench.set(Condition::Works)[..2], [clock(Level::High), line(Level::High)]);
    assert_eq!(bench.manufacturer(), NUMBER);
}

/// What a part does to SDA.
fn line(level: Level) -> Act {
    Act::Drive(Input::Pin { pin: DATA, level })
}

#[test]
fn a_part_that_the_master_leaves_in_the_middle_of_a_byte_holds_the_line_for_nine_clocks() {
    let start = Transfer::I2c(I2cStep::Start { address: 0x40, read: true });
    let mut bench = powered("HDC1080");
    bench.transfer(start);
    bench.step(I2cStep::Read);
    let again = bench.serve(|device, around| device.transfer(around, DATA, start));
    assert_eq!(again, [line(Level::Low)], "it does not hear a start");
    let mut clock = |pin, level| bench.serve(|device, around| device.level(around, pin, level));
    for _ in 0..8 {
        assert_eq!(clock(CLOCK, Level::Low), []);
        assert_eq!(clock(CLOCK, Level::High), []);
        assert_eq!(clock(DATA, Level::Low), []);
    }
    assert_eq!(clock(CLOCK, Level::Low), [line(Level::High)]);
    assert_eq!(bench.manufacturer(), NUMBER);
}

#[test]
fn a_part_whose_last_byte_is_acknowledged_sends_on_and_prevents_the_stop() {
    let mut bench = powered("HDC1080");
    bench.step(I2cStep::Start { address: 0x40, read: true });
    bench.step(I2cStep::Read);
    bench.step(I2cStep::Acknowledge(true));
    let stop = Transfer::I2c(I2cStep::Stop);
    let acts = bench.serve(|device, around| device.transfer(around, DATA, stop));
    assert_eq!(acts, [line(Level::Low)]);
}

#[test]
fn a_part_that_gets_stuck_in_a_transaction_goes_on_with_it() {
    let mut bench = powered("HDC1080");
    bench.start(0x40);
    bench.set(Condition::Stuck);
    assert_eq!(bench.step(I2cStep::Write(0xFE)), Some(Reply::Acknowledge));
    bench.set(Condition::Absent);
    assert_eq!(bench.step(I2cStep::Write(0xFE)), None);
}

#[test]
fn a_stuck_part_senses_what_it_sensed_then() {
    let mut bench = powered("HDC1080");
    let course = crate::Course::Record([(Time::ZERO, 0), (Time::from_s(100), 100_000_000)].into());
    bench.environment.set("temperature", course);
    let measure = |bench: &mut Bench| {
        bench.start(0x40);
        bench.step(I2cStep::Write(0));
        bench.now += Time::from_ms(20);
        bench.step(I2cStep::Start { address: 0x40, read: true });
        let byte = bench.step(I2cStep::Read);
        bench.step(I2cStep::Acknowledge(false));
        byte
    };
    bench.set(Condition::Stuck);
    let first = measure(&mut bench);
    bench.now = Time::from_s(50);
    assert_eq!(measure(&mut bench), first);
    bench.set(Condition::Works);
    assert_ne!(measure(&mut bench), first);
}

#[test]
fn a_part_on_spi_answers_while_it_is_selected() {
    let mut bench = powered("W25Q80DV");
    assert_eq!(bench.exchange(word(0x9F)), None);
    assert_eq!(bench.capacity(), Some(Reply::Word(0x14)));
    bench.select(Level::Floating(Pull::None));
    assert_eq!(bench.exchange(word(0x9F)), None, "nothing pulls its select line down");
}

#[test]
fn a_part_on_spi_says_once_that_it_does_not_understand() {
    let mut bench = powered("W25Q80DV");
    bench.select(Level::Low);
    let complaint = |bench: &mut Bench, word| {
        let acts = bench.serve(|device, around| device.transfer(around, DATA, Transfer::Spi(word)));
        acts.into_iter().find_map(|act| match act {
            Act::Report(Report::Mismatch(text)) => Some(text),
            _ => None,
        })
    };
    let reported = complaint(&mut bench, Word { mode: 1, ..word(0x9F) });
    assert_eq!(
        reported.as_deref(),
        Some("it does not understand SPI mode 1; its modes are 0 and 3")
    );
    assert_eq!(complaint(&mut bench, Word { mode: 1, ..word(0x9F) }), None);
    let mut bench = powered("W25Q80DV");
    bench.select(Level::Low);
    let reported = complaint(&mut bench, Word { bits: 9, ..word(0x9F) });
    assert_eq!(reported.as_deref(), Some("it does not understand words of 9 bits"));
}

#[test]
fn a_part_on_spi_fails_as_asked() {
    let mut bench = powered("W25Q80DV");
    let line = |level| Act::Drive(Input::Pin { pin: MISO, level });
    assert_eq!(bench.set(Condition::Shorted)[0], line(Level::Low));
    assert_eq!(bench.capacity(), None);
    assert_eq!(bench.set(Condition::Wrong)[0], line(Level::Floating(Pull::None)));
    assert_ne!(bench.capacity(), Some(Reply::Word(0x14)));
    bench.set(Condition::Works);
    assert_eq!(bench.capacity(), Some(Reply::Word(0x14)));
}

#[test]
fn a_saved_part_goes_on_in_the_middle_of_a_transaction() {
    let mut bench = powered("HDC1080");
    bench.start(0x40);
    bench.step(I2cStep::Write(0xFE));
    bench.step(I2cStep::Start { address: 0x40, read: true });
    assert_eq!(bench.step(I2cStep::Read), NUMBER[0]);
    bench.step(I2cStep::Acknowledge(true));
    let saved = bench.device.save();
    let mut again = powered("HDC1080");
    again.device.load(&saved).expect("its state");
    assert_eq!(again.step(I2cStep::Read), NUMBER[1]);
    assert!(powered("W25Q80DV").device.load(&saved).is_err());
}

#[test]
fn parts_are_in_order_and_found_by_number() {
    assert!(PARTS.is_sorted_by_key(|part| part.number));
    assert!(PARTS.iter().all(|part| part.number == part.number.to_uppercase()));
    assert_eq!(Part::find("hdc1080").map(|part| part.number), Some("HDC1080"));
    assert!(Part::find("HDC108").is_none());
}

#[test]
fn parts_sense_quantities_and_each_name_is_one() {
    let senses = PARTS.iter().flat_map(|part| part.senses);
    senses.for_each(|quantity| assert!(QUANTITIES.contains(quantity), "{}", quantity.name));
    for (index, quantity) in QUANTITIES.iter().enumerate() {
        assert!(QUANTITIES[..index].iter().all(|other| other.name != quantity.name));
    }
}
