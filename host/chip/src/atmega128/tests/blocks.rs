// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks together with core, port and bus.

use super::program::{HZ, Program, Rig};
use crate::atmega128::map::*;
use crate::{BitTime, Frame, Input, Level, Output, PinId, Reply, Stamped, Time, Transfer, Word};

const RXD0: PinId = PinId { port: 4, bit: 0 };
const TXD0: PinId = PinId { port: 4, bit: 1 };
const MOSI: PinId = PinId { port: 1, bit: 2 };
const MISO: PinId = PinId { port: 1, bit: 3 };

#[test]
fn an_interrupt_is_taken_four_cycles_after_its_flag() {
    let mut program = Program::new();
    program.set(OCR1AH, 0).set(OCR1AL, 200).set(TIMSK, 0x10).interrupts(true);
    program.load(16, 1).mark().store(16, TCCR1B.into());
    program.nops(400);
    program.handler(TIMER1_COMPARE_A).mark().done();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    let marks = rig.mark_cycles();
    // STS; 201 counts; entry, JMP, LDI and EOR, and the STS that makes the mark.
    assert_eq!(marks[1] - marks[0], 2 + 201 + 4 + 3 + 2 + 2);
}

#[test]
fn interrupts_that_may_come_are_those_enabled_in_a_block() {
    let armed = |registers: &[(u8, u8)]| {
        let mut program = Program::new();
        registers
            .iter()
            .fold(&mut program, |program, (register, value)| program.set(*register, *value));
        program.stay();
        let mut rig = Rig::new(&program);
        rig.run(Time::from_ms(10));
        rig.chip.enabled_interrupts()
    };
    assert_eq!(armed(&[]), []);
    assert_eq!(armed(&[(EIMSK, 0x81)]), [INT0, INT0 + 7]);
    // A counter that stands requests nothing, except that its input captures.
    assert_eq!(armed(&[(TIMSK, 0xFC)]), [TIMER1_CAPTURE]);
    assert_eq!(armed(&[(TIMSK, 0xC0), (TCCR2, 1)]), [TIMER2_COMPARE, TIMER2_OVERFLOW]);
    assert_eq!(armed(&[(TIMSK, 0x10), (TCCR1B, 7)]), [TIMER1_COMPARE_A]);
    assert_eq!(armed(&[(ETIMSK, 0x3F), (TCCR3B, 1)]).len(), 5);
    assert_eq!(armed(&[(TIMSK, 0x03)]), [TIMER0_COMPARE, TIMER0_OVERFLOW]);
    assert_eq!(armed(&[(SPCR, 0xC0)]), [SPI_COMPLETE]);
    assert_eq!(armed(&[(UCSR0B, 0x98)]), [USART0_RECEIVE]);
    assert_eq!(armed(&[(UCSR1B, 0x60)]), [USART1_RECEIVE + 1, USART1_RECEIVE + 2]);
    assert_eq!(armed(&[(ADCSRA, 0x88)]), [ADC_COMPLETE]);
    assert_eq!(armed(&[(EECR, 0x08)]), [EEPROM_READY]);
    assert_eq!(armed(&[(ACSR, 0x08)]), [COMPARATOR]);
    assert_eq!(armed(&[(TWCR, 0x05)]), [TWI_EVENT]);
    assert_eq!(armed(&[(SPMCSR, 0x80)]), [SPM_READY]);
}

#[test]
fn timers_request_their_own_vectors() {
    let rig = Rig::new(&Program::new());
    let timers = (0..64).filter(|vector| rig.chip.is_of_timer(*vector)).count();
    assert_eq!(timers, 2 + 5 + 2 + 5);
    for vector in [TIMER0_OVERFLOW, TIMER1_COMPARE_C, TIMER2_COMPARE, TIMER3_CAPTURE] {
        assert!(rig.chip.is_of_timer(vector), "{vector}");
    }
}

#[test]
fn what_a_block_does_during_an_instruction_is_reported_with_its_own_cycle() {
    let oc1a = PinId { port: 1, bit: 5 };
    let mut program = Program::new();
    // Toggles every 101 cycles, while the processor executes a loop of two cycles.
    program.set(DDRB, 0x20).set(OCR1AH, 0).set(OCR1AL, 100).set(TCCR1A, 0x40).set(TCCR1B, 0x09);
    program.stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    let edge =
        |seen: &&Stamped<Output>| matches!(seen.what, Output::Pin { pin, .. } if pin == oc1a);
    let edges: Vec<_> = rig.seen.iter().filter(edge).skip(1).collect();
    assert!(edges.len() > 100);
    for pair in edges.windows(2) {
        assert_eq!(pair[1].cycle.0 - pair[0].cycle.0, 101);
    }
}

