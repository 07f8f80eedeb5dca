// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random accesses: it neither panics nor stands still, and acts no earlier than it says.

use super::*;
use crate::air::{Modulation, Transmission, philox4x32};

const OPERATIONS: u32 = 100_000;
const REGISTERS: [u8; 16] = [
    MAIN, MAIN, MAIN, 4, 5, 7, FRONT_END, PA_POW, PLL, LOCKS, CAL, CAL, MODEM1, MODEM0, 0x13, 0x41,
];

/// What other radios send.
#[derive(Default)]
struct Others {
    senders: [Option<u32>; 3],
    number: u32,
}

impl Others {
    /// A carrier of `sender` begins, says something or ends.
    fn act(&mut self, now: Time, [a, b, c, sender]: [u32; 4]) -> (u32, OnAir) {
        let place = sender % 3;
        let what = match self.senders[place as usize] {
            Some(number) if a % 3 == 0 => {
                self.senders[place as usize] = None;
                OnAir::Ends { number, end: now }
            }
            Some(number) => {
                OnAir::Says { number, at: b as usize % 20, bytes: [a as u8, c as u8].into() }
            }
            None => self.begin(place, now, [a, b, c]),
        };
        (place, what)
    }

    fn begin(&mut self, place: u32, now: Time, [a, b, c]: [u32; 3]) -> OnAir {
        self.number += 1;
        self.senders[place as usize] = Some(self.number);
        let lengths = [520_833, 520_900, 520_833, 260_416, 1_000, 5_000_000];
        let bit = Time::from_units(lengths[a as usize % lengths.len()]);
        let missing = if c % 4 == 0 { (b % 8) as u8 } else { 0 };
        let modulation = Modulation::Fsk { bit, manchester: b % 8 != 0, missing };
        let begin = now + Time::from_ns(u64::from(b % 60_000));
        match pins::carrier(self.number, begin) {
            OnAir::Begins(it) => OnAir::Begins(Transmission { modulation, ..it }),
            other => other,
        }
    }
}

/// A program writes a register, mostly to something that makes sense.
fn write(rig: &mut Rig, a: u32, b: u32) {
    let register = REGISTERS[(a >> 8) as usize % REGISTERS.len()];
    let mains = [RX, RX, RX, TX, TX, TX, BIAS, POWER_DOWN, a as u8];
    let value = if register == MAIN { mains[b as usize % mains.len()] } else { b as u8 };
    let usual = CHANNEL.iter().find(|(it, _)| *it == register).filter(|_| b % 16 != 0);
    rig.write(register, usual.map_or(value, |(_, usual)| *usual));
}

/// What a program, or the world, does. The earliest moment at which the radio may act.
fn operate(rig: &mut Rig, others: &mut Others, numbers: [u32; 4]) -> Time {
    let [what, a, b, c] = numbers;
    match what % 16 {
        0..=4 => write(rig, a, b),
        5 if c % 16 == 0 => rig.write(a as u8 & 0x7F, b as u8),
        6 => {
            rig.read(a as u8 & 0x7F);
        }
        7 => rig.drive([PALE, PCLK, PDATA, MOSI, MISO][a as usize % 5], b % 2 == 0),
        8 => rig.slave(a % 3 != 0),
        9..=11 => {
            let (sender, what) = others.act(rig.bench.now, [a, b, c, what >> 8]);
            rig.receive(sender, what, -11_000 + (b % 8_000) as i32);
        }
        12 => {
            rig.microvolts();
        }
        13 if a % 50 == 0 => {
            let conditions = [Condition::Absent, Condition::Wrong, Condition::Shorted];
            let condition = conditions.get(b as usize % 6).copied().unwrap_or(Condition::Works);
            rig.serve(|device, around| {
                device.stimulate(around, &Stimulus::Condition(condition));
            });
        }
        _ => {
            let earliest = rig.bench.device.acts_on_air(Time::NEVER);
            rig.pass_us(u64::from(a % if b % 40 == 0 { 40_000 } else { 3_000 }));
            return earliest;
        }
    }
    Time::ZERO
}

/// It can be set up again whatever happened before.
fn begin_anew(rig: &mut Rig, index: u32) {
    rig.bench.set(Condition::Works);
    rig.drive(PALE, true);
    rig.drive(PCLK, true);
    rig.pass_us(1);
    rig.set_up();
    assert_eq!(rig.read(0x01), 0x58, "{index}");
    rig.slave(index % 600 != 0);
    rig.turn_on(RX);
    assert_eq!(rig.read(LOCKS) & 3, 3, "{index}");
    rig.air.clear();
}

#[test]
fn no_sequence_of_accesses_wedges_it() {
    let (mut rig, mut others) = (Rig::powered(), Others::default());
    let (mut begun, mut heard) = (0, 0);
    for index in 0..OPERATIONS {
        let earliest = operate(&mut rig, &mut others, philox4x32([index, 0, 0, 0], [1, 2]));
        for (time, what) in rig.air.drain(..) {
            assert!(time >= earliest, "{index}: it acts before {earliest}");
            begun += u32::from(matches!(what, OnAir::Begins(_)));
        }
        heard += rig.heard.drain(..).count();
        rig.words.drain(..rig.words.len().saturating_sub(1));
        if index % 400 == 0 {
            begin_anew(&mut rig, index);
        }
    }
    assert!(begun > 100 && heard > 30, "{begun} {heard}");
}
