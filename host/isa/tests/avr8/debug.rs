// SPDX-License-Identifier: MIT OR Apache-2.0
//! Breakpoints, changed code, shared programs.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{Core, DATA_BASE, Memory, PC, Stop};

#[test]
fn breakpoint_stops_before_the_instruction_and_is_stepped_over() {
    let mut machine = Machine::new(&[NOP, inc(4), HANG]);
    machine.memory.set_breakpoint(START + 2, true);
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    assert_eq!((machine.pc(), machine.now()), (START + 2, 1));
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    assert_eq!(machine.step(), Stop::Reached);
    assert_eq!((machine.pc(), machine.core.instructions(), machine.r(4)), (START + 4, 2, 1));
    machine.core.set_register(PC, START);
    assert_eq!(machine.run_until(100), Stop::Breakpoint);
    machine.memory.set_breakpoint(START + 2, false);
    assert_eq!(machine.run_until(100), Stop::Reached);
}

#[test]
fn breakpoints_on_other_instructions_are_stepped_over_too() {
    let mut machine = Machine::new(&[SEI, RETI]);
    machine.memory.set_breakpoint(START, true);
    machine.memory.set_breakpoint(START + 2, true);
    machine.steps(2);
    assert_eq!(machine.core.instructions(), 2);
}

#[test]
fn a_skip_knows_what_it_skips_when_that_changes() {
    // cpse r0, r0 before a NOP, which becomes LDS.
    let mut machine = Machine::new(&[0x1000, NOP, NOP, HANG]);
    machine.step();
    assert_eq!(machine.pc(), START + 4);
    machine.place(START + 2, &lds(4, 0x100));
    machine.core.set_register(PC, START);
    machine.step();
    assert_eq!(machine.pc(), START + 6);
}

#[test]
fn the_second_word_of_an_instruction_may_change() {
    let mut machine = Machine::new(&jmp(0x200));
    machine.step();
    assert_eq!(machine.pc(), 0x200);
    machine.place(START + 2, &[0x180]);
    machine.core.set_register(PC, START);
    machine.step();
    assert_eq!(machine.pc(), 0x300);
}

#[test]
fn the_word_after_the_last_one_is_the_first() {
    let mut machine = Machine::new(&[]);
    machine.place(0, &[0x9000, 0x0100]); // lds r0, 0x100
    machine.place(FLASH_BYTES - 2, &[0x1000]); // cpse r0, r0
    machine.core.set_register(PC, FLASH_BYTES - 2);
    assert_eq!(machine.cycles_of(1), 3);
    machine.place(0, &[NOP]);
    machine.core.set_register(PC, FLASH_BYTES - 2);
    assert_eq!(machine.cycles_of(1), 2);
}

fn memory(program: &[u16]) -> Memory {
    let mut memory = Memory::new(FLASH_BYTES, DATA_END);
    let bytes: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    memory.write(0, &bytes).expect("in flash");
    memory
}

#[test]
fn motes_share_a_program_until_one_writes_its_own() {
    let mut first = memory(&[inc(0), rjmp(-2)]);
    let program = first.program();
    let mut second = Memory::new(FLASH_BYTES, DATA_END);
    assert!(second.share(&program));
    assert!(!Memory::new(2 * FLASH_BYTES, DATA_END).share(&program), "another size");
    assert_eq!(first.flash().as_ptr(), second.flash().as_ptr());
    second.write(0, &inc(1).to_le_bytes()).expect("in flash");
    assert_ne!(first.flash().as_ptr(), second.flash().as_ptr());
    for (memory, register) in [(&mut first, 0), (&mut second, 1)] {
        let mut core = Core::new();
        core.step(memory, &mut Script::default());
        assert_eq!([core.register(register), core.register(1 - register)], [1, 0]);
    }
}

#[test]
fn a_memory_takes_over_the_contents_of_another_one() {
    let mut here = memory(&[inc(0), rjmp(-2)]);
    here.set_breakpoint(2, true);
    let mut core = Core::new();
    core.step(&mut here, &mut Script::default());
    let mut there = memory(&[inc(3), rjmp(-2)]);
    there.write(DATA_BASE + 0x100, &[7]).expect("in SRAM");
    here.restore(&there);
    assert_eq!(here.sram()[0], 7);
    core.set_register(PC, 0);
    core.step(&mut here, &mut Script::default());
    assert_eq!(core.register(3), 1);
    let stop = core.run(&mut here, &mut Script::default(), core.cycle() + 10);
    assert_eq!(stop, Stop::Breakpoint, "it keeps its own breakpoints");
}

#[test]
fn linear_addresses_reach_flash_and_sram_only() {
    let mut memory = memory(&[]);
    let mut bytes = [0; 2];
    assert!(memory.peek(FLASH_BYTES - 2, &mut bytes).is_ok());
    assert!(memory.peek(FLASH_BYTES - 1, &mut bytes).is_err());
    assert!(memory.write(DATA_BASE + u32::from(DATA_END) - 2, &[1, 2]).is_ok());
    memory.peek(DATA_BASE + u32::from(DATA_END) - 2, &mut bytes).expect("in SRAM");
    assert_eq!(bytes, [1, 2]);
    for address in [DATA_BASE, DATA_BASE + 0xFF, DATA_BASE + u32::from(DATA_END) - 1, 0x81_0000] {
        assert!(memory.peek(address, &mut bytes).is_err(), "0x{address:x}");
    }
    assert!(memory.write(u32::MAX, &[0; 4]).is_err());
    memory.forget_sram();
    assert!(memory.sram().iter().any(|byte| *byte != memory.sram()[0]));
}
