// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;

const CTRL: u32 = 0;
const STATUS: u32 = 1;
const CLKCTRL: u32 = 2;
const GENCTRL: u32 = 4;
const GENDIV: u32 = 8;

fn ready(bench: &mut Bench<Gclk>) {
    bench.block.set_switching(None);
    bench.run_for(Time::from_ms(1));
}

#[test]
fn only_enabling_a_channel_that_does_not_exist_is_wrong() {
    let mut bench = Bench::new(Gclk::new());
    bench.write16(CLKCTRL, 0x0F25);
    assert!(bench.warnings.is_empty());
    bench.write16(CLKCTRL, 0x4025);
    assert_eq!(bench.warnings, [WarningKind::Reserved]);
}

#[test]
fn a_byte_write_selects_what_is_read_back_and_changes_nothing() {
    let mut bench = Bench::new(Gclk::new());
    bench.write32(GENDIV, 5 << 8 | 3);
    ready(&mut bench);
    bench.write32(GENCTRL, 0x0001_0603);
    ready(&mut bench);
    assert_eq!(bench.read32(GENCTRL), 0x0001_0603);
    bench.write8(GENCTRL, 0);
    assert_eq!(bench.read32(GENCTRL), 0x0001_0600);
    bench.write8(GENDIV, 3);
    assert_eq!(bench.read32(GENDIV), 5 << 8 | 3);
    assert_eq!((bench.block.source(3), bench.block.division(3)), (6, 5));
    bench.write16(CLKCTRL, 0x4300 | 20);
    bench.write8(CLKCTRL, 21);
    assert_eq!(bench.read16(CLKCTRL), 21);
    bench.write8(CLKCTRL, 20);
    assert_eq!(bench.read16(CLKCTRL), 0x4314);
    assert_eq!(bench.block.channel_generator(20), Some(3));
}

#[test]
fn divsel_divides_by_a_power_of_two() {
    let mut bench = Bench::new(Gclk::new());
    assert_eq!((bench.block.source(2), bench.block.division(2)), (3, 32));
    bench.write32(GENDIV, 7 << 8 | 4);
    assert_eq!(bench.block.division(4), 7);
    bench.write32(GENCTRL, 0x0011_0604);
    assert_eq!(bench.block.division(4), 256);
}

#[test]
fn writes_set_syncbusy_and_a_second_write_waits() {
    let mut bench = Bench::new(Gclk::new());
    bench.block.set_outputs([Some(Clock::new(Time::ZERO, 32_768)); GENERATORS]);
    bench.write32(GENCTRL, 0x0001_0604);
    bench.block.set_switching(None);
    assert_eq!(bench.read8(STATUS), 0x80);
    let before = bench.now;
    bench.write32(GENDIV, 4);
    assert!(bench.now - before > Time::from_us(150));
    bench.run_for(Time::from_us(184));
    assert_eq!(bench.read8(STATUS), 0);
}

#[test]
fn a_write_lock_holds_channel_and_generator_through_a_software_reset() {
    let mut bench = Bench::new(Gclk::new());
    bench.write32(GENCTRL, 0x0001_0605);
    bench.write16(CLKCTRL, 0xC500 | 4);
    bench.write16(CLKCTRL, 4);
    assert_eq!(bench.warnings, [WarningKind::Protected]);
    bench.write32(GENCTRL, 5);
    assert_eq!(bench.warnings.len(), 2);
    bench.write8(CTRL, 1);
    assert_eq!(bench.block.channel_generator(4), Some(5));
    assert_eq!(bench.block.source(5), 6);
    bench.with(|gclk, cx| gclk.reset(cx, ResetKind::Power));
    assert_eq!(bench.block.channel_generator(4), None);
}

#[test]
fn a_user_reset_keeps_the_clock_of_the_rtc() {
    let mut bench = Bench::new(Gclk::new());
    bench.write32(GENCTRL, 0x0001_0302);
    bench.write32(GENDIV, 2);
    bench.write16(CLKCTRL, 0x4200 | 4);
    bench.write16(CLKCTRL, 0x4000 | 20);
    bench.with(|gclk, cx| gclk.reset(cx, ResetKind::User));
    assert_eq!(bench.block.channel_generator(4), Some(2));
    assert_eq!(bench.block.division(2), 1);
    assert_eq!(bench.block.channel_generator(20), None);
}

#[test]
fn every_channel_takes_every_generator() {
    let mut bench = Bench::new(Gclk::new());
    for channel in 0..CHANNELS as u32 {
        for generator in 0..GENERATORS as u32 {
            bench.write16(CLKCTRL, u32::from(CLKEN) | generator << 8 | channel);
            ready(&mut bench);
            let chosen = bench.block.channel_generator(channel as usize);
            assert_eq!(chosen, Some(generator as usize), "{channel}");
            bench.write16(CLKCTRL, generator << 8 | channel);
            ready(&mut bench);
            assert_eq!(bench.block.channel_generator(channel as usize), None);
        }
    }
}

#[test]
fn a_generator_runs_in_standby_if_it_is_enabled_and_says_so() {
    let mut bench = Bench::new(Gclk::new());
    for (control, enabled, standby) in [
        (0, false, false),
        (GENEN, true, false),
        (RUNSTDBY, false, false),
        (GENEN | RUNSTDBY, true, true),
    ] {
        bench.write32(GENCTRL, control | 6 << 8 | 3);
        ready(&mut bench);
        assert_eq!(bench.block.generator_enabled(3), enabled);
        assert_eq!(bench.block.runs_in_standby(3), standby);
    }
}

#[test]
fn a_divider_has_as_many_bits_as_its_generator() {
    let mut bench = Bench::new(Gclk::new());
    for generator in 0..GENERATORS {
        let bits = [8, 16, 5, 8, 8, 8, 8, 8, 8][generator];
        for (field, division) in [(0, 1), (1, 1), (2, 2), (3, 3), (0xFFFF, (1 << bits) - 1)] {
            bench.write32(GENCTRL, GENEN | 6 << 8 | generator as u32);
            ready(&mut bench);
            bench.write32(GENDIV, field << 8 | generator as u32);
            ready(&mut bench);
            assert_eq!(bench.block.division(generator), division, "{generator} {field}");
            bench.write32(GENCTRL, GENEN | DIVSEL | 6 << 8 | generator as u32);
            ready(&mut bench);
            let doubled = 1 << (u64::from(field).min(bits) + 1);
            assert_eq!(bench.block.division(generator), doubled, "{generator} {field}");
        }
    }
}
