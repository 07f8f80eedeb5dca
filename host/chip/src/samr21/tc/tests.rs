// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Level;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadOutput, Signal};

const CTRLA: u32 = 0x00;
const READREQ: u32 = 0x02;
const CTRLBSET: u32 = 0x05;
const CTRLC: u32 = 0x06;
const EVCTRL: u32 = 0x0A;
const INTENSET: u32 = 0x0D;
const INTFLAG: u32 = 0x0E;
const STATUS: u32 = 0x0F;
const COUNT: u32 = 0x10;
const PER: u32 = 0x14;
const CC0: u32 = 0x18;

const HZ: u64 = 8_000_000;
const TICK: Time = Time::from_ns(125);
const MFRQ: u32 = 1 << 5;
const NPWM: u32 = 2 << 5;
const MODE8: u32 = 1 << 2;
const MODE32: u32 = 2 << 2;

fn settle(bench: &mut Bench<Tc>) {
    while bench.read8(STATUS) & 0x80 != 0 {
        bench.run_for(TICK);
    }
}

fn timer() -> Bench<Tc> {
    let mut bench = Bench::new(Tc::new(4));
    bench.clock(28, HZ);
    bench
}

/// Enables with `ctrla`, and returns when the counter started.
fn start(bench: &mut Bench<Tc>, ctrla: u32) -> Time {
    settle(bench);
    bench.write16(CTRLA, ctrla | 2);
    let applied = bench.block.crossing.applied();
    bench.run_until(applied);
    applied
}

#[test]
fn it_resets_stopped() {
    let mut bench = timer();
    assert_eq!((bench.read16(CTRLA), bench.read8(STATUS)), (0, 0x08));
}

#[test]
fn count_is_a_value_of_time() {
    let mut bench = timer();
    let started = start(&mut bench, MODE32 | 3 << 8);
    bench.run_until(started + TICK * 8 * 1_000);
    assert_eq!(bench.block.timer.count(bench.now), 1_000);
    assert_eq!(bench.block.timer.count(bench.now - Time::UNIT), 999);
}

#[test]
fn a_read_of_count_stalls_and_with_a_request_it_does_not() {
    let mut bench = timer();
    start(&mut bench, 0);
    settle(&mut bench);
    let before = bench.now;
    bench.read16(COUNT);
    assert!(bench.now - before >= TICK * 7);
    bench.write16(READREQ, 0x8010);
    assert_eq!(bench.read8(STATUS), 0x80);
    let sampled = bench.block.crossing.applied();
    settle(&mut bench);
    let before = bench.now;
    let value = bench.read16(COUNT);
    assert_eq!((bench.now, value), (before, bench.block.timer.count(sampled)));
}

#[test]
fn continuous_reads_never_stall() {
    let mut bench = timer();
    start(&mut bench, 0);
    bench.write16(READREQ, 0xC010);
    settle(&mut bench);
    let before = bench.now;
    for _ in 0..100 {
        bench.run_for(TICK);
        let lag = bench.block.timer.count(bench.now) - bench.read16(COUNT);
        assert_eq!(lag, 3);
    }
    assert_eq!(bench.now, before + TICK * 100);
}

#[test]
fn match_frequency_overflows_every_top_plus_one_ticks() {
    let mut bench = timer();
    bench.write16(CC0, 999);
    bench.write8(INTENSET, 1);
    let started = start(&mut bench, MFRQ);
    assert_eq!(bench.rises_by(Time::from_ms(9)), Some(started + TICK * 1_000));
    bench.write8(INTFLAG, 1);
    assert_eq!(bench.rises_by(Time::from_ms(9)), Some(started + TICK * 2_000));
}

#[test]
fn a_compare_match_is_flagged_one_tick_after_it() {
    let mut bench = timer();
    bench.write32(CC0 + 4, 5_000);
    bench.write16(CTRLA, MODE32);
    bench.write32(CC0 + 4, 5_000);
    bench.write8(INTENSET, 1 << 5);
    let started = start(&mut bench, MODE32);
    assert_eq!(bench.rises_by(Time::from_ms(9)), Some(started + TICK * 5_001));
    bench.write8(INTFLAG, 1 << 5);
    assert!(!bench.block.irq());
}

