// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::Effect;

const CTRLA: u32 = 0x00;
const AVGCTRL: u32 = 0x02;
const CTRLB: u32 = 0x04;
const WINCTRL: u32 = 0x08;
const SWTRIG: u32 = 0x0C;
const INPUTCTRL: u32 = 0x10;
const EVCTRL: u32 = 0x14;
const INTENSET: u32 = 0x17;
const INTFLAG: u32 = 0x18;
const STATUS: u32 = 0x19;
const RESULT: u32 = 0x1A;
const WINLT: u32 = 0x1C;
const WINUT: u32 = 0x20;

/// 8 MHz divided by 8: a microsecond for each cycle of the converter.
const PRESCALER_8: u32 = 1 << 8;

fn settle(bench: &mut Bench<Adc>) {
    while bench.read8(STATUS) != 0 {
        bench.run_for(Time::from_ns(125));
    }
}

/// A converter of pin 6 at half the reference of 1 V.
fn adc(ctrlb: u32) -> Bench<Adc> {
    let mut bench = Bench::new(Adc::new());
    bench.clock(CHANNEL, 8_000_000);
    bench.pad(Signal::Adc(6), PadInput::Voltage(500_000));
    bench.write16(CTRLB, PRESCALER_8 | ctrlb);
    bench.write32(INPUTCTRL, 0x1806);
    bench.write8(CTRLA, 2);
    settle(&mut bench);
    bench.write8(INTENSET, RESRDY as u32);
    bench.run_for(Time::from_us(1));
    bench.effects.clear();
    bench
}

/// Starts a conversion; when it starts, and when its result is there.
fn convert(bench: &mut Bench<Adc>) -> (Time, Option<Time>) {
    bench.write8(SWTRIG, START as u32);
    let started = bench.block.crossing.applied();
    (started, bench.rises_by(bench.now + Time::from_ms(1)))
}

#[test]
fn a_conversion_takes_eight_cycles_and_its_result_clears_the_flag() {
    let mut bench = adc(0);
    let (started, done) = convert(&mut bench);
    let took = (done.expect("a result") - started).as_us();
    assert!(took > 7.4 && took <= 8.0, "{took}");
    let sample = Effect::Pad(Signal::Adc(6), PadOutput::Sample);
    assert_eq!(bench.take(), [sample, Effect::Trigger { source: 39, active: true }]);
    assert_eq!(bench.read8(INTFLAG) & 7, 1);
    assert_eq!((bench.read16(RESULT), bench.read8(INTFLAG) & 7), (2_048, 0));
    assert_eq!(bench.take(), [Effect::Trigger { source: 39, active: false }]);
}

#[test]
fn averaging_takes_as_many_times_as_long() {
    let mut bench = adc(1 << 4);
    bench.write8(AVGCTRL, 0x22);
    let (started, done) = convert(&mut bench);
    let took = (done.expect("a result") - started).as_us();
    assert!(took > 31.4 && took <= 32.0, "{took}");
    assert_eq!(bench.read16(RESULT), 2_048);
}

#[test]
fn free_running_overruns_when_nobody_reads() {
    let mut bench = adc(1 << 2);
    convert(&mut bench);
    bench.run_for(Time::from_us(9));
    assert_eq!(bench.read8(INTFLAG) & 7, 3);
}

#[test]
fn a_result_is_unread_until_it_is_read_whatever_its_flag_says() {
    let mut bench = adc(0);
    convert(&mut bench);
    bench.take();
    bench.write8(INTFLAG, RESRDY as u32);
    assert_eq!((bench.read8(INTFLAG) & 7, bench.take()), (0, vec![]), "the DMA request stays");
    convert(&mut bench);
    assert_eq!(bench.read8(INTFLAG) & 7, 3);
    assert_eq!((bench.read16(RESULT), bench.read8(INTFLAG) & 7), (2_048, 2));
    bench.write8(INTFLAG, OVERRUN as u32);
    convert(&mut bench);
    assert_eq!(bench.read8(INTFLAG) & 7, 1);
}

