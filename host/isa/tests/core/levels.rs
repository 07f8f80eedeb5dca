// SPDX-License-Identifier: MIT OR Apache-2.0
//! Request lines are levels; pends are remembered.

use crate::machine::*;

fn machine() -> Machine {
    let mut machine = Machine::new(&[NOP; 16]);
    machine.enable(4, 1);
    machine
}

const LINE: u32 = 1 << 4;

#[test]
fn a_pulse_is_remembered() {
    let mut machine = machine();
    machine.core.set_lines(LINE);
    machine.core.set_lines(0);
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0 + 4);
}

#[test]
fn a_line_that_stays_high_pends_again_when_the_handler_ends() {
    let mut machine = machine();
    machine.bus.lines = LINE;
    machine.step();
    assert_eq!(machine.read(ISPR), 0);
    machine.step();
    assert_eq!((machine.core.entries(IRQ0 + 4), machine.pc()), (2, handler(IRQ0 + 4)));
    machine.bus.lines = 0;
    machine.step();
    assert_eq!((machine.core.active_exception(), machine.core.entries(IRQ0 + 4)), (0, 2));
}

#[test]
fn an_edge_inside_the_handler_pends_again() {
    let mut machine = machine();
    machine.bus.lines = LINE;
    machine.step();
    machine.core.set_lines(0);
    machine.core.set_lines(LINE);
    assert_eq!(machine.read(ISPR), LINE);
    machine.bus.lines = 0;
    machine.step();
    assert_eq!(machine.core.entries(IRQ0 + 4), 2);
}

#[test]
fn a_pend_cannot_be_cleared_while_the_line_is_high() {
    let mut machine = machine();
    machine.core.set_register(PRIMASK, 1);
    machine.bus.lines = LINE;
    machine.write(ICPR, LINE);
    assert_eq!(machine.read(ISPR), LINE);
    machine.bus.lines = 0;
    machine.write(ICPR, LINE);
    assert_eq!(machine.read(ICPR), 0);
}

#[test]
fn software_pends_and_takes_back() {
    let mut machine = machine();
    machine.core.set_register(PRIMASK, 1);
    machine.write(ISPR, LINE | 1);
    assert_eq!(machine.read(ISPR), LINE | 1);
    machine.write(ICPR, 1);
    assert_eq!(machine.read(ISPR), LINE);
}

#[test]
fn a_disabled_interrupt_pends_but_is_not_taken() {
    let mut machine = machine();
    machine.write(ICER, LINE);
    machine.bus.lines = LINE;
    machine.step();
    assert_eq!((machine.core.active_exception(), machine.read(ISPR)), (0, LINE));
    machine.write(ISER, LINE);
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0 + 4);
    assert_eq!(machine.read(ISER), LINE);
}

#[test]
fn a_line_that_an_access_raises_interrupts_right_behind_it() {
    let mut machine = machine();
    machine.place(START, &[STORE, NOP, NOP]);
    machine.core.set_register(0, DEVICE);
    machine.bus.raises = LINE;
    machine.run_to(handler(IRQ0 + 4));
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), START + 2);
}