#[test]
fn a_write_while_busy_waits_for_its_turn() {
    let mut bench = timer();
    bench.write16(CC0, 1);
    let (before, done) = (bench.now, bench.block.crossing.done());
    bench.write16(CC0 + 2, 2);
    assert!(before < done && bench.now > done);
    settle(&mut bench);
    assert_eq!((bench.read16(CC0), bench.read16(CC0 + 2)), (1, 2));
}

#[test]
fn a_write_that_waited_holds_the_bus_until_it_has_crossed() {
    let mut bench = timer();
    bench.write16(CC0, 1);
    assert_eq!(bench.read8(STATUS) & 0x80, 0x80, "the first write goes on");
    let first = bench.block.crossing.done();
    bench.write16(CC0, 2);
    assert_eq!((bench.now, bench.read8(STATUS) & 0x80), (bench.block.crossing.done(), 0));
    assert!(bench.now >= first + TICK * 5);
    // It was made once, and the next one is free again.
    let idle = bench.now;
    bench.write16(CC0, 3);
    assert_eq!((bench.now, bench.read8(STATUS) & 0x80), (idle, 0x80));
    settle(&mut bench);
    assert_eq!(bench.read16(CC0), 3);
}

#[test]
fn a_write_that_waited_but_crosses_nothing_goes_on() {
    let mut bench = timer();
    bench.write16(CC0, 1);
    let done = bench.block.crossing.done();
    bench.write16(READREQ, 0);
    assert_eq!(bench.now, done);
}

#[test]
fn synchronization_sets_its_flag_but_not_for_enabling() {
    let mut bench = timer();
    start(&mut bench, 0);
    settle(&mut bench);
    bench.run_for(TICK);
    assert_eq!(bench.read8(INTFLAG) & 0x08, 0);
    bench.write16(COUNT, 7);
    settle(&mut bench);
    assert_eq!(bench.read8(INTFLAG) & 0x08, 0x08);
}

#[test]
fn without_clock_a_write_never_arrives() {
    let mut bench = Bench::new(Tc::new(3));
    bench.write16(CTRLA, 2);
    bench.run_for(Time::from_s(1));
    assert_eq!(bench.read8(STATUS), 0x88);
}

#[test]
fn eight_bits_wrap_at_per() {
    let mut bench = timer();
    bench.write16(CTRLA, MODE8);
    assert_eq!(bench.read8(PER), 0xFF);
    bench.write8(PER, 99);
    bench.write8(INTENSET, 1);
    let started = start(&mut bench, MODE8);
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(started + TICK * 100));
}

#[test]
fn one_shot_stops_at_the_end_and_a_retrigger_starts_again() {
    let mut bench = timer();
    bench.write16(CC0, 99);
    bench.write8(CTRLBSET, 0x04);
    bench.write8(INTENSET, 1);
    let started = start(&mut bench, MFRQ);
    settle(&mut bench);
    assert_eq!(bench.read8(STATUS), 0);
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(started + TICK * 100));
    bench.run_for(Time::from_ms(1));
    assert_eq!((bench.read8(STATUS), bench.read16(COUNT)), (0x08, 0));
    bench.write8(INTFLAG, 0xFF);
    bench.write8(CTRLBSET, 0x40);
    let restarted = bench.block.crossing.applied();
    assert_eq!(bench.rises_by(Time::from_ms(9)), Some(restarted + TICK * 100));
}

#[test]
fn the_stop_command_freezes_the_count() {
    let mut bench = timer();
    start(&mut bench, 0);
    settle(&mut bench);
    bench.write8(CTRLBSET, 0x80);
    settle(&mut bench);
    let count = bench.read16(COUNT);
    bench.run_for(Time::from_ms(1));
    assert_eq!((bench.read16(COUNT), bench.read8(STATUS)), (count, 0x08));
    assert_eq!(bench.read8(CTRLBSET), 0);
}

#[test]
fn counting_down_wraps_to_the_top() {
    let mut bench = timer();
    bench.write16(CC0, 99);
    bench.write8(CTRLBSET, 0x01);
    bench.write8(INTENSET, 1);
    let started = start(&mut bench, MFRQ);
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(started + TICK));
    assert_eq!(bench.block.timer.count(bench.now), 99);
}

fn edges(bench: &Bench<Tc>, output: u8) -> Vec<(Time, Level)> {
    let signal = Signal::Tc { instance: 4, output };
    let mut edges: Vec<(Time, Level)> = Vec::new();
    for (at, effect) in &bench.effects {
        if let Effect::Pad(of, PadOutput::Level(level)) = effect
            && *of == signal
            && edges.last().is_none_or(|(_, last)| last != level)
        {
            edges.push((*at, *level));
        }
    }
    edges
}

