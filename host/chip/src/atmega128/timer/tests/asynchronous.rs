// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timer 0 on its watch crystal.

use super::*;
use crate::atmega128::map::*;
use crate::atmega128::sleep::Mode;
use crate::clock::Clock;
use crate::{Config, Time, WarningKind};

const AS0: u8 = 8;
const CTC: u8 = 8;
const FOREVER: Time = Time::from_s(100);

fn edge(number: u64) -> Time {
    Clock::new(Time::ZERO, 32_768).edge(number)
}

/// Asynchronous, with everything arrived; the number of the crystal's latest edge.
fn bench(compare: u8, control: u8) -> (Bench<Timer0>, u64) {
    let mut bench = Bench::new(Timer0::new());
    bench.write(ASSR, AS0);
    bench.write(OCR0, compare);
    bench.write(TCNT0, 0);
    bench.write(TCCR0, control);
    let at = 2;
    bench.run_until(edge(at));
    assert_eq!(bench.read(ASSR), AS0);
    (bench, at)
}

#[test]
fn a_write_arrives_with_the_second_edge_and_is_busy_until_then() {
    for (register, busy) in [(TCNT0, 4), (OCR0, 2), (TCCR0, 1)] {
        let mut bench = Bench::new(Timer0::new());
        bench.write(ASSR, AS0);
        bench.run_until(edge(10) + Time::UNIT);
        bench.write(register, 0x40);
        assert_eq!(bench.read(ASSR), AS0 | busy);
        bench.run_until(edge(12) - Time::UNIT);
        assert_eq!(bench.read(ASSR), AS0 | busy);
        bench.run_until(edge(12));
        assert_eq!((bench.read(ASSR), bench.read(register)), (AS0, 0x40));
    }
}

#[test]
fn what_was_written_reads_back_at_once_except_the_counter() {
    let mut bench = Bench::new(Timer0::new());
    bench.write(ASSR, AS0);
    bench.write(OCR0, 0x55);
    bench.write(TCCR0, 0x0B);
    bench.write(TCNT0, 0x33);
    assert_eq!([OCR0, TCCR0, TCNT0].map(|register| bench.read(register)), [0x55, 0x0B, 0]);
}

#[test]
fn a_second_write_while_the_first_is_under_way_is_reported() {
    let mut bench = Bench::new(Timer0::new());
    bench.write(ASSR, AS0);
    bench.write(OCR0, 1);
    bench.write(TCNT0, 1);
    assert_eq!(bench.take_warnings(), []);
    bench.write(OCR0, 2);
    assert_eq!(bench.take_warnings(), [WarningKind::NotArrived]);
}

#[test]
fn it_counts_edges_of_the_crystal_through_its_prescaler() {
    for (select, divider) in [(1, 1), (2, 8), (3, 32), (4, 64), (5, 128), (6, 256), (7, 1_024)] {
        let (mut bench, start) = bench(0xFF, select);
        let whole = start.next_multiple_of(divider);
        bench.run_until(edge(whole + 20 * divider));
        let counted = bench.read(TCNT0);
        let expected = if divider == 1 { 20 } else { 20 + (whole - start).min(1) };
        assert_eq!(u64::from(counted), expected, "{select}");
    }
}

#[test]
fn a_match_wakes_with_the_edge_after_it_and_is_seen_three_cycles_later_by_day() {
    let (mut bench, start) = bench(99, CTC | 1);
    bench.write(TIMSK, 2);
    // Awake: the flag crosses into the processor's domain.
    let seen = bench.rises_by(FOREVER).expect("a match");
    let matched = edge(start + 100);
    let late = seen - matched;
    assert!(late > Time::from_us(2) && late <= Time::from_us(4), "{late}");
    bench.write(TIFR, 2);
    // Asleep: it wakes with that edge.
    bench.run_for(Time::from_us(100));
    bench.sleep(Mode::PowerSave);
    assert_eq!(bench.rises_by(FOREVER), Some(edge(start + 200)));
}

#[test]
fn a_flag_that_is_not_seen_yet_is_not_cleared() {
    let (mut bench, start) = bench(99, CTC | 1);
    bench.write(TIMSK, 2);
    bench.run_until(edge(start + 100));
    assert_eq!(bench.read(TIFR) & 2, 0);
    bench.write(TIFR, 2);
    bench.run_cycles(4);
    assert_eq!(bench.read(TIFR) & 2, 2);
}

