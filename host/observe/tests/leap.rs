// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps that need not be seen one by one change nothing of what is observed.

use lichen_chip::{Chip, Config, Time};
use lichen_observe::latency::{Latency, Level};
use lichen_observe::{Leap, Observer, Step, run_observed};

const START: u32 = 0x100;
const HANDLER: u32 = 0x300;
const LINE: u32 = 4;
/// Cycles between two requests of the core's timer, and rounds of the loop between two of the program itself.
const TIMER: u32 = 7_001;
const ROUNDS: u32 = 5_003;

/// str r1, [r0]
const STORE: u16 = 0x6001;
/// mov r6, r7; then, until r6 is 0: subs r6, #1; then str r1, [r0], and again.
const COMPUTE: [u16; 5] = [0x463E, 0x3E01, 0xD1FD, STORE, 0xE7FA];
/// nop; bx lr
const RETURN: [u16; 2] = [0xBF00, 0x4770];

/// A chip that computes, is interrupted by its timer, and requests an interrupt of its own now and then.
fn chip() -> Box<dyn Chip> {
    let mut chip = lichen_chip::by_part("ATSAMR21E18A", &Config::default()).expect("known");
    let mut table = vec![0x2000_1000, START | 1];
    table.extend([HANDLER | 1; 46]);
    let table: Vec<u8> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
    let settings =
        [(0xE000_E100, 1 << LINE), (0xE000_E014, TIMER), (0xE000_E018, 0), (0xE000_E010, 7)];
    let code = [[STORE; 4].as_slice(), &COMPUTE].concat();
    for (address, code) in [(START, code.as_slice()), (HANDLER, &RETURN)] {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        chip.program(address, &bytes).expect("in flash");
    }
    chip.program(0, &table).expect("in flash");
    chip.power_on();
    for (register, value) in settings {
        chip.core_mut().set_register(0, register);
        chip.core_mut().set_register(1, value);
        chip.take_outputs(&mut Vec::new());
        chip.core_mut().step(Time::from_s(1));
    }
    chip.core_mut().set_register(0, 0xE000_E200);
    chip.core_mut().set_register(1, 1 << LINE);
    chip.core_mut().set_register(7, ROUNDS);
    chip
}

/// Counts what is shown to an observer, and lets it leap or not.
struct Counted {
    latency: Latency,
    leaps: bool,
    shown: u64,
}

impl Observer for Counted {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        self.shown += 1;
        self.latency.step(step, chip);
    }

    fn awaits_request(&self, chip: &dyn Chip) -> bool {
        self.leaps && self.latency.awaits_request(chip)
    }
}

/// What is observed in a second, the state after it, and how many steps were shown.
fn observed(leaps: bool) -> (Vec<Level>, u64, u64) {
    let (mut chip, mut leap) = (chip(), Leap::default());
    let mut observer = Counted { latency: Latency::new(None), leaps, shown: 0 };
    while chip.now() < Time::from_s(1) {
        run_observed(chip.as_mut(), Time::from_s(1), &mut observer, &mut leap);
        chip.take_outputs(&mut Vec::new());
    }
    (observer.latency.levels().to_vec(), chip.state_hash(), observer.shown)
}

#[test]
fn latencies_are_the_same_with_and_without_leaps() {
    let (levels, state, steps) = observed(false);
    let (leapt_levels, leapt_state, shown) = observed(true);
    assert!(levels[0].served > 200, "{levels:?}");
    assert_eq!(leapt_levels, levels);
    assert_eq!(leapt_state, state);
    assert!(shown < steps / 2, "{shown} of {steps} steps were shown");
}
