// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Effect, PadInput, PadOutput, Signal};
use crate::samr21::sercom::Sercom;
use crate::{I2cStep, Reply, Time, Transfer};

const CTRLA: u32 = 0x00;
const CTRLB: u32 = 0x04;
const BAUD: u32 = 0x0C;
const INTENSET: u32 = 0x16;
const INTFLAG: u32 = 0x18;
const STATUS: u32 = 0x1A;
const SYNCBUSY: u32 = 0x1C;
const ADDR: u32 = 0x24;
const DATA: u32 = 0x28;

const MB: u32 = 1;
const SB: u32 = 2;
const ERROR: u32 = 0x80;
const RXNACK: u32 = 1 << 2;
const IDLE: u32 = 1 << 4;
const OWNER: u32 = 2 << 4;
const BUSY: u32 = 3 << 4;
const ARBLOST: u32 = 1 << 1;
const CLKHOLD: u32 = 1 << 7;
const SMEN: u32 = 1 << 8;
const STOP: u32 = 3 << 16;
const NACK: u32 = 1 << 18;

const SDA: Signal = Signal::Sercom { instance: 3, pad: 0 };
const SCL: Signal = Signal::Sercom { instance: 3, pad: 1 };
/// One bit: 8 MHz / (10 + 2 * 35) = 100 kHz.
const BIT: Time = Time::from_us(10);

fn settle(bench: &mut Bench<Sercom>) {
    while bench.read32(SYNCBUSY) != 0 {
        bench.run_for(Time::from_ns(125));
    }
}

fn unknown_bus(ctrla: u32, ctrlb: u32) -> Bench<Sercom> {
    let mut bench = Bench::new(Sercom::new(3));
    bench.clock(23, 8_000_000);
    bench.pad(SDA, PadInput::Level(true));
    bench.pad(SCL, PadInput::Level(true));
    bench.write32(CTRLA, 5 << 2 | ctrla);
    bench.write32(BAUD, 35);
    bench.write32(CTRLB, ctrlb);
    bench.write32(CTRLA, 5 << 2 | ctrla | 2);
    settle(&mut bench);
    bench.write8(INTENSET, MB | SB);
    bench
}

fn master(ctrlb: u32) -> Bench<Sercom> {
    let mut bench = unknown_bus(0, ctrlb);
    bench.write16(STATUS, IDLE);
    settle(&mut bench);
    assert_eq!(bench.read16(STATUS), IDLE);
    bench
}

fn steps(bench: &mut Bench<Sercom>) -> Vec<I2cStep> {
    let step = |effect| match effect {
        Effect::Pad(SDA, PadOutput::Transfer(Transfer::I2c(step))) => Some(step),
        _ => None,
    };
    bench.take().into_iter().filter_map(step).collect()
}

/// Lets the step under way end with `reply`.
fn end_step(bench: &mut Bench<Sercom>, reply: Option<Reply>) -> Time {
    let start = bench.now;
    if let Some(reply) = reply {
        bench.pad(SDA, PadInput::Reply(reply));
    }
    bench.rises_by(start + Time::from_ms(1)).expect("an interrupt") - start
}

#[test]
fn the_bus_is_unknown_until_it_is_forced_idle() {
    let mut bench = unknown_bus(0, 0);
    bench.write32(ADDR, 0x40);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (MB | ERROR, 1));
    assert_eq!(steps(&mut bench), []);
}

#[test]
fn the_bus_becomes_idle_when_it_is_quiet_for_long() {
    let mut bench = unknown_bus(1 << 28, 0);
    bench.run_for(Time::from_us(56));
    assert_eq!(bench.read16(STATUS), IDLE);
}

#[test]
fn an_address_that_nobody_has_is_not_acknowledged() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1);
    let took = end_step(&mut bench, None);
    assert_eq!(took, BIT * 10);
    assert_eq!(bench.read8(INTFLAG), MB);
    assert_eq!(bench.read16(STATUS), OWNER | CLKHOLD | RXNACK);
    bench.write32(CTRLB, STOP);
    assert_eq!(bench.read8(INTFLAG), 0);
    bench.run_for(BIT);
    assert_eq!(bench.read16(STATUS) & 0x30, IDLE);
    let expected = [I2cStep::Start { address: 0x1D, read: false }, I2cStep::Stop];
    assert_eq!(steps(&mut bench), expected);
}

