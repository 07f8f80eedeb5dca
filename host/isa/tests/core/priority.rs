// SPDX-License-Identifier: MIT OR Apache-2.0
//! The order of exceptions.

use crate::machine::*;

#[test]
fn equal_priority_does_not_preempt() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.enable(0, 1);
    machine.enable(1, 1);
    machine.place(handler(IRQ0 + 1), &[NOP, NOP, BX_LR]);
    machine.bus.changes = vec![(machine.now(), 2), (machine.now() + 15, 1)];
    machine.run_to(handler(IRQ0 + 1));
    machine.step();
    machine.step();
    assert_eq!(machine.pc(), handler(IRQ0 + 1) + 4);
}

#[test]
fn of_equal_priority_the_lowest_number_is_first() {
    let mut machine = Machine::new(&[NOP; 8]);
    for line in [3, 7, 9] {
        machine.enable(line, 2);
    }
    machine.bus.lines = 1 << 9 | 1 << 7;
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0 + 7);
}

#[test]
fn the_most_urgent_is_first_whatever_its_number() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.enable(3, 3);
    machine.enable(31, 0);
    machine.bus.lines = 1 << 31 | 1 << 3;
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0 + 31);
}

#[test]
fn primask_holds_all_but_nmi_and_hard_fault() {
    let mut machine = Machine::new(&[NOP, NOP, UDF]);
    machine.enable(0, 0);
    machine.core.set_register(PRIMASK, 1);
    machine.bus.lines = 1;
    machine.step();
    assert_eq!(machine.pc(), START + 2);
    machine.bus.nmi = true;
    machine.step();
    assert_eq!(machine.core.active_exception(), NMI);
    machine.bus.nmi = false;
    machine.run_to(handler(HARD_FAULT));
    assert_eq!(machine.core.active_exception(), HARD_FAULT);
}

#[test]
fn cpsie_lets_a_pending_interrupt_in_at_once() {
    let mut machine = Machine::new(&[CPSID, NOP, CPSIE, NOP]);
    machine.enable(0, 0);
    machine.step();
    machine.bus.lines = 1;
    assert_eq!(machine.cycles_of(2), 2);
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0);
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), START + 6);
}

#[test]
fn pend_sv_waits_for_interrupts_and_then_tail_chains() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.enable(0, 1);
    machine.write(SHPR3, 0x00C0_0000);
    machine.bus.lines = 1;
    machine.step();
    machine.write(ICSR, 1 << 28);
    machine.bus.lines = 0;
    assert_eq!(machine.pc(), handler(IRQ0));
    machine.step();
    assert_eq!(machine.core.active_exception(), PEND_SV);
    machine.step();
    assert_eq!((machine.pc(), machine.core.active_exception()), (START, 0));
}

#[test]
fn pend_sv_can_be_taken_back() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.core.set_register(PRIMASK, 1);
    machine.write(ICSR, 1 << 28);
    assert_eq!(machine.read(ICSR), 1 << 28 | PEND_SV << 12);
    machine.write(ICSR, 1 << 27);
    assert_eq!(machine.read(ICSR), 0);
}

#[test]
fn priorities_have_two_bits() {
    let mut machine = Machine::new(&[NOP]);
    machine.write(IPR0, 0xFFFF_FFFF);
    machine.write(SHPR2, 0xFFFF_FFFF);
    machine.write(SHPR3, 0xFFFF_FFFF);
    assert_eq!(machine.read(IPR0), 0xC0C0_C0C0);
    assert_eq!(machine.read(SHPR2), 0xC000_0000);
    assert_eq!(machine.read(SHPR3), 0xC0C0_0000);
}

#[test]
fn icsr_tells_what_is_active_and_next() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.enable(2, 1);
    machine.enable(5, 1);
    machine.bus.lines = 1 << 2;
    machine.step();
    machine.bus.lines = 1 << 5;
    machine.step();
    let mut inside = Machine::new(&[NOP; 8]);
    inside.enable(2, 1);
    inside.enable(5, 1);
    inside.bus.lines = 1 << 2;
    inside.step();
    inside.bus.lines = 1 << 5;
    let icsr = inside.read(ICSR);
    assert_eq!(icsr & 0x3F, IRQ0 + 2);
    assert_eq!(icsr >> 12 & 0x3F, IRQ0 + 5);
    assert_eq!(icsr >> 22 & 1, 1);
}
