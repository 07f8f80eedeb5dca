// SPDX-License-Identifier: MIT OR Apache-2.0
//! Busy flash, stalls, the I/O port, how a run is cut.

use crate::machine::*;
use lichen_isa::armv6m::RAM_BASE;
use lichen_isa::{Cycle, Width};

#[test]
fn busy_flash_holds_fetches_until_it_is_done() {
    let mut machine = Machine::new(&[NOP; 8]);
    machine.memory.set_flash_busy_until(Cycle(500));
    machine.step();
    assert_eq!(machine.now(), 501);
    machine.memory.set_flash_busy_until(Cycle(900));
    machine.place(RAM_BASE, &[NOP, LOAD]);
    machine.core.set_register(PC, RAM_BASE);
    machine.core.set_register(0, 0);
    machine.step();
    assert_eq!(machine.now(), 502);
    machine.step();
    assert_eq!(machine.now(), 902);
}

#[test]
fn devices_stall_what_accesses_them() {
    let mut machine = Machine::new(&[LOAD, STORE]);
    machine.core.set_register(0, DEVICE);
    machine.bus.stall = 5;
    assert_eq!(machine.cycles_of(1), 7);
    machine.core.set_register(1, 99);
    assert_eq!(machine.cycles_of(1), 7);
    assert_eq!(
        machine.bus.accesses[0],
        Access { cycle: 0, address: DEVICE, width: Width::Word, written: None }
    );
    assert_eq!(
        machine.bus.accesses[1],
        Access { cycle: 7, address: DEVICE, width: Width::Word, written: Some(99) }
    );
}

#[test]
fn io_port_takes_one_cycle() {
    let mut machine = Machine::new(&[LOAD, STORE]);
    machine.core.set_register(0, IO_PORT);
    assert_eq!(machine.cycles_of(2), 2);
}

#[test]
fn run_stops_at_the_first_boundary_at_or_behind_the_limit() {
    let mut machine = Machine::new(&[HANG]);
    machine.run_until(101);
    assert_eq!(machine.now(), 102);
    assert_eq!(machine.core.instructions(), 51);
    machine.run_until(102);
    assert_eq!(machine.now(), 102);
}

#[test]
fn how_a_run_is_cut_does_not_matter() {
    let code = [PUSH_ALL, 0xBCFF, NOP, 0xE7FB]; // push; pop; nop; b START
    let mut whole = Machine::new(&code);
    whole.enable(0, 1);
    let mut cut = Machine::new(&code);
    cut.enable(0, 1);
    for machine in [&mut whole, &mut cut] {
        machine.wait_states(1);
        machine.bus.changes = (1..20).map(|i| (i * 97 / 2, (i % 2) as u32)).collect();
    }
    whole.run_until(2000);
    for cycle in 0..=2000 {
        cut.run_until(cycle);
    }
    let state =
        |machine: &Machine| -> Vec<u32> { (0..21).map(|i| machine.core.register(i)).collect() };
    assert_eq!(state(&whole), state(&cut));
    assert_eq!((whole.now(), whole.core.instructions()), (cut.now(), cut.core.instructions()));
    assert!(whole.core.entries(IRQ0) > 5);
}
