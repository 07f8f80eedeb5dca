// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memories, from outside and by self-programming.

use super::program::{CRYSTAL, Program, Rig, SPH, SPL};
use crate::atmega128::Atmega128;
use crate::atmega128::map::*;
use crate::{Chip, Config, Fuses, Time, WarningKind};

const EEPROM: u32 = 0x81_0000;
const FUSES: u32 = 0x82_0000;
const LOCK: u32 = 0x83_0000;
const SIGNATURE: u32 = 0x84_0000;

fn peek(chip: &dyn Chip, address: u32, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    chip.peek(address, &mut bytes).expect("memory");
    bytes
}

#[test]
fn a_programmer_writes_flash_eeprom_fuses_and_lock_bits() {
    let mut chip = Atmega128::by_part("ATmega128", &Config::default()).expect("known part");
    let parts: [(u32, &[u8]); 5] = [
        (0x1_FFFE, &[1, 2]),
        (0x80_0100, &[3]),
        (EEPROM + 0xFFE, &[4, 5]),
        (FUSES, &[0xFF, 0xD9, 0xFF]),
        (LOCK, &[0xCF]),
    ];
    for (address, bytes) in parts {
        chip.program(address, bytes).expect("memory");
        assert_eq!(peek(&chip, address, bytes.len()), bytes);
    }
    chip.program(SIGNATURE, &[0x02, 0x97, 0x1E]).expect("the chip's own signature");
    for (address, bytes) in
        [(0x1_FFFF, 2), (EEPROM + 0xFFF, 2), (FUSES + 2, 2), (SIGNATURE, 3), (0x80_1100, 1)]
    {
        assert!(chip.program(address, &vec![0; bytes]).is_err(), "{address:#x}");
    }
}

#[test]
fn what_was_programmed_is_shared_and_then_each_chips_own() {
    let mut one = Atmega128::by_part("ATmega128", &Config::default()).expect("known part");
    one.program(0, &[1, 2, 3]).expect("flash");
    one.program(EEPROM, &[4]).expect("EEPROM");
    one.program(FUSES, &[0xFF]).expect("fuses");
    let mut other = Atmega128::by_part("ATmega128", &Config::default()).expect("known part");
    other.share_flash(&one.flash()).expect("the same part");
    for (address, value) in [(0, 1), (EEPROM, 4), (FUSES, 0xFF)] {
        assert_eq!(peek(&other, address, 1), [value]);
    }
    other.program(0, &[9]).expect("flash");
    assert_eq!(peek(&one, 0, 1), [1]);
}

#[test]
fn r0_to_r31_have_data_addresses() {
    let mut chip = Atmega128::by_part("ATmega128", &Config::default()).expect("known part");
    crate::Core::set_register(&mut chip, 5, 0x77);
    assert_eq!(peek(&chip, 0x80_0005, 1), [0x77]);
}

#[test]
fn a_program_writes_and_reads_eeprom() {
    let mut program = Program::new();
    program.set(EEARH, 0).set(EEARL, 7).set(EEDR, 0x5A);
    program.load(16, 4).load(17, 6).out(EECR, 16).out(EECR, 17).mark();
    program.wait(EECR, 2, false).mark();
    program.set(EEDR, 0).load(16, 1).out(EECR, 16).read(EEDR, 0).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!((rig.result(0), peek(rig.chip.as_ref(), EEPROM + 7, 1)), (0x5A, vec![0x5A]));
    let marks = rig.marks();
    let ms = (marks[1] - marks[0]).as_us() / 1_000.0;
    assert!((8.4..8.5).contains(&ms), "{ms}");
}

#[test]
fn eeprom_keeps_its_contents_without_power_and_sram_does_not() {
    let mut rig = Rig::new(Program::new().set(0x00, 0).stay());
    rig.chip.program(EEPROM, &[1, 2]).expect("EEPROM");
    rig.chip.program(0x80_0200, &[1, 2]).expect("SRAM");
    rig.chip.power_off();
    rig.chip.power_on();
    assert_eq!(peek(rig.chip.as_ref(), EEPROM, 2), [1, 2]);
    assert_ne!(peek(rig.chip.as_ref(), 0x80_0200, 2), [1, 2]);
}

const PAGE_AT: u32 = 0x4000;

/// A loader in the boot section that writes a page.
fn loader() -> Program {
    let mut program = Program::at(0xF100);
    program.point(PAGE_AT).spm(0x01, 0xBEEF).mark();
    program.spm(0x03, 0).wait(SPMCSR, 0x01, false).mark();
    program.spm(0x05, 0).wait(SPMCSR, 0x01, false).mark();
    program.elpm(0).spm(0x11, 0).elpm(1).stay();
    program
}

#[test]
fn a_loader_writes_a_page_while_it_executes() {
    let fuses = Fuses { high: CRYSTAL.high & !0x06, ..CRYSTAL };
    let mut rig = Rig::with_fuses(&loader(), fuses);
    rig.chip.program(PAGE_AT, &[0; 256]).expect("flash");
    rig.run(Time::from_ms(30));
    assert_eq!(peek(rig.chip.as_ref(), PAGE_AT, 4), [0xEF, 0xBE, 0xFF, 0xFF]);
    assert_eq!([rig.result(0), rig.result(1)], [0xFF, 0xEF], "enabled again only by RWWSRE");
    let marks = rig.marks();
    for pair in marks.windows(2) {
        let ms = (pair[1] - pair[0]).as_us() / 1_000.0;
        assert!((3.7..4.6).contains(&ms), "{ms}");
    }
    let kinds: Vec<WarningKind> = rig.warnings().iter().map(|warning| warning.kind).collect();
    assert_eq!(kinds, [WarningKind::FlashBusy]);
}

