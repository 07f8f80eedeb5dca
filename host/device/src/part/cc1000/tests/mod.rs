// SPDX-License-Identifier: MIT OR Apache-2.0
//! The radio by itself, and several on one air, with masters that drive its wires and slaves that take its words.

mod air;
mod configuration;
mod pins;
mod random;
mod timing;

use super::*;
use crate::Environment;
use crate::air::{AHEAD, Fate, Frame, OnAir, Passage};
use crate::part::bench::{Bench, mismatch};
use lichen_chip::Word;
use std::collections::VecDeque;

/// The wires of a MICA2.
const WIRES: &[(&str, &str)] = &[
    ("mosi", "PB2"),
    ("sck", "PB1"),
    ("miso", "PB3"),
    ("dclk", "PB7"),
    ("pale", "PD4"),
    ("pclk", "PD6"),
    ("pdata", "PD7"),
    ("chp_out", "PA6"),
    ("rssi", "PF0"),
];

const MOSI: PinId = PinId { port: 1, bit: 2 };
const MISO: PinId = PinId { port: 1, bit: 3 };
const SCK: PinId = PinId { port: 1, bit: 1 };
const DCLK: PinId = PinId { port: 1, bit: 7 };
const PALE: PinId = PinId { port: 3, bit: 4 };
const PCLK: PinId = PinId { port: 3, bit: 6 };
const PDATA: PinId = PinId { port: 3, bit: 7 };
const CHP_OUT: PinId = PinId { port: 0, bit: 6 };
const RSSI: PinId = PinId { port: 5, bit: 0 };

/// Values of MAIN.
const POWER_DOWN: u8 = 0x3F;
const CORE: u8 = 0x3B;
const BIAS: u8 = 0x39;
const RX: u8 = 0x11;
const TX: u8 = 0xE1;

const CURRENT: u8 = 0x09;
const FRONT_END: u8 = 0x0A;
const PA_POW: u8 = 0x0B;
const PLL: u8 = 0x0C;
const LOCKS: u8 = 0x0D;
const MODEM1: u8 = 0x10;
const MODEM0: u8 = 0x11;

/// 433.002 MHz with 19.2 kbit/s in Manchester's code, as TinyOS sets it.
const CHANNEL: [(u8, u8); 16] = [
    (0x01, 0x58),
    (0x02, 0x00),
    (0x03, 0x00),
    (0x04, 0x57),
    (0x05, 0xF6),
    (0x06, 0x85),
    (0x07, 0x03),
    (0x08, 0x55),
    (CURRENT, 0x44),
    (FRONT_END, 0x02),
    (PLL, 0x60),
    (LOCKS, 0x10),
    (0x0F, 0x00),
    (MODEM1, 0x6F),
    (MODEM0, 0x55),
    (0x12, 0x70),
];

/// A radio, its master, and the slave that its data goes to.
struct Rig {
    bench: Bench,
    /// Levels that it drives.
    levels: Vec<(PinId, Level)>,
    /// What the slave sends next; zeros after that.
    outgoing: VecDeque<u8>,
    /// Words that have come in, and when each ends.
    words: Vec<(Time, u8)>,
    /// Words that began while another one was under way.
    missed: usize,
    air: Vec<(Time, OnAir)>,
    sent: Vec<Frame>,
    heard: Vec<(Frame, Fate)>,
    mismatches: Vec<String>,
}

impl Rig {
    /// A radio that has just been powered, with a crystal that deviates by `ppm`.
    fn powered_with(ppm: i32) -> Rig {
        let device = connect(&RadioWires::of(WIRES), &RadioCrystal { hz: Some(14_745_600), ppm })
            .expect("this one");
        let (environment, now) = (Environment::usual(), Time::ZERO);
        let bench = Bench { device, environment, now, driven: None, log: Vec::new() };
        let mut rig = Rig {
            bench,
            levels: Vec::new(),
            outgoing: VecDeque::new(),
            words: Vec::new(),
            missed: 0,
            air: Vec::new(),
            sent: Vec::new(),
            heard: Vec::new(),
            mismatches: Vec::new(),
        };
        rig.serve(|device, around| device.power_on(around));
        [PALE, PCLK, PDATA].into_iter().for_each(|pin| rig.drive(pin, true));
        rig
    }

