// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Time;
use crate::atmega128::bench::Bench;

const GO: u8 = TWINT | TWEN | TWIE;

fn bench() -> Bench<Twi> {
    let mut bench = Bench::new(Twi::new());
    bench.input(Signal::Sda, PadInput::Level(true));
    bench.write(TWBR, 12);
    bench
}

/// Requests something; the status code afterwards, and how many cycles that took.
fn go(bench: &mut Bench<Twi>, request: u8, reply: Option<Reply>) -> (u8, u64) {
    let start = bench.cycle();
    bench.write(TWCR, GO | request);
    if let Some(reply) = reply {
        bench.input(Signal::Sda, PadInput::Reply(reply));
    }
    bench.rises_by(bench.now + Time::from_s(1)).expect("an interrupt");
    (bench.read(TWSR), bench.cycle() - start)
}

fn steps(bench: &mut Bench<Twi>) -> Vec<I2cStep> {
    let effects = bench.take().into_iter();
    effects
        .filter_map(|effect| match effect {
            Effect::Transfer(Signal::Sda, Transfer::I2c(step)) => Some(step),
            _ => None,
        })
        .collect()
}

#[test]
fn a_master_writes_bytes_until_it_stops() {
    let mut bench = bench();
    let acknowledge = Some(Reply::Acknowledge);
    assert_eq!(go(&mut bench, TWSTA, None), (0x08, 40));
    bench.write(TWDR, 0x80);
    assert_eq!(go(&mut bench, 0, acknowledge), (0x18, 9 * 40));
    bench.write(TWDR, 0x55);
    assert_eq!(go(&mut bench, 0, acknowledge), (0x28, 9 * 40));
    bench.write(TWDR, 0xAA);
    assert_eq!(go(&mut bench, 0, None), (0x30, 9 * 40));
    bench.write(TWCR, GO | TWSTO);
    assert_eq!(bench.read(TWCR) & TWSTO, TWSTO);
    bench.run_cycles(41);
    assert_eq!((bench.read(TWCR), bench.read(TWSR)), (TWEN | TWIE, 0xF8));
    let start = I2cStep::Start { address: 0x40, read: false };
    let expected = [start, I2cStep::Write(0x55), I2cStep::Write(0xAA), I2cStep::Stop];
    assert_eq!(steps(&mut bench), expected);
}

#[test]
fn a_master_reads_bytes_and_refuses_the_last() {
    let mut bench = bench();
    go(&mut bench, TWSTA, None);
    bench.write(TWDR, 0x81);
    assert_eq!(go(&mut bench, 0, Some(Reply::Acknowledge)).0, 0x40);
    assert_eq!(go(&mut bench, TWEA, Some(Reply::Data(0x12))).0, 0x50);
    assert_eq!(bench.read(TWDR), 0x12);
    assert_eq!(go(&mut bench, 0, Some(Reply::Data(0x34))).0, 0x58);
    assert_eq!(bench.read(TWDR), 0x34);
    assert_eq!(go(&mut bench, TWSTA, None).0, 0x10, "a repeated start");
    assert_eq!(go(&mut bench, TWSTA | TWSTO, None).0, 0x08, "a stop and a start");
    let acknowledge = I2cStep::Acknowledge;
    let expected = [
        I2cStep::Start { address: 0x40, read: true },
        I2cStep::Read,
        acknowledge(true),
        I2cStep::Read,
        acknowledge(false),
        I2cStep::Stop,
    ];
    assert_eq!(steps(&mut bench), expected);
}

#[test]
fn an_address_that_nobody_has_is_not_acknowledged() {
    for (address, status) in [(0x80, 0x20), (0x81, 0x48)] {
        let mut bench = bench();
        go(&mut bench, TWSTA, None);
        bench.write(TWDR, address);
        assert_eq!(go(&mut bench, 0, None).0, status);
    }
}

#[test]
fn the_bit_rate_is_the_data_sheets() {
    for (rate, prescaler, cycles) in [(0, 0, 16), (12, 0, 40), (10, 1, 96), (255, 3, 32_656)] {
        let mut bench = bench();
        bench.write(TWBR, rate);
        bench.write(TWSR, prescaler);
        assert_eq!(go(&mut bench, TWSTA, None).1, cycles);
    }
}

#[test]
fn a_line_that_is_held_low_delays_a_start_and_loses_a_byte() {
    let mut bench = bench();
    bench.input(Signal::Sda, PadInput::Level(false));
    bench.write(TWCR, GO | TWSTA);
    bench.run_cycles(1_000);
    assert_eq!(bench.read(TWCR) & (TWINT | TWSTA), TWSTA);
    bench.input(Signal::Sda, PadInput::Level(true));
    bench.run_cycles(40);
    assert_eq!(bench.read(TWSR), 0x08);
    bench.input(Signal::Sda, PadInput::Level(false));
    bench.write(TWDR, 0x80);
    assert_eq!(go(&mut bench, 0, Some(Reply::Acknowledge)).0, 0x38);
}

#[test]
fn data_written_at_the_wrong_time_is_refused() {
    let mut bench = bench();
    go(&mut bench, TWSTA, None);
    bench.write(TWDR, 0x80);
    bench.write(TWCR, GO);
    bench.write(TWDR, 0x11);
    assert_eq!((bench.read(TWCR) & TWWC, bench.read(TWDR)), (TWWC, 0x80));
}

#[test]
fn data_cannot_be_written_before_the_first_interrupt() {
    let mut bench = bench();
    bench.write(TWCR, TWEN);
    bench.write(TWDR, 0x80);
    assert_eq!((bench.read(TWCR) & TWWC, bench.read(TWDR)), (TWWC, 0xFF));
    assert_eq!(go(&mut bench, TWSTA, None).0, 0x08);
    bench.write(TWDR, 0x80);
    assert_eq!((bench.read(TWCR) & TWWC, bench.read(TWDR)), (0, 0x80));
}

#[test]
fn listening_as_a_slave_is_reported() {
    let mut bench = bench();
    bench.write(TWAR, 0x20);
    bench.write(TWCR, TWEA | TWEN);
    assert_eq!(bench.take_warnings(), [WarningKind::NotModelled]);
    assert_eq!(bench.read(TWAR), 0x20);
}
