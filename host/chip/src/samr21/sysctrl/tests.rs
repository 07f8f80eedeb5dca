// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::WarningKind;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::Peripheral;

const INTENCLR: u32 = 0x00;
const INTENSET: u32 = 0x04;
const PCLKSR: u32 = 0x0C;
const XOSC: u32 = 0x10;
const XOSC32K: u32 = 0x14;
const OSC32K: u32 = 0x18;
const OSCULP32K: u32 = 0x1C;
const OSC8M: u32 = 0x20;
const DFLLCTRL: u32 = 0x24;
const DFLLMUL: u32 = 0x2C;
const BOD33: u32 = 0x34;
const DPLLCTRLA: u32 = 0x44;
const DFLLSYNC: u32 = 0x30;
const DPLLCTRLB: u32 = 0x4C;
const DPLLRATIO: u32 = 0x48;
const DPLLSTATUS: u32 = 0x50;

fn bench() -> Bench<Sysctrl> {
    let config =
        Config { xosc_hz: Some(16_000_000), xosc32k_hz: Some(32_768), ..Config::default() };
    Bench::new(Sysctrl::new(&config))
}

/// Does what the clock tree does after a write: every source is requested, and the loops have this
/// reference.
fn update(bench: &mut Bench<Sysctrl>, reference: Option<Clock>) {
    let now = bench.now;
    bench.block.update(now, u16::MAX, false, false);
    bench.block.set_references(now, reference, reference);
}

/// Checks that the bit rises in PCLKSR within the time, and sets its flag, which interrupts.
fn rises(bench: &mut Bench<Sysctrl>, bit: u32, within: Time) {
    assert_eq!(bench.read32(PCLKSR) & bit, 0);
    bench.write32(INTFLAG, u32::MAX);
    bench.write32(INTENSET, bit);
    assert_eq!(bench.read32(INTENSET), bit);
    let end = bench.now + within;
    assert!(bench.rises_by(end).is_some(), "{bit:#x}");
    assert_eq!((bench.read32(PCLKSR) & bit, bench.read32(INTFLAG) & bit), (bit, bit));
    bench.write32(INTENCLR, bit);
    assert!(!bench.block.irq());
    bench.write32(INTENSET, bit);
    bench.write32(INTFLAG, bit);
    assert!(!bench.block.irq());
    bench.write32(INTENCLR, bit);
}

#[test]
fn what_becomes_ready_shows_flags_and_interrupts() {
    let soon = Time::from_ms(1);
    let mut bench = bench();
    update(&mut bench, None);
    rises(&mut bench, OSC8MRDY, soon);
    bench.write16(XOSC, ENABLE | XTALEN);
    update(&mut bench, None);
    rises(&mut bench, XOSCRDY, soon);
    bench.write16(XOSC32K, ENABLE | XTALEN | XOSC32K_EN32K);
    update(&mut bench, None);
    rises(&mut bench, XOSC32KRDY, soon);
    bench.write32(OSC32K, ENABLE | OSC32K_EN32K);
    update(&mut bench, None);
    rises(&mut bench, OSC32KRDY, soon);
    bench.write16(DFLLCTRL, ENABLE);
    update(&mut bench, None);
    rises(&mut bench, DFLLRDY, soon);
    bench.write32(BOD33, ENABLE);
    rises(&mut bench, BOD33RDY, soon);
    bench.write32(BOD33, ENABLE);
    rises(&mut bench, B33SRDY, soon);
}

#[test]
fn locks_show_flags_and_interrupts() {
    let reference = Some(Clock::new(Time::ZERO, 32_768));
    let mut bench = bench();
    bench.write32(DFLLMUL, 1_464);
    bench.write16(DFLLCTRL, ENABLE | 1 << 2);
    update(&mut bench, reference);
    rises(&mut bench, DFLLLCKC, Time::from_us(150));
    rises(&mut bench, DFLLLCKF, Time::from_us(150));
    bench.write32(DPLLCTRLB, 2 << 4);
    bench.write8(DPLLCTRLA, ENABLE);
    update(&mut bench, reference);
    rises(&mut bench, DPLLLCKR, Time::from_ms(2));
    bench.write32(INTENSET, DPLLLCKF);
    update(&mut bench, None);
    assert!(bench.block.irq(), "the lock is lost");
    assert_eq!(bench.read32(PCLKSR) & (DPLLLCKR | DPLLLCKF), DPLLLCKF);
}

