// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;

const CHANNEL: u32 = 0x04;
const USER: u32 = 0x08;
const CHSTATUS: u32 = 0x0C;
const INTENSET: u32 = 0x14;
const INTFLAG: u32 = 0x18;

const RTC_OVF: u8 = 3;
const TC3: u8 = 18;
const RESYNC_RISING: u32 = 0x0500_0000;
const ASYNC: u32 = 0x0200_0000;

/// The RTC's overflow leads over channel 2 to TC3.
fn evsys(path: u32) -> Bench<Evsys> {
    let mut bench = Bench::new(Evsys::new());
    bench.write16(USER, 3 << 8 | TC3 as u32);
    bench.write32(CHANNEL, path | (RTC_OVF as u32) << 16 | 2);
    bench
}

#[test]
fn an_asynchronous_event_is_there_at_once_and_leaves_no_trace() {
    let mut bench = evsys(ASYNC);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert_eq!(bench.take(), [Effect::User(TC3)]);
    assert_eq!(bench.read32(INTFLAG), 0);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF + 1));
    assert_eq!(bench.take(), []);
}

#[test]
fn a_resynchronized_event_takes_three_edges_of_the_channels_clock() {
    let mut bench = evsys(RESYNC_RISING);
    bench.clock(9, 1_000_000);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert_eq!(bench.read32(CHSTATUS), 0x000F_04FF);
    bench.run_for(Time::from_us(5));
    assert_eq!(bench.effects, [(Time::from_us(3), Effect::User(TC3))]);
    assert_eq!((bench.read32(CHSTATUS), bench.read32(INTFLAG)), (0x000F_00FF, 0x0400));
}

#[test]
fn an_event_that_comes_too_soon_overruns() {
    let mut bench = evsys(RESYNC_RISING);
    bench.clock(9, 1_000_000);
    bench.write32(INTENSET, 0x0004);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert!(!bench.block.irq());
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert!(bench.block.irq());
    bench.write32(INTFLAG, u32::MAX);
    assert!(!bench.block.irq());
}

#[test]
fn without_its_clock_or_an_edge_to_detect_a_channel_passes_nothing() {
    let mut bench = evsys(RESYNC_RISING);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert_eq!((bench.take(), &bench.warnings[..]), (vec![], &[WarningKind::CoreUnclocked][..]));
    let mut bench = evsys(1 << 24);
    bench.clock(9, 1_000_000);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    bench.run_for(Time::from_us(9));
    assert_eq!(bench.take(), []);
}

#[test]
fn software_fires_a_channel_and_reads_back_what_it_selects() {
    let mut bench = evsys(ASYNC);
    bench.write16(CHANNEL, 0x0102);
    assert_eq!(bench.take(), [Effect::User(TC3)]);
    bench.write8(CHANNEL, 5);
    assert_eq!(bench.read32(CHANNEL), 5);
    bench.write8(CHANNEL, 2);
    assert_eq!(bench.read32(CHANNEL), 0x0203_0002);
    bench.write8(USER, TC3 as u32);
    assert_eq!(bench.read16(USER), 0x0312);
}

#[test]
fn upper_channels_have_their_flags_in_the_upper_half() {
    let mut bench = Bench::new(Evsys::new());
    bench.clock(18, 1_000_000);
    bench.write32(CHANNEL, RESYNC_RISING | 11);
    bench.write32(CHANNEL, RESYNC_RISING | SWEVT | 11);
    assert_eq!(bench.read32(INTFLAG), 1 << 27);
    bench.write8(0x00, 1);
    assert_eq!(bench.read32(INTFLAG), 0);
}
