// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exceptions watched from outside.

use crate::machine::*;
use lichen_isa::armv6m::Stop;

/// A thread is interrupted, then by a more urgent interrupt, followed by a third one.
fn machine() -> Machine {
    let mut machine = Machine::new(&[NOP, NOP, HANG]);
    machine.enable(0, 2);
    machine.enable(1, 1);
    machine.enable(2, 3);
    for exception in IRQ0..IRQ0 + 3 {
        machine.place(handler(exception), &[NOP, NOP, NOP, BX_LR]);
    }
    let now = machine.now();
    machine.bus.changes = vec![(now + 5, 1), (now + 10, 0), (now + 22, 6), (now + 40, 0)];
    machine
}

/// Runs for `cycles` and returns what became active, and when.
fn watched(machine: &mut Machine, cycles: u64) -> Vec<(u64, u32)> {
    let end = machine.now() + cycles;
    let mut seen = Vec::new();
    loop {
        match machine.run_until(end) {
            Stop::Exception => seen.push((machine.now(), machine.core.active_exception())),
            _ => return seen,
        }
    }
}

#[test]
fn every_change_of_the_active_exception_stops() {
    let mut machine = machine();
    let start = machine.now();
    machine.core.watch_exceptions(true);
    let seen = watched(&mut machine, 200);
    let order: Vec<u32> = seen.iter().map(|(_, exception)| *exception).collect();
    assert_eq!(order, [IRQ0, IRQ0 + 1, IRQ0, IRQ0 + 2, 0], "nested, back, tail-chained, done");
    assert_eq!(seen[0].0 - start, 6 + 15, "at the handler's first instruction");
}

#[test]
fn watching_changes_no_cycle() {
    let (mut plain, mut observed) = (machine(), machine());
    observed.core.watch_exceptions(true);
    assert!(watched(&mut plain, 200).is_empty(), "nobody asked");
    assert_eq!(watched(&mut observed, 200).len(), 5);
    assert_eq!(plain.now(), observed.now());
    assert_eq!(plain.core.instructions(), observed.core.instructions());
}

#[test]
fn a_reset_goes_on_watching() {
    let mut machine = machine();
    machine.core.watch_exceptions(true);
    machine.core.reset(&machine.memory);
    machine.enable(0, 2);
    machine.bus.changes.clear();
    machine.bus.lines = 1;
    assert_eq!(watched(&mut machine, 17).len(), 1);
}
