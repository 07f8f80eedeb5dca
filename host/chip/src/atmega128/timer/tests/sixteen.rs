// SPDX-License-Identifier: MIT OR Apache-2.0
//! Timers 1 and 3.

use super::*;
use crate::atmega128::map::*;
use crate::atmega128::peripheral::PadInput;
use crate::{Time, WarningKind};

const FOREVER: Time = Time::from_s(100);
const NOISE_CANCELER: u8 = 0x80;
const RISING: u8 = 0x40;

fn timer1() -> Bench<Sixteen> {
    Bench::new(Sixteen::new(1))
}

/// Timer 1 in a mode, counting each cycle.
fn in_mode(mode: u8, set_up: impl FnOnce(&mut Bench<Sixteen>)) -> Bench<Sixteen> {
    let mut bench = timer1();
    bench.write(TCCR1A, mode & 3);
    bench.write(TCCR1B, (mode & 0xC) << 1);
    set_up(&mut bench);
    bench.write(TCCR1B, (mode & 0xC) << 1 | 1);
    bench
}

#[test]
fn the_high_byte_waits_in_temp_for_the_low_one() {
    let mut bench = timer1();
    bench.write(TCNT1H, 0x12);
    assert_eq!(read16(&mut bench, TCNT1L), 0);
    bench.write(TCNT1H, 0x12);
    bench.write(TCNT1L, 0x34);
    assert_eq!(read16(&mut bench, TCNT1L), 0x1234);
    // One TEMP is shared by all registers of the timer.
    bench.write(OCR1AH, 0x56);
    bench.write(TCNT1L, 0x78);
    assert_eq!(read16(&mut bench, TCNT1L), 0x5678);
}

#[test]
fn reading_the_counter_takes_both_bytes_at_once_and_compare_registers_do_not_use_temp() {
    let mut bench = timer1();
    write16(&mut bench, OCR1AL, 0xABCD);
    write16(&mut bench, TCNT1L, 0x00FE);
    bench.write(TCCR1B, 1);
    let low = bench.read(TCNT1L);
    bench.run_cycles(10);
    assert_eq!(bench.read(OCR1AH), 0xAB);
    assert_eq!((low, bench.read(TCNT1H)), (0xFE, 0x00));
    assert_eq!(read16(&mut bench, TCNT1L), 0x0108);
}

/// The times at which a flag rises twice, with what the counter was then.
fn period(bench: &mut Bench<Sixteen>, flag: u8) -> u64 {
    let mut times = [0; 3];
    for time in &mut times {
        bench.write(TIFR, 0xFF);
        while bench.read(TIFR) & flag == 0 {
            let due = bench.due();
            bench.run_until(due);
        }
        *time = bench.cycle();
    }
    times[2] - times[1]
}

#[test]
fn every_mode_has_the_data_sheets_top_and_slope() {
    const OVERFLOW: u8 = 0x04;
    const MATCH_A: u8 = 0x10;
    let cases: [(u8, u8, u64); 15] = [
        (0, OVERFLOW, 0x1_0000),
        (1, OVERFLOW, 2 * 0xFF),
        (2, OVERFLOW, 2 * 0x1FF),
        (3, OVERFLOW, 2 * 0x3FF),
        (4, MATCH_A, 1_000),
        (5, OVERFLOW, 0x100),
        (6, OVERFLOW, 0x200),
        (7, OVERFLOW, 0x400),
        (8, OVERFLOW, 2 * 1_999),
        (9, OVERFLOW, 2 * 999),
        (10, OVERFLOW, 2 * 1_999),
        (11, OVERFLOW, 2 * 999),
        (12, 0x20, 2_000),
        (14, OVERFLOW, 2_000),
        (15, OVERFLOW, 1_000),
    ];
    for (mode, flag, expected) in cases {
        let mut bench = in_mode(mode, |bench| {
            write16(bench, OCR1AL, 999);
            if matches!(mode, 8 | 10 | 12 | 14) {
                write16(bench, ICR1L, 1_999);
            }
        });
        bench.run_cycles(0x2_0000);
        assert_eq!(period(&mut bench, flag), expected, "mode {mode}");
    }
}

#[test]
fn compare_registers_are_updated_where_the_mode_says() {
    // A value is written at cycle 10. Until it is taken over, 0 is compared, once in each period.
    for mode in [0, 5, 1, 8] {
        let mut bench = in_mode(mode, |bench| {
            if mode == 8 {
                write16(bench, ICR1L, 255);
            }
        });
        bench.write(TIMSK, 0x08);
        bench.run_cycles(10);
        bench.write(TIFR, 0xFF);
        write16(&mut bench, OCR1BL, 100);
        let matched = bench.rises_by(FOREVER).expect("a match");
        let cycle = bench.clocks.cycle_until(matched);
        // Until then it is 0, which matches in each period.
        let expected = match mode {
            0 => 101,
            5 => 256 + 101,
            1 => 255 + 155 + 1,
            _ => 511,
        };
        assert_eq!(cycle, expected, "mode {mode}");
    }
}

#[test]
fn the_capture_register_can_be_written_only_as_the_top() {
    let mut bench = timer1();
    write16(&mut bench, ICR1L, 0x1234);
    assert_eq!(bench.take_warnings(), [WarningKind::Protected]);
    bench.write(TCCR1B, 0x18);
    write16(&mut bench, ICR1L, 0x1234);
    assert_eq!(read16(&mut bench, ICR1L), 0x1234);
}

