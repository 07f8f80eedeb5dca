// SPDX-License-Identifier: MIT OR Apache-2.0
//! However a run is cut, it is the same run: straight from event to event, by single steps, and
//! in pieces of random length, on random programs with interrupts of all priorities.

use super::machine::*;
use super::program::{self, Random};
use lichen_isa::Cycle;
use lichen_isa::armv6m::{Fault, Stop};
use std::hash::{DefaultHasher, Hasher};

const PROGRAMS: u64 = 10_000;
const EVENTS: u64 = 8;
/// Events are at most so many cycles apart.
const LONGEST: u64 = 200;
const REGISTERS: usize = 21;
const EXCEPTIONS: u32 = 48;

/// What is equal at an event on all paths.
#[derive(Debug, PartialEq, Eq)]
struct State {
    cycle: u64,
    instructions: u64,
    registers: [u32; REGISTERS],
    entries: Vec<u64>,
    fault: Option<Fault>,
    /// Hash of RAM.
    ram: u64,
    /// Accesses to the device since the event before.
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
    /// Goes towards `end`, some way or all of it.
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

/// The states of a program at its events.
fn states(seed: u64, path: Path) -> Vec<State> {
    let mut random = Random(seed);
    let mut machine = program::machine(&mut random);
    let mut event = machine.now();
    let mut cuts = Random(!seed);
    let mut state_at = |_| {
        event += 1 + random.below(LONGEST);
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
    (0..EVENTS).map(&mut state_at).collect()
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

#[test]
fn every_path_leads_to_the_same_states() {
    let mut entered = 0;
    for seed in 0..PROGRAMS {
        let straight = states(seed, Path::Straight);
        for path in [Path::Stepped, Path::Cut] {
            for (number, (one, other)) in straight.iter().zip(states(seed, path)).enumerate() {
                assert!(
                    *one == other,
                    "program {seed}, event {number}, straight and {path:?}:\n{one:#x?}\n{other:#x?}"
                );
            }
        }
        entered += straight.last().map_or(0, |state| state.entries.iter().sum());
    }
    assert!(entered > 10 * PROGRAMS, "only {entered} exceptions are entered");
}