#[test]
fn a_bit_takes_baud_for_its_high_part_and_baudlow_for_its_low_part() {
    // f_SCL = f_GCLK / (10 + BAUD + BAUDLOW), or / (10 + 2 * BAUD) if BAUDLOW is 0.
    for (baud, cycles) in [(15 | 45 << 8, 70), (45 | 15 << 8, 70), (30, 70), (1 | 255 << 8, 266)] {
        let mut bench = Bench::new(Sercom::new(3));
        bench.clock(23, 8_000_000);
        bench.pad(SDA, PadInput::Level(true));
        bench.pad(SCL, PadInput::Level(true));
        bench.write32(CTRLA, 5 << 2);
        bench.write32(BAUD, baud);
        bench.write32(CTRLA, 5 << 2 | 2);
        settle(&mut bench);
        bench.write16(STATUS, IDLE);
        settle(&mut bench);
        bench.write8(INTENSET, MB);
        bench.write32(ADDR, 0x1D << 1);
        assert_eq!(end_step(&mut bench, None), Time::from_ns(10 * 125 * cycles), "{baud:#x}");
    }
}

#[test]
fn bytes_are_written_and_acknowledged_one_by_one() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    assert_eq!(bench.read16(STATUS), OWNER | CLKHOLD);
    bench.write8(DATA, 0x2A);
    assert_eq!(bench.read8(INTFLAG), 0);
    let took = end_step(&mut bench, Some(Reply::Acknowledge));
    assert_eq!((took, bench.read8(INTFLAG)), (BIT * 9, MB));
    bench.write8(DATA, 0x2B);
    end_step(&mut bench, None);
    assert_eq!(bench.read16(STATUS) & RXNACK, RXNACK);
    let sent = steps(&mut bench);
    assert_eq!(sent[1..], [I2cStep::Write(0x2A), I2cStep::Write(0x2B)]);
}

#[test]
fn a_register_is_read_after_a_repeated_start() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write8(DATA, 0x0D);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    assert_eq!(bench.read8(INTFLAG), 0);
    end_step(&mut bench, Some(Reply::Data(0xC7)));
    assert_eq!((bench.read8(INTFLAG), bench.read8(DATA)), (SB, 0xC7));
    bench.write32(CTRLB, NACK | STOP);
    bench.run_for(BIT);
    let sent = steps(&mut bench);
    let expected = [
        I2cStep::Start { address: 0x1D, read: true },
        I2cStep::Read,
        I2cStep::Acknowledge(false),
        I2cStep::Stop,
    ];
    assert_eq!(sent[2..], expected);
    assert_eq!(bench.read32(CTRLB), NACK);
}

#[test]
fn a_repeated_start_by_address_answers_the_byte_that_was_read() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    end_step(&mut bench, Some(Reply::Data(0xC7)));
    bench.write32(CTRLB, NACK);
    bench.write32(ADDR, 0x1D << 1);
    let sent = steps(&mut bench);
    let expected = [I2cStep::Acknowledge(false), I2cStep::Start { address: 0x1D, read: false }];
    assert_eq!(sent[2..], expected);
}

#[test]
fn smart_mode_reads_on_by_itself() {
    let mut bench = master(SMEN);
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    end_step(&mut bench, Some(Reply::Data(1)));
    assert_eq!(bench.read8(DATA), 1);
    assert_eq!(bench.read8(INTFLAG), 0);
    end_step(&mut bench, Some(Reply::Data(2)));
    bench.write32(CTRLB, SMEN | NACK);
    assert_eq!((bench.read8(DATA), bench.read8(INTFLAG)), (2, 0));
    bench.run_for(Time::from_ms(1));
    let sent = steps(&mut bench);
    let expected =
        [I2cStep::Read, I2cStep::Acknowledge(true), I2cStep::Read, I2cStep::Acknowledge(false)];
    assert_eq!(sent[1..], expected);
    // The byte has its answer: the stop gives no second one.
    bench.write32(CTRLB, SMEN | NACK | STOP);
    assert_eq!(steps(&mut bench), [I2cStep::Stop]);
}

