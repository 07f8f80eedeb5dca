// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadInput, PadOutput, Peripheral, Signal};
use crate::samr21::sercom::Sercom;
use crate::{BitTime, Frame, Level, Time, WarningKind};

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
const RXS: u32 = 8;
const CTSIC: u32 = 16;
const ERROR: u32 = 0x80;

/// Internal clock, least significant bit first, receive on PAD1, transmit on PAD0.
const MODE: u32 = 0x4010_0004;
const TXEN_RXEN: u32 = 0x0003_0000;
const CORE_HZ: u64 = 8_000_000;
/// 115,200 baud of 8 MHz with 16 samples a bit.
const BAUD_115200: u32 = 50_436;

const TX: Signal = Signal::Sercom { instance: 0, pad: 0 };
const RX: Signal = Signal::Sercom { instance: 0, pad: 1 };

fn settle(bench: &mut Bench<Sercom>) {
    while bench.read32(SYNCBUSY) != 0 {
        bench.run_for(Time::from_ns(125));
    }
}

fn usart_with(ctrla: u32, ctrlb: u32) -> Bench<Sercom> {
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write32(CTRLA, MODE | ctrla);
    bench.write16(BAUD, BAUD_115200);
    bench.write32(CTRLB, TXEN_RXEN | ctrlb);
    bench.write32(CTRLA, MODE | ctrla | 2);
    settle(&mut bench);
    bench.run_for(Time::from_us(1));
    bench.effects.clear();
    bench
}

fn usart() -> Bench<Sercom> {
    usart_with(0, 0)
}

fn bit_time() -> BitTime {
    BitTime::from_ps(16 * 65_536 * 1_000_000 / (65_536 - BAUD_115200 as u64) / 8)
}

fn frame(data: u16) -> Frame {
    Frame { data, data_bits: 8, parity: None, stop_bits: 1, bit_time: bit_time() }
}

fn frames(bench: &Bench<Sercom>) -> Vec<(Time, Frame)> {
    let frame = |(at, effect): &(Time, Effect)| match effect {
        Effect::Pad(_, PadOutput::Frame(frame)) => Some((*at, *frame)),
        _ => None,
    };
    bench.effects.iter().filter_map(frame).collect()
}

#[test]
fn enabling_takes_a_synchronization_and_then_drives_the_line_idle() {
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write32(CTRLB, TXEN_RXEN);
    bench.write32(CTRLA, MODE | 2);
    assert_eq!((bench.read32(SYNCBUSY), bench.read8(INTFLAG)), (2, 0));
    settle(&mut bench);
    assert!(bench.now >= Time::from_ns(7 * 125) && bench.now <= Time::from_ns(9 * 125));
    assert!(bench.take().contains(&Effect::Pad(TX, PadOutput::Level(Level::High))));
    assert_eq!(bench.read8(INTFLAG), DRE);
}

#[test]
fn without_core_clock_enabling_never_ends() {
    let mut bench = Bench::new(Sercom::new(0));
    bench.write32(CTRLA, MODE | 2);
    bench.run_for(Time::from_s(10));
    assert_eq!(bench.read32(SYNCBUSY), 2);
    bench.clock(20, CORE_HZ);
    settle(&mut bench);
}

#[test]
fn software_reset_takes_reset_values_and_reads_back_until_done() {
    let mut bench = usart();
    bench.write32(CTRLA, 1);
    assert_eq!((bench.read32(CTRLA), bench.read32(SYNCBUSY)), (1, 1));
    bench.write16(BAUD, 7);
    assert_eq!(bench.warnings, [WarningKind::Protected]);
    settle(&mut bench);
    assert_eq!((bench.read32(CTRLA), bench.read16(BAUD), bench.read8(INTFLAG)), (0, 0, 0));
}

#[test]
fn ten_bits_take_ten_bit_times_and_two_characters_follow_without_gap() {
    let mut bench = usart();
    bench.write16(DATA, b'A' as u32);
    assert_eq!(bench.read8(INTFLAG), 0);
    bench.run_for(Time::from_ns(125));
    assert_eq!(bench.read8(INTFLAG), DRE);
    bench.write16(DATA, b'B' as u32);
    assert_eq!(bench.read8(INTFLAG), 0);
    bench.write8(INTENSET, TXC);
    let done = bench.rises_by(Time::from_ms(1)).expect("an interrupt");
    let sent = frames(&bench);
    assert_eq!(sent.iter().map(|(_, frame)| frame.data).collect::<Vec<_>>(), [0x41, 0x42]);
    assert_eq!(sent[0].1, frame(0x41));
    let (first, second) = (sent[1].0 - sent[0].0, done - sent[1].0);
    let ten_bits = Time::from_ps(10 * 16 * 65_536 * 1_000_000 / (65_536 - BAUD_115200 as u64) / 8);
    assert_eq!(first, ten_bits);
    assert!(second.units().abs_diff(ten_bits.units()) <= 1);
    assert_eq!(bench.read8(INTFLAG), DRE | TXC);
    bench.write8(INTFLAG, TXC);
    assert_eq!(bench.read8(INTFLAG), DRE);
}

