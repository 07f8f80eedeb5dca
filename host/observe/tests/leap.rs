// SPDX-License-Identifier: MIT OR Apache-2.0
//! Steps that need not be seen one by one change nothing of what is observed.

use lichen_chip::{Chip, Config, Fuses, Output, Stamped, Time};
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
/// mov r6, r7; then, until r6 is 0: subs r6, #1; then str r1, [r0]; a quarter of that with interrupts masked (cpsid i, cpsie i); and
/// again.
const COMPUTE: [u16; 11] =
    [0x463E, 0x3E01, 0xD1FD, STORE, 0xB672, 0x08BE, 0x3E01, 0xD1FD, STORE, 0xB662, 0xE7F4];
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

/// An ATmega128 that counts, interrupted by each overflow of timer 1.
fn avr() -> Box<dyn Chip> {
    const MAIN: [u16; 11] = [
        0xE100, 0xBF0E, 0xEF0F, 0xBF0D, // SP = 0x10FF
        0xE004, 0xBF07, // TIMSK = TOIE1
        0xE001, 0xBD0E, // TCCR1B = CS10
        0x9478, // sei
        0x9513, 0xCFFE, // inc r17, for ever
    ];
    let mut code = vec![0; 0x48];
    (code[0], code[0x1C]) = (0xC047, 0x9518); // rjmp 0x90; reti
    code.extend(MAIN);
    let code: Vec<u8> = code.iter().flat_map(|word: &u16| word.to_le_bytes()).collect();
    let fuses = Fuses { low: 0xE1, high: 0x99, extended: 0xFF, lock: 0xFF };
    let config = Config { fuses: Some(fuses), ..Config::default() };
    let mut chip = lichen_chip::by_part("ATmega128", &config).expect("known");
    chip.program(0, &code).expect("in flash");
    chip.power_on();
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

/// What is observed.
#[derive(Debug, PartialEq)]
struct Observed {
    levels: Vec<Level>,
    outputs: Vec<Stamped<Output>>,
    state: u64,
}

/// What is observed of a chip in some time, and how many steps were shown.
fn observed(mut chip: Box<dyn Chip>, time: Time, leaps: bool) -> (Observed, u64) {
    let (mut outputs, mut leap) = (Vec::new(), Leap::default());
    let mut observer = Counted { latency: Latency::new(None), leaps, shown: 0 };
    chip.watch_activity(true);
    while chip.now() < time {
        run_observed(chip.as_mut(), time, &mut observer, &mut leap);
        chip.take_outputs(&mut outputs);
    }
    let levels = observer.latency.levels().to_vec();
    (Observed { levels, outputs, state: chip.state_hash() }, observer.shown)
}

#[track_caller]
fn is_the_same(chip: fn() -> Box<dyn Chip>, time: Time, served: u64) {
    let (stepped, steps) = observed(chip(), time, false);
    let (leapt, shown) = observed(chip(), time, true);
    assert!(stepped.levels[0].served >= served, "{:?}", stepped.levels);
    assert_eq!(leapt, stepped);
    assert!(shown < steps / 2, "{shown} of {steps} steps were shown");
}

#[test]
fn latencies_are_the_same_with_and_without_leaps() {
    is_the_same(chip, Time::from_s(1), 150);
    is_the_same(avr, Time::from_s(3), 40);
}
