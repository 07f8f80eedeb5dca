// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the checksum engine takes, and when it is done.

use super::*;

#[test]
fn the_checksum_takes_what_is_written_or_what_a_channel_moves() {
    let mut bench = dmac();
    bench.write16(CRCCTRL, 0x0104);
    bench.write32(CRCCHKSUM, u32::MAX);
    bench.write16(CTRL, 0x0F06);
    for byte in b"123456789" {
        bench.write8(CRCDATAIN, *byte as u32);
    }
    assert_eq!(bench.read32(CRCCHKSUM), 0xCBF4_3926);

    bench.write16(CTRL, 0x0F02);
    bench.write16(CRCCTRL, 0x2004);
    bench.write32(CRCCHKSUM, u32::MAX);
    bench.write16(CTRL, 0x0F06);
    store(&mut bench, SOURCE, u32::from_le_bytes(*b"1234"));
    store(&mut bench, SOURCE + 4, u32::from_le_bytes(*b"5678"));
    store(&mut bench, SOURCE + 8, b'9' as u32);
    describe(&mut bench, BASE, COPY, 9, 9, 0);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    run(&mut bench, Time::from_us(50));
    assert_eq!(bench.read32(CRCCHKSUM), 0xCBF4_3926);
}

/// A checksum engine, enabled, with CRCCTRL and the initial value.
fn engine(control: u32, start: u32) -> Bench<Dmac> {
    let mut bench = dmac();
    bench.write16(CRCCTRL, control);
    bench.write32(CRCCHKSUM, start);
    bench.write16(CTRL, 0x0F06);
    bench
}

#[test]
fn both_polynomials_take_bytes_halfwords_and_words() {
    for (polynomial, expected) in [(0, 0xA12B), (1, 0x9AE0_DAAF)] {
        for size in 0..=2 {
            let mut bench =
                engine(0x0100 | polynomial << 2 | size, [0xFFFF, u32::MAX][polynomial as usize]);
            for chunk in b"12345678".chunks(1 << size) {
                let value = chunk.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                bench.write32(CRCDATAIN, value);
            }
            assert_eq!(bench.read32(CRCCHKSUM), expected, "{polynomial} {size}");
        }
    }
}

#[test]
fn the_checksum_takes_the_channel_that_is_chosen_and_no_other() {
    for source in 0..CHANNELS as u32 {
        for moves in 0..CHANNELS as u32 {
            let mut bench = engine((0x20 + source) << 8, 0);
            store(&mut bench, SOURCE, b'1'.into());
            describe(&mut bench, BASE + 0x10 * moves, COPY, 1, 1, 0);
            enable(&mut bench, moves, 0);
            assert_eq!(bench.read8(CRCSTATUS), u32::from(source == moves));
            bench.write32(SWTRIGCTRL, 1 << moves);
            run(&mut bench, Time::from_us(20));
            assert_eq!(bench.read32(CRCCHKSUM) != 0, source == moves);
            assert_eq!(bench.read8(CRCSTATUS), 0);
        }
    }
}

#[test]
fn a_complete_checksum_that_is_zero_shows() {
    let (busy, zero) = (1, 2);
    for (last, expected) in [(0xB1, zero), (0xB0, 0)] {
        let mut bench = engine(0x0100, 0xFFFF);
        for byte in b"123456789".iter().chain(&[0x29, last]) {
            bench.write8(CRCDATAIN, u32::from(*byte));
            assert_eq!(bench.read8(CRCSTATUS), busy);
        }
        bench.write8(CRCSTATUS, busy);
        assert_eq!(bench.read8(CRCSTATUS), expected);
        bench.write16(CTRL, 0);
        bench.write16(CRCCTRL, 0);
        assert_eq!(bench.read8(CRCSTATUS), 0);
    }
    let mut bench = engine(0x2000, 0);
    bench.write8(CHCTRLA, 0);
    assert_eq!(bench.read8(CRCSTATUS), 0, "the channel was disabled before");
    let mut bench = engine(0x2000, 0x3100);
    store(&mut bench, SOURCE, 0x31);
    describe(&mut bench, BASE, COPY, 1, 1, 0);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    assert_eq!(bench.read8(CRCSTATUS), busy);
    run(&mut bench, Time::from_us(20));
    assert_eq!((bench.read32(CRCCHKSUM), bench.read8(CRCSTATUS)), (0, zero));
}

#[test]
fn the_checksum_is_locked_while_its_engine_is_enabled() {
    let mut bench = engine(0x0104, 0);
    let before = bench.read32(CRCCHKSUM);
    bench.write32(CRCCHKSUM, 5);
    bench.write16(CRCCTRL, 0);
    assert_eq!((bench.read32(CRCCHKSUM), bench.read16(CRCCTRL)), (before, 0x0104));
    assert_eq!(bench.warnings, [WarningKind::Protected; 2]);
}
