// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random accesses: it neither panics nor stands still, and acts no earlier than it says.

use super::*;
use crate::air::philox4x32;

const OPERATIONS: u32 = 100_000;

/// What a program, or the world, does.
fn operate(rig: &mut Rig, numbers: [u32; 4], earliest: &mut Time) {
    let [what, a, b, c] = numbers;
    let registers = [
        MAIN, MAIN, MAIN, 4, 5, 7, FRONT_END, PA_POW, PLL, LOCKS, CAL, CAL, MODEM1, MODEM0, 0x13,
        0x41,
    ];
    let mains = [POWER_DOWN, CORE, BIAS, RX, TX, RX, TX, RX, a as u8];
    match what % 16 {
        0..=6 => {
            let register = registers[(a >> 8) as usize % registers.len()];
            let value = if register == MAIN { mains[b as usize % mains.len()] } else { b as u8 };
            let usual = CHANNEL.iter().find(|(it, _)| *it == register).filter(|_| b % 3 != 0);
            rig.write(register, usual.map_or(value, |(_, usual)| *usual));
        }
        7 => rig.write(a as u8 & 0x7F, b as u8),
        8 => {
            rig.read(a as u8 & 0x7F);
        }
        9 => rig.drive([PALE, PCLK, PDATA, MOSI, MISO][a as usize % 5], b % 2 == 0),
        10 => rig.slave(a % 3 != 0),
        11 => {
            let begin = rig.bench.now + Time::from_ns(u64::from(b % 60_000));
            let missing = (c % 8) as u8;
            let bit = Time::from_units([520_833, 260_416, 1_000, 5_000_000][a as usize % 4]);
            let modulation = crate::air::Modulation::Fsk { bit, manchester: b % 2 == 0, missing };
            let OnAir::Begins(it) = pins::carrier(c % 4, begin) else { return };
            let what = OnAir::Begins(crate::air::Transmission { modulation, ..it });
            rig.receive(a % 3, what, -12_000 + (b % 9_000) as i32);
        }
        12 => {
            let what = match a % 2 {
                0 => OnAir::Says {
                    number: c % 4,
                    at: b as usize % 20,
                    bytes: [a as u8, b as u8].into(),
                },
                _ => OnAir::Ends { number: c % 4, end: rig.bench.now },
            };
            rig.receive(b % 3, what, -9_000);
        }
        13 => {
            rig.microvolts();
        }
        14 if a % 50 == 0 => {
            let conditions = [Condition::Absent, Condition::Wrong, Condition::Shorted];
            let condition = conditions.get(b as usize % 6).copied().unwrap_or(Condition::Works);
            rig.serve(|device, around| {
                device.stimulate(around, &Stimulus::Condition(condition));
            });
        }
        _ => {
            *earliest = rig.bench.device.acts_on_air(Time::NEVER);
            rig.pass_us(u64::from(a % if b % 40 == 0 { 40_000 } else { 600 }));
        }
    }
}

#[test]
fn no_sequence_of_accesses_wedges_it() {
    let mut rig = Rig::powered();
    let (mut begun, mut heard) = (0, 0);
    for index in 0..OPERATIONS {
        let mut earliest = Time::ZERO;
        rig.words.drain(..rig.words.len().saturating_sub(1));
        operate(&mut rig, philox4x32([index, 0, 0, 0], [1, 2]), &mut earliest);
        for (time, what) in rig.air.drain(..) {
            assert!(time >= earliest, "{index}: it acts before {earliest}");
            begun += u32::from(matches!(what, OnAir::Begins(_)));
        }
        heard += rig.heard.drain(..).count();
        if index % 5_000 == 0 {
            rig.bench.set(Condition::Works);
            rig.drive(PALE, true);
            rig.set_up();
            assert_eq!(rig.read(0x01), 0x58, "{index}");
            rig.turn_on(RX);
            assert_eq!(rig.read(LOCKS) & 3, 3, "{index}");
        }
    }
    assert!(begun > 100 && heard > 10, "{begun} {heard}");
}
