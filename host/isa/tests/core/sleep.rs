// SPDX-License-Identifier: MIT OR Apache-2.0
//! WFI, WFE, events, sleep on exit.

use crate::machine::*;
use lichen_isa::armv6m::{Stop, Wake};

const ASLEEP: Stop = Stop::Sleep { deep: false };

fn machine(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.enable(0, 1);
    machine
}

#[test]
fn wfi_takes_2_cycles_and_sleeps_until_an_interrupt() {
    let mut machine = machine(&[WFI, NOP, NOP]);
    let begin = machine.now();
    assert_eq!(machine.run_until(begin + 1000), ASLEEP);
    assert_eq!(machine.now() - begin, 2);
    assert_eq!(machine.run_until(begin + 1000), ASLEEP);
    assert!(!machine.core.wake_pending());
    machine.core.advance(500);
    machine.bus.lines = 1;
    machine.core.set_lines(1);
    assert!(machine.core.wake_pending());
    assert_eq!(machine.run_to(handler(IRQ0)) - begin, 2 + 500 + 15);
    assert_eq!(machine.core.woken_by(), Some(Wake::Exception(IRQ0)));
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), START + 2);
}

#[test]
fn wfi_under_primask_wakes_without_taking_the_interrupt() {
    let mut machine = machine(&[WFI, NOP, NOP]);
    machine.core.set_register(PRIMASK, 1);
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    machine.bus.lines = 1;
    machine.run_until(machine.now() + 1);
    assert_eq!((machine.pc(), machine.core.active_exception()), (START + 4, 0));
}

#[test]
fn wfi_does_not_sleep_if_an_interrupt_is_pending() {
    let mut machine = machine(&[WFI, NOP, NOP]);
    machine.core.set_register(PRIMASK, 1);
    machine.bus.lines = 1;
    assert_eq!(machine.run_until(machine.now() + 3), Stop::Reached);
    assert_eq!(machine.pc(), START + 4);
}

#[test]
fn wfi_sleeps_through_disabled_and_less_urgent_interrupts() {
    let mut machine = machine(&[NOP, NOP]);
    machine.enable(1, 3);
    machine.place(handler(IRQ0), &[WFI, BX_LR]);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 15, 0b110)];
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    assert_eq!(machine.core.active_exception(), IRQ0);
}

#[test]
fn wfe_returns_at_once_after_an_event_and_then_sleeps() {
    let mut machine = machine(&[SEV, WFE, WFE, NOP]);
    let begin = machine.now();
    assert_eq!(machine.run_until(begin + 100), ASLEEP);
    assert_eq!((machine.now() - begin, machine.pc()), (1 + 2 + 2, START + 6));
    machine.core.send_event();
    assert!(machine.core.wake_pending());
    machine.run_until(machine.now() + 1);
    assert_eq!(machine.core.woken_by(), Some(Wake::Event));
    assert_eq!(machine.pc(), START + 8);
}

#[test]
fn an_exception_leaves_an_event_behind() {
    let mut machine = machine(&[NOP, WFE, WFE]);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 3, 0)];
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    assert_eq!(machine.pc(), START + 6);
}

#[test]
fn wfe_respects_primask_unless_sevonpend() {
    let mut machine = machine(&[WFE, WFE, NOP]);
    machine.core.set_register(PRIMASK, 1);
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    machine.bus.lines = 1;
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    assert_eq!(machine.pc(), START + 2);
    // A new pend, even of a disabled interrupt, is an event.
    let mut machine = self::machine(&[WFE, WFE, NOP]);
    machine.write(SCR, 1 << 4);
    machine.core.set_register(PRIMASK, 1);
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    machine.bus.lines = 1 << 20;
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    assert_eq!(machine.pc(), START + 4);
    assert_eq!(machine.core.woken_by(), Some(Wake::Event));
}

#[test]
fn sleep_tells_whether_it_is_deep() {
    let mut machine = machine(&[WFI]);
    machine.write(SCR, 1 << 2);
    assert_eq!(machine.run_until(machine.now() + 100), Stop::Sleep { deep: true });
}

#[test]
fn sleep_on_exit_goes_to_sleep_where_the_thread_would_go_on() {
    let mut machine = machine(&[NOP, NOP, NOP]);
    machine.write(SCR, 1 << 1);
    machine.bus.changes = vec![(machine.now(), 1), (machine.now() + 3, 0)];
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    assert_eq!((machine.pc(), machine.core.active_exception()), (START, 0));
    machine.bus.lines = 1;
    machine.step();
    assert_eq!(machine.core.active_exception(), IRQ0);
}

#[test]
fn reset_ends_sleep() {
    let mut machine = machine(&[WFI, NOP]);
    assert_eq!(machine.run_until(machine.now() + 100), ASLEEP);
    machine.core.reset(&machine.memory);
    assert_eq!(machine.run_until(machine.now() + 1), ASLEEP);
    assert_eq!(machine.read(ISER), 0);
}