/// Where a few NOPs are, and a jump to itself.
const ELSEWHERE: u32 = 0x200;

/// A loader that erases a page and goes below the boot section meanwhile, or an interrupt does, which has its vector
/// there.
fn leaves_the_loader(by_interrupt: bool) -> Vec<(u32, WarningKind)> {
    let mut program = Program::at(0xF100);
    program.point(PAGE_AT).spm(0x03, 0);
    if by_interrupt {
        program.set(SPMCSR, 0x80).interrupts(true);
    }
    program.stay();
    let mut rig = Rig::with_fuses(&program, Fuses { high: CRYSTAL.high & !0x06, ..CRYSTAL });
    rig.chip.program(ELSEWHERE, &[0, 0, 0, 0, 0, 0, 0xFF, 0xCF]).expect("flash");
    rig.run(Time::from_ms(6));
    if !by_interrupt {
        rig.chip.core_mut().set_register(lichen_isa::avr8::PC, ELSEWHERE);
    }
    rig.run(Time::from_ms(30));
    rig.warnings().iter().map(|warning| (warning.pc, warning.kind)).collect()
}

#[test]
fn what_is_fetched_while_flash_is_written_is_reported_once_a_stretch() {
    assert_eq!(leaves_the_loader(false), [(ELSEWHERE, WarningKind::FlashBusy)]);
    // SPM_READY comes when the page is erased, and RWWSB is still set.
    assert_eq!(leaves_the_loader(true)[0], (34 * 4, WarningKind::FlashBusy));
}

#[test]
fn while_eeprom_is_written_spm_does_nothing_and_fuses_are_not_read() {
    let mut program = Program::at(0xF100);
    program.load(16, 4).load(17, 6).out(EECR, 16).out(EECR, 17);
    program.point(PAGE_AT).spm(0x03, 0);
    program.point(3).set(SPMCSR, 0x09).elpm(0);
    program.wait(EECR, 2, false).set(SPMCSR, 0x09).elpm(1).stay();
    let fuses = Fuses { high: CRYSTAL.high & !0x06, ..CRYSTAL };
    let mut rig = Rig::with_fuses(&program, fuses);
    rig.chip.program(PAGE_AT, &[7; 2]).expect("flash");
    rig.chip.program(3, &[0x77]).expect("flash");
    rig.run(Time::from_ms(30));
    assert_eq!(peek(rig.chip.as_ref(), PAGE_AT, 2), [7, 7]);
    assert_eq!([rig.result(0), rig.result(1)], [0x77, fuses.high]);
    assert_eq!(rig.warnings()[0].kind, WarningKind::Protected);
}

#[test]
fn a_stretch_of_erased_flash_is_reported_once() {
    for skips in [0, 0x80] {
        let mut program = Program::new();
        program.load(31, skips);
        let start = program.address();
        let mut rig = Rig::new(&program);
        let end = start + 400;
        rig.chip.program(end, &[0xFF, 0xCF]).expect("flash");
        rig.run(Time::from_ms(10));
        assert_eq!(rig.chip.core().pc(), end);
        let reported: Vec<_> = rig.warnings().iter().map(|it| (it.pc, it.kind)).collect();
        assert_eq!(reported, [(start, WarningKind::Erased)]);
    }
}

#[test]
fn a_stack_outside_of_ram_is_reported_where_it_is_first() {
    for call in [false, true] {
        let mut program = Program::new();
        program.set(SPH, 1).set(SPL, 1).push(20).push(20);
        let place = program.address();
        match call {
            true => program.call_next().call_next(),
            false => program.push(20).push(20),
        };
        program.stay();
        let mut rig = Rig::new(&program);
        rig.run(Time::from_ms(10));
        let stack = |it: &&&crate::Warning| it.kind == WarningKind::Stack;
        let warnings = rig.warnings();
        let places: Vec<_> = warnings.iter().filter(stack).map(|it| (it.pc, it.address)).collect();
        assert_eq!(places, [(place, 0x80_00FF)]);
        assert_eq!(warnings[0].kind, WarningKind::Stack);
    }
}

#[test]
fn outside_the_boot_section_spm_does_nothing_and_is_reported() {
    let mut program = Program::new();
    program.point(PAGE_AT).spm(0x03, 0).mark().stay();
    let mut rig = Rig::new(&program);
    rig.chip.program(PAGE_AT, &[0; 2]).expect("flash");
    rig.run(Time::from_ms(10));
    assert_eq!(peek(rig.chip.as_ref(), PAGE_AT, 2), [0, 0]);
    assert_eq!(rig.warnings()[0].kind, WarningKind::Protected);
}

#[test]
fn a_new_program_is_executed() {
    // The loader writes NOPs over a page that has jumps, and then goes there.
    let mut program = loader();
    program.nops(4);
    let mut rig = Rig::with_fuses(&program, Fuses { high: CRYSTAL.high & !0x06, ..CRYSTAL });
    rig.run(Time::from_ms(30));
    let before = rig.chip.instructions();
    rig.chip.core_mut().set_register(lichen_isa::avr8::PC, PAGE_AT + 2);
    rig.chip.core_mut().step(Time::from_ms(40));
    assert_eq!(rig.chip.core().pc(), PAGE_AT + 4);
    assert_eq!(rig.chip.instructions(), before + 1);
}