/// Reads until a byte waits in DATA, and clears the flag that says so.
fn waiting_byte(ctrlb: u32) -> Bench<Sercom> {
    let mut bench = master(ctrlb);
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    end_step(&mut bench, Some(Reply::Data(1)));
    bench.write8(INTFLAG, MB | SB | ERROR);
    bench.run_for(BIT * 100);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (0, OWNER | CLKHOLD));
    assert_eq!(steps(&mut bench), [I2cStep::Start { address: 0x1D, read: true }, I2cStep::Read]);
    bench
}

#[test]
fn a_byte_that_was_read_waits_although_its_flag_is_cleared() {
    let mut bench = waiting_byte(SMEN);
    assert_eq!(bench.read8(DATA), 1);
    assert_eq!(bench.read16(STATUS), OWNER);
    end_step(&mut bench, Some(Reply::Data(2)));
    assert_eq!(steps(&mut bench), [I2cStep::Acknowledge(true), I2cStep::Read]);
    assert_eq!(bench.read8(INTFLAG), SB);
    // By command, and by the next address.
    let mut bench = waiting_byte(0);
    assert_eq!(bench.read8(DATA), 1);
    bench.write32(CTRLB, 2 << 16);
    assert_eq!(steps(&mut bench), [I2cStep::Acknowledge(true), I2cStep::Read]);
    let mut bench = waiting_byte(SMEN);
    bench.write32(CTRLB, SMEN | NACK | STOP);
    assert_eq!(bench.read8(DATA), 1, "it can still be read behind the stop");
    bench.run_for(BIT * 20);
    assert_eq!(steps(&mut bench), [I2cStep::Acknowledge(false), I2cStep::Stop]);
    let mut bench = waiting_byte(SMEN);
    bench.write32(ADDR, 0x1D << 1);
    let start = I2cStep::Start { address: 0x1D, read: false };
    assert_eq!(steps(&mut bench), [I2cStep::Acknowledge(true), start]);
}

#[test]
fn an_address_that_was_sent_waits_although_its_flag_is_cleared() {
    for next in [DATA, ADDR, CTRLB] {
        let mut bench = master(SMEN);
        bench.write32(ADDR, 0x1D << 1);
        end_step(&mut bench, Some(Reply::Acknowledge));
        bench.write8(INTFLAG, MB | SB);
        bench.run_for(BIT * 100);
        assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (0, OWNER | CLKHOLD));
        assert_eq!(steps(&mut bench).len(), 1);
        let expected = match next {
            DATA => I2cStep::Write(0x2A),
            ADDR => I2cStep::Start { address: 0x15, read: false },
            _ => I2cStep::Stop,
        };
        let value = if next == CTRLB { SMEN | STOP } else { 0x2A };
        match next {
            DATA => bench.write8(next, value),
            _ => bench.write32(next, value),
        }
        assert_eq!(steps(&mut bench), [expected]);
        assert_eq!(bench.read16(STATUS), OWNER);
    }
}

#[test]
fn reading_in_smart_mode_clears_the_flags_and_continues_nothing_that_was_written() {
    let mut bench = master(SMEN);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.read8(DATA);
    bench.run_for(BIT * 100);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (0, OWNER | CLKHOLD));
    bench.write8(DATA, 7);
    assert_eq!(steps(&mut bench).last(), Some(&I2cStep::Write(7)));
}

#[test]
fn an_address_behind_a_stop_starts_when_the_stop_has_ended() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write32(CTRLB, STOP);
    settle(&mut bench);
    bench.write32(ADDR, 0x15 << 1);
    bench.run_for(BIT / 2);
    assert_eq!(steps(&mut bench).last(), Some(&I2cStep::Stop));
    bench.run_for(BIT / 2);
    assert_eq!(steps(&mut bench), [I2cStep::Start { address: 0x15, read: false }]);
    assert_eq!(end_step(&mut bench, Some(Reply::Acknowledge)) / BIT, 9);
}

/// The levels of the DMA requests that changed: receive, transmit.
fn requests(bench: &mut Bench<Sercom>) -> Vec<(u8, bool)> {
    let request = |effect| match effect {
        Effect::Trigger { source, active } => Some((source - 7, active)),
        _ => None,
    };
    bench.take().into_iter().filter_map(request).collect()
}

