// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::peripheral::{Effect, Peripheral, ResetKind};

use crate::samr21::bench::Bench;
use lichen_isa::Width;

const CTRL: u32 = 0x00;
const READREQ: u32 = 0x02;
const EVCTRL: u32 = 0x04;
const INTENSET: u32 = 0x07;
const INTFLAG: u32 = 0x08;
const STATUS: u32 = 0x0A;
const FREQCORR: u32 = 0x0C;
const COUNT: u32 = 0x10;
const COMP0: u32 = 0x18;
const MODE2: u32 = 2 << 2;

/// The counter on a clock of 32,768 Hz, enabled with these additional bits of CTRL.
fn running(control: u32) -> Bench<Rtc> {
    let mut bench = Bench::new(Rtc::new());
    bench.clock(CHANNEL, 32_768);
    bench.write16(CTRL, control | ENABLE);
    wait(&mut bench);
    // The compare register's reset value is the count's: they match at once.
    bench.run_for(Time::from_us(100));
    bench.write8(INTFLAG, 0xFF);
    bench
}

fn wait(bench: &mut Bench<Rtc>) {
    while bench.read8(STATUS) != 0 {
        bench.run_for(Time::from_us(1));
    }
}

fn watch() -> Clock {
    Clock::new(Time::ZERO, 32_768)
}

#[test]
fn a_read_request_sets_syncbusy_and_the_processor_goes_on() {
    let mut bench = running(0);
    bench.run_for(Time::from_ms(100));
    let before = bench.now;
    bench.write16(READREQ, RREQ);
    assert_eq!(bench.now, before);
    assert_eq!(bench.read8(STATUS), SYNCBUSY);
    wait(&mut bench);
    let after = bench.now;
    assert!(after - before > Time::from_us(152) && after - before < Time::from_us(185));
    let sampled = watch().edges_until(before) + 6;
    // Six edges passed before the counter itself was enabled.
    assert_eq!(u64::from(bench.read32(COUNT)), sampled - 6);
    assert_eq!(bench.now, after, "the request has brought the value already");
}

#[test]
fn a_read_without_request_holds_the_bus() {
    let mut bench = running(0);
    let before = bench.now;
    bench.read32(COUNT);
    let held = bench.now - before;
    assert!(held > Time::from_us(152) && held < Time::from_us(184), "{held}");
}

#[test]
fn a_second_synchronized_write_holds_the_bus_and_plain_registers_do_not() {
    let mut bench = running(0);
    bench.write32(COMP0, 1_000);
    let before = bench.now;
    assert_eq!(bench.read32(COMP0), 1_000);
    bench.write8(INTENSET, 1);
    assert_eq!(bench.now, before);
    bench.write32(COMP0, 2_000);
    assert!(bench.now - before > Time::from_us(152));
}

#[test]
fn continuous_reading_never_waits_and_lags_at_most_two_crossings() {
    let mut bench = running(0);
    bench.write16(READREQ, RREQ | RCONT);
    wait(&mut bench);
    for _ in 0..50 {
        bench.run_for(Time::from_us(77));
        let before = bench.now;
        let value = u64::from(bench.read32(COUNT));
        assert_eq!(bench.now, before);
        let exact = watch().edges_until(before) - 6;
        assert!(value <= exact && exact - value <= 12, "{value} at {exact}");
    }
}

#[test]
fn a_compare_interrupts_one_tick_after_it_matches() {
    let mut bench = running(0);
    bench.write32(COMP0, 3_000);
    bench.write8(INTENSET, MATCH_0);
    let at = bench.rises_by(Time::from_s(1)).expect("interrupt");
    assert_eq!(at, watch().edge(6 + 3_001));
    bench.write8(INTFLAG, MATCH_0);
    assert!(!bench.block.irq());
}

#[test]
fn the_end_of_a_crossing_sets_syncrdy() {
    let mut bench = running(0);
    bench.write8(INTFLAG, 0xFF);
    bench.write8(INTENSET, SYNCRDY);
    bench.write32(COMP0, 5);
    assert!(!bench.block.irq());
    wait(&mut bench);
    assert!(bench.block.irq());
}

#[test]
fn the_prescaler_divides_from_the_moment_of_enabling() {
    let mut bench = running(5 << 8);
    let start = watch().edge(6);
    bench.write8(INTENSET, MATCH_0);
    bench.write32(COMP0, 9);
    let at = bench.rises_by(Time::from_s(1)).expect("interrupt");
    assert_eq!(at, start + watch().span(10 * 32));
}

