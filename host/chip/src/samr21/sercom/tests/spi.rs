// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadInput, PadOutput, Signal};
use crate::samr21::sercom::Sercom;
use crate::{BitTime, Level, Reply, Time, Transfer, WarningKind, Word};

const CTRLA: u32 = 0x00;
const CTRLB: u32 = 0x04;
const BAUD: u32 = 0x0C;
const INTENSET: u32 = 0x16;
const INTFLAG: u32 = 0x18;
const STATUS: u32 = 0x1A;
const SYNCBUSY: u32 = 0x1C;
const DATA: u32 = 0x28;

const DRE: u32 = 1;
const TXC: u32 = 2;
const RXC: u32 = 4;

/// Master, data out on PAD2, clock on PAD3, data in on PAD0: as the radio is wired.
const MODE: u32 = 3 << 2 | 1 << 16;
const RXEN: u32 = 1 << 17;
const MISO: Signal = Signal::Sercom { instance: 4, pad: 0 };
const MOSI: Signal = Signal::Sercom { instance: 4, pad: 2 };
/// 8 bits at 4 MHz of a core clock of 8 MHz.
const BYTE: Time = Time::from_us(2);
/// Six edges of the core clock.
const CROSSING: Time = Time::from_ns(750);

fn master_with(ctrla: u32, ctrlb: u32) -> Bench<Sercom> {
    let mut bench = Bench::new(Sercom::new(4));
    bench.clock(24, 8_000_000);
    bench.write32(CTRLA, MODE | ctrla);
    bench.write8(BAUD, 0);
    bench.write32(CTRLB, RXEN | ctrlb);
    bench.write32(CTRLA, MODE | ctrla | 2);
    while bench.read32(SYNCBUSY) != 0 {
        bench.run_for(Time::from_ns(125));
    }
    bench.run_for(Time::from_us(1));
    bench
}

fn words(bench: &Bench<Sercom>) -> Vec<(Time, Word)> {
    let word = |(at, effect): &(Time, Effect)| match effect {
        Effect::Pad(MOSI, PadOutput::Transfer(Transfer::Spi(word))) => Some((*at, *word)),
        _ => None,
    };
    bench.effects.iter().filter_map(word).collect()
}

#[test]
fn a_byte_goes_out_while_the_answer_comes_in() {
    let mut bench = master_with(0, 0);
    assert_eq!(bench.read8(INTFLAG), DRE);
    let written = bench.now;
    bench.write32(DATA, 0xA5);
    bench.run_for(CROSSING);
    let (start, word) = words(&bench)[0];
    assert_eq!(start, written + CROSSING);
    assert_eq!(
        (word.data, word.bits, word.mode, word.bit_time),
        (0xA5, 8, 0, BitTime::from_ns(250))
    );
    bench.pad(MISO, PadInput::Reply(Reply::Word(0x3C)));
    bench.write8(INTENSET, RXC);
    assert_eq!(bench.rises_by(Time::from_ms(1)), Some(start + BYTE));
    assert_eq!(bench.read8(INTFLAG), DRE | TXC | RXC);
    assert_eq!((bench.read32(DATA), bench.read8(INTFLAG)), (0x3C, DRE | TXC));
}

#[test]
fn a_write_of_data_clears_the_flag_of_a_complete_transfer() {
    let mut bench = master_with(0, 0);
    bench.write32(DATA, 1);
    bench.write8(INTENSET, TXC);
    let complete = bench.rises_by(Time::from_ms(1));
    assert!(complete.is_some());
    assert_eq!(bench.read8(INTFLAG) & TXC, TXC);
    bench.write32(DATA, 2);
    assert_eq!(bench.read8(INTFLAG) & TXC, 0);
    assert_eq!(bench.rises_by(Time::from_ms(1)), complete.map(|at| at + CROSSING + BYTE));
}

#[test]
fn bytes_follow_each_other_without_gap() {
    let mut bench = master_with(0, 0);
    bench.write32(DATA, 1);
    bench.run_for(CROSSING);
    bench.write32(DATA, 2);
    assert_eq!(bench.read8(INTFLAG) & DRE, 0);
    bench.run_for(Time::from_us(9));
    let sent = words(&bench);
    assert_eq!((sent.len(), sent[1].0 - sent[0].0), (2, BYTE));
}

#[test]
fn without_device_the_input_reads_what_its_pin_is_held_at() {
    for (high, expected) in [(false, 0x00), (true, 0xFF)] {
        let mut bench = master_with(0, 0);
        bench.pad(MISO, PadInput::Level(high));
        bench.write32(DATA, 0x12);
        bench.run_for(Time::from_us(5));
        assert_eq!(bench.read32(DATA), expected);
    }
}

#[test]
fn one_pad_for_both_directions_reads_what_it_sends() {
    let mut bench = master_with(2 << 20, 0);
    bench.write32(DATA, 0x12);
    bench.run_for(Time::from_us(5));
    assert_eq!(bench.read32(DATA), 0x12);
}

#[test]
fn least_significant_bit_first_turns_both_directions() {
    let mut bench = master_with(1 << 30, 0);
    bench.write32(DATA, 0x01);
    bench.run_for(CROSSING);
    assert_eq!(words(&bench)[0].1.data, 0x80);
    bench.pad(MISO, PadInput::Reply(Reply::Word(0x40)));
    bench.run_for(Time::from_us(5));
    assert_eq!(bench.read32(DATA), 0x02);
}

