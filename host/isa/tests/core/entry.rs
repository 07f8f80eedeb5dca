// SPDX-License-Identifier: MIT OR Apache-2.0
//! Entry, exit, tail-chaining, late arrival, abandoned instructions.

use crate::machine::*;

const ENTRY: u64 = 15;
/// Fitted.
const EXIT: u64 = 13;
/// Fitted.
const TAIL_CHAIN: u64 = 6;

fn machine_with_interrupts(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.enable(0, 2);
    machine.enable(1, 1);
    machine
}

#[test]
fn entry_takes_15_cycles() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.bus.lines = 1;
    let requested = machine.now();
    assert_eq!(machine.run_to(handler(IRQ0)) - requested, ENTRY);
    assert_eq!(machine.core.active_exception(), IRQ0);
    assert_eq!(machine.core.entries(IRQ0), 1);
}

#[test]
fn entry_waits_for_the_instruction_under_way() {
    let mut machine = machine_with_interrupts(&[LOAD, HANG]);
    machine.core.set_register(0, STACK);
    machine.bus.changes = vec![(machine.now() + 1, 1)];
    let begin = machine.now();
    assert_eq!(machine.run_to(handler(IRQ0)) - begin, 2 + ENTRY);
}

#[test]
fn entry_pays_wait_states_for_vector_and_handler() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.wait_states(1);
    machine.step();
    machine.bus.lines = 1;
    let requested = machine.now();
    // The vector's line, then the handler's.
    assert_eq!(machine.run_to(handler(IRQ0)) - requested, ENTRY + 2);
}

#[test]
fn frame_has_eight_registers_in_order() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    for register in [0, 1, 2, 3, 12, LR] {
        machine.core.set_register(register, 0x1000 + register as u32);
    }
    machine.core.set_register(XPSR, 0xA000_0000);
    machine.bus.lines = 1;
    machine.step();
    let frame = STACK - 0x20;
    assert_eq!(machine.core.register(SP), frame);
    assert_eq!(machine.core.register(LR), 0xFFFF_FFF9);
    let words: Vec<u32> = (0..8).map(|i| machine.word(frame + 4 * i)).collect();
    let expected = [0x1000, 0x1001, 0x1002, 0x1003, 0x100C, 0x100E, START, 0xA100_0000];
    assert_eq!(words, expected);
}

#[test]
fn frame_is_aligned_to_8_and_says_so() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.core.set_register(SP, STACK - 4);
    machine.bus.lines = 1;
    machine.step();
    assert_eq!(machine.core.register(SP), STACK - 0x28);
    assert_eq!(machine.word(STACK - 0x28 + 0x1C) & 1 << 9, 1 << 9);
    machine.bus.lines = 0;
    machine.step();
    assert_eq!((machine.core.register(SP), machine.pc()), (STACK - 4, START));
}

#[test]
fn exit_restores_what_entry_saved() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.place(handler(IRQ0), &[0x2000, 0x4770]); // movs r0, #0; bx lr
    machine.core.set_register(0, 7);
    machine.core.set_register(XPSR, 0xB000_0000);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 3, 0)];
    machine.run_to(handler(IRQ0));
    assert_eq!(machine.cycles_of(2), 1 + EXIT);
    assert_eq!((machine.core.register(0), machine.pc()), (7, START));
    assert_eq!(machine.core.register(XPSR), 0xB100_0000);
    assert_eq!(machine.core.active_exception(), 0);
}

#[test]
fn pop_of_exc_return_exits_too() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.place(handler(IRQ0), &[0xB510, 0xBD10]); // push {r4, lr}; pop {r4, pc}
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 3, 0)];
    machine.run_to(handler(IRQ0));
    assert_eq!(machine.cycles_of(2), 3 + 3 + EXIT);
    assert_eq!((machine.pc(), machine.core.register(SP)), (START, STACK));
}

#[test]
fn threads_on_the_process_stack_return_to_it() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.core.set_register(PSP, STACK - 0x400);
    machine.core.set_register(CONTROL, 2);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 3, 0)];
    machine.run_to(handler(IRQ0));
    assert_eq!(machine.core.register(LR), 0xFFFF_FFFD);
    assert_eq!(machine.core.register(SP), STACK);
    assert_eq!(machine.core.register(CONTROL), 0);
    assert_eq!(machine.word(STACK - 0x420 + 0x18), START);
    machine.step();
    assert_eq!(machine.core.register(CONTROL), 2);
    assert_eq!(machine.core.register(SP), STACK - 0x400);
}

