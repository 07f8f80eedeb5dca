// SPDX-License-Identifier: MIT OR Apache-2.0
//! When interrupts are taken, and what that does: ATmega128 data sheet, "Reset and Interrupt Handling".

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{SREG as SREG_NUMBER, Stop};

const I: u32 = 1 << 7;

fn enabled(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.core.set_register(SREG_NUMBER, I);
    machine
}

#[test]
fn the_entry_takes_4_cycles_and_the_vector_3() {
    let mut machine = enabled(&[NOP, NOP, HANG]);
    machine.bus.changes = vec![(1, 1 << 5)];
    machine.step();
    assert_eq!(machine.cycles_of(1), 4);
    assert_eq!((machine.pc(), machine.sp()), (5 * 4, STACK - 2));
    // The low byte is pushed first: the high byte has the lower address.
    let back = (START / 2 + 1) as u16;
    assert_eq!([machine.sram(STACK - 1), machine.sram(STACK)], back.to_be_bytes());
    assert_eq!(machine.core.register(SREG_NUMBER) & I, 0);
    assert_eq!(machine.bus.events, [Event::Acknowledged(5)]);
    assert_eq!(machine.cycles_of(1), 3, "jmp");
    assert_eq!(machine.cycles_of(1), 4, "reti");
    assert_eq!((machine.pc(), machine.sp()), (START + 2, STACK));
    assert_eq!(machine.core.register(SREG_NUMBER) & I, I);
}

#[test]
fn the_present_instruction_is_completed() {
    let mut machine = enabled(&[0x940E, 0x0080, HANG]); // call START
    machine.bus.changes = vec![(1, 1 << 5)];
    assert_eq!(machine.run_until(5), Stop::Reached);
    assert_eq!((machine.now(), machine.pc()), (8, 5 * 4));
}

#[test]
fn the_lowest_vector_comes_first() {
    let mut machine = enabled(&[NOP, NOP, NOP, HANG]);
    machine.bus.lines = 1 << 34 | 1 << 7 | 1 << 9;
    machine.run_until(200);
    let taken = [7, 9, 34].map(Event::Acknowledged);
    assert_eq!(machine.bus.events, taken);
    assert_eq!([7, 9, 34, 8].map(|vector| machine.core.entries(vector)), [1, 1, 1, 0]);
}

#[test]
fn one_instruction_is_executed_between_two_handlers() {
    let mut machine = enabled(&[NOP, NOP, NOP, HANG]);
    machine.bus.lines = 1 << 7;
    machine.bus.sticky = 1 << 7;
    // Entry, jmp and reti, an instruction, and again.
    let visited = machine.steps(8);
    let around = |next| [next, 7 * 4, handler(7), next];
    assert_eq!(visited, [around(START), around(START + 2)].concat());
}

#[test]
fn the_instruction_after_sei_is_executed_first() {
    let mut machine = Machine::new(&[SEI, NOP, NOP, HANG]);
    machine.bus.lines = 1 << 3;
    assert_eq!(machine.steps(4), [START, START + 2, START + 4, 3 * 4]);
    // SEI twice: the second one sets nothing, and is the instruction that is executed.
    let mut machine = Machine::new(&[SEI, SEI, NOP, HANG]);
    machine.bus.lines = 1 << 3;
    assert_eq!(machine.steps(4), [START, START + 2, START + 4, 3 * 4]);
    // CLI after SEI: no interrupt between them.
    let mut machine = Machine::new(&[SEI, CLI, NOP, HANG]);
    machine.bus.lines = 1 << 3;
    machine.run_until(100);
    assert_eq!(machine.core.entries(3), 0);
}

#[test]
fn the_same_holds_if_the_request_comes_with_that_instruction() {
    // ldi r16, 1; sei; out RAISE, r16; nop
    let mut machine = Machine::new(&[ldi(16, 1), SEI, out(io::RAISE, 16), NOP, HANG]);
    machine.bus.raises = 1 << 3;
    assert_eq!(machine.steps(5)[3..], [START + 6, 3 * 4], "taken where the next would begin");
    // With an instruction between the write and SEI's.
    let mut machine = Machine::new(&[ldi(16, 1), out(io::RAISE, 16), SEI, NOP, NOP, HANG]);
    machine.bus.raises = 1 << 3;
    assert_eq!(machine.steps(6)[3..], [START + 6, START + 8, 3 * 4]);
}

