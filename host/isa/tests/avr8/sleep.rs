// SPDX-License-Identifier: MIT OR Apache-2.0
//! SLEEP, WDR, and what ends a sleep.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{SREG as SREG_NUMBER, Stop};

fn machine(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.bus.sleeps = true;
    machine
}

#[test]
fn sleep_lasts_until_the_owner_ends_it() {
    let mut machine = machine(&[SEI, SLEEP, NOP, HANG]);
    assert_eq!(machine.run_until(1000), Stop::Sleep);
    assert_eq!((machine.now(), machine.pc()), (2, START + 4));
    assert_eq!(machine.run_until(1000), Stop::Sleep);
    assert_eq!(machine.step(), Stop::Sleep);
    assert!(machine.core.is_asleep() && !machine.core.wake_pending());
    machine.core.advance(500);
    machine.core.set_lines(1 << 4);
    machine.bus.lines = 1 << 4;
    assert!(machine.core.wake_pending());
    assert_eq!(machine.run_until(1000), Stop::Sleep);
    machine.core.wake_up(6);
    // Four cycles more than the start-up time, then the entry; the vector has a JMP.
    assert_eq!(machine.run_to(handler(4)), 502 + 6 + 4 + 4 + 3);
    machine.step();
    assert_eq!(machine.pc(), START + 4);
}

#[test]
fn a_masked_interrupt_does_not_wake() {
    let mut machine = machine(&[SLEEP, NOP, HANG]);
    machine.bus.lines = 1 << 4;
    assert_eq!(machine.run_until(100), Stop::Sleep);
    assert!(!machine.core.wake_pending());
}

#[test]
fn what_is_requested_before_sleep_finds_the_core_asleep() {
    // SLEEP is the one instruction after SEI.
    let mut machine = machine(&[SEI, SLEEP, NOP, HANG]);
    machine.bus.lines = 1 << 4;
    assert_eq!(machine.run_until(100), Stop::Sleep);
    assert!(machine.core.wake_pending());
    machine.core.wake_up(0);
    machine.step();
    assert_eq!((machine.pc(), machine.now()), (4 * 4, 2 + 4 + 4));
}

#[test]
fn without_a_sleep_enable_bit_it_does_nothing() {
    let mut machine = Machine::new(&[SLEEP, NOP, HANG]);
    assert_eq!(machine.run_until(2), Stop::Reached);
    assert_eq!(machine.pc(), START + 4);
}

#[test]
fn a_reset_ends_sleep() {
    let mut machine = machine(&[SLEEP]);
    assert_eq!(machine.run_until(100), Stop::Sleep);
    machine.core.reset(START + 2);
    machine.place(START + 2, &[HANG]);
    assert_eq!(machine.run_until(100), Stop::Reached);
}

#[test]
fn waking_a_core_that_is_awake_takes_no_time() {
    let mut machine = machine(&[NOP]);
    machine.core.wake_up(100);
    assert_eq!(machine.now(), 0);
    machine.core.set_register(SREG_NUMBER, 0x80);
    assert!(!machine.core.masks_interrupts());
}

#[test]
fn the_watchdog_is_restarted_in_one_cycle() {
    let mut machine = machine(&[NOP, WDR, NOP]);
    assert_eq!(machine.cycles_of(3), 3);
    assert_eq!(machine.bus.events, [Event::WatchdogReset(1)]);
}
