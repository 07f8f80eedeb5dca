// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timers 0 and 2 on the I/O clock.

use super::*;
use crate::Time;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::{Holds, PadInput};

const CTC: u8 = 1 << 3;
const FOREVER: Time = Time::from_s(100);

fn timer2() -> Bench<Timer2> {
    Bench::new(Timer2::new())
}

fn timer0() -> Bench<Timer0> {
    Bench::new(Timer0::new())
}

#[test]
fn it_counts_each_cycle_and_overflows_after_256() {
    let mut bench = timer2();
    bench.write(TIMSK, 1 << 6);
    bench.write(TCCR2, 1);
    bench.run_cycles(7);
    assert_eq!((bench.read(TCNT2), bench.read(TCCR2)), (7, 1));
    assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(256)));
    assert_eq!((bench.block.lines(), bench.read(TIFR)), (1 << TIMER2_OVERFLOW, 0xC0));
    bench.with(|timer, cx| timer.acknowledge(cx, TIMER2_OVERFLOW));
    assert_eq!((bench.block.lines(), bench.read(TIFR)), (0, 0x80));
    assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(512)));
}

#[test]
fn a_match_sets_its_flag_with_the_next_clock() {
    let mut bench = timer2();
    bench.write(OCR2, 100);
    bench.write(TIMSK, 1 << 7);
    bench.write(TCCR2, 1);
    assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(101)));
    bench.write(TIFR, 0x80);
    assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(357)));
}

#[test]
fn a_cleared_timer_has_a_period_of_one_more_than_its_top() {
    let mut bench = timer2();
    bench.write(OCR2, 9);
    bench.write(TIMSK, 1 << 7);
    bench.write(TCCR2, CTC | 2);
    for period in 1..4 {
        assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(80 * period)));
        bench.with(|timer, cx| timer.acknowledge(cx, TIMER2_COMPARE));
        assert_eq!(bench.read(TCNT2), 0);
    }
    assert_eq!(bench.read(TIFR) & 0x40, 0, "it never overflows");
}

#[test]
fn the_prescaler_divides_as_each_timer_has_it() {
    for (select, divider) in [(1, 1), (2, 8), (3, 64), (4, 256), (5, 1_024)] {
        let mut bench = timer2();
        bench.write(TCCR2, select);
        bench.run_cycles(3 * divider);
        assert_eq!(bench.read(TCNT2), 3);
        bench.run_cycles(divider - 1);
        assert_eq!(bench.read(TCNT2), 3);
    }
    for (select, divider) in [(1, 1), (2, 8), (3, 32), (4, 64), (5, 128), (6, 256), (7, 1_024)] {
        let mut bench = timer0();
        bench.write(TCCR0, select);
        bench.run_cycles(5 * divider);
        assert_eq!(bench.read(TCNT0), 5, "{select}");
    }
}

#[test]
fn the_prescaler_runs_freely_and_is_set_back_or_held_by_sfior() {
    let mut bench = timer2();
    bench.run_cycles(5);
    bench.write(TCCR2, 2);
    bench.run_cycles(3);
    assert_eq!(bench.read(TCNT2), 1, "it began to count with the reset");
    bench.run_cycles(4);
    bench.write(SFIOR, 1);
    bench.run_cycles(7);
    assert_eq!(bench.read(TCNT2), 1);
    bench.run_cycles(1);
    assert_eq!(bench.read(TCNT2), 2);
    bench.write(SFIOR, 0x81);
    bench.run_cycles(100);
    assert_eq!(bench.read(TCNT2), 2);
    bench.write(SFIOR, 0);
    bench.run_cycles(8);
    assert_eq!(bench.read(TCNT2), 3);
}

