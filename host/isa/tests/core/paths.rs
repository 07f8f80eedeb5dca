// SPDX-License-Identifier: MIT OR Apache-2.0
//! However a run is cut, it is the same run: straight from event to event, by single steps, and
//! in pieces of random length, on random programs with interrupts of all priorities.

use super::machine::*;
use super::program::{self, Random};
use lichen_isa::Cycle;
use lichen_isa::armv6m::{Fault, Stop};
use std::hash::{DefaultHasher, Hasher};

const EVENTS: u64 = 8;
const REGISTERS: usize = 21;
const EXCEPTIONS: u32 = 48;

/// The state that must be equal at an event on all paths.
#[derive(Debug, PartialEq, Eq)]
struct State {
    cycle: u64,
    instructions: u64,
    registers: [u32; REGISTERS],
    entries: Vec<u64>,
    fault: Option<Fault>,
    /// Hash of RAM.
    ram: u64,
    /// Accesses to the device since the previous event.
    accesses: Vec<Access>,
}

/// How a run is cut.
#[derive(Clone, Copy, Debug)]
enum Path {
    Straight,
    Stepped,
    Cut,
}

impl Path {
    /// Runs towards `end`, part of the way or all of it.
    fn advance(self, machine: &mut Machine, end: u64, random: &mut Random) {
        let now = machine.now();
        let limit = match self {
            Path::Cut => end.min(now + 1 + random.below(40)),
            Path::Straight | Path::Stepped => end,
        };
        let stop = match self {
            Path::Stepped => machine.core.step(&mut machine.memory, &mut machine.bus),
            _ => machine.core.run(&mut machine.memory, &mut machine.bus, Cycle(limit)),
        };
        match stop {
            Stop::Reached => {}
            // Time passes until something may wake the core.
            Stop::Sleep { .. } | Stop::Lockup => {
                let next = machine.core.next_internal_event().min(Cycle(limit));
                machine.core.advance(next - machine.core.cycle());
            }
            other => panic!("{other:?} at cycle {now}"),
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
        machine.bus.changes = vec![(event, random.next() as u32)];
        while machine.now() < event {
            path.advance(&mut machine, event, &mut cuts);
        }
        machine.bus.lines = machine.bus.changes.remove(0).1;
        State {
            cycle: machine.now(),
            instructions: machine.core.instructions(),
            registers: std::array::from_fn(|register| machine.core.register(register)),
            entries: (0..EXCEPTIONS).map(|number| machine.core.entries(number)).collect(),
            fault: machine.core.first_fault(),
            ram: hash(machine.memory.ram()),
            accesses: std::mem::take(&mut machine.bus.accesses),
        }
    };
    let states = (0..EVENTS).map(&mut state_at).collect();
    (states, machine.bus.polls)
}

/// Runs the programs on every path, compares, and returns how many exceptions were entered and how
/// often the straight and the stepped path polled.
fn compare(kind: &Kind) -> (u64, u64, u64) {
    let (mut entered, mut straight_polls, mut stepped_polls) = (0, 0, 0);
    for seed in 0..kind.programs {
        let (straight, polls) = states(kind, seed, Path::Straight);
        straight_polls += polls;
        for path in [Path::Stepped, Path::Cut] {
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
    let kind = Kind { programs: 10_000, machine: program::machine, longest: 200 };
    let (entered, ..) = compare(&kind);
    assert!(entered > 10 * kind.programs, "only {entered} exceptions are entered");
}

#[test]
fn polling_loops_that_are_skipped_lead_to_the_same_states() {
    let kind = Kind { programs: 400, machine: program::polling, longest: 4_000 };
    let (entered, straight, stepped) = compare(&kind);
    assert!(entered > kind.programs, "only {entered} exceptions are entered");
    assert!(stepped > 2 * straight, "{straight} of {stepped} reads are made");
}

#[test]
fn a_loop_that_waits_for_systick_is_skipped_to_the_cycle() {
    // ldr r1, [r0]; lsrs r1, r1, #17; bcc back
    let waits = |machine: &mut Machine, stepped: bool| {
        machine.write(SYST_RVR, 9_999);
        machine.write(SYST_CVR, 0);
        machine.write(SYST_CSR, 1);
        machine.core.set_register(0, SYST_CSR);
        let behind = START + 6;
        while stepped && machine.pc() != behind {
            machine.step();
        }
        (machine.run_to(behind), machine.core.instructions(), machine.core.register(XPSR))
    };
    let code = [LOAD, 0x0C49, 0xD3FC, HANG];
    let skipped = waits(&mut Machine::new(&code), false);
    assert_eq!(skipped, waits(&mut Machine::new(&code), true));
    assert!(skipped.0 > 9_999 && skipped.0 < 10_100, "{skipped:?}");
}
