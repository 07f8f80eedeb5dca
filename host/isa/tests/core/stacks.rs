// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stacks that are left.

use crate::machine::*;
use lichen_isa::armv6m::Stop;
use lichen_isa::{StackOverflow, Stacks};
use std::sync::Arc;

/// Room for 16 words.
const BEGIN: u32 = STACK - 64;
/// Its neighbour below.
const BELOW: u32 = BEGIN - 64;

/// sub sp, #64
const SUB_64: u16 = 0xB090;
/// sub sp, #68
const SUB_68: u16 = 0xB091;
/// add sp, r0
const ADD_SP_R0: u16 = 0x4485;
/// mov sp, r0
const MOV_SP_R0: u16 = 0x4685;
/// push {r0}
const PUSH_R0: u16 = 0xB401;
/// pop {r0}
const POP_R0: u16 = 0xBC01;

fn machine(code: &[u16], switches: Vec<u32>) -> Machine {
    let mut machine = Machine::new(code);
    let stacks = Stacks::new(vec![BELOW..BEGIN, BEGIN..STACK], switches, BELOW..STACK);
    machine.core.guard_stacks(Arc::new(stacks));
    machine
}

/// What ends a run of some cycles.
fn overflow(machine: &mut Machine) -> Option<StackOverflow> {
    match machine.run_until(machine.now() + 60) {
        Stop::StackOverflow(overflow) => Some(overflow),
        Stop::Reached => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_push_below_the_stack_is_reported_behind_it() {
    let mut machine = machine(&[PUSH_ALL, PUSH_ALL, PUSH_R0, NOP, HANG], vec![]);
    let (pc, lowest) = (START + 4, BEGIN - 4);
    assert_eq!(overflow(&mut machine), Some(StackOverflow { pc, lowest, begin: BEGIN }));
    assert_eq!(machine.pc(), START + 6);
    assert_eq!(machine.core.register(SP), lowest, "it is executed");
    assert_eq!(overflow(&mut machine), None, "once");
}

#[test]
fn a_full_stack_is_not_left() {
    assert_eq!(overflow(&mut machine(&[SUB_64, HANG], vec![])), None);
    assert_eq!(overflow(&mut machine(&[PUSH_ALL, PUSH_ALL, POP_R0, PUSH_R0, HANG], vec![])), None);
}

#[test]
fn a_core_that_takes_the_state_of_another_is_in_the_same_stack() {
    let pushes = [PUSH_ALL, PUSH_ALL, NOP, PUSH_R0, HANG];
    let mut full = machine(&pushes, vec![]);
    full.run_to(START + 6);
    let mut other = machine(&pushes, vec![]);
    other.core.restore(&full.core);
    let found = overflow(&mut other).expect("an overflow, not the first word of the stack below");
    assert_eq!(found.begin, BEGIN);
}

#[test]
fn room_for_local_variables_is_part_of_the_stack() {
    let found = overflow(&mut machine(&[SUB_68, HANG], vec![])).expect("an overflow");
    assert_eq!((found.pc, found.lowest), (START, BEGIN - 4));
    let mut large = machine(&[ADD_SP_R0, HANG], vec![]);
    large.core.set_register(0, 80u32.wrapping_neg());
    assert_eq!(overflow(&mut large).expect("an overflow").lowest, BEGIN - 16);
}

#[test]
fn what_sets_the_pointer_leaves_the_stack_unless_it_goes_to_another_one() {
    let run = |switches| {
        let mut machine = machine(&[MOV_SP_R0, PUSH_R0, HANG], switches);
        machine.core.set_register(0, BEGIN - 16);
        overflow(&mut machine)
    };
    assert_eq!(run(vec![]).expect("an overflow").pc, START);
    assert_eq!(run(vec![START]), None);
}

#[test]
fn a_pointer_that_leaves_its_stack_is_reported_before_the_next_instruction() {
    let mut machine = machine(&[MOV_SP_R0, NOP, NOP, HANG], vec![]);
    machine.core.set_register(0, BEGIN - 16);
    assert!(overflow(&mut machine).is_some());
    assert_eq!(machine.pc(), START + 2);
}

#[test]
fn a_debugger_may_set_the_pointer_to_another_stack() {
    let mut machine = machine(&[PUSH_R0, HANG], vec![]);
    machine.core.set_register(SP, BEGIN - 16);
    assert_eq!(overflow(&mut machine), None);
}

#[test]
fn a_core_that_takes_the_state_of_another_follows_it_to_its_stacks() {
    let pushes = [PUSH_R0, HANG];
    let mut below = machine(&pushes, vec![]);
    below.core.set_register(SP, BEGIN - 16);
    let mut other = machine(&pushes, vec![]);
    other.core.restore(&below.core);
    assert_eq!(overflow(&mut other), None);

    // msr control, r1; isb; push {r0}
    let switch = [0xF381, 0x8814, 0xF3BF, 0x8F6F, PUSH_R0, HANG];
    let machine_at = |process_sp| {
        let mut machine = machine(&switch, vec![]);
        machine.core.set_register(1, 2);
        machine.core.set_register(18, process_sp);
        machine
    };
    let mut other = machine_at(STACK);
    other.core.restore(&machine_at(BEGIN - 16).core);
    assert_eq!(overflow(&mut other), None);
}

#[test]
fn an_exception_needs_stack_too() {
    let mut machine = machine(&[PUSH_ALL, PUSH_R0, NOP, NOP, HANG], vec![]);
    machine.enable(0, 0);
    machine.bus.changes = vec![(machine.now() + 12, 1), (machine.now() + 13, 0)];
    let found = overflow(&mut machine).expect("an overflow");
    assert!(found.pc > START && found.lowest < BEGIN, "{found:?}");
    assert_eq!(machine.pc(), handler(IRQ0), "before its first instruction");
}

#[test]
fn both_pointers_have_their_stacks() {
    // msr psp, r0; msr control, r1; isb; push {r0-r7}; push {r0-r7}; push {r0}
    let code =
        [0xF380, 0x8809, 0xF381, 0x8814, 0xF3BF, 0x8F6F, PUSH_ALL, PUSH_ALL, PUSH_R0, NOP, HANG];
    let mut machine = machine(&code, vec![]);
    machine.core.set_register(0, BEGIN);
    machine.core.set_register(1, 2);
    let found = overflow(&mut machine).expect("an overflow");
    assert_eq!((found.begin, found.lowest), (BELOW, BELOW - 4));
}

#[test]
fn guarding_changes_no_cycle() {
    let code = [PUSH_ALL, PUSH_ALL, PUSH_R0, POP_R0, NOP, HANG];
    let (mut plain, mut guarded) = (Machine::new(&code), machine(&code, vec![]));
    assert!(overflow(&mut guarded).is_some());
    plain.run_to(START + 10);
    guarded.run_to(START + 10);
    assert_eq!(plain.now(), guarded.now());
    assert_eq!(plain.core.instructions(), guarded.core.instructions());
}

#[test]
fn a_reset_begins_in_the_first_stack() {
    let mut machine = machine(&[SUB_68, HANG], vec![]);
    assert!(overflow(&mut machine).is_some());
    machine.core.reset(&machine.memory);
    assert!(overflow(&mut machine).is_some());
}