#[test]
fn dma_is_requested_by_what_is_to_be_moved_not_by_the_flags() {
    let mut bench = master(SMEN);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    assert_eq!(requests(&mut bench), [(1, true)]);
    bench.write8(INTFLAG, MB);
    assert_eq!(requests(&mut bench), []);
    bench.write8(DATA, 1);
    assert_eq!(requests(&mut bench), [(1, false)]);
    let mut bench = master(SMEN);
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    end_step(&mut bench, Some(Reply::Data(1)));
    assert_eq!(requests(&mut bench), [(0, true)]);
    bench.write8(INTFLAG, SB);
    assert_eq!(requests(&mut bench), []);
    bench.read8(DATA);
    assert_eq!(requests(&mut bench), [(0, false)]);
}

#[test]
fn a_known_length_ends_with_its_stop() {
    let mut bench = master(SMEN);
    bench.write32(ADDR, 2 << 16 | 1 << 13 | 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write8(DATA, 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write8(DATA, 2);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(Time::from_ms(1));
    assert_eq!(steps(&mut bench).last(), Some(&I2cStep::Stop));
    assert_eq!(bench.read16(STATUS), IDLE);
}

#[test]
fn a_read_of_nobody_stops_at_the_address() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x50 << 1 | 1);
    end_step(&mut bench, None);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS) & RXNACK), (MB, RXNACK));
}

#[test]
fn operations_are_synchronized() {
    let mut bench = master(0);
    bench.write32(ADDR, 0x50 << 1);
    assert_eq!(bench.read32(SYNCBUSY), 4);
    settle(&mut bench);
}

#[test]
fn a_quick_command_reads_nothing_after_its_address() {
    const QCEN: u32 = 1 << 9;
    let mut bench = master(QCEN);
    bench.write32(ADDR, 0x1D << 1 | 1);
    assert_eq!(end_step(&mut bench, Some(Reply::Acknowledge)), BIT * 10);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS) & RXNACK), (SB, 0));
    assert_eq!(steps(&mut bench), [I2cStep::Start { address: 0x1D, read: true }]);
    bench.write32(CTRLB, QCEN | STOP);
    assert_eq!(steps(&mut bench), [I2cStep::Stop], "there is no byte to acknowledge");
}

