// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the manual leaves undefined is reported, and does what is most likely.

use crate::code::*;
use crate::machine::*;

#[test]
fn an_opcode_without_a_meaning_does_nothing_in_one_cycle() {
    let mut machine = Machine::new(&[0x9419, 0x9204, NOP]); // eijmp, xch
    assert_eq!(machine.cycles_of(2), 2);
    assert_eq!(machine.pc(), START + 4);
    let reported = [Event::Undefined(START, 0x9419), Event::Undefined(START + 2, 0x9204)];
    assert_eq!(machine.bus.events, reported);
    assert_eq!(machine.core.instructions(), 2);
}

#[test]
fn it_is_reported_each_time_and_also_under_a_breakpoint() {
    let mut machine = Machine::new(&[0x9419, rjmp(-2)]);
    machine.run_until(9);
    assert_eq!(machine.bus.events, [Event::Undefined(START, 0x9419); 3]);
    machine.memory.set_breakpoint(START, true);
    machine.step();
    assert_eq!(machine.bus.events.len(), 4);
    assert_eq!(machine.pc(), START + 2);
}

#[test]
fn erased_flash_skips_if_bit_7_of_r31_is_set() {
    let mut machine = Machine::new(&[]);
    assert_eq!(machine.cycles_of(1), 1);
    assert_eq!((machine.pc(), machine.bus.events[0]), (START + 2, Event::Undefined(START, 0xFFFF)));
    machine.core.set_register(31, 0x80);
    assert_eq!(machine.cycles_of(1), 2);
    assert_eq!(machine.pc(), START + 6);
}

#[test]
fn a_pointer_that_is_the_destination_is_loaded() {
    // ld r30, Z+; the byte is loaded after the increment.
    let mut machine = Machine::new(&[ldi(30, 0), ldi(31, 2), 0x91E1]);
    machine.memory.write(0x80_0200, &[0x66]).expect("in SRAM");
    assert_eq!(machine.cycles_of(3), 4);
    assert_eq!((machine.r(30), machine.r(31)), (0x66, 2));
    assert_eq!(machine.bus.events, [Event::Undefined(START + 4, 0x91E1)]);
    // st Z+, r30 stores it as it was.
    let mut machine = Machine::new(&[ldi(30, 7), ldi(31, 2), 0x93E1]);
    machine.steps(3);
    assert_eq!((machine.sram(0x207), machine.r(30)), (7, 8));
}

#[test]
fn the_program_counter_wraps_at_the_end_of_flash() {
    let mut machine = Machine::new(&[rjmp(-(START as i16) / 2 - 2)]);
    machine.place(0, &[HANG]);
    machine.place(FLASH_BYTES - 2, &[NOP]);
    machine.steps(2);
    assert_eq!(machine.bus.events, [Event::Undefined(0x1_FFFE, 0xFFFF)]);
    machine.step();
    assert_eq!(machine.pc(), 0);
}
