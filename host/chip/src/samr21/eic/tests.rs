// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::clock::Clock;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::Effect;

const CTRL: u32 = 0x00;
const STATUS: u32 = 0x01;
const NMICTRL: u32 = 0x02;
const NMIFLAG: u32 = 0x03;
const EVCTRL: u32 = 0x04;
const INTENSET: u32 = 0x0C;
const INTFLAG: u32 = 0x10;
const WAKEUP: u32 = 0x14;
const CONFIG: u32 = 0x18;

const RISE: u32 = 1;
const FALL: u32 = 2;
const HIGH: u32 = 4;
const FILTEN: u32 = 8;
const SLOW: u64 = 32_768;
const BUS_CYCLE: Time = Time::from_ns(125);

/// Two moments that were rounded down lie that much closer together at most.
const ROUNDING: Time = Time::from_units(2);

/// Length of `n` cycles of the slow clock.
fn cycles(n: u64) -> Time {
    Clock::new(Time::ZERO, SLOW).span(n)
}

/// An enabled controller with `config` for line 0 and a generic clock of `hz`.
fn eic(config: u32, hz: u64) -> Bench<Eic> {
    let mut bench = Bench::new(Eic::new());
    bench.clock(CHANNEL, hz);
    bench.write32(CONFIG, config);
    bench.write32(INTENSET, 1);
    bench.write8(CTRL, 2);
    while bench.read8(STATUS) != 0 {
        bench.run_for(Time::from_us(1));
    }
    bench
}

fn input(bench: &mut Bench<Eic>, high: bool) {
    bench.pad(Signal::External(0), PadInput::Level(high));
}

/// How long after the input goes high the interrupt comes.
fn latency(bench: &mut Bench<Eic>) -> Option<Time> {
    let start = bench.now;
    input(bench, true);
    bench.rises_by(start + Time::from_ms(10)).map(|at| at - start)
}

#[test]
fn an_edge_takes_up_to_four_generic_and_three_bus_cycles() {
    for phase in 0..20 {
        let mut bench = eic(RISE, SLOW);
        bench.run_for(cycles(phase) / 20);
        let took = latency(&mut bench).expect("an interrupt");
        assert!(took > cycles(3) + BUS_CYCLE * 2 && took <= cycles(4) + BUS_CYCLE * 3 + ROUNDING);
    }
}

#[test]
fn the_filter_makes_it_six_and_swallows_a_short_pulse() {
    let mut bench = eic(RISE | FILTEN, SLOW);
    let took = latency(&mut bench).expect("an interrupt");
    assert!(took > cycles(5) && took <= cycles(6) + BUS_CYCLE * 3 + ROUNDING);

    let mut bench = eic(RISE | FILTEN, SLOW);
    input(&mut bench, true);
    bench.run_for(cycles(1));
    input(&mut bench, false);
    assert_eq!(bench.rises_by(Time::from_ms(50)), None);
}

/// Lets 10 ms pass, asleep for 20 us of every 40.
fn sleep_often(bench: &mut Bench<Eic>) {
    for _ in 0..250 {
        for awake in [false, true] {
            bench.run_for(Time::from_us(20));
            bench.clocks.awake = awake;
            bench.with(|eic, cx| eic.clocks_changed(cx));
        }
    }
}

#[test]
fn the_filter_sees_a_steady_edge_however_often_the_bus_clock_changes() {
    for config in [RISE, RISE | FILTEN] {
        let mut bench = eic(config, SLOW);
        input(&mut bench, true);
        sleep_often(&mut bench);
        assert!(bench.block.irq(), "{config:#x}");
    }
}

#[test]
fn samples_are_kept_while_the_generic_clock_stands() {
    let mut bench = eic(RISE | FILTEN, SLOW);
    let generic = bench.clocks.generic[&CHANNEL];
    input(&mut bench, true);
    // One edge at a time.
    for edge in 1..=6 {
        assert!(!bench.block.irq(), "{edge}");
        bench.run_for(cycles(1));
        bench.stop_clock(CHANNEL);
        bench.run_for(Time::from_ms(1));
        bench.clocks.generic.insert(CHANNEL, generic.starting(bench.now));
        bench.with(|eic, cx| eic.clocks_changed(cx));
    }
    assert!(bench.block.irq());
}

#[test]
fn a_pulse_between_two_samples_is_missed() {
    let mut bench = eic(RISE, SLOW);
    let next = bench.clocks.generic[&CHANNEL].nth_after(bench.now, 1);
    bench.run_until(next + Time::UNIT);
    input(&mut bench, true);
    bench.run_for(Time::from_us(20));
    input(&mut bench, false);
    assert_eq!(bench.rises_by(Time::from_ms(50)), None);
}

#[test]
fn only_the_chosen_edge_counts() {
    let mut bench = eic(FALL, SLOW);
    assert_eq!(latency(&mut bench), None);
    input(&mut bench, false);
    assert!(bench.rises_by(bench.now + Time::from_ms(1)).is_some());
    bench.write32(INTFLAG, 1);
    assert!(!bench.block.irq());
}

#[test]
fn without_generic_clock_no_edge_is_seen_but_a_level_is() {
    let mut bench = eic(RISE, SLOW);
    bench.stop_clock(CHANNEL);
    assert_eq!(latency(&mut bench), None);

    let mut bench = eic(HIGH, SLOW);
    bench.stop_clock(CHANNEL);
    let took = latency(&mut bench).expect("an interrupt");
    assert!(took <= BUS_CYCLE * 3);
}