#[test]
fn tail_chain_skips_unstacking() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.bus.changes = vec![(machine.now(), 2), (machine.now() + ENTRY, 1)];
    machine.run_to(handler(IRQ0 + 1));
    let sp = machine.core.register(SP);
    // BX is the handler's first instruction; the other handler begins when it is over.
    assert_eq!(machine.cycles_of(1), TAIL_CHAIN);
    assert_eq!(machine.pc(), handler(IRQ0));
    assert_eq!(machine.core.register(SP), sp);
    assert_eq!(machine.core.register(LR), 0xFFFF_FFF9);
}

#[test]
fn more_urgent_exception_preempts_a_handler() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.place(handler(IRQ0), &[NOP, NOP, NOP, BX_LR]);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + ENTRY + 1, 2)];
    machine.run_to(handler(IRQ0));
    machine.run_to(handler(IRQ0 + 1));
    assert_eq!(machine.core.register(LR), 0xFFFF_FFF1);
    assert_eq!(machine.word(machine.core.register(SP) + 0x1C) & 0x3F, IRQ0);
    machine.bus.lines = 0;
    machine.step();
    assert_eq!((machine.pc(), machine.core.active_exception()), (handler(IRQ0) + 2, IRQ0));
}

#[test]
fn late_arrival_takes_over_the_entry() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    let begin = machine.now();
    machine.bus.changes = vec![(begin, 1), (begin + 8, 3)];
    assert_eq!(machine.run_to(handler(IRQ0 + 1)) - begin, ENTRY);
    assert_eq!(machine.core.entries(IRQ0), 0);
    machine.bus.lines = 0;
    assert_eq!(machine.cycles_of(1), TAIL_CHAIN);
    assert_eq!(machine.pc(), handler(IRQ0));
}

#[test]
fn arrival_too_late_preempts_the_handler_at_its_first_instruction() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    let begin = machine.now();
    machine.bus.changes = vec![(begin, 1), (begin + ENTRY - 1, 3)];
    assert_eq!(machine.run_to(handler(IRQ0 + 1)) - begin, 2 * ENTRY);
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), handler(IRQ0));
}

#[test]
fn push_is_abandoned_and_starts_again() {
    let mut machine = machine_with_interrupts(&[PUSH_ALL, HANG]);
    let begin = machine.now();
    machine.bus.changes = vec![(begin + 4, 1), (begin + 6, 0)];
    assert_eq!(machine.run_to(handler(IRQ0)) - begin, 4 + ENTRY);
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), START);
    let returned = machine.run_to(START);
    assert_eq!(machine.core.register(SP), STACK);
    assert_eq!(machine.run_to(START + 2) - returned, 9);
    assert_eq!(machine.core.register(SP), STACK - 32);
}

#[test]
fn push_goes_on_through_a_request_that_is_not_taken() {
    let mut machine = machine_with_interrupts(&[PUSH_ALL, HANG]);
    machine.core.set_register(PRIMASK, 1);
    let begin = machine.now();
    machine.bus.changes = vec![(begin + 4, 1)];
    assert_eq!(machine.run_to(START + 2) - begin, 9);
    assert_eq!(machine.core.register(SP), STACK - 32);
}

#[test]
fn store_multiple_to_a_device_is_never_repeated() {
    let mut machine = machine_with_interrupts(&[0xC006, HANG]); // stm r0!, {r1, r2}
    machine.core.set_register(0, DEVICE);
    let begin = machine.now();
    machine.bus.changes = vec![(begin + 1, 1)];
    machine.run_to(handler(IRQ0));
    let cycles: Vec<u64> = machine.bus.accesses.iter().map(|access| access.cycle).collect();
    assert_eq!(cycles, [begin, begin + 1]);
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), START + 2);
}

#[test]
fn supervisor_call_is_entered_and_returns_behind_itself() {
    let mut machine = Machine::new(&[SVC, NOP]);
    let begin = machine.now();
    assert_eq!(machine.run_to(handler(SV_CALL)) - begin, ENTRY);
    assert_eq!(machine.core.active_exception(), SV_CALL);
    machine.step();
    assert_eq!(machine.pc(), START + 2);
}

#[test]
fn vectors_come_from_the_table_that_vtor_names() {
    let mut machine = machine_with_interrupts(&[NOP; 8]);
    machine.place(0x1000 + IRQ0 * 4, &[0x0901, 0]);
    machine.write(0xE000_ED08, 0x1000);
    machine.bus.lines = 1;
    machine.step();
    assert_eq!(machine.pc(), 0x900);
}