#[test]
fn a_transaction_that_ends_before_its_length_is_an_error() {
    const LENERR: u32 = 1 << 10;
    let mut bench = master(SMEN);
    bench.write32(ADDR, 3 << 16 | 1 << 13 | 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write8(DATA, 1);
    bench.run_for(BIT * 10);
    assert_eq!(bench.read16(STATUS) & (LENERR | RXNACK), LENERR | RXNACK);
    assert_eq!(bench.read8(INTFLAG) & ERROR, ERROR);
    assert_eq!(steps(&mut bench).last(), Some(&I2cStep::Stop));
}

#[test]
fn an_address_of_ten_bits_takes_two_bytes() {
    let mut bench = master(0);
    bench.write32(ADDR, 1 << 15 | 0x2AB << 1);
    assert_eq!(end_step(&mut bench, Some(Reply::Acknowledge)), BIT * 19);
    assert_eq!(steps(&mut bench), [I2cStep::Start { address: 0x2AB, read: false }]);
}

#[test]
fn the_quiet_times_after_which_a_bus_is_idle_are_the_data_sheets() {
    for (inactout, us) in [(1, 55), (2, 105), (3, 205)] {
        let mut bench = unknown_bus(inactout << 28, 0);
        bench.run_for(Time::from_us(us - 2));
        assert_eq!(bench.read16(STATUS), 0);
        bench.run_for(Time::from_us(3));
        assert_eq!(bench.read16(STATUS), IDLE);
    }
}

#[test]
fn a_transaction_waits_while_sda_is_held_low() {
    let mut bench = master(0);
    bench.pad(SDA, PadInput::Level(false));
    assert_eq!(bench.read16(STATUS), BUSY);
    bench.write32(ADDR, 0x1D << 1);
    bench.run_for(Time::from_ms(10));
    assert_eq!((bench.read8(INTFLAG), steps(&mut bench)), (0, vec![]));
    bench.pad(SDA, PadInput::Level(true));
    assert_eq!(bench.read16(STATUS), OWNER);
    assert_eq!(end_step(&mut bench, Some(Reply::Acknowledge)), BIT * 10);
    assert_eq!((bench.read8(INTFLAG), steps(&mut bench).len()), (MB, 1));
}

#[test]
fn who_pulls_sda_low_takes_the_bus() {
    let mut bench = master(0);
    bench.pad(SDA, PadInput::Level(false));
    bench.write16(STATUS, IDLE);
    settle(&mut bench);
    assert_eq!(bench.read16(STATUS), IDLE, "idle can be forced");
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, None);
    assert_eq!((bench.read8(INTFLAG), bench.read16(STATUS)), (MB | ERROR, BUSY | ARBLOST));
    // In the middle of a write, and of a read.
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1);
    end_step(&mut bench, Some(Reply::Acknowledge));
    bench.write8(DATA, 0x2A);
    bench.pad(SDA, PadInput::Level(false));
    end_step(&mut bench, None);
    assert_eq!(bench.read16(STATUS), BUSY | ARBLOST);
    let mut bench = master(0);
    bench.write32(ADDR, 0x1D << 1 | 1);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(BIT * 10);
    bench.pad(SDA, PadInput::Level(false));
    bench.pad(SDA, PadInput::Reply(Reply::Data(0x7E)));
    bench.run_for(BIT * 8);
    assert_eq!((bench.read8(INTFLAG), bench.read8(DATA)), (SB, 0));
    bench.write32(CTRLB, STOP);
    bench.run_for(BIT * 2);
    assert_eq!(bench.read16(STATUS) & BUSY, BUSY, "there is no stop");
}

/// A master that counts how long SCL is low, in the middle of its address.
fn stretched(slow_hz: u32) -> Bench<Sercom> {
    let mut bench = unknown_bus(1 << 30, 0);
    if slow_hz != 0 {
        bench.clock(19, slow_hz.into());
    }
    bench.write16(STATUS, IDLE);
    settle(&mut bench);
    bench.write32(ADDR, 0x40 << 1);
    bench.run_for(Time::from_us(10 * 5));
    bench.pad(SCL, PadInput::Level(false));
    bench
}

#[test]
fn who_holds_scl_low_stretches_a_byte() {
    let mut bench = stretched(32_768);
    bench.run_for(Time::from_ms(20));
    assert_eq!(bench.read16(STATUS), OWNER);
    bench.pad(SCL, PadInput::Level(true));
    bench.run_for(Time::from_us(10 * 4));
    assert_eq!(bench.read8(INTFLAG) & MB, 0);
    bench.pad(SDA, PadInput::Reply(Reply::Acknowledge));
    bench.run_for(Time::from_us(10 * 2));
    assert_eq!(bench.read8(INTFLAG), MB);
    bench.run_for(Time::from_ms(50));
    assert_eq!(bench.read16(STATUS), OWNER | CLKHOLD);
}

#[test]
fn scl_that_is_low_for_too_long_is_a_time_out() {
    const LOWTOUT: u32 = 1 << 6;
    const BUSERR: u32 = 1;
    let mut bench = stretched(32_768);
    bench.run_for(Time::from_ms(24));
    assert_eq!(bench.read8(INTFLAG), 0);
    bench.run_for(Time::from_ms(12));
    assert_eq!(bench.read8(INTFLAG), MB | ERROR);
    assert_eq!(bench.read16(STATUS), BUSY | LOWTOUT | BUSERR);
    bench.pad(SCL, PadInput::Level(true));
    assert_eq!(bench.read16(STATUS) & BUSY, IDLE);
    bench.write32(ADDR, 0x40 << 1);
    assert_eq!(bench.read16(STATUS) & (LOWTOUT | BUSERR), 0);
}

#[test]
fn without_its_slow_clock_there_is_no_time_out() {
    let mut bench = stretched(0);
    bench.run_for(Time::from_ms(100));
    assert_eq!(bench.read8(INTFLAG), 0);
}