#[test]
fn a_watch_oscillator_needs_its_crystal_and_its_output_enabled() {
    let all = ENABLE | XTALEN | XOSC32K_EN32K;
    for (control, runs) in
        [(all, true), (all & !XTALEN, false), (all & !XOSC32K_EN32K, false), (all & !ENABLE, false)]
    {
        let mut bench = bench();
        bench.write16(XOSC32K, control);
        update(&mut bench, None);
        bench.run_for(Time::from_ms(1));
        assert_eq!(bench.block.output(5).is_some(), runs, "{control:#x}");
    }
    for (control, runs) in [(ENABLE | OSC32K_EN32K, true), (ENABLE, false), (OSC32K_EN32K, false)] {
        let mut bench = bench();
        bench.write32(OSC32K, control);
        update(&mut bench, None);
        bench.run_for(Time::from_ms(1));
        assert_eq!(bench.block.output(4).is_some(), runs, "{control:#x}");
    }
}

#[test]
fn a_locked_oscillator_keeps_its_settings() {
    let mut bench = bench();
    bench.write16(XOSC32K, WRTLOCK_16 | ENABLE);
    bench.write32(OSC32K, WRTLOCK_16 | ENABLE);
    bench.write8(OSCULP32K, 1 << 7 | 5);
    bench.write16(XOSC32K, 0);
    bench.write32(OSC32K, 0);
    bench.write8(OSCULP32K, 0);
    assert_eq!(bench.warnings, [WarningKind::Protected; 3]);
    assert_eq!(bench.read16(XOSC32K), WRTLOCK_16 | ENABLE);
    assert_eq!(bench.read32(OSC32K), WRTLOCK_16 | ENABLE);
    assert_eq!(bench.read8(OSCULP32K), 1 << 7 | 5);
}

#[test]
fn the_prescaler_divides_osc8m() {
    for (prescaler, hz) in [(0, 8_000_000), (1, 4_000_000), (2, 2_000_000), (3, 1_000_000)] {
        let mut bench = bench();
        bench.write32(OSC8M, 0x8707_0002 | prescaler << 8);
        update(&mut bench, None);
        bench.run_for(Time::from_us(3));
        assert_eq!(bench.block.output(6).map(|clock| clock.hz()), Some(hz));
    }
}

#[test]
fn a_read_request_of_the_dfll_takes_a_synchronization() {
    let mut bench = bench();
    bench.write16(DFLLCTRL, ENABLE);
    update(&mut bench, None);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read32(PCLKSR) & DFLLRDY, DFLLRDY);
    bench.write8(DFLLSYNC, 1 << 7);
    rises(&mut bench, DFLLRDY, Time::from_us(10));
}

#[test]
fn the_fractional_loop_takes_each_of_its_references() {
    // The watch crystal, the main crystal divided by 2 * (DIV + 1), a generic clock.
    let generic = Clock::new(Time::ZERO, 500_000);
    for (refclk, div, hz) in [(0, 0, 32_768), (1, 0, 8_000_000), (1, 7, 1_000_000), (2, 0, 500_000)]
    {
        let mut bench = bench();
        bench.write16(XOSC, ENABLE | XTALEN);
        bench.write16(XOSC32K, ENABLE | XTALEN | XOSC32K_EN32K);
        update(&mut bench, None);
        bench.run_for(Time::from_ms(1));
        bench.write32(DPLLRATIO, 3);
        bench.write32(DPLLCTRLB, refclk << 4 | div << 16);
        assert_eq!(bench.read8(DPLLSTATUS), 0);
        bench.write8(DPLLCTRLA, ENABLE);
        update(&mut bench, Some(generic));
        let divides = if refclk == 1 { 1 << 3 } else { 0 };
        assert_eq!(bench.read8(DPLLSTATUS), 1 << 2 | divides, "enabled");
        bench.run_for(Time::from_ms(2));
        assert_eq!(bench.read8(DPLLSTATUS), 0x07 | divides, "locked");
        assert_eq!(bench.block.output(8).map(|clock| clock.hz()), Some(4 * hz));
    }
}