#[test]
fn a_setting_that_is_protected_while_enabled_is_refused() {
    let mut bench = running(0);
    bench.write16(CTRL, ENABLE | MODE2);
    assert_eq!(bench.warnings, [WarningKind::Protected]);
    assert_eq!(bench.read16(CTRL), ENABLE);
}

#[test]
fn a_software_reset_takes_a_crossing_and_clears_everything() {
    let mut bench = running(MATCHCLR);
    bench.write32(COMP0, 77);
    bench.write16(CTRL, SWRST);
    assert_eq!(bench.read16(CTRL), SWRST);
    wait(&mut bench);
    assert_eq!((bench.read16(CTRL), bench.read32(COMP0)), (0, 0));
}

#[test]
fn the_calendar_alarms_on_time() {
    let mut bench = Bench::new(Rtc::new());
    bench.clock(CHANNEL, 1_024);
    bench.write16(CTRL, MODE2 | 10 << 8 | ENABLE);
    // 29 February of year 16, 23:59:50; alarm at midnight.
    bench.write32(COUNT, 16 << 26 | 2 << 22 | 29 << 17 | 23 << 12 | 59 << 6 | 50);
    bench.write32(COMP0, 0);
    bench.write8(0x1C, 3);
    bench.write8(INTENSET, MATCH_0);
    let at = bench.rises_by(Time::from_s(20)).expect("alarm");
    assert_eq!(at.as_s().round(), 11.0);
    assert_eq!(bench.read32(COUNT), 16 << 26 | 3 << 22 | 1 << 17 | 1);
}

const DIV2: u32 = 1 << 8;
const DIV4: u32 = 2 << 8;
/// FREQCORR.SIGN: the correction is negative, and the counter faster.
const SIGN: u32 = 0x80;

/// The moments, in edges of the generic clock, at which it fired these events.
fn events(bench: &mut Bench<Rtc>) -> Vec<(u64, u8)> {
    let event = |(at, effect): (Time, Effect)| match effect {
        Effect::Event(number) => Some((watch().edges_until(at + Time::UNIT), number)),
        _ => None,
    };
    bench.effects.drain(..).filter_map(event).collect()
}

#[test]
fn events_come_from_matches_and_from_the_prescaler() {
    let mut bench = running(DIV2);
    bench.take();
    bench.write16(EVCTRL, 1 << 8 | 0x03);
    bench.write32(COMP0, 10);
    bench.run_until(watch().edge(6 + 32));
    let (per_0, per_1, compare) = (4, 5, 1);
    // Bit 2 of the prescaler rises at 4, 12, 20 and 28 after enabling, bit 3 at 8 and 24; the match
    // of count 10 shows at 22.
    let expected = [
        (10, per_0),
        (14, per_1),
        (18, per_0),
        (26, per_0),
        (28, compare),
        (30, per_1),
        (34, per_0),
    ];
    assert_eq!(events(&mut bench), expected);
}

#[test]
fn each_periodic_event_takes_twice_as_long_as_the_one_before() {
    for index in 0..8 {
        let mut bench = running(DIV2);
        bench.take();
        bench.write16(EVCTRL, 1 << index);
        bench.run_until(watch().edge(6 + 2_048));
        let half = 4 << index;
        let expected: Vec<_> =
            (0..1_024 / half).map(|n| (6 + half + n * 2 * half, 4 + index)).collect();
        assert_eq!(events(&mut bench), expected);
    }
}

#[test]
fn undivided_there_are_no_periodic_events() {
    let mut bench = running(0);
    bench.take();
    bench.write16(EVCTRL, 0xFF);
    bench.run_for(Time::from_s(1));
    assert_eq!(bench.take(), []);
}

/// When the match of this count shows.
fn matches(bench: &mut Bench<Rtc>, count: u32) -> Time {
    bench.write32(COMP0, count);
    wait(bench);
    bench.write8(INTFLAG, 0xFF);
    bench.write8(INTENSET, MATCH_0);
    bench.rises_by(bench.now + Time::from_s(100)).expect("interrupt")
}

/// How many seconds the counter takes for ten of its own, with a correction.
fn ten_seconds(prescaler: u32, correction: u32) -> (f64, Vec<WarningKind>) {
    let mut bench = running(prescaler);
    bench.write8(FREQCORR, correction);
    let division = 1 << (prescaler >> 8);
    let at = matches(&mut bench, (32_768 * 10 / division) - 1);
    ((at - watch().edge(6)).as_s(), bench.warnings)
}