#[test]
fn the_receiver_off_means_no_word_received() {
    let mut bench = master_with(0, 0);
    bench.write32(CTRLB, 0);
    bench.run_for(Time::from_us(5));
    bench.write32(DATA, 0x12);
    bench.run_for(Time::from_us(5));
    assert_eq!(bench.read8(INTFLAG), DRE | TXC);
}

#[test]
fn the_third_unread_word_is_lost() {
    for (ibon, before_read) in [(0, 0), (1 << 8, 4)] {
        let mut bench = master_with(ibon, 0);
        for _ in 0..3 {
            bench.write32(DATA, 0);
            bench.run_for(Time::from_us(5));
        }
        assert_eq!(bench.read16(STATUS), before_read);
        bench.read32(DATA);
        bench.read32(DATA);
        assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG) & 0x80), (4, 0x80));
    }
}

#[test]
fn slave_select_frames_what_is_sent() {
    let mut bench = master_with(0, 1 << 13);
    let select = Signal::Sercom { instance: 4, pad: 1 };
    bench.effects.clear();
    bench.write32(DATA, 1);
    bench.run_for(Time::from_us(5));
    let levels: Vec<(Time, Level)> = bench
        .effects
        .iter()
        .filter_map(|(at, effect)| match effect {
            Effect::Pad(signal, PadOutput::Level(level)) if *signal == select => {
                Some((*at, *level))
            }
            _ => None,
        })
        .collect();
    let start = words(&bench)[0].0;
    assert_eq!(levels, [(start, Level::Low), (start + BYTE, Level::High)]);
}

const CPHA: u32 = 1 << 28;
const CPOL: u32 = 1 << 29;

#[test]
fn a_word_has_the_mode_of_its_clocks_phase_and_polarity() {
    // The data sheet's table "SPI Transfer Modes".
    for (ctrla, mode) in [(0, 0), (CPHA, 1), (CPOL, 2), (CPOL | CPHA, 3)] {
        let mut bench = master_with(ctrla, 0);
        bench.write32(DATA, 0x12);
        bench.run_for(Time::from_us(5));
        assert_eq!(words(&bench)[0].1.mode, mode);
    }
}

#[test]
fn the_clock_idles_at_its_polarity() {
    let clock = Signal::Sercom { instance: 4, pad: 3 };
    for (ctrla, level) in
        [(0, Level::Low), (CPHA, Level::Low), (CPOL, Level::High), (CPOL | CPHA, Level::High)]
    {
        let bench = master_with(ctrla, 0);
        let levels: Vec<_> = bench
            .effects
            .iter()
            .filter_map(|(_, effect)| match effect {
                Effect::Pad(signal, PadOutput::Level(level)) if *signal == clock => Some(*level),
                _ => None,
            })
            .collect();
        assert_eq!(levels, [level]);
    }
}

#[test]
fn a_bit_takes_twice_baud_plus_one_cycles() {
    for baud in [0, 1, 7, 255] {
        let mut bench = Bench::new(Sercom::new(4));
        bench.clock(24, 8_000_000);
        bench.write32(CTRLA, MODE);
        bench.write8(BAUD, baud);
        bench.write32(CTRLA, MODE | 2);
        bench.run_for(Time::from_us(5));
        bench.write32(DATA, 0x12);
        bench.run_for(Time::from_us(1));
        assert_eq!(words(&bench)[0].1.bit_time, BitTime::from_ns(250 * u64::from(baud + 1)));
    }
}

#[test]
fn a_word_has_eight_or_nine_bits() {
    for (chsize, bits) in [(0, 8), (1, 9)] {
        let mut bench = master_with(0, chsize);
        bench.write32(DATA, 0x1FF);
        bench.run_for(Time::from_us(1));
        let word = words(&bench)[0].1;
        assert_eq!((word.bits, word.data), (bits, (1 << bits) - 1));
    }
}

#[test]
fn pads_are_chosen_for_output_clock_select_and_input() {
    for (dopo, [out, clock, select]) in
        [(0, [0, 1, 2]), (1, [2, 3, 1]), (2, [3, 1, 2]), (3, [0, 3, 1])]
    {
        for dipo in 0..4u8 {
            let mut bench = Bench::new(Sercom::new(4));
            bench.clock(24, 8_000_000);
            let ctrla = 3 << 2 | dopo << 16 | u32::from(dipo) << 20 | CPOL;
            bench.write32(CTRLA, ctrla);
            bench.write32(CTRLB, RXEN | 1 << 13);
            bench.write32(CTRLA, ctrla | 2);
            bench.run_for(Time::from_us(5));
            let drives: Vec<_> = bench.take();
            let level = |pad, level| {
                Effect::Pad(Signal::Sercom { instance: 4, pad }, PadOutput::Level(level))
            };
            assert_eq!(drives[0], level(out, Level::Low));
            assert_eq!(drives[1], level(clock, Level::High));
            assert_eq!(drives[2], level(select, Level::High));
            let input = Signal::Sercom { instance: 4, pad: dipo };
            bench.pad(input, PadInput::Level(true));
            bench.write32(DATA, 0);
            bench.run_for(Time::from_us(5));
            let expected = if dipo == out { 0 } else { 0xFF };
            assert_eq!(bench.read32(DATA), expected, "{dopo} {dipo}");
        }
    }
}

#[test]
fn a_slave_is_reported_as_not_modelled() {
    let mut bench = Bench::new(Sercom::new(4));
    bench.clock(24, 8_000_000);
    bench.write32(CTRLA, 2 << 2 | 2);
    bench.run_for(Time::from_us(5));
    assert_eq!(bench.warnings, [WarningKind::NotModelled]);
}