#[test]
fn pulse_width_is_the_compare_value() {
    let mut bench = timer();
    bench.write16(CTRLA, MODE8);
    bench.write8(PER, 9);
    bench.write8(CC0 + 1, 3);
    let started = start(&mut bench, MODE8 | NPWM);
    bench.run_for(TICK * 21);
    let at = |tick: u64, level| (started + TICK * tick, level);
    let expected = [
        at(0, Level::High),
        at(3, Level::Low),
        at(10, Level::High),
        at(13, Level::Low),
        at(20, Level::High),
    ];
    assert_eq!(edges(&bench, 1), expected);
}

#[test]
fn match_frequency_toggles_its_output() {
    let mut bench = timer();
    bench.write16(CC0, 3);
    bench.write8(CTRLC, 1);
    let started = start(&mut bench, MFRQ);
    bench.run_for(TICK * 9);
    let at = |tick: u64, level| (started + TICK * tick, level);
    let expected = [at(0, Level::High), at(4, Level::Low), at(8, Level::High)];
    assert_eq!(edges(&bench, 0), expected);
}

#[test]
fn the_clock_may_change_while_counting() {
    let mut bench = timer();
    let started = start(&mut bench, 0);
    bench.run_until(started + TICK * 100);
    bench.stop_clock(28);
    bench.run_for(Time::from_ms(1));
    bench.clock(28, HZ / 8);
    let restarted = bench.now;
    bench.run_for(TICK * 8 * 10);
    assert_eq!(bench.block.timer.count(restarted + TICK * 80), 110);
}

#[test]
fn events_count_capture_and_report() {
    let mut bench = timer();
    bench.write16(EVCTRL, 0x2122);
    bench.write16(CC0 + 2, 1);
    start(&mut bench, 0);
    bench.effects.clear();
    for _ in 0..3 {
        bench.with(|tc, cx| tc.event(cx, 19));
    }
    assert_eq!(bench.block.timer.count(bench.now), 3);
    let events: Vec<Effect> =
        bench.take().into_iter().filter(|effect| matches!(effect, Effect::Event(_))).collect();
    assert_eq!(events, [Effect::Event(56)]);

    let mut bench = timer();
    bench.write16(EVCTRL, 0x0020);
    bench.write8(CTRLC, 0x10);
    let started = start(&mut bench, 0);
    bench.run_until(started + TICK * 77);
    bench.with(|tc, cx| tc.event(cx, 19));
    settle(&mut bench);
    assert_eq!(bench.read8(INTFLAG) & 0x12, 0x10);
    bench.run_for(TICK * 10);
    bench.with(|tc, cx| tc.event(cx, 19));
    assert_eq!(bench.read8(INTFLAG) & 0x12, 0x12);
    assert_eq!(bench.read16(CC0), 77, "the second one is not stored");
}

#[test]
fn reading_a_capture_clears_its_flag_and_reading_a_compare_value_does_not() {
    for continuous in [false, true] {
        let mut bench = timer();
        bench.write16(EVCTRL, 0x0020);
        bench.write8(CTRLC, 0x10);
        bench.write16(CC0 + 2, 40);
        let started = start(&mut bench, 0);
        settle(&mut bench);
        bench.run_until(started + TICK * 77);
        bench.with(|tc, cx| tc.event(cx, 19));
        assert_eq!(bench.read8(INTFLAG) & 0x32, 0x30);
        if continuous {
            bench.write16(READREQ, 0xC018);
            settle(&mut bench);
        }
        assert_eq!((bench.read16(CC0), bench.read16(CC0 + 2)), (77, 40));
        assert_eq!(bench.read8(INTFLAG) & 0x32, 0x20);
        bench.with(|tc, cx| tc.event(cx, 19));
        assert_eq!(bench.read8(INTFLAG) & 0x32, 0x30, "the next capture has room");
    }
}

#[test]
fn configuration_is_locked_while_enabled() {
    let mut bench = timer();
    start(&mut bench, 0);
    settle(&mut bench);
    bench.write16(CTRLA, MODE32 | 2);
    bench.write16(EVCTRL, 1);
    assert_eq!((bench.read16(CTRLA), bench.read16(EVCTRL)), (2, 0));
    assert_eq!(bench.warnings, [WarningKind::Protected; 2]);
}

