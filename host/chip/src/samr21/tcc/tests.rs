// SPDX-License-Identifier: MIT OR Apache-2.0
use super::registers::{DIR, ERR, LUPD, MC0, ONESHOT, OVF, STOP, TRG};
use super::*;
use crate::Level;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadOutput, Signal};

const CTRLA: u32 = 0x00;
const CTRLBCLR: u32 = 0x04;
const CTRLBSET: u32 = 0x05;
const SYNCBUSY: u32 = 0x08;
const DRVCTRL: u32 = 0x18;
const EVCTRL: u32 = 0x20;
const INTENCLR: u32 = 0x24;
const INTENSET: u32 = 0x28;
const INTFLAG: u32 = 0x2C;
const STATUS: u32 = 0x30;
const COUNT: u32 = 0x34;
const PATT: u32 = 0x38;
const WAVE: u32 = 0x3C;
const PER: u32 = 0x40;
const CC0: u32 = 0x44;
const PATTB: u32 = 0x64;
const WAVEB: u32 = 0x68;
const PERB: u32 = 0x6C;
const CCB0: u32 = 0x70;

const TICK: Time = Time::from_ns(125);
const NFRQ: u32 = 0;
const MFRQ: u32 = 1;
const NPWM: u32 = 2;
/// CTRLB.CMD.
const RETRIGGER: u32 = 1 << 5;
const UPDATE: u32 = 3 << 5;
/// EVCTRL.
const TRGEO: u32 = 1 << 9;
const TCEI0: u32 = 1 << 14;
const TCEI1: u32 = 1 << 15;
const MCEI0: u32 = 1 << 16;
const MCEO0: u32 = 1 << 24;
/// CTRLA.CPTEN0 and STATUS.CMP0.
const CPTEN0: u32 = 1 << 24;
const CMP0: u32 = 1 << 24;
/// Event users of TCC0: two inputs, then one of each channel.
const USER: u8 = 4;

fn settle(bench: &mut Bench<Tcc>) {
    while bench.read32(SYNCBUSY) != 0 {
        bench.run_for(TICK);
    }
}

fn tcc(instance: u8) -> Bench<Tcc> {
    let mut bench = Bench::new(Tcc::new(instance));
    let channel = bench.block.variant.clock;
    bench.clock(channel, 8_000_000);
    bench
}

fn start(bench: &mut Bench<Tcc>) -> Time {
    start_with(bench, 0)
}

/// Enables it with CTRLA; when it begins to count.
fn start_with(bench: &mut Bench<Tcc>, ctrla: u32) -> Time {
    settle(bench);
    bench.write32(CTRLA, ctrla | ENABLE);
    let applied = bench.block.crossings[BUSY_ENABLE].applied();
    bench.run_until(applied);
    applied
}

fn edges(bench: &Bench<Tcc>, output: u8) -> Vec<(Time, Level)> {
    let mut edges: Vec<(Time, Level)> = Vec::new();
    for (at, effect) in &bench.effects {
        if let Effect::Pad(Signal::Tcc { output: of, .. }, PadOutput::Level(level)) = effect
            && *of == output
            && edges.last().is_none_or(|(_, last)| last != level)
        {
            edges.push((*at, *level));
        }
    }
    edges
}

fn command(bench: &mut Bench<Tcc>, command: u32) {
    bench.write8(CTRLBSET, command);
    settle(bench);
}

fn event(bench: &mut Bench<Tcc>, input: u8) {
    bench.with(|tcc, cx| tcc.event(cx, USER + input));
}

/// The events that it has sent.
fn sent(bench: &mut Bench<Tcc>) -> Vec<u8> {
    let event = |effect| match effect {
        Effect::Event(event) => Some(event),
        _ => None,
    };
    bench.take().into_iter().filter_map(event).collect()
}

