// SPDX-License-Identifier: MIT OR Apache-2.0
//! What has data addresses: registers, the core's own I/O registers, the bus; and program memory.

use crate::code::*;
use crate::machine::*;
use lichen_isa::avr8::{RAMPZ as RAMPZ_NUMBER, SP, SREG as SREG_NUMBER};

fn machine(parts: &[&[u16]]) -> Machine {
    Machine::new(&parts.concat())
}

fn access(cycle: u64, address: u16, written: Option<u8>) -> Access {
    Access { cycle, address, written }
}

#[test]
fn registers_have_data_addresses() {
    let mut machine = machine(&[&[ldi(16, 0xA5)], &sts(0x0003, 16), &lds(4, 0x0010)]);
    assert_eq!(machine.cycles_of(3), 1 + 2 + 2);
    assert_eq!((machine.r(3), machine.r(4)), (0xA5, 0xA5));
    assert_eq!(machine.bus.accesses, []);
}

#[test]
fn a_pointer_that_points_to_itself_is_read_before_it_changes() {
    // ldi r26, 26; ldi r27, 0; ld r5, X+
    let mut machine = machine(&[&[ldi(26, 26), ldi(27, 0), 0x905D]]);
    machine.steps(3);
    assert_eq!((machine.r(5), machine.r(26)), (27, 27), "X is incremented with its first cycle");
}

#[test]
fn sreg_the_stack_pointer_and_rampz_are_the_cores() {
    let code: &[&[u16]] =
        &[&[ldi(16, 0x5F), out(SREG, 16), input(1, SREG)], &lds(2, 0x5F), &[ldi(17, 0xFF)]];
    let mut machine = machine(&[code[0], code[1], code[2], &[out(RAMPZ, 17), input(3, RAMPZ)]]);
    machine.steps(7);
    assert_eq!([1, 2, 3].map(|register| machine.r(register)), [0x5F, 0x5F, 1]);
    assert_eq!(machine.core.register(RAMPZ_NUMBER), 1, "it has one bit");
    let mut machine =
        self::machine(&[&[ldi(16, 0x02), out(SPH, 16), ldi(16, 0x34)], &sts(0x5D, 16)]);
    machine.steps(2);
    assert_eq!(machine.sp(), 0x02FF, "one half after the other");
    machine.steps(2);
    assert_eq!(machine.sp(), 0x0234);
    assert_eq!(machine.bus.accesses, []);
}

#[test]
fn a_store_to_sreg_through_a_pointer_is_a_write_to_sreg() {
    // ldi r30, 0x5F; ldi r31, 0; ldi r16, 0x41; st Z, r16
    let mut machine = machine(&[&[ldi(30, 0x5F), ldi(31, 0), ldi(16, 0x41), 0x8300]]);
    machine.steps(4);
    assert_eq!(machine.core.register(SREG_NUMBER), 0x41);
}

#[test]
fn input_and_output_take_place_in_their_only_cycle() {
    let mut machine = machine(&[&[ldi(16, 7), out(io::PLAIN, 16), input(17, io::PLAIN)]]);
    assert_eq!(machine.cycles_of(3), 3);
    assert_eq!(machine.r(17), 7);
    let plain = data(io::PLAIN);
    assert_eq!(machine.bus.accesses, [access(1, plain, Some(7)), access(2, plain, None)]);
}

#[test]
fn loads_and_stores_take_place_in_their_second_cycle() {
    let plain = data(io::PLAIN);
    let mut machine = machine(&[&sts(plain, 16), &lds(17, plain), &[push(16), pop(18)]]);
    machine.core.set_register(SP, 0x40);
    assert_eq!(machine.cycles_of(4), 8);
    let expected = [(1, plain, Some(0)), (3, plain, None), (5, 0x40, Some(0)), (7, 0x40, None)];
    assert_eq!(machine.bus.accesses, expected.map(|(cycle, at, value)| access(cycle, at, value)));
}

#[test]
fn sbi_reads_the_register_and_writes_it_in_the_next_cycle() {
    let mut machine = machine(&[&[sbi(io::PLAIN, 3), sbis(io::PLAIN, 3), NOP, HANG]]);
    let plain = data(io::PLAIN);
    machine.bus.registers[usize::from(plain)] = 0x81;
    assert_eq!(machine.cycles_of(1), 2);
    assert_eq!(machine.bus.accesses, [access(0, plain, None), access(1, plain, Some(0x89))]);
    assert_eq!(machine.cycles_of(1), 2);
    assert_eq!(machine.pc(), START + 6);
}

#[test]
fn external_memory_stalls() {
    let mut machine = machine(&[&sts(0x2000, 16), &lds(17, 0x2000)]);
    machine.bus.stall = 3;
    assert_eq!(machine.cycles_of(2), 2 * (2 + 3));
    assert_eq!((machine.r(17), machine.core.stalled()), (0x5A, 6));
    assert_eq!(machine.bus.accesses, [access(1, 0x2000, Some(0)), access(6, 0x2000, None)]);
}

#[test]
fn a_stack_outside_of_sram_is_on_the_bus() {
    let mut machine = machine(&[&call(START + 8), &[NOP, NOP, RET]]);
    machine.core.set_register(SP, 0x2001);
    machine.bus.stall = 1;
    assert_eq!(machine.cycles_of(1), 4 + 2);
    let back = (START / 2 + 2) as u16;
    let [high, low] = back.to_be_bytes();
    let pushed = [access(1, 0x2001, Some(low)), access(3, 0x2000, Some(high))];
    assert_eq!(machine.bus.accesses, pushed);
    assert_eq!(machine.cycles_of(1), 4 + 2);
    assert_eq!((machine.sp(), machine.pc()), (0x2001, 0x5A5A * 2));
}

#[test]
fn addresses_wrap_around() {
    // ldi r30, 0xFF; ldi r31, 0xFF; ldd r5, Z+2; ld r6, Z+
    let mut machine = machine(&[&[ldi(30, 0xFF), ldi(31, 0xFF), 0x8052, 0x9061]]);
    machine.core.set_register(1, 0x77);
    machine.steps(4);
    assert_eq!((machine.r(5), machine.r(6)), (0x77, 0x5A));
    assert_eq!((machine.r(30), machine.r(31)), (0, 0));
    machine.core.set_register(SP, 0);
    machine.place(START + 8, &[push(1)]);
    machine.step();
    assert_eq!((machine.sp(), machine.r(0)), (0xFFFF, 0x77));
}

#[test]
fn elpm_carries_into_rampz() {
    let mut machine = machine(&[&[ELPM_INC_R0, LPM_R0]]);
    machine.core.set_register(30, 0xFF);
    machine.core.set_register(31, 0xFF);
    assert_eq!(machine.cycles_of(2), 6);
    assert_eq!([30, 31, RAMPZ_NUMBER].map(|number| machine.core.register(number)), [0, 0, 1]);
    assert_eq!(machine.r(0), machine.memory.flash_byte(0), "lpm has no use for rampz");
}

#[test]
fn spm_hands_its_operands_to_the_bus() {
    let mut machine = machine(&[&[SPM, NOP]]);
    for (number, value) in [(0, 0x34), (1, 0x12), (30, 0x80), (31, 0x40), (RAMPZ_NUMBER, 1)] {
        machine.core.set_register(number, value);
    }
    machine.bus.stall = 1000;
    assert_eq!(machine.cycles_of(1), 1001);
    assert_eq!(machine.bus.events, [Event::Programmed(0x1_4080, 0x1234)]);
}
