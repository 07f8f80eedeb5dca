// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;

const CTRL: u32 = 0x00;
const CHANNEL: u32 = 0x04;
const USER: u32 = 0x08;
const CHSTATUS: u32 = 0x0C;
const INTENCLR: u32 = 0x10;
const INTENSET: u32 = 0x14;
const INTFLAG: u32 = 0x18;

const RTC_OVF: u8 = 3;
const TC3: u8 = 18;
/// The last generator: an empty buffer of the DAC.
const DAC_EMPTY: u8 = 71;
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

/// The users that an event reaches at once.
fn reached(bench: &mut Bench<Evsys>, generator: u8) -> Vec<u8> {
    bench.with(|evsys, cx| evsys.generate(cx, generator));
    let user = |effect| match effect {
        Effect::User(user) => Some(user),
        _ => None,
    };
    bench.take().into_iter().filter_map(user).collect()
}

#[test]
fn every_channel_takes_every_generator() {
    for channel in 0..CHANNELS as u32 {
        for generator in 1..=DAC_EMPTY {
            let mut bench = Bench::new(Evsys::new());
            bench.write16(USER, (channel + 1) << 8 | u32::from(TC3));
            bench.write32(CHANNEL, ASYNC | u32::from(generator) << 16 | channel);
            assert_eq!(reached(&mut bench, generator), [TC3], "{channel} {generator}");
            assert_eq!(reached(&mut bench, generator % DAC_EMPTY + 1), []);
        }
    }
}

#[test]
fn every_user_takes_every_channel_and_channels_have_many_users() {
    for channel in 0..CHANNELS as u32 {
        let mut bench = Bench::new(Evsys::new());
        bench.write32(CHANNEL, ASYNC | u32::from(RTC_OVF) << 16 | channel);
        let mut users = Vec::new();
        for user in 0..USERS as u8 {
            bench.write16(USER, (channel + 1) << 8 | u32::from(user));
            users.push(user);
            assert_eq!(reached(&mut bench, RTC_OVF), users, "{channel}");
        }
        bench.write16(USER, 0);
        assert_eq!(reached(&mut bench, RTC_OVF), users[1..]);
        assert_eq!(bench.warnings, []);
    }
}

#[test]
fn paths_with_a_clock_need_an_edge_and_take_their_time() {
    let (synchronous, resynchronized, asynchronous) = (0, 1, 2);
    for edge in 0..=2 {
        let clocked = |cycles| (edge != 0).then(|| Time::from_us(cycles));
        for (path, expected) in [
            (synchronous, clocked(2)),
            (resynchronized, clocked(3)),
            (asynchronous, Some(Time::ZERO)),
        ] {
            let mut bench = evsys(edge << 26 | path << 24);
            bench.clock(9, 1_000_000);
            bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
            bench.run_for(Time::from_us(9));
            let times: Vec<Time> = bench.effects.iter().map(|(at, _)| *at).collect();
            assert_eq!(times, Vec::from_iter(expected), "{edge} {path}");
        }
    }
}

#[test]
fn each_channel_has_its_flags_and_interrupts() {
    for channel in 0..CHANNELS as u32 {
        let overrun = if channel < 8 { 1 << channel } else { 1 << (channel + 8) };
        let detected = overrun << 8;
        let mut bench = Bench::new(Evsys::new());
        bench.clock(FIRST_CLOCK + channel as u8, 1_000_000);
        bench.write32(INTENSET, detected);
        assert!(!bench.block.irq());
        bench.write32(CHANNEL, RESYNC_RISING | SWEVT | channel);
        assert!(bench.block.irq());
        assert_eq!(bench.read32(CHSTATUS), 0x000F_00FF | detected);
        bench.write32(INTENCLR, detected);
        assert!(!bench.block.irq());
        bench.write32(INTENSET, overrun);
        assert!(!bench.block.irq());
        bench.write32(CHANNEL, RESYNC_RISING | SWEVT | channel);
        assert_eq!((bench.block.irq(), bench.read32(INTFLAG)), (true, overrun | detected));
        bench.write32(INTFLAG, overrun);
        assert_eq!((bench.block.irq(), bench.read32(INTFLAG)), (false, detected));
    }
}

#[test]
fn a_channel_keeps_its_clock_while_an_event_is_under_way_or_if_all_do() {
    let wanted = |bench: &Bench<Evsys>| -> Vec<u8> {
        (0..35).filter(|channel| bench.block.wants_clock(*channel)).collect()
    };
    let mut bench = evsys(RESYNC_RISING);
    bench.clock(9, 1_000_000);
    assert_eq!(wanted(&bench), []);
    bench.with(|evsys, cx| evsys.generate(cx, RTC_OVF));
    assert_eq!(wanted(&bench), [9]);
    bench.write8(CTRL, u32::from(GCLKREQ));
    assert_eq!(wanted(&bench), Vec::from_iter(7..19));
}

#[test]
fn a_software_reset_forgets_channels_users_and_interrupts() {
    let mut bench = evsys(ASYNC);
    bench.write32(INTENSET, 1);
    bench.write8(CTRL, 1);
    bench.write8(CHANNEL, 2);
    bench.write8(USER, u32::from(TC3));
    assert_eq!((bench.read32(CHANNEL), bench.read16(USER)), (2, u32::from(TC3)));
    assert_eq!((bench.read32(INTENSET), reached(&mut bench, RTC_OVF)), (0, vec![]));
}