#[test]
fn write_protection_spares_flags_and_counts() {
    let protected = |offset| timer().block.write_protected(offset);
    let all = [CTRLA, CTRLBSET, EVCTRL, INTENSET].map(protected);
    assert_eq!((all, [READREQ, INTFLAG, COUNT, CC0].map(protected)), ([true; 4], [false; 4]));
}

#[test]
fn software_reset_restores_everything() {
    let mut bench = timer();
    bench.write16(CC0, 5);
    start(&mut bench, MFRQ);
    settle(&mut bench);
    bench.write16(CTRLA, 1);
    assert_eq!(bench.read16(CTRLA), 1);
    settle(&mut bench);
    assert_eq!((bench.read16(CTRLA), bench.read16(CC0), bench.read8(STATUS)), (0, 0, 8));
}

#[test]
fn every_width_overflows_at_its_end() {
    for (mode, last) in [(MODE8, 0xFF), (0, 0xFFFF), (MODE32, u32::MAX)] {
        let mut bench = timer();
        bench.write8(INTENSET, 1);
        let started = start(&mut bench, mode);
        let expected = started + TICK * (u64::from(last) + 1);
        assert_eq!(bench.rises_by(Time::from_s(1_000)), Some(expected));
    }
}

#[test]
fn every_prescaler_divides_as_the_data_sheet_says() {
    for (field, division) in (0..).zip([1, 2, 4, 8, 16, 64, 256, 1_024]) {
        let mut bench = timer();
        bench.write8(INTENSET, 1);
        let started = start(&mut bench, field << 8);
        let expected = started + TICK * 65_536 * division;
        assert_eq!(bench.rises_by(Time::from_s(1_000)), Some(expected));
    }
}

#[test]
fn an_inverted_output_has_the_other_level() {
    for output in 0..2u8 {
        for (ctrlc, levels) in
            [(0, [Level::High, Level::Low]), (1 << output, [Level::Low, Level::High])]
        {
            let mut bench = timer();
            bench.write16(CTRLA, MODE8);
            bench.write8(PER, 9);
            bench.write8(CC0 + u32::from(output), 3);
            bench.write8(CTRLC, ctrlc);
            let started = start(&mut bench, MODE8 | NPWM);
            bench.run_for(TICK * 5);
            let expected = [(started, levels[0]), (started + TICK * 3, levels[1])];
            assert!(edges(&bench, output).ends_with(&expected), "{output} {ctrlc}");
        }
    }
}

#[test]
fn a_retrigger_restarts_the_prescaler_only_if_that_is_chosen() {
    for (prescsync, restarts) in [(0, false), (2 << 12, true)] {
        let mut bench = timer();
        let started = start(&mut bench, prescsync | 3 << 8);
        settle(&mut bench);
        bench.run_until(started + TICK * 45);
        bench.write8(CTRLBSET, 1 << 6);
        let again = bench.block.crossing.applied();
        bench.run_until(again);
        let since = (again - started) / TICK;
        assert!(since % 8 != 0, "the prescaler is between two ticks");
        for ticks in 1..40 {
            let expected = if restarts { ticks / 8 } else { (since + ticks) / 8 - since / 8 };
            let count = bench.block.timer.count(again + TICK * ticks);
            assert_eq!(u64::from(count), expected, "{prescsync:#x} {ticks}");
        }
    }
}

#[test]
fn an_event_starts_again_or_starts_what_stands() {
    let (retrigger, start_action) = (1, 3);
    let mut bench = timer();
    bench.write16(EVCTRL, 0x20 | retrigger);
    let started = start(&mut bench, 0);
    bench.run_until(started + TICK * 100);
    bench.with(|tc, cx| tc.event(cx, 19));
    assert_eq!(bench.block.timer.count(bench.now), 0);
    let mut bench = timer();
    bench.write16(EVCTRL, 0x20 | start_action);
    start(&mut bench, 0);
    settle(&mut bench);
    bench.write8(CTRLBSET, 2 << 6);
    settle(&mut bench);
    let stopped = bench.block.timer.count(bench.now);
    bench.run_for(TICK * 10);
    assert_eq!(bench.block.timer.count(bench.now), stopped);
    bench.with(|tc, cx| tc.event(cx, 19));
    bench.run_for(TICK * 10);
    assert!(bench.block.timer.count(bench.now) > stopped);
}