#[test]
fn timer_0_has_a_prescaler_of_its_own() {
    let mut bench = timer0();
    bench.write(TCCR0, 2);
    bench.run_cycles(4);
    bench.write(SFIOR, 1);
    bench.run_cycles(4);
    assert_eq!(bench.read(TCNT0), 1);
    bench.write(SFIOR, 0x82);
    assert_eq!(bench.read(SFIOR), 0x82);
    bench.run_cycles(100);
    assert_eq!(bench.read(TCNT0), 1);
    bench.write(SFIOR, 0);
    bench.run_cycles(8);
    assert_eq!((bench.read(TCNT0), bench.read(SFIOR)), (2, 0));
}

#[test]
fn a_write_of_the_counter_blocks_the_match_at_the_next_clock() {
    let mut bench = timer2();
    bench.write(OCR2, 50);
    bench.write(TCCR2, 1);
    bench.write(TCNT2, 50);
    bench.run_cycles(10);
    assert_eq!((bench.read(TCNT2), bench.read(TIFR)), (60, 0));
    bench.write(TCNT2, 49);
    bench.run_cycles(2);
    assert_eq!(bench.read(TIFR), 0x80);
}

#[test]
fn a_stopped_counter_keeps_its_value_and_its_flags_come_when_it_runs() {
    let mut bench = timer2();
    bench.write(TCNT2, 200);
    bench.run_cycles(1_000);
    assert_eq!((bench.read(TCNT2), bench.read(TIFR)), (200, 0));
    bench.write(TCCR2, 1);
    bench.run_cycles(55);
    bench.write(TCCR2, 0);
    bench.run_cycles(55);
    assert_eq!((bench.read(TCNT2), bench.read(TIFR)), (255, 0));
}

#[test]
fn the_pin_of_timer_2_clocks_it_on_the_selected_edge() {
    for (select, expected) in [(6, 2), (7, 3)] {
        let mut bench = timer2();
        bench.write(TCCR2, select);
        for high in [true, false, true, false, true] {
            bench.input(Signal::T2, PadInput::Level(high));
            bench.run_cycles(10);
        }
        assert_eq!(bench.read(TCNT2), expected);
    }
}

#[test]
fn only_a_register_that_changes_by_itself_does_not_hold() {
    let mut bench = timer2();
    bench.write(TCCR2, 1);
    assert_eq!(bench.holds(TCNT2), Holds::Unknown);
    assert_eq!(bench.holds(TIFR), Holds::UntilDue);
}

#[test]
fn a_timer_whose_flags_are_set_is_not_due_any_more() {
    let mut bench = timer2();
    bench.write(TCCR2, 1);
    bench.run_cycles(300);
    assert_eq!((bench.read(TIFR), bench.due()), (0xC0, Time::NEVER));
    assert_eq!(bench.read(TCNT2), 44);
}

#[test]
fn sleep_without_the_io_clock_stops_it() {
    let mut bench = timer2();
    bench.write(TCCR2, 1);
    bench.run_cycles(10);
    bench.sleep(crate::atmega128::sleep::Mode::PowerDown);
    bench.run_for(Time::from_ms(5));
    bench.wake();
    bench.run_cycles(5);
    assert_eq!(bench.read(TCNT2), 15);
}

#[test]
fn interrupts_of_timer_0_are_its_own() {
    let mut bench = timer0();
    bench.write(TIMSK, 0xFF);
    bench.write(OCR0, 3);
    bench.write(TCCR0, 1);
    assert_eq!(bench.rises_by(FOREVER), Some(Time::from_us(4)));
    assert_eq!((bench.block.lines(), bench.read(TIMSK)), (1 << TIMER0_COMPARE, 3));
    bench.run_cycles(256);
    assert_eq!(bench.block.lines(), 1 << TIMER0_COMPARE | 1 << TIMER0_OVERFLOW);
    bench.with(|timer, cx| timer.acknowledge(cx, TIMER0_COMPARE));
    assert_eq!(bench.read(TIFR), 1);
    bench.write(TIFR, 1);
    assert_eq!(bench.read(TIFR), 0);
}
