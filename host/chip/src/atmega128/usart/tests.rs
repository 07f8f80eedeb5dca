// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::atmega128::bench::Bench;
use crate::{BitTime, Frame, Time};

const FOREVER: Time = Time::from_s(100);

/// USART0 at 1 MHz with this divider, on, with a high line.
fn bench(divider: u8, control_a: u8, control_c: u8) -> Bench<Usart> {
    let mut bench = Bench::new(Usart::new(0));
    bench.input(Signal::Rxd0, PadInput::Level(true));
    bench.write(UBRR0L, divider);
    bench.write(UCSR0A, control_a);
    bench.write(UCSR0C, control_c);
    bench.write(UCSR0B, RXEN | TXEN);
    bench.take();
    bench
}

const EIGHT_BITS: u8 = 0x06;

/// Characters that were sent, with the cycles at which they began.
fn sent(bench: &mut Bench<Usart>) -> Vec<(u64, Frame)> {
    let clocks = bench.clocks.clone();
    let effects = bench.effects.drain(..);
    effects
        .filter_map(|(time, effect)| match effect {
            Effect::Frame(Signal::Txd0, frame) => Some((clocks.cycle_until(time), frame)),
            _ => None,
        })
        .collect()
}

fn frame(data: u16, bit: u64) -> Frame {
    let bit_time = BitTime::from_us(bit);
    Frame { data, data_bits: 8, parity: None, stop_bits: 1, bit_time }
}

#[test]
fn a_character_begins_with_the_next_bit_clock_and_takes_ten_bits() {
    let mut bench = bench(5, 0, EIGHT_BITS);
    bench.write(UCSR0B, TXEN | TXCIE);
    bench.run_cycles(100);
    assert_eq!(bench.read(UCSR0A), UDRE);
    bench.write(UDR0, 0x41);
    assert_eq!(bench.read(UCSR0A), UDRE, "the shift register has it");
    bench.write(UDR0, 0x42);
    assert_eq!(bench.read(UCSR0A), 0);
    let done = bench.rises_by(FOREVER).expect("transmission complete");
    // The bit clock has run since UBRR0L was written; a bit has 96 cycles.
    assert_eq!(bench.clocks.cycle_until(done), 192 + 2 * 960);
    assert_eq!(sent(&mut bench), [(192, frame(0x41, 96)), (192 + 960, frame(0x42, 96))]);
    assert_eq!(bench.read(UCSR0A), UDRE | TXC);
    bench.write(UCSR0A, TXC);
    assert_eq!(bench.read(UCSR0A), UDRE);
}

#[test]
fn the_speed_is_that_of_divider_and_double_speed() {
    for (divider, control, bit) in [(0, 0, 16), (0, U2X, 8), (51, 0, 832), (103, U2X, 832)] {
        let mut bench = bench(divider, control, EIGHT_BITS);
        bench.write(UDR0, 0);
        bench.run_cycles(2 * bit);
        assert_eq!(sent(&mut bench)[0].1.bit_time, BitTime::from_us(bit));
    }
    let mut bench = bench(0, 0, EIGHT_BITS);
    bench.write(UBRR0H, 1);
    bench.write(UBRR0L, 0);
    bench.write(UDR0, 0);
    bench.run_cycles(2 * 257 * 16);
    assert_eq!(sent(&mut bench)[0].1.bit_time, BitTime::from_us(257 * 16));
}

#[test]
fn characters_have_the_selected_form_in_both_directions() {
    let forms: [(u8, u8, u8, Option<bool>, u8); 7] = [
        (0x00, 0, 5, None, 1),
        (0x02, 0, 6, None, 1),
        (0x04, 0, 7, None, 1),
        (0x0E, 0, 8, None, 2),
        (0x26, 0, 8, Some(true), 1),
        (0x36, 0, 8, Some(false), 1),
        (0x06, UCSZ2 | TXB8, 9, None, 1),
    ];
    for (control, nine, data_bits, parity, stop_bits) in forms {
        let mut bench = bench(1, 0, control);
        bench.write(UCSR0B, RXEN | TXEN | nine);
        bench.write(UDR0, 0xEC);
        bench.run_cycles(32 * 14);
        let data = (0x1EC & ((1 << data_bits) - 1)) as u16;
        let expected = Frame { data, data_bits, parity, stop_bits, bit_time: BitTime::from_us(32) };
        assert_eq!(sent(&mut bench)[0].1, expected);
        bench.input(Signal::Rxd0, PadInput::Frame(expected));
        bench.run_cycles(32 * 14);
        let ninth = bench.read(UCSR0B) & RXB8 != 0;
        assert_eq!(bench.read(UCSR0A) & (RXC | FE | DOR | UPE), RXC, "{control:#x}");
        assert_eq!((bench.read(UDR0), ninth), (data as u8, data_bits == 9));
    }
}

