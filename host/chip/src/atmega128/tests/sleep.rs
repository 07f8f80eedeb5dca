// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sleep modes, from outside.

use super::program::{HZ, INTERNAL, MARK, Program, Rig};
use crate::atmega128::map::*;
use crate::clock::Clock;
use crate::{Input, Level, Output, PinId, Time, WarningKind};

const SE: u8 = 0x20;
/// SM2..0 of each mode, in MCUCR.
const IDLE: u8 = 0x00;
const ADC_NOISE_REDUCTION: u8 = 0x08;
const POWER_DOWN: u8 = 0x10;
const POWER_SAVE: u8 = 0x18;
const STANDBY: u8 = 0x14;
const EXTENDED_STANDBY: u8 = 0x1C;

const MODES: [u8; 6] =
    [IDLE, ADC_NOISE_REDUCTION, POWER_DOWN, POWER_SAVE, STANDBY, EXTENDED_STANDBY];

const INT0_PIN: PinId = PinId { port: 3, bit: 0 };
const INT7_PIN: PinId = PinId { port: 4, bit: 7 };

fn pin(pin: PinId, level: Level) -> Input {
    Input::Pin { pin, level }
}

/// Sleeps in a mode, with marks before the sleep, in INT0's handler and after it.
fn sleeper(mode: u8) -> Program {
    let mut program = Program::new();
    program.set(EICRA, 0x02).set(EICRB, 0x80).set(EIMSK, 0x81).set(MCUCR, SE | mode);
    program.mark().interrupts(true).sleep().mark().stay();
    program.handler(INT0).mark().done();
    program.handler(INT0 + 7).mark().done();
    program
}

const CYCLE: Time = Time::from_ns(1_000_000_000 / HZ as u64);

#[test]
fn waking_takes_the_start_up_time_of_each_mode_and_the_handler_runs_first() {
    let late = Time::from_ms(50) + Time::UNIT;
    for (mode, start_up) in MODES.into_iter().zip([0, 0, 16_384, 16_384, 6, 6]) {
        let mut rig = Rig::new(&sleeper(mode));
        rig.chip.input(pin(INT0_PIN, Level::High));
        rig.run(late);
        rig.chip.input(pin(INT0_PIN, Level::Low));
        rig.run(Time::from_ms(60));
        let marks = rig.marks();
        assert_eq!(marks.len(), 3, "{mode:#x}");
        // Four cycles for the wake-up, four for the entry, three for the jump, five up to the mark.
        let expected = late + CYCLE * (start_up + 4 + 4 + 3 + 4);
        let off = marks[1] - expected;
        assert!(off <= CYCLE, "{mode:#x}: {} {expected}", marks[1]);
        assert!(marks[2] - marks[1] < CYCLE * 12);
    }
}

#[test]
fn the_modes_report_their_names_and_the_interrupt_that_ended_them() {
    let names = MODES.map(|mode| {
        let mut rig = Rig::new(&sleeper(mode));
        rig.chip.input(pin(INT0_PIN, Level::High));
        rig.run(Time::from_ms(10));
        rig.chip.input(pin(INT0_PIN, Level::Low));
        rig.run(Time::from_ms(20));
        let woken = rig.when(|output| *output == Output::Wake { exception: Some(INT0) });
        assert_eq!(woken.len(), 1, "{mode:#x}");
        let name = rig.seen.iter().find_map(|seen| match seen.what {
            Output::Sleep { mode } => Some(mode),
            _ => None,
        });
        name.unwrap_or("")
    });
    let expected =
        ["idle", "adc noise reduction", "power-down", "power-save", "standby", "extended standby"];
    assert_eq!(names, expected);
}

#[test]
fn an_edge_that_needs_the_io_clock_wakes_only_from_idle() {
    for mode in MODES {
        let mut rig = Rig::new(&sleeper(mode));
        rig.chip.input(pin(INT0_PIN, Level::High));
        rig.chip.input(pin(INT7_PIN, Level::High));
        rig.run(Time::from_ms(10));
        rig.chip.input(pin(INT7_PIN, Level::Low));
        rig.run(Time::from_ms(20));
        assert_eq!(rig.marks().len() == 3, mode == IDLE, "{mode:#x}");
    }
}

#[test]
fn a_level_wakes_from_every_mode() {
    for mode in MODES {
        let mut program = Program::new();
        program.set(EICRB, 0x00).set(EIMSK, 0x80).set(MCUCR, SE | mode);
        program.mark().interrupts(true).sleep().stay();
        program.handler(INT0 + 7).mark().set(EIMSK, 0).done();
        let mut rig = Rig::new(&program);
        rig.chip.input(pin(INT7_PIN, Level::High));
        rig.run(Time::from_ms(10));
        rig.chip.input(pin(INT7_PIN, Level::Low));
        rig.run(Time::from_ms(20));
        assert_eq!(rig.marks().len(), 2, "{mode:#x}");
    }
}

#[test]
fn a_level_that_has_gone_wakes_without_an_interrupt() {
    let mut program = Program::new();
    program.set(EIMSK, 0x80).set(MCUCR, SE | POWER_DOWN);
    program.interrupts(true).sleep().mark().stay();
    program.handler(INT0 + 7).set(DDRA, 0).done();
    let mut rig = Rig::new(&program);
    rig.chip.input(pin(INT7_PIN, Level::High));
    rig.run(Time::from_ms(10));
    rig.chip.input(pin(INT7_PIN, Level::Low));
    rig.run(Time::from_ms(10) + Time::from_us(100));
    rig.chip.input(pin(INT7_PIN, Level::High));
    rig.run(Time::from_ms(20));
    assert_eq!(rig.marks().len(), 1);
}