#[test]
fn an_edge_of_the_pin_captures_the_counter_three_cycles_later() {
    for (control, high, captures) in
        [(RISING, true, true), (RISING, false, false), (0, false, true)]
    {
        let mut bench = timer1();
        bench.write(TIMSK, 0x20);
        bench.input(Signal::Icp1, PadInput::Level(!high));
        bench.run_cycles(10);
        bench.write(TIFR, 0x20);
        bench.write(TCCR1B, control | 1);
        bench.run_cycles(100);
        bench.input(Signal::Icp1, PadInput::Level(high));
        bench.run_cycles(20);
        assert_eq!(bench.block.lines() != 0, captures);
        assert_eq!(read16(&mut bench, ICR1L), if captures { 103 } else { 0 });
    }
}

#[test]
fn the_noise_canceler_wants_four_cycles() {
    let mut bench = timer1();
    bench.write(TCCR1B, NOISE_CANCELER | RISING | 1);
    for (length, captured) in [(3, 0), (5, 20 + 3 + 3 + 4)] {
        bench.input(Signal::Icp1, PadInput::Level(true));
        bench.run_cycles(length);
        bench.input(Signal::Icp1, PadInput::Level(false));
        bench.run_cycles(20);
        assert_eq!(read16(&mut bench, ICR1L), captured);
    }
}

#[test]
fn the_comparator_captures_if_it_is_connected() {
    let mut bench = timer1();
    bench.write(TCCR1B, RISING | 1);
    bench.with(|timer, cx| timer.connect_comparator(cx, Some(false)));
    bench.input(Signal::Icp1, PadInput::Level(true));
    bench.run_cycles(50);
    assert_eq!(read16(&mut bench, ICR1L), 0);
    bench.with(|timer, cx| timer.connect_comparator(cx, Some(true)));
    bench.run_cycles(10);
    assert_eq!(read16(&mut bench, ICR1L), 53);
}

#[test]
fn a_pin_clocks_it() {
    for (number, signal, [control, low]) in
        [(1, Signal::T1, [TCCR1B, TCNT1L]), (3, Signal::T3, [TCCR3B, TCNT3L])]
    {
        for (select, expected) in [(6, 1), (7, 2)] {
            let mut bench = Bench::new(Sixteen::new(number));
            bench.write(control, select);
            for high in [true, false, true] {
                bench.input(signal, PadInput::Level(high));
                bench.run_cycles(5);
            }
            assert_eq!(read16(&mut bench, low), expected);
        }
    }
}

#[test]
fn the_counter_misses_a_top_that_it_is_written_to_or_that_is_lowered_below_it() {
    for counter in [500, 600] {
        let mut bench = in_mode(4, |bench| write16(bench, OCR1AL, 500));
        write16(&mut bench, TCNT1L, counter);
        bench.run_cycles(0x1_0000 - u64::from(counter));
        assert_eq!((read16(&mut bench, TCNT1L), bench.read(TIFR) & 4), (0, 4), "to the maximum");
    }
}

#[test]
fn flags_and_vectors_are_where_each_timer_has_them() {
    let cases: [(u8, [u8; 2], u8, [u64; 5]); 2] = [
        (
            1,
            [TIMSK, ETIMSK],
            TCCR1B,
            [TIMER1_OVERFLOW, TIMER1_COMPARE_A, TIMER1_COMPARE_B, TIMER1_COMPARE_C, TIMER1_CAPTURE]
                .map(u64::from),
        ),
        (
            3,
            [TIMSK, ETIMSK],
            TCCR3B,
            [TIMER3_OVERFLOW, TIMER3_COMPARE_A, TIMER3_COMPARE_B, TIMER3_COMPARE_C, TIMER3_CAPTURE]
                .map(u64::from),
        ),
    ];
    for (number, masks, control, vectors) in cases {
        let mut bench = Bench::new(Sixteen::new(number));
        masks.into_iter().for_each(|mask| bench.write(mask, 0xFF));
        let icp = if number == 1 { Signal::Icp1 } else { Signal::Icp3 };
        bench.write(control, RISING | 1);
        bench.input(icp, PadInput::Level(true));
        bench.run_cycles(0x1_0001);
        let expected = vectors.into_iter().fold(0, |all, vector| all | 1 << vector);
        assert_eq!(bench.block.lines(), expected);
        let [low, high] = [TIFR, ETIFR].map(|register| bench.read(register));
        assert_eq!([low, high], if number == 1 { [0x3C, 0x01] } else { [0, 0x3E] });
        for vector in vectors {
            bench.with(|timer, cx| timer.acknowledge(cx, vector as u32));
        }
        assert_eq!(bench.block.lines(), 0);
    }
}

#[test]
fn forced_matches_change_outputs_and_nothing_else() {
    let mut bench = timer1();
    bench.write(TCCR1A, 0xFC);
    bench.effects.clear();
    bench.write(TCCR1C, 0xA0);
    let forced: Vec<Effect> = bench.take();
    let high = |signal| Effect::Override(signal, Drive::value(true));
    assert_eq!(forced, [high(Signal::Oc1a), high(Signal::Oc1c)]);
    assert_eq!((bench.read(TCCR1C), bench.read(TIFR)), (0, 0));
}

#[test]
fn the_reserved_mode_is_reported() {
    let mut bench = timer1();
    bench.write(TCCR1A, 1);
    bench.write(TCCR1B, 0x18);
    assert_eq!(bench.take_warnings(), [WarningKind::Reserved]);
}
