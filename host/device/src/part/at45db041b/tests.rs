// SPDX-License-Identifier: MIT OR Apache-2.0
use super::spi::Target;
use super::*;
use crate::Environment;

struct Bench {
    flash: At45db041b,
    now: Time,
}

/// An address of a page and a byte in it.
fn at(page: u16, byte: u16) -> [u8; 3] {
    [(page >> 7) as u8, (page << 1 | byte >> 8) as u8, byte as u8]
}

impl Bench {
    fn new() -> Bench {
        Bench { flash: At45db041b::default(), now: Time::ZERO }
    }

    fn serve<T>(&mut self, what: impl FnOnce(&mut At45db041b, &Sense<'_>) -> T) -> T {
        let environment = Environment::usual();
        let sense = Sense { now: self.now, moment: self.now, environment: &environment };
        what(&mut self.flash, &sense)
    }

    /// Sends `bytes` while it is selected, and returns what came back.
    fn send(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.serve(|flash, sense| {
            flash.select(sense);
            let answers = bytes.iter().map(|byte| flash.exchange(sense, *byte)).collect();
            flash.deselect(sense);
            answers
        })
    }

    /// Sends an opcode, an address and bytes, and returns what came back after so many bytes.
    fn ask(&mut self, opcode: u8, address: [u8; 3], bytes: &[u8], after: usize) -> Vec<u8> {
        let sent = [&[opcode], &address[..], bytes].concat();
        self.send(&sent)[after..].to_vec()
    }

    fn status(&mut self) -> u8 {
        self.send(&[0xD7, 0])[1]
    }

    /// Begins what has this opcode, and waits for its end. Returns how long it took.
    fn work(&mut self, opcode: u8, page: u16) -> Time {
        self.ask(opcode, at(page, 0), &[], 0);
        assert_eq!(self.status() & READY, 0, "busy");
        let takes = self.flash.due() - self.now;
        self.now = self.flash.due();
        self.serve(|flash, sense| flash.fire(sense));
        assert_eq!(self.status() & READY, READY);
        takes
    }

    fn read(&mut self, page: u16, byte: u16, bytes: usize) -> Vec<u8> {
        self.ask(0xE8, at(page, byte), &vec![0; 4 + bytes], 8)
    }
}

#[test]
fn its_status_has_its_density() {
    let mut bench = Bench::new();
    assert_eq!(bench.send(&[0xD7, 0, 0])[1..], [0x9C, 0x9C]);
    assert_eq!(bench.send(&[0x57, 0])[1], 0x9C);
}

#[test]
fn a_page_is_written_through_a_buffer() {
    let mut bench = Bench::new();
    bench.ask(0x84, at(0, 262), &[1, 2, 3], 0);
    assert_eq!(bench.ask(0xD4, at(0, 262), &[0; 5], 5)[..4], [1, 2, 3, 0], "it wraps around");
    assert_eq!(bench.work(0x83, 2_047), Time::from_ms(20));
    assert_eq!(bench.read(2_047, 262, 4), [1, 2, ERASED, ERASED], "the first page follows");
    assert_eq!(bench.read(2_047, 0, 2), [3, 0]);
    let within = bench.ask(0xD2, at(2_047, 262), &[0; 7], 8);
    assert_eq!(within, [1, 2, 3], "a read of a page stays in it");
}

#[test]
fn programs_clear_bits_and_erasure_sets_them() {
    let mut bench = Bench::new();
    bench.ask(0x87, at(0, 0), &[0xF0], 0);
    assert_eq!(bench.work(0x89, 7), Time::from_ms(14));
    bench.ask(0x87, at(0, 0), &[0x3C], 0);
    bench.work(0x89, 7);
    assert_eq!(bench.read(7, 0, 1), [0x30]);
    assert_eq!(bench.work(0x81, 7), Time::from_ms(8));
    assert_eq!(bench.read(7, 0, 1), [ERASED]);
    bench.work(0x86, 9);
    assert_eq!(bench.work(0x50, 15), Time::from_ms(12));
    assert_eq!(bench.read(9, 0, 1), [ERASED], "its block");
    let wear: Vec<u32> =
        (7..=16).map(|page| bench.flash.wear.get(&page).copied().unwrap_or(0)).collect();
    assert_eq!(wear, [1, 1, 2, 1, 1, 1, 1, 1, 1, 0]);
    let reported = bench.flash.wear();
    assert_eq!(reported.as_deref(), Some("erased pages 9, erasures 10, at most 2 (page 9)"));
    assert_eq!(Bench::new().flash.wear(), None);
}

#[test]
fn pages_are_filled_into_buffers_and_compared() {
    let mut bench = Bench::new();
    bench.ask(0x82, at(3, 0), &[0xAA], 0);
    bench.now = bench.flash.due();
    bench.serve(|flash, sense| flash.fire(sense));
    assert_eq!(bench.work(0x61, 3), Time::from_us(250));
    assert_eq!(bench.status() & DIFFERS, DIFFERS);
    assert_eq!(bench.work(0x55, 3), Time::from_us(250));
    assert_eq!(bench.ask(0xD6, at(0, 0), &[0; 2], 5), [0xAA]);
    bench.work(0x61, 3);
    assert_eq!(bench.status() & DIFFERS, 0);
}

#[test]
fn while_it_works_only_status_and_the_other_buffer_answer() {
    let mut bench = Bench::new();
    bench.ask(0x83, at(1, 0), &[], 0);
    let until = bench.flash.due();
    bench.ask(0x81, at(5, 0), &[], 0);
    bench.ask(0x84, at(0, 0), &[0x11], 0);
    bench.ask(0x87, at(0, 0), &[0x22], 0);
    assert_eq!(bench.flash.due(), until);
    assert_eq!((bench.flash.buffers[0][0], bench.flash.buffers[1][0]), (0, 0x22));
    assert_eq!(bench.ask(0xD6, at(0, 0), &[0; 2], 5), [0x22]);
    assert_eq!(bench.read(1, 0, 1), [ERASED], "no answer");
}

/// Writes a page of zeros over one of zeros, and lets the supply fail after so many microseconds.
fn torn(us: u64) -> Vec<u8> {
    let mut bench = Bench::new();
    bench.work(0x83, 4);
    bench.ask(0x83, at(4, 0), &[], 0);
    bench.now += Time::from_us(us);
    bench.serve(|flash, sense| flash.power_off(sense));
    bench.serve(|flash, sense| flash.power_on(sense));
    assert_eq!(bench.flash.wear[&4], 2);
    assert_eq!(bench.status() & READY, READY);
    bench.read(4, 0, PAGE)
}

#[test]
fn a_page_is_torn_if_the_supply_fails() {
    let ones = |page: &[u8]| page.iter().map(|byte| byte.count_ones()).sum::<u32>();
    let all = PAGE as u32 * 8;
    let [before, early, between, late, end] = [0, 3_000, 6_000, 13_000, 20_000].map(torn);
    assert_eq!((ones(&before), ones(&between), ones(&end)), (0, all, 0));
    for torn in [&early, &late] {
        let share = f64::from(ones(torn)) / f64::from(all);
        assert!((0.45..0.55).contains(&share), "half of it: {share}");
    }
    assert_eq!(early, torn(3_000), "the same in every run");
}