    fn powered() -> Rig {
        Rig::powered_with(0)
    }

    /// On its channel, calibrated in both directions, in power-down.
    fn calibrated() -> Rig {
        let mut rig = Rig::powered();
        rig.set_up();
        rig
    }

    fn set_up(&mut self) {
        self.write(MAIN, CORE & !1);
        self.write(MAIN, CORE);
        self.pass_us(2_000);
        CHANNEL.iter().for_each(|(register, value)| self.write(*register, *value));
        self.write(MAIN, BIAS);
        self.pass_us(200);
        self.write(PA_POW, 0);
        for main in [RX, TX] {
            self.write(MAIN, main);
            self.write(CAL, 0xA6);
            self.pass_us(34_000);
            self.write(CAL, 0x26);
        }
        self.write(MAIN, POWER_DOWN);
    }

    /// On and locked.
    fn on(main: u8) -> Rig {
        let mut rig = Rig::calibrated();
        rig.turn_on(main);
        rig
    }

    fn turn_on(&mut self, main: u8) {
        self.write(MAIN, CORE);
        self.pass_us(2_000);
        self.write(MAIN, main);
        self.pass_us(500);
    }

    fn serve(&mut self, what: impl FnOnce(&mut dyn Device, &mut Surroundings<'_>)) {
        let acts = self.bench.serve(what);
        self.mismatches.extend(mismatch(&acts).map(str::to_string));
        for act in acts {
            match act {
                Act::Drive(Input::Pin { pin, level }) => {
                    self.levels.retain(|(it, _)| *it != pin);
                    self.levels.push((pin, level));
                }
                Act::Drive(Input::Word { pin, word }) => self.word(pin, word),
                Act::Radio(what) => self.air.push((self.bench.now, what)),
                Act::Report(Report::Sent(frame)) => self.sent.push(frame),
                Act::Report(Report::Heard { frame, fate, .. }) => self.heard.push((frame, fate)),
                _ => {}
            }
        }
    }

    /// A word begins, and the slave sends one, unless another one is under way.
    fn word(&mut self, pin: PinId, word: Word) {
        assert_eq!(pin, MOSI);
        let begins = self.bench.now;
        if self.words.last().is_some_and(|(end, _)| *end > begins) {
            self.missed += 1;
            return;
        }
        self.words.push((begins + word.length(), word.data as u8));
        let data = self.outgoing.pop_front().unwrap_or(0).into();
        let answer = Transfer::Spi(Word { data, ..word });
        self.serve(|device, around| device.transfer(around, MISO, answer));
    }

    fn pass_us(&mut self, us: u64) {
        self.pass_to(self.bench.now + Time::from_us(us));
    }

    fn pass_to(&mut self, until: Time) {
        while self.bench.device.due() <= until {
            self.fire();
        }
        self.bench.now = until;
    }

    fn fire(&mut self) {
        assert!(self.bench.device.due() >= self.bench.now, "nothing is due in the past");
        self.bench.now = self.bench.device.due();
        self.serve(|device, around| device.fire(around));
    }

    fn slave(&mut self, takes: bool) {
        self.serve(|device, around| device.takes_words(around, MOSI, takes));
    }

    fn drive(&mut self, pin: PinId, high: bool) {
        let level = if high { Level::High } else { Level::Low };
        self.serve(|device, around| device.level(around, pin, level));
    }

    fn level(&self, pin: PinId) -> Level {
        let found = self.levels.iter().find(|(it, _)| *it == pin);
        found.map_or(FLOATING, |(_, level)| *level)
    }

    /// A pulse of PCLK, a microsecond long.
    fn pulse(&mut self) {
        self.drive(PCLK, false);
        self.pass_to(self.bench.now + Time::from_ns(500));
        self.drive(PCLK, true);
        self.pass_to(self.bench.now + Time::from_ns(500));
    }

    fn clock_in(&mut self, byte: u8) {
        for bit in (0..8).rev() {
            self.drive(PDATA, byte >> bit & 1 != 0);
            self.pulse();
        }
    }

    fn address(&mut self, register: u8, writes: bool) {
        self.drive(PALE, false);
        self.clock_in(register << 1 | u8::from(writes));
        self.drive(PALE, true);
    }

    fn write(&mut self, register: u8, value: u8) {
        self.address(register, true);
        self.clock_in(value);
    }

    fn read(&mut self, register: u8) -> u8 {
        self.address(register, false);
        let mut value = 0;
        for _ in 0..8 {
            self.drive(PCLK, false);
            value = value << 1 | u8::from(self.level(PDATA) == Level::High);
            self.pass_to(self.bench.now + Time::from_ns(500));
            self.drive(PCLK, true);
            self.pass_to(self.bench.now + Time::from_ns(500));
        }
        value
    }

    fn state(&self) -> &'static str {
        self.bench.state()
    }