#[test]
fn parity_stop_bits_size_and_order_are_in_the_frame() {
    // Even parity, two stop bits, 7 bits, most significant first.
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write32(CTRLA, 0x0110_0004);
    bench.write32(CTRLB, TXEN_RXEN | 0x47);
    bench.write32(CTRLA, 0x0110_0006);
    settle(&mut bench);
    bench.write16(DATA, 0x43);
    bench.run_for(Time::from_us(1));
    let sent = frames(&bench)[0].1;
    let expected = (0b110_0001, 7, Some(true), 2);
    assert_eq!((sent.data, sent.data_bits, sent.parity, sent.stop_bits), expected);
}

#[test]
fn a_character_is_complete_in_the_middle_of_its_stop_bit() {
    let mut bench = usart();
    bench.write8(INTENSET, RXC);
    let start = bench.now;
    bench.pad(RX, PadInput::Frame(frame(0x5A)));
    let took = bench.rises_by(start + Time::from_ms(1)).expect("an interrupt") - start;
    let bits = took.ps() as f64 / bit_time().ps() as f64;
    assert!((9.4..9.7).contains(&bits), "{bits}");
    assert_eq!(bench.read16(DATA), 0x5A);
    assert_eq!(bench.read8(INTFLAG), DRE);
}

#[test]
fn two_characters_wait_and_the_third_overflows_in_its_turn() {
    let mut bench = usart();
    for data in 1..=3 {
        bench.pad(RX, PadInput::Frame(frame(data)));
        bench.run_for(frame(data).length());
    }
    assert_eq!(bench.read16(STATUS), 0);
    assert_eq!((bench.read16(DATA), bench.read16(STATUS)), (1, 0));
    assert_eq!((bench.read16(DATA), bench.read16(STATUS)), (2, 4));
    assert_eq!(bench.read8(INTFLAG), ERROR | DRE);
    bench.write16(STATUS, 4);
    bench.write8(INTFLAG, ERROR);
    assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG)), (0, DRE));
}

#[test]
fn overflow_is_reported_at_once_if_that_is_chosen() {
    let mut bench = usart_with(1 << 8, 0);
    for data in 1..=3 {
        bench.pad(RX, PadInput::Frame(frame(data)));
        bench.run_for(frame(data).length());
    }
    assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG)), (4, ERROR | RXC | DRE));
}

#[test]
fn an_error_is_flagged_once_although_its_status_stays() {
    let mut bench = usart_with(1 << 24, 0);
    for parity in [true, false, true] {
        bench.pad(RX, PadInput::Frame(Frame { parity: Some(parity), ..frame(0x03) }));
        bench.run_for(frame(0).length() * 2);
        bench.read16(DATA);
        let error = if parity { ERROR } else { 0 };
        assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG)), (1, error | DRE));
        bench.write8(INTFLAG, ERROR);
    }
}

fn received_at(bit_time: BitTime, data: u16) -> (u32, u32) {
    let mut bench = usart();
    bench.pad(RX, PadInput::Frame(Frame { bit_time, ..frame(data) }));
    bench.run_for(Time::from_ms(2));
    (bench.read16(STATUS), bench.read16(DATA))
}

#[test]
fn a_sender_off_by_four_percent_is_understood_and_by_ten_is_not() {
    let off_by = |percent| BitTime::from_ps(bit_time().ps() * percent / 100);
    for percent in [96, 104] {
        assert_eq!(received_at(off_by(percent), 0x55), (0, 0x55), "{percent} %");
    }
    for percent in [88, 112] {
        assert_ne!(received_at(off_by(percent), 0x55), (0, 0x55), "{percent} %");
    }
}

#[test]
fn a_missing_stop_bit_is_a_frame_error() {
    // Twice as slow: what should be the stop bit falls into the fourth data bit.
    let (status, data) = received_at(BitTime::from_ps(bit_time().ps() * 2), 0x00);
    assert_eq!((status, data), (2, 0));
}