#[test]
fn a_level_that_stays_sets_its_flag_again() {
    let mut bench = eic(HIGH, SLOW);
    latency(&mut bench);
    bench.write32(INTFLAG, 1);
    assert!(!bench.block.irq());
    assert!(bench.rises_by(bench.now + BUS_CYCLE * 3).is_some());
    input(&mut bench, false);
    bench.write32(INTFLAG, 1);
    assert_eq!(bench.rises_by(Time::from_ms(50)), None);
}

#[test]
fn asleep_a_level_wakes_at_once_if_the_line_may_wake() {
    for (wakeup, expected) in [(1, Some(Time::ZERO)), (0, None)] {
        let mut bench = eic(HIGH, SLOW);
        bench.write32(WAKEUP, wakeup);
        bench.clocks.awake = false;
        bench.stop_clock(CHANNEL);
        assert_eq!(latency(&mut bench), expected);
    }
}

#[test]
fn a_level_is_detected_once_whatever_clocks_start_meanwhile() {
    let mut bench = eic(HIGH, SLOW);
    bench.write32(EVCTRL, 1);
    bench.write32(WAKEUP, 1);
    bench.clocks.awake = false;
    bench.with(|eic, cx| eic.clocks_changed(cx));
    latency(&mut bench);
    bench.clocks.awake = true;
    bench.with(|eic, cx| eic.clocks_changed(cx));
    bench.run_for(Time::from_us(10));
    assert_eq!(bench.take(), [Effect::Event(12)]);
}

#[test]
fn edges_keep_their_clock_only_on_lines_that_wake() {
    let mut bench = eic(RISE, SLOW);
    assert!(!bench.block.wants_clock(CHANNEL));
    bench.write32(WAKEUP, 1);
    assert!(bench.block.wants_clock(CHANNEL));
    bench.write32(CONFIG, HIGH);
    assert!(!bench.block.wants_clock(CHANNEL));
}

#[test]
fn disabled_it_detects_nothing_but_the_nmi() {
    let mut bench = eic(RISE, SLOW);
    bench.write8(CTRL, 0);
    bench.run_for(Time::from_ms(1));
    bench.write8(NMICTRL, RISE);
    bench.pad(Signal::External(16), PadInput::Level(true));
    assert_eq!(latency(&mut bench), None);
    assert!(bench.block.nmi());
    bench.write8(NMIFLAG, 1);
    assert!(!bench.block.nmi());
}

#[test]
fn a_detection_fires_its_event() {
    let mut bench = eic(RISE, SLOW);
    bench.write32(EVCTRL, 1);
    latency(&mut bench);
    assert_eq!(bench.take(), [Effect::Event(12)]);
}

#[test]
fn software_reset_takes_a_synchronization() {
    let mut bench = eic(RISE, SLOW);
    bench.write8(CTRL, 1);
    assert_eq!((bench.read8(CTRL), bench.read8(STATUS), bench.read32(CONFIG)), (1, 0x80, 0));
    bench.run_for(Time::from_us(190));
    assert_eq!((bench.read8(CTRL), bench.read8(STATUS)), (0, 0));
}

#[test]
fn a_reserved_sense_is_reported() {
    let mut bench = eic(RISE, SLOW);
    bench.write32(CONFIG, 7);
    assert_eq!(bench.warnings, [WarningKind::Reserved]);
}

/// A line as the description numbers it; 16 is the NMI.
fn detects(line: u8, sense: u32, filter: bool, [before, after]: [bool; 2]) -> bool {
    let mut bench = Bench::new(Eic::new());
    bench.clock(CHANNEL, 1_000_000);
    let signal = Signal::External(line);
    bench.pad(signal, PadInput::Level(before));
    bench.run_for(Time::from_us(20));
    let field = sense | u32::from(filter) << 3;
    if u32::from(line) == NMI as u32 {
        bench.write8(NMICTRL, field);
    } else {
        let config = CONFIG + u32::from(line) / 8 * 4;
        bench.write32(config, field << (line % 8 * 4));
        bench.write32(INTENSET, 1 << line);
        bench.write32(EVCTRL, 1 << line);
    }
    bench.write8(CTRL, 2);
    bench.run_for(Time::from_us(20));
    let at_once = bench.block.irq() || bench.block.nmi();
    bench.pad(signal, PadInput::Level(after));
    bench.run_for(Time::from_us(20));
    let line_16 = u32::from(line) == NMI as u32;
    let detected = if line_16 { bench.block.nmi() } else { bench.block.irq() };
    if detected && !line_16 {
        assert!(bench.take().contains(&Effect::Event(12 + line)));
        assert_eq!(bench.read32(INTFLAG), 1 << line);
        bench.write32(0x08, 1 << line);
        assert!(!bench.block.irq());
    }
    assert!(!at_once || before == (sense == 4), "a level");
    detected
}

#[test]
fn every_line_detects_what_its_sense_says() {
    for line in 0..=NMI as u8 {
        for filter in [false, true] {
            for levels in [[false, true], [true, false]] {
                let [_, after] = levels;
                // None, rise, fall, both; high and low are levels, which were there before or are
                // there now.
                let expected = [false, after, !after, true, true, true];
                for (sense, expected) in (0..).zip(expected) {
                    assert_eq!(detects(line, sense, filter, levels), expected, "{line} {sense}");
                }
            }
        }
    }
}