#[test]
fn each_register_has_its_own_busy_bit() {
    let registers = [
        (CTRLA, 1),
        (CTRLBCLR, 2),
        (CTRLBSET, 2),
        (STATUS, 3),
        (COUNT, 4),
        (PATT, 5),
        (WAVE, 6),
        (PER, 7),
        (CC0, 8),
        (CC0 + 4, 9),
        (CC0 + 8, 10),
        (CC0 + 12, 11),
        (PATTB, 16),
        (WAVEB, 17),
        (PERB, 18),
        (CCB0, 19),
        (CCB0 + 4, 20),
        (CCB0 + 8, 21),
        (CCB0 + 12, 22),
    ];
    for (offset, bit) in registers {
        let mut bench = tcc(0);
        bench.write8(offset, 2);
        assert_eq!(bench.read32(SYNCBUSY), 1 << bit, "{offset:#x}");
        settle(&mut bench);
    }
    let mut bench = tcc(0);
    bench.write32(PER, 99);
    bench.write32(CC0 + 8, 5);
    assert_eq!(bench.read32(SYNCBUSY), 1 << 7 | 1 << 10);
    settle(&mut bench);
    assert_eq!((bench.read32(PER), bench.read32(CC0 + 8)), (99, 5));
}

#[test]
fn pulse_width_modulation_on_every_output_of_a_channel() {
    let mut bench = tcc(1);
    bench.write32(WAVE, NPWM);
    bench.write32(PER, 9);
    bench.write32(CC0 + 4, 4);
    let started = start(&mut bench);
    bench.run_for(TICK * 15);
    let at = |tick: u64, level| (started + TICK * tick, level);
    let expected = [at(0, Level::High), at(4, Level::Low), at(10, Level::High), at(14, Level::Low)];
    assert_eq!(edges(&bench, 1), expected);
    assert_eq!(edges(&bench, 3), expected);
    assert_eq!(edges(&bench, 0), [at(0, Level::Low)]);
}

#[test]
fn buffers_take_effect_at_the_next_overflow() {
    let mut bench = tcc(0);
    bench.write32(WAVE, NPWM);
    bench.write32(PER, 99);
    bench.write32(CC0, 50);
    let started = start(&mut bench);
    bench.write32(CCB0, 20);
    bench.write32(PERB, 49);
    bench.run_until(started + TICK * 90);
    assert_eq!(bench.read32(STATUS), CCBV0 | PERBV);
    bench.run_until(started + TICK * 155);
    assert_eq!((bench.read32(STATUS), bench.read32(CC0), bench.read32(PER)), (CMP0, 20, 49));
    let at = |tick: u64, level| (started + TICK * tick, level);
    let seen = edges(&bench, 0);
    assert_eq!(seen[2..], [at(100, Level::High), at(120, Level::Low), at(150, Level::High)]);
}

#[test]
fn overflow_and_match_interrupt() {
    let mut bench = tcc(2);
    bench.write32(PER, 999);
    bench.write32(CC0, 499);
    bench.write32(INTENSET, 1 << 16);
    let started = start(&mut bench);
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(started + TICK * 500));
    bench.write32(INTFLAG, 1 << 16);
    bench.run_until(started + TICK * 1_000);
    assert_eq!(bench.read32(INTFLAG) & 1, 1);
}

#[test]
fn the_count_is_fetched_by_command() {
    let mut bench = tcc(0);
    let started = start(&mut bench);
    assert_eq!(bench.read32(COUNT), 0);
    bench.run_until(started + TICK * 500);
    bench.write8(CTRLBSET, 4 << 5);
    let sampled = bench.block.crossings[BUSY_CTRLB].applied();
    settle(&mut bench);
    assert_eq!(bench.read32(COUNT) as u64, (sampled - started) / TICK);
    assert_eq!(bench.read8(CTRLBSET), 0);
}

#[test]
fn the_period_of_a_small_timer_is_16_bits() {
    let mut bench = tcc(2);
    bench.write32(INTENSET, 1);
    let started = start(&mut bench);
    assert_eq!(bench.rises_by(Time::from_s(1)), Some(started + TICK * 65_536));
    bench.write32(CC0 + 8, 1);
    assert_eq!(bench.warnings, [WarningKind::NoRegister]);
}

