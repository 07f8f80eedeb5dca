// SPDX-License-Identifier: MIT OR Apache-2.0
//! HardFault, and faults that cannot even become one.

use crate::machine::*;
use lichen_isa::armv6m::{FaultKind, Options, Stop};

fn fault_of(machine: &mut Machine) -> (FaultKind, u32, Option<u32>) {
    machine.run_to(handler(HARD_FAULT));
    let fault = machine.core.first_fault().expect("a fault");
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), fault.pc);
    (fault.kind, fault.pc, fault.address)
}

#[test]
fn undefined_instruction() {
    let mut machine = Machine::new(&[NOP, UDF]);
    assert_eq!(fault_of(&mut machine), (FaultKind::Undefined, START + 2, None));
}

#[test]
fn entry_of_hard_fault_takes_15_cycles() {
    let mut machine = Machine::new(&[UDF]);
    let begin = machine.now();
    assert_eq!(machine.run_to(handler(HARD_FAULT)) - begin, 15);
}

#[test]
fn access_to_nothing_names_the_address() {
    let mut machine = Machine::new(&[LOAD]);
    machine.core.set_register(0, 0x9000_0000);
    assert_eq!(fault_of(&mut machine), (FaultKind::Bus, START, Some(0x9000_0000)));
}

#[test]
fn unaligned_access_reaches_no_device() {
    let mut machine = Machine::new(&[STORE]);
    machine.core.set_register(0, DEVICE + 2);
    assert_eq!(fault_of(&mut machine), (FaultKind::Unaligned, START, Some(DEVICE + 2)));
    assert_eq!(machine.bus.accesses, []);
}

#[test]
fn jump_out_of_memory() {
    for (target, kind) in [
        (0x0000_2000, FaultKind::Fetch),
        (0x2000_1000, FaultKind::Fetch),
        (0x4000_0000, FaultKind::ExecuteNever),
        (0xA000_0000, FaultKind::ExecuteNever),
        (0xE000_E000, FaultKind::ExecuteNever),
        (0xFFFF_FFF8, FaultKind::ExecuteNever),
    ] {
        let mut machine = Machine::new(&[BX_LR]);
        machine.core.set_register(LR, target | 1);
        assert_eq!(fault_of(&mut machine), (kind, target, Some(target)));
    }
}

#[test]
fn branch_to_an_even_address() {
    let mut machine = Machine::new(&[BX_LR]);
    machine.core.set_register(LR, 0x400);
    assert_eq!(fault_of(&mut machine), (FaultKind::NotThumb, 0x400, None));
    assert_eq!(machine.word(machine.core.register(SP) + 0x1C) & 1 << 24, 0);
}

#[test]
fn supervisor_call_where_its_priority_does_not_suffice() {
    let mut machine = Machine::new(&[NOP; 4]);
    machine.enable(0, 0);
    machine.place(handler(IRQ0), &[SVC]);
    machine.bus.lines = 1;
    machine.run_to(handler(HARD_FAULT));
    let fault = machine.core.first_fault().expect("a fault");
    assert_eq!((fault.kind, fault.pc), (FaultKind::SupervisorCall, handler(IRQ0)));
    let returns_to = machine.word(machine.core.register(SP) + 0x18);
    assert_eq!(returns_to, handler(IRQ0) + 2, "behind the call");
}

#[test]
fn return_from_hard_fault_is_reported_by_the_count_of_instructions() {
    let mut machine = Machine::new(&[NOP, UDF]);
    machine.place(handler(HARD_FAULT), &[BX_LR]);
    machine.run_to(handler(HARD_FAULT));
    assert_eq!((machine.core.hard_fault_return(), machine.core.instructions()), (None, 1));
    machine.run_to(START + 2);
    assert_eq!(machine.core.hard_fault_return(), Some(2));
    machine.run_to(handler(HARD_FAULT));
    assert_eq!(machine.core.instructions(), 2, "nothing in between: the same fault");
}

#[test]
fn fault_inside_hard_fault_locks_up() {
    let mut machine = Machine::new(&[UDF]);
    machine.place(handler(HARD_FAULT), &[NOP, LOAD]);
    machine.core.set_register(0, 0x9000_0000);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
    assert!(machine.core.locked_up());
    assert_eq!(machine.core.first_fault().map(|fault| fault.kind), Some(FaultKind::Undefined));
    let last = machine.core.last_fault().expect("a fault");
    assert_eq!((last.kind, last.pc), (FaultKind::Bus, handler(HARD_FAULT) + 2));
    machine.core.reset(&machine.memory);
    assert!(!machine.core.locked_up());
}

