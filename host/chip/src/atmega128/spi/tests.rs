// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::atmega128::bench::Bench;

fn bench(control: u8) -> Bench<Spi> {
    let mut bench = Bench::new(Spi::new());
    let selected = control & MSTR == 0;
    bench.input(Signal::Ss, PadInput::Level(!selected));
    bench.write(SPCR, control);
    bench.take();
    bench
}

fn sent(bench: &mut Bench<Spi>) -> Vec<(Signal, Word)> {
    let effects = bench.take().into_iter();
    effects
        .filter_map(|effect| match effect {
            Effect::Transfer(signal, Transfer::Spi(word)) => Some((signal, word)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_byte_takes_eight_bits_of_the_selected_length() {
    for (control, double, bit) in
        [(0, 0, 4), (1, 0, 16), (2, 0, 64), (3, 0, 128), (0, 1, 2), (1, 1, 8), (3, 1, 64)]
    {
        let mut bench = bench(SPIE | SPE | MSTR | control);
        bench.write(SPSR, double);
        bench.write(SPDR, 0xA5);
        let words = sent(&mut bench);
        let bit_time = BitTime::from_us(bit);
        let word = Word { data: 0xA5, bits: 8, mode: 0, bit_time };
        assert_eq!(words, [(Signal::Mosi, word)]);
        assert_eq!(bench.rises_by(Time::from_s(1)), Some(Time::from_us(8 * bit)));
    }
}

#[test]
fn a_device_answers_in_the_selected_order() {
    for (order, out, expected) in [(0, 0x12, 0x0F), (DORD, 0x48, 0xF0)] {
        let mut bench = bench(SPE | MSTR | order);
        bench.write(SPDR, 0x12);
        assert_eq!(sent(&mut bench)[0].1.data, out);
        bench.input(Signal::Miso, PadInput::Reply(Reply::Word(0x0F)));
        bench.run_cycles(32);
        assert_eq!((bench.read(SPSR), bench.read(SPDR)), (SPIF, expected));
    }
}

#[test]
fn polarity_and_phase_are_the_mode_of_a_word() {
    for mode in 0..4 {
        let mut bench = bench(SPE | MSTR | mode << 2);
        bench.write(SPDR, 0);
        assert_eq!(sent(&mut bench)[0].1.mode, mode);
    }
}

#[test]
fn without_an_answer_the_level_of_miso_is_read() {
    let mut bench = bench(SPE | MSTR);
    for (high, expected) in [(true, 0xFF), (false, 0)] {
        bench.input(Signal::Miso, PadInput::Level(high));
        bench.write(SPDR, 0x55);
        bench.run_cycles(32);
        assert_eq!(bench.read(SPDR), expected);
    }
}

#[test]
fn the_flag_goes_by_status_and_data_or_by_the_handler() {
    let mut bench = bench(SPIE | SPE | MSTR);
    bench.write(SPDR, 0);
    bench.run_cycles(32);
    bench.read(SPDR);
    assert_eq!(bench.read(SPSR), SPIF, "the data alone does not clear it");
    bench.read(SPDR);
    assert_eq!(bench.read(SPSR), 0);
    bench.write(SPDR, 0);
    bench.run_cycles(32);
    bench.with(|spi, cx| spi.acknowledge(cx, SPI_COMPLETE));
    assert_eq!((bench.block.lines(), bench.read(SPSR)), (0, 0));
}

#[test]
fn a_write_during_a_transfer_collides() {
    let mut bench = bench(SPE | MSTR);
    bench.write(SPDR, 1);
    bench.run_cycles(10);
    bench.write(SPDR, 2);
    assert_eq!(sent(&mut bench).len(), 1);
    bench.run_cycles(22);
    assert_eq!(bench.read(SPSR), SPIF | WCOL);
    bench.read(SPDR);
    assert_eq!(bench.read(SPSR), 0);
}

#[test]
fn a_slave_is_clocked_from_outside_and_sends_what_was_written() {
    let mut bench = bench(SPIE | SPE);
    bench.write(SPDR, 0x3C);
    let word = Word { data: 0xA5, bits: 8, mode: 0, bit_time: BitTime::from_us(52) };
    bench.input(Signal::Mosi, PadInput::Word(word));
    assert_eq!(sent(&mut bench), [(Signal::Miso, Word { data: 0x3C, ..word })]);
    assert_eq!(bench.rises_by(Time::from_s(1)), Some(Time::from_us(8 * 52)));
    assert_eq!(bench.read(SPDR), 0xA5);
    // Without another byte it sends back what it has received.
    bench.input(Signal::Mosi, PadInput::Word(word));
    assert_eq!(sent(&mut bench)[0].1.data, 0xA5);
    bench.write(SPDR, 0);
    bench.run_for(Time::from_ms(1));
    assert_eq!(bench.read(SPSR) & WCOL, WCOL);
}

#[test]
fn masters_are_reported_whether_a_slave_takes_their_words() {
    let mut bench = Bench::new(Spi::new());
    let reported = |bench: &mut Bench<Spi>| -> Vec<bool> {
        let effects = bench.take().into_iter();
        effects
            .filter_map(|effect| match effect {
                Effect::TakesWords(Signal::Mosi, takes) => Some(takes),
                _ => None,
            })
            .collect()
    };
    bench.write(SPCR, SPE);
    bench.write(SPCR, SPE | SPIE);
    assert_eq!(reported(&mut bench), [true]);
    bench.input(Signal::Ss, PadInput::Level(true));
    bench.input(Signal::Ss, PadInput::Level(false));
    assert_eq!(reported(&mut bench), [false, true]);
    bench.write(SPCR, 0);
    assert_eq!(reported(&mut bench), [false]);
}

#[test]
fn a_slave_that_is_not_selected_hears_nothing() {
    let mut bench = bench(SPE);
    bench.input(Signal::Ss, PadInput::Level(true));
    let word = Word { data: 0xA5, bits: 8, mode: 0, bit_time: BitTime::from_us(52) };
    bench.input(Signal::Mosi, PadInput::Word(word));
    bench.run_for(Time::from_ms(1));
    assert_eq!((bench.read(SPSR), sent(&mut bench).len()), (0, 0));
}

#[test]
fn a_master_that_is_selected_becomes_a_slave() {
    let mut bench = bench(SPIE | SPE | MSTR);
    bench.input(Signal::Ss, PadInput::Level(false));
    assert_eq!(bench.read(SPCR), SPIE | SPE);
    assert_eq!(bench.block.lines(), 1 << SPI_COMPLETE);
}

#[test]
fn it_overrides_the_directions_that_its_role_needs() {
    let mut bench = Bench::new(Spi::new());
    bench.input(Signal::Ss, PadInput::Level(true));
    bench.write(SPCR, SPE | MSTR | CPOL);
    let effects = bench.take();
    assert!(effects.contains(&Effect::Override(Signal::Miso, Drive::INPUT)));
    assert!(effects.contains(&Effect::Override(Signal::Sck, Drive::value(true))));
    bench.write(SPCR, SPE);
    let effects = bench.take();
    for signal in [Signal::Ss, Signal::Sck, Signal::Mosi] {
        assert!(effects.contains(&Effect::Override(signal, Drive::INPUT)));
    }
}