#[test]
fn stop_and_retrigger() {
    let mut bench = tcc(0);
    assert_eq!(bench.read32(STATUS), 1);
    start(&mut bench);
    assert_eq!(bench.read32(STATUS), 0);
    bench.write8(CTRLBSET, 2 << 5);
    settle(&mut bench);
    assert_eq!(bench.read32(STATUS), 1);
    bench.write8(CTRLBSET, 1 << 5);
    settle(&mut bench);
    assert_eq!((bench.read32(STATUS), bench.read32(INTFLAG) & 2), (0, 2));
}

#[test]
fn patterns_and_inversion_override_the_waveform() {
    let mut bench = tcc(0);
    bench.write16(PATT, 0x0101);
    bench.write32(DRVCTRL, 1 << 17);
    start(&mut bench);
    let level = |output| edges(&bench, output).last().map(|(_, level)| *level);
    assert_eq!(
        (level(0), level(1), level(2)),
        (Some(Level::High), Some(Level::High), Some(Level::Low))
    );
}

#[test]
fn events_are_made_and_taken() {
    let mut bench = tcc(0);
    bench.write32(EVCTRL, 1 << 14 | 2 | 1 << 8);
    bench.write32(PER, 1);
    start(&mut bench);
    bench.effects.clear();
    bench.with(|tcc, cx| tcc.event(cx, 4));
    bench.with(|tcc, cx| tcc.event(cx, 4));
    let events: Vec<Effect> =
        bench.take().into_iter().filter(|effect| matches!(effect, Effect::Event(_))).collect();
    assert_eq!(events, [Effect::Event(34)]);
}

#[test]
fn configuration_is_locked_and_missing_features_are_reported() {
    let mut bench = tcc(0);
    bench.write32(WAVE, 5);
    start(&mut bench);
    bench.write32(EVCTRL, 1);
    assert_eq!(bench.warnings, [WarningKind::NotModelled, WarningKind::Protected]);
}

#[test]
fn software_reset_restores_everything() {
    let mut bench = tcc(0);
    bench.write32(PER, 5);
    start(&mut bench);
    bench.write32(CTRLA, 1);
    assert_eq!((bench.read32(CTRLA), bench.read32(SYNCBUSY)), (1, 1));
    settle(&mut bench);
    assert_eq!((bench.read32(CTRLA), bench.read32(PER), bench.read32(STATUS)), (0, u32::MAX, 1));
}

#[test]
fn every_prescaler_divides_as_the_data_sheet_says() {
    for (field, division) in (0..).zip([1, 2, 4, 8, 16, 64, 256, 1_024]) {
        let mut bench = tcc(0);
        bench.write32(PER, 9);
        bench.write32(INTENSET, OVF);
        let started = start_with(&mut bench, field << 8);
        let expected = started + TICK * 10 * division;
        assert_eq!(bench.rises_by(Time::from_s(1)), Some(expected));
    }
}

