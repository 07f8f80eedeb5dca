// SPDX-License-Identifier: MIT OR Apache-2.0
//! Breakpoints, changed code, identification.

use crate::machine::*;
use lichen_isa::Width;
use lichen_isa::armv6m::{RAM_BASE, Stop};

#[test]
fn breakpoint_stops_before_the_instruction_and_is_stepped_over() {
    let mut machine = Machine::new(&[NOP, NOP, HANG]);
    machine.memory.set_breakpoint(START + 2, true);
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    assert_eq!((machine.pc(), machine.now()), (START + 2, 1));
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    assert_eq!(machine.step(), Stop::Reached);
    assert_eq!((machine.pc(), machine.core.instructions()), (START + 4, 2));
    machine.core.set_register(PC, START);
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    machine.memory.set_breakpoint(START + 2, false);
    assert_eq!(machine.run_until(100), Stop::Reached);
}

#[test]
fn what_is_pending_comes_before_a_breakpoint() {
    let mut machine = Machine::new(&[NOP, NOP, HANG]);
    machine.write(ISER, 1);
    machine.memory.set_breakpoint(START + 2, true);
    machine.step();
    machine.core.pend_interrupt(0);
    let mut stepped = machine.core.clone();
    // In a run, the handler returns first; stepped, the next step is its entry.
    let before = machine.core.instructions();
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    assert_eq!((machine.pc(), machine.core.instructions() - before), (START + 2, 1));
    std::mem::swap(&mut machine.core, &mut stepped);
    assert_eq!(machine.pc(), START + 2);
    machine.step();
    assert_eq!(machine.pc(), handler(IRQ0));
}

#[test]
fn stepping_takes_the_same_cycles_as_running() {
    let code = [PUSH_ALL, 0xBCFF, LOAD, 0xE7FB];
    let mut run = Machine::new(&code);
    let mut stepped = Machine::new(&code);
    run.wait_states(1);
    stepped.wait_states(1);
    for machine in [&mut run, &mut stepped] {
        machine.core.set_register(0, STACK);
    }
    run.run_until(500);
    // To the end of what the limit may have cut.
    run.step();
    while stepped.core.instructions() < run.core.instructions() {
        stepped.step();
    }
    assert_eq!(run.now(), stepped.now());
}

#[test]
fn multiple_under_a_breakpoint_is_stepped_whole() {
    let mut machine = Machine::new(&[PUSH_ALL, HANG]);
    machine.memory.set_breakpoint(START, true);
    assert_eq!(machine.step(), Stop::Reached);
    assert_eq!((machine.pc(), machine.now()), (START + 2, 9));
    machine.core.set_register(PC, START);
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
}

#[test]
fn stores_to_code_in_ram_take_effect() {
    let mut machine = Machine::new(&[]);
    // strh r1, [r0]; b .+2 (the changed one); movs r2, #1
    machine.place(RAM_BASE, &[0x2201, 0x8001, 0xE7FC]);
    machine.core.set_register(0, RAM_BASE);
    machine.core.set_register(1, 0x2207); // movs r2, #7
    machine.core.set_register(PC, RAM_BASE);
    machine.step();
    assert_eq!(machine.core.register(2), 1);
    (0..3).for_each(|_| {
        machine.step();
    });
    assert_eq!(machine.core.register(2), 7);
}

#[test]
fn masters_and_programmers_change_code_too() {
    let mut machine = Machine::new(&[0x2201, 0xE7FD]); // movs r2, #1; b START
    machine.step();
    machine.place(START, &[0x2203]);
    machine.step();
    machine.step();
    assert_eq!(machine.core.register(2), 3);
    machine.place(RAM_BASE, &[0x2201, 0xE7FD]);
    machine.core.set_register(PC, RAM_BASE);
    machine.step();
    machine.memory.store(RAM_BASE, Width::Half, 0x2205).expect("in RAM");
    machine.step();
    machine.step();
    assert_eq!(machine.core.register(2), 5);
}

#[test]
fn second_half_of_an_instruction_may_change() {
    let mut machine = Machine::new(&[]);
    machine.place(RAM_BASE, &[0xF000, 0xF800]); // bl .+4
    machine.core.set_register(PC, RAM_BASE);
    machine.step();
    assert_eq!(machine.pc(), RAM_BASE + 4);
    machine.memory.store(RAM_BASE + 2, Width::Half, 0xF806).expect("in RAM");
    machine.core.set_register(PC, RAM_BASE);
    machine.step();
    assert_eq!(machine.pc(), RAM_BASE + 0x10);
}

#[test]
fn units_identify_themselves() {
    let mut machine = Machine::new(&[NOP]);
    for (address, value) in [
        (0xE000_ED00, 0x410C_C601),
        (0xE000_ED14, 0x0000_0208),
        (0xE000_ED0C, 0xFA05_0000),
        (0xE00F_F000, 0xFFF0_F003),
        (0xE00F_FFF0, 0x0D),
        (0xE000_EFE0, 0x08),
        (0xE000_1000, 0x2000_0000),
        (0xE000_EDF0, 0),
    ] {
        assert_eq!(machine.read(address), value, "0x{address:08x}");
    }
}

#[test]
fn vector_table_offset_is_a_multiple_of_256() {
    let mut machine = Machine::new(&[NOP]);
    machine.write(0xE000_ED08, 0xFFFF_FFFF);
    assert_eq!(machine.read(0xE000_ED08), 0xFFFF_FF00);
}
