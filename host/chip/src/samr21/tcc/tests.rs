// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Level;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadOutput, Signal};

const CTRLA: u32 = 0x00;
const CTRLBSET: u32 = 0x05;
const SYNCBUSY: u32 = 0x08;
const DRVCTRL: u32 = 0x18;
const EVCTRL: u32 = 0x20;
const INTENSET: u32 = 0x28;
const INTFLAG: u32 = 0x2C;
const STATUS: u32 = 0x30;
const COUNT: u32 = 0x34;
const PATT: u32 = 0x38;
const WAVE: u32 = 0x3C;
const PER: u32 = 0x40;
const CC0: u32 = 0x44;
const PERB: u32 = 0x6C;
const CCB0: u32 = 0x70;

const TICK: u64 = 125_000;
const NPWM: u32 = 2;

fn settle(bench: &mut Bench<Tcc>) {
    while bench.read32(SYNCBUSY) != 0 {
        bench.run_for(Time(TICK));
    }
}

fn tcc(instance: u8) -> Bench<Tcc> {
    let mut bench = Bench::new(Tcc::new(instance));
    let channel = bench.block.variant.clock;
    bench.clock(channel, 8_000_000);
    bench
}

fn start(bench: &mut Bench<Tcc>) -> Time {
    settle(bench);
    bench.write32(CTRLA, 2);
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

#[test]
fn each_register_has_its_own_busy_bit() {
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
    bench.run_for(Time(TICK * 15));
    let at = |tick: u64, level| (started + Time(TICK * tick), level);
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
    bench.run_until(started + Time(TICK * 90));
    assert_eq!(bench.read32(STATUS), CCBV0 | PERBV);
    bench.run_until(started + Time(TICK * 155));
    assert_eq!((bench.read32(STATUS), bench.read32(CC0), bench.read32(PER)), (0, 20, 49));
    let at = |tick: u64, level| (started + Time(TICK * tick), level);
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
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(started + Time(TICK * 500)));
    bench.write32(INTFLAG, 1 << 16);
    bench.run_until(started + Time(TICK * 1_000));
    assert_eq!(bench.read32(INTFLAG) & 1, 1);
}

#[test]
fn the_count_is_fetched_by_command() {
    let mut bench = tcc(0);
    let started = start(&mut bench);
    assert_eq!(bench.read32(COUNT), 0);
    bench.run_until(started + Time(TICK * 500));
    bench.write8(CTRLBSET, 4 << 5);
    let sampled = bench.block.crossings[BUSY_CTRLB].applied();
    settle(&mut bench);
    assert_eq!(bench.read32(COUNT) as u64, (sampled - started).0 / TICK);
    assert_eq!(bench.read8(CTRLBSET), 0);
}

#[test]
fn the_period_of_a_small_timer_is_16_bits() {
    let mut bench = tcc(2);
    bench.write32(INTENSET, 1);
    let started = start(&mut bench);
    assert_eq!(bench.rises_by(Time::from_s(1)), Some(started + Time(TICK * 65_536)));
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