#[test]
fn a_retrigger_restarts_the_prescaler_only_if_that_is_chosen() {
    for (prescsync, restarts) in [(0, false), (2 << 12, true)] {
        let mut bench = tcc(0);
        let started = start_with(&mut bench, prescsync | 3 << 8);
        settle(&mut bench);
        bench.run_until(started + TICK * 45);
        bench.write8(CTRLBSET, RETRIGGER);
        let again = bench.block.crossings[BUSY_CTRLB].applied();
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
fn it_keeps_its_clock_in_standby_if_it_runs_there() {
    for (instance, channel) in [(0, 26), (1, 26), (2, 27)] {
        for (ctrla, expected) in [(0, vec![]), (RUNSTDBY, vec![channel])] {
            let mut bench = tcc(instance);
            start_with(&mut bench, ctrla);
            let wanted = (0..35).filter(|channel| bench.block.wants_clock(*channel));
            assert_eq!(Vec::from_iter(wanted), expected);
        }
    }
}

#[test]
fn it_counts_down_and_up_and_from_what_is_written() {
    let mut bench = tcc(0);
    bench.write32(PER, 9);
    command(&mut bench, u32::from(DIR));
    let started = start(&mut bench);
    let counts = |bench: &Bench<Tcc>, from: Time| {
        [0, 1, 2, 9, 10, 11].map(|tick| bench.block.timer.count(from + TICK * tick))
    };
    assert_eq!(counts(&bench, started), [0, 9, 8, 1, 0, 9]);
    assert_eq!(bench.read8(CTRLBCLR), u32::from(DIR));
    bench.write8(CTRLBCLR, u32::from(DIR));
    settle(&mut bench);
    bench.write32(COUNT, 7);
    let written = bench.block.crossings[4].applied();
    bench.run_until(written);
    assert_eq!(counts(&bench, written), [7, 8, 9, 6, 7, 8]);
}

#[test]
fn it_stops_after_one_shot_and_a_retrigger_starts_another() {
    let mut bench = tcc(0);
    bench.write32(PER, 9);
    command(&mut bench, u32::from(ONESHOT));
    start(&mut bench);
    for _ in 0..2 {
        assert_eq!(bench.read32(STATUS) & STOP, 0);
        bench.run_for(TICK * 30);
        assert_eq!((bench.read32(STATUS) & STOP, bench.read32(INTFLAG) & OVF), (STOP, OVF));
        bench.write32(INTFLAG, OVF);
        command(&mut bench, RETRIGGER);
    }
}

#[test]
fn locked_buffers_wait_for_a_command_or_to_be_unlocked() {
    let period = |bench: &mut Bench<Tcc>| (bench.read32(PER), bench.read32(STATUS) & PERBV);
    let mut bench = tcc(0);
    bench.write32(PER, 9);
    start(&mut bench);
    command(&mut bench, u32::from(LUPD));
    bench.write32(PERB, 14);
    bench.run_for(TICK * 30);
    assert_eq!(period(&mut bench), (9, PERBV));
    command(&mut bench, UPDATE);
    assert_eq!(period(&mut bench), (14, 0));
    bench.write32(PERB, 19);
    bench.run_for(TICK * 30);
    assert_eq!(period(&mut bench), (14, PERBV));
    bench.write8(CTRLBCLR, u32::from(LUPD));
    bench.run_for(TICK * 30);
    assert_eq!(period(&mut bench), (19, 0));
}

#[test]
fn each_register_has_a_buffer_that_is_valid_until_it_is_taken_or_dropped() {
    let compare = |channel: u32| (CCB0 + 4 * channel, CC0 + 4 * channel, CCBV0 << channel, 3);
    let registers = [
        (PATTB, PATT, PATTBV, 0x0304),
        (WAVEB, WAVE, WAVEBV, 0x0005_0002),
        (PERB, PER, PERBV, 7),
        compare(0),
        compare(1),
        compare(2),
        compare(3),
    ];
    for (buffer, register, valid, value) in registers {
        for dropped in [false, true] {
            let mut bench = tcc(0);
            bench.write32(PER, 9);
            start(&mut bench);
            let before = bench.read32(register);
            command(&mut bench, u32::from(LUPD));
            bench.write32(buffer, value);
            settle(&mut bench);
            let shown = bench.read32(STATUS) & 0x000F_00E0;
            assert_eq!((bench.read32(buffer), shown), (value, valid), "{buffer:#x}");
            if dropped {
                bench.write32(STATUS, valid);
                settle(&mut bench);
            }
            command(&mut bench, UPDATE);
            assert_eq!(bench.read32(register), if dropped { before } else { value });
            assert_eq!(bench.read32(STATUS) & valid, 0);
        }
    }
}

/// What TCC0's outputs have become.
fn levels(bench: &Bench<Tcc>) -> Vec<bool> {
    let level = |output| edges(bench, output).last().map(|(_, level)| *level);
    (0..8).map(|output| level(output) == Some(Level::High)).collect()
}

#[test]
fn each_output_is_inverted_or_follows_its_pattern() {
    for output in 0..8 {
        let only = |high: bool| Vec::from_iter((0..8).map(|n| (n == output) == high));
        for (pattern, drvctrl, compare, expected) in [
            (0, 1 << (16 + output), 0, only(true)),
            (0, 1 << (16 + output), 5, only(false)),
            (0x101 << output, 0, 0, only(true)),
            (0x001 << output, 0, 5, only(false)),
            (0x100 << output, 0, 5, vec![true; 8]),
        ] {
            let mut bench = tcc(0);
            bench.write32(WAVE, NPWM);
            bench.write16(PATT, pattern);
            bench.write32(DRVCTRL, drvctrl);
            for channel in 0..4 {
                bench.write32(CC0 + 4 * channel, compare);
            }
            start(&mut bench);
            assert_eq!(levels(&bench), expected, "{output} {pattern:#x}");
        }
    }
}

#[test]
fn each_generation_has_its_edges_on_each_channel() {
    for channel in 0..4u8 {
        let polarity = 1 << (16 + channel);
        for (wave, first, ticks) in [
            (NFRQ, Level::Low, [4, 14, 24]),
            (NPWM, Level::High, [4, 10, 14]),
            (NPWM | polarity, Level::Low, [4, 10, 14]),
        ] {
            let mut bench = tcc(0);
            bench.write32(WAVE, wave);
            bench.write32(PER, 9);
            bench.write32(CC0 + 4 * u32::from(channel), 4);
            let started = start(&mut bench);
            bench.run_until(started + TICK * 25);
            let seen = edges(&bench, channel);
            let times = seen.iter().map(|(at, _)| (*at - started) / TICK).take(4);
            let expected = [0].into_iter().chain(ticks);
            assert!(times.eq(expected), "{wave:#x} {channel} {seen:?}");
            assert_eq!(seen[0].1, first);
        }
    }
    let mut bench = tcc(0);
    bench.write32(WAVE, MFRQ);
    bench.write32(CC0, 3);
    let started = start(&mut bench);
    bench.run_until(started + TICK * 9);
    let at = |tick: u64, level| (started + TICK * tick, level);
    let expected = [at(0, Level::Low), at(4, Level::High), at(8, Level::Low)];
    assert_eq!(edges(&bench, 0), expected);
}

#[test]
fn the_status_shows_what_each_channel_compares() {
    for channel in 0..4 {
        let mut bench = tcc(0);
        bench.write32(WAVE, NPWM);
        bench.write32(PER, 9);
        bench.write32(CC0 + 4 * channel, 4);
        let started = start(&mut bench);
        assert_eq!(bench.read32(STATUS), CMP0 << channel);
        bench.run_until(started + TICK * 4);
        assert_eq!(bench.read32(STATUS), 0);
    }
}

#[test]
fn each_channel_captures_and_a_capture_that_was_not_fetched_is_an_error() {
    for channel in 0..4u8 {
        let flags = MC0 << channel | ERR;
        for (ctrla, evctrl, captures) in [
            (CPTEN0 << channel, MCEI0 << channel, true),
            (CPTEN0 << channel, 0, false),
            (0, MCEI0 << channel, false),
        ] {
            let mut bench = tcc(0);
            bench.write32(EVCTRL, evctrl);
            let compare = CC0 + 4 * u32::from(channel);
            bench.write32(compare, 5_000);
            let started = start_with(&mut bench, ctrla);
            bench.run_until(started + TICK * 77);
            event(&mut bench, 2 + (channel + 1) % 4);
            assert_eq!(bench.read32(INTFLAG) & flags, 0);
            event(&mut bench, 2 + channel);
            let captured = if captures { MC0 << channel } else { 0 };
            assert_eq!(bench.read32(INTFLAG) & flags, captured);
            bench.run_for(TICK * 10);
            event(&mut bench, 2 + channel);
            assert_eq!(bench.read32(INTFLAG) & flags, if captures { flags } else { 0 });
            bench.write32(INTFLAG, ERR);
            assert_eq!(bench.read32(compare), if captures { 77 } else { 5_000 });
            assert_eq!(bench.read32(INTFLAG) & flags, 0, "it is fetched");
            event(&mut bench, 2 + channel);
            assert_eq!(bench.read32(INTFLAG) & flags, captured);
        }
    }
}

#[test]
fn events_start_again_start_and_stop_if_their_input_is_enabled() {
    let (again, start_action, stop_action) = (1, 3, 3 << 3);
    for (input, enable, action) in [(0, TCEI0, again), (1, TCEI1, again << 3)] {
        for (evctrl, taken) in [(action | enable, true), (action, false)] {
            let mut bench = tcc(0);
            bench.write32(EVCTRL, evctrl);
            let started = start(&mut bench);
            bench.run_until(started + TICK * 100);
            event(&mut bench, input);
            let (count, flag) = (bench.block.timer.count(bench.now), bench.read32(INTFLAG) & TRG);
            assert_eq!((count, flag), if taken { (0, TRG) } else { (100, 0) });
        }
    }
    let mut bench = tcc(0);
    bench.write32(EVCTRL, TCEI0 | TCEI1 | start_action | stop_action);
    let started = start(&mut bench);
    bench.run_until(started + TICK * 100);
    event(&mut bench, 0);
    assert_eq!(bench.block.timer.count(bench.now), 100);
    event(&mut bench, 1);
    bench.run_for(TICK * 100);
    assert_eq!((bench.block.timer.count(bench.now), bench.read32(STATUS)), (100, STOP));
    event(&mut bench, 0);
    bench.run_for(TICK * 10);
    assert_eq!((bench.block.timer.count(bench.now), bench.read32(STATUS)), (10, 0));
}

#[test]
fn matches_and_retriggers_send_events_if_that_is_enabled() {
    for (evctrl, expected) in [(TRGEO, vec![35]), (0, vec![])] {
        let mut bench = tcc(0);
        bench.write32(EVCTRL, evctrl);
        start(&mut bench);
        command(&mut bench, RETRIGGER);
        assert_eq!(sent(&mut bench), expected);
    }
    for channel in 0..4u8 {
        for (evctrl, expected) in [(MCEO0 << channel, vec![37 + channel]), (0, vec![])] {
            let mut bench = tcc(0);
            bench.write32(EVCTRL, evctrl);
            bench.write32(CC0 + 4 * u32::from(channel), 5);
            start(&mut bench);
            bench.run_for(TICK * 20);
            assert_eq!(sent(&mut bench), expected, "{channel}");
        }
    }
}

#[test]
fn each_flag_interrupts_if_that_is_enabled() {
    for flag in [OVF, TRG, ERR, MC0, MC0 << 1, MC0 << 2, MC0 << 3] {
        let mut bench = tcc(0);
        bench.write32(INTENSET, flag);
        bench.write32(PER, 9);
        bench.write32(EVCTRL, MCEI0 << 3);
        start_with(&mut bench, CPTEN0 << 3);
        assert!(!bench.block.irq());
        command(&mut bench, RETRIGGER);
        event(&mut bench, 5);
        event(&mut bench, 5);
        bench.run_for(TICK * 20);
        assert_eq!(bench.read32(INTFLAG), OVF | TRG | ERR | (MC0 * 0xF));
        assert!(bench.block.irq());
        bench.write32(INTENCLR, flag);
        assert_eq!((bench.block.irq(), bench.read32(INTENSET)), (false, 0));
        bench.write32(INTENSET, flag);
        bench.write32(INTFLAG, flag);
        assert!(!bench.block.irq());
    }
}

#[test]
fn commands_and_interrupts_that_are_not_modelled_are_reported() {
    for (offset, value, expected) in [
        (CTRLBSET, 1 << 3, WarningKind::NotModelled),
        (CTRLBSET, 3 << 3, WarningKind::NotModelled),
        (CTRLBSET, 5 << 5, WarningKind::Reserved),
        (INTENSET, 1 << 2, WarningKind::NotModelled),
    ] {
        let mut bench = tcc(0);
        bench.write8(offset, value);
        assert_eq!(bench.warnings, [expected]);
    }
}
