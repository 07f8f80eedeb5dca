// SPDX-License-Identifier: MIT OR Apache-2.0
//! SysTick counts the processor's clock, although nothing is incremented.

use crate::machine::*;
use lichen_isa::Cycle;
use lichen_isa::armv6m::Stop;

const ENABLE: u32 = 1;
const TICKINT: u32 = 2;
const COUNTFLAG: u32 = 1 << 16;

/// SysTick with a period of `reload` + 1; the cycle at which it was enabled.
fn machine(reload: u32, control: u32) -> (Machine, u64) {
    let mut machine = Machine::new(&[HANG]);
    machine.write(SYST_RVR, reload);
    machine.write(SYST_CVR, 123);
    let enabled = machine.now();
    machine.write(SYST_CSR, control);
    (machine, enabled)
}

#[test]
fn counts_down_and_reloads() {
    let (mut machine, enabled) = machine(9, ENABLE);
    // One cycle from the zero to the reload value, then down.
    for expected in [8, 6, 4, 2, 0, 8] {
        let value = machine.read(SYST_CVR);
        let elapsed = machine.now() - 2 - enabled;
        assert_eq!((elapsed, value), (elapsed, expected));
    }
}

#[test]
fn pends_every_reload_plus_one_cycles() {
    let (mut machine, enabled) = machine(99, ENABLE | TICKINT);
    assert_eq!(machine.core.next_internal_event(), Cycle(enabled + 100));
    // A branch to itself takes 2 cycles; entry begins at the first boundary.
    assert_eq!(machine.run_to(handler(SYS_TICK)) - enabled, 100 + 15);
    assert_eq!(machine.core.next_internal_event(), Cycle(enabled + 200));
    machine.step();
    assert_eq!(machine.run_to(handler(SYS_TICK)) - enabled, 200 + 15);
}

#[test]
fn count_flag_is_set_by_the_wrap_and_cleared_by_reading() {
    let (mut machine, enabled) = machine(49, ENABLE);
    assert_eq!(machine.read(SYST_CSR) & COUNTFLAG, 0);
    machine.run_until(enabled + 50);
    assert_eq!(machine.read(SYST_CSR), COUNTFLAG | 4 | ENABLE);
    assert_eq!(machine.read(SYST_CSR) & COUNTFLAG, 0);
}

#[test]
fn writing_the_counter_clears_it_and_the_flag() {
    let (mut machine, enabled) = machine(49, ENABLE | TICKINT);
    machine.core.set_register(PRIMASK, 1);
    machine.run_until(enabled + 60);
    let written = machine.now();
    machine.write(SYST_CVR, 0xFFFF_FFFF);
    assert_eq!(machine.read(SYST_CSR) & COUNTFLAG, 0);
    assert_eq!(machine.core.next_internal_event(), Cycle(written + 50));
}

#[test]
fn reload_zero_stops_it() {
    let (mut machine, _) = machine(0, ENABLE | TICKINT);
    assert_eq!(machine.core.next_internal_event(), Cycle::NEVER);
    assert_eq!(machine.read(SYST_CVR), 0);
}

#[test]
fn without_tickint_nothing_is_due() {
    let (machine, _) = machine(99, ENABLE);
    assert_eq!(machine.core.next_internal_event(), Cycle::NEVER);
}

#[test]
fn stopped_counter_keeps_its_value() {
    let (mut machine, _) = machine(1000, ENABLE);
    machine.run_until(machine.now() + 100);
    machine.write(SYST_CSR, 0);
    let value = machine.read(SYST_CVR);
    machine.run_until(machine.now() + 100);
    assert_eq!(machine.read(SYST_CVR), value);
}

#[test]
fn wakes_from_light_sleep_in_one_jump() {
    let (mut machine, enabled) = machine(99_999, ENABLE | TICKINT);
    machine.place(START, &[WFI, HANG]);
    assert_eq!(machine.run_until(enabled + 200_000), Stop::Sleep { deep: false });
    let due = machine.core.next_internal_event();
    machine.core.advance(due - machine.core.cycle());
    assert_eq!(machine.run_to(handler(SYS_TICK)) - enabled, 100_000 + 15);
}

#[test]
fn a_long_time_is_counted_exactly() {
    let (mut machine, enabled) = machine(0x00FF_FFFF, ENABLE);
    machine.run_until(machine.now() + 1);
    machine.core.advance(0x0300_0000_0007 - (machine.now() - enabled));
    // All but 7 of the cycles that have passed are a multiple of 2^24; the first was the reload.
    assert_eq!(machine.read(SYST_CVR), 0x00FF_FFFF - 6);
}
