// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacks that are left.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{DATA_BASE, SP, Stop};
use lichen_isa::{StackOverflow, Stacks};
use std::sync::Arc;

/// Room for four bytes.
const END: u32 = DATA_BASE + STACK as u32 + 1;
const BEGIN: u32 = END - 4;
/// Its neighbour below.
const BELOW: u32 = BEGIN - 16;

fn machine(code: &[u16], switches: Vec<u32>) -> Machine {
    let mut machine = Machine::new(code);
    let stacks = Stacks::new(vec![BELOW..BEGIN, BEGIN..END], switches, BELOW..END);
    machine.core.guard_stacks(Arc::new(stacks));
    machine
}

/// What ends a run of some cycles.
fn overflow(machine: &mut Machine) -> Option<StackOverflow> {
    match machine.run_until(machine.now() + 40) {
        Stop::StackOverflow(overflow) => Some(overflow),
        Stop::Reached => None,
        other => panic!("{other:?}"),
    }
}

/// Sets the stack pointer as compilers do.
fn set_sp(to: u32) -> Vec<u16> {
    let [low, high, ..] = (to - DATA_BASE - 1).to_le_bytes();
    vec![ldi(28, low), ldi(29, high), out(SPH, 29), out(SPL, 28), push(0), HANG]
}

#[test]
fn a_push_below_the_stack_is_reported_behind_it() {
    let mut machine = machine(&[push(0), push(0), push(0), push(0), push(0), NOP, HANG], vec![]);
    let (pc, lowest) = (START + 8, BEGIN - 1);
    assert_eq!(overflow(&mut machine), Some(StackOverflow { pc, lowest, begin: BEGIN }));
    assert_eq!(machine.pc(), START + 10);
    assert_eq!(machine.core.register(SP), BEGIN - 2 - DATA_BASE, "it is executed");
    assert_eq!(overflow(&mut machine), None, "once");
}

#[test]
fn a_full_stack_is_not_left() {
    assert_eq!(overflow(&mut machine(&[push(0), push(0), push(0), push(0), HANG], vec![])), None);
    let deep = [push(0), push(0), push(0), push(0), pop(0), push(0), HANG];
    assert_eq!(overflow(&mut machine(&deep, vec![])), None);
}

#[test]
fn a_call_and_an_interrupt_need_two_bytes() {
    let [first, second] = call(START);
    let found = overflow(&mut machine(&[push(0), push(0), push(0), first, second], vec![]));
    assert_eq!(found.expect("an overflow").lowest, BEGIN - 1);
    let mut interrupted = machine(&[SEI, push(0), push(0), push(0), NOP, HANG], vec![]);
    interrupted.bus.changes = vec![(interrupted.now() + 7, 1 << 3)];
    let found = overflow(&mut interrupted).expect("an overflow");
    assert_eq!((found.pc, found.lowest), (START + 8, BEGIN - 1));
}

#[test]
fn what_sets_the_pointer_leaves_the_stack_unless_it_goes_to_another_one() {
    let switch = START + 6;
    let found = overflow(&mut machine(&set_sp(BEGIN - 2), vec![])).expect("an overflow");
    assert_eq!((found.pc, found.lowest), (switch, BEGIN - 2));
    assert_eq!(overflow(&mut machine(&set_sp(BEGIN - 2), vec![switch])), None);
    // The end of one stack is the beginning of the next.
    assert_eq!(overflow(&mut machine(&set_sp(BEGIN), vec![switch])), None);
    let found = overflow(&mut machine(&set_sp(BEGIN), vec![])).expect("the push is too much");
    assert_eq!((found.pc, found.begin), (START + 8, BEGIN));
}

#[test]
fn a_pointer_that_wraps_leaves_the_stack_and_one_to_other_memory_goes_there() {
    let found = overflow(&mut machine(&set_sp(DATA_BASE + 0xFF00), vec![])).expect("it wraps");
    assert_eq!((found.lowest, found.begin), (DATA_BASE + 0xFF00, BEGIN));
    assert_eq!(overflow(&mut machine(&set_sp(DATA_BASE + 0xFF00), vec![START + 6])), None);
}

#[test]
fn a_core_that_takes_the_state_of_another_is_in_the_same_stack() {
    let pushes = [push(0), push(0), push(0), push(0), NOP, push(0), HANG];
    let mut full = machine(&pushes, vec![]);
    full.run_to(START + 10);
    let mut other = machine(&pushes, vec![]);
    other.core.restore(&full.core);
    let found = overflow(&mut other).expect("an overflow, not the first byte of the stack below");
    assert_eq!(found.begin, BEGIN);
}

#[test]
fn a_core_that_takes_the_state_of_another_follows_it_to_its_stack() {
    let mut below = machine(&[push(0), HANG], vec![]);
    below.core.set_register(SP, BEGIN - 4 - DATA_BASE - 1);
    let mut other = machine(&[push(0), HANG], vec![]);
    other.core.restore(&below.core);
    assert_eq!(overflow(&mut other), None);
}

#[test]
fn guarding_changes_no_cycle() {
    let code = set_sp(BEGIN - 2);
    let (mut plain, mut guarded) = (Machine::new(&code), machine(&code, vec![]));
    assert!(overflow(&mut guarded).is_some());
    plain.run_to(START + 10);
    guarded.run_to(START + 10);
    assert_eq!(plain.now(), guarded.now());
    assert_eq!(plain.core.instructions(), guarded.core.instructions());
}

#[test]
fn a_reset_forgets_the_stack() {
    let mut machine = machine(&[push(0), push(0), HANG], vec![]);
    machine.core.reset(START);
    assert_eq!(overflow(&mut machine), None, "its pointer is not set");
    machine.core.set_register(SP, BEGIN - DATA_BASE);
    machine.core.reset(START);
    machine.core.set_register(SP, BEGIN - DATA_BASE);
    assert!(overflow(&mut machine).is_some());
}
