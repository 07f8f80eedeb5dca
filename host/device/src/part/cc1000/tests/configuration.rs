// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, bit by bit, and what they come to.

use super::*;

#[test]
fn every_register_has_its_value_after_a_reset() {
    let mut rig = Rig::powered();
    rig.write(MAIN, 0x3F);
    let values = [
        0x3F, 0x75, 0xA0, 0xCB, 0x75, 0xA5, 0x4E, 0x00, 0x59, 0xCA, 0x08, 0x0F, 0x10, 0x00, 0x05,
        0x96, 0x67, 0x24, 0x00, 0x01, 0x1C, 0x16, 0x10, 0x0A, 0x06, 0x03, 0x01, 0x2F, 0x00,
    ];
    for (register, value) in values.into_iter().enumerate() {
        assert_eq!(rig.read(register as u8), value, "0x{register:02x}");
    }
    for (register, value) in [(0x40, 0x10), (0x41, 0x08), (0x42, 0x25), (0x43, 4), (0x46, 0)] {
        assert_eq!(rig.read(register), value, "0x{register:02x}");
    }
    assert_eq!(rig.mismatches, [""; 0]);
}

#[test]
fn registers_keep_what_is_written_but_for_status_bits() {
    let mut rig = Rig::powered();
    rig.write(MAIN, 0x3F);
    for register in (1..=0x1C).chain(0x40..=0x43) {
        rig.write(register, 0xFF);
        let expected = match register {
            LOCKS => 0xFC,
            CAL => 0xF7,
            _ => 0xFF,
        };
        assert_eq!(rig.read(register), expected, "0x{register:02x}");
    }
    rig.write(0x46, 0xFF);
    assert_eq!(rig.read(0x46), 0, "a result of calibration");
    rig.write(MAIN, 0x3E);
    assert_eq!((rig.read(0x01), rig.read(0x43)), (0x75, 4), "a reset");
    rig.write(0x01, 0x12);
    assert_eq!(rig.read(0x01), 0x75);
    assert_eq!(
        rig.mismatches.last().map(String::as_str),
        Some("cc1000 ignores what is written while MAIN.RESET_N is 0")
    );
    assert_eq!(rig.read(MAIN), 0x3E, "it has no value of its own");
}

#[test]
fn pdata_is_driven_for_the_eight_bits_of_a_read_only() {
    let mut rig = Rig::powered();
    rig.address(0x01, false);
    assert_eq!(rig.level(PDATA), FLOATING);
    rig.drive(PCLK, false);
    assert_eq!(rig.level(PDATA), Level::Low, "0x75");
    rig.drive(PCLK, true);
    rig.pass_us(1);
    for bit in bits([0x75]).into_iter().skip(1) {
        rig.drive(PCLK, false);
        let level = if bit { Level::High } else { Level::Low };
        assert_eq!(rig.level(PDATA), level);
        rig.pass_us(1);
        rig.drive(PCLK, true);
    }
    assert_eq!(rig.level(PDATA), FLOATING);
}

#[test]
fn making_its_wires_outputs_is_no_access() {
    let mut rig = Rig::powered();
    for pin in [PALE, PCLK, PDATA] {
        rig.serve(|device, around| device.level(around, pin, FLOATING));
    }
    for pin in [PALE, PCLK, PDATA, PALE, PDATA, PCLK] {
        let high = rig.level(pin) == Level::Low;
        rig.drive(pin, high);
    }
    [PALE, PDATA, PCLK].into_iter().for_each(|pin| rig.drive(pin, true));
    assert_eq!((rig.read(0x01), rig.mismatches.len()), (0x75, 0));
}

#[test]
fn accesses_that_are_cut_off_change_nothing_and_are_reported_once() {
    let mut rig = Rig::powered();
    rig.write(MAIN, 0x3F);
    for _ in 0..2 {
        rig.drive(PALE, false);
        rig.drive(PDATA, true);
        rig.pulse();
        rig.drive(PALE, true);
    }
    assert_eq!(rig.mismatches, ["cc1000 drops an access: PALE changes after 1 of 8 bits"]);
    rig.address(0x01, true);
    rig.pulse();
    assert_eq!(rig.read(0x01), 0x75);
    rig.drive(PALE, false);
    rig.clock_in(0x03);
    rig.clock_in(0x12);
    rig.drive(PALE, true);
    assert_eq!(
        rig.mismatches.last().map(String::as_str),
        Some("cc1000 drops an access: PALE is low after the address")
    );
    assert_eq!(rig.read(0x01), 0x75);
    assert_eq!(rig.read(0x30), 0);
    assert_eq!(
        rig.mismatches.last().map(String::as_str),
        Some("cc1000 has no register 0x30, which reads 0")
    );
}