#[test]
fn what_is_written_to_a_port_is_read_after_one_more_instruction() {
    let mut program = Program::new();
    program.load(16, 0x10).load(17, 0).set(DDRB, 0xFF).load(16, 0x10).out(PORTB, 16);
    // IN r18, PINB; IN r19, PINB
    program.fetch_io(18, PINB).fetch_io(19, PINB).store(18, 0x100).store(19, 0x101).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    assert_eq!([rig.result(0), rig.result(1)], [0x00, 0x10]);
}

#[test]
fn a_program_echoes_what_it_hears() {
    let mut program = Program::new();
    // 38,400 baud at 4 MHz in double speed: 12, with 0.2 % of error.
    program.set(UCSR0A, 2).set(UBRR0L, 12).set(UCSR0B, 0x98).interrupts(true).stay();
    program.handler(USART0_RECEIVE).fetch(16, UDR0.into()).store(16, UDR0.into()).done();
    let mut rig = Rig::new(&program);
    rig.chip.input(Input::Pin { pin: RXD0, level: Level::High });
    rig.run(Time::from_ms(10));
    let bit_time = BitTime::from_ns(26_042);
    let frame = |data| Frame { data, data_bits: 8, parity: None, stop_bits: 1, bit_time };
    for data in [0x48, 0x69] {
        rig.chip.input(Input::Frame { pin: RXD0, frame: frame(data) });
        let until = rig.chip.now() + frame(data).length();
        rig.run(until);
    }
    rig.run(Time::from_ms(20));
    let heard: Vec<u16> = rig
        .seen
        .iter()
        .filter_map(|seen| match seen.what {
            Output::Frame { pin, frame } if pin == TXD0 => Some(frame.data),
            _ => None,
        })
        .collect();
    assert_eq!(heard, [0x48, 0x69]);
    assert!(rig.warnings().is_empty());
}

fn transfers(rig: &Rig, wanted: PinId) -> Vec<u16> {
    let data = rig.seen.iter().filter_map(|seen| match seen.what {
        Output::Transfer { pin, transfer: Transfer::Spi(word) } if pin == wanted => Some(word.data),
        _ => None,
    });
    data.collect()
}

#[test]
fn spi_speaks_with_a_device_if_its_clock_is_an_output() {
    for (direction, expected) in [(0x07, vec![0x9F]), (0x00, vec![])] {
        let mut program = Program::new();
        program.set(DDRB, direction).set(PORTB, 0x01).set(SPCR, 0x50).set(SPDR, 0x9F).mark();
        program.wait(SPSR, 0x80, true).read(SPDR, 0).stay();
        let mut rig = Rig::new(&program);
        while rig.marks().is_empty() && rig.chip.now() < Time::from_ms(10) {
            let next = rig.chip.now() + Time::from_us(2);
            rig.run(next);
        }
        rig.chip.input(Input::Reply { pin: MISO, reply: Reply::Word(0xEF) });
        rig.run(Time::from_ms(10));
        assert_eq!((transfers(&rig, MOSI), rig.result(0)), (expected, 0xEF));
    }
}

#[test]
fn a_radio_clocks_bytes_in_through_the_slave() {
    let mut program = Program::new();
    program.set(DDRB, 0x08).set(SPCR, 0xC0).set(SPDR, 0x33).interrupts(true).stay();
    program.handler(SPI_COMPLETE).read(SPDR, 0).mark().set(SPDR, 0x44).done();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    // 19,200 bit/s, as the CC1000 of a MICA2.
    let word = Word { data: 0xAA, bits: 8, mode: 0, bit_time: BitTime::from_us(52) };
    let begin = rig.chip.now();
    rig.chip.input(Input::Word { pin: MOSI, word });
    rig.run(Time::from_ms(11));
    let delay = rig.marks()[0] - begin;
    assert!(delay > Time::from_us(416) && delay < Time::from_us(425), "{delay}");
    rig.chip.input(Input::Word { pin: MOSI, word: Word { data: 0xCC, ..word } });
    rig.run(Time::from_ms(12));
    assert_eq!((rig.result(0), transfers(&rig, MISO)), (0xCC, vec![0x33, 0x44]));
}

#[test]
fn a_waveform_leaves_the_chip_where_its_pin_is_an_output() {
    let mut program = Program::new();
    // CTC with a toggle every 2,000 cycles: 1 kHz.
    program.set(DDRB, 0x20).set(OCR1AH, 0x07).set(OCR1AL, 0xCF).set(TCCR1A, 0x40);
    program.set(TCCR1B, 0x09).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(25));
    let oc1a = PinId { port: 1, bit: 5 };
    let edges = rig.when(|output| {
        matches!(output, Output::Pin { pin, level: Level::High | Level::Low } if *pin == oc1a)
    });
    let gaps: Vec<Time> = edges.windows(2).skip(1).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.len() > 30 && gaps.iter().all(|gap| *gap == Time::from_us(500)), "{gaps:?}");
}

