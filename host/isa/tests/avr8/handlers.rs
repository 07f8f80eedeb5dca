// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which handler is active, as it is reported to tools.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{SP, SREG as SREG_NUMBER, Stop};

/// A machine in the handler of vector 5, whose code is `code`.
fn in_handler(code: &[u16]) -> Machine {
    let mut machine = Machine::new(&[HANG]);
    machine.core.set_register(SREG_NUMBER, 0x80);
    machine.place(handler(5), code);
    machine.bus.changes = vec![(2, 1 << 5)];
    machine.run_to(handler(5));
    assert_eq!(machine.core.active_exception(), 5);
    machine
}

#[test]
fn reti_ends_the_innermost_handler() {
    let mut machine = in_handler(&[RETI]);
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
}

#[test]
fn so_does_a_return_without_reti() {
    let mut machine = in_handler(&[RET]);
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
    assert!(machine.core.masks_interrupts());
}

#[test]
fn functions_that_a_handler_calls_belong_to_it() {
    let mut machine = in_handler(&[0xD001, RETI, push(16), pop(16), RET]); // rcall .+2
    let active: Vec<u32> = (0..4)
        .map(|_| {
            machine.step();
            machine.core.active_exception()
        })
        .collect();
    assert_eq!(active, [5; 4]);
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
}

/// Writes the stack pointer.
fn stack_at(high: u8, low: u8) -> [u16; 4] {
    [ldi(16, low), ldi(17, high), out(SPH, 17), out(SPL, 16)]
}

/// A machine in the handler of vector 5, which has interrupted a stack in the middle of the memory.
fn in_handler_of_low_stack(code: &[u16]) -> Machine {
    let mut machine = Machine::new(&[HANG]);
    machine.core.set_register(SREG_NUMBER, 0x80);
    machine.core.set_register(SP, 0x08FF);
    machine.place(handler(5), code);
    machine.bus.changes = vec![(2, 1 << 5)];
    machine.run_to(handler(5));
    machine
}

#[test]
fn on_another_stack_above_it_goes_on_until_it_comes_back() {
    let above = [&stack_at(0x10, 0xFF)[..], &[push(0), pop(0)], &stack_at(0x10, 0xE0)].concat();
    let code = [&above[..], &stack_at(0x08, 0xFD), &[RETI]].concat();
    let mut machine = in_handler_of_low_stack(&code);
    // Below 0x10FF is room for variables.
    for steps in [4, 1, 1, 4, 4] {
        machine.steps(steps);
        assert_eq!(machine.core.active_exception(), 5);
    }
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
}

#[test]
fn what_goes_over_to_a_stack_above_that_has_left_it() {
    let code = [&stack_at(0x0F, 0x80)[..], &stack_at(0x10, 0xFF), &[push(0)]].concat();
    let mut machine = in_handler_of_low_stack(&code);
    machine.steps(4);
    assert_eq!(machine.core.active_exception(), 5);
    machine.steps(4);
    assert_eq!(machine.core.active_exception(), 0);
    // What is pushed then is not its return address.
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
}

#[test]
fn what_returns_on_another_stack_above_it_has_left_it() {
    let code = [&stack_at(0x10, 0xF0)[..], &[RET]].concat();
    let mut machine = in_handler_of_low_stack(&code);
    machine.steps(5);
    assert_eq!(machine.core.active_exception(), 0);
}

#[test]
fn halves_of_the_stack_pointer_are_not_taken_for_the_whole() {
    // A frame that is released: from 0x07FF to 0x0810, by way of 0x08FF, above the return address.
    let mut machine = Machine::new(&[HANG]);
    machine.core.set_register(SREG_NUMBER, 0x80);
    machine.core.set_register(SP, 0x08FF);
    let code = [
        [ldi(16, 0xFF), ldi(17, 0x07), out(SPH, 17), out(SPL, 16)],
        [ldi(16, 0x10), ldi(17, 0x08), out(SPH, 17), out(SPL, 16)],
    ];
    machine.place(handler(5), &code.concat());
    machine.bus.lines = 1 << 5;
    machine.run_to(handler(5));
    let stack_pointers = [0; 8].map(|_| {
        machine.step();
        machine.sp()
    });
    assert_eq!(stack_pointers[6..], [0x08FF, 0x0810]);
    assert_eq!(machine.core.active_exception(), 5);
}

#[test]
fn on_another_stack_below_it_counts_until_reti() {
    let code = [ldi(17, 0x05), out(SPH, 17), out(SPL, 17), RET, RETI];
    let mut machine = in_handler(&code);
    machine.memory.write(0x80_0506, &((handler(5) / 2 + 4) as u16).to_be_bytes()).expect("in SRAM");
    machine.steps(4);
    assert_eq!((machine.pc(), machine.core.active_exception()), (handler(5) + 8, 5));
    machine.step();
    assert_eq!(machine.core.active_exception(), 0);
}

/// An interrupt nested in another one.
fn nested() -> Machine {
    let mut machine = Machine::new(&[NOP, HANG]);
    machine.core.set_register(SREG_NUMBER, 0x80);
    machine.place(handler(9), &[SEI, NOP, NOP, NOP, RETI]);
    machine.bus.changes = vec![(2, 1 << 9), (14, 1 << 3)];
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
fn every_change_of_the_active_handler_stops() {
    let mut machine = nested();
    machine.core.watch_exceptions(true);
    let seen = watched(&mut machine, 100);
    let order: Vec<u32> = seen.iter().map(|(_, vector)| *vector).collect();
    assert_eq!(order, [9, 3, 9, 0]);
    assert_eq!(seen[0].0, 3 + 4, "at the first instruction");
}

#[test]
fn watching_changes_no_cycle() {
    let (mut plain, mut observed) = (nested(), nested());
    observed.core.watch_exceptions(true);
    assert!(watched(&mut plain, 100).is_empty(), "nobody asked");
    assert_eq!(watched(&mut observed, 100).len(), 4);
    assert_eq!(plain.now(), observed.now());
    assert_eq!(plain.core.instructions(), observed.core.instructions());
}