#[test]
fn without_the_i_bit_only_a_reset_ends_a_sleep() {
    let mut program = Program::new();
    program.set(EICRA, 0x02).set(EIMSK, 0x01).set(MCUCR, SE | IDLE).sleep().mark().stay();
    let mut rig = Rig::new(&program);
    rig.chip.input(pin(INT0_PIN, Level::High));
    rig.run(Time::from_ms(10));
    rig.chip.input(pin(INT0_PIN, Level::Low));
    rig.run(Time::from_ms(20));
    assert!(rig.marks().is_empty());
    rig.chip.input(Input::Reset);
    rig.run(Time::from_ms(30));
    assert_eq!(rig.resets(), ["power-on", "external"]);
}

#[test]
fn sleep_is_nothing_unless_it_is_enabled() {
    let mut program = Program::new();
    program.set(MCUCR, POWER_DOWN).sleep().mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    assert_eq!(rig.marks().len(), 1);
}

/// Timer 0 wakes every eighth of a second, as TinyOS has it: 32 edges a count, 128 counts.
fn ticking(mode: u8) -> Program {
    let mut program = Program::new();
    program.set(ASSR, 8).set(TCNT0, 0).set(OCR0, 127).set(TCCR0, 0x0B).wait(ASSR, 7, false);
    program.set(TIMSK, 2).set(MCUCR, SE | mode).interrupts(true);
    let start = program.here();
    program.sleep().set(OCR0, 127).wait(ASSR, 7, false).jump(start);
    program.handler(TIMER0_COMPARE).mark().done();
    program
}

#[test]
fn the_watch_crystal_wakes_from_the_modes_in_which_it_runs() {
    for mode in MODES {
        let mut rig = Rig::new(&ticking(mode));
        rig.run(Time::from_ms(1_500));
        let marks = rig.marks();
        if mode == POWER_DOWN || mode == STANDBY {
            assert!(marks.is_empty());
            continue;
        }
        assert!(marks.len() >= 10, "{mode:#x}: {}", marks.len());
        let watch = Clock::new(Time::ZERO, 32_768);
        for pair in marks.windows(2) {
            let edges = watch.edges_until(pair[1]) - watch.edges_until(pair[0]);
            assert_eq!(edges, 4_096);
        }
        assert_eq!(rig.warnings(), [] as [&crate::Warning; 0]);
    }
}

#[test]
fn time_asleep_is_counted_and_costs_no_instructions() {
    let mut rig = Rig::new(&ticking(POWER_SAVE));
    rig.run(Time::from_s(100));
    let asleep = rig.chip.time_asleep().as_s();
    assert!((97.0..100.0).contains(&asleep), "{asleep}");
    assert!(rig.chip.instructions() < 1_000_000);
}

#[test]
fn the_cycles_stand_where_the_io_clock_does() {
    for (mode, runs) in [(IDLE, true), (POWER_SAVE, false)] {
        let mut rig = Rig::new(&sleeper(mode));
        rig.chip.input(pin(INT0_PIN, Level::High));
        rig.run(Time::from_ms(100));
        assert_eq!(rig.chip.cycle().0 > 100_000, runs);
    }
}

#[test]
fn falling_asleep_too_soon_and_reserved_modes_are_reported() {
    let mut program = Program::new();
    program.set(ASSR, 8).set(TIMSK, 2).set(TCCR0, 0x0B).set(OCR0, 5);
    program.set(MCUCR, SE | POWER_SAVE).interrupts(true).sleep().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.warnings()[0].kind, WarningKind::AsleepTooSoon);
    assert_eq!(rig.warnings()[0].block, "TIMER0");

    let mut program = Program::new();
    program.set(MCUCR, SE | 0x04).sleep().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.warnings()[0].kind, WarningKind::Reserved);

    let mut program = Program::new();
    program.set(MCUCR, SE | STANDBY).sleep().stay();
    let mut rig = Rig::with_fuses(&program, INTERNAL);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.warnings()[0].kind, WarningKind::Reserved);
}

#[test]
fn a_request_from_before_the_sleep_ends_it_at_once() {
    let mut program = Program::new();
    // USART0's data register is empty, which is no reason to wake from power-down by itself.
    program.set(UCSR0B, 0x28).set(MCUCR, SE | POWER_DOWN).interrupts(true).sleep().stay();
    program.handler(USART0_RECEIVE + 1).set(UCSR0B, 0).mark().done();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.marks().len(), 1);
}

#[test]
fn the_mark_is_port_a_0() {
    assert_eq!(MARK.to_string(), "PA00");
}

/// Whatever the cycle at which the I/O clock stops, the timer goes on from there.
#[test]
fn a_match_around_the_moment_of_falling_asleep_is_not_lost() {
    for mode in [ADC_NOISE_REDUCTION, POWER_DOWN, POWER_SAVE, STANDBY] {
        for clocks in 1..20 {
            let mut program = Program::new();
            program.set(EICRA, 0x02).set(EIMSK, 0x01).set(MCUCR, SE | mode).set(TIMSK, 0x10);
            program.set(OCR1AH, 0).set(OCR1AL, clocks).set(TCCR1B, 0x01);
            program.interrupts(true).sleep().nops(100).stay();
            program.handler(TIMER1_COMPARE_A).set(TCCR1B, 0x00).mark().done();
            program.handler(INT0).done();
            let mut rig = Rig::new(&program);
            rig.chip.input(pin(INT0_PIN, Level::High));
            rig.run(Time::from_ms(50));
            rig.chip.input(pin(INT0_PIN, Level::Low));
            rig.run(Time::from_ms(60));
            assert_eq!(rig.marks().len(), 1, "{mode:#x}, {clocks} clocks");
        }
    }
}