#[test]
fn the_converter_measures_a_pin_and_the_comparator_captures() {
    let mut program = Program::new();
    program.set(MCUCSR, 0x80).set(ADMUX, 0x42).set(ADCSRA, 0xC3).wait(ADCSRA, 0x40, false);
    program.read(ADCL, 0).read(ADCH, 1);
    program.set(TCCR1B, 0x41).set(ACSR, 0x04).mark().wait(TIFR, 0x20, true).mark().stay();
    let mut rig = Rig::new(&program);
    let voltage = |port, bit, microvolts| Input::Voltage { pin: PinId { port, bit }, microvolts };
    rig.chip.input(voltage(5, 2, 1_000_000));
    rig.chip.input(voltage(4, 2, 100_000));
    rig.chip.input(voltage(4, 3, 200_000));
    rig.run(Time::from_ms(10));
    assert_eq!(u16::from_le_bytes([rig.result(0), rig.result(1)]), 341);
    assert_eq!(rig.marks().len(), 1);
    // What is outside remains there through a reset.
    rig.chip.input(Input::Reset);
    rig.seen.clear();
    rig.run(Time::from_ms(20));
    assert_eq!(u16::from_le_bytes([rig.result(0), rig.result(1)]), 341);
    assert_eq!(rig.marks().len(), 1);
    rig.chip.input(voltage(4, 2, 300_000));
    rig.run(Time::from_ms(21));
    assert_eq!(rig.marks().len(), 2);
}

#[test]
fn tools_see_the_handler_and_what_it_has_saved() {
    use lichen_isa::avr8::{PC, SP};
    let mut program = Program::new();
    program.set(OCR1AL, 100).set(TIMSK, 0x10).set(TCCR1B, 1).interrupts(true);
    let stay = program.address();
    program.stay();
    program.handler(TIMER1_COMPARE_A).mark().done();
    let mut rig = Rig::new(&program);
    rig.chip.core_mut().watch_exceptions(true);
    let entered = |rig: &Rig| {
        rig.seen.iter().any(|seen| seen.what == Output::Exception { number: TIMER1_COMPARE_A })
    };
    while !entered(&rig) {
        let _ = rig.chip.run(Time::from_ms(100));
        rig.chip.take_outputs(&mut rig.seen);
    }
    let core = rig.chip.core();
    assert_eq!((core.exception(), core.exception_name(core.exception())), (12, "TIMER1_COMPA"));
    let saved = core.saved_by_exception().expect("on the stack");
    assert_eq!(saved, [(SP, 0x10FF), (PC, stay)]);
    assert!(core.masks_interrupts());
    let requested = core.requested_at(TIMER1_COMPARE_A).expect("a request");
    assert!(rig.chip.cycle().0 - requested.cycle.0 < 12);
    assert_eq!(HZ, 4_000_000);
}

#[test]
fn an_edge_of_a_character_is_captured_though_nothing_else_is_due() {
    // After 16 ms all flags of the timer are set, and it has nothing to do by itself.
    let mut program = Program::new();
    program.set(TIMSK, 0x20).set(TCCR1B, 0x41).interrupts(true).stay();
    program.handler(TIMER1_CAPTURE).read(TCNT1L, 0).read(TCNT1H, 1);
    program.read(ICR1L, 2).read(ICR1H, 3).set(TIMSK, 0).done();
    let mut rig = Rig::new(&program);
    let icp1 = PinId { port: 3, bit: 4 };
    rig.chip.input(Input::Pin { pin: icp1, level: Level::High });
    rig.run(Time::from_ms(31));
    let bit_time = BitTime::from_us(104);
    let frame = Frame { data: 0x55, data_bits: 8, parity: None, stop_bits: 1, bit_time };
    rig.chip.input(Input::Frame { pin: icp1, frame });
    rig.run(Time::from_ms(32));
    let [counter, captured] =
        [0, 2].map(|low| u16::from_le_bytes([rig.result(low), rig.result(low + 1)]));
    let since = counter.wrapping_sub(captured);
    assert!((1..30).contains(&since), "{counter} {captured}");
}

#[test]
fn an_interrupt_can_be_forced() {
    let mut program = Program::new();
    program.interrupts(true).stay();
    program.handler(TWI_EVENT).mark().done();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    rig.chip.core_mut().pend_interrupt(TWI_EVENT);
    rig.run(Time::from_ms(11));
    assert_eq!(rig.marks().len(), 1);
}