#[test]
fn a_read_that_is_synchronized_reports_its_end() {
    let mut bench = adc(0);
    bench.write8(INTFLAG, SYNCRDY as u32);
    bench.read32(INPUTCTRL);
    assert_eq!(bench.read8(INTFLAG), SYNCRDY as u32);
}

#[test]
fn a_scan_goes_through_its_inputs() {
    let mut bench = adc(0);
    bench.pad(Signal::Adc(7), PadInput::Voltage(250_000));
    bench.write32(INPUTCTRL, 1 << 16 | 0x1806);
    settle(&mut bench);
    convert(&mut bench);
    assert_eq!(bench.read16(RESULT), 2_048);
    bench.rises_by(Time::from_ms(1));
    assert_eq!(bench.read16(RESULT), 1_024);
    assert_eq!(bench.rises_by(Time::from_ms(1)), None);
}

#[test]
fn the_window_monitor_compares() {
    let mut bench = adc(0);
    bench.write8(EVCTRL, 0x30);
    bench.write16(WINLT, 2_047);
    bench.write8(WINCTRL, 1);
    settle(&mut bench);
    convert(&mut bench);
    assert_eq!(bench.read8(INTFLAG) & 7, 5);
    let events: Vec<Effect> =
        bench.take().into_iter().filter(|effect| matches!(effect, Effect::Event(_))).collect();
    assert_eq!(events, [Effect::Event(66), Effect::Event(67)]);
}

#[test]
fn an_event_starts_a_conversion() {
    let mut bench = adc(0);
    bench.with(|adc, cx| adc.event(cx, 23));
    assert_eq!(bench.rises_by(Time::from_ms(1)), None);
    bench.write8(EVCTRL, 1);
    bench.with(|adc, cx| adc.event(cx, 23));
    assert!(bench.rises_by(Time::from_ms(2)).is_some());
}

#[test]
fn reading_the_input_control_stalls_while_it_is_synchronized() {
    let mut bench = adc(0);
    let before = bench.now;
    assert_eq!(bench.read32(INPUTCTRL), 0x1806);
    assert!(bench.now - before > Time::from_ns(700));
}

#[test]
fn disabled_or_without_clock_nothing_is_converted() {
    let mut bench = adc(0);
    bench.write8(CTRLA, 0);
    settle(&mut bench);
    assert_eq!(convert(&mut bench).1, None);

    let mut bench = adc(0);
    bench.stop_clock(CHANNEL);
    bench.write8(SWTRIG, START as u32);
    assert_eq!(bench.rises_by(Time::from_ms(1)), None);
    assert_eq!(bench.warnings, [WarningKind::CoreUnclocked]);
    assert_eq!(bench.read8(STATUS), 0x80);
}

#[test]
fn software_reset_restores_all_but_the_voltages() {
    let mut bench = adc(0);
    bench.write8(CTRLA, 1);
    assert_eq!(bench.read8(CTRLA), 1);
    settle(&mut bench);
    assert_eq!((bench.read8(CTRLA), bench.read16(CTRLB), bench.read32(INPUTCTRL)), (0, 0, 0));
    assert_eq!(bench.block.voltages.pins[6], 500_000);
}

#[test]
fn every_prescaler_of_the_converter_divides_by_four_times_a_power_of_two() {
    for field in 0..8 {
        let mut bench = adc(0);
        bench.write8(CTRLA, 0);
        settle(&mut bench);
        bench.write16(CTRLB, field << 8);
        settle(&mut bench);
        bench.write8(CTRLA, 2);
        settle(&mut bench);
        let (started, done) = convert(&mut bench);
        let cycles = (done.expect("a result") - started).as_us() * 8.0;
        let expected = 8.0 * f64::from(4 << field);
        assert!(cycles <= expected && cycles > expected * 15.0 / 16.0 - 1.0, "{field}: {cycles}");
    }
}

