// SPDX-License-Identifier: MIT OR Apache-2.0
//! However a run is cut, it is the same run: straight from event to event, by single steps, in pieces
//! of random length, and saved and loaded between them, on random programs with interrupts.

use super::code::{HANG, rjmp, sbis};
use super::machine::*;
use super::program::{self, Random, VECTORS};
use super::save;
use lichen_isa::Cycle;
use lichen_isa::avr8::Stop;
use std::hash::{DefaultHasher, Hasher};

const EVENTS: u64 = 8;
const REGISTERS: usize = 36;
/// Cycles that it takes to wake up.
const START_UP: u64 = 6;

/// The state that must be equal at an event on all paths.
#[derive(Debug, PartialEq, Eq)]
struct State {
    cycle: u64,
    instructions: u64,
    registers: [u32; REGISTERS],
    entries: Vec<u64>,
    active: u32,
    /// Hash of SRAM.
    sram: u64,
    /// What has reached the bus since the previous event.
    accesses: Vec<Access>,
    events: Vec<Event>,
}

/// How a run is cut.
#[derive(Clone, Copy, Debug)]
enum Path {
    Straight,
    Stepped,
    Cut,
    Saved,
}

impl Path {
    /// Runs towards `end`, part of the way or all of it.
    fn advance(self, machine: &mut Machine, end: u64, random: &mut Random) {
        let now = machine.now();
        let limit = match self {
            Path::Cut | Path::Saved => end.min(now + 1 + random.below(40)),
            Path::Straight | Path::Stepped => end,
        };
        let stop = match self {
            Path::Stepped => machine.core.step(&mut machine.memory, &mut machine.bus),
            _ => machine.core.run(&mut machine.memory, &mut machine.bus, Cycle(limit)),
        };
        match stop {
            Stop::Reached => {}
            Stop::Sleep if machine.core.wake_pending() => machine.core.wake_up(START_UP),
            Stop::Sleep => machine.core.advance(Cycle(limit) - machine.core.cycle()),
            other => panic!("{other:?} at cycle {now}"),
        }
        if let Path::Saved = self {
            machine.core = save::copy(&machine.core);
        }
    }
}

/// Programs of one kind.
struct Kind {
    programs: u64,
    machine: fn(&mut Random) -> Machine,
    /// Events are at most this many cycles apart.
    longest: u64,
}

/// The states of a program at its events, and how often it polled.
fn states(kind: &Kind, seed: u64, path: Path) -> (Vec<State>, u64) {
    let mut random = Random(seed);
    let mut machine = (kind.machine)(&mut random);
    let mut event = machine.now();
    let mut cuts = Random(!seed);
    let mut state_at = |_| {
        event += 1 + random.below(kind.longest);
        machine.bus.changes = vec![(event, random.lines())];
        while machine.now() < event {
            path.advance(&mut machine, event, &mut cuts);
        }
        machine.bus.lines = machine.bus.changes.remove(0).1;
        if random.below(4) == 0 {
            machine.core.pend_interrupt(1 + random.below(VECTORS - 1) as u32);
        }
        State {
            cycle: machine.now(),
            instructions: machine.core.instructions(),
            registers: std::array::from_fn(|register| machine.core.register(register)),
            entries: (0..VECTORS as u32).map(|number| machine.core.entries(number)).collect(),
            active: machine.core.active_exception(),
            sram: hash(machine.memory.sram()),
            accesses: std::mem::take(&mut machine.bus.accesses),
            events: std::mem::take(&mut machine.bus.events),
        }
    };
    let states = (0..EVENTS).map(&mut state_at).collect();
    (states, machine.bus.polls)
}

/// Runs the programs on every path, compares, and returns how many interrupts were taken and how
/// often the straight and the stepped path polled.
fn compare(kind: &Kind) -> (u64, u64, u64) {
    let (mut entered, mut straight_polls, mut stepped_polls) = (0, 0, 0);
    for seed in 0..kind.programs {
        let (straight, polls) = states(kind, seed, Path::Straight);
        straight_polls += polls;
        for path in [Path::Stepped, Path::Cut, Path::Saved] {
            let (states, polls) = states(kind, seed, path);
            for (number, (one, other)) in straight.iter().zip(states).enumerate() {
                assert!(
                    *one == other,
                    "program {seed}, event {number}, straight and {path:?}:\n{one:#x?}\n{other:#x?}"
                );
            }
            if matches!(path, Path::Stepped) {
                stepped_polls += polls;
            }
        }
        entered += straight.last().map_or(0, |state| state.entries.iter().sum());
    }
    (entered, straight_polls, stepped_polls)
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[test]
fn every_path_leads_to_the_same_states() {
    let kind = Kind { programs: 5_000, machine: program::machine, longest: 200 };
    let (entered, ..) = compare(&kind);
    assert!(entered > 10 * kind.programs, "only {entered} interrupts are taken");
}

#[test]
fn polling_loops_that_are_skipped_lead_to_the_same_states() {
    let kind = Kind { programs: 400, machine: program::polling, longest: 4_000 };
    let (entered, straight, stepped) = compare(&kind);
    assert!(entered > kind.programs, "only {entered} interrupts are taken");
    assert!(stepped > 2 * straight, "{straight} of {stepped} reads are made");
}

#[test]
fn a_loop_that_waits_for_a_flag_is_skipped_to_the_cycle() {
    let waits = |stepped: bool| {
        let mut machine = Machine::new(&[sbis(io::POLLED, 7), rjmp(-2), HANG]);
        machine.bus.polled = vec![(9_999, 0x80)];
        while stepped && machine.pc() != START + 4 {
            machine.step();
        }
        (machine.run_to(START + 4), machine.core.instructions(), machine.bus.polls)
    };
    let (skipped, stepped) = (waits(false), waits(true));
    assert_eq!((skipped.0, skipped.1), (stepped.0, stepped.1));
    // Three cycles a round; the read that sees the flag skips the jump.
    assert_eq!(skipped.0, 9_999 + 2);
    assert!(skipped.2 < 100 && stepped.2 > 3_000, "{skipped:?}, {stepped:?}");
}