/// It was away during the rest of an access, and sees its wires as they are when it is back.
#[test]
fn an_access_that_it_has_missed_is_over() {
    let mut rig = Rig::powered();
    rig.write(MAIN, 0x3F);
    rig.drive(PALE, false);
    rig.pulse();
    rig.bench.set(Condition::Absent);
    rig.pulse();
    rig.drive(PALE, true);
    rig.bench.set(Condition::Works);
    assert_eq!((rig.read(0x01), rig.mismatches.len()), (0x75, 0));
}

#[test]
fn a_clock_that_is_too_fast_loses_bits() {
    let mut rig = Rig::powered();
    rig.write(MAIN, 0x3F);
    rig.drive(PALE, false);
    for _ in 0..2 {
        rig.drive(PCLK, false);
        rig.bench.now += Time::from_ns(50);
        rig.drive(PCLK, true);
    }
    assert_eq!(rig.mismatches, ["cc1000 loses a bit: PCLK is faster than 10 MHz"]);
}

/// The registers of a channel.
fn registers(freq: [u32; 2], fsep: u32, pll: u8) -> Registers {
    let mut registers = Registers::powered();
    registers.write(MAIN, POWER_DOWN);
    for (register, value) in [(1, freq[0]), (4, freq[1])] {
        let bytes = value.to_be_bytes();
        (0..3).for_each(|index| {
            registers.write(register + index, bytes[1 + usize::from(index)]);
        });
    }
    registers.write(7, (fsep >> 8) as u8);
    registers.write(8, fsep as u8);
    registers.write(PLL, pll << 3);
    registers
}

/// The channels of TinyOS (chips/cc1000/CC1000Const.h) and its registers. The one called 915.998 MHz is 1 MHz lower.
#[test]
fn channels_of_tinyos_are_at_their_frequencies() {
    const CRYSTAL: u64 = 14_745_600_000;
    for (khz, freq, fsep, refdiv) in [
        (433_002, [0x58_0000, 0x57_F685], 0x355, 12),
        (914_999, [0x7C_0000, 0x7B_F9AE], 0x238, 8),
        (434_845, [0x51_0000, 0x50_F74F], 0x30E, 11),
        (914_077, [0x5C_E000, 0x5C_DB42], 0x1AA, 6),
        (315_178, [0x45_6000, 0x45_55BB], 0x39C, 13),
    ] {
        let mut it = registers(freq, fsep, refdiv);
        it.write(MAIN, RX);
        let oscillator = it.asked(CRYSTAL).khz;
        assert!((oscillator - 150).abs_diff(khz) <= 1, "{oscillator} for {khz}");
        it.write(MAIN, TX);
        assert_eq!((it.asked(CRYSTAL).register, it.asked(CRYSTAL).sends), (1, true));
        let separation = it.separation_khz(CRYSTAL);
        let centre = it.asked(CRYSTAL).khz + separation / 2;
        assert!(separation == 64 && centre.abs_diff(khz) <= 1, "{centre} for {khz}, {separation}");
    }
}

#[test]
fn rates_follow_from_the_crystal() {
    const CRYSTAL: u64 = 14_745_600_000;
    let mut it = Registers::powered();
    it.write(MAIN, POWER_DOWN);
    for (modem0, baud, bit_ns) in [
        (0x07, Some(600), 3_333_333),
        (0x27, Some(2_400), 833_333),
        (0x53, Some(19_200), 52_083),
        (0x57, Some(19_200), 104_166),
        (0x55, Some(38_400), 52_083),
        (0x51, Some(38_400), 26_041),
        (0x54, Some(76_800), 26_041),
        (0x5A, Some(25_600), 39_062),
        (0x65, None, 0),
    ] {
        it.write(MODEM0, modem0);
        assert_eq!(it.baud(CRYSTAL), baud, "0x{modem0:02x}");
        assert_eq!(it.bit(CRYSTAL).map_or(0, Time::ns), bit_ns, "0x{modem0:02x}");
    }
    it.write(MODEM0, 0x5D);
    assert_eq!((it.format(), it.bit(CRYSTAL)), (None, None));
}

#[test]
fn output_power_has_steps() {
    let dbm = |band, pa_pow| figures::output(band, pa_pow).map(|power| power.dbm);
    for (pa_pow, at_433, at_868) in [
        (0x00, None, None),
        (0x01, Some(-20), Some(-20)),
        (0x0F, Some(0), Some(-6)),
        (0x10, Some(0), Some(-6)),
        (0x80, Some(6), Some(0)),
        (0xFF, Some(10), Some(5)),
    ] {
        let found = (dbm(Band::Mhz433, pa_pow), dbm(Band::Mhz868, pa_pow));
        assert_eq!(found, (at_433, at_868), "0x{pa_pow:02x}");
    }
    for band in [Band::Mhz433, Band::Mhz868] {
        let is_sorted = figures::powers(band)
            .windows(2)
            .all(|it| it[0].pa_pow < it[1].pa_pow && it[0].dbm < it[1].dbm);
        assert!(is_sorted, "{band:?}");
    }
}