#[test]
fn every_mode_of_the_window_monitor_compares() {
    // The result is 2,048; bounds below, at and above it.
    let bounds = [2_047, 2_048, 2_049];
    for low in bounds {
        for high in bounds {
            let inside = low < 2_048 && 2_048 < high;
            let modes = [false, 2_048 > low, 2_048 < high, inside, !inside];
            for (mode, expected) in modes.into_iter().enumerate() {
                let mut bench = adc(0);
                bench.write16(WINLT, low);
                bench.write16(WINUT, high);
                bench.write8(WINCTRL, mode as u32);
                settle(&mut bench);
                convert(&mut bench);
                assert_eq!(bench.read8(INTFLAG) & 4 != 0, expected, "{mode} {low} {high}");
            }
        }
    }
}

#[test]
fn a_flush_ends_the_conversion_under_way() {
    let mut bench = adc(0);
    bench.write8(SWTRIG, START as u32);
    bench.run_for(Time::from_us(3));
    bench.write8(SWTRIG, FLUSH as u32);
    assert_eq!(bench.rises_by(bench.now + Time::from_ms(1)), None);
    bench.write8(EVCTRL, SYNCEI as u32);
    let flushed = bench.now;
    bench.with(|adc, cx| adc.event(cx, USER_FLUSH));
    let done = bench.rises_by(flushed + Time::from_ms(1)).expect("a new conversion");
    assert!((done - flushed).as_us() > 7.4);
}

#[test]
fn the_end_of_a_synchronization_sets_its_flag_and_interrupts() {
    let mut bench = adc(0);
    bench.write8(INTFLAG, 0xFF);
    bench.write8(INTENSET, SYNCRDY as u32);
    bench.write16(WINLT, 5);
    assert!(!bench.block.irq());
    settle(&mut bench);
    assert!(bench.block.irq());
    bench.write8(0x16, SYNCRDY as u32);
    assert!(!bench.block.irq());
}

#[test]
fn it_keeps_its_clock_in_standby_if_it_runs_there() {
    for (ctrla, keeps) in [(2, false), (2 | RUNSTDBY as u32, true), (RUNSTDBY as u32, false)] {
        let mut bench = adc(0);
        bench.write8(CTRLA, ctrla);
        assert_eq!(bench.block.wants_clock(CHANNEL), keeps);
    }
}

#[test]
fn a_result_is_adjusted_to_the_left_if_that_is_chosen() {
    // 12, 10 and 8 bits of half the scale.
    for ressel in [0, 2, 3] {
        let mut bench = adc(ressel << 4 | 1 << 1);
        convert(&mut bench);
        assert_eq!(bench.read16(RESULT), 0x8000);
    }
}

#[test]
fn a_device_may_answer_what_is_sampled() {
    let mut bench = adc(0);
    bench.write8(0x03, 3);
    bench.write8(SWTRIG, START as u32);
    let sampling = Effect::Pad(Signal::Adc(6), PadOutput::Sample);
    // Four half cycles of a microsecond.
    let started = bench.block.crossing.applied();
    while !bench.take().contains(&sampling) {
        bench.run_for(Time::from_ns(125));
    }
    assert!((bench.now - started).as_us() <= 2.2, "{}", (bench.now - started).as_us());
    bench.pad(Signal::Adc(6), PadInput::Reply(Reply::Voltage(250_000)));
    bench.rises_by(Time::from_ms(1)).expect("a result");
    assert_eq!(bench.read16(RESULT), 1_024);
}

#[test]
fn voltages_inside_are_not_asked_for() {
    let mut bench = adc(0);
    bench.write32(INPUTCTRL, 0x1819);
    settle(&mut bench);
    bench.take();
    convert(&mut bench).1.expect("a result");
    assert_eq!(bench.take(), [Effect::Trigger { source: 39, active: true }]);
}

#[test]
fn the_supply_is_asked_for_where_it_is_used() {
    let mut bench = adc(0);
    convert(&mut bench);
    bench.read16(RESULT);
    assert!(!bench.take().contains(&Effect::SampleSupply));
    bench.write32(INPUTCTRL, 0x181B);
    settle(&mut bench);
    convert(&mut bench);
    assert!(bench.take().contains(&Effect::SampleSupply));
    bench.read16(RESULT);
    bench.block.set_supply(2_000_000);
    convert(&mut bench);
    assert_eq!(bench.read16(RESULT), 2_048);
}
