// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPI, registers and RAM.

use super::*;

#[test]
fn it_answers_when_its_regulator_has_started() {
    let mut rig = Rig::powered(1);
    assert_eq!(rig.motes[0].device.consumption().map(|it| it.state), Some("regulator_off"));
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.bytes(0, &[SNOP]), [None]);
    rig.drive(0, VREG_EN, Level::High);
    rig.pass_us(299);
    assert_eq!(rig.bytes(0, &[SNOP]), [None]);
    assert_eq!(rig.mismatches(0).len(), 1, "once: {:?}", rig.mismatches(0));
    rig.drive(0, SELECT, Level::High);
    assert_eq!(rig.status(0), 0);
    assert_eq!(rig.motes[0].device.consumption().map(|it| it.state), Some("power_down"));
    assert_eq!([0x1E, 0x1F].map(|register| rig.read(0, register)), [0x233D, 0x3000]);
    rig.drive(0, RESET, Level::Low);
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.bytes(0, &[SNOP]), [None], "it is held in reset");
}

#[test]
fn registers_have_their_reset_values() {
    let values: &[(u8, u16)] = &[
        (0x10, 0xF800),
        (0x11, 0x0AE2),
        (0x12, 0x0500),
        (0x13, 0xE080),
        (0x14, 0xA70F),
        (0x15, 0xA0FF),
        (0x16, 0x12E5),
        (0x17, 0x0A56),
        (0x18, 0x4165),
        (0x19, 0x03C4),
        (0x1A, 0x0000),
        (0x1B, 0x0000),
        (0x1C, 0x0040),
        (0x1D, 0x0000),
        (0x1E, 0x233D),
        (0x1F, 0x3000),
        (0x20, 0x7A94),
        (0x21, 0xFFFF),
        (0x22, 0x0000),
        (0x23, 0x07F0),
        (0x24, 0x3649),
        (0x25, 0x0854),
        (0x26, 0x012A),
        (0x27, 0x0200),
        (0x28, 0x1002),
        (0x29, 0x0600),
        (0x2A, 0x82DD),
        (0x2B, 0x0000),
        (0x2C, 0x0000),
        (0x2D, 0x0000),
        (0x2E, 0x0000),
        (0x2F, 0x0010),
        (0x30, 0x0000),
    ];
    let mut rig = Rig::powered(1);
    rig.drive(0, VREG_EN, Level::High);
    rig.pass_us(300);
    for round in 0..2 {
        for (register, value) in values {
            assert_eq!(rig.read(0, *register), *value, "0x{register:02x} in round {round}");
            rig.write(0, *register, !value & 0x7FFF | value & 0x8000);
        }
        match round {
            0 => {
                rig.drive(0, RESET, Level::Low);
                rig.drive(0, RESET, Level::High);
            }
            _ => {
                rig.write(0, 0x10, 0);
                rig.write(0, 0x10, 0xF800);
            }
        }
    }
    for (register, value) in values {
        assert_eq!(rig.read(0, *register), *value, "0x{register:02x} after MAIN.RESETn");
    }
}

#[test]
fn what_only_the_radio_sets_cannot_be_written() {
    let mut rig = Rig::idle(1);
    for (register, after) in
        [(0x13, 0x0080), (0x18, 0x0000), (0x1B, 0x0000), (0x1E, 0x233D), (0x1F, 0x3000), (0x2C, 1)]
    {
        rig.write(0, register, 0);
        assert_eq!(rig.read(0, register), after, "0x{register:02x}");
    }
    rig.write(0, 0x13, 0x1234);
    rig.write(0, 0x18, 0xFFFF);
    assert_eq!([rig.read(0, 0x13), rig.read(0, 0x18)], [0x1280, 0xCBFF]);
    rig.write(0, 0x31, 0x1234);
    assert_eq!((rig.read(0, 0x31), rig.read(0, 0x0F)), (0, 0));
}

#[test]
fn registers_and_strobes_follow_each_other_while_it_is_selected() {
    let mut rig = Rig::idle(1);
    let answer = rig.spi(0, &[SRXON, 0x1C, 0x02, 0x7F, 0x5C, 0, 0, SRFOFF, 0x91, 0x80, 0xAA]);
    assert_eq!(answer[5..7], [0x02, 0x7F], "IOCFG0 as it was written just before");
    assert_eq!(answer[0] & 0x44, 0x40, "the crystal is stable, the synthesizer is off");
    assert_eq!(rig.read(0, FSMSTATE), 1);
    assert_eq!(rig.read_ram(0, 0x111, 1), [0xAA], "RAM last");
    rig.drive(0, SELECT, Level::Low);
    rig.bytes(0, &[0x5C, 0]);
    rig.drive(0, SELECT, Level::High);
    rig.spi(0, &[0x1C, 0xFF]);
    assert_eq!(rig.read(0, IOCFG0), 0x027F, "half a register is not written");
}

#[test]
fn a_byte_counts_when_its_last_bit_has_arrived() {
    let mut rig = Rig::idle(1);
    rig.drive(0, SELECT, Level::Low);
    rig.word(0, word(SRXON));
    rig.pass_us(1);
    assert_eq!(rig.state(0), 1);
    rig.pass_us(1);
    assert_eq!(rig.state(0), 2);
    rig.word(0, word(SRFOFF));
    rig.pass_us(1);
    rig.drive(0, SELECT, Level::High);
    rig.pass_us(5);
    assert_eq!(rig.state(0), 2, "it was not selected to the end");
}