#[test]
fn wrong_parity_is_reported() {
    let mut bench = usart_with(1 << 24, 0);
    bench.pad(RX, PadInput::Frame(Frame { parity: Some(true), ..frame(0x03) }));
    bench.run_for(Time::from_ms(1));
    assert_eq!((bench.read16(STATUS), bench.read16(DATA)), (1, 3));
}

#[test]
fn levels_that_software_makes_elsewhere_are_received_too() {
    let mut bench = usart();
    let bits = [true, false, true, false, true, false, true, false, true, false, true];
    for high in bits {
        bench.pad(RX, PadInput::Level(high));
        bench.run_for(bit_time().bits(1));
    }
    assert_eq!((bench.read16(STATUS), bench.read16(DATA)), (0, 0x55));
}

#[test]
fn a_pad_that_nothing_drives_is_no_break() {
    let mut bench = usart();
    bench.pad(RX, PadInput::Level(false));
    bench.run_for(Time::from_ms(10));
    assert_eq!(bench.read8(INTFLAG), DRE);
}

#[test]
fn clear_to_send_holds_the_transmitter() {
    let mut bench = usart_with(2 << 16, 0);
    let cts = Signal::Sercom { instance: 0, pad: 3 };
    bench.pad(cts, PadInput::Level(true));
    bench.write16(DATA, 1);
    bench.run_for(Time::from_ms(1));
    assert_eq!(frames(&bench), []);
    assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG)), (8, CTSIC));
    bench.write8(INTFLAG, CTSIC);
    bench.write16(STATUS, 8);
    assert_eq!((bench.read16(STATUS), bench.read8(INTFLAG)), (8, 0), "the line's level stays");
    bench.pad(cts, PadInput::Level(false));
    bench.run_for(Time::from_ms(1));
    assert_eq!(frames(&bench).len(), 1);
}

#[test]
fn ready_to_receive_is_low_while_there_is_room() {
    let mut bench = usart_with(2 << 16, 0);
    let rts = Signal::Sercom { instance: 0, pad: 2 };
    for data in 1..=2 {
        bench.pad(RX, PadInput::Frame(frame(data)));
        bench.run_for(frame(data).length());
    }
    assert_eq!(bench.take().last(), Some(&Effect::Pad(rts, PadOutput::Level(Level::High))));
    bench.read16(DATA);
    assert!(bench.take().contains(&Effect::Pad(rts, PadOutput::Level(Level::Low))));
}

#[test]
fn start_of_frame_asks_for_the_clock_and_wakes() {
    let mut bench = usart_with(1 << 7, 1 << 9);
    bench.write8(INTENSET, RXS);
    bench.stop_clock(20);
    bench.take();
    assert!(!bench.with(|block, _| crate::samr21::peripheral::Peripheral::wants_clock(block, 20)));
    bench.pad(RX, PadInput::Frame(frame(0x33)));
    assert!(bench.with(|block, _| crate::samr21::peripheral::Peripheral::irq(block)));
    assert!(bench.with(|block, _| crate::samr21::peripheral::Peripheral::wants_clock(block, 20)));
    assert!(bench.take().contains(&Effect::Clocks), "the chip must look again");
    bench.run_for(Time::from_us(2));
    bench.clock(20, CORE_HZ);
    bench.run_for(Time::from_ms(1));
    assert!(!bench.with(|block, _| crate::samr21::peripheral::Peripheral::wants_clock(block, 20)));
    assert!(bench.take().contains(&Effect::Clocks), "and again when the frame is over");
    assert_eq!((bench.read16(STATUS), bench.read16(DATA)), (0, 0x33));
}

#[test]
fn without_start_detection_a_stopped_clock_hears_nothing() {
    let mut bench = usart();
    bench.stop_clock(20);
    bench.pad(RX, PadInput::Frame(frame(0xFF)));
    bench.run_for(Time::from_ms(1));
    bench.clock(20, CORE_HZ);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read8(INTFLAG), DRE);
}

#[test]
fn configuration_is_locked_while_enabled() {
    let mut bench = usart();
    bench.write16(BAUD, 1);
    assert_eq!((bench.read16(BAUD), bench.warnings.len()), (BAUD_115200, 1));
    bench.write32(CTRLA, MODE | 2 | 1 << 30 | 1 << 20 | 1 << 16);
    assert_eq!((bench.read32(CTRLA), bench.warnings.len()), (MODE | 2, 2));
}