#[test]
fn a_positive_correction_lengthens_the_period_by_a_millionth_a_step() {
    let step = 1.0 / (4_096.0 * 240.0);
    for (correction, steps) in [(100, 100.0), (SIGN | 100, -100.0), (127, 127.0), (SIGN, 0.0)] {
        for prescaler in [DIV4, 5 << 8] {
            let (took, warnings) = ten_seconds(prescaler, correction);
            // It begins a millisecond late.
            assert!((took - 10.0 * (1.0 + steps * step)).abs() < 1e-6, "{steps}: {took}");
            assert_eq!(warnings, []);
        }
    }
}

#[test]
fn a_correction_needs_a_prescaler_of_four_and_changes_nothing_without() {
    for prescaler in [0, DIV2] {
        let (took, warnings) = ten_seconds(prescaler, 100);
        assert!((took - 10.0).abs() < 1e-9, "{took}");
        assert_eq!(warnings, [WarningKind::Reserved]);
    }
}

#[test]
fn a_correction_that_comes_late_does_not_move_the_prescaler() {
    let mut bench = running(10 << 8);
    bench.run_for(Time::from_s(100));
    bench.write8(FREQCORR, 127);
    let at = matches(&mut bench, 3_300) - watch().edge(6);
    // 3,301 counts of 1/32 s, of which the last 101 are slower by 129 millionths.
    let expected = 3_301.0 / 32.0 + 3.156 * 127.0 / (4_096.0 * 240.0);
    assert!((at.as_s() - expected).abs() < 1e-5, "{at}");
}

#[test]
fn a_user_reset_leaves_it_running() {
    let mut bench = running(0);
    bench.run_for(Time::from_ms(10));
    bench.with(|rtc, cx| rtc.reset(cx, ResetKind::User));
    assert_eq!(bench.read16(CTRL), ENABLE);
    assert!(bench.read32(COUNT) > 300);
    bench.with(|rtc, cx| rtc.reset(cx, ResetKind::Power));
    assert_eq!(bench.read16(CTRL), 0);
}

#[test]
fn without_its_clock_a_read_hangs_the_bus() {
    let mut bench = Bench::new(Rtc::new());
    let stall = bench.with(|rtc, cx| {
        rtc.read(cx, COUNT, Width::Word);
        cx.out.stall_until
    });
    assert_eq!(stall, Some(Time::NEVER));
    assert_eq!(bench.warnings, [WarningKind::CoreUnclocked]);
}

#[test]
fn count_begins_with_enable_and_stands_without() {
    let mut bench = running(0);
    bench.run_for(Time::from_ms(10));
    bench.write16(CTRL, 0);
    wait(&mut bench);
    let stopped = bench.read32(COUNT);
    assert!((330..350).contains(&stopped), "{stopped}");
    bench.run_for(Time::from_ms(10));
    assert_eq!(bench.read32(COUNT), stopped);
}

#[test]
fn the_prescaler_divides_by_powers_of_two() {
    for prescaler in 0..=10 {
        let mut bench = running(prescaler << 8);
        let at = matches(&mut bench, 99);
        let expected = watch().edge(6) + watch().span(100 << prescaler);
        assert!(at.units().abs_diff(expected.units()) <= 1, "{prescaler}: {at}");
    }
}

#[test]
fn both_matches_and_the_overflow_flag_interrupt_and_fire_events() {
    let [match_0, match_1, overflow] =
        [(MATCH_0, 8, 1, 31), (MATCH_1, 9, 2, 61), (OVERFLOW, 15, 3, 100)];
    for (flag, enable, event, count) in [match_0, match_1, overflow] {
        let mut bench = Bench::new(Rtc::new());
        bench.clock(CHANNEL, 32_768);
        bench.write16(CTRL, 1 << 2);
        bench.write16(0x14, 99);
        bench.write16(COMP0, 30);
        bench.write16(COMP0 + 2, 60);
        bench.write16(EVCTRL, 1 << enable);
        bench.write8(INTENSET, flag);
        bench.write16(CTRL, 1 << 2 | ENABLE);
        let started = bench.block.crossing.applied();
        let at = bench.rises_by(Time::from_s(1)).expect("interrupt");
        assert!(at.units().abs_diff((started + watch().span(count)).units()) <= 1, "{at}");
        assert_eq!(bench.take(), [Effect::Event(event)]);
        bench.write8(0x06, flag);
        assert!(!bench.block.irq());
        bench.write8(INTENSET, flag);
        bench.write8(INTFLAG, flag);
        assert!(!bench.block.irq());
    }
}