#[test]
fn ram_has_its_map() {
    let mut rig = Rig::idle(1);
    let places =
        [0x000, 0x080, 0x100, 0x110, 0x120, 0x130, 0x140, 0x150, 0x160, 0x168, 0x16A, 0x16F];
    for (value, at) in (1..).zip(places) {
        rig.write_ram(0, at, &[value]);
    }
    for (value, at) in (1..).zip(places) {
        assert_eq!(rig.read_ram(0, at, 1), [value], "0x{at:03x}");
    }
    assert_eq!(rig.mismatches(0).len(), 1, "0x16f is nothing's: {:?}", rig.mismatches(0));
    rig.write_ram(0, 0x07E, &[1, 2, 3, 4]);
    assert_eq!(rig.read_ram(0, 0x07E, 4), [1, 2, 3, 4], "across banks");
    let old = rig.spi(0, &[0x80 | 0x7E, 0x00, 9, 9]);
    assert_eq!(old[2..], [1, 2], "a write shows what was there");
    rig.write_ram(0, 0x17E, &[7; 4]);
    assert_eq!(rig.read_ram(0, 0x17E, 4), [0; 4]);
    rig.strobe(0, SXOSCOFF);
    rig.drive(0, RESET, Level::Low);
    rig.drive(0, RESET, Level::High);
    assert_eq!(rig.read_ram(0, 0x110, 1), [4], "it stays without the crystal and over a reset");
    rig.drive(0, VREG_EN, Level::Low);
    rig.drive(0, VREG_EN, Level::High);
    rig.pass_us(300);
    assert_eq!(rig.read_ram(0, 0x110, 1), [0], "and is lost without the regulator");
}

#[test]
fn fifos_and_most_strobes_need_the_crystal() {
    let mut rig = Rig::powered(1);
    rig.drive(0, VREG_EN, Level::High);
    rig.pass_us(300);
    rig.load(0, &[3, 4]);
    rig.strobe(0, SRXON);
    rig.strobe(0, SXOSCON);
    rig.pass_us(857);
    rig.strobe(0, SRXON);
    assert_eq!(rig.state(0), 0, "859 us after it was told to start");
    rig.pass_us(1);
    assert_eq!((rig.state(0), rig.status(0)), (1, 0x40));
    assert_eq!(rig.mismatches(0).len(), 1, "{:?}", rig.mismatches(0));
    assert_eq!(rig.chip(0).tx.count(), 0);
    rig.strobe(0, SXOSCOFF);
    assert_eq!((rig.state(0), rig.status(0)), (0, 0));
}

#[test]
fn a_master_that_it_does_not_understand_is_reported_of() {
    let mut rig = Rig::idle(1);
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.word(0, Word { mode: 1, ..word(SNOP) }), None);
    assert_eq!(rig.word(0, Word { bit_time: BitTime::from_ns(50), ..word(SNOP) }), None);
    assert_eq!(rig.mismatches(0), ["cc2420 does not understand SPI mode 1; its mode is 0"]);
    rig.spi(0, &[0x7E, 0, 0]);
    rig.write(0, 0x12, 0x0504);
    rig.write(0, 0x10, 0x7800);
    rig.write(0, 0x10, 0xF001);
    rig.write(0, 0x14, 0xA712);
    rig.write(0, 0x1D, 0x0003);
    assert_eq!(rig.mismatches(0).len(), 7, "{:#?}", rig.mismatches(0));
}

#[test]
fn the_battery_monitor_compares_the_supply() {
    let mut rig = Rig::idle(1);
    // 1.25 V * (72 - 5) / 27 = 3.10 V, and 2.96 V.
    for (setting, is_ok) in [(0x05, 0), (0x25, 0x40), (0x20, 0)] {
        rig.write(0, 0x1B, setting);
        assert_eq!(rig.read(0, 0x1B) & 0x40, is_ok, "0x{setting:02x} at 3.3 V");
    }
}

#[test]
fn its_condition_is_that_of_a_part() {
    let mut rig = Rig::listening(1);
    let set = |rig: &mut Rig, condition| {
        let stimulus = Stimulus::Condition(condition);
        rig.serve(0, |device, around| assert!(device.stimulate(around, &stimulus)));
    };
    set(&mut rig, Condition::Wrong);
    let nonsense = [rig.status(0), rig.status(0), rig.status(0)];
    assert!(nonsense[0] != nonsense[1] || nonsense[1] != nonsense[2], "{nonsense:?}");
    set(&mut rig, Condition::Stuck);
    rig.write(0, IOCFG0, 0x0001);
    rig.strobe(0, SRFOFF);
    assert_eq!((rig.read(0, IOCFG0), rig.state(0)), (0x0040, 3), "it stays as it is");
    rig.hear(0, 0, &data(20));
    assert_eq!(rig.heard(0), []);
    set(&mut rig, Condition::Absent);
    assert_eq!(rig.motes[0].device.consumption().map(|it| it.state), Some("off"));
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.bytes(0, &[SNOP]), [None]);
    set(&mut rig, Condition::Works);
    rig.pass_us(300);
    assert_eq!((rig.status(0), rig.read(0, MDMCTRL0)), (0, 0x0AE2), "anew");
    set(&mut rig, Condition::Shorted);
    rig.drive(0, SELECT, Level::Low);
    assert_eq!(rig.bytes(0, &[SNOP]), [None]);
}
