// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{Program, RESULTS, Rig, Size};
use super::{OSC8M, OSC8M_8MHZ};
use crate::Time;

const NVM_CTRLA: u32 = 0x4100_4000;
const NVM_CTRLB: u32 = 0x4100_4004;
const NVM_INTFLAG: u32 = 0x4100_4014;
const NVM_ADDR: u32 = 0x4100_401C;
const ROW: u32 = 0x8000;

#[test]
fn firmware_erases_and_writes_flash_and_waits_while_it_is_busy() {
    let mut program = Program::new();
    program
        .set(NVM_CTRLB, 0x80)
        .set(NVM_ADDR, ROW / 2)
        .mark()
        .set16(NVM_CTRLA, 0xA502)
        .mark()
        .set(ROW + 8, 0x1234_5678)
        .set16(NVM_CTRLA, 0xA504)
        .wait(Size::Byte, NVM_INTFLAG, 1, true)
        .mark()
        .read(Size::Word, ROW + 8, 0)
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.result(0), 0x1234_5678);
    let marks = rig.marks();
    let (erase, write) = (marks[1] - marks[0], marks[2] - marks[1]);
    assert!(erase >= Time::from_ms(6) && erase < Time::from_us(6_100), "{erase}");
    assert!(write >= Time::from_us(2_500) && write < Time::from_us(2_600), "{write}");
}

/// The program is executed in RAM, and reads flash: that waits until the erase ends, whatever a cycle takes then.
#[test]
fn flash_is_busy_for_as_long_if_the_clock_becomes_faster() {
    let mut program = Program::new();
    program
        .set(NVM_CTRLB, 0x80)
        .set(NVM_ADDR, ROW / 2)
        .mark()
        .set16(NVM_CTRLA, 0xA502)
        .set(OSC8M, OSC8M_8MHZ)
        .mark()
        .read(Size::Word, ROW + 8, 0)
        .mark()
        .stay();
    let mut rig = Rig::in_ram(&program, RESULTS + 0x100);
    rig.run(Time::from_ms(20));
    let marks = rig.marks();
    assert!(marks[1] - marks[0] < Time::from_us(100), "it has not waited for flash yet");
    let erase = marks[2] - marks[0];
    assert!(erase >= Time::from_ms(6) && erase < Time::from_us(6_100), "{erase}");
}

#[test]
fn calibration_and_serial_number_can_be_read() {
    let mut program = Program::new();
    program.read(Size::Word, 0x0080_6024, 0).read(Size::Word, 0x0080_A048, 1).stay();
    let config = crate::Config { serial_number: [1, 2, 3, 4], ..Default::default() };
    let mut rig = Rig::with(&program, &config);
    rig.run(Time::from_ms(1));
    assert_eq!((rig.result(0) >> 26, rig.result(1)), (0x1F, 4));
}

#[test]
fn memories_are_those_of_the_part() {
    let chip = |name| crate::by_part(name, &crate::Config::default());
    let sizes = |name| chip(name).expect("known").memories().to_vec().map_sizes();
    assert_eq!(sizes("ATSAMR21G18A"), [256 * 1024, 32 * 1024]);
    assert_eq!(sizes("ATSAMR21E16A"), [64 * 1024, 16 * 1024]);
    let error = chip("ATSAMR21X99Z").err().expect("unknown").to_string();
    assert!(error.contains("ATSAMR21X99Z") && error.contains("ATSAMR21G18A"), "{error}");
}

trait MapSizes {
    fn map_sizes(self) -> [u32; 2];
}

impl MapSizes for Vec<crate::MemoryInfo> {
    fn map_sizes(self) -> [u32; 2] {
        [self[0].size, self[1].size]
    }
}

#[test]
fn a_programmer_reaches_flash_ram_and_user_row_and_nothing_else() {
    let mut program = Program::new();
    program.read(Size::Word, 0x0080_4000, 1).stay();
    let mut rig = Rig::new(&program);
    rig.chip.program(0x0080_4000, &[0xFF, 0xC7, 0xE0, 0xD8]).expect("user row");
    rig.chip.program(RESULTS, &[7, 0, 0, 0]).expect("RAM");
    let error = rig.chip.program(0x0003_FFFF, &[0, 0]).expect_err("one too far");
    assert_eq!((error.address, error.end), (0x0003_FFFF, 0x0004_0001));
    rig.run(Time::from_ms(1));
    assert_eq!((rig.result(0), rig.result(1)), (7, 0xD8E0_C7FF));
}

/// Cycles of 32 instructions of one halfword from flash with this CTRLB.
fn cycles_of_32_instructions(control: u32) -> u64 {
    let mut program = Program::new();
    program.set(NVM_CTRLB, control).mark().nops(32).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    let marks = rig.mark_cycles();
    marks[1] - marks[0]
}

#[test]
fn each_wait_state_costs_a_cycle_a_line_and_without_lines_a_cycle_a_word() {
    let cached = |states: u32| cycles_of_32_instructions(states << 1);
    let words = |states: u32, without: u32| cycles_of_32_instructions(states << 1 | without);
    let (by_line, plain) = (cached(1) - cached(0), cached(0));
    // Eight lines of eight bytes and those of the marks.
    assert!((8..=16).contains(&by_line), "{by_line}");
    for states in 0..16 {
        assert_eq!(cached(states), plain + u64::from(states) * by_line);
        // CACHEDIS, and READMODE with deterministic timing.
        for without in [1 << 18, 2 << 16] {
            let by_word = (words(1, without) - plain) * u64::from(states);
            assert_eq!(words(states, without), plain + by_word);
            assert!(states == 0 || by_word >= by_line * u64::from(states) + 8);
        }
    }
}