#[test]
fn a_write_to_sreg_that_sets_i_is_like_sei() {
    // What avr-gcc's prologues rely on: in r0, SREG; cli; out SPH; out SREG, r0; out SPL.
    let code = [ldi(16, 0x80), out(SREG, 16), out(SPL, 17), NOP, HANG];
    let mut machine = Machine::new(&code);
    machine.bus.lines = 1 << 3;
    assert_eq!(machine.steps(5), [START, START + 2, START + 4, START + 6, 3 * 4]);
    let mut machine = Machine::new(&[&[ldi(16, 0x80)][..], &sts(0x5F, 16), &[NOP, NOP]].concat());
    machine.bus.lines = 1 << 3;
    assert_eq!(machine.steps(5), [START, START + 2, START + 6, START + 8, 3 * 4]);
    // If I is set before, nothing is delayed.
    let mut machine = enabled(&[ldi(16, 0x80), out(SREG, 16), NOP, HANG]);
    machine.bus.changes = vec![(2, 1 << 3)];
    assert_eq!(machine.steps(4), [START, START + 2, START + 4, 3 * 4]);
}

#[test]
fn a_request_that_goes_away_is_forgotten() {
    let mut machine = Machine::new(&[NOP, NOP, NOP, SEI, NOP, HANG]);
    machine.bus.changes = vec![(1, 1 << 3), (2, 0)];
    machine.run_until(100);
    assert_eq!(machine.core.entries(3), 0);
    assert_eq!(machine.core.requests(1 << 4), 1 << 4);
}

#[test]
fn handlers_nest_if_they_permit_it() {
    let mut machine = enabled(&[HANG]);
    machine.place(handler(9), &[SEI, NOP, NOP, RETI]);
    machine.bus.changes = vec![(2, 1 << 9), (8, 1 << 3)];
    machine.run_until(8 + 3);
    assert_eq!(machine.core.active_exception(), 9);
    machine.run_to(handler(3));
    assert_eq!((machine.core.active_exception(), machine.sp()), (3, STACK - 4));
    machine.run_until(100);
    assert_eq!((machine.core.active_exception(), machine.pc()), (0, START));
}

#[test]
fn vectors_can_be_in_the_boot_section() {
    let mut machine = enabled(&[HANG]);
    machine.core.set_vector_base(0x1E00);
    machine.place(0x1E00 + 6 * 4, &[RETI]);
    machine.bus.lines = 1 << 6;
    assert_eq!(machine.steps(2), [START, 0x1E00 + 6 * 4]);
    machine.core.reset(0x1E00);
    assert_eq!(machine.pc(), 0x1E00);
    machine.core.set_register(SREG_NUMBER, I);
    machine.bus.lines = 1 << 6;
    machine.step();
    assert_eq!(machine.pc(), 6 * 4, "a reset clears IVSEL");
}

#[test]
fn an_interrupt_can_be_forced_once() {
    let mut machine = Machine::new(&[NOP, SEI, NOP, NOP, HANG]);
    machine.core.pend_interrupt(12);
    assert_eq!(machine.core.requests(0), 1 << 12);
    machine.run_until(100);
    assert_eq!(machine.core.entries(12), 1);
    assert_eq!(machine.core.requests(0), 0);
}

#[test]
fn a_reset_keeps_registers_time_and_counts() {
    let mut machine = enabled(&[ldi(20, 0x42), HANG]);
    machine.bus.lines = 1 << 2;
    machine.run_until(50);
    let (now, executed) = (machine.now(), machine.core.instructions());
    machine.core.reset(0);
    assert_eq!((machine.now(), machine.core.instructions()), (now, executed));
    assert_eq!((machine.r(20), machine.core.register(SREG_NUMBER)), (0x42, 0));
    assert_eq!((machine.pc(), machine.sp(), machine.core.entries(2)), (0, 0, 1));
}