#[test]
fn write_protection_spares_flags_and_data() {
    use crate::samr21::peripheral::Peripheral;
    let protected = |offset| usart().block.write_protected(offset);
    let all = [CTRLA, CTRLB, BAUD, INTENSET, INTFLAG, STATUS, DATA].map(protected);
    assert_eq!(all, [true, true, true, true, false, false, false]);
}

#[test]
fn dma_triggers_follow_the_flags() {
    let mut bench = usart();
    bench.write16(DATA, 0x11);
    bench.run_for(Time::from_us(1));
    bench.pad(RX, PadInput::Frame(frame(1)));
    bench.run_for(Time::from_ms(1));
    bench.read16(DATA);
    let triggers: Vec<Effect> =
        bench.take().into_iter().filter(|e| matches!(e, Effect::Trigger { .. })).collect();
    let trigger = |source, active| Effect::Trigger { source, active };
    let expected = [trigger(2, false), trigger(2, true), trigger(1, true), trigger(1, false)];
    assert_eq!(triggers, expected);
}

#[test]
fn one_pad_for_both_directions_hears_itself() {
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write16(BAUD, BAUD_115200);
    bench.write32(CTRLB, TXEN_RXEN);
    bench.write32(CTRLA, 0x4000_0006);
    settle(&mut bench);
    bench.write16(DATA, 0x77);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read16(DATA), 0x77);
}

#[test]
fn transmitter_finishes_before_it_goes_off() {
    let mut bench = usart();
    bench.write16(DATA, 0x11);
    bench.run_for(Time::from_us(1));
    bench.write32(CTRLB, 0x0002_0000);
    bench.run_for(Time::from_us(50));
    let released = Effect::Pad(TX, PadOutput::Level(Level::Floating(crate::Pull::None)));
    assert!(!bench.effects.iter().any(|(_, effect)| *effect == released));
    bench.run_for(Time::from_us(50));
    assert!(bench.effects.iter().any(|(_, effect)| *effect == released));
    assert_eq!(bench.read8(INTFLAG), TXC);
}

#[test]
fn every_sample_rate_gives_the_data_sheets_baud_rate() {
    // SAMPR, BAUD, and the time of a bit in picoseconds at 8 MHz (data sheet, table "Baud Rate
    // Equations").
    let arithmetic = |samples: u64, baud: u64| samples * 125_000 * 65_536 / (65_536 - baud);
    let fractional =
        |samples: u64, baud: u64, eighths: u64| samples * 125_000 * (baud * 8 + eighths) / 8;
    let rates = [
        (0, 50_000, arithmetic(16, 50_000)),
        (1, 4 | 3 << 13, fractional(16, 4, 3)),
        (2, 50_000, arithmetic(8, 50_000)),
        (3, 4 | 3 << 13, fractional(8, 4, 3)),
        (4, 50_000, arithmetic(3, 50_000)),
    ];
    for (sampr, baud, expected) in rates {
        let mut bench = Bench::new(Sercom::new(0));
        bench.clock(20, CORE_HZ);
        bench.write32(CTRLA, MODE | sampr << 13);
        bench.write16(BAUD, baud);
        bench.write32(CTRLB, TXEN_RXEN);
        bench.write32(CTRLA, MODE | sampr << 13 | 2);
        settle(&mut bench);
        bench.write16(DATA, 0x55);
        bench.run_for(Time::from_us(1));
        assert_eq!(frames(&bench)[0].1.bit_time, BitTime::from_ps(expected), "{sampr}");
        let start = bench.now;
        let frame = Frame { bit_time: BitTime::from_ps(expected), ..frame(0xA5) };
        bench.pad(RX, PadInput::Frame(frame));
        bench.run_until(start + frame.length());
        assert_eq!((bench.read8(INTFLAG) & RXC, bench.read16(DATA)), (RXC, 0xA5), "{sampr}");
    }
}

#[test]
fn every_choice_of_pads_sends_and_receives() {
    for (txpo, out) in [(0, 0), (1, 2), (2, 0)] {
        for input in 0..4u8 {
            let ctrla = 0x4000_0004 | txpo << 16 | u32::from(input) << 20;
            let mut bench = Bench::new(Sercom::new(0));
            bench.clock(20, CORE_HZ);
            bench.write32(CTRLA, ctrla);
            bench.write16(BAUD, BAUD_115200);
            bench.write32(CTRLB, TXEN_RXEN);
            bench.write32(CTRLA, ctrla | 2);
            settle(&mut bench);
            bench.run_for(Time::from_us(1));
            let pad = |pad| Signal::Sercom { instance: 0, pad };
            bench.pad(pad(input), PadInput::Frame(frame(0x5A)));
            bench.run_for(frame(0).length());
            assert_eq!((bench.read8(INTFLAG) & RXC, bench.read16(DATA)), (RXC, 0x5A), "{input}");
            bench.effects.clear();
            bench.write16(DATA, 0x12);
            bench.run_for(Time::from_us(1));
            let sends = |effect: &Effect| matches!(effect, Effect::Pad(signal, PadOutput::Frame(_)) if *signal == pad(out));
            assert!(bench.take().iter().any(sends), "{txpo}");
        }
    }
}