#[test]
fn a_character_is_there_in_the_middle_of_its_stop_bit() {
    let mut bench = bench(5, 0, EIGHT_BITS);
    bench.write(UCSR0B, RXEN | RXCIE);
    bench.run_until(Time::from_us(1_000));
    bench.input(Signal::Rxd0, PadInput::Frame(frame(0x5A, 96)));
    let there = bench.rises_by(FOREVER).expect("a character");
    // The first sample that sees the start bit is at 1002; the tenth of the stop bit decides.
    assert_eq!(there, Time::from_us(1_002 + 9 * 96 + 9 * 6));
    assert_eq!(bench.block.lines(), 1 << USART0_RECEIVE);
    assert_eq!(bench.read(UDR0), 0x5A);
    assert_eq!(bench.block.lines(), 0);
}

#[test]
fn errors_belong_to_the_character_that_is_read_next() {
    let mut bench = bench(1, 0, 0x26);
    let good = Frame { parity: Some(false), ..frame(0x0F, 32) };
    bench.input(Signal::Rxd0, PadInput::Frame(good));
    bench.run_cycles(400);
    bench.input(Signal::Rxd0, PadInput::Frame(Frame { parity: Some(true), ..good }));
    bench.run_cycles(400);
    assert_eq!(bench.read(UCSR0A) & (RXC | UPE), RXC);
    bench.read(UDR0);
    assert_eq!(bench.read(UCSR0A) & (RXC | UPE), RXC | UPE);
    bench.read(UDR0);
    assert_eq!(bench.read(UCSR0A) & (RXC | UPE), 0);
}

#[test]
fn a_line_that_stays_low_is_a_frame_error() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.input(Signal::Rxd0, PadInput::Level(false));
    bench.run_cycles(400);
    assert_eq!(bench.read(UCSR0A) & (RXC | FE), RXC | FE);
    assert_eq!(bench.read(UDR0), 0);
}

#[test]
fn three_characters_wait_and_the_fourth_overruns_the_third() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    for data in 1..=4 {
        bench.input(Signal::Rxd0, PadInput::Frame(frame(data, 32)));
        bench.run_cycles(320);
    }
    let mut read = Vec::new();
    while bench.read(UCSR0A) & RXC != 0 {
        let overrun = bench.read(UCSR0A) & DOR != 0;
        read.push((bench.read(UDR0), overrun));
    }
    assert_eq!(read, [(1, false), (2, false), (4, true)]);
}

#[test]
fn a_short_pulse_is_no_start_bit() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.input(Signal::Rxd0, PadInput::Level(false));
    bench.run_cycles(10);
    bench.input(Signal::Rxd0, PadInput::Level(true));
    bench.run_cycles(1_000);
    assert_eq!(bench.read(UCSR0A) & RXC, 0);
}

#[test]
fn a_sender_may_be_a_little_faster_or_slower() {
    for (bit_time, fits) in
        [(960, true), (1_000, true), (1_040, true), (900, false), (1_100, false)]
    {
        let mut bench = bench(1, 0, EIGHT_BITS);
        let sent = Frame { bit_time: BitTime::from_ns(32 * bit_time), ..frame(0xA5, 0) };
        bench.input(Signal::Rxd0, PadInput::Frame(sent));
        bench.run_cycles(500);
        let good = bench.read(UCSR0A) & FE == 0 && bench.read(UDR0) == 0xA5;
        assert_eq!(good, fits, "{bit_time}");
    }
}

#[test]
fn in_multi_processor_mode_only_addresses_are_kept() {
    let mut bench = bench(1, MPCM, EIGHT_BITS);
    bench.write(UCSR0B, RXEN | UCSZ2);
    for data in [0x012, 0x134, 0x056] {
        let sent = Frame { data_bits: 9, ..frame(data, 32) };
        bench.input(Signal::Rxd0, PadInput::Frame(sent));
        bench.run_cycles(400);
    }
    assert_eq!((bench.read(UDR0), bench.read(UCSR0A) & RXC), (0x34, 0));
    assert_eq!(bench.read(UCSR0A) & MPCM, MPCM);
}

#[test]
fn it_has_its_pins_while_it_is_on() {
    let mut bench = Bench::new(Usart::new(1));
    bench.write(UCSR1B, RXEN | TXEN);
    let taken = [
        Effect::Override(Signal::Rxd1, Drive::INPUT),
        Effect::Override(Signal::Txd1, Drive::output(true)),
    ];
    assert_eq!(bench.take(), taken);
    bench.write(UDR1, 0);
    bench.write(UCSR1B, 0);
    assert_eq!(bench.take(), [Effect::Override(Signal::Rxd1, Drive::NONE)]);
    bench.run_cycles(200);
    assert!(bench.take().contains(&Effect::Override(Signal::Txd1, Drive::NONE)), "sent to its end");
}

