// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saved and restored states, and runs that are cut into pieces.

use super::program::{Program, Rig};
use crate::atmega128::map::*;
use crate::{BitTime, Frame, Input, PinId, StateError, Time};

/// Everything runs: timers, converter, serial interface, sleep.
fn busy() -> Program {
    let mut program = Program::new();
    program.set(ASSR, 8).set(OCR0, 3).set(TCCR0, 0x0B).set(TIMSK, 0x02);
    program.set(TCCR1A, 0x40).set(TCCR1B, 0x09).set(OCR1AH, 1).set(OCR1AL, 0).set(DDRB, 0xFF);
    program.set(UBRR0L, 12).set(UCSR0B, 0x98).set(ADCSRA, 0xE7).set(MCUCR, 0x20);
    program.interrupts(true);
    let start = program.here();
    program.sleep().read(TCNT0, 0).read(TCNT1L, 1).set(UDR0, 0x55).jump(start);
    program.handler(TIMER0_COMPARE).mark().done();
    program.handler(USART0_RECEIVE).read(UDR0, 2).mark().done();
    program
}

fn character() -> Input {
    let bit_time = BitTime::from_us(52);
    let frame = Frame { data: 0x42, data_bits: 8, parity: None, stop_bits: 1, bit_time };
    Input::Frame { pin: PinId { port: 4, bit: 0 }, frame }
}

fn end() -> Time {
    Time::from_ms(60)
}

#[test]
fn a_run_in_pieces_is_the_same_run() {
    let mut whole = Rig::new(&busy());
    whole.run(Time::from_ms(20));
    whole.chip.input(character());
    whole.run(end());
    let mut cut = Rig::new(&busy());
    let mut now = Time::ZERO;
    while now < Time::from_ms(20) {
        now = (now + Time::from_ps(7_654_321)).min(Time::from_ms(20));
        cut.run(now);
    }
    cut.chip.input(character());
    while now < end() {
        now = (now + Time::from_ps(13_579_777)).min(end());
        cut.run(now);
    }
    assert_eq!(whole.seen, cut.seen);
    assert_eq!(whole.chip.state_hash(), cut.chip.state_hash());
}

#[test]
fn single_steps_are_the_same_run() {
    let mut whole = Rig::new(&busy());
    whole.run(Time::from_ms(15));
    let mut stepped = Rig::new(&busy());
    while stepped.chip.now() < whole.chip.now() {
        stepped.chip.core_mut().step(whole.chip.now());
        stepped.chip.take_outputs(&mut stepped.seen);
    }
    let until = stepped.chip.now();
    whole.run(until);
    assert_eq!(whole.seen, stepped.seen);
    assert_eq!(whole.chip.state_hash(), stepped.chip.state_hash());
}

#[test]
fn a_restored_state_continues_identically() {
    let mut rig = Rig::new(&busy());
    rig.run(Time::from_ms(20));
    rig.chip.input(character());
    rig.run(Time::from_us(20_200));
    let snapshot = rig.chip.snapshot();
    let saved = rig.chip.save();
    let hash = rig.chip.state_hash();
    rig.run(end());
    let after = rig.chip.state_hash();
    rig.chip.restore(&snapshot).expect("its own state");
    assert_eq!(rig.chip.state_hash(), hash);
    rig.run(end());
    assert_eq!(rig.chip.state_hash(), after);
    let mut other = Rig::new(&Program::new());
    other.chip.load(&saved).expect("a state of the same part");
    assert_eq!(other.chip.state_hash(), hash);
    other.run(end());
    assert_eq!(other.chip.state_hash(), after);
}

#[test]
fn other_states_are_refused() {
    let mut rig = Rig::new(&Program::new());
    let mut saved = rig.chip.save();
    saved.push(0);
    assert!(matches!(rig.chip.load(&saved), Err(StateError::Damaged { .. })));
    let config = crate::Config::default();
    let other = crate::by_part("ATmega128A", &config).expect("known part");
    assert!(matches!(rig.chip.load(&other.save()), Err(StateError::OtherPart { .. })));
}

#[test]
fn polling_takes_the_same_cycles_as_stepping() {
    let mut program = Program::new();
    program.set(TCCR1B, 2).wait(TIFR, 4, true).mark().set(TIFR, 4);
    program.set(EEDR, 1).load(16, 4).load(17, 6).out(EECR, 16).out(EECR, 17);
    program.wait(EECR, 2, false).mark().set(ASSR, 8).set(TCCR0, 7).wait(ASSR, 7, false).mark();
    program.wait(TCNT0, 2, true).mark().stay();
    let mut polled = Rig::new(&program);
    polled.run(Time::from_ms(250));
    let mut stepped = Rig::new(&program);
    while stepped.chip.now() < Time::from_ms(150) {
        stepped.chip.core_mut().step(Time::from_ms(150));
        stepped.chip.take_outputs(&mut stepped.seen);
    }
    stepped.run(Time::from_ms(250));
    assert_eq!(polled.mark_cycles().len(), 4);
    assert_eq!(polled.mark_cycles(), stepped.mark_cycles());
    assert_eq!(polled.chip.state_hash(), stepped.chip.state_hash());
}