/// The lowest bits of a word, the first one highest.
fn reversed(data: u16, bits: u8) -> u16 {
    data.reverse_bits() >> (16 - bits)
}

#[test]
fn every_frame_format_is_sent_and_received() {
    let sizes = [(0, 8), (1, 9), (5, 5), (6, 6), (7, 7)];
    let choices = |bit: u32| [0, 1 << bit];
    for (chsize, bits) in sizes {
        for form in choices(24) {
            for order in choices(30) {
                for pmode in choices(13) {
                    for sbmode in choices(6) {
                        let data: u16 = 0x115 & ((1 << bits) - 1);
                        let ctrla = 0x0010_0004 | form | order;
                        let mut bench = Bench::new(Sercom::new(0));
                        bench.clock(20, CORE_HZ);
                        bench.write32(CTRLA, ctrla);
                        bench.write16(BAUD, BAUD_115200);
                        bench.write32(CTRLB, TXEN_RXEN | chsize | pmode | sbmode);
                        bench.write32(CTRLA, ctrla | 2);
                        settle(&mut bench);
                        bench.run_for(Time::from_us(1));
                        let odd = pmode != 0;
                        let parity = (data.count_ones() % 2 != 0) != odd;
                        let expected = Frame {
                            // The least significant bit is first in a frame.
                            data: if order != 0 { data } else { reversed(data, bits) },
                            data_bits: bits,
                            parity: (form != 0).then_some(parity),
                            stop_bits: if sbmode != 0 { 2 } else { 1 },
                            bit_time: bit_time(),
                        };
                        bench.write16(DATA, data.into());
                        bench.run_for(Time::from_us(1));
                        assert_eq!(frames(&bench)[0].1, expected);
                        bench.pad(RX, PadInput::Frame(expected));
                        bench.run_for(expected.length());
                        assert_eq!(bench.read16(STATUS), 0);
                        assert_eq!(bench.read16(DATA), u32::from(data));
                    }
                }
            }
        }
    }
}

#[test]
fn every_mode_keeps_its_clock_in_standby_if_it_runs_there() {
    // USART, SPI master, I2C master.
    for mode in [1, 3, 5] {
        for standby in [0, 1 << 7] {
            let mut bench = Bench::new(Sercom::new(0));
            bench.clock(20, CORE_HZ);
            bench.write32(CTRLA, mode << 2 | standby | 2);
            settle(&mut bench);
            bench.run_for(Time::from_us(1));
            let keeps = bench.with(|sercom, _| sercom.wants_clock(20));
            assert_eq!(keeps, standby != 0, "{mode}");
        }
    }
}

#[test]
fn settings_may_be_written_before_the_mode_is_chosen() {
    // The mode that is not modelled, an external clock, is that of the reset value.
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write16(BAUD, BAUD_115200);
    bench.write32(CTRLB, TXEN_RXEN);
    bench.write32(CTRLA, MODE);
    bench.write32(CTRLA, MODE | 2);
    settle(&mut bench);
    assert_eq!(bench.warnings, []);
    // CTRLB.SMEN and ADDR of an I2C interface.
    let mut bench = Bench::new(Sercom::new(0));
    bench.clock(20, CORE_HZ);
    bench.write32(CTRLB, 1 << 8);
    bench.write32(0x24, 0x1D << 1);
    bench.write32(CTRLA, 5 << 2);
    assert_eq!(bench.warnings, []);
}

#[test]
fn a_receiver_that_is_off_remembers_nothing_of_its_line() {
    let mut bench = usart();
    bench.write32(CTRLB, 0x0001_0000);
    settle(&mut bench);
    let mut size_after = |changes| {
        for change in 0..changes {
            bench.run_for(Time::from_us(10));
            bench.pad(RX, PadInput::Level(change % 2 != 0));
        }
        borsh::to_vec(&bench.block).expect("a state").len()
    };
    let few = size_after(10);
    assert!(size_after(10_000) <= few + 8);
}