#[test]
fn it_goes_on_in_power_save_and_extended_standby_and_stands_in_the_others() {
    for (mode, counts) in [
        (Mode::PowerSave, true),
        (Mode::ExtendedStandby, true),
        (Mode::AdcNoiseReduction, true),
        (Mode::PowerDown, false),
        (Mode::Standby, false),
    ] {
        let (mut bench, start) = bench(0xFF, 1);
        bench.run_until(edge(start + 10));
        bench.sleep(mode);
        bench.run_until(edge(start + 60));
        bench.wake();
        bench.run_until(edge(start + 65));
        assert_eq!(bench.read(TCNT0), if counts { 65 } else { 15 }, "{mode:?}");
    }
}

#[test]
fn after_waking_the_counter_reads_as_before_until_the_next_edge() {
    let (mut bench, start) = bench(0xFF, 1);
    bench.run_until(edge(start + 10));
    bench.sleep(Mode::PowerSave);
    bench.run_until(edge(start + 60) + Time::UNIT);
    bench.wake();
    assert_eq!(bench.read(TCNT0), 10);
    bench.run_until(edge(start + 61) - Time::UNIT);
    assert_eq!(bench.read(TCNT0), 10);
    bench.run_until(edge(start + 61));
    assert_eq!(bench.read(TCNT0), 61);
}

#[test]
fn falling_asleep_again_within_an_edge_of_waking_loses_the_interrupt() {
    for (wait, wakes) in [(1, false), (32, true)] {
        let (mut bench, start) = bench(9, CTC | 1);
        bench.write(TIMSK, 2);
        bench.sleep(Mode::PowerSave);
        assert_eq!(bench.rises_by(FOREVER), Some(edge(start + 10)));
        bench.wake();
        bench.with(|timer, cx| timer.acknowledge(cx, TIMER0_COMPARE));
        bench.run_cycles(wait);
        let (clocks, now) = (bench.clocks.clone(), bench.now);
        assert_eq!(bench.block.would_miss(&clocks, now), !wakes);
        bench.sleep(Mode::PowerSave);
        assert_eq!(bench.rises_by(Time::from_ms(100)).is_some(), wakes);
    }
}

#[test]
fn falling_asleep_before_a_write_has_arrived_loses_matches() {
    let (mut bench, _) = bench(0xFF, 1);
    bench.write(TIMSK, 2);
    bench.write(OCR0, 50);
    let (clocks, now) = (bench.clocks.clone(), bench.now);
    assert!(bench.block.would_miss(&clocks, now));
    bench.sleep(Mode::PowerSave);
    assert_eq!(bench.rises_by(Time::from_ms(100)), None);
    bench.wake();
    assert_ne!(bench.read(ASSR), AS0);
    bench.run_for(Time::from_us(62));
    assert_eq!(bench.read(ASSR), AS0);
}

#[test]
fn without_matches_the_counter_passes_its_top() {
    for asleep in [false, true] {
        let (mut bench, start) = bench(100, CTC | 1);
        bench.write(TIMSK, 1);
        bench.run_until(edge(start + 99) + Time::UNIT);
        // It is under way from the count of 99 on, or still while the processor sleeps.
        bench.write(OCR0, 50);
        if asleep {
            bench.sleep(Mode::PowerSave);
        }
        let overflow = bench.rises_by(FOREVER).expect("the counter reaches its end");
        assert!(edge(start + 256) <= overflow && overflow < edge(start + 257), "{asleep}");
    }
}

#[test]
fn without_a_crystal_it_stands_and_says_so() {
    let mut bench = Bench::with_config(Timer0::new(), &Config::default());
    bench.write(ASSR, AS0);
    bench.write(TCCR0, 1);
    bench.run_for(Time::from_ms(10));
    assert_eq!(bench.read(TCNT0), 0);
    assert_eq!(bench.take_warnings(), [WarningKind::CoreUnclocked; 2]);
}

#[test]
fn the_counter_holds_until_the_next_edge() {
    use crate::atmega128::peripheral::Holds;
    let (mut bench, start) = bench(0xFF, 1);
    assert_eq!(bench.holds(TCNT0), Holds::Time(edge(start + 1)));
    bench.write(OCR0, 1);
    assert_eq!(bench.holds(ASSR), Holds::UntilDue);
    assert_eq!(bench.due(), edge(start + 2));
}