#[test]
fn fault_inside_nmi_locks_up() {
    let mut machine = Machine::new(&[NOP; 4]);
    machine.place(handler(NMI), &[UDF]);
    machine.bus.nmi = true;
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
}

#[test]
fn nmi_is_still_taken_in_a_lockup() {
    let mut machine = Machine::new(&[UDF]);
    machine.place(handler(HARD_FAULT), &[UDF]);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
    machine.bus.nmi = true;
    machine.run_to(handler(NMI));
    assert_eq!(machine.word(machine.core.register(SP) + 0x18), 0xFFFF_FFFE);
}

#[test]
fn no_memory_under_the_stack_pointer() {
    let mut machine = Machine::new(&[NOP; 4]);
    machine.enable(0, 0);
    machine.core.set_register(SP, 0x2000_0010);
    machine.bus.lines = 1;
    machine.run_to(handler(HARD_FAULT));
    assert_eq!(machine.core.first_fault().map(|fault| fault.kind), Some(FaultKind::Stacking));
    assert_eq!(machine.core.entries(IRQ0), 0);
}

#[test]
fn stack_that_is_gone_in_hard_fault_locks_up() {
    let mut machine = Machine::new(&[UDF]);
    machine.core.set_register(SP, 0x2000_0010);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
    assert_eq!(machine.core.first_fault().map(|fault| fault.kind), Some(FaultKind::Undefined));
    assert_eq!(machine.core.last_fault().map(|fault| fault.kind), Some(FaultKind::Stacking));
}

#[test]
fn exc_return_that_does_not_fit() {
    let mut machine = Machine::new(&[NOP; 4]);
    machine.enable(0, 0);
    machine.place(handler(IRQ0), &[BX_LR]);
    machine.bus.lines = 1;
    machine.step();
    machine.core.set_register(LR, 0xFFFF_FFF1);
    assert_eq!(fault_of(&mut machine).0, FaultKind::Return);
}

#[test]
fn return_from_a_stack_that_is_not_there() {
    let mut machine = Machine::new(&[NOP; 4]);
    machine.enable(0, 0);
    machine.bus.lines = 1;
    machine.step();
    machine.core.set_register(LR, 0xFFFF_FFFD);
    machine.core.set_register(PSP, 0x2000_2000);
    machine.bus.lines = 0;
    machine.run_to(handler(HARD_FAULT));
    assert_eq!(machine.core.first_fault().map(|fault| fault.kind), Some(FaultKind::Unstacking));
}

#[test]
fn table_that_is_not_in_memory_locks_up() {
    let mut machine = Machine::new(&[UDF]);
    machine.write(0xE000_ED08, 0x4000_0000);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
    assert_eq!(machine.core.last_fault().map(|fault| fault.kind), Some(FaultKind::Vector));
}

#[test]
fn erased_flash_locks_up() {
    let mut machine = Machine::new(&[]);
    machine.memory.write(0, &[0xFF; 0x200]).expect("in flash");
    machine.core.reset(&machine.memory);
    assert_eq!(machine.run_until(machine.now() + 1000), Stop::Lockup);
}

#[test]
fn unprivileged_code_cannot_reach_the_system() {
    let code = [CPSID, STORE];
    let mut machine = Machine::with(Options { unprivileged: true }, &code);
    machine.core.set_register(0, ISER);
    machine.core.set_register(CONTROL, 1);
    machine.step();
    assert_eq!(machine.core.register(PRIMASK), 0);
    assert_eq!(fault_of(&mut machine), (FaultKind::Privilege, START + 2, Some(ISER)));
}

#[test]
fn reset_request_needs_the_key() {
    let mut machine = Machine::new(&[STORE, STORE]);
    machine.core.set_register(0, AIRCR);
    machine.core.set_register(1, 4);
    machine.step();
    machine.core.set_register(1, 0x05FA_0004);
    assert_eq!(machine.run_until(machine.now() + 100), Stop::ResetRequest);
    assert_eq!(machine.pc(), START + 4);
}