    fn microvolts(&mut self) -> u32 {
        let acts = self.bench.serve(|device, around| device.sample(around, RSSI));
        match acts.first() {
            Some(Act::Drive(Input::Reply { pin: RSSI, reply: Reply::Voltage(voltage) })) => {
                *voltage
            }
            other => panic!("{other:?}"),
        }
    }

    fn receive(&mut self, sender: u32, what: OnAir, power: i32) {
        let passage = Passage { seed: 7, sender, receiver: 99 };
        let reception = Reception { passage, what, power };
        self.serve(|device, around| device.receive(around, &reception));
    }
}

/// Radios that hear each other with the same power.
struct Air {
    rigs: Vec<Rig>,
    power: i32,
    /// What will arrive, when and from whom.
    under_way: Vec<(Time, usize, OnAir)>,
}

impl Air {
    fn of(rigs: Vec<Rig>, power: i32) -> Air {
        Air { rigs, power, under_way: Vec::new() }
    }

    /// Lets time pass for all.
    fn pass_us(&mut self, us: u64) {
        let now = self.rigs.iter().map(|rig| rig.bench.now).max().expect("radios");
        let until = now + Time::from_us(us);
        loop {
            self.collect();
            self.under_way.sort_by_key(|(time, sender, _)| (*time, *sender));
            let arrives = self.under_way.first().map_or(Time::NEVER, |(time, ..)| *time);
            let (index, due) = (0..self.rigs.len())
                .map(|index| (index, self.rigs[index].bench.device.due()))
                .min_by_key(|(_, due)| *due)
                .expect("radios");
            if arrives.min(due) > until {
                break;
            }
            if due <= arrives {
                self.rigs[index].fire();
                continue;
            }
            let (time, sender, what) = self.under_way.remove(0);
            for (index, rig) in self.rigs.iter_mut().enumerate().filter(|(it, _)| *it != sender) {
                assert!(rig.bench.now <= time, "{index} has run ahead");
                rig.bench.now = time;
                rig.receive(sender as u32, what.clone(), self.power);
            }
        }
        self.rigs.iter_mut().for_each(|rig| rig.bench.now = until);
    }

    /// Takes over what the radios have announced.
    fn collect(&mut self) {
        for (sender, rig) in self.rigs.iter_mut().enumerate() {
            let announced = rig.air.drain(..);
            self.under_way.extend(announced.map(|(time, what)| (time + AHEAD, sender, what)));
        }
    }
}

/// The bits of bytes, the first one first.
fn bits(bytes: impl IntoIterator<Item = u8>) -> Vec<bool> {
    let bits = |byte: u8| (0..8).map(move |bit| byte << bit & 0x80 != 0);
    bytes.into_iter().flat_map(bits).collect()
}

/// The offset in bits from a byte's beginning at which `wanted` is found in `received`.
fn offset_of(received: &[u8], wanted: &[u8]) -> Option<usize> {
    let (received, wanted) = (bits(received.iter().copied()), bits(wanted.iter().copied()));
    received.windows(wanted.len()).position(|window| window == wanted).map(|at| at % 8)
}