#[test]
fn both_interfaces_are_the_same() {
    const REGISTERS: [[u8; 6]; 2] = [
        [UDR0, UCSR0A, UCSR0B, UCSR0C, UBRR0L, UBRR0H],
        [UDR1, UCSR1A, UCSR1B, UCSR1C, UBRR1L, UBRR1H],
    ];
    let runs = [0, 1].map(|number| {
        let [data, a, b, c, low, high] = REGISTERS[usize::from(number)];
        let mut bench = Bench::new(Usart::new(number));
        let rxd = if number == 0 { Signal::Rxd0 } else { Signal::Rxd1 };
        bench.input(rxd, PadInput::Level(true));
        bench.write(high, 1);
        bench.write(low, 4);
        bench.write(a, U2X | MPCM);
        bench.write(c, 0x3E);
        bench.write(b, RXEN | TXEN | RXCIE | TXCIE | UDRIE | UCSZ2 | TXB8);
        bench.write(data, 0x77);
        let first = Frame {
            data: 0x1AB,
            data_bits: 9,
            parity: Some(false),
            stop_bits: 2,
            bit_time: BitTime::from_us(261 * 8),
        };
        bench.input(rxd, PadInput::Frame(first));
        bench.run_cycles(60_000);
        let lines =
            bench.block.lines() >> if number == 0 { USART0_RECEIVE } else { USART1_RECEIVE };
        let frames = bench.take().into_iter().filter_map(|effect| match effect {
            Effect::Frame(_, frame) => Some(frame),
            _ => None,
        });
        let frames: Vec<Frame> = frames.collect();
        (lines, frames, [a, b, c, low, high, data].map(|register| bench.read(register)))
    });
    assert_eq!(runs[0], runs[1]);
    let (lines, frames, [a, b, .., data]) = &runs[1];
    assert_eq!((*lines, frames[0].data, *data), (7, 0x177, 0xAB));
    assert_eq!(
        (a & (RXC | TXC | UDRE | U2X | MPCM), b & RXB8),
        (RXC | TXC | UDRE | U2X | MPCM, RXB8)
    );
}

#[test]
fn requests_are_those_that_are_enabled() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.write(UCSR0B, TXEN | UDRIE | TXCIE);
    assert_eq!(bench.block.lines(), 1 << (USART0_RECEIVE + 1));
    bench.write(UDR0, 1);
    bench.write(UDR0, 2);
    assert_eq!(bench.block.lines(), 0);
    bench.run_cycles(1_000);
    assert_eq!(bench.block.lines(), 6 << USART0_RECEIVE);
    bench.with(|usart, cx| usart.acknowledge(cx, USART0_RECEIVE + 2));
    assert_eq!(bench.block.lines(), 2 << USART0_RECEIVE);
}

#[test]
fn switching_the_receiver_off_drops_what_waits() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.input(Signal::Rxd0, PadInput::Frame(frame(1, 32)));
    bench.run_cycles(400);
    bench.write(UCSR0B, 0);
    bench.write(UCSR0B, RXEN);
    assert_eq!(bench.read(UCSR0A) & RXC, 0);
}

#[test]
fn what_does_not_work_is_reported() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.write(UCSR0B, 0);
    bench.write(UDR0, 1);
    assert_eq!(bench.take_warnings(), [WarningKind::NotSent], "the transmitter is off");
    bench.write(UCSR0C, 0x16);
    assert_eq!(bench.take_warnings(), [WarningKind::Reserved]);
    bench.write(UCSR0C, UMSEL | EIGHT_BITS);
    assert_eq!(bench.take_warnings(), [WarningKind::NotModelled]);
}

#[test]
fn a_character_is_lost_if_the_clock_stops_under_it() {
    let mut bench = bench(1, 0, EIGHT_BITS);
    bench.input(Signal::Rxd0, PadInput::Frame(frame(0xFF, 32)));
    bench.run_cycles(100);
    bench.sleep(crate::atmega128::sleep::Mode::PowerDown);
    bench.run_for(Time::from_ms(1));
    bench.wake();
    bench.run_cycles(1_000);
    assert_eq!(bench.read(UCSR0A) & RXC, 0);
    bench.input(Signal::Rxd0, PadInput::Frame(frame(0x77, 32)));
    bench.run_cycles(400);
    assert_eq!(bench.read(UDR0), 0x77);
}

#[test]
fn a_receiver_that_is_off_remembers_nothing_of_its_line() {
    let mut bench = bench(51, 0, EIGHT_BITS);
    bench.write(UCSR0B, TXEN);
    let mut size_after = |changes| {
        for change in 0..changes {
            bench.run_cycles(10);
            bench.input(Signal::Rxd0, PadInput::Level(change % 2 != 0));
        }
        borsh::to_vec(&bench.block).expect("a state").len()
    };
    let few = size_after(10);
    assert!(size_after(10_000) <= few + 8);
}
